package latent

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mathext"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/grid/longtest"
)

// testLaw fails if the share of draws below a number differs from the distribution function by so
// much somewhere that it happens by chance once in 10^12 tests.
//
// Source: Massart 1990, The tight constant in the Dvoretzky-Kiefer-Wolfowitz inequality.
func testLaw(t *testing.T, what string, draw func(c chains.RealChooser) float64,
	below func(float64) float64) {
	t.Helper()
	draws := longtest.Times(40_000, 400_000)
	every := 100
	if !longtest.Enabled() {
		draws = 2_000
		every = 1
	}
	bound := math.Sqrt(math.Log(2/1e-12) / (2 * float64(draws)))
	c := chains.NewSampler(rand.NewPCG(5, uint64(len(what))))
	x := make([]float64, draws)
	for i := range x {
		x[i] = draw(c)
	}
	slices.Sort(x)
	for i := 0; i < draws; i += every {
		if p := below(x[i]); !(p >= 0 && p <= 1) ||
			math.Abs(p-float64(i)/float64(draws)) > bound+1/float64(draws) {
			t.Errorf("%s: a share of %v of the draws lies below %v, and the probability is %v",
				what, float64(i)/float64(draws), x[i], p)
			return
		}
	}
}

// testDensity fails if the integral of a density between two numbers is not the difference of its
// distribution function.
func testDensity(t *testing.T, what string, logDensity, below func(float64) float64, from, to float64) {
	t.Helper()
	got := quad.Fixed(func(x float64) float64 { return math.Exp(logDensity(x)) }, from, to, 200, quad.Legendre{}, 0)
	if want := below(to) - below(from); math.Abs(got-want) > 1e-12 {
		t.Errorf("%s: the density between %v and %v integrates to %v, and the probability is %v", what,
			from, to, got, want)
	}
}

func TestUnit(t *testing.T) { testLaw(t, "unit", unit, func(x float64) float64 { return x }) }

func TestInverseGamma(t *testing.T) {
	for _, d := range []InverseGamma{{1, 1}, {1.5, 0.3}, {300, 1e-5}, {12, 1e8}} {
		below := func(x float64) float64 { return mathext.GammaIncRegComp(d.Shape, d.Scale/x) }
		testLaw(t, fmt.Sprint(d), d.Sample, below)
		mode := d.Scale / (d.Shape + 1)
		testDensity(t, fmt.Sprint(d), d.LogDensity, below, 0.8*mode, 2*mode)
		if d.LogDensity(0) != math.Inf(-1) {
			t.Errorf("%v has a density at zero", d)
		}
	}
}

func TestBeta(t *testing.T) {
	for _, d := range []Beta{{1, 1}, {2, 5}, {60, 1}, {30, 400}} {
		below := func(x float64) float64 { return mathext.RegIncBeta(d.A, d.B, x) }
		testLaw(t, fmt.Sprint(d), d.sample, below)
		testDensity(t, fmt.Sprint(d), d.logDensity, below, 0.01, 0.99)
	}
	if got := (Beta{1, 1}).logDensity(0); got != 0 {
		t.Errorf("the uniform distribution has log density %v at 0", got)
	}
}

// TestDirichlet: its first probability has a beta distribution, and its density is that of one for
// two probabilities.
func TestDirichlet(t *testing.T) {
	d := dirichlet{1, 2.5, 4}
	x := make([]float64, 3)
	first := func(c chains.RealChooser) float64 {
		d.sample(c, x)
		if total := x[0] + x[1] + x[2]; math.Abs(total-1) > 1e-15 {
			t.Fatalf("probabilities sum to %v", total)
		}
		return x[0]
	}
	testLaw(t, "the first of three", first, func(p float64) float64 { return mathext.RegIncBeta(1, 6.5, p) })
	// Of three, the marginal density of the first is an integral over the second.
	got := quad.Fixed(func(p float64) float64 {
		return math.Exp(d.logDensity([]float64{0.3, p, 0.7 - p}))
	}, 0, 0.7, 200, quad.Legendre{}, 0)
	if want := math.Exp(Beta{1, 6.5}.logDensity(0.3)); math.Abs(got-want) > 1e-6 {
		t.Errorf("the density of the first of three probabilities is %v, want %v", got, want)
	}
}

// upper returns the probability that a standard normal number exceeds x.
func upper(x float64) float64 { return math.Erfc(x/math.Sqrt2) / 2 }

func TestTruncatedNormal(t *testing.T) {
	for _, v := range []struct{ mean, sd, lo, hi float64 }{
		{0, 1, math.Inf(-1), math.Inf(1)},
		{0, 1, -1, 2},
		{0, 1, -0.1, 0.3},
		{3, 2, 2, math.Inf(1)},
		{0, 1, 0.5, 0.6},
		{0, 1, 0, math.Inf(1)},
		{0, 1, 1, 8},
		{0, 1, 20, math.Inf(1)},
		{0, 1, 25, 25.01},
		{-4, 0.5, math.Inf(-1), -12},
		{0, 1, -3, math.Inf(1)},
	} {
		what := fmt.Sprint(v)
		a, b := (v.lo-v.mean)/v.sd, (v.hi-v.mean)/v.sd
		below := func(x float64) float64 {
			z := (x - v.mean) / v.sd
			if a > 0 { // the upper tail keeps its digits
				return (upper(a) - upper(z)) / (upper(a) - upper(b))
			}
			return (upper(-z) - upper(-a)) / (upper(-b) - upper(-a))
		}
		draw := func(c chains.RealChooser) float64 { return truncatedNormal(c, v.mean, v.sd, v.lo, v.hi) }
		testLaw(t, what, draw, below)
	}
}

// TestTruncatedNormalFar: far in a tail the distance from its end is exponential, and keeps its
// digits.
func TestTruncatedNormalFar(t *testing.T) {
	for _, a := range []float64{1e5, 1e9, 1e100} {
		for _, width := range []float64{math.Inf(1), 1 / a} {
			all := -math.Expm1(-a * width)
			below := func(x float64) float64 { return -math.Expm1(-a*x) / all }
			testLaw(t, fmt.Sprint(a, width),
				func(c chains.RealChooser) float64 { return truncatedNormal(c, -a, 1, 0, width) }, below)
		}
	}
}

// TestFactorOfRounding: if rounding has eaten a square on the diagonal, the factor is that of a
// matrix within rounding.
func TestFactorOfRounding(t *testing.T) {
	for _, v := range []struct{ all, own, want float64 }{ // all in all places, and own on the diagonal
		{1e20, 1, math.Sqrt(2 * 0x1p-52 * 1e20)}, // which is lost
		{1e-20, 1e-3, math.Sqrt(1e-3)},           // which is not
	} {
		f := newCholesky(2)
		copy(f.l, []float64{v.all + v.own, 0, v.all, v.all + v.own})
		f.factorise()
		if got := f.l[3]; math.Abs(got-v.want) > 1e-14*v.want {
			t.Errorf("with %v everywhere the last entry of the factor is %v, want %v", v.all, got, v.want)
		}
	}
}

// logDensity returns the logarithm of the density at x, in nats: -Inf if x is not a probability.
func (d Beta) logDensity(x float64) float64 {
	if x < 0 || x > 1 {
		return math.Inf(-1)
	}
	return logGamma(d.A+d.B) - logGamma(d.A) - logGamma(d.B) + powerOf(d.A-1, x) + powerOf(d.B-1, 1-x)
}

// logDensity returns the logarithm of the density of the first K - 1 of the probabilities x, in
// nats: -Inf if one is negative. That they sum to one is taken for granted.
func (d dirichlet) logDensity(x []float64) float64 {
	total := 0.0
	logs := 0.0
	for k, a := range d {
		if x[k] < 0 {
			return math.Inf(-1)
		}
		total += a
		logs += powerOf(a-1, x[k]) - logGamma(a)
	}
	return logGamma(total) + logs
}

// powerOf returns log(x^n), which is zero for n = 0 whatever x is.
func powerOf(n, x float64) float64 {
	if n == 0 {
		return 0
	}
	return n * number.Log(x)
}
