package laws

import (
	"context"
	"errors"
	"fmt"
	"math"

	"breadboard/chains/estimators"
)

// Law is the exact law of the estimate that an estimator makes in one run.
type Law interface {
	// Moments returns the moments of the estimate that combines so many independent runs, by the estimator's Combination. It fails for
	// less than one run and for more than the law can combine: a million for a Sum, and a thousand million for the others.
	Moments(ctx context.Context, trials int) (Moments, error)
	// Above returns the probability that the estimate of one run is above at: log Z-hat > at, in nats. It fails where at is
	// NaN.
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

	near, rest float64 // Mean is their sum, where they are not both zero; near is log Z or close to it
}

// Bias returns Mean less log Z, which is given without the same constant, with the digits that the difference of the two may have lost.
func (m *Moments) Bias(logZ float64) float64 {
	if m.near == 0 && m.rest == 0 {
		return m.Mean - logZ
	}
	return m.near - logZ + m.rest
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

// spread sets the standard deviation of log Z-hat from its variance. Beside rounding the variance may be off by err, and so may the mean;
// the note says where that leaves them few digits.
func (m *Moments) spread(variance, err float64) {
	if m.SD = deviation(variance, err); math.IsNaN(m.SD) {
		m.Note = joined(m.Note, fmt.Sprintf("rounding has left no digits of the variance, %.1g", variance))
	}
	if err > mostError {
		m.Note = joined(m.Note, fmt.Sprintf("mean and variance may be off by %.1g", err))
	}
}

// mostError is the error of a mean, in nats, or of a variance, in square nats, above which a note says so.
const mostError = 1e-10

// leastVariance is the variance, in square nats, below which rounding alone may make one.
const leastVariance = 1e-14

// deviation returns the root of a variance, which may be off by err beside rounding. It is zero where the variance is negative by no more
// than that, and NaN where it is negative by more.
func deviation(variance, err float64) float64 {
	if variance < 0 && variance > -(leastVariance+err) {
		return 0
	}
	return math.Sqrt(variance)
}

// joined returns two notes as one.
func joined(a, b string) string {
	if a == "" {
		return b
	}
	return a + "; " + b
}

// checkTrials returns an error for what is no number of runs, or more of them than can be combined.
func checkTrials(trials, most int) error {
	if trials < 1 || trials > most {
		return fmt.Errorf("%d trials; give a whole number from 1 to %d", trials, most)
	}
	return nil
}

// checkThreshold returns an error for what is no threshold of log Z-hat.
func checkThreshold(at float64) error {
	if math.IsNaN(at) {
		return errors.New("the threshold of log Z-hat is NaN; give a number")
	}
	return nil
}
