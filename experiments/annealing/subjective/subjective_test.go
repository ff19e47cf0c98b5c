package subjective_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/selector/selectortest"
	"breadboard/exact"
	"breadboard/experiments/annealing/subjective"
	"breadboard/experiments/forms"
	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
)

// TestSubjectiveStudy: with the target as the reference the value is B; a file with log p_T, less a
// constant, is the target too; and uniform is where every annealing starts.
func TestSubjectiveStudy(t *testing.T) {
	text := strings.Repeat("5,5,5,-5,8,8,8\n", 3) + "-5,-5,-5,-5,-5,-5,-5\n" +
		strings.Repeat("5,5,5,-5,5,5,5\n", 3)
	file := longtest.File(t, "reference.csv", text)
	cases := casetest.MustCases(t, casetest.Selection([]int{50, 200}, "barrier"))
	o := subjective.Options{
		References: []string{"uniform", "initial", "target", "file:" + file, "mode", "point:4"},
		Moves:      []int{5, 0},
	}
	runs := casetest.RowsBy(t, subjective.Study(), cases, o, study.How{Workers: 2})
	if len(runs) != 12 {
		t.Errorf("%d runs", len(runs))
	}
	for i := 0; i < len(runs); i += 6 {
		same := func(a, b int, what string) {
			for k := range o.Moves {
				p, q := runs[i+a].Points[k], runs[i+b].Points[k]
				if p.Moves != o.Moves[k] || q.Moves != o.Moves[k] || math.Abs(p.Value-q.Value) > 1e-13 ||
					math.Abs(p.KL-q.KL) > 1e-13 {
					t.Errorf("%s: %+v and %+v", what, p, q)
				}
			}
		}
		same(0, 1, "uniform and initial")
		same(2, 3, "target and file")
		same(4, 5, "mode and the first state of the mode")
		for _, p := range runs[i+2].Points {
			if math.Abs(p.Value-runs[i].Solution.B) > 1e-13 || !runs[i+2].IsBound(p) ||
				runs[i+2].BoundFrom != 0 {
				t.Errorf("from the target %+v, B = %v", p, runs[i].Solution.B)
			}
		}
		if p := runs[i].Points[1]; p.Value > runs[i].Solution.J || runs[i].IsBound(p) ||
			runs[i].BoundFrom != -1 {
			t.Errorf("from uniform %+v, J = %v", p, runs[i].Solution.J)
		}
	}
}

func TestSubjectiveRefuses(t *testing.T) {
	file := longtest.File(t, "target.csv", "1,2\n-inf,0\n")
	cases := casetest.MustCases(t, casetest.Selection([]int{5}, "file:"+file))
	valid := subjective.Options{References: []string{"mode"}, Moves: []int{0}}
	longtest.Must(subjective.Study().Plan(context.Background(), cases, &valid))(t)
	for want, change := range map[string]func(o *subjective.Options){
		"no reference is named": func(o *subjective.Options) { o.References = nil },
		"0 or more":             func(o *subjective.Options) { o.Moves = []int{3, -1} },
		"did you mean uniform?": func(o *subjective.Options) {
			o.References = []string{"unifrm"}
		},
		"not a value of axis x1; the nearest is 1": func(o *subjective.Options) {
			o.References = []string{"fitted:1=3"}
		},
		"numbered from 0 to 3": func(o *subjective.Options) {
			o.References = []string{"point:4"}
		},
		`"point:": the states`: func(o *subjective.Options) {
			o.References = []string{"point:"}
		},
		"at state 2, where the target is zero": func(o *subjective.Options) {
			o.References = []string{"mode", "uniform"}
		},
		"reference \"file:/nonexistent/r.csv\": ": func(o *subjective.Options) {
			o.References = []string{"file:/nonexistent/r.csv"}
		},
	} {
		o := valid
		change(&o)
		casetest.Refuses(t, subjective.Study(), cases, o, want)
	}
}

// FuzzParseReference: what is read is a distribution over the states, and everything else an error.
func FuzzParseReference(f *testing.F) {
	for _, s := range []string{"uniform", "initial", "target", "mode", "point:3", "point:-1", "point:1e3",
		"point: 2", "file:", "", "uniform:3",
		"fitted:0=1", "fitted:2=0", "fitted:=", "fitted:0=1e0"} {
		f.Add(s)
	}
	cases := casetest.MustCases(f, casetest.Selection([]int{3}, "random:2:7:2x3"))
	a := cases[0].Annealing()
	f.Fuzz(func(t *testing.T, s string) {
		if strings.HasPrefix(s, "file:") && len(s) > 5 {
			t.Skip("no files are read here")
		}
		r, err := subjective.ParseReference(s, &cases[0])
		if err == nil {
			err = exact.CheckReference(a, r)
			if err != nil {
				t.Errorf("%q is read as %v: %v", s, r, err)
			}
		}
	})
}

// Reverse chains that start from the uniform distribution give no bound on J, until they have been
// moved under the target often.
func Example_subjectiveStudy() {
	cases, _ := subject.Selection{
		Reader:        forms.Reader(),
		Toys:          []string{"easy"},
		Distributions: []int{100},
		Path:          "geometric",
		Schedule:      "linear",
		Kernel:        "metropolis",
	}.Cases(context.Background())
	rows, err := study.Run(context.Background(), subjective.Study(), cases,
		subjective.Options{References: []string{"uniform"}, Moves: []int{0, 10, 100}}, study.How{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range rows[0].Points {
		fmt.Printf("%d moves: %.4f nats, a bound: %v\n", p.Moves, p.Value, rows[0].IsBound(p))
	}
	fmt.Printf("J = %.4f nats\n", rows[0].Solution.J)
	// Output:
	// 0 moves: 0.0612 nats, a bound: false
	// 10 moves: 0.1690 nats, a bound: true
	// 100 moves: 0.3726 nats, a bound: true
	// J = 0.1301 nats
}

// TestReferencesByNumber: the first and the last state are some, and those beside them none.
func TestReferencesByNumber(t *testing.T) {
	c := casetest.MustCases(t, casetest.Selection([]int{2}, "easy"))[0]
	for selector, at := range map[string]int{
		"point:0": 0, "point:48": 48, "point:-1": -1, "point:49": -1, "point:x": -1} {
		r, err := subjective.ParseReference(selector, &c)
		if (err == nil) != (at >= 0) || at >= 0 && r[at] != 1 {
			t.Errorf("%s: %v, %v", selector, r, err)
		}
	}
}

func TestReferenceForms(t *testing.T) {
	file := longtest.File(t, "r.csv", "0,1,2\n1,0,-1\n")
	cases := casetest.MustCases(t, casetest.Selection([]int{3}, "random:2:7:2x3"))
	selectortest.Run(t, selectortest.Check[*subject.Case, []float64]{
		Set:      subjective.ReferenceForms(),
		Env:      &cases[0],
		Examples: map[string]string{"file": "file:" + file},
		Same:     slices.Equal[[]float64],
	})
	// A reference without arguments that has some is no reference at all.
	longtest.Refuses(subjective.ParseReference("mode:1", &cases[0]))(t,
		`unknown reference "mode:1"; did you mean mode?`,
		"mode:1",
	)
}

// hyper is the selection of the clustering whose noise variance is a hyperparameter.
func hyper(lengths ...int) subject.Selection {
	return subject.Selection{
		Reader:        forms.Reader(),
		Toys:          []string{"hyper"},
		Distributions: lengths,
		Path:          "geometric",
		Schedule:      "sigmoid:4",
		Kernel:        "heatbath-scan",
	}
}

// TestFittedReference: the distribution is the target's, given the value, whatever the name of the
// axis and however large the constant in log f.
func TestFittedReference(t *testing.T) {
	cases := casetest.MustCases(t, hyper(3))
	toy := *cases[0].Toy
	target := append([]float64(nil), toy.G...)
	chains.Normalize(target)
	for text, on := range map[string]func(coords []int) bool{
		"fitted:eta=0.25":  func(c []int) bool { return c[0] == 0 },
		"fitted:0=4":       func(c []int) bool { return c[0] == 2 },
		"fitted:eta = 1.0": func(c []int) bool { return c[0] == 1 },
		"fitted:z2=1":      func(c []int) bool { return c[2] == 1 },
		"fitted:5=0":       func(c []int) bool { return c[5] == 0 },
	} {
		r := longtest.Must(subjective.ParseReference(text, &cases[0]))(t)
		mass := 0.0
		for x, p := range target {
			if on(toy.Lattice().Coords(x)) {
				mass += p
			}
		}
		for x, p := range target {
			want := 0.0
			if on(toy.Lattice().Coords(x)) {
				want = p / mass
			}
			if math.Abs(r[x]-want) > 1e-13*want {
				t.Errorf("%s: state %d has %v, want %v", text, x, r[x], want)
			}
		}
	}
	// In increments of 2^-13, which is what float64 has at 1e12, the distribution keeps its digits.
	file := longtest.File(t, "g.csv", "1000000000000,1000000000001,1000000000003\n-inf,1000000000000.5,-inf\n")
	far := casetest.MustCases(t, casetest.Selection([]int{3}, "file:"+file))
	r, err := subjective.ParseReference("fitted:0=0", &far[0])
	if sum := 1 + math.E + math.Exp(3); err != nil || math.Abs(r[1]-math.E/sum) > 1e-15 || r[4] != 0 {
		t.Errorf("%v, %v", r, err)
	}
	if r, err := subjective.ParseReference("fitted:1=1", &far[0]); err != nil ||
		math.Abs(r[1]/r[4]-math.Exp(0.5)) > 1e-14 {
		t.Errorf("%v, %v", r, err)
	}
}

func TestFittedRefuses(t *testing.T) {
	file := longtest.File(t, "g.csv", "1,2\n-inf,-inf\n")
	for _, c := range [][3]string{
		{"hyper", "fitted:et=1", `unknown axis "et"; did you mean eta?, or its number from 0 to 5`},
		{"hyper", "fitted:6=1", "or its number from 0 to 5"},
		{"hyper", "fitted:-1=1", "or its number from 0 to 5"},
		{"hyper", "fitted:eta=0.3", "0.3 is not a value of axis eta; the nearest is 0.25"},
		{"hyper", "fitted:eta=3", "3 is not a value of axis eta; the nearest is 4"},
		{"hyper", "fitted:z1=2", "2 is not a value of axis z1; the nearest is 1"},
		{"hyper", "fitted:eta", "write the axis, = and its value"},
		{"hyper", "fitted:=1", "write the axis, = and its value"},
		{"hyper", "fitted:eta=nan", `the value of axis eta: "nan" is not a number`},
		{"hyper", "fitted:eta=1,5", "write decimals with a point"},
		{"hyper", "fitted", "give an axis and its value"},
		{"easy", "fitted:eta=1", `unknown axis "eta"`},
		{"easy", "fitted:0=7", "7 is not a value of axis x0; the nearest is 6"},
		{"file:" + file, "fitted:0=1", "the target is zero for all states with 0=1"},
		{"graph:permutations:3:random:1:0", "fitted:0=1", "has no axes; grids and models have"},
	} {
		cases := casetest.MustCases(t, casetest.Selection([]int{3}, c[0]))
		_, err := subjective.ParseReference(c[1], &cases[0])
		if err == nil || !strings.Contains(err.Error(), c[2]) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s, %s: %v, want one with %q", c[0], c[1], err, c[2])
		}
	}
}

// TestFittedCanonical: in a sweep a value that is written in two ways is one reference.
func TestFittedCanonical(t *testing.T) {
	reference, _ := subject.FindParameter(subjective.Study().Declaration.Sweep().Parameters, "reference")
	for text, want := range map[string]string{
		"fitted:eta=.250": "fitted:eta=0.25", "fitted: 0 = 1e0": "fitted:0=1", "fitted:0=-0": "fitted:0=0"} {
		if got, err := reference.Canonical(text); err != nil || got != want {
			t.Errorf("%s: %s, %v, want %s", text, got, err, want)
		}
	}
	longtest.Refuses(reference.Canonical("fitted:eta"))(t, "reference fitted:eta: write the axis")
}

// Data that are simulated from a fitted hyperparameter come with a state that is no draw of the
// posterior. Scans make it one.
func Example_subjectiveParseReference() {
	cases, _ := hyper(10).Cases(context.Background())
	options := subjective.Options{
		References: []string{"fitted:eta=0.25", "fitted:eta=4"},
		Moves:      []int{0, 10},
	}
	rows, err := study.Run(context.Background(), subjective.Study(), cases, options, study.How{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range rows {
		fmt.Printf("%s: %.6f, after ten scans %.6f\n", r.Reference, r.Points[0].Value, r.Points[1].Value)
	}
	fmt.Printf("B = %.6f\n", rows[0].Solution.B)
	// Output:
	// fitted:eta=0.25: 0.692263, after ten scans 0.624439
	// fitted:eta=4: 0.554730, after ten scans 0.624388
	// B = 0.624414
}
