package tightness_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"breadboard/experiments/annealing/tightness"
	"breadboard/experiments/forms"
	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// TestSubnormalProbabilities: numbers below 2^-1022 have the logarithms that they should, as target
// and as start. The values at T = 4 are by arithmetic in many digits; with two distributions B is
// their symmetric divergence.
func TestSubnormalProbabilities(t *testing.T) {
	p := longtest.File(t, "p.csv", "1e-320,1e-308\n1e-310,5e-324\n")
	near := func(what string, got, want float64) {
		if !(math.Abs(got-want) <= 5e-7) {
			t.Errorf("%s is %v, not %v", what, got, want)
		}
	}
	r := casetest.Rows(t, tightness.Study(), casetest.MustCases(t, casetest.Selection([]int{4}, "prob:"+p)),
		tightness.Options{})[0]
	near("J", r.J, 3.908814)
	near("B", r.B, 10.754852)
	near("log Z_T/Z_1", r.LogZRatio, -710.572553)
	s := casetest.Selection([]int{2}, "cells:0:1/2:3", "prob:"+p)
	s.Initial = "prob:" + p
	rows := casetest.Rows(t, tightness.Study(), casetest.MustCases(t, s), tightness.Options{})
	// The logarithms of the four numbers: k 2^-1074 for k = 2024, 2024022533073106, 20240225330731,
	// 1, as float64 rounds them.
	logs := []float64{2024, 2024022533073106, 20240225330731, 1}
	g := []float64{0, 1, 2, 3}
	sum := 0.0
	other := 0.0
	b := 0.0
	for i := range logs {
		sum = sum + logs[i]
		other = other + math.Exp(g[i])
	}
	for i, k := range logs {
		b += (math.Exp(g[i])/other - k/sum) * (g[i] - math.Log(k))
	}
	near("B from these probabilities", rows[0].B, b)
	near("J to themselves", rows[1].J, 0)
}

// TestEveryPrintedNumber reproduces what the paper prints in Appendix B.1.1, digit for digit.
func TestEveryPrintedNumber(t *testing.T) {
	rows := casetest.Rows(t, tightness.Study(), casetest.MustCases(
		t,
		casetest.Selection([]int{100, 1000}, subject.PaperToys()...),
	), tightness.Options{})
	seen := map[string]int{}
	for _, r := range rows {
		for _, c := range r.Printed {
			seen[c.Quantity]++
			if c.Rounds == (c.Text == "26%") {
				t.Errorf("%s: %s = %v, printed %s", &r.Case, c.Quantity, c.Ours, c.Text)
			}
		}
	}
	for quantity, want := range map[string]int{"J": 6, "B": 3, "relative_error": 2, "dominant_mode_mass": 2} {
		if seen[quantity] != want {
			t.Errorf("%d printed numbers for %s, want %d", seen[quantity], quantity, want)
		}
	}
	// The 26% is of J and B at three digits. Unrounded it is 25%, and the row must say so.
	for _, r := range rows {
		if r.Toy.Name == "hard" && r.Distributions() == 1000 {
			if math.Round(100*r.RoundedError()) != 26 || math.Round(100*r.RelativeError()) != 25 {
				t.Errorf("relative error %v, of rounded numbers %v", r.RelativeError(), r.RoundedError())
			}
			all, rounded, known := r.AsPrinted()
			if last := r.Printed[len(r.Printed)-1]; !strings.Contains(last.Note, "25.47%") ||
				!last.OfRounded || all || !rounded || !known {
				t.Errorf("the row does not say how 26%% comes about: %+v", last)
			}
		}
	}
}

// TestNothingIsComparedWithOtherAnnealings: the printed numbers are of the paper's kernel and
// schedule.
func TestNothingIsComparedWithOtherAnnealings(t *testing.T) {
	s := casetest.Selection([]int{1000}, "easy")
	s.Kernel = "barker"
	rows := casetest.Rows(t, tightness.Study(), casetest.MustCases(t, s), tightness.Options{})
	if all, _, known := rows[0].AsPrinted(); known || len(rows[0].Printed) != 0 {
		t.Errorf("Barker's kernel is compared with the paper's numbers: %v %v", all, rows[0].Printed)
	}
}

func TestAnyNumberOfWorkers(t *testing.T) {
	cases := casetest.MustCases(
		t,
		casetest.Selection([]int{2, 50, 300}, "easy", "hard", "barrier:3x5", "random:1:1:3x3x3"),
	)
	casetest.SameForAnyWorkers(t, tightness.Study(), cases, tightness.Options{}, func(r *tightness.Row) string {
		return fmt.Sprint(&r.Case, r.J, r.B, r.MeanLogWForward)
	})
}

func TestErrorsNameTheCase(t *testing.T) {
	cases := casetest.MustCases(t, casetest.Selection([]int{5}, "easy", "hard"))
	cases[1].Algorithm = casetest.MovedBy(t, cases[1].Annealing(), casetest.Stuck{})
	casetest.Refuses(t, tightness.Study(), cases, tightness.Options{}, "toy hard, T = 5: stage t = 2 of 5")
}

func TestIntermediate(t *testing.T) {
	rows := casetest.Rows(t, tightness.Study(),
		casetest.MustCases(t, casetest.Selection([]int{100}, "barrier")), tightness.Options{})
	p := tightness.Intermediate(rows, []float64{0, 0.5, 1})[0]
	for x := range p.Target {
		if math.Abs(p.P[0][x]-1.0/49) > 1e-16 || p.P[2][x] != p.Target[x] {
			t.Errorf("state %d: at beta 0 %v, at beta 1 %v of %v", x, p.P[0][x], p.P[2][x], p.Target[x])
		}
	}
	corner := grid.MustNew(7, 7).Index(0, 6)
	if p.Output[corner] > 0.7*p.Target[corner] {
		t.Errorf("at T = 100 the sampler has %v of %v in the dominant mode's corner: it should not have found it",
			p.Output[corner], p.Target[corner])
	}
}

func Example_tightnessStudy() {
	cases, err := subject.Selection{
		Reader: forms.Reader(),
		Toys:   []string{"easy", "barrier"}, Distributions: []int{1000},
		Path: "geometric", Schedule: "linear", Kernel: "metropolis",
	}.Cases(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	rows, err := study.Run(context.Background(), tightness.Study(), cases, tightness.Options{}, study.How{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range rows {
		fmt.Printf("%s: J = %.6f, B = %.6f, B/J = %.3f\n", r.Toy.Name, r.J, r.B, r.Ratio())
	}
	// Output:
	// easy: J = 0.005179, B = 0.070482, B/J = 13.610
	// barrier: J = 1.084690, B = 1.184352, B/J = 1.092
}

func tightnessRows(t *testing.T, s subject.Selection) ([]subject.Case, []tightness.Row) {
	t.Helper()
	cases := casetest.MustCases(t, s)
	rows := casetest.Rows(t, tightness.Study(), cases, tightness.Options{})
	return cases, rows
}

// TestCertify: the solver keeps its promise on the paper's toys, where ratios are out of the range
// of float64, and where log f spans 2000.
func TestCertify(t *testing.T) {
	longtest.Only(t)
	s := casetest.Selection(
		[]int{2, 16},
		append(subject.PaperToys(), "random:300:0", "file:../../../exact/testdata/corners.csv")...,
	)
	if longtest.More() {
		s.Distributions = append(s.Distributions, 30, 1000)
	}
	for _, kernel := range []string{"metropolis", "barker"} {
		s.Kernel = kernel
		if kernel == "barker" {
			s.Distributions = []int{longtest.Times(20, 40)}
			s.Schedule = "sigmoid:4"
		}
		cases, rows := tightnessRows(t, s)
		var steps atomic.Int64
		longtest.NoError(t, tightness.Certify(context.Background(), rows, 2, func(n int) { steps.Add(int64(n)) }))
		if want := tightness.CertifySteps(cases); int(steps.Load()) != want {
			t.Errorf("progress adds up to %d steps of %d", steps.Load(), want)
		}
		for i := range rows {
			for _, c := range rows[i].Certificates {
				// J of the two corners is lost in rounding from about T = 1000 on, as its note
				// says.
				if c.Digits < tightness.PromisedDigits && len(rows[i].Notes) == 0 {
					t.Errorf("%s: %s = %v has %v digits, certified %s", &rows[i].Case, c.Quantity, c.Double,
						c.Digits, c.Value.Text())
				}
			}
		}
	}
}

// TestCertifyFindsFaults spoils one number in its eleventh digit.
func TestCertifyFindsFaults(t *testing.T) {
	_, rows := tightnessRows(t, casetest.Selection([]int{10}, "easy"))
	rows[0].KLPQ *= 1 + 1e-11
	if _, any := rows[0].Worst(); any {
		t.Error("a certificate before any was made")
	}
	longtest.NoError(t, tightness.Certify(context.Background(), rows, 0, nil))
	if c, _ := rows[0].Worst(); c.Quantity != "kl_p_q" || c.Digits < 10.9 || c.Digits > 11.1 {
		t.Errorf("%+v", c)
	}
}

func TestCertifyRefusesAndStops(t *testing.T) {
	s := casetest.Selection([]int{10}, "easy")
	s.Kernel = "heatbath"
	cases, rows := tightnessRows(t, s)
	for _, err := range []error{
		tightness.Certifiable(cases), tightness.Certify(context.Background(), rows, 1, nil)} {
		longtest.Refused(t, err, "toy easy, T = 10: kernel heatbath cannot be certified; metropolis and barker can")
	}
	s.Kernel = "metropolis"
	_, rows = tightnessRows(t, s)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := tightness.Certify(ctx, rows, 1, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// networkRow is an annealing of a network, with values that a program that shares nothing with this
// one computed in more digits.
type networkRow struct {
	toy, initial, kernel string
	T, digits            int // digits is how many significant ones the two programs share
	J, B, qp, pq         float64
	logZ, forward        float64
	reverse              float64
}

// networkRows are annealings of the networks in toys/networks/testdata, which stands for FILES.
func networkRows() []networkRow {
	inf := math.Inf(1)
	return []networkRow{
		{"bif:FILES/cancer.bif:evidence=Xray=positive+Dyspnoea=True", "prior", "flip", 10,
			15, 0.012151879928048443391, 0.082946404982753658454,
			0.005804826575808742467, 0.0063470533522397009244, -2.716499546497870897, -2.750513826311321191,
			-2.6675674213285675326},
		{"bif:FILES/survey.bif:evidence=T=train", "prior", "metropolis", 100, 13, 0.00023321315218541197152,
			0.008155240325660853334,
			0.000116442340620166081714, 0.00011677081156524588981, -1.2699087387241067803,
			-1.2739580338999041826, -1.2658027935742433293},
		{"bif:FILES/earthquake.bif:evidence=JohnCalls=True+MaryCalls=True", "uniform", "heatbath", 100,
			14, 0.003056988620009921737, 0.18019347370127126659,
			0.0015404323458580548987, 0.0015165562741518668383, -6.622210905406340841, -6.7152724416291157987,
			-6.535078967927844532},
		{"bif:FILES/asia.bif:evidence=xray=yes+dysp=yes:hide=either", "prior", "heatbath-scan", 100, 14,
			0.00010486435197316274896, 0.03658725518234056664,
			5.2552561020608583898e-05, 5.2311790952554165062e-05, -2.6497326469916581612,
			-2.668017291663926648, -2.6314300364815860814},
		{"bif:FILES/asia.bif:evidence=either=yes+asia=yes", "prior", "heatbath-scan", 100,
			12, 1.4608945439259057566e-09, inf, 7.30447551879219873e-10,
			7.3044699204668588364e-10, -6.885504670047317293, -inf, -4.6051701859880913607},
		{"bif:FILES/quirks.bif:evidence=y.2=1", "prior", "flip", 100, 13, 0.000116953710069092538044,
			0.0017257799996291491897, 5.8343884304649705132e-05,
			5.8609825764442832912e-05, -0.6539264674066640132, -0.6547813714237306978,
			-0.6530555914241015486},
		{"uai:FILES/colour5.uai", "uniform", "flip", 100, 12, inf, inf, inf, 0.5111368566774254136,
			-0.32827546941703440253, -inf, 1.8382389154590290081},
		{"bif:FILES/signal11.bif:evidence=Akt=HIGH+P38=LOW", "uniform", "flip", 100, 15,
			0.28718916378268067658, 1.1424399648734971085,
			0.14276641884418334075, 0.14442274493849733581, -12.526444473641613728, -13.083911940932171418,
			-11.94147197605867431},
	}
}

// TestNetworks: annealings of networks from the prior and from uniform have the reference's J, B,
// both divergences and all log weights.
func TestNetworks(t *testing.T) {
	longtest.Only(t)
	for _, want := range networkRows() {
		s := casetest.Selection([]int{want.T}, strings.Replace(want.toy, "FILES", "../../../toys/networks/testdata", 1))
		s.Initial = want.initial
		s.Kernel = want.kernel
		// it has 19,683 states, for which all identities take long
		large := strings.Contains(want.toy, "signal11")
		got := casetest.Rows(t, tightness.Study(), casetest.MustCases(t, s), tightness.Options{Check: !large})[0]
		for _, v := range []struct {
			name      string
			got, want float64
		}{
			{"J", got.J, want.J}, {"B", got.B, want.B}, {"KL(q|p)", got.KLQP, want.qp},
			{"KL(p|q)", got.KLPQ, want.pq}, {"log Z ratio", got.LogZRatio, want.logZ},
			{"the mean log weight forward", got.MeanLogWForward, want.forward},
			{"the mean log weight reverse", got.MeanLogWReverse, want.reverse},
		} {
			tolerance := 4 * math.Pow(10, -float64(want.digits))
			if want.J < 1e-8 && strings.HasPrefix(v.name, "KL") {
				// the row has a note that rounding has taken digits, and of each divergence it
				// takes more than of their sum
				tolerance = 2e-9
			}
			if v.got != v.want && !(math.Abs(v.got/v.want-1) <= tolerance) {
				t.Errorf("%s from %s, %s: %s is %.17g, and should be %.17g (%.2g)", want.toy, want.initial,
					want.kernel, v.name, v.got, v.want, v.got/v.want-1)
			}
		}
	}
}

// TestNotesOfClasses: what the kernel never moves between, what J tends to, and which axis tells
// the classes apart, stand beside J.
func TestNotesOfClasses(t *testing.T) {
	const asia = "bif:../../../toys/networks/testdata/asia.bif:evidence=xray=yes+dysp=yes"
	for _, c := range []struct {
		toy, kernel string
		floor       float64
		notes       []string
	}{
		{asia, "heatbath-scan", 2.42797569932672, []string{"J tends to 2.42797569933 as T grows",
			"either says in which class a state is, and hide=either sums it out"}},
		{"my=" + asia, "flip", 2.42797569932672, []string{"J tends to 2.42797569933 as T grows",
			"either says in which class a state is, and hide=either sums it out"}},
		{asia, "jump:0.1", 0, nil},
		{asia + ":hide=either", "heatbath-scan", 0, nil},
		{"barrier", "heatbath-axis:1", math.NaN(),
			[]string{"7 classes", "axis 0 says in which class a state is"}},
		{"cells:0:-inf/-inf:1", "metropolis", math.NaN(),
			[]string{"J and B are +Inf", "2 classes", "axis 0 says"}},
		{"cells:0:-inf:0/0:-inf:-inf/0:0:0", "metropolis", math.NaN(),
			[]string{"J and B are +Inf", "2 classes"}},
	} {
		s := casetest.Selection([]int{100}, c.toy)
		s.Kernel = c.kernel
		r := casetest.Rows(t, tightness.Study(), casetest.MustCases(t, s), tightness.Options{})[0]
		if len(r.Notes) != len(c.notes) {
			t.Errorf("%s, %s: %q", c.toy, c.kernel, r.Notes)
			continue
		}
		for i, want := range c.notes {
			if !strings.Contains(r.Notes[i], want) {
				t.Errorf("%s, %s: %q, without %q", c.toy, c.kernel, r.Notes[i], want)
			}
		}
		if c.floor > 0 && !(math.Abs(r.Reach.Floor-c.floor) < 1e-10) {
			t.Errorf("%s, %s: J tends to %v", c.toy, c.kernel, r.Reach.Floor)
		}
	}
}

// until looks for the T at which a goal is met on toys.
func until(t *testing.T, s subject.Selection, goal string,
	most int64) ([]tightness.Row, []study.SearchResult) {
	t.Helper()
	g := study.Goal{Most: most, Within: time.Minute}
	longtest.NoError(t, g.Parse(goal))
	var asked []study.SubjectsAt
	for _, toy := range s.Toys {
		asked = append(asked, func(ctx context.Context, T int64) (any, error) {
			one := s
			one.Toys = []string{toy}
			one.Distributions = []int{int(T)}
			return one.Cases(ctx)
		})
	}
	rows, found, err := tightness.Study().Declaration.Until(
		context.Background(),
		g,
		asked,
		&tightness.Options{},
		study.How{},
	)
	longtest.NoError(t, err)
	return rows.([]tightness.Row), found
}

// TestUntilNever: a search for what no T can meet ends, where the kernel stays in its classes and J
// has a floor, and where chains may stay on zeros and J and B are +Inf. A limit above the floor can
// be met, and one from a start inside the support.
func TestUntilNever(t *testing.T) {
	longtest.Only(t)
	s := casetest.Selection(nil, "barrier")
	s.Kernel = "heatbath-axis:0"
	for _, goal := range []string{"J<2.5", "B<2.5"} {
		if _, found := until(t, s, goal, 5000); found[0].Met || found[0].Size != 5000 {
			t.Errorf("%+v", found)
		}
	}
	if _, found := until(t, s, "B<2.6", 5000); !found[0].Met {
		t.Errorf("%+v", found)
	}
	zeros := longtest.File(t, "zeros.csv", "0,-inf,1\n0,0.5,2\n-inf,1,0\n")
	s = casetest.Selection(nil, "file:"+zeros)
	for _, goal := range []string{"J<0.01", "B<0.01"} {
		if _, found := until(t, s, goal, 0); found[0].Met ||
			!strings.Contains(found[0].Why.Error(), "it was not finite at the last 27 values of T") {
			t.Errorf("%+v", found)
		}
	}
	s.Initial = "tempered:0.1"
	if _, found := until(t, s, "J<0.01", 5000); !found[0].Met || found[0].Size != 55 {
		t.Errorf("%+v", found)
	}
}

// TestClassesInSweeps: a sweep keeps what classes of a tolerance leave out as a note.
func TestClassesInSweeps(t *testing.T) {
	swept := tightness.Study().Declaration.Sweep()
	cases := casetest.MustCases(t, casetest.Selection([]int{5}, "quotient:neighbours:0.25:cells:0:1/1:0.125"))
	params := cases[0].Parts()
	o := longtest.Must(swept.SolveRow(context.Background(), forms.Reader(), params))(t)
	if want := "differ by up to 0.125 nats, which its classes leave out"; !strings.Contains(o.Note, want) {
		t.Errorf("note %q", o.Note)
	}
}
