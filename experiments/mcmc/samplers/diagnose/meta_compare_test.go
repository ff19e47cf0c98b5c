package diagnose

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"breadboard/experiments/forms"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/experiments/study"
	"breadboard/grid"
	"breadboard/grid/longtest"
	"breadboard/toys"
)

// metaMade returns points of some targets, whose label is a function of the second feature (ESS)
// and noise.
func metaMade(names, each int, label func(x []float64, random *rand.Rand) float64) (out []point) {
	random := rand.New(rand.NewPCG(5, 6))
	for i := range names {
		for range each {
			x := []float64{float64(2 + i%3), random.NormFloat64(), random.NormFloat64(), random.NormFloat64()}
			out = append(out, point{fmt.Sprint(i), x, label(x, random)})
		}
	}
	return out
}

// TestFeatureThatMatters: if one feature alone decides the label, in a curve, the process without
// it is no better than the normal distribution, all others are as good as the whole, and the line
// lies between.
func TestFeatureThatMatters(t *testing.T) {
	longtest.Only(t)
	all := metaMade(10,
		6, func(x []float64, r *rand.Rand) float64 { return 3*math.Sin(2*x[1]) + x[1] + 0.2*r.NormFloat64() })
	rows := longtest.Must(compare(
		context.Background(),
		all,
		&MetaOptions{Label: Exact, Repeats: 4, Seed: 1},
		study.How{Workers: 2},
	))(t)
	by := map[string]MetaRow{}
	for _, r := range rows {
		by[r.Method] = r
	}
	if len(rows) != 7 || rows[0].Method != "GP" || rows[0].NLL != 0 || !math.IsNaN(rows[0].MSEP) {
		t.Fatalf("rows %+v", rows)
	}
	for _, name := range []string{"GP", "GP-D", "GP-G", "GP-GR"} {
		if r := by[name]; r.MSE > 0.3 || math.Abs(r.NLL) > 0.3 {
			t.Errorf("%s: MSE %v, NLL %v", name, r.MSE, r.NLL)
		}
	}
	for _, name := range []string{"GP-ESS", "iid", "linear"} {
		if r := by[name]; r.MSE < 1.5 || r.NLL < 0.8 || r.MSEP > 0.05 || r.NLLP > 0.05 {
			t.Errorf("%s: MSE %v, NLL %v, p %v and %v", name, r.MSE, r.NLL, r.MSEP, r.NLLP)
		}
	}
	if by["linear"].MSE > by["iid"].MSE {
		t.Error("a line is worse than a normal distribution on a label that grows")
	}
}

// TestPointsLeftOut: points without a finite label or feature are counted by reason, and an R-hat
// of one is no feature.
func TestPointsLeftOut(t *testing.T) {
	toy := &toys.Toy{Name: "line", Space: grid.MustNew(3, 2)}
	row := func(change func(*Scores)) CalibrateRow {
		s := &Scores{ESS: 100, RHat: 1.02, Geweke: 2, GewekeMedian: 0.5, Mean: 50}
		change(s)
		return CalibrateRow{Setting: samplers.Setting{Problem: &samplers.Problem{Toy: toy}}, Exact: s}
	}
	rows := []CalibrateRow{
		row(func(*Scores) {}),
		row(func(s *Scores) { s.RHat = 0.98 }),
		row(func(s *Scores) { s.RHat = 1 + 1e-15 }),
		row(func(s *Scores) { s.RHat = math.Inf(1) }),
		row(func(s *Scores) { s.RHat = math.NaN() }),
		row(func(s *Scores) { s.Mean = math.Inf(1) }),
		row(func(s *Scores) { s.GewekeMedian = 0 }),
	}
	got, left := points(rows, Exact)
	if want := []Omission{{"feature GR is not finite", 3}, {"the label is not finite", 1},
		{"feature G is not finite", 1}}; !reflect.DeepEqual(left, want) {
		t.Errorf("left out %v, want %v", left, want)
	}
	if len(got) != 2 || got[0].label != math.Log(2) {
		t.Fatalf("points %+v", got)
	}
	for i, want := range []float64{2, math.Log(100), math.Log(0.5), math.Log(0.02)} {
		near(t, features()[i].Name, got[0].features[i], want, 1e-13)
		near(t, features()[i].Name, got[1].features[i], want, 1e-13)
	}
}

// metaProblems returns the small study that the tests run.
func metaProblems(t testing.TB, targets ...string) []samplers.Problem {
	t.Helper()
	p := longtest.Must(samplers.Selection{
		Reader:    forms.Reader(),
		Toys:      targets,
		Kernels:   []string{"metropolis", "heatbath"},
		Starts:    []string{"uniform"},
		Functions: []string{"x0", "g"},
	}.Problems(context.Background()))(t)
	return p
}

// small are targets that take little time.
func small() []string {
	return []string{"random:1:1:3x3", "random:2:2:3x3", "random:2:3:3x3", "random:3:4:3x3", "random:1:5:4",
		"random:2:6:2x2x2"}
}

// TestMetaRefused: what cannot be answered is refused, with what to do.
func TestMetaRefused(t *testing.T) {
	good := MetaOptions{N: []int{100}, Label: Exact, Repeats: 2, Seed: 1}
	p := metaProblems(t, small()...)
	for name, change := range map[string]func(*MetaOptions, *[]samplers.Problem){
		"label":        func(o *MetaOptions, _ *[]samplers.Problem) { o.Label = "ress" },
		"repeats":      func(o *MetaOptions, _ *[]samplers.Problem) { o.Repeats = 0 },
		"many repeats": func(o *MetaOptions, _ *[]samplers.Problem) { o.Repeats = maxRepeats + 1 },
		"no chains":    func(o *MetaOptions, _ *[]samplers.Problem) { o.Label = essd },
		"N":            func(o *MetaOptions, _ *[]samplers.Problem) { o.N = []int{39} },
		"settings": func(_ *MetaOptions, p *[]samplers.Problem) {
			for len(*p) < maxPoints {
				*p = append(slices.Clone(*p), *p...)
			}
		},
		"targets": func(_ *MetaOptions, p *[]samplers.Problem) { *p = (*p)[:8] },
		"graph": func(_ *MetaOptions, p *[]samplers.Problem) {
			*p = append(slices.Clone(*p), samplers.Problem{Toy: &toys.Toy{Name: "graph"}})
		},
	} {
		o := good
		some := p
		change(&o, &some)
		if _, err := Meta().Plan(context.Background(), some, &o); err == nil {
			t.Errorf("%s: it is not refused", name)
		}
	}
	good.Label = essd
	good.Chains = 2
	good.Repeats = maxRepeats
	if _, err := Meta().Plan(context.Background(), metaProblems(t, small()[:leastTargets]...), &good); err != nil {
		t.Errorf("the ends of what is allowed: %v", err)
	}
}

// TestMetaRunEnds: a run, which would take many minutes, ends with its context.
func TestMetaRunEnds(t *testing.T) {
	p := metaProblems(t, small()...)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	o := MetaOptions{N: []int{100}, Label: Exact, Repeats: maxRepeats, Seed: 1}
	if _, err := study.Run(ctx, Meta(), p, o, study.How{Progress: func(int) { cancel() }}); !errors.Is(
		err,
		context.Canceled,
	) {
		t.Errorf("a run ends with %v", err)
	}
}

// learned returns what a method predicts for a point.
func learned(t testing.TB, learn func(context.Context, [][]float64, []float64) (predictor, error),
	x [][]float64, y, at []float64) (mean, variance float64) {
	t.Helper()
	predict := longtest.Must(learn(context.Background(), x, y))(t)
	return predict(at)
}

// TestLineByHand: the line through (0, 1), (1, 3), (2, 4), (3, 4) is 1.5 + x, with a residual sum
// of squares of 1, so that the variance of a label is 1/2; at x = 4 it is 1/2 (1 + 1/4 + (4 -
// 1.5)^2/5) = 1.25.
func TestLineByHand(t *testing.T) {
	x, y := [][]float64{{0}, {1}, {2}, {3}}, []float64{1, 3, 4, 4}
	mean, variance := learned(t, byLine, x, y, []float64{4})
	near(t, "the mean", mean, 5.5, 1e-13)
	near(t, "the variance", variance, 1.25, 1e-13)
	// A feature that is twice another one, and one that never changes, say nothing more.
	for i := range x {
		x[i] = append(x[i], 2*x[i][0], 0)
	}
	mean, variance = learned(t, byLine, x, y, []float64{4, 8, 0})
	near(t, "the mean", mean, 5.5, 1e-13)
	near(t, "the variance", variance, 1.25, 1e-12)
	if _, err := byLine(context.Background(), x[:2], y[:2]); err == nil {
		t.Error("two points have a line with a variance")
	}
}

// TestNormalByHand: the labels 1, 2 and 6 have mean 3 and variance 7, to which their mean adds a
// third.
func TestNormalByHand(t *testing.T) {
	mean, variance := learned(t, byNormal, nil, []float64{1, 2, 6}, nil)
	near(t, "the mean", mean, 3, 1e-15)
	near(t, "the variance", variance, 7*(1+1.0/3), 1e-15)
}

// TestScale: what a scale makes of numbers has mean zero and variance one, whatever their unit and
// their zero; numbers that are all the same become zero.
func TestScale(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		unit := math.Pow(10, rapid.Float64Range(-12, 12).Draw(t, "unit"))
		var v []float64
		for _, k := range rapid.SliceOfN(rapid.IntRange(-1000, 1000), 2, 9).Draw(t, "v") {
			v = append(v, float64(k)*unit)
		}
		s := newScale(v)
		total := 0.0
		squares := 0.0
		for _, x := range v {
			total, squares = total+s.scaled(x), squares+s.scaled(x)*s.scaled(x)
		}
		if constant(v) {
			if total != 0 || squares != 0 {
				t.Fatalf("constant numbers become %v in total", total)
			}
			return
		}
		if n := float64(len(v)); math.Abs(total) > 1e-6*n || math.Abs(squares/n-1) > 1e-6 {
			t.Fatalf("total %v and mean square %v", total, squares/n)
		}
	})
}

// TestPairedByHand: the differences 1, 2, 3 have the mean 2 and the standard error 1/sqrt 3, so
// that t = sqrt 12 with two degrees of freedom, whose two-sided p-value is 1 - t/sqrt(2 + t^2) = 1
// - sqrt(6/7).
func TestPairedByHand(t *testing.T) {
	e, p := paired([]float64{1, 2, 3})
	near(t, "the standard error", e, 1/math.Sqrt(3), 1e-15)
	near(t, "p", p, 1-math.Sqrt(6.0/7), 1e-12)
	if e, p := paired([]float64{0, 0, 0}); e != 0 || p != 1 {
		t.Errorf("no differences: standard error %v, p %v", e, p)
	}
	if e, p := paired([]float64{1, 1}); e != 0 || p != 0 {
		t.Errorf("equal differences: standard error %v, p %v", e, p)
	}
	if e, p := paired([]float64{5}); !math.IsNaN(e) || !math.IsNaN(p) {
		t.Errorf("one difference: standard error %v, p %v", e, p)
	}
}

// TestSplit: a fifth of the targets is held out, at least one; splits differ, and each is the same
// again.
func TestSplit(t *testing.T) {
	for n, want := range map[int]int{5: 1, 7: 1, 8: 2, 10: 2, 100: 20} {
		var names []string
		for i := range n {
			names = append(names, string(rune('a'+i)))
		}
		differ := false
		for r := range 20 {
			held := split(names, 1, r)
			count := 0
			for _, name := range names {
				if held[name] {
					count++
				}
				differ = differ || held[name] != split(names, 1, 0)[name]
				if held[name] != split(names, 1, r)[name] {
					t.Fatal("a split is not the same again")
				}
			}
			if count != want {
				t.Errorf("%d of %d targets are held out, want %d", count, n, want)
			}
		}
		if !differ {
			t.Errorf("all splits of %d targets are the same", n)
		}
	}
}
