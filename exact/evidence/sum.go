package evidence

import (
	"context"
	"fmt"
	"math"

	estimators "breadboard/chains/evidence"
)

// Sum is the law of an estimate that is made of a sum: log Z-hat = shift + log V, or shift - log V, where V is the mean of K terms,
// divided by its own mean. The terms are of independent draws, or of the places of a chain. It is found once, when the Sum is made; its
// methods take far less time, and many goroutines may use it.
//
// Means and variances of log Z-hat are right to about 1e-13 of their sizes for sums of some hundred terms. Along a chain, each place
// adds a few roundings of 1e-16.
type Sum struct {
	shift       float64
	sign        float64 // of log V in log Z-hat
	runs        float64 // how many independent sums, each with the transform of the table, one run has
	table       *sumTable
	zero        float64 // the probability of S = 0
	logMean     float64 // log E Z-hat of one run
	reciprocal  *sumTable
	combination estimators.Combination
	work        estimators.Work
	note        string
	tail        tail
}

// tail is what knows how likely large sums are.
type tail interface {
	// atLeast returns bounds on the probability that V is at least v, which is given by its logarithm.
	atLeast(ctx context.Context, logV float64) (low, high float64, err error)
	// limits says why the bounds are not nearer.
	limits() string
}

// Work implements Law.
func (s *Sum) Work() estimators.Work { return s.work }

// Moments implements Law. Up to 1,000,000 trials can be combined.
func (s *Sum) Moments(_ context.Context, trials int) (Moments, error) {
	if trials < 1 || trials > mostTrials {
		return Moments{}, fmt.Errorf("%d trials; give a whole number from 1 to %d", trials, mostTrials)
	}
	m := Moments{LogMean: s.logMean, Method: MethodTransform, Note: s.note}
	n := float64(trials)
	if s.combination == estimators.HarmonicMean {
		m.LogMean = s.logMeanHarmonic(n)
	}
	if s.zero > 0 {
		m.Mean, m.SD = s.sign*math.Inf(-1), math.NaN()
		zero := math.Pow(s.zero, n)
		if trials > 1 && s.combination == estimators.HarmonicMean {
			m.Note = fmt.Sprintf("%s; that all %d are so has probability %.6g", s.note, trials, zero)
		}
		return m, nil
	}
	var mean, variance, err float64
	switch {
	case trials > 1 && s.reciprocal != nil:
		mean, variance, err = s.reciprocal.moments(n)
		m.Mean = s.logMean + mean
	default:
		mean, variance, err = s.table.moments(s.runs * n)
		m.Mean = s.shift + s.sign*mean
	}
	m.SD = deviation(variance)
	if err > 1e-10 {
		m.Note = joined(m.Note, fmt.Sprintf("mean and variance may be off by %.1g", err))
	}
	return m, nil
}

// logMeanHarmonic returns log E Z-hat of the harmonic mean of so many runs.
func (s *Sum) logMeanHarmonic(trials float64) float64 {
	if s.zero > 0 {
		return math.Inf(1)
	}
	return s.shift + s.table.logMeanReciprocal(s.runs*trials)
}

// rounding is the variance, in square nats, below which rounding alone may make one.
const rounding = 1e-14

// deviation returns the root of a variance, and zero for one that rounding has made negative.
func deviation(variance float64) float64 {
	if variance < 0 && variance > -rounding {
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
