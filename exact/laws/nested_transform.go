package laws

import (
	"math"

	"breadboard/chains/estimators"
	"breadboard/chains/number"
)

// logGrid holds 1 - E exp(-t R) of a random variable R > 0 on a grid of log t, from which the
// moments of log R follow. The grid reaches from where the values are nearly t E[R] to where they
// are nearly one. Its step is at most gridStep.
//
// With X ~ Exp(1), P(X/R > t) = E exp(-t R), so that for any constant c
//
//	E log R - c = integral of (exp(-e^u) - E exp(-e^(u-c) R)) du,
//
// and the second moment follows in the same way. The integrands are analytic where |Im u| < pi/2,
// so that the trapezoidal rule is off by about exp(-pi^2/step).
type logGrid struct {
	first, step float64   // the log t of the first value, and the difference of two that follow one another
	rise        []float64 // 1 - E exp(-t R), which keeps its digits if it is small
}

const (
	// gridStep is the largest step of a grid: exp(-pi^2/0.22) is 3e-20.
	gridStep = 0.22
	// gridBelow is how far below -log(the largest R), in nats, a grid begins: t R is at most 4e-18
	// there.
	gridBelow = 40
	// gridAbove is how far above -log(the least R) a grid ends: exp(-t R) is at most exp(-40)
	// there.
	gridAbove = 3.7
)

// points returns the number of points from the first to log t at least.
func (g *logGrid) points(last float64) int { return 2 + int(max(0, last-g.first)/g.step) }

// meanLog returns E log R.
func (g *logGrid) meanLog() float64 {
	var sum number.Sum
	for i, r := range g.rise {
		sum.Add(r + math.Expm1(-math.Exp(g.first+float64(i)*g.step)))
	}
	return sum.Value() * g.step
}

// varianceLog returns the variance of log R, given its mean; rounding may make it negative. With w
// = log X - log R + mean, it is E w^2 less the variance and the square of the mean of log X, where
// both second moments are integrals of 2 w times a probability.
func (g *logGrid) varianceLog(mean float64) float64 {
	var sum number.Sum
	for i, r := range g.rise {
		w := g.first + float64(i)*g.step + mean
		sum.Add(-2 * w * (r + math.Expm1(-math.Exp(w))))
	}
	return sum.Value() * g.step
}

// logPower returns log E R^s for 0 < s <= 1/2, given the logarithm c of a number near E R, by
//
//	E R^s = e^(cs) + s/Gamma(1-s) integral of (exp(-e^(u+c)) - E exp(-e^u R)) e^(-su) du.
func (g *logGrid) logPower(s, c float64) float64 {
	var sum number.Sum
	for i, r := range g.rise {
		u := g.first + float64(i)*g.step
		sum.Add((r + math.Expm1(-math.Exp(u+c))) * math.Exp(-s*(u+c)))
	}
	return s*c + math.Log1p(s/math.Gamma(1-s)*sum.Value()*g.step)
}

// drift returns the change of the second moment of log R, given its mean, if the probabilities do
// not sum to exactly one: the last value of the grid is their sum, and 2 w is integrated from the
// mean to the end.
func (g *logGrid) drift(mean float64) float64 {
	last := len(g.rise) - 1
	w := g.first + float64(last)*g.step + mean
	return math.Abs(1-g.rise[last]) * w * w
}

// writeMoments writes the mean and standard deviation of the mean of log R over the given number of
// independent trials to m, with a constant top that R has been divided by; and for several trials
// log E of the exponential of that mean, given log E R.
func (g *logGrid) writeMoments(m *Moments, top, logMean float64, trials int) {
	mean := g.meanLog()
	variance := g.varianceLog(mean)
	err := g.drift(mean)
	m.Mean = top + mean
	if variance < leastVariance {
		err += leastVariance
	}
	m.setDeviation(variance, err)
	m.SD /= math.Sqrt(float64(trials))
	if trials > 1 {
		m.LogMean = top + float64(trials)*g.logPower(1/float64(trials), logMean)
	}
}

// addNumber turns the transform of R into that of R plus a number, which is given by its logarithm.
func (g *logGrid) addNumber(logNumber float64) {
	for i, r := range g.rise {
		y := math.Exp(g.first + float64(i)*g.step + logNumber)
		g.rise[i] = r*math.Exp(-y) - math.Expm1(-y)
	}
}

// shifted returns the transform of r R, where the factor r is the given number of steps of the
// grid. Below the grid a transform is proportional to t.
func (g *logGrid) shifted(rise []float64, parts int) []float64 {
	out := make([]float64, len(rise))
	for i := range min(parts, len(out)) {
		out[i] = rise[0] * math.Exp(-g.step*float64(parts-i))
	}
	copy(out[parts:], rise)
	return out
}

// shiftedMeans turns the transform of R into that of r^N R, where a factor r is a given number of
// steps of the grid.
type shiftedMeans struct {
	parts  int
	step   float64
	out    []float64
	padded []float64
}

// shifted returns the transform of r^N R, for the distribution of N. Below the grid a transform is
// proportional to t.
func (s *shiftedMeans) shifted(rise []float64, n estimators.Deaths) []float64 {
	pad := (n.First + len(n.P) - 1) * s.parts
	s.padded = append(s.padded[:0], make([]float64, pad)...)
	for i := range s.padded {
		s.padded[i] = rise[0] * math.Exp(-s.step*float64(pad-i))
	}
	s.padded = append(s.padded, rise...)
	clear(s.out)
	for i, p := range n.P {
		from := s.padded[pad-(n.First+i)*s.parts:]
		for j := range s.out {
			s.out[j] += p * from[j]
		}
	}
	return s.out
}
