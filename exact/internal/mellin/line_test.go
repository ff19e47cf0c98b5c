package mellin

import (
	"math"
	"math/cmplx"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mathext"

	"breadboard/chains/number"
	_ "breadboard/grid/longtest" // the flag -long, and fixed seeds
)

// aliased integrates the left side of a Line for the weight that is always one, whose transform
// E[w^s] is one everywhere, with a period P in log x, and returns its error against the closed form
// and the bound on it.
func aliased(c float64, order int, period, tau, left float64) (err, bound float64) {
	s := &Lines{Mean: 1}
	l := &Line{C: c, Order: order, Step: 2 * math.Pi / period}
	ones := make([]complex128, l.Begin(0))
	for k := range ones {
		ones[k] = 1
	}
	l.Set(0, ones, 0)
	return math.Abs(l.at(tau) - left), l.bound(tau, s)
}

// TestAliasBound takes the trapezoidal rule at a step so wide that its error is a few tenths, where
// the left sides at x A^m, which the rule adds, are nearly as large as the bound takes them to be.
// Summed over m they come to 81 to 96 per cent of the bound: it may be neither half as large nor
// twice.
func TestAliasBound(t *testing.T) {
	for _, c := range []struct {
		c           float64
		order       int
		period, tau float64
		left        func(x float64) float64
		least       float64
	}{
		// A^-c is 1/2, so that the sum over all powers is twice the first, which is what the factor
		// of two is for.
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

// TestMellinHeight: the integral is cut off where Gamma has fallen below what counts, and no more
// than a few steps later. On the line 1/2 its modulus is the root of pi/cosh(pi y).
func TestMellinHeight(t *testing.T) {
	for _, c := range []float64{0.5, 0.01, -0.01, -0.5, -1.5} {
		if at := cmplx.Abs(number.Gamma(complex(c, height))); !(at < 1e-17) {
			t.Errorf("|Gamma(%v + %vi)| = %v", c, height, at)
		}
	}
	if before := math.Sqrt(math.Pi / math.Cosh(math.Pi*(height-1))); !(before > 1e-17) {
		t.Errorf("it is %v one unit before", before)
	}
}

// TestContoursKnowOne holds all lines of a narrow distribution to the closed forms: with the steps
// that draw chooses, whatever comes of aliases is below 1e-15, and the bound of the best line stays
// below 1e-12.
func TestContoursKnowOne(t *testing.T) {
	s := &Lines{Mean: 1}
	s.Draw(0.1)
	for i := range s.Lines {
		l := &s.Lines[i]
		ones, size := make([]complex128, l.Begin(0)), 0.0
		for k := range ones {
			ones[k] = 1
			size += l.weight(k) * cmplx.Abs(number.Gamma(complex(l.C, float64(k)*l.Step)))
		}
		if len(ones) != 1+int(height/l.Step) || l.size != size {
			t.Errorf("the line at %v has %d values of size %v, want size %v", l.C, len(ones), l.size, size)
		}
		l.Set(0, ones, 0)
	}
	s.Rounding = 1e-15
	for tau := -40.0; tau < 5; tau += 0.37 {
		f := s.Best(tau)
		x := math.Exp(tau)
		rise, phi := f.Rise+math.Expm1(-x), f.Phi-math.Exp(-x)
		// Phi is one less the other, which rounds it by half a unit; exact/weights adds 1e-15 a
		// point for that.
		if !(math.Abs(rise) <= f.Err && math.Abs(phi) <= f.Err+0x1p-53 && f.Err < 1e-13) {
			t.Errorf("at exp(%v): %+v, off by %v and %v", tau, f, rise, phi)
		}
	}
	for i := range s.Lines {
		l := &s.Lines[i]
		l.size, s.Rounding = 0, 0
		// What is left is the alias alone, the 1e-17 of the cut included. The line of order two is
		// for the far left.
		tau := map[int]float64{0: 0, 1: 0, 2: -5}[l.Order]
		if alias := l.bound(tau, s); !(alias < 1e-15) {
			t.Errorf("the line at %v has an alias of %v", l.C, alias)
		}
	}
}

// TestBestOfAllLines: the transform of the line with the smallest bound is, to the last bit, that
// which is found by taking all lines, one after another, for any order of the lines.
func TestBestOfAllLines(t *testing.T) {
	s := &Lines{Mean: 1, Zero: 0.01, Rounding: 1e-6} // so that the bound of order two has much in it that its sum says
	s.Draw(3)
	for i := range s.Lines {
		l := &s.Lines[i]
		ones := make([]complex128, l.Begin(0.3))
		for k := range ones {
			ones[k] = cmplx.Rect(1/(1+float64(k)/10), 0.2*float64(k))
		}
		l.Set(0, ones, 0.3)
	}
	for _, last := range []int{len(s.Lines) - 1, 0, 1} {
		s.Lines[last], s.Lines[len(s.Lines)-1] = s.Lines[len(s.Lines)-1], s.Lines[last]
		orders := map[int]int{}
		for tau := -40.0; tau < 5; tau += 0.1 {
			want, order := Transform{Err: math.Inf(1)}, -1
			for i := range s.Lines {
				l := &s.Lines[i]
				if err := l.bound(tau, s); err < want.Err {
					want, order = s.along(l, tau, l.at(tau), err), l.Order
				}
			}
			orders[order]++
			if got := s.Best(tau); got != want {
				t.Errorf("at exp(%v): %+v, want %+v", tau, got, want)
			}
		}
		if len(orders) < 2 {
			t.Errorf("lines of one order alone are best: %v", orders)
		}
	}
}

// TestPowerBound: the error of Phi^n is at most what moving Phi by its error makes of it, and for
// an n of millions nearly that.
func TestPowerBound(t *testing.T) {
	for _, c := range []struct{ rise, err, n float64 }{{1e-6, 1e-13, 1e6}, {0.3, 1e-9, 5}, {0.9, 1e-9, 3}, {1e-12, 1e-12, 1e9}} {
		f := Transform{Rise: c.rise, Phi: 1 - c.rise, Err: c.err}
		value, bound := f.Power(c.n)
		moved := Transform{Rise: c.rise - c.err, Phi: 1 - c.rise + c.err}
		most, _ := moved.Power(c.n)
		if off := math.Abs(most - value); !(off <= bound*(1+1e-6) && off >= 0.9*bound) {
			t.Errorf("%+v: off by %v, bound %v", c, off, bound)
		}
	}
}

// TestLineSize: the values of a line are known relative to 1/pi times the integral of |Gamma| along
// it.
func TestLineSize(t *testing.T) {
	s := Lines{Low: -3, High: 3}
	s.Draw(2)
	for i := range s.Lines {
		l := &s.Lines[i]
		n := l.Begin(-0.7)
		want := quad.Fixed(func(y float64) float64 { return cmplx.Abs(number.Gamma(complex(l.C, y))) }, 0, height, 2000, nil, 0) / math.Pi
		if !(math.Abs(l.size/want-1) < 1e-6) || l.angle != 0.7 || n != len(l.values) || n != 1+int(26/l.Step) {
			t.Errorf("the line at %v has size %v, want %v; angle %v, %d values a step %v apart", l.C, l.size, want, l.angle, n, l.Step)
		}
	}
}

// TestLinesAreChosen: the step gives a period in log x of 42 over the distance from the poles, or
// of the whole range and 60 nats, whichever is more; a distribution as wide as hundred nats has
// lines as near to the axis as 2/100.
func TestLinesAreChosen(t *testing.T) {
	for _, c := range []struct{ deviation, low, high, at, period float64 }{
		{1, -3, 3, 0.5, 84}, {4, -3, 3, 0.5, 84}, {8, -3, 3, 0.25, 168}, {1, -20, 20, 0.5, 100}, {100, -20, 20, 0.02, 2100}, {1000, 0, 0, 0.01, 4200},
	} {
		s := &Lines{Low: c.low, High: c.high}
		s.Draw(c.deviation)
		if l := s.Lines[0]; !(math.Abs(l.C-c.at) < 1e-15) || !(math.Abs(2*math.Pi/l.Step-c.period) < 1e-9) {
			t.Errorf("%+v: the first line is at %v with a period of %v", c, l.C, 2*math.Pi/l.Step)
		}
		lines := 4
		if c.at == 0.5 {
			lines = 3
		}
		if len(s.Lines) != lines {
			t.Errorf("%+v: %d lines, want %d", c, len(s.Lines), lines)
		}
	}
}

// TestOrderOf counts the poles 0, -1, -2, ... to the right of a line.
func TestOrderOf(t *testing.T) {
	for c, want := range map[float64]int{1.5: 0, 0.01: 0, -0.01: 1, -0.99: 1, -1.01: 2, -1.5: 2} {
		if got := OrderOf(c); got != want {
			t.Errorf("%d poles to the right of %v, want %d", got, c, want)
		}
	}
}

// TestLose: values that are off by an error, each in the worst direction, move the sum by no more
// than Lose has added to its bound, and by nearly that.
func TestLose(t *testing.T) {
	sum := func(off float64) (value, bound float64) {
		l := &Line{C: 0.5, Step: StepOf(0.5, 1)}
		values := make([]complex128, l.Begin(0))
		for k := range values {
			phase := cmplx.Phase(number.Gamma(complex(l.C, float64(k)*l.Step)))
			values[k] = 1 + cmplx.Rect(off/(1+float64(k)), -phase)
		}
		l.Set(0, values, 0)
		l.Lose(func(y float64) float64 { return off / (1 + y/l.Step) })
		return l.at(0), l.bound(0, &Lines{Mean: 1})
	}
	exact, own := sum(0)
	moved, bound := sum(1e-6)
	if off := math.Abs(moved - exact); !(off <= bound+1e-15 && off >= 0.999*(bound-own)) {
		t.Errorf("off by %v, bound %v", off, bound)
	}
}

// gammaTransforms returns the transform (1 + t)^-a of a gamma variable of shape a, at exp(low + j
// step).
func gammaTransforms(a, low, high, step float64) (f []Transform) {
	for tau := low; tau < high; tau = low + float64(len(f))*step {
		log := -a * math.Log1p(math.Exp(tau))
		rise, phi := -math.Expm1(log), math.Exp(log)
		f = append(f, Transform{Rise: rise, Phi: phi, Err: 1e-15 * min(rise, phi)})
	}
	return f
}

// digamma returns the derivative of log Gamma for x > 0: Abramowitz and Stegun 6.3.6 up to x + 20,
// and 6.3.18 from there.
func digamma(x float64) float64 {
	less := 0.0
	for k := range 20 {
		less += 1 / (x + float64(k))
	}
	y := 1 / ((x + 20) * (x + 20))
	return math.Log(x+20) - 0.5/(x+20) - y*(1./12-y*(1./120-y*(1./252-y/240))) - less
}

// TestLogMomentsOfGamma: the sum of n gamma variables of shape a is one of shape n a, whose
// logarithm has the mean digamma(n a) and the variance trigamma(n a) = zeta(2, n a), and whose
// reciprocal has the mean 1/(n a - 1).
func TestLogMomentsOfGamma(t *testing.T) {
	for _, a := range []float64{1.5, 4, 30} {
		for _, n := range []int{1, 2, 25, 1_000_000} {
			low, N := -45-math.Log(float64(n)), float64(n)
			// Phi^n falls like t^-na, so that the last t must be larger for a smaller n a.
			m := LogMomentsOf(gammaTransforms(a, low, 4+60/(N*a-0.999), 0.2), low, 0.2, n)
			want := LogMoments{Mean: digamma(N*a) - math.Log(N), Variance: mathext.Zeta(2, N*a), Reciprocal: N / (N*a - 1)}
			if !(math.Abs(m.Mean-want.Mean) <= m.Error+1e-13 && math.Abs(m.Variance-want.Variance) <= m.Error+1e-12 && m.Error < 1e-10) {
				t.Errorf("shape %v, n = %d: %+v, want %+v", a, n, m, want)
			}
			if known := n > 1; known && !(math.Abs(m.Reciprocal-want.Reciprocal) <= m.ReciprocalError+1e-12*want.Reciprocal) || math.IsNaN(m.Reciprocal) == known {
				t.Errorf("shape %v, n = %d: the mean of the reciprocal is %v, want %v", a, n, m.Reciprocal, want.Reciprocal)
			}
			if sd := m.SD(); !(math.Abs(sd*sd-want.Variance) <= m.Error+1e-12) {
				t.Errorf("shape %v, n = %d: deviation %v of a variance %v", a, n, sd, want.Variance)
			}
		}
	}
}

// TestLogMomentsErrors: if the transform is off by its error, in the worst direction at every t,
// the moments are off by no more than theirs, and by a good part of it. What is not known to 1e-6
// is NaN.
func TestLogMomentsErrors(t *testing.T) {
	low, n := -45.0, 3
	right := gammaTransforms(4, low, 9, 0.2)
	for _, err := range []float64{1e-9, 1e-10} {
		wrong := gammaTransforms(4, low, 9, 0.2)
		for j := range wrong {
			wrong[j].Rise, wrong[j].Phi, wrong[j].Err = wrong[j].Rise-err, wrong[j].Phi+err, err
		}
		a, b := LogMomentsOf(right, low, 0.2, n), LogMomentsOf(wrong, low, 0.2, n)
		off := max(math.Abs(a.Mean-b.Mean), math.Abs(a.Variance-b.Variance))
		if !(off <= b.Error && off >= 0.3*b.Error) {
			t.Errorf("off by %v, error %v", off, b.Error)
		}
		if off := math.Abs(a.Reciprocal - b.Reciprocal); !(off <= b.ReciprocalError && off >= 1e-3*b.ReciprocalError) {
			t.Errorf("the mean of the reciprocal is off by %v, error %v", off, b.ReciprocalError)
		}
		if sd := b.SD(); math.IsNaN(sd) != (b.Error > 1e-6) {
			t.Errorf("error %v: deviation %v", b.Error, sd)
		}
	}
	if m := (LogMoments{Variance: -1e-3, Error: 1e-9}); !math.IsNaN(m.SD()) {
		t.Errorf("a negative variance has the root %v", m.SD())
	}
	if m := (LogMoments{Variance: -1e-10, Error: 1e-9, Reciprocal: 1, ReciprocalError: 1e-3}); m.SD() != 0 || !math.IsNaN(m.LogReciprocal()) {
		t.Errorf("deviation %v, log of the reciprocal %v", m.SD(), m.LogReciprocal())
	}
}
