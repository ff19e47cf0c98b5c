package weights

import (
	"math"
	"math/cmplx"
	"testing"

	"breadboard/exact/internal/number"
)

// aliased integrates the left side of a contour for the weight that is always one, whose transform E[w^s] is one
// everywhere, with a period P in log x, and returns its error against the closed form and the bound on it.
func aliased(c float64, order int, period, tau, left float64) (err, bound float64) {
	s := &contours{mean: 1}
	l := &contour{c: c, order: order, step: 2 * math.Pi / period}
	ones := make([]complex128, 1+int(mellinHeight/l.step))
	for k := range ones {
		ones[k] = 1
	}
	l.values = make([]complex128, len(ones))
	l.set(0, ones, 0)
	value, bound := l.at(tau, s)
	return math.Abs(value - left), bound
}

// TestAliasBound takes the trapezoidal rule at a step so wide that its error is a few tenths, where the left sides at
// x A^m, which the rule adds, are nearly as large as the bound takes them to be. Summed over m they come to 81 to 96 per
// cent of the bound: it may be neither half as large nor twice.
func TestAliasBound(t *testing.T) {
	for _, c := range []struct {
		c           float64
		order       int
		period, tau float64
		left        func(x float64) float64
		least       float64
	}{
		// A^-c is 1/2, so that the sum over all powers is twice the first, which is what the factor of two is for.
		{0.25, 0, math.Ln2 / 0.25, 0.5, func(x float64) float64 { return math.Exp(-x) }, 0.9},
		{-0.25, 1, math.Ln2 / 0.25, -1, func(x float64) float64 { return math.Expm1(-x) }, 0.9},
		{-1.25, 2, math.Ln2 / 0.25, 0, func(x float64) float64 { return math.Expm1(-x) + x }, 0.8},
	} {
		err, bound := aliased(c.c, c.order, c.period, c.tau, c.left(math.Exp(c.tau)))
		t.Logf("order %d: error %.6g, bound %.6g", c.order, err, bound)
		if !(err <= bound && err >= c.least*bound) {
			t.Errorf("order %d: the error is %v, and its bound %v", c.order, err, bound)
		}
	}
}

// TestMellinHeight: the integral is cut off where Gamma has fallen below what counts, and no more than a few steps later.
// On the line 1/2 its modulus is the root of pi/cosh(pi y).
func TestMellinHeight(t *testing.T) {
	for _, c := range []float64{0.5, 0.01, -0.01, -0.5, -1.5} {
		if at := cmplx.Abs(number.Gamma(complex(c, mellinHeight))); !(at < 1e-17) {
			t.Errorf("|Gamma(%v + %vi)| = %v", c, mellinHeight, at)
		}
	}
	if before := math.Sqrt(math.Pi / math.Cosh(math.Pi*(mellinHeight-1))); !(before > 1e-17) {
		t.Errorf("it is %v one unit before", before)
	}
}

// TestContoursKnowOne holds all lines of a narrow law to the closed forms: with the steps that draw chooses, whatever
// comes of aliases is below 1e-15, and the bound of the best line stays below 1e-12.
func TestContoursKnowOne(t *testing.T) {
	s := &contours{mean: 1}
	s.draw(0.1)
	for i := range s.lines {
		l := &s.lines[i]
		ones := make([]complex128, 1+int(mellinHeight/l.step))
		for k := range ones {
			ones[k] = 1
			l.size += l.weight(k) * cmplx.Abs(number.Gamma(complex(l.c, float64(k)*l.step)))
		}
		l.values = make([]complex128, len(ones))
		l.set(0, ones, 0)
	}
	s.rounding = 1e-15
	for tau := -40.0; tau < 5; tau += 0.37 {
		f := s.best(tau)
		x := math.Exp(tau)
		rise, phi := f.rise+math.Expm1(-x), f.phi-math.Exp(-x)
		// Phi is one less the other, which rounds it by half a unit; laplace.bounds adds 1e-15 a point for that.
		if !(math.Abs(rise) <= f.err && math.Abs(phi) <= f.err+0x1p-53 && f.err < 1e-13) {
			t.Errorf("at exp(%v): %+v, off by %v and %v", tau, f, rise, phi)
		}
	}
	for i := range s.lines {
		l := &s.lines[i]
		l.size, s.rounding = 0, 0
		// What is left is the alias alone, the 1e-17 of the cut included. The line of order two is for the far left.
		tau := map[int]float64{0: 0, 1: 0, 2: -5}[l.order]
		if _, alias := l.at(tau, s); !(alias < 1e-15) {
			t.Errorf("the line at %v has an alias of %v", l.c, alias)
		}
	}
}

// TestPowerBound: the error of Phi^n is at most what moving Phi by its error makes of it, and for an n of millions nearly
// that.
func TestPowerBound(t *testing.T) {
	for _, c := range []struct{ rise, err, n float64 }{{1e-6, 1e-13, 1e6}, {0.3, 1e-9, 5}, {0.9, 1e-9, 3}, {1e-12, 1e-12, 1e9}} {
		f := transform{rise: c.rise, phi: 1 - c.rise, err: c.err}
		value, bound := f.power(c.n)
		moved := transform{rise: c.rise - c.err, phi: 1 - c.rise + c.err}
		most, _ := moved.power(c.n)
		if off := math.Abs(most - value); !(off <= bound*(1+1e-6) && off >= 0.9*bound) {
			t.Errorf("%+v: off by %v, bound %v", c, off, bound)
		}
	}
}
