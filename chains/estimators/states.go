package estimators

import "breadboard/chains"

// states are K states one after another: independent exact draws, or the places of a chain under the posterior.
type states[C chains.Chooser, S any] struct {
	next func(c C, i int, before S) S // the state at place i, 0 <= i < K
	work Work                         // of all K, with log f at each
}

// independent returns K exact draws from the posterior.
func independent[C chains.Chooser, S any](model Model[C, S], k int) states[C, S] {
	return states[C, S]{next: func(c C, _ int, _ S) S { return model.Posterior(c) }, work: Work{Evaluations: float64(k), Exact: float64(k)}}
}

// chain returns the K places of a chain that moves at b = 1. The first state is drawn by first, which makes so many exact draws.
func chain[C chains.Chooser, S any](model Model[C, S], k int, first func(C) S, exact float64) states[C, S] {
	return states[C, S]{
		next: func(c C, i int, before S) S {
			if i == 0 {
				return first(c)
			}
			return model.Move(c, end(), before)
		},
		work: Work{Evaluations: 1 + float64(k-1)*model.MoveWork(), Exact: exact},
	}
}
