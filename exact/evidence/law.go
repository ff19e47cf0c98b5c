package evidence

import (
	"context"

	estimators "breadboard/chains/evidence"
)

// Law is the exact law of the estimate that an estimator makes in one run.
type Law interface {
	// Moments returns the moments of the estimate that combines so many independent runs, by the estimator's Combination.
	Moments(ctx context.Context, trials int) (Moments, error)
	// Above returns the probability that the estimate of one run is above at: log Z-hat > at.
	Above(ctx context.Context, at float64) (Bracket, error)
	// Work returns the mean work of a run.
	Work() estimators.Work
}

// Moments are the moments of log Z-hat, in nats. A constant that the target's annealing has taken out of log Z (Target.Offset) is
// left out of Mean and LogMean.
type Moments struct {
	Mean    float64 // E log Z-hat; -Inf where the estimate may be zero, and +Inf where it may be infinite
	SD      float64 // the standard deviation of log Z-hat; NaN where it may be infinite
	LogMean float64 // log E Z-hat
	Method  Method
	Note    string // why a moment is not there (it is then NaN), or how many digits are left
}

// Method says how a law was found.
type Method string

// The methods.
const (
	MethodClosed      Method = "closed form"
	MethodTransform   Method = "transform"   // E exp(-tS) of a sum S, at many t
	MethodAnnealing   Method = "annealing"   // the law of the log weight of annealing
	MethodPropagation Method = "propagation" // state by state over growing spaces
	MethodPairs       Method = "pairs"       // pairs of particles, from the likeliest down
	MethodStarts      Method = "starts"      // every start of a deterministic method
	MethodNone        Method = "none"
)

// Bracket holds a probability that is known to lie between two numbers, which are equal where it is known exactly but for
// rounding. Both are NaN where no exact route exists; Note then says what would have to be smaller.
type Bracket struct {
	Low, High float64
	Note      string
}
