package sandwich

import (
	"context"
	"fmt"
	"sync"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/toys/latent"
)

// Annealing makes annealed importance sampling over T distributions in a direction. Only one
// goroutine may use the result; another goroutine may use the next one.
type Annealing func(T int, d chains.Direction) (Estimator, error)

// annealing returns the annealings of a model; fork copies the model for each of them.
func annealing[S any](fork func() estimators.Model[chains.RealChooser, S]) Annealing {
	return func(T int, d chains.Direction) (Estimator, error) {
		return estimators.NewScheduledAnnealing(fork(), Schedule(), T, d)
	}
}

// Run anneals once with its own random numbers, and measures the time. Apart from the seconds, the
// result depends only on the arguments.
func (a Annealing) Run(ctx context.Context, c chains.RealChooser, T int,
	d chains.Direction) (Estimate, error) {
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

// Representation is a way to write a model: it keeps some of the variables and integrates out the
// others. All representations of a model have the same data and the same p(y).
type Representation struct {
	Name  string
	Scans float64 // approximate time of a scan, relative to the first representation
}

// Annealing returns the annealings of the data set in representation i of its model, from 0. All
// representations share the exact draw, without the variables that are integrated out.
func (d *Data) Annealing(i int) Annealing { return d.represented[i] }

// lowRankRepresentations are those of low rank models. The collapsed one has the factor U
// integrated out.
func lowRankRepresentations() []Representation {
	return []Representation{{"uncollapsed", 1}, {"collapsed", 3}}
}

// representedLowRank returns the annealings of a low rank model in all of its representations, from
// an exact draw. The collapsed model, with its D^2 products of columns, is made when it is first
// needed.
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

// Infer returns the annealings of any data under the model with K components whose hyperparameters
// are part of the state, with the priors of package latent; those of the selector are not used.
// There is no exact draw, so that nothing anneals in reverse.
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

// inferred returns the annealings of a model, or the error for a model that has none.
func inferred[S any, M interface {
	estimators.Model[chains.RealChooser, S]
	Fork() M
}](m M, err error) (Annealing, error) {
	if err != nil {
		return nil, err
	}
	return annealing(func() estimators.Model[chains.RealChooser, S] { return m.Fork() }), nil
}
