package laws

import (
	"fmt"
	"math"

	"breadboard/chains/number"
)

// The moments of log V, where V > 0 has mean one, come from its Laplace transform H(t) = E exp(-t V). With X a standard
// exponential variable, H(t) is the probability that X/V is above t, so that log X - log V has the survival function H(e^u), and
// log X has exp(-e^u). This gives
//
//	E log V = integral of (exp(-e^u) - H(e^u)) du,
//	E (log V)^2 = integral of 2 u (H(e^u) - exp(-e^u)) du - 2 gamma E log V,
//	E 1/V = integral of e^u H(e^u) du.
//
// All of them are analytic in u for |Im u| < pi/2. The trapezoidal rule with a step h leaves out the terms of its aliases at the
// frequencies 2 pi m/h, whose sizes are |Gamma(1 + 2 pi i m/h)| at most: 1e-16 for a step of 1/4. As |H(t) - exp(-t)| <= t, what is
// left of u = -41 is below 1e-16 too.
const (
	sumStep   = 0.25
	leftEnd   = -41
	rightEnd  = 4.0 // exp(-e^4) is 2e-24
	mostNodes = 1 << 15
)

// mostTrials is the largest number of runs that are combined.
const mostTrials = 1_000_000

// sumTable holds H(t) at t = e^u, u = low + j step, for j = 0, 1, ... It holds two forms of H: where one of them may have lost digits the
// other one has them all.
type sumTable struct {
	low, step float64
	logH      []float64 // log H
	excess    []float64 // log H + t, which is near zero where V is nearly one
	err       []float64 // a bound on the error of H, apart from roundings of the order of 1e-16 H; nil for none
}

// newSumTable returns an empty table for sums over so many runs at most, of values from lowest to highest; both are logarithms of V.
func newSumTable(step, runs, left, lowest float64) (*sumTable, error) {
	low := step * math.Floor((left-math.Log(runs))/step)
	n := 1 + math.Ceil((rightEnd-lowest-low)/step)
	if !(n <= mostNodes) {
		return nil, fmt.Errorf("the terms of the estimate go down to exp(%.6g) times their mean, and the law takes %.3g points, more than %d; a target that spans fewer nats is needed", lowest, n, mostNodes)
	}
	return &sumTable{low: low, step: step, logH: make([]float64, int(n)), excess: make([]float64, int(n))}, nil
}

// u returns log t of a point.
func (h *sumTable) u(j int) float64 { return h.low + float64(j)*h.step }

// at returns H^runs and exp(-runs t) at a point, and their difference with all its digits.
func (h *sumTable) at(j int, runs float64) (value, reference, difference float64) {
	rt := runs * math.Exp(h.u(j))
	log, excess := runs*h.logH[j], runs*h.excess[j]
	value, reference = math.Exp(log), math.Exp(-rt)
	switch {
	case math.Abs(excess) < 1:
		difference = reference * math.Expm1(excess)
	case log > -0.5:
		difference = math.Expm1(log) - math.Expm1(-rt)
	default:
		difference = value - reference
	}
	return value, reference, difference
}

// farMean is the E log V, in nats, from which on the variance is taken about that, and not about the logarithm of E V.
const farMean = 0.1

// moments returns mean and variance of the logarithm of the mean of so many independent V, and a bound on the error of both that
// comes of err.
func (h *sumTable) moments(runs float64) (mean, variance, err float64) {
	mean, second, err := h.about(runs, func(j int) float64 {
		_, _, d := h.at(j, runs)
		return d
	}, math.Log(runs))
	if math.Abs(mean) <= farMean {
		return mean, second - mean*mean, err
	}
	centre := mean
	shift := centre + math.Log(runs)
	rest, second, _ := h.about(runs, func(j int) float64 { return h.against(j, runs, h.u(j)+shift) }, shift)
	return centre + rest, second - rest*rest, err
}

// against returns the difference of H^runs and exp(-exp(u)).
func (h *sumTable) against(j int, runs, u float64) float64 {
	log := runs * h.logH[j]
	if log > -0.5 {
		return math.Expm1(log) - math.Expm1(-math.Exp(u))
	}
	return math.Exp(log) - math.Exp(-math.Exp(u))
}

// about returns the first two moments of the logarithm of the mean of so many V, less a constant, given the differences of the
// transform to that of a constant, and how far u is from the logarithm of the argument of both.
func (h *sumTable) about(runs float64, difference func(j int) float64, shift float64) (mean, second, err float64) {
	var first, square, errors number.Sum
	for j := range h.logH {
		d, u := difference(j), h.u(j)+shift
		first.Add(-d)
		square.Add(2 * u * d)
		if h.err != nil {
			errors.Add((1 + 2*math.Abs(u)) * min(1, runs*h.err[j]*math.Exp(min(0, (runs-1)*h.logH[j]))))
		}
	}
	mean = h.step * first.Value()
	return mean, h.step*square.Value() - 2*number.EulerGamma*mean, h.step * errors.Value()
}

// logMeanReciprocal returns log E 1/W for the mean W of so many independent V.
func (h *sumTable) logMeanReciprocal(runs float64) float64 {
	shift := math.Log(runs) + math.Log(h.step)
	terms := make([]float64, len(h.logH))
	for j := range terms {
		terms[j] = shift + h.u(j) + runs*h.logH[j]
	}
	return number.LogSumExp(terms)
}

// leastNormal is the log H below which float64 loses digits of H, and then all of it.
const leastNormal = -700

// logBelow returns the logarithm of a bound on P(V <= v), given log v: the least of exp(t v) H(t) over the points, for the sum of so
// many independent V of which each has this H, divided by their number.
func (h *sumTable) logBelow(logV, runs float64) float64 {
	least := 0.0
	for j, log := range h.logH {
		if log > leastNormal {
			least = min(least, runs*(math.Exp(h.u(j)+logV)+log))
		}
	}
	return least
}
