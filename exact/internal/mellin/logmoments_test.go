package mellin

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mathext"
)

// gammaTransforms returns the transform (1 + t)^-a of a gamma variable of shape a, at exp(low + j step).
func gammaTransforms(a, low, high, step float64) (f []Transform) {
	for tau := low; tau < high; tau = low + float64(len(f))*step {
		log := -a * math.Log1p(math.Exp(tau))
		rise, phi := -math.Expm1(log), math.Exp(log)
		f = append(f, Transform{Rise: rise, Phi: phi, Err: 1e-15 * min(rise, phi)})
	}
	return f
}

// digamma returns the derivative of log Gamma for x > 0: Abramowitz and Stegun 6.3.6 up to x + 20, and 6.3.18 from there.
func digamma(x float64) float64 {
	less := 0.0
	for k := range 20 {
		less += 1 / (x + float64(k))
	}
	y := 1 / ((x + 20) * (x + 20))
	return math.Log(x+20) - 0.5/(x+20) - y*(1./12-y*(1./120-y*(1./252-y/240))) - less
}

// TestLogMomentsOfGamma: the sum of n gamma variables of shape a is one of shape n a, whose logarithm has the mean digamma(n a) and the
// variance trigamma(n a) = zeta(2, n a), and whose reciprocal has the mean 1/(n a - 1).
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

// TestLogMomentsErrors: where the transform is off by its error, in the worst direction at every t, the moments are off by no more than
// theirs, and by a good part of it. What is not known to 1e-6 is NaN.
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
