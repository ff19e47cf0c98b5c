package averages_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"breadboard/chains/kernels"
	"breadboard/exact/averages"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// sumLaw returns a distribution of a sum.
func sumLaw(t *testing.T, toy, kernel, start, function string, n int) *averages.SumLaw {
	t.Helper()
	c, f, law := setting(t, toy, kernel, start, function)
	return longtest.Must(c.SumLaw(t.Context(), f, law, n))(t)
}

// coin returns the chain of independent draws of a coin whose second side has probability p.
func coin(t *testing.T, p float64) (*averages.Chain, *averages.Function) {
	t.Helper()
	c := longtest.Must(averages.New(t.Context(), kernels.Independence{P: []float64{1 - p, p}}, []float64{math.Log1p(-p), math.Log(p)}))(t)
	f := longtest.Must(c.Standardise([]float64{0, 1}))(t)
	return c, f
}

// TestFairCoin: independent draws have RESS = N, for the mean and for the Kolmogorov-Smirnov
// distance.
func TestFairCoin(t *testing.T) {
	sizes := []int{1, 10, 100, 3000}
	if !longtest.Enabled() {
		sizes = sizes[:3]
	}
	c, f := coin(t, 0.5)
	for _, n := range sizes {
		l := longtest.Must(c.SumLaw(t.Context(), f, c.Target, n))(t)
		chain := longtest.Must(c.KS(t.Context(), f, c.Target, n, nil))(t)
		free := longtest.Must(f.IndependentKS(t.Context(), n, nil))(t)
		for what, v := range map[string]float64{"mean": 1 / l.MSE().Value, "KS": free.Square / chain.Square * float64(n), "variance over N": 1 / (4 * free.Square)} {
			if math.Abs(v-float64(n)) > 1e-12*float64(n) {
				t.Errorf("N = %d: RESS of the %s is %.17g", n, what, v)
			}
		}
	}
}

// TestIndependentKSOfManyDraws: the distance of 10,000 draws of a coin, fair or not, has the mean
// square p(1-p)/N, and all of its digits are kept where p is tiny. With many levels it approaches
// the Kolmogorov distribution from below.
func TestIndependentKSOfManyDraws(t *testing.T) {
	for _, p := range []float64{0.5, 0.3, 1e-5, 1e-9, 1 - 1e-7} {
		_, f := coin(t, p)
		ks := longtest.Must(f.IndependentKS(t.Context(), 10_000, nil))(t)
		same(t, "N E KS^2", 1e4*ks.Square, f.Masses[0]*f.Masses[1])
	}
	if !longtest.Enabled() {
		return
	}
	n := 200
	if longtest.More() {
		n = 500
	}
	c, g := line(t, make([]float64, 40)...), make([]float64, 40)
	for x := range g {
		g[x] = float64(x)
	}
	f := longtest.Must(c.Standardise(g))(t)
	ks := longtest.Must(f.IndependentKS(t.Context(), n, nil))(t)
	if r := float64(n) * ks.Square; !(r < averages.KolmogorovSquare && r > 0.8*averages.KolmogorovSquare) {
		t.Errorf("R is %v, and %v without levels", r, averages.KolmogorovSquare)
	}
}

// TestLawsRefuse: what has no distribution, or one that is too large, is refused with its cure,
// before memory or time is taken.
func TestLawsRefuse(t *testing.T) {
	longtest.Only(t)
	c, f, uniform := setting(t, "barrier", "metropolis", "uniform", "x0")
	half := longtest.Must(c.Standardise(append([]float64{0.5}, f.Raw[1:]...)))(t)
	sum := func(f *averages.Function, start []float64, n int) error {
		_, err := c.SumLaw(t.Context(), f, start, n)
		if _, early := c.SumLawWork(f, start, n); early == nil || early.Error() != err.Error() {
			t.Errorf("%v is only found late; early: %v", err, early)
		}
		return err
	}
	ks := func(n int) error {
		_, err := c.KS(t.Context(), f, uniform, n, nil)
		if _, early := c.KSWork(f, uniform, n); early == nil || early.Error() != err.Error() {
			t.Errorf("%v is only found late; early: %v", err, early)
		}
		return err
	}
	independent := func(n int) error { _, err := f.IndependentKS(t.Context(), n, nil); return err }
	l, mode := sumLaw(t, "barrier", "metropolis", "uniform", "x0", 3), sumLaw(t, "barrier", "metropolis", "uniform", "mode", 1000)
	success := func(chains int, ress float64) error { _, err := l.Success(t.Context(), chains, ress); return err }
	rhat := func(l *averages.SumLaw, chains int) error { _, err := l.RHat(t.Context(), chains); return err }
	for _, v := range []struct {
		err  error
		want string
	}{
		{sum(half, uniform, 10),
			"the function is 0.5 at state 0, and the distribution of its sum is known for integers up to 2^53 only; take an indicator or a coordinate, or ask for the errors of its mean"},
		{sum(f, uniform, 1_000_000), "1000000 samples of values up to 6 steps apart takes 2.94e+08 probabilities"},
		{sum(f, uniform, 200_000), "200000 samples takes 2.45e+13 products, and at most 1e+11 are made; take fewer samples, or a function of smaller range"},
		{sum(f, uniform, 0), "a distribution of 0 samples; give a number from 1 on"},
		{sum(f, uniform[1:], 10), "start: it has 48 states and the target 49"},
		{ks(100),
			"the distribution of the counts of 7 levels over 100 samples takes 8.36e+10 probabilities for 49 states, and at most 6.71e+07 are kept; take fewer samples, or the bounds of the distance"},
		{ks(0), "a distribution of 0 samples"},
		{independent(0), "the distance of 0 draws"},
		{independent(1_000_000), "1000000 independent draws at 7 levels takes 2.94e+12 products, and at most 1e+10 are made"},
		{success(0, 12), "the number of chains is 0; give one from 1 to 10000"},
		{success(8, 0), "success at an effective sample size of 0; give a positive number"},
		{rhat(mode, 1), "the number of chains is 1; give one from 2 to 10000"},
		{rhat(l, 4), "the distribution of R-hat is known for functions whose values are 0 and 1 only"},
		{rhat(mode, 8),
			"the distribution of R-hat of 8 chains of 1000 samples takes about 5.33e+09 probabilities, and at most 1.34e+08 are kept; take fewer samples or fewer chains"},
		{rhat(sumLaw(t, "barrier", "metropolis", "uniform", "mode", 1), 4), "chains of 1 sample have no R-hat"},
	} {
		if v.err == nil || !strings.Contains(v.err.Error(), v.want) || strings.Contains(v.err.Error(), "\n") {
			t.Errorf("got %v, want %q", v.err, v.want)
		}
	}
}

// TestLawsEnd: every computation looks at its context again and again, and ends as soon as it has
// seen the context's end.
func TestLawsEnd(t *testing.T) {
	longtest.Only(t)
	c, f, uniform := setting(t, "barrier", "heatbath", "uniform", "x0")
	_, mode, _ := setting(t, "barrier", "heatbath", "uniform", "mode")
	l, ones := sumLaw(t, "barrier", "heatbath", "uniform", "x0", 100), sumLaw(t, "barrier", "heatbath", "uniform", "mode", 200)
	for name, run := range map[string]func(ctx context.Context) error{
		"sum":         func(ctx context.Context) error { _, err := c.SumLaw(ctx, f, uniform, 6000); return err },
		"KS":          func(ctx context.Context) error { _, err := c.KS(ctx, mode, uniform, 5000, nil); return err },
		"independent": func(ctx context.Context) error { _, err := f.IndependentKS(ctx, 10_000, nil); return err },
		"success":     func(ctx context.Context) error { _, err := l.Success(ctx, 8, 12); return err },
		"RESS":        func(ctx context.Context) error { _, err := l.RESS(ctx, 8); return err },
		"R-hat":       func(ctx context.Context) error { _, err := ones.RHat(ctx, 8); return err },
		"recursion": func(ctx context.Context) error {
			_, err := c.Errors(ctx, averages.Question{Function: f, Starts: [][]float64{uniform}, N: []int64{averages.MaxRecursion}}, averages.Recursion)
			return err
		},
		"expectations": func(ctx context.Context) error {
			_, err := c.Expectations(ctx, f, uniform, averages.MaxExpectations, 4, nil)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			ctx := longtest.EndsAfter(20)
			if err := run(ctx); !errors.Is(err, context.Canceled) || ctx.Looks() > 2 {
				t.Errorf("error %v after %d looks", err, ctx.Looks())
			}
		})
	}
}

// TestSumLawOfConstantPart: a chain that cannot leave the states where a function has one value has
// a distribution of one atom, and its R-hat does not exist.
func TestSumLawOfConstantPart(t *testing.T) {
	c := line(t, 0, 0, math.Inf(-1), 1)
	f := longtest.Must(c.Standardise([]float64{1, 1, math.Inf(1), 0}))(t)
	l := longtest.Must(c.SumLaw(t.Context(), f, []float64{1, 0, 0, 0}, 5))(t)
	if len(l.P) != 1 || l.Low != 5 || l.P[0] != 1 {
		t.Errorf("the distribution is %+v", l)
	}
	near(t, "bias", l.Mean(), (1-f.Mean)/f.SD)
	near(t, "variance", l.Variance(), 0)
	r := longtest.Must(l.RHat(t.Context(), 3))(t)
	near(t, "P(constant)", r.Constant(), 1)
	near(t, "P(constant, wrong)", r.ConstantAndWrong(), 1)
	if !math.IsNaN(l.Coverage(math.NaN())) {
		t.Error("a coverage without tau")
	}
	longtest.Refuses(c.SumLaw(t.Context(), f, []float64{0.5, 0, 0.5, 0}, 5))(t, "+Inf at state 2", "a start where the function is infinite")
}

// TestCoverageWithoutError: a chain that goes round its states in turn has tau zero, of which
// rounding may leave a number below zero. Its mean is never off after whole rounds, and the
// interval, a point, holds the truth.
func TestCoverageWithoutError(t *testing.T) {
	c := longtest.Must(averages.New(t.Context(), kernels.Flip{Space: grid.MustNew(2)}, []float64{0, 0}))(t)
	f := longtest.Must(c.Standardise([]float64{0, 3}))(t)
	for n, want := range map[int]float64{100: 1, 101: 0} {
		l := longtest.Must(c.SumLaw(t.Context(), f, c.Target, n))(t)
		for _, tau := range []float64{0, -3e-16} {
			if got := l.Coverage(tau); math.Abs(got-want) > 1e-12 {
				t.Errorf("N = %d, tau = %v: the coverage is %v, want %v", n, tau, got, want)
			}
		}
	}
}

// TestSuccessIsNoMoreThanCertain: a mark that all chains reach is reached with probability one, and
// none with more. If RESS is below a mark with a small probability, that probability is the mass of
// the outcomes that are left out while the distribution is made.
func TestSuccessIsNoMoreThanCertain(t *testing.T) {
	c, f := coin(t, 0.5)
	l := longtest.Must(c.SumLaw(t.Context(), f, c.Target, 100))(t)
	for _, chains := range []int{1, 2, 3} {
		for _, ress := range []float64{1e-6, 1, 12, 100} {
			s := longtest.Must(l.Success(t.Context(), chains, ress))(t)
			if ress < 1 && s.P != 1 || !(s.P <= 1 && s.Low <= s.P && s.P <= s.High) {
				t.Errorf("%d chains of a coin have a RESS of %v or more with probability %v, from %v to %v", chains, ress, s.P, s.Low, s.High)
			}
		}
	}
	// One chain has a RESS of 12 or more if the heads are at most 100/sqrt(48) from 50: from 36 to
	// 64.
	below := 0.0
	for heads := range 36 {
		ways, _ := math.Lgamma(101)
		left, _ := math.Lgamma(float64(heads) + 1)
		right, _ := math.Lgamma(float64(100-heads) + 1)
		below += 2 * math.Exp(ways-left-right-100*math.Ln2)
	}
	s, err := l.Success(t.Context(), 1, 12)
	if err != nil || math.Abs(1-s.P-below) > 1e-15+1e-12*below {
		t.Errorf("a chain has a RESS below 12 with probability %v, want %v (%v)", 1-s.P, below, err)
	}
}
