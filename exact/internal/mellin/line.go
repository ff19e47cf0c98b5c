// Package mellin computes the Laplace transform E exp(-t W) of a positive random variable W from
// its moments E[W^-z] at complex z, which callers supply. It integrates Gamma(z) t^-z E[W^-z] along
// vertical lines, and bounds the error of the result.
package mellin

import (
	"math"
	"math/cmplx"

	"breadboard/chains/number"
)

// Line is a vertical line Re z = C. To its right are Order of the poles 0, -1, -2, ... of Gamma.
// Along it
//
//	exp(-x) - sum over k < Order of (-x)^k/k! = 1/(2 pi i) integral Gamma(z) x^-z dz,
//
// with k from 0, which the trapezoidal rule turns into a sum. values[j] is Step/pi Gamma(z) E[W^-z]
// exp(-LogScale) at z = C + i j Step, and half of that for j = 0.
type Line struct {
	C, Step  float64
	Order    int
	LogScale float64 // the logarithm of E[W^-C]; +Inf if it is not known
	values   []complex128
	gammas   []complex128 // Gamma(z) of each value
	angle    float64      // |log R|; values have been multiplied by exp(i y log R), whose angle is rounded
	sums     *lineSums    // memory of on
	lost     float64      // an error of the sum besides that from Lines.Rounding (see Lose)
	near     float64      // the term of bound that does not depend on tau, for orders up to one
	size     float64      // the sum of step/pi |Gamma(z)|, to which the rounding of the values is relative
}

const (
	// height is the y at which the sum stops: |Gamma(c + i y)| is below 1e-17 from there on.
	height = 26
	// farness sets the step. The sum is periodic in log x but for a factor, and its period is at
	// least farness divided by the distance of the line from the poles, so that the trapezoidal
	// rule is off by about exp(-farness).
	farness = 42
)

// Lines holds the lines for one variable W.
type Lines struct {
	Lines     []Line
	Zero      float64 // P(W = 0)
	Mean      float64 // E[W]; NaN if it is not known
	Low, High float64 // bounds on log W if W is not zero
	Rounding  float64 // the relative error of E[W^-z]
}

// DistanceOf returns how far from the imaginary axis lines should be for a distribution of log W
// with the given standard deviation. For a large deviation they must be near. Elsewhere log weights
// far from the mean would dominate E[W^-z], and rounding would take the digits of the others.
func DistanceOf(deviation float64) float64 { return min(0.5, max(0.01, 2/deviation)) }

// StepOf returns the step for lines at a distance from the poles, where log W spans a range.
func StepOf(distance, span float64) float64 {
	return 2 * math.Pi / max(farness/min(distance, 0.5), span+60)
}

// PointsOf returns how many values a line of a step has.
func PointsOf(step float64) int { return 1 + int(height/step) }

// OrderOf returns the number of poles of Gamma to the right of a line at c.
func OrderOf(c float64) int { return max(0, int(math.Ceil(-c))) }

// Draw chooses the lines for a distribution of log W with the given standard deviation. For small
// t, where 1 - Phi is small, the lines at -1/2 and -3/2 keep more digits.
func (s *Lines) Draw(deviation float64) {
	c := DistanceOf(deviation)
	for _, line := range []Line{{C: c}, {C: -c, Order: 1}, {C: -0.5, Order: 1}, {C: -1.5, Order: 2}} {
		line.Step = StepOf(c, s.High-s.Low)
		if c == 0.5 && line.C == -0.5 && len(s.Lines) == 2 {
			continue // this line is there already
		}
		s.Lines = append(s.Lines, line)
	}
}

// Prepare computes what a line of this C and Step has for any values. Copies of the line, one for
// each variable, then share it.
func (l *Line) Prepare() {
	l.gammas = make([]complex128, PointsOf(l.Step))
	l.size = 0
	l.near = math.Exp((l.C + float64(l.Order-1)) * 2 * math.Pi / l.Step)
	if l.Order == 0 {
		l.near = math.Exp(-l.C * 2 * math.Pi / l.Step)
	}
	for k := range l.gammas {
		l.gammas[k] = number.Gamma(complex(l.C, float64(k)*l.Step))
		l.size += l.weight(k) * cmplx.Abs(l.gammas[k])
	}
}

// Begin takes the memory for the values of a line whose step is known, and returns how many there
// are. logR is the argument of the later calls of Set.
func (l *Line) Begin(logR float64) int {
	if l.gammas == nil {
		l.Prepare()
	}
	l.values = make([]complex128, len(l.gammas))
	l.angle = math.Abs(logR)
	return len(l.values)
}

// Lose adds errors of E[W^-z], relative to E[W^-C] and by y = Im z, to those of Lines.Rounding.
func (l *Line) Lose(err func(y float64) float64) {
	for k, gamma := range l.gammas {
		l.lost += l.weight(k) * cmplx.Abs(gamma) * err(float64(k)*l.Step)
	}
}

// Set sets the values from index at on to moments E[w^-z], over E[w^-C], which it multiplies by
// their weights and by Gamma(z). logR is the logarithm of R in W = w/R.
func (l *Line) Set(at int, values []complex128, logR float64) {
	var z complex128
	turn := cmplx.Rect(1, l.Step*logR)
	for k, m := range values {
		if k%anchorSet == 0 {
			z = cmplx.Rect(1, float64(at+k)*l.Step*logR)
		}
		l.values[at+k] = complex(l.weight(at+k), 0) * l.gammas[at+k] * m * z
		z *= turn
	}
}

// weight returns the weight of the k-th value in the sum: step/pi, since the values for y < 0 are
// the conjugates of those for y > 0, and half of that for y = 0.
func (l *Line) weight(k int) float64 {
	if k == 0 {
		return l.Step / (2 * math.Pi)
	}
	return l.Step / math.Pi
}

// anchorTurn is the number of rotations after which an angle is computed afresh, and anchorSet that
// in Set.
const anchorTurn, anchorSet = 64, 16

// Rounding bounds the relative error that the sums along a line add to that of the values.
const Rounding = (3*anchorTurn + 3*anchorSet + 64) * 0x1p-53

// meanAt returns the mean of the left side of the formula of Line, at x = exp(tau) W.
func (l *Line) meanAt(tau float64) float64 {
	turn := cmplx.Rect(1, -tau*l.Step)
	z := complex(1, 0)
	total := 0.0
	for k, v := range l.values {
		if k%anchorTurn == 0 {
			z = cmplx.Rect(1, -tau*l.Step*float64(k))
		}
		total += real(v * z)
		z *= turn
	}
	return math.Exp(l.LogScale-l.C*tau) * total
}

// errorBound returns a bound on the error of at. The error has two parts: rounding, and that of the
// trapezoidal rule. The latter adds A^c times the left side at x A for each A = exp(2 pi m/step), m
// != 0. The left side at x A is at most exp(-x A) for order 0. For higher orders it is at most (x
// A)^(order-1), which is used for A > 1, and at most (x A)^order, which is used for A < 1.
func (l *Line) errorBound(tau float64, s *Lines) float64 {
	scale := math.Exp(l.LogScale - l.C*tau)
	period := 2 * math.Pi / l.Step
	order := float64(l.Order)
	alias := l.near // of the period on the side where the left side is largest
	if l.Order == 0 {
		if far := tau + s.Low + period; far < 20 { // beyond that the other side is no more than exp(-exp(20))
			alias += math.Exp(l.C*period - math.Exp(far))
		}
	} else {
		mean := max(0, s.High) // a bound on log E[W]
		if !math.IsNaN(s.Mean) {
			mean = 0
		}
		less := (order - 1) * (tau + mean)
		more := less + tau + mean + (order-1)*max(0, s.High-mean)
		if l.Order > 1 {
			alias = math.Exp(less + (l.C+order-1)*period)
		}
		alias += math.Exp(more - (l.C+order)*period)
	}
	// The values have a relative error, and so have the angles y tau and y log R by which they are
	// turned.
	rounding := s.Rounding + (math.Abs(tau)+l.angle)*height*0x1p-53
	return scale*(l.size*rounding+l.lost+1e-17) + 2*alias
}

// Best returns the transform at exp(tau) from the line with the smallest bound on its error. Only
// the sum along that line is needed, except that it is part of the bound of a line of order 2.
func (s *Lines) Best(tau float64) Transform {
	return s.bestLine(tau, func(l *Line) float64 { return l.meanAt(tau) })
}

// BestOn returns the transform at a point of a grid as Best does. The grid must be of the steps of
// the lines.
func (s *Lines) BestOn(g *Grid, k int) Transform {
	return s.bestLine(g.Tau(k), func(l *Line) float64 { return l.valueOn(g, k) })
}

// bestLine is Best with the function at for the sum along a line.
func (s *Lines) bestLine(tau float64, at func(l *Line) float64) Transform {
	out := Transform{Err: math.Inf(1)}
	var best *Line // whose transform is not known yet
	for i := range s.Lines {
		l := &s.Lines[i]
		err := l.errorBound(tau, s)
		switch {
		case !(err < out.Err) || l.Order == 2 && math.IsNaN(s.Mean):
		case l.Order < 2:
			best = l
			out.Err = err
		default:
			best, out = nil, s.transformOn(l, tau, at(l), err)
		}
	}
	if best != nil {
		return s.transformOn(best, tau, at(best), out.Err)
	}
	return out
}

// transformOn returns the transform from a line, given its left side and the bound on the error of
// that.
func (s *Lines) transformOn(l *Line, tau, value, err float64) Transform {
	switch l.Order {
	case 0:
		return Transform{1 - s.Zero - value, s.Zero + value, err}
	case 1:
		return Transform{-value, 1 + value, err}
	}
	rise := math.Exp(tau)*s.Mean - value
	return Transform{rise, 1 - rise, err + rise*s.Rounding}
}

// Transform holds Rise = 1 - Phi(t) and Phi(t) of a Laplace transform Phi at one t, and a bound on
// the error of both.
type Transform struct{ Rise, Phi, Err float64 }

// PowerError returns a bound on the error of Phi^n.
func (f Transform) PowerError(n float64) float64 {
	if n == 0 {
		return 0
	}
	// The derivative n Phi^(n-1) grows with Phi, so that it is at most its value at Phi + err.
	return min(1, n*math.Pow(min(1, f.Phi+f.Err), n-1)*f.Err)
}

// Power returns Phi^n - 1, and a bound on its error.
func (f Transform) Power(n float64) (value, err float64) {
	var log float64
	if f.Rise < 0.5 {
		log = math.Log1p(-f.Rise)
	} else {
		log = number.Log(max(0, f.Phi))
	}
	value = math.Expm1(n * log)
	if n == 0 {
		return 0, 0
	}
	return value, f.PowerError(n)
}

// LogMoments are the moments of the logarithm of a mean of independent positive variables.
type LogMoments struct {
	Mean, Variance float64 // of the logarithm, in nats and nats squared
	Reciprocal     float64 // the mean of one over the mean of the variables
	// Error bounds the errors of Mean and Variance, and ReciprocalError that of Reciprocal.
	Error, ReciprocalError float64
}

// known is the largest error of a moment that counts as known.
const known = 1e-6

// SD returns the standard deviation of the logarithm, and NaN if its variance is not known to 1e-6.
// It is zero if the variance is negative by no more than its error.
func (m LogMoments) SD() float64 {
	if !(m.Error <= known) || m.Variance < -m.Error {
		return math.NaN()
	}
	return math.Sqrt(max(0, m.Variance))
}

// LogReciprocal returns the logarithm of the mean of the reciprocal, and NaN if it is not known to
// 1e-6.
func (m LogMoments) LogReciprocal() float64 {
	if !(m.ReciprocalError <= known*m.Reciprocal) {
		return math.NaN()
	}
	return number.Log(m.Reciprocal)
}

// LogMomentsOf returns the moments of log S, where S is the mean of n variables that have the
// transform f[j] at t = exp(low + j step). With H(t) = E exp(-t S) = Phi(t/n)^n,
//
//	E log S = integral of exp(-e^u) - H(e^u) du,   E (log S)^2 = integral of 2 u (H(e^u) - exp(-e^u)) du - 2 gamma E log S,
//	E 1/S = integral of e^u H(e^u) du,
//
// by the trapezoidal rule in u, whose error is exp(-pi^2/step) of the range: the integrands are
// analytic for |Im u| < pi/2. Outside of the given points H must be one and zero. For n = 1 the
// last integral need not be known: Reciprocal is then NaN.
func LogMomentsOf(f []Transform, low, step float64, n int) LogMoments {
	var first, second, reciprocal, err, err2, err3 number.Sum
	N := float64(n)
	for j, phi := range f {
		u := low + float64(j)*step + number.Log(N)
		h0 := -math.Exp(u) // the logarithm of exp(-e^u)
		power, off := phi.Power(N)
		d := power - math.Expm1(h0)
		h := 1 + power
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
