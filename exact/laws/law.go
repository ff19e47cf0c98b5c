package laws

import (
	"context"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/estimators"
	"breadboard/chains/number"
)

// Law is the exact distribution of the estimate of one run of an estimator.
type Law interface {
	// Moments returns the moments of the estimate that combines the given number of independent
	// runs, by the estimator's Combination. It fails for less than one run and for more than the
	// distribution can combine: a million for a Sum, and a thousand million for the others.
	Moments(ctx context.Context, trials int) (Moments, error)
	// Above returns the probability that the estimate of one run is above at: log Z-hat > at, in
	// nats. It fails if at is NaN.
	Above(ctx context.Context, at float64) (Bracket, error)
	// Work returns the mean work of a run.
	Work() estimators.Work
}

// Moments are the moments of log Z-hat, in nats. Mean and LogMean lack the constant that centring
// has removed from log Z (Target.Offset).
type Moments struct {
	Mean    float64 // E log Z-hat; -Inf if the estimate may be zero, and +Inf if it may be infinite
	SD      float64 // the standard deviation of log Z-hat; NaN if it may be infinite
	LogMean float64 // log E Z-hat
	Method  Method
	Note    string // why a moment is NaN

	near, rest float64 // Mean is their sum, if they are not both zero; near is log Z or close to it
	off        float64 // a bound on the errors of the mean and of the variance, besides their own rounding
	level      float64 // a bound on an error of the mean that cancels in differences of estimates
	// a bound on the relative errors of the bias and of the standard deviation, from lost digits of
	// the terms of a sum
	part float64
}

// Less returns the moments of log Z-hat minus offset.
func (m Moments) Less(offset float64) Moments {
	m.Mean -= offset
	m.LogMean -= offset
	if m.near != 0 || m.rest != 0 {
		m.near -= offset
	}
	return m
}

// Bias returns Mean minus log Z, which must lack the same constant.
func (m *Moments) Bias(logZ float64) number.Bounded {
	v := m.Mean - logZ
	size := math.Abs(m.Mean) + math.Abs(logZ)
	if m.near != 0 || m.rest != 0 {
		v = m.near - logZ + m.rest
		size = math.Abs(m.near - logZ)
	}
	if math.IsInf(v, 0) {
		return number.Exactly(v)
	}
	return number.Bounded{Value: v, Error: m.off + m.level + 4*0x1p-53*size + math.Abs(v)*m.part}
}

// Deviation returns SD with its error.
func (m *Moments) Deviation() number.Bounded {
	e := m.off / (m.SD + math.Sqrt(max(0, m.SD*m.SD-m.off)))
	if m.off == 0 {
		e = 0
	}
	return number.Bounded{Value: m.SD, Error: e + m.SD*m.part}
}

// Method says how a distribution was found.
type Method string

// The methods.
const (
	MethodClosed      Method = "closed form"
	MethodTransform   Method = "transform"   // E exp(-tS) of a sum S, at many t
	MethodAnnealing   Method = "annealing"   // the distribution of the log weight of annealing
	MethodPropagation Method = "propagation" // state by state over growing spaces
	MethodCounts      Method = "counts"      // how many particles are in each state
	MethodSlots       Method = "slots"       // the type of each particle, slot by slot
	MethodPairs       Method = "pairs"       // pairs of particles, from the likeliest down
	MethodStarts      Method = "starts"      // every start of a deterministic method
	MethodNone        Method = "none"
)

// Bracket holds lower and upper bounds of a probability, which are equal if it is known exactly up
// to rounding. Both are NaN if there is no exact method; Note then names the size to reduce.
type Bracket struct {
	Low, High float64
	Note      string
}

// setDeviation sets the standard deviation of log Z-hat from its variance. Besides rounding, err
// bounds the errors of the variance and of the mean.
func (m *Moments) setDeviation(variance, err float64) {
	m.SD = deviation(variance, err)
	m.off = err
	if variance < 0 {
		m.off += leastVariance
	}
}

// leastVariance is the variance, in square nats, below which it may be only rounding.
const leastVariance = 1e-14

// deviation returns the root of a variance with an error of at most err besides rounding. It is
// zero if the variance is negative by no more than that, and NaN if it is negative by more.
func deviation(variance, err float64) float64 {
	if variance < 0 && variance > -(leastVariance+err) {
		return 0
	}
	return math.Sqrt(variance)
}

// joined returns two notes as one.
func joined(a, b string) string {
	if a == "" {
		return b
	}
	return a + "; " + b
}

// checkTrials returns an error for an invalid number of runs, or more of them than can be combined.
func checkTrials(trials, most int) error {
	if trials < 1 || trials > most {
		return errs.New("%d trials; give a whole number from 1 to %d", trials, most)
	}
	return nil
}

// checkThreshold returns an error for an invalid threshold of log Z-hat.
func checkThreshold(at float64) error {
	if math.IsNaN(at) {
		return errs.New("the threshold of log Z-hat is NaN; give a number")
	}
	return nil
}

// Target is a finite model for the exact distributions: the prior, the posterior and the likelihood
// of each state. It is made once for all estimators of an annealing, and is immutable.
type Target struct {
	Annealing *chains.Annealing // on the centred path, so that a large constant costs no digits
	Offset    float64           // the constant that centring has removed from log Z, in nats
	LogZ      float64           // log Z = log Z_T - log Z_1, without Offset
	Prior     []float64         // the probability of each state under f_1
	Posterior []float64         // the probability of each state under f_T
	// log f_T - log f_1 of each state, without Offset; +Inf if f_1 alone is zero, -Inf if f_T is
	LogL  []float64
	logZ1 float64 // log of the sum of f_1 on the centred path
}

// NewTarget returns the target of an annealing.
func NewTarget(a *chains.Annealing) *Target {
	centred, offset := a.Centred()
	n := a.States()
	t := &Target{Annealing: centred, Offset: offset, LogL: make([]float64, n)}
	initial := make([]float64, n)
	target := make([]float64, n)
	path := centred.Path()
	path.LogF(initial, chains.At(0))
	path.LogF(target, chains.At(1))
	path.LogRatio(t.LogL, chains.At(0), chains.At(1), 1)
	for x := range t.LogL {
		switch {
		case math.IsInf(target[x], -1):
			t.LogL[x] = math.Inf(-1)
		case math.IsInf(initial[x], -1):
			t.LogL[x] = math.Inf(1)
		}
	}
	t.logZ1 = number.LogSumExp(initial)
	t.LogZ = number.LogSumExp(target) - t.logZ1
	t.Prior, t.Posterior = slices.Clone(initial), slices.Clone(target)
	chains.Normalize(t.Prior)
	chains.Normalize(t.Posterior)
	return t
}

// LogJoint returns log f_T - log Z_1 of each state, in nats and without Offset: the log of prior
// times likelihood. Its LogSumExp is LogZ. A mean field approximates it.
func (t *Target) LogJoint() []float64 {
	joint := make([]float64, len(t.LogL))
	t.Annealing.LogF(joint, t.Annealing.Distributions())
	for x := range joint {
		joint[x] -= t.logZ1
	}
	return joint
}

// logLaw returns the logarithm of the probability of each state at an end of the path, even if the
// probability underflows.
func (t *Target) logLaw(at chains.Place) []float64 {
	logs := make([]float64, len(t.LogL))
	t.Annealing.Path().LogF(logs, at)
	total := number.LogSumExp(logs)
	for x := range logs {
		logs[x] -= total
	}
	return logs
}

// shiftOf returns the reference of an estimate: log Z itself if the estimate has the mean Z, or its
// reciprocal the mean 1/Z. The difference of estimate and Z then has all its digits. If states are
// missing, whose log likelihood is the given infinity, or if a kernel does not leave the posterior
// invariant, the reference is the logarithm of the mean as it was summed.
func (t *Target) shiftOf(missing, summed float64) float64 {
	if slices.Contains(t.LogL, missing) || math.Abs(summed-t.LogZ) > 1e-12*(1+math.Abs(t.LogZ)) {
		return summed
	}
	return t.LogZ
}

// moveWork returns the number of evaluations of log f in a move at the posterior; NaN if the kernel
// does not state it.
func (t *Target) moveWork() float64 {
	work, known := chains.Evaluations(t.Annealing.KernelAt(t.Annealing.Distributions()))
	if !known {
		return math.NaN()
	}
	return work
}

// massWhere returns the probability of the states at which log L has a value.
func massWhere(p, logL []float64, value float64) float64 {
	var total number.Sum
	for x, l := range logL {
		if l == value {
			total.Add(p[x])
		}
	}
	return total.Value()
}
