package estimators

import (
	"context"
	"fmt"
	"math"
	"slices"

	"breadboard/chains"
)

// Ascent is what a climb has come to.
type Ascent struct {
	Value  float64 // the estimate of log Z, in nats; -Inf where no better one is in reach of the start
	Sweeps int     // how often every factor, or every parameter, was set to its best value given the others
}

// plus returns the ascent with something added to its value, in nats. The value of an ascent that has failed means nothing.
func (a Ascent) plus(v float64) Ascent { return Ascent{a.Value + v, a.Sweeps} }

// Ascender is a method that climbs from a start that it draws to an estimate of log Z. It is for models of any size, whose starts cannot
// be enumerated as those of a Climber. An Ascender may be used by one goroutine.
type Ascender interface {
	// Ascend draws a start and climbs from there. It fails where the climb does not come to an end, or the context ends.
	Ascend(ctx context.Context, c chains.RealChooser) (Ascent, error)
	// Work returns what so many sweeps cost.
	Work(sweeps float64) Work
}

// Best climbs from so many starts, at least one, and returns the largest estimate and the sweeps of all ascents together. It fails where
// one of them does.
//
// Source: Grosse, Ghahramani and Adams 2015, section 6.2, where variational Bayes is run so.
func Best(ctx context.Context, c chains.RealChooser, a Ascender, restarts int) (Ascent, error) {
	if err := CheckRestarts(restarts); err != nil {
		return Ascent{}, err
	}
	return best(restarts, func() (Ascent, error) { return a.Ascend(ctx, c) })
}

// best returns the largest estimate of so many ascents, and all of their sweeps.
func best(restarts int, ascend func() (Ascent, error)) (Ascent, error) {
	all := Ascent{Value: math.Inf(-1)}
	for range restarts {
		a, err := ascend()
		if err != nil {
			return Ascent{}, err
		}
		all.Value = max(all.Value, a.Value)
		all.Sweeps += a.Sweeps
	}
	return all, nil
}

// HardStarts is the Ascender that starts a Climber from hard starts, which are drawn uniformly.
type HardStarts struct {
	climber Climber
	sides   []int
	start   []int
}

// NewHardStarts returns the ascents of a climber from random hard starts.
func NewHardStarts(climber Climber) *HardStarts {
	sides := climber.Sides()
	return &HardStarts{climber, sides, make([]int, len(sides))}
}

// Ascend implements Ascender.
func (h *HardStarts) Ascend(ctx context.Context, c chains.RealChooser) (Ascent, error) {
	return h.ascend(ctx, c)
}

// ascend draws a start and climbs from there.
func (h *HardStarts) ascend(ctx context.Context, c chains.Chooser) (Ascent, error) {
	for i, side := range h.sides {
		h.start[i] = c.Uniform(side)
	}
	return h.climber.Climb(ctx, h.start)
}

// Work implements Ascender.
func (h *HardStarts) Work(sweeps float64) Work { return h.climber.Work(sweeps) }

// GivenStart is the Ascender that starts a Climber from one hard start, such as the state that made the data.
type GivenStart struct {
	climber Climber
	start   []int
}

// NewGivenStart returns the ascents of a climber from a start, all of which are the same. It fails where the start is none.
func NewGivenStart(climber Climber, start []int) (*GivenStart, error) {
	sides := climber.Sides()
	if len(start) != len(sides) {
		return nil, fmt.Errorf("a start with %d choices; the ascent begins with %d", len(start), len(sides))
	}
	for i, v := range start {
		if v < 0 || v >= sides[i] {
			return nil, fmt.Errorf("choice %d of the start is %d; give one from 0 to %d", i, v, sides[i]-1)
		}
	}
	return &GivenStart{climber, slices.Clone(start)}, nil
}

// Ascend implements Ascender.
func (g *GivenStart) Ascend(ctx context.Context, _ chains.RealChooser) (Ascent, error) {
	return g.climber.Climb(ctx, g.start)
}

// Work implements Ascender.
func (g *GivenStart) Work(sweeps float64) Work { return g.climber.Work(sweeps) }

// maxSweeps bounds the sweeps of an ascent.
const maxSweeps = 100_000

// ascend makes sweeps until the value that a sweep returns, and whether it has changed anything, say that it was the last one. It returns
// the value of that one.
func ascend(ctx context.Context, sweep func() (value float64, moved bool), last func(value float64, moved bool) bool) (Ascent, error) {
	var a Ascent
	for a.Sweeps < maxSweeps {
		if ctx.Err() != nil {
			return Ascent{}, context.Cause(ctx)
		}
		value, moved := sweep()
		a = Ascent{value, a.Sweeps + 1}
		if math.IsNaN(value) {
			return Ascent{}, fmt.Errorf("the ascent came to no number in sweep %d; the variances and the squares of the data differ by too many orders of magnitude for floating-point numbers", a.Sweeps)
		}
		if last(value, moved) {
			return a, nil
		}
	}
	return Ascent{}, fmt.Errorf("the ascent has not come to an end after %d sweeps; it is slow where two clusters or attributes begin to part, at one ratio of the variances, and where the noise of a low-rank model is small", maxSweeps)
}
