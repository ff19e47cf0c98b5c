package evidence

import (
	"context"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/exact/internal/number"
	"breadboard/exact/kernel"
)

// Target is a finite model as the exact laws need it: the prior and the likelihood of each state, and the rows of the kernel under
// the posterior. It is made once for all estimators of an annealing, and does not change.
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

// Rows returns the rows of the annealing's kernel under the posterior.
func (t *Target) Rows(ctx context.Context) (*kernel.Rows, error) {
	logf := make([]float64, len(t.LogL))
	t.Annealing.LogF(logf, t.Annealing.Distributions())
	return kernel.NewRows(ctx, t.Annealing.KernelAt(t.Annealing.Distributions()), logf)
}

// logPriors returns the logarithm of the prior probability of each state, which does not underflow.
func (t *Target) logPriors() []float64 {
	logPrior := make([]float64, len(t.LogL))
	t.Annealing.Path().LogF(logPrior, chains.At(0))
	for x := range logPrior {
		logPrior[x] -= t.logZ1
	}
	return logPrior
}
