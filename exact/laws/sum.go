package laws

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains/errs"
	"breadboard/chains/estimators"
	"breadboard/chains/number"
)

// Sum is the distribution of an estimate that is made of a sum: log Z-hat = shift + log V, or shift
// - log V, where V is the mean of K terms, divided by its own mean. The terms are of independent
// draws, or of the places of a chain. The transform is computed when the Sum is made. The methods
// take far less time, except for the first call of Moments for more than one trial of the
// Chib-Murray-Salakhutdinov estimator, which takes about as long. Many goroutines may use it.
//
// Means and variances of log Z-hat are right to about 1e-13 of their sizes for sums of some hundred
// terms. Along a chain, each place adds a few roundings of 1e-16.
type Sum struct {
	shift       float64
	sign        float64 // of log V in log Z-hat
	runs        float64 // how many independent sums, each with the transform of the table, one run has
	table       *sumTable
	zero        float64          // the probability of S = 0
	logMean     float64          // log E Z-hat of one run
	reciprocal  *reciprocalTable // nil if runs are combined by their sums
	combination estimators.Combination
	work        estimators.Work
	note        string
	// the number of decimal digits of the differences of the terms; +Inf if the differences are
	// stored
	digits float64
	tail   tail
	draws  *independentTerms // the same if the terms are of independent draws; else nil
}

// digitsOf returns the number of decimal digits of the differences of terms from their mean, if the
// terms are float64 after some operations. The terms are given by their logarithms.
func digitsOf(logV []float64) float64 {
	farthest := 0.0
	for _, l := range logV {
		farthest = max(farthest, math.Abs(math.Expm1(l)))
	}
	if farthest == 0 {
		return math.Inf(1) // all are equal, and the estimate is certain
	}
	return number.Log10(farthest / 0x1p-47)
}

// tail computes the probabilities of large sums.
type tail interface {
	// support returns bounds on log V that are attained or may be.
	support() (lowest, highest float64)
	// atLeast returns bounds on the probability that V is at least v, given log v and its error.
	atLeast(ctx context.Context, logV, slack float64) (low, high float64, err error)
	// exact reports whether the bounds are equal up to rounding, and fast to compute.
	exact() bool
	// limits says why the bounds are not nearer.
	limits() string
}

// Work implements Law.
func (s *Sum) Work() estimators.Work { return s.work }

// Moments implements Law. Up to 1,000,000 trials can be combined.
func (s *Sum) Moments(ctx context.Context, trials int) (Moments, error) {
	if err := checkTrials(trials, mostTrials); err != nil {
		return Moments{}, err
	}
	m := Moments{LogMean: s.logMean, Method: MethodTransform, Note: s.note}
	n := float64(trials)
	if s.combination == estimators.HarmonicMean {
		m.LogMean = s.logMeanHarmonic(n)
	}
	if s.zero > 0 {
		m.Mean = s.sign * math.Inf(-1)
		m.SD = math.NaN()
		if trials > 1 {
			m.Note = joined(s.note, fmt.Sprintf("this holds for all of %d trials with probability %.6g",
				trials, math.Pow(s.zero, n)))
		}
		return m, nil
	}
	var mean, variance, err float64
	switch {
	case trials > 1 && s.reciprocal != nil:
		table, failed := s.reciprocal.get(ctx, s.table)
		if failed != nil {
			return Moments{}, failed
		}
		mean, variance, err = table.logMeanMoments(n)
		m.near = s.logMean
		m.rest = mean
	default:
		mean, variance, err = s.table.logMeanMoments(s.runs * n)
		m.near = s.shift
		m.rest = s.sign * mean
	}
	m.Mean = m.near + m.rest
	m.setDeviation(variance, err)
	m.part = math.Pow(10, -s.digits)
	return m, nil
}

// logMeanHarmonic returns log E Z-hat of the harmonic mean of a number of runs.
func (s *Sum) logMeanHarmonic(trials float64) float64 {
	if s.zero > 0 {
		return math.Inf(1)
	}
	return s.shift + s.table.logMeanReciprocal(s.runs*trials)
}

// The moments of log V, where V > 0 has mean one, come from its Laplace transform H(t) = E exp(-t
// V). With X a standard exponential variable, H(t) is the probability that X/V is above t, so that
// log X - log V has the survival function H(e^u), and log X has exp(-e^u). This gives
//
//	E log V = integral of (exp(-e^u) - H(e^u)) du,
//	E (log V)^2 = integral of 2 u (H(e^u) - exp(-e^u)) du - 2 gamma E log V,
//	E 1/V = integral of e^u H(e^u) du.
//
// All of them are analytic in u for |Im u| < pi/2. The trapezoidal rule with a step h leaves out
// the terms of its aliases at the frequencies 2 pi m/h, whose sizes are |Gamma(1 + 2 pi i m/h)| at
// most: 1e-16 for a step of 1/4. As |H(t) - exp(-t)| <= t, the part below u = -41 is below 1e-16
// too.
const (
	sumStep   = 0.25
	leftEnd   = -41
	rightEnd  = 4.0 // exp(-e^4) is 2e-24
	mostNodes = 1 << 15
)

// mostTrials is the largest number of runs that are combined.
const mostTrials = 1_000_000

// sumTable holds H(t) at t = e^u, u = low + j step, for j = 0, 1, ... It holds two forms of H: if
// one of them may have lost digits the other one has all.
type sumTable struct {
	low, step float64
	logH      []float64 // log H
	excess    []float64 // log H + t, which is near zero if V is nearly one
	// a bound on the error of H, apart from roundings of the order of 1e-16 H; nil for none
	err []float64
}

// newSumTable returns an empty table for sums over at most the given number of runs, of values from
// lowest to highest; both are logarithms of V.
func newSumTable(step, runs, left, lowest float64) (*sumTable, error) {
	low := step * math.Floor((left-number.Log(runs))/step)
	n := 1 + math.Ceil((rightEnd-lowest-low)/step)
	if !(n <= mostNodes) {
		return nil,
			errs.New("the terms of the estimate go down to exp(%.6g) times their mean, and the distribution "+
				"takes %.3g points, more than %d; a target that spans fewer nats is needed",
				lowest, n, mostNodes)
	}
	return &sumTable{
		low:    low,
		step:   step,
		logH:   make([]float64, int(n)),
		excess: make([]float64, int(n)),
	}, nil
}

// u returns log t of a point.
func (h *sumTable) u(j int) float64 { return h.low + float64(j)*h.step }

// powerAndExponential returns H^runs at a point, and its difference from exp(-runs t) with all its
// digits.
func (h *sumTable) powerAndExponential(j int, runs float64) (value, difference float64) {
	rt := runs * math.Exp(h.u(j))
	log := runs * h.logH[j]
	excess := runs * h.excess[j]
	value = math.Exp(log)
	reference := math.Exp(-rt)
	switch {
	case math.Abs(excess) < 1:
		difference = reference * math.Expm1(excess)
	case log > -0.5:
		difference = math.Expm1(log) - math.Expm1(-rt)
	default:
		difference = value - reference
	}
	return value, difference
}

// farMean is the E log V, in nats, from which on the variance is taken about that, and not about
// the logarithm of E V.
const farMean = 0.1

// logMeanMoments returns mean and variance of the logarithm of the mean of the given number of
// independent V, and a bound on their errors from err.
func (h *sumTable) logMeanMoments(runs float64) (mean, variance, err float64) {
	mean, second, err := h.about(runs, func(j int) float64 {
		_, d := h.powerAndExponential(j, runs)
		return d
	}, number.Log(runs))
	if math.Abs(mean) <= farMean {
		return mean, second - mean*mean, err
	}
	centre := mean
	shift := centre + number.Log(runs)
	rest, second, _ := h.about(runs, func(j int) float64 { return h.against(j, runs, h.u(j)+shift) }, shift)
	return centre + rest, second - rest*rest, err + leastVariance
}

// against returns the difference of H^runs and exp(-exp(u)).
func (h *sumTable) against(j int, runs, u float64) float64 {
	log := runs * h.logH[j]
	if log > -0.5 {
		return math.Expm1(log) - math.Expm1(-math.Exp(u))
	}
	return math.Exp(log) - math.Exp(-math.Exp(u))
}

// about returns the first two moments of the logarithm of the mean of the given number of V, less a
// constant, given the differences of the transform to that of a constant, and the distance of u
// from the logarithm of the argument of both.
func (h *sumTable) about(runs float64, difference func(j int) float64,
	shift float64) (mean, second, err float64) {
	var first, square, errors number.Sum
	for j := range h.logH {
		d := difference(j)
		u := h.u(j) + shift
		first.Add(-d)
		square.Add(2 * u * d)
		if h.err != nil {
			errors.Add((1 + 2*math.Abs(u)) * min(1, runs*h.err[j]*math.Exp(min(0, (runs-1)*h.logH[j]))))
		}
	}
	mean = h.step * first.Value()
	return mean, h.step*square.Value() - 2*number.EulerGamma*mean, h.step * errors.Value()
}

// logMeanReciprocal returns log E 1/W for the mean W of the given number of independent V.
func (h *sumTable) logMeanReciprocal(runs float64) float64 {
	shift := number.Log(runs) + number.Log(h.step)
	terms := make([]float64, len(h.logH))
	for j := range terms {
		terms[j] = shift + h.u(j) + runs*h.logH[j]
	}
	return number.LogSumExp(terms)
}

// leastNormal is the log H below which H is subnormal or underflows.
const leastNormal = -700

// logBelow returns the logarithm of a bound on P(V <= v), given log v: the least of exp(t v) H(t)
// over the points, for the mean of the given number of independent V with this H.
func (h *sumTable) logBelow(logV, runs float64) float64 {
	least := 0.0
	for j, log := range h.logH {
		if log > leastNormal {
			least = min(least, runs*(math.Exp(h.u(j)+logV)+log))
		}
	}
	return least
}
