package laws

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains/estimators"
	"breadboard/exact/weights"
)

// NewNestedLaw returns the law of nested sampling with any settings: that of NewNestedExact for exact draws, and that of NewNestedMoves
// for two particles that move. Of more particles that move no exact route is known, since the states of all of them matter: the law
// then has no numbers, and a note. It fails as these functions do.
func NewNestedLaw(ctx context.Context, t *Target, o estimators.NestedOptions, workers int) (Law, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	switch {
	case o.Ties != estimators.TiesTogether:
		return NewNestedExact(t, o.Particles, o.Ties, o.Volume)
	case o.Particles == 2:
		return NewNestedMoves(ctx, t, o.Moves, o.Volume, workers)
	}
	u := nestedUnknown{
		work: estimators.Work{Evaluations: math.NaN()},
		note: fmt.Sprintf("nested sampling with moves has an exact route for K = 2 particles only, and this has %d; take two, or exact draws", o.Particles),
	}
	if o.Moves == 0 {
		u.work.Evaluations = float64(o.Particles)
	}
	return u, nil
}

// nestedUnknown is the law of nested sampling where it is not known.
type nestedUnknown struct {
	work estimators.Work
	note string
}

// Moments implements Law.
func (u nestedUnknown) Moments(ctx context.Context, trials int) (Moments, error) {
	if err := checkTrials(trials, weights.MaxSamples); err != nil {
		return Moments{}, err
	}
	return Moments{Mean: math.NaN(), SD: math.NaN(), LogMean: math.NaN(), Method: MethodNone, Note: u.note}, ctx.Err()
}

// Above implements Law.
func (u nestedUnknown) Above(ctx context.Context, at float64) (Bracket, error) {
	if err := checkThreshold(at); err != nil {
		return Bracket{}, err
	}
	return Bracket{math.NaN(), math.NaN(), u.note}, ctx.Err()
}

// Work implements Law.
func (u nestedUnknown) Work() estimators.Work { return u.work }
