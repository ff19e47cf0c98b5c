package sandwich

import (
	"context"
	"fmt"
	"sync"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/toys/latent"
)

// Annealing makes annealed importance sampling over T distributions in a direction. Only one goroutine may use what it makes, and
// another goroutine may use what it makes the next time.
type Annealing func(T int, d chains.Direction) (Estimator, error)

// annealing returns the annealings of a model, which fork makes anew for each of them.
func annealing[S any](fork func() estimators.Model[chains.RealChooser, S]) Annealing {
	return func(T int, d chains.Direction) (Estimator, error) {
		return estimators.NewScheduledAnnealing(fork(), Schedule(), T, d)
	}
}

// Run anneals once with random numbers of its own, and measures the time. What it returns depends on nothing but its arguments, the seconds
// apart.
func (a Annealing) Run(ctx context.Context, c chains.RealChooser, T int, d chains.Direction) (Estimate, error) {
	e, err := a(T, d)
	if err != nil {
		return Estimate{}, err
	}
	return timed(ctx, func() (Estimate, error) {
		out := nothing()
		out.LogZ, out.Work = e.Estimate(c), e.Work().Evaluations
		return out, nil
	})
}

// Representation is a way to write a model, which keeps some of its variables and integrates out the other ones. All representations
// of a model have the same data and the same p(y).
type Representation struct {
	Name  string
	Scans float64 // about how many times as long a scan takes as one of the first representation
}

// Annealing returns the annealings of the data set in one of the representations of its model, of the number i from 0. Their exact draws are
// the same one, without the variables that are integrated out.
func (d *Data) Annealing(i int) Annealing { return d.represented[i] }

// lowRankRepresentations are those of low rank models. The collapsed one has the factor U integrated out.
func lowRankRepresentations() []Representation {
	return []Representation{{"uncollapsed", 1}, {"collapsed", 3}}
}

// representedLowRank returns the annealings of a low rank model in all of its representations, from an exact draw. The collapsed model, with
// its D^2 products of columns, is made where it is first asked for.
func representedLowRank(whole *latent.LowRank, exact *latent.LowRankState) []Annealing {
	collapsed := sync.OnceValues(func() (*latent.CollapsedLowRank, error) {
		m, err := latent.NewCollapsedLowRank(whole.Rows(), whole.Components(), exact.Hyper)
		if err != nil {
			return nil, err
		}
		m.Start(m.FromFull(exact))
		return m, nil
	})
	return []Annealing{
		annealing(func() estimators.Model[chains.RealChooser, *latent.LowRankState] { return whole.Fork() }),
		func(T int, d chains.Direction) (Estimator, error) {
			m, err := collapsed()
			if err != nil {
				return nil, err
			}
			return estimators.NewScheduledAnnealing(m.Fork(), Schedule(), T, d)
		},
	}
}

// Infer returns the annealings of any data under the model with K components whose hyperparameters are part of the state, with the priors
// that package latent says; those of the selector do not matter. There is no exact draw, so that nothing anneals in reverse.
//
// Source: Grosse, Ghahramani and Adams 2015, section 6.3, footnote 6.
func (m Model) Infer(y [][]float64) (Annealing, error) {
	switch m.Kind {
	case "clustering":
		return inferred[*latent.ClusteringState](latent.NewInferredClustering(y, m.K))
	case "lowrank":
		return inferred[*latent.LowRankState](latent.NewInferredLowRank(y, m.K))
	case "binary":
		return inferred[*latent.BinaryState](latent.NewInferredBinary(y, m.K))
	}
	return nil, fmt.Errorf("model %s has no form with unknown hyperparameters", m.Name)
}

// inferred returns the annealings of a model, or the error with which there is none.
func inferred[S any, M interface {
	estimators.Model[chains.RealChooser, S]
	Fork() M
}](m M, err error) (Annealing, error) {
	if err != nil {
		return nil, err
	}
	return annealing(func() estimators.Model[chains.RealChooser, S] { return m.Fork() }), nil
}
