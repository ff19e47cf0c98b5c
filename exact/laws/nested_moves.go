package laws

import (
	"context"
	"math"

	"breadboard/chains/estimators"
	"breadboard/exact/weights"
)

// NestedMoves is the law of nested sampling with two particles, where ties die together and the survivor's copy makes M moves by the
// kernel on the prior above the level of the dead.
//
// Two particles at one level L end the run with the estimate L. With x at a level L_j below that of y it is
//
//	(1-r) L_j + r R(x',y), x' ~ M moves from y above L_j,
//
// where R is the estimate of the pair (x',y), whose lower level is above L_j. It depends on x by its level alone. So the means, the
// numbers of copies and the transforms of all pairs follow from the likeliest pair down, the last on a grid of log t whose step
// divides log r. Everything is relative to the highest level.
type NestedMoves struct {
	moves    int
	moveWork float64  // evaluations of log f in a move
	pairs    *pairs   // without what is known of each
	start    pair     // two particles from the prior
	grid     *logGrid // their transform; nil where Z-hat may be zero
	note     string   // why nothing has been computed; empty elsewhere
}

// NewNestedMoves returns the law of nested sampling with two particles and so many moves. Zero workers stand for one for each
// processor. It fails for moves that NestedOptions.Validate refuses, where the kernel's rows cannot be found, and where it leads from
// above a level to below it.
//
// With n states, J levels, e entries of the kernel's rows and g points of the grid, some (60 + the range of log L in nats)/0.2, memory is
// some n J g/2 values, and time n^2 J g/3 + n J M e/3 products. Where that is above 2^27 values or 4e10 products nothing is computed, and
// Moments and Above say so in their notes.
func NewNestedMoves(ctx context.Context, t *Target, moves int, volume estimators.Volume, workers int) (*NestedMoves, error) {
	o := estimators.NestedOptions{Particles: 2, Ties: estimators.TiesTogether, Volume: volume, Moves: moves}
	if err := o.Validate(); err != nil {
		return nil, err
	}
	p := newPairs(t, moves, volume)
	e := &NestedMoves{moves: moves, moveWork: t.moveWork(), pairs: p}
	var err error
	if e.note, err = p.tooLarge(ctx); err != nil {
		return nil, err
	}
	if e.note != "" {
		return e, nil
	}
	if err := p.compute(ctx, workers); err != nil {
		return nil, err
	}
	e.start = p.start()
	p.ties, p.lower = nil, nil
	if p.grid != nil {
		e.grid = &logGrid{p.grid.first, p.grid.step, e.start.rise}
	}
	return e, nil
}

// Moments implements Law. For several runs, whose estimates are combined by the mean of their logarithms, log E Z-hat is trials
// log E R^(1/trials).
func (e *NestedMoves) Moments(_ context.Context, trials int) (Moments, error) {
	if err := checkTrials(trials, weights.MaxSamples); err != nil {
		return Moments{}, err
	}
	if e.note != "" {
		return Moments{Mean: math.NaN(), SD: math.NaN(), LogMean: math.NaN(), Method: MethodNone, Note: e.note}, nil
	}
	m := Moments{Mean: math.Inf(-1), SD: math.NaN(), LogMean: e.pairs.top + e.start.logMean, Method: MethodPairs}
	if e.grid == nil {
		m.Note = "both particles may have likelihood zero, and the estimate then is zero"
		if trials > 1 {
			m.LogMean, m.Note = math.NaN(), m.Note+"; log E Z-hat is known for one run only"
		}
		return m, nil
	}
	e.grid.moments(&m, e.pairs.top, e.start.logMean, trials)
	return m, nil
}

// Above implements Law by thresholds, as NestedExact.Above does, which move from pair to pair.
func (e *NestedMoves) Above(ctx context.Context, at float64) (Bracket, error) {
	if err := checkThreshold(at); err != nil {
		return Bracket{}, err
	}
	switch {
	case e.note != "":
		return Bracket{math.NaN(), math.NaN(), e.note}, ctx.Err()
	case at >= e.pairs.top:
		return Bracket{}, ctx.Err()
	case math.IsInf(at, -1):
		positive := 1 - e.pairs.bothZero()
		return Bracket{Low: positive, High: positive}, ctx.Err()
	}
	low, high, err := e.pairs.above(ctx, at-e.pairs.top, pairThresholdWork)
	return Bracket{Low: min(low, 1), High: min(max(low, high), 1)}, err
}

// Work implements Law: two particles from the prior, and M moves of each copy. It is NaN where the kernel does not say what its moves
// cost, and where nothing has been computed.
func (e *NestedMoves) Work() estimators.Work {
	switch {
	case e.moves == 0:
		return estimators.Work{Evaluations: 2}
	case e.note != "":
		return estimators.Work{Evaluations: math.NaN()}
	}
	return estimators.Work{Evaluations: 2 + float64(e.moves)*e.moveWork*e.start.copies}
}
