package sandwich

import (
	"context"
	"fmt"
	"math"
	"time"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/chains/simulate"
	"breadboard/experiments"
)

// Estimate is what one trial comes to, in nats. What an estimator does not have is NaN.
type Estimate struct {
	LogZ float64
	// LogZSymmetric is the bound of variational Bayes with log K! added, for the ways to name the components.
	LogZSymmetric float64
	// Nested sampling: LogZ has the paper's volumes and the stop 1 + 1e-10.
	LogZUnbiased      float64 // with the volumes of means
	LogZEarly         float64 // with the paper's volumes, and the stop 1 + exp(-10)
	LogZUnbiasedEarly float64
	Steps, StepsEarly float64
	Work              float64 // evaluations of log f, as package chains/estimators counts them
	Seconds           float64 // on the clock
}

// nothing returns an estimate of which nothing is known.
func nothing() Estimate {
	nan := math.NaN()
	return Estimate{nan, nan, nan, nan, nan, nan, nan, nan, nan}
}

// Estimate makes trial number i of an estimator with a knob on a data set, which was drawn before. What it returns depends on nothing but its
// arguments, the seconds apart.
func (s Set) Estimate(ctx context.Context, data *Data, by Choice, knob, i int) (Estimate, error) {
	if knob < by.Least {
		return Estimate{}, fmt.Errorf("%s with %s = %d; %s is at least %d", by.Name, by.Knob, knob, by.Knob, by.Least)
	}
	purpose := fmt.Sprintf("%s of data set %d of %s with %s = %d", by.Name, s.Number, s.purpose(), by.Knob, knob)
	run, err := by.make(data.problem(), knob)
	if err != nil {
		return Estimate{}, err
	}
	c := chains.NewSampler(simulate.NewStream(s.Seed, purpose, i))
	return timed(ctx, func() (Estimate, error) { return run(trial{ctx, c}) })
}

// timed makes an estimate and measures its seconds. If the context ends first it returns the context's error at once, and the estimate
// is lost.
func timed(ctx context.Context, estimate func() (Estimate, error)) (Estimate, error) {
	return experiments.Unless(ctx, func() (out Estimate, err error) {
		began := time.Now()
		out, err = estimate()
		out.Seconds = time.Since(began).Seconds()
		return out, err
	})
}

// Seconds returns about how long a trial takes, on one core of the machine of the README.
func (s Set) Seconds(by Choice, knob int) float64 {
	return by.seconds(s.Model.pace(s.size()), s.size(), knob)
}

// Trials make trials of an estimator, one after another. Only one goroutine may use them.
type Trials func(ctx context.Context, c chains.RealChooser) (Estimate, error)

// TrialsOn returns trials of an estimator with a knob on any model with its data, the same as on a data set that was drawn. It fails for
// the estimators that climb, vb and bic: their methods are no part of a model's states.
func TrialsOn[S comparable](by Choice, knob int, model Sampled[S], along estimators.Data[chains.RealChooser, S]) (Trials, error) {
	none := func() (estimators.Ascender, error) {
		return nil, fmt.Errorf("%s is not known of a model that is given by its states", by.Name)
	}
	run, err := by.make(typed[S]{model, along, climbs{vb: none, fit: none}}, knob)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, c chains.RealChooser) (Estimate, error) { return run(trial{ctx, c}) }, nil
}

// trial is what one trial is made with.
type trial struct {
	ctx context.Context
	c   chains.RealChooser
}
