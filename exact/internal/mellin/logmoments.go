package mellin

import (
	"math"

	"breadboard/chains/number"
)

// LogMoments are the moments of the logarithm of a mean of independent positive variables.
type LogMoments struct {
	Mean, Variance float64 // of the logarithm, in nats and nats squared
	Reciprocal     float64 // the mean of one over the mean of the variables
	// Error bounds the errors of Mean and Variance, and ReciprocalError that of Reciprocal.
	Error, ReciprocalError float64
}

// known is the error above which a moment counts as not known.
const known = 1e-6

// SD returns the standard deviation of the logarithm, and NaN where its variance is not known to 1e-6. It is zero for a variance that
// only its error makes negative.
func (m LogMoments) SD() float64 {
	if !(m.Error <= known) || m.Variance < -m.Error {
		return math.NaN()
	}
	return math.Sqrt(max(0, m.Variance))
}

// LogReciprocal returns the logarithm of the mean of the reciprocal, and NaN where it is not known to 1e-6.
func (m LogMoments) LogReciprocal() float64 {
	if !(m.ReciprocalError <= known*m.Reciprocal) {
		return math.NaN()
	}
	return math.Log(m.Reciprocal)
}

// LogMomentsOf returns the moments of log S, where S is the mean of n variables that have the transform f[j] at t = exp(low + j step).
// With H(t) = E exp(-t S) = Phi(t/n)^n,
//
//	E log S = integral of exp(-e^u) - H(e^u) du,   E (log S)^2 = integral of 2 u (H(e^u) - exp(-e^u)) du - 2 gamma E log S,
//	E 1/S = integral of e^u H(e^u) du,
//
// by the trapezoidal rule in u, whose error is exp(-pi^2/step) of the range: the integrands are analytic for |Im u| < pi/2. Outside of
// the given points H must be one and zero. For n = 1 the last integral need not be known: Reciprocal is then NaN.
func LogMomentsOf(f []Transform, low, step float64, n int) LogMoments {
	var first, second, reciprocal, err, err2, err3 number.Sum
	N := float64(n)
	for j, phi := range f {
		u := low + float64(j)*step + math.Log(N)
		h0 := -math.Exp(u) // the logarithm of exp(-e^u)
		power, off := phi.Power(N)
		d, h := power-math.Expm1(h0), 1+power
		if phi.Rise > 0.5 {
			h = math.Pow(max(0, phi.Phi), N)
			d = h - math.Exp(h0)
		}
		first.Add(-step * d)
		second.Add(step * 2 * u * d)
		off += 4 * 0x1p-53
		err.Add(step * off)
		err2.Add(step * 2 * math.Abs(u) * off)
		reciprocal.Add(step * math.Exp(u) * h)
		err3.Add(step * math.Exp(u) * off)
	}
	m := LogMoments{Mean: first.Value(), Reciprocal: math.NaN(), ReciprocalError: math.Inf(1)}
	m.Variance = second.Value() - 2*number.EulerGamma*m.Mean - m.Mean*m.Mean
	m.Error = max(err.Value(), err2.Value()+2*(number.EulerGamma+math.Abs(m.Mean))*err.Value())
	if n > 1 {
		m.Reciprocal, m.ReciprocalError = reciprocal.Value(), err3.Value()
	}
	return m
}
