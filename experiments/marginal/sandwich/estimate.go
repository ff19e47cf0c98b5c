package sandwich

import (
	"context"
	"fmt"
	"math"
	"time"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/simulate"
	"breadboard/experiments/subject"
)

// Estimate is the result of one trial, in nats. Numbers that an estimator does not have are NaN.
type Estimate struct {
	LogZ float64
	// LogZSymmetric is the bound of variational Bayes with log K! added, for the K! labellings of
	// the components.
	LogZSymmetric float64
	// Nested sampling: LogZ has the volumes of Grosse, Ghahramani and Adams (2015) and the stop 1 +
	// 1e-10.
	LogZUnbiased      float64 // with the mean volumes
	LogZEarly         float64 // with the volumes of LogZ, and the stop 1 + exp(-10)
	LogZUnbiasedEarly float64
	Steps, StepsEarly float64
	Work              float64 // evaluations of log f, as package chains/estimators counts them
	Seconds           float64 // wall-clock time
}

// nothing returns an estimate with all numbers NaN.
func nothing() Estimate {
	nan := math.NaN()
	return Estimate{nan, nan, nan, nan, nan, nan, nan, nan, nan}
}

// Estimate makes trial number i of an estimator with a knob on a data set that was drawn before.
// Apart from the seconds, the result depends only on the arguments.
func (s Set) Estimate(ctx context.Context, data *Data, by Choice, knob, i int) (Estimate, error) {
	if knob < by.Least {
		return Estimate{}, errs.New("%s with %s = %d; %s must be at least %d",
			by.Name, by.Knob, knob, by.Knob, by.Least)
	}
	purpose := fmt.Sprintf("%s of data set %d of %s with %s = %d", by.Name, s.Number, s.purpose(), by.Knob, knob)
	run, err := by.make(data.problem(), knob)
	if err != nil {
		return Estimate{}, err
	}
	c := chains.NewSampler(simulate.NewStream(s.Seed, purpose, i))
	return timed(ctx, func() (Estimate, error) { return run(ctx, c) })
}

// timed makes an estimate and measures its time. If the context ends first, it returns the
// context's error at once, and the estimate is lost.
func timed(ctx context.Context, estimate func() (Estimate, error)) (Estimate, error) {
	return subject.Unless(ctx, func() (out Estimate, err error) {
		began := time.Now()
		out, err = estimate()
		out.Seconds = time.Since(began).Seconds()
		return out, err
	})
}

// Seconds returns the estimated time of a trial, on one core of the machine of the README.
func (s Set) Seconds(by Choice, knob int) float64 {
	return by.seconds(s.Model.pace(s.size()), s.size(), knob)
}
