package latent

import (
	"context"
	"math"
	"testing"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/exact/program"
	"breadboard/grid/longtest"
	"breadboard/toys/models"
)

// unreal lets a Chooser that enumerates stand for a RealChooser in programs that draw no real numbers.
type unreal struct{ chains.Chooser }

func (unreal) Normal() float64 {
	panic("a discrete model with known hyperparameters has drawn a real number")
}

// estimator is an estimator of log Z that makes its choices by a RealChooser.
type estimator interface {
	Estimate(c chains.RealChooser) float64
}

// meanOf returns the exact mean of exp(sign (log Z-hat - log Z)) of an estimator.
func meanOf(t *testing.T, e estimator, sign, logZ float64) float64 {
	t.Helper()
	law := longtest.Must(program.Enumerate(context.Background(), func(c chains.Chooser) float64 { return e.Estimate(unreal{c}) }, program.Options{Cut: math.SmallestNonzeroFloat64}))(t)
	return law.Mean(func(l float64) float64 { return math.Exp(sign * (l - logZ)) })
}

// startsAt is a model whose Posterior is exact, from the list of its states.
type startsAt[S comparable] struct {
	estimators.Model[chains.RealChooser, S]
	states []S
	p      []float64
}

func (m startsAt[S]) Posterior(c chains.RealChooser) S { return m.Clone(m.states[c.Choose(m.p)]) }

// along is a model along data, under a name that its method Data leaves free.
type along[S comparable] estimators.Data[chains.RealChooser, S]

// growsTo is the same along data.
type growsTo[S comparable] struct {
	along[S]
	exact startsAt[S]
}

func (m growsTo[S]) Posterior(c chains.RealChooser, t int) S { return m.exact.Posterior(c) }

// TestEstimatorsAreUnbiased: the enumerated laws of annealing and of sequential Monte Carlo on tiny models have the mean Z forward, and that
// of one over them in reverse is 1/Z. The models are cut to three or two rows: a run then has at most some ten thousand outcomes.
func TestEstimatorsAreUnbiased(t *testing.T) {
	longtest.NotShort(t)
	clu := smallClusterings(t, 3)["clu8"]
	var clusters []*ClusteringState
	for x := range clu.lattice.Space().States() {
		clusters = append(clusters, clu.state(x))
	}
	p, logZ := exactly(clu.lattice)
	unbiased(t, "clustering", startsAt[*ClusteringState]{clu.Clustering, clusters, p}, clu.Along(), logZ)

	bin := bin4(t, 2)
	var attributes []*BinaryState
	for x := range bin.lattice.Space().States() {
		attributes = append(attributes, bin.state(x))
	}
	p, logZ = exactly(bin.lattice)
	unbiased(t, "binary", startsAt[*BinaryState]{bin.Binary, attributes, p}, bin.Along(), logZ)
}

// exactly returns the posterior and log Z of a model on a lattice.
func exactly(m models.Model) (p []float64, logZ float64) {
	p = m.LogPrior()
	for x, l := range m.LogLikelihood(1) {
		p[x] += l
	}
	return p, chains.Normalize(p)
}

func unbiased[S comparable](t *testing.T, name string, m startsAt[S], data estimators.Data[chains.RealChooser, S], logZ float64) {
	places := []chains.Place{chains.At(0), chains.At(0.4), chains.At(1)}
	forth := longtest.Sure(estimators.NewAnnealed[chains.RealChooser](m, places))
	back := longtest.Sure(estimators.NewReverseAnnealed[chains.RealChooser](m, places))
	check := func(what string, e estimator, sign float64) {
		if got := meanOf(t, e, sign, logZ); !(math.Abs(got-1) <= 1e-12) {
			t.Errorf("%s, %s: the mean is %v times what it has to be", name, what, got)
		}
	}
	check("annealing", forth, 1)
	check("annealing in reverse", back, -1)
	for _, q := range []estimators.Proposal{estimators.ProposePosterior, estimators.ProposePrior} {
		for scans := range estimators.Sweeps(2) {
			forth := longtest.Sure(estimators.NewSequential(data, q, scans))
			back := longtest.Sure(estimators.NewReverseSequential[chains.RealChooser, S](growsTo[S]{data, m}, q, scans))
			check("sequential, "+q.String(), forth, 1)
			check("sequential in reverse, "+q.String(), back, -1)
		}
	}
}
