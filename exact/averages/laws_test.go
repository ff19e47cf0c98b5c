package averages_test

import (
	"math"
	"strings"
	"testing"

	"breadboard/exact/averages"
	"breadboard/grid/longtest"
)

// sumLaw returns a distribution of a sum.
func sumLaw(t *testing.T, toy, kernel, start, function string, n int) *averages.SumLaw {
	t.Helper()
	c, f, law := setting(t, toy, kernel, start, function)
	return longtest.Must(c.SumLaw(t.Context(), f, law, n))(t)
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
	l := sumLaw(t, "barrier", "metropolis", "uniform", "x0", 3)
	mode := sumLaw(t, "barrier", "metropolis", "uniform", "mode", 1000)
	success := func(chains int, ress float64) error {
		_, err := l.Success(t.Context(), chains, ress)
		return err
	}
	rhat := func(l *averages.SumLaw, chains int) error { _, err := l.RHat(t.Context(), chains); return err }
	for _, v := range []struct {
		err  error
		want string
	}{
		{sum(half, uniform, 10),
			"the function is 0.5 at state 0, and the distribution of its sum is known for integers up to " +
				"2^53 only; take an indicator or a coordinate, or ask for the errors of its mean"},
		{sum(f, uniform, 1_000_000),
			"1000000 samples of values up to 6 steps apart takes 2.94e+08 probabilities"},
		{sum(f, uniform, 200_000),
			"200000 samples takes 2.45e+13 products, and at most 1e+11 are made; take fewer samples, or a " +
				"function of smaller range"},
		{sum(f, uniform, 0), "a distribution of 0 samples; give a number from 1 on"},
		{sum(f, uniform[1:], 10), "start: it has 48 states and the target 49"},
		{ks(100),
			"the distribution of the counts of 7 levels over 100 samples takes 8.36e+10 probabilities for " +
				"49 states, and at most 6.71e+07 are kept; take fewer samples, or the bounds of the distance"},
		{ks(0), "a distribution of 0 samples"},
		{independent(0), "the distance of 0 draws"},
		{independent(1_000_000),
			"1000000 independent draws at 7 levels takes 2.94e+12 products, and at most 1e+10 are made"},
		{success(0, 12), "the number of chains is 0; give one from 1 to 10000"},
		{success(8, 0), "success at an effective sample size of 0; give a positive number"},
		{rhat(mode, 1), "the number of chains is 1; give one from 2 to 10000"},
		{rhat(l, 4), "the distribution of R-hat is known for functions whose values are 0 and 1 only"},
		{rhat(mode, 8),
			"the distribution of R-hat of 8 chains of 1000 samples takes about 5.33e+09 probabilities, " +
				"and at most 1.34e+08 are kept; take fewer samples or fewer chains"},
		{rhat(sumLaw(t, "barrier", "metropolis", "uniform", "mode", 1), 4),
			"chains of 1 sample have no R-hat"},
	} {
		if v.err == nil || !strings.Contains(v.err.Error(), v.want) || strings.Contains(v.err.Error(), "\n") {
			t.Errorf("got %v, want %q", v.err, v.want)
		}
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
	r := longtest.Must(l.RHat(t.Context(), 3))(t)
	near(t, "P(constant)", r.Constant(), 1)
	near(t, "P(constant, wrong)", r.ConstantAndWrong(), 1)
	if !math.IsNaN(l.Coverage(math.NaN())) {
		t.Error("a coverage without tau")
	}
	longtest.Refuses(c.SumLaw(t.Context(), f, []float64{0.5, 0, 0.5, 0}, 5))(t,
		"+Inf at state 2",
		"a start where the function is infinite",
	)
}
