package sandwich

import "math"

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
