package evidence

import (
	"errors"
	"fmt"
	"math"

	"breadboard/chains"
)

// Annealed is annealed importance sampling from the prior to the posterior, or back. Its estimate is the weight of one chain:
// forward an unbiased estimate of Z, and in reverse one over it an unbiased estimate of 1/Z.
//
//	forward: x_1 from the prior; for t = 2..T: log w += log f_t(x_{t-1}) - log f_{t-1}(x_{t-1}), x_t by a move at place t.
//	reverse: x_T from the posterior; for t = T..2: x_{t-1} by the time reversal at place t, and the same log w of the path.
//
// Source: Neal 2001; Grosse, Ghahramani and Adams 2015, Algorithm 1, and Eqs. 28 and 29.
type Annealed[C chains.Chooser, S any] struct {
	model     Model[C, S]
	places    []chains.Place
	direction chains.Direction
}

// NewAnnealed returns annealed importance sampling over T places, the first of them the prior's and the last the posterior's.
func NewAnnealed[C chains.Chooser, S any](model Model[C, S], places []chains.Place) (*Annealed[C, S], error) {
	return newAnnealed(model, places, chains.Forward)
}

// NewReverseAnnealed returns annealed importance sampling in reverse, from an exact draw, over the same places.
func NewReverseAnnealed[C chains.Chooser, S any](model Model[C, S], places []chains.Place) (*Annealed[C, S], error) {
	return newAnnealed(model, places, chains.Reverse)
}

func newAnnealed[C chains.Chooser, S any](model Model[C, S], places []chains.Place, d chains.Direction) (*Annealed[C, S], error) {
	if len(places) < 2 {
		return nil, fmt.Errorf("%d places; annealing takes at least two, the prior's and the posterior's", len(places))
	}
	if places[0].Beta != 0 || places[len(places)-1] != end() {
		return nil, errors.New("the first place is not the prior's at b = 0, or the last not the posterior's at b = 1")
	}
	return &Annealed[C, S]{model, append([]chains.Place(nil), places...), d}, nil
}

// Places returns the places of the distributions of an annealing.
func Places(a *chains.Annealing) []chains.Place {
	places := make([]chains.Place, a.Distributions())
	for i := range places {
		places[i] = a.Place(i + 1)
	}
	return places
}

// Estimate implements Estimator. A chain whose weight has become zero, or in reverse infinite, ends there.
func (e *Annealed[C, S]) Estimate(c C) float64 {
	if e.direction == chains.Reverse {
		return e.back(c)
	}
	x, total := e.model.Prior(c), 0.0
	for t, place := range e.places[1:] {
		step := e.model.LogStep(e.places[t], place, x)
		if math.IsInf(step, 0) {
			return step
		}
		total += step
		x = e.model.Move(c, place, x)
	}
	return total
}

// back is Estimate in reverse.
func (e *Annealed[C, S]) back(c C) float64 {
	x, total := e.model.Posterior(c), 0.0
	for t := len(e.places) - 1; t > 0; t-- {
		x = e.model.Back(c, e.places[t], x)
		step := e.model.LogStep(e.places[t-1], e.places[t], x)
		if math.IsInf(step, 0) {
			return step
		}
		total += step
	}
	return total
}

// Work implements Estimator: an evaluation at the first state, and those of T - 1 moves. That log f_b is a function of log f_1 and
// log f_T, as on a geometric path, is taken for granted.
func (e *Annealed[C, S]) Work() Work {
	w := Work{Evaluations: 1 + float64(len(e.places)-1)*e.model.MoveWork()}
	if e.direction == chains.Reverse {
		w.Exact = 1
	}
	return w
}

// Combination implements Estimator.
func (e *Annealed[C, S]) Combination() Combination { return combinationOf(e.direction) }

// combinationOf returns how weights are combined: forward ones are unbiased, and in reverse those to the power -1.
func combinationOf(d chains.Direction) Combination {
	if d == chains.Reverse {
		return HarmonicMean
	}
	return ArithmeticMean
}
