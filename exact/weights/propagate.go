package weights

import (
	"context"

	"breadboard/chains"
	"breadboard/exact/internal/stage"
)

// carrier is what a propagation over the stages carries with the law of the state: E[w^l; x], moments of the log weight,
// its law on a lattice, or E[w^s; x] at many frequencies. Package exact/program has the same four on single branches of
// any process; these do whole stages at once.
type carrier interface {
	// start takes over the law of the first state.
	start(first *stage.Density)
	// enter is told of each stage before it is tilted or moved through.
	enter(s *stage.Stage)
	// tilt takes the increments of the stage into account, by the state at hand.
	tilt(s *stage.Stage)
	// move takes the law through one move of the stage. A carrier may leave out the entries that float64 cannot hold.
	move(ctx context.Context, moves stage.Operator) error
	// over reports whether later stages can change nothing any more, after a step, counted from 2.
	over(step int) bool
}

// propagate takes a carrier through all stages in one direction. The increment of stage t belongs to x_{t-1}: forward that
// is the state before the move, in reverse the one after it. Before every stage it calls each, which may end it by an
// error. It takes one sweep of O(T entries) time, times what is carried.
func (p *problem) propagate(ctx context.Context, d chains.Direction, c carrier, each func(context.Context) error) error {
	s := stage.NewStage(p.Annealing)
	T := p.Annealing.Distributions()
	for step := 2; step <= T; step++ {
		if err := each(ctx); err != nil {
			return err
		}
		if err := s.Load(ctx, stage.StageOf(d, step, T)); err != nil {
			return err
		}
		if step == 2 {
			c.start(s.Origin(d))
		}
		c.enter(s)
		if d == chains.Forward {
			c.tilt(s)
		}
		for m := range s.Along(d) {
			if err := c.move(ctx, m.Along(d)); err != nil {
				return err
			}
		}
		if d == chains.Reverse {
			c.tilt(s)
		}
		if c.over(step) {
			return nil
		}
	}
	return nil
}

// contextError is the context's error.
func contextError(ctx context.Context) error { return ctx.Err() }

// lookEvery is the number of multiplications between two looks at the context within a move, some ten microseconds.
const lookEvery = 1 << 14
