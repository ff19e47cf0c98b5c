package mellin_test

import (
	"math"
	"math/cmplx"
	"testing"

	"gonum.org/v1/gonum/mathext"

	"breadboard/chains/number"
	"breadboard/exact/internal/mellin"
	_ "breadboard/grid/longtest"
)

// knownOne sets the values of a line for a weight that is always exp(m), over exp(m): the variable
// is one, and so is E[W^s] everywhere.
func knownOne(l *mellin.Line, m float64) {
	values := make([]complex128, l.Begin(m))
	for k := range values {
		values[k] = cmplx.Rect(1, -m*l.Step*float64(k))
	}
	l.Set(0, values, m)
}

// TestAliasBound takes the trapezoidal rule at a step so wide that its error is a few tenths, where
// the left sides at x A^m, which the rule adds, are nearly as large as the bound takes them to be.
// Summed over m they come to 81 to 96 per cent of the bound: it may be neither half as large nor
// twice.
func TestAliasBound(t *testing.T) {
	for _, c := range []struct {
		c          float64
		order      int
		tau, least float64
	}{
		// A^-c is 1/2, so that the sum over all powers is twice the first, which is what the factor
		// of two is for
		{0.25, 0, 0.5, 0.9},
		{-0.25, 1, -1, 0.9}, {-1.25, 2, 0, 0.8},
	} {
		l := mellin.Line{C: c.c, Order: c.order, Step: 2 * math.Pi / (math.Ln2 / 0.25)}
		knownOne(&l, 0)
		f := (&mellin.Lines{Mean: 1, Lines: []mellin.Line{l}}).Best(c.tau)
		if off := math.Abs(f.Rise + math.Expm1(-math.Exp(c.tau))); !(off <= f.Err && off >= c.least*f.Err) {
			t.Errorf("order %d: the error is %v, and its bound %v", c.order, off, f.Err)
		}
	}
}

// TestContoursKnowOne holds the lines of a narrow distribution to the closed form, with the steps
// that Draw chooses and values that are turned: the bound of the best line stays below 1e-12.
func TestContoursKnowOne(t *testing.T) {
	for _, m := range []float64{0, -7, 30} {
		s := &mellin.Lines{Mean: 1, Rounding: 1e-15}
		s.Draw(0.1)
		for i := range s.Lines {
			knownOne(&s.Lines[i], m)
		}
		for tau := -40.0; tau < 5; tau += 0.37 {
			f := s.Best(tau)
			x := math.Exp(tau)
			rise := f.Rise + math.Expm1(-x)
			phi := f.Phi - math.Exp(-x)
			// The closed form is rounded too, and Phi is one less the other, which rounds it by
			// half a unit; exact/weights adds 1e-15 a point for that.
			if !(math.Abs(rise) <= f.Err+0x1p-53 && math.Abs(phi) <= f.Err+0x1p-53 && f.Err < 2e-13) {
				t.Errorf("exp(%v) at exp(%v): %+v, off by %v and %v", m, tau, f, rise, phi)
			}
		}
	}
}

// TestBestOfAllLines: the transform of the line with the smallest bound is, to the last bit, that
// which is found by taking all lines, one after another, for any order of the lines, and that at a
// point of a grid is the same to rounding.
func TestBestOfAllLines(t *testing.T) {
	// so that the bound of order two has much in it that its sum says
	s := &mellin.Lines{Mean: 1, Zero: 0.01, Rounding: 1e-6}
	s.Draw(3)
	for i := range s.Lines {
		l := &s.Lines[i]
		values := make([]complex128, l.Begin(0.3))
		for k := range values {
			values[k] = cmplx.Rect(1/(1+float64(k)/10), 0.2*float64(k))
		}
		l.Set(0, values, 0.3)
	}
	for _, last := range []int{len(s.Lines) - 1, 0, 1} {
		s.Lines[last], s.Lines[len(s.Lines)-1] = s.Lines[len(s.Lines)-1], s.Lines[last]
		g := mellin.NewGrid(0.1, -400, 50, s.Lines[0].Step)
		orders := map[int]int{}
		for k := -400; k < 50; k++ {
			want := mellin.Transform{Err: math.Inf(1)}
			order := -1
			for _, l := range s.Lines {
				f := (&mellin.Lines{
					Mean:     s.Mean,
					Zero:     s.Zero,
					Rounding: s.Rounding,
					Lines:    []mellin.Line{l},
				}).Best(g.Tau(k))
				bound := f.Err
				if l.Order == 2 {
					bound -= f.Rise * s.Rounding
				}
				if bound < want.Err {
					want = f
					order = l.Order
				}
			}
			orders[order]++
			if got := s.Best(g.Tau(k)); got != want {
				t.Errorf("at exp(%v): %+v, want %+v", g.Tau(k), got, want)
			}
			if got := s.BestOn(g, k); !(math.Abs(got.Rise-want.Rise) <= 1e-7*want.Err &&
				math.Abs(got.Phi-want.Phi) <= 1e-7*want.Err) {
				t.Errorf("at exp(%v) on a grid: %+v, want %+v", g.Tau(k), got, want)
			}
		}
		if len(orders) < 2 {
			t.Errorf("lines of one order alone are best: %v", orders)
		}
	}
}

// TestLose: values that are off by an error, each in the worst direction, move the sum by no more
// than Lose has added to its bound, and by nearly that.
func TestLose(t *testing.T) {
	best := func(off float64) mellin.Transform {
		l := mellin.Line{C: 0.5, Step: mellin.StepOf(0.5, 1)}
		values := make([]complex128, l.Begin(0))
		for k := range values {
			phase := cmplx.Phase(number.Gamma(complex(l.C, float64(k)*l.Step)))
			values[k] = 1 + cmplx.Rect(off/(1+float64(k)), -phase)
		}
		l.Set(0, values, 0)
		l.Lose(func(y float64) float64 { return off / (1 + y/l.Step) })
		return (&mellin.Lines{Mean: 1, Lines: []mellin.Line{l}}).Best(0)
	}
	exact := best(0)
	moved := best(1e-6)
	if off := math.Abs(moved.Phi - exact.Phi); !(off <= moved.Err+1e-15 && off >= 0.999*(moved.Err-exact.Err)) {
		t.Errorf("off by %v, bound %v", off, moved.Err)
	}
}

// TestPowerBound: the error of Phi^n is at most what moving Phi by its error makes of it, and for
// an n of millions nearly that.
func TestPowerBound(t *testing.T) {
	for _, c := range []struct {
		rise, err, n float64
	}{{1e-6, 1e-13, 1e6}, {0.3, 1e-9, 5}, {0.9, 1e-9, 3}, {1e-12, 1e-12, 1e9}} {
		f := mellin.Transform{Rise: c.rise, Phi: 1 - c.rise, Err: c.err}
		value, bound := f.Power(c.n)
		moved := mellin.Transform{Rise: c.rise - c.err, Phi: 1 - c.rise + c.err}
		most, _ := moved.Power(c.n)
		if off := math.Abs(most - value); !(off <= bound*(1+1e-6) && off >= 0.9*bound) {
			t.Errorf("%+v: off by %v, bound %v", c, off, bound)
		}
	}
}

// TestOrderOf counts the poles 0, -1, -2, ... to the right of a line.
func TestOrderOf(t *testing.T) {
	for c, want := range map[float64]int{1.5: 0, 0.01: 0, -0.01: 1, -0.99: 1, -1.01: 2, -1.5: 2} {
		if got := mellin.OrderOf(c); got != want {
			t.Errorf("%d poles to the right of %v, want %d", got, c, want)
		}
	}
}

// gammaTransforms returns the transform (1 + t)^-a of a gamma variable of shape a, at exp(low + j
// step).
func gammaTransforms(a, low, high, step float64) (f []mellin.Transform) {
	for tau := low; tau < high; tau = low + float64(len(f))*step {
		log := -a * math.Log1p(math.Exp(tau))
		rise := -math.Expm1(log)
		phi := math.Exp(log)
		f = append(f, mellin.Transform{Rise: rise, Phi: phi, Err: 1e-15 * min(rise, phi)})
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
			low := -45 - math.Log(float64(n))
			N := float64(n)
			// Phi^n falls like t^-na, so that the last t must be larger for a smaller n a.
			m := mellin.LogMomentsOf(gammaTransforms(a, low, 4+60/(N*a-0.999), 0.2), low, 0.2, n)
			want := mellin.LogMoments{
				Mean:       digamma(N*a) - math.Log(N),
				Variance:   mathext.Zeta(2, N*a),
				Reciprocal: N / (N*a - 1),
			}
			if !(math.Abs(m.Mean-want.Mean) <= m.Error+1e-13 &&
				math.Abs(m.Variance-want.Variance) <= m.Error+1e-12 && m.Error < 1e-10) {
				t.Errorf("shape %v, n = %d: %+v, want %+v", a, n, m, want)
			}
			if known := n > 1; known &&
				!(math.Abs(m.Reciprocal-want.Reciprocal) <= m.ReciprocalError+1e-12*want.Reciprocal) ||
				math.IsNaN(m.Reciprocal) == known {
				t.Errorf("shape %v, n = %d: the mean of the reciprocal is %v, want %v", a, n, m.Reciprocal,
					want.Reciprocal)
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
	low := -45.0
	n := 3
	right := gammaTransforms(4, low, 9, 0.2)
	for _, err := range []float64{1e-9, 1e-10} {
		wrong := gammaTransforms(4, low, 9, 0.2)
		for j := range wrong {
			wrong[j].Rise, wrong[j].Phi, wrong[j].Err = wrong[j].Rise-err, wrong[j].Phi+err, err
		}
		a, b := mellin.LogMomentsOf(right, low, 0.2, n), mellin.LogMomentsOf(wrong, low, 0.2, n)
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
	if m := (mellin.LogMoments{Variance: -1e-3, Error: 1e-9}); !math.IsNaN(m.SD()) {
		t.Errorf("a negative variance has the root %v", m.SD())
	}
	if m := (mellin.LogMoments{
		Variance:        -1e-10,
		Error:           1e-9,
		Reciprocal:      1,
		ReciprocalError: 1e-3,
	}); m.SD() != 0 || !math.IsNaN(m.LogReciprocal()) {
		t.Errorf("deviation %v, log of the reciprocal %v", m.SD(), m.LogReciprocal())
	}
}
