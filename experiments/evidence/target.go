package evidence

import (
	"context"
	"errors"
	"fmt"
	"math"

	"breadboard/chains"
	estimators "breadboard/chains/evidence"
	"breadboard/chains/schedules"
	laws "breadboard/exact/evidence"
	"breadboard/experiments"
	"breadboard/experiments/placement"
)

// target is a case with what all its estimators share.
type target struct {
	*laws.Target
	on        *experiments.Case
	placement placement.Placement // of the distributions between prior and posterior
	fixed     bool                // the schedule has a length of its own
}

// newTarget returns the target of a case. It fails where the kernel cannot serve estimators, and where the likelihood is zero for every
// state that the prior draws.
func newTarget(ctx context.Context, c *experiments.Case) (*target, error) {
	a := c.Annealing()
	t := &target{Target: laws.NewTarget(a), on: c}
	if _, err := t.model(); err != nil {
		return nil, err
	}
	possible := false
	for x, p := range t.Prior {
		possible = possible || p > 0 && !math.IsInf(t.LogL[x], -1)
	}
	if !possible {
		return nil, errors.New("the likelihood is zero for every state that the prior draws, so that Z = 0; give a target that shares states with the initial distribution")
	}
	family, err := placement.Parse(c.Param("schedule"))
	if err != nil {
		return nil, err
	}
	t.fixed = family.OwnLength
	t.placement, err = family.On(ctx, a.Path(), a.Transitions())
	return t, err
}

// model returns a model for one goroutine.
func (t *target) model() (*estimators.Finite, error) { return estimators.NewFinite(t.Annealing) }

// annealing returns the annealing over T distributions on the centred path, and over as many as the schedule has where that says so
// itself.
func (t *target) annealing(ctx context.Context, T int) (*chains.Annealing, error) {
	schedule, err := t.placement.Place(ctx, T)
	if err != nil {
		return nil, err
	}
	if points, own := schedule.(*schedules.Points); own {
		T = points.Len()
	}
	return chains.NewAnnealingBy(t.Annealing.Path(), schedule, t.Annealing.Transitions(), T)
}

// wrong returns an error about the target, with its name in front.
func wrong(c *experiments.Case, err error) error {
	return fmt.Errorf("toy %s: %w", c.Toy.Name, c.Toy.Explain(err))
}
