package laws

import (
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/number"
)

// Target is a finite model as the exact laws need it: the prior, the posterior and the likelihood of each state. It is made once for
// all estimators of an annealing, and does not change.
type Target struct {
	Annealing *chains.Annealing // on the centred path, so that a large constant costs no digits
	Offset    float64           // what centring has taken out of log Z, in nats
	LogZ      float64           // log Z = log Z_T - log Z_1, without Offset
	Prior     []float64         // the probability of each state under f_1
	Posterior []float64         // the probability of each state under f_T
	LogL      []float64         // log f_T - log f_1 of each state, without Offset; +Inf where f_1 alone is zero, -Inf where f_T is
	logZ1     float64           // log of the sum of f_1 on the centred path
}

// NewTarget returns the target of an annealing.
func NewTarget(a *chains.Annealing) *Target {
	centred, offset := a.Centred()
	n := a.States()
	t := &Target{Annealing: centred, Offset: offset, LogL: make([]float64, n)}
	initial, target := make([]float64, n), make([]float64, n)
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

// LogJoint returns log f_T - log Z_1 of each state, in nats and without Offset: the log of prior times likelihood, whose sum has the
// logarithm LogZ. It is what a mean field approximates.
func (t *Target) LogJoint() []float64 {
	joint := make([]float64, len(t.LogL))
	t.Annealing.LogF(joint, t.Annealing.Distributions())
	for x := range joint {
		joint[x] -= t.logZ1
	}
	return joint
}

// logLaw returns the logarithm of the probability of each state at an end of the path, also where float64 cannot hold the probability.
func (t *Target) logLaw(at chains.Place) []float64 {
	logs := make([]float64, len(t.LogL))
	t.Annealing.Path().LogF(logs, at)
	total := number.LogSumExp(logs)
	for x := range logs {
		logs[x] -= total
	}
	return logs
}

// shiftOf returns what an estimate has in place of log Z: log Z itself where the estimate, or its reciprocal, has the mean of Z, or of 1/Z.
// The difference of estimate and Z then has all its digits. It does not where states are missing, whose log likelihood is the given infinity,
// nor where a kernel does not leave the posterior invariant: then it is the logarithm of the mean as it was summed.
func (t *Target) shiftOf(missing, summed float64) float64 {
	if slices.Contains(t.LogL, missing) || math.Abs(summed-t.LogZ) > 1e-12*(1+math.Abs(t.LogZ)) {
		return summed
	}
	return t.LogZ
}

// moveWork returns how many evaluations of log f a move at the posterior takes; NaN where the kernel does not say.
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
