package represent_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact"
	"breadboard/experiments/annealing/represent"
	"breadboard/experiments/forms"
	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
)

// representSelection is the selection of the command, at one number of distributions.
func representSelection(T int, toys ...string) subject.Selection {
	return subject.Selection{
		Reader:        forms.Reader(),
		Toys:          toys,
		Distributions: []int{T},
		Path:          "geometric",
		Schedule:      "sigmoid:4",
		Kernel:        "heatbath-scan",
	}
}

// representRows runs the study.
func representRows(t testing.TB, s subject.Selection) []represent.Row {
	t.Helper()
	s, err := represent.Expand(context.Background(), s)
	longtest.NoError(t, err)
	return casetest.RowsBy(t, represent.Study(), casetest.MustCases(t, s), study.NoOptions{}, study.How{Workers: 2})
}

// TestRepresentReferenceValues: the values were computed by a program independent of this one.
// Those of J below 1e-5 are known to nine digits.
func TestRepresentReferenceValues(t *testing.T) {
	type values struct{ j, b, forward, reverse float64 }
	for T, want := range map[int]map[string]values{
		10: {
			"low collapsed":   {0.00244222299457848, 1.66502923758855, -6.9570990439643, -5.29206980637575},
			"low uncollapsed": {0.0430109812401534, 6.92054574271423, -10.5546325265051, -3.63408678379083},
			"gridclu z":       {0.00260685699814953, 1.15867830064258, -10.62421382022, -9.46553551957746},
			"gridclu theta":   {3.51174076454364e-05, 1.17638070006472, -10.6389095386476, -9.46252883858287},
			"gridclu both":    {0.00366052936481184, 4.13258700189232, -12.4613024952279, -8.32871549333553},
		},
	} {
		logZ := map[string]float64{"low": -5.97803850282467, "gridclu": -9.95515256655392}
		all := representRows(t, representSelection(T, "low", "gridclu"))
		if len(all) != len(want) {
			t.Fatalf("%d rows at T = %d", len(all), T)
		}
		for i := range all {
			r := &all[i]
			name := r.Model() + " " + r.Representation()
			w := want[name]
			check := func(what string, got, want, tolerance float64) {
				if math.Abs(got-want) > tolerance {
					t.Errorf("%s, T = %d: %s = %v, want %v", name, T, what, got, want)
				}
			}
			check("J", r.J, w.j, max(1e-9*w.j, 1e-13))
			check("B", r.B, w.b, 1e-11)
			check("the mean of the forward log weights", r.MeanLogWForward, w.forward, 1e-11)
			check("the mean of the reverse log weights", r.MeanLogWReverse, w.reverse, 1e-11)
			check("log Z", r.LogZ, logZ[r.Model()], 1e-13*10)
		}
	}
}

// TestRepresentWork: a scan asks for all values but the current one of each axis, and a kernel that
// proposes for one value a move.
func TestRepresentWork(t *testing.T) {
	for kernel, want := range map[string]map[string]float64{
		"heatbath-scan": {"z": 9*4 + 1, "theta": 9*12 + 1, "both": 9*16 + 1},
		"metropolis":    {"z": 10, "theta": 10, "both": 10},
	} {
		s := representSelection(10, "gridclu")
		s.Kernel = kernel
		for _, r := range representRows(t, s) {
			if r.Work != want[r.Representation()] {
				t.Errorf("%s, %s: work %v, want %v", kernel, r.Representation(), r.Work, want[r.Representation()])
			}
		}
	}
}

// TestWorkOfStages: if each stage has a kernel of its own, the work is one and the sum of theirs.
func TestWorkOfStages(t *testing.T) {
	cases := casetest.MustCases(t, representSelection(4, "gridclu:z"))
	a := cases[0].Annealing()
	space := cases[0].Toy.Lattice()
	each := []chains.Kernel{kernels.Metropolis{Space: space}, a.Kernel(), kernels.Stay{}}
	own := longtest.Must(chains.NewAnnealingBy(a.Path(), a.Schedule(), chains.ByStage("each", each), 4))(t)
	cases[0].Algorithm = own
	out, err := study.Run(context.Background(), represent.Study(), cases, study.NoOptions{}, study.How{})
	if err != nil || out[0].Work != 1+1+4+0 {
		t.Errorf("%v, %v", out, err)
	}
	each[1] = silent{a.Kernel()}
	own, err = chains.NewAnnealingBy(a.Path(), a.Schedule(), chains.ByStage("each", each), 4)
	longtest.NoError(t, err)
	cases[0].Algorithm = own
	casetest.Refuses(t, represent.Study(), cases, study.NoOptions{}, "does not state how many evaluations")
}

// TestOtherStarts: log Z is the same from anywhere, although log Z_T/Z_1 is not.
func TestOtherStarts(t *testing.T) {
	for _, initial := range []string{"uniform", "tempered:0.3"} {
		s := representSelection(5, "gridclu")
		s.Initial = initial
		all := representRows(t, s)
		for _, r := range all {
			if math.Abs(r.LogZ+9.95515256655392) > 1e-12 {
				t.Errorf("%s from %s: log Z = %v", r.Representation(), initial, r.LogZ)
			}
		}
		if math.Abs(all[0].LogZRatio-all[2].LogZRatio) < 0.1 {
			t.Errorf("from %s: log Z_T/Z_1 is %v in both", initial, all[0].LogZRatio)
		}
	}
}

// TestTemperedPath: with the power before the sum, a model that keeps all variables goes the same
// way as on the geometric path, and one that has summed some out another one, to the same log Z.
func TestTemperedPath(t *testing.T) {
	s := representSelection(10, "gridclu")
	geometric := representRows(t, s)
	s.Path = "tempered"
	for i, r := range representRows(t, s) {
		g := geometric[i]
		if same := math.Abs(r.B-g.B) < 1e-11; same != (r.Representation() == "both") {
			t.Errorf("%s: B = %v, on the geometric path %v", r.Representation(), r.B, g.B)
		}
		ids := longtest.Must(exact.Check(context.Background(), r.Annealing(), r.Solution, nil))(t)
		for _, id := range ids {
			if !id.OK {
				t.Errorf("%s: %+v", r.Representation(), id)
			}
		}
	}
}

func TestExpandRefuses(t *testing.T) {
	for toy, want := range map[string]string{
		"easy": "toy easy has no representations to compare; give one of low, gridclu, or a " +
			"network in a file with at most one variable summed out",
		"clu8":          "toy clu8 has no representations",
		"low:collapsed": "give low to compare all of them",
	} {
		longtest.Refuses(represent.Expand(context.Background(), representSelection(10, "low", toy)))(t, want, toy)
	}
	for toy, want := range map[string]string{
		"lo": "did you mean low", "low:z": "it has collapsed, uncollapsed"} {
		s := longtest.Must(represent.Expand(t.Context(), representSelection(10, toy)))(t)
		longtest.Refuses(s.Cases(t.Context()))(t, want, toy)
	}
	s, err := represent.Expand(context.Background(), representSelection(10, "low:uncollapsed", " gridclu"))
	if err != nil || strings.Join(s.Toys, " ") != "low:collapsed low gridclu:z gridclu:theta gridclu" {
		t.Errorf("%v, %v", s.Toys, err)
	}
}

// silent is a kernel that does not state how many evaluations a move takes.
type silent struct{ chains.Kernel }

func TestRepresentRefuses(t *testing.T) {
	s := representSelection(3, "low:collapsed")
	cases := casetest.MustCases(t, s)
	cases[0].Algorithm = casetest.MovedBy(t, cases[0].Annealing(), silent{cases[0].Annealing().Kernel()})
	casetest.Refuses(t, represent.Study(), cases, study.NoOptions{}, "does not state how many evaluations")
	plain := casetest.MustCases(t, representSelection(3, "hyper"))
	casetest.Refuses(t, represent.Study(), plain, study.NoOptions{},
		"give one of low, gridclu, or a network in a file with at most one variable summed out")
}

// TestDifferentLogZ: a representation whose log Z is off by little more than the tolerance is a
// fault.
func TestDifferentLogZ(t *testing.T) {
	s := longtest.Must(represent.Expand(context.Background(), representSelection(3, "gridclu")))(t)
	for off, fault := range map[float64]bool{8e-13: false, 1.2e-12: true, -1.2e-12: true, 30: true} {
		cases := casetest.MustCases(t, s)
		changed := *cases[1].Toy
		changed.G = slices.Clone(changed.G)
		for x := range changed.G {
			changed.G[x] += off
		}
		ends := longtest.Must(paths.NewEnds(changed.LogPrior, changed.G))(t)
		path := longtest.Must(paths.GeometricBetween(ends))(t)
		a, err := chains.NewAnnealing(path, schedules.Linear{}, kernels.Stay{}, 3)
		longtest.NoError(t, err)
		cases[1].Toy, cases[1].Algorithm = &changed, a
		_, err = study.Run(context.Background(), represent.Study(), cases, study.NoOptions{}, study.How{})
		if chains.IsFault(err) != fault ||
			fault && !strings.Contains(err.Error(), "log Z of gridclu is -9.955") {
			t.Errorf("off by %v: %v", off, err)
		}
	}
}

// Summing out the right variables brings the sampler closer to its target, with less work.
func Example_representStudy() {
	ctx := context.Background()
	selection, _ := represent.Expand(ctx, subject.Selection{
		Reader:        forms.Reader(),
		Toys:          []string{"gridclu"},
		Distributions: []int{1000},
		Path:          "geometric",
		Schedule:      "sigmoid:4",
		Kernel:        "heatbath-scan",
	})
	cases, _ := selection.Cases(ctx)
	rows, err := study.Run(ctx, represent.Study(), cases, study.NoOptions{}, study.How{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range rows {
		fmt.Printf("%-5s J = %.5g, B = %.5g nats, work %v\n", r.Representation(), r.J, r.B, r.Work)
	}
	// Output:
	// z     J = 0.0011795, B = 0.012016 nats, work 3997
	// theta J = 3.236e-07, B = 0.0098843 nats, work 11989
	// both  J = 0.003413, B = 0.042075 nats, work 15985
}
