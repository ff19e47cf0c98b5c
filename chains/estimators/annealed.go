package estimators

import (
	"errors"
	"math"

	"breadboard/chains"
	"breadboard/chains/errs"
)

// Annealed is annealed importance sampling from the prior to the posterior, or back. Its estimate
// is the weight of one chain. Forward it is an unbiased estimate of Z; in reverse its reciprocal is
// an unbiased estimate of 1/Z.
//
//	forward: x_1 from the prior; for t = 2..T: log w += log f_t(x_{t-1}) - log f_{t-1}(x_{t-1}), x_t by a move at place t.
//	reverse: x_T from the posterior; for t = T..2: x_{t-1} by the time reversal at place t, and the same log w of the path.
//
// Source: Neal 2001; Grosse, Ghahramani and Adams 2015, Algorithm 1, and Eqs. 28 and 29.
type Annealed[C chains.Chooser, S any] struct {
	model     Model[C, S]
	count     int                      // T
	place     func(t int) chains.Place // of distribution t, 1 <= t <= T
	direction chains.Direction
}

// NewAnnealed returns annealed importance sampling over T places, the first of them the prior's and
// the last the posterior's.
func NewAnnealed[C chains.Chooser, S any](model Model[C, S], places []chains.Place) (*Annealed[C, S], error) {
	return buildAnnealed(model, places, chains.Forward)
}

// NewReverseAnnealed returns annealed importance sampling in reverse, from an exact draw, over the
// same betas (places).
func NewReverseAnnealed[C chains.Chooser, S any](model Model[C, S],
	places []chains.Place) (*Annealed[C, S], error) {
	return buildAnnealed(model, places, chains.Reverse)
}

func buildAnnealed[C chains.Chooser, S any](model Model[C, S], places []chains.Place,
	d chains.Direction) (*Annealed[C, S], error) {
	if len(places) < 2 {
		return nil, errs.New("%d places; annealing takes at least two, the prior's and the posterior's", len(places))
	}
	if places[0].Beta != 0 || places[len(places)-1] != end() {
		return nil, errors.New("the first place is not the prior's at b = 0, or the last not the posterior's at b = 1")
	}
	kept := append([]chains.Place(nil), places...)
	return &Annealed[C, S]{model, len(kept), func(t int) chains.Place { return kept[t-1] }, d}, nil
}

// NewScheduledAnnealing returns annealed importance sampling in a direction over the T places of a
// schedule. Each place is computed when a chain reaches it, so that memory does not depend on T.
func NewScheduledAnnealing[C chains.Chooser, S any](model Model[C, S], schedule chains.Schedule, T int,
	d chains.Direction) (*Annealed[C, S], error) {
	if err := schedule.Validate(T); err != nil {
		return nil, err
	}
	place := func(t int) chains.Place {
		return chains.Place{Beta: schedule.Beta(t, T), Rest: schedule.Rest(t, T)}
	}
	if first, last := place(1), place(T); first.Beta != 0 || last != end() {
		return nil, errs.New("schedule %s begins at b = %v and ends at b = %v; annealing is from 0 to 1",
			schedule, first.Beta, last.Beta)
	}
	return &Annealed[C, S]{model, T, place, d}, nil
}

// Places returns the places of the distributions of an annealing.
func Places(a *chains.Annealing) []chains.Place {
	places := make([]chains.Place, a.Distributions())
	for i := range places {
		places[i] = a.Place(i + 1)
	}
	return places
}

// Estimate implements Estimator.
func (e *Annealed[C, S]) Estimate(c C) float64 {
	_, total := e.Chain(c)
	return total
}

// Chain simulates one chain, and returns its last state and its log weight in nats. For large T
// that state is nearly from the posterior (forward) or the prior (reverse). A chain whose weight
// has become zero, or in reverse infinite, ends there.
func (e *Annealed[C, S]) Chain(c C) (S, float64) {
	if e.direction == chains.Reverse {
		return e.reverseChain(c)
	}
	x := e.model.Prior(c)
	total := 0.0
	before := e.place(1)
	for t := 2; t <= e.count; t++ {
		place := e.place(t)
		step := e.model.LogStep(before, place, x)
		if math.IsInf(step, 0) {
			return x, step
		}
		total += step
		x = e.model.Move(c, place, x)
		before = place
	}
	return x, total
}

// reverseChain is Chain in reverse.
func (e *Annealed[C, S]) reverseChain(c C) (S, float64) {
	x := e.model.Posterior(c)
	total := 0.0
	place := e.place(e.count)
	for t := e.count; t > 1; t-- {
		x = e.model.Back(c, place, x)
		before := e.place(t - 1)
		step := e.model.LogStep(before, place, x)
		if math.IsInf(step, 0) {
			return x, step
		}
		total += step
		place = before
	}
	return x, total
}

// Work implements Estimator: an evaluation at the first state, and those of T - 1 moves. It assumes
// that log f_b is a function of log f_1 and log f_T, as on a geometric path.
func (e *Annealed[C, S]) Work() Work {
	w := Work{Evaluations: 1 + float64(e.count-1)*e.model.MoveWork()}
	if e.direction == chains.Reverse {
		w.Exact = 1
	}
	return w
}

// Combination implements Estimator.
func (e *Annealed[C, S]) Combination() Combination { return combinationOf(e.direction) }

// combinationOf returns how weights are combined: forward ones are unbiased, and in reverse those
// to the power -1.
func combinationOf(d chains.Direction) Combination {
	if d == chains.Reverse {
		return HarmonicMean
	}
	return ArithmeticMean
}
