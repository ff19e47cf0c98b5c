package estimators

import (
	"slices"

	"breadboard/chains"
	"breadboard/chains/errs"
)

// Sequential is sequential Monte Carlo along the data with one particle, or the same in reverse.
// Its estimate is the weight. Forward it is an unbiased estimate of Z; in reverse its reciprocal is
// an unbiased estimate of 1/Z.
//
//	forward: for t = 1..N: propose the latent variables of datum t, weigh, and make M scans.
//	reverse: an exact draw from the posterior of all data; for t = N..1: make the time reversals of the M scans, weigh,
//	         and drop datum t. The reversal of a scan makes the reversals of its moves in the opposite order.
//
// It is a chains.Process whose steps are single moves, so that package exact/program propagates a
// scan in time that is linear in states and moves.
//
// A model whose proposals draw z_1 from its posterior has no moves over the first datum (see
// Data.Moves).
//
// Source: Grosse, Ghahramani and Adams 2015, Algorithms 2 and 3 with one particle, in the order
// printed there.
type Sequential[C chains.Chooser, S comparable] struct {
	data      Data[C, S]
	proposal  Proposal
	sweeps    Sweeps
	direction chains.Direction
	// the number of steps up to and with those of each datum, in the order in which the data are
	// gone through
	ends []int
}

// NewSequential returns sequential Monte Carlo along the data.
func NewSequential[C chains.Chooser, S comparable](data Data[C, S], proposal Proposal,
	sweeps Sweeps) (*Sequential[C, S], error) {
	return buildSequential(data, proposal, sweeps, chains.Forward)
}

// NewReverseSequential returns sequential Monte Carlo back along the data, the sequential harmonic
// mean estimator.
func NewReverseSequential[C chains.Chooser, S comparable](data Data[C, S], proposal Proposal,
	sweeps Sweeps) (*Sequential[C, S], error) {
	return buildSequential(data, proposal, sweeps, chains.Reverse)
}

func buildSequential[C chains.Chooser, S comparable](data Data[C, S], proposal Proposal, sweeps Sweeps,
	d chains.Direction) (*Sequential[C, S], error) {
	if proposal != ProposePosterior && proposal != ProposePrior {
		return nil, errs.New("proposal %d; latent variables are proposed from their posterior or their prior",
			int(proposal))
	}
	if sweeps < Perfect || sweeps > MaxSweeps {
		return nil, errs.New("%d scans after a datum; give a whole number from 0 to %d, or perfect moves",
			int(sweeps), MaxSweeps)
	}
	e := &Sequential[C, S]{data: data, proposal: proposal, sweeps: sweeps, direction: d}
	total := 0
	for i := range data.Data() {
		total += 1 + e.moveSteps(e.datum(i))
		e.ends = append(e.ends, total)
	}
	return e, nil
}

// datum returns the number of the i-th datum that is gone through.
func (e *Sequential[C, S]) datum(i int) int {
	if e.direction == chains.Reverse {
		return e.data.Data() - i
	}
	return i + 1
}

// moveSteps returns the number of steps of the moves at datum t. A perfect move is two steps. The
// first forgets the state, so that all states before the second are merged.
func (e *Sequential[C, S]) moveSteps(t int) int {
	switch {
	case e.sweeps != Perfect:
		return int(e.sweeps) * e.data.Moves(t)
	case t == 1:
		return 0
	}
	return 2
}

// Steps implements chains.Process.
func (e *Sequential[C, S]) Steps() int { return e.ends[len(e.ends)-1] }

// Start implements chains.Process: no data forward, and an exact draw in reverse.
func (e *Sequential[C, S]) Start(c C) S {
	if e.direction == chains.Reverse {
		return e.data.Posterior(c, e.data.Data())
	}
	var none S
	return none
}

// Step implements chains.Process.
func (e *Sequential[C, S]) Step(c C, step int, s S) (next S, increment float64) {
	place, _ := slices.BinarySearch(e.ends, step)
	t := e.datum(place)
	moves := e.moveSteps(t)
	i := step - 1 - (e.ends[place] - (1 + moves)) // the step's number among those of the datum
	if e.direction == chains.Reverse {
		if i < moves {
			return e.reverseMove(c, t, i, s), 0
		}
		return e.data.Drop(t, e.proposal, s)
	}
	if i > 0 {
		return e.moveStep(c, t, i-1, s), 0
	}
	return e.data.Extend(c, t, e.proposal, s)
}

// moveStep makes step i of the moves at datum t.
func (e *Sequential[C, S]) moveStep(c C, t, i int, s S) S {
	if e.sweeps == Perfect {
		return e.renew(c, t, i)
	}
	return e.data.Move(c, t, i%e.data.Moves(t), s)
}

// reverseMove makes step i of the time reversals of the moves at datum t, the last of which is
// reversed first.
func (e *Sequential[C, S]) reverseMove(c C, t, i int, s S) S {
	if e.sweeps == Perfect {
		return e.renew(c, t, i)
	}
	n := e.data.Moves(t)
	return e.data.Back(c, t, n-1-i%n, s)
}

// renew makes step i of a perfect move, which is its own time reversal.
func (e *Sequential[C, S]) renew(c C, t, i int) (s S) {
	if i == 0 {
		return s
	}
	return e.data.Posterior(c, t)
}

// Estimate implements Estimator.
func (e *Sequential[C, S]) Estimate(c C) float64 {
	s := e.Start(c)
	total := 0.0
	for step := 1; step <= e.Steps(); step++ {
		var increment float64
		s, increment = e.Step(c, step, s)
		total += increment
	}
	return total
}

// Work implements Estimator. A perfect move is an exact draw, and an evaluation at what it draws.
func (e *Sequential[C, S]) Work() Work {
	n := e.data.Data()
	w := Work{}
	if e.direction == chains.Reverse {
		w = Work{Evaluations: 1, Exact: 1}
	}
	for t := 1; t <= n; t++ {
		if e.direction == chains.Reverse {
			w.Evaluations += e.data.DropWork(t, e.proposal)
		} else {
			w.Evaluations += e.data.ExtendWork(t, e.proposal)
		}
		switch {
		case e.sweeps != Perfect:
			w.Evaluations += float64(e.sweeps) * e.data.ScanWork(t)
		case t > 1:
			w = w.Plus(Work{Evaluations: 1, Exact: 1})
		}
	}
	return w
}

// Combination implements Estimator.
func (e *Sequential[C, S]) Combination() Combination { return combinationOf(e.direction) }
