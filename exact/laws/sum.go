package laws

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains/estimators"
)

// Sum is the law of an estimate that is made of a sum: log Z-hat = shift + log V, or shift - log V, where V is the mean of K terms,
// divided by its own mean. The terms are of independent draws, or of the places of a chain. Its transform is
// found when the Sum is made. Its methods take far less time, but for the first call of Moments for more than one trial of the
// Chib-Murray-Salakhutdinov estimator, which takes about as long. Many goroutines may use it.
//
// Means and variances of log Z-hat are right to about 1e-13 of their sizes for sums of some hundred terms. Along a chain, each place
// adds a few roundings of 1e-16.
type Sum struct {
	shift       float64
	sign        float64 // of log V in log Z-hat
	runs        float64 // how many independent sums, each with the transform of the table, one run has
	table       *sumTable
	zero        float64          // the probability of S = 0
	logMean     float64          // log E Z-hat of one run
	reciprocal  *reciprocalTable // nil where runs are combined by their sums
	combination estimators.Combination
	work        estimators.Work
	note        string
	digits      float64 // how many decimal digits the differences of the terms have; +Inf where the terms are held by these
	tail        tail
	draws       *independentTerms // the same where the terms are of independent draws; else nil
}

// allDigits is the number of digits below which a note says how many there are.
const allDigits = 10

// digitsOf returns how many decimal digits the differences of some terms from their mean have where the terms have those of float64, and
// some operations were made with them. The terms are given by their logarithms.
func digitsOf(logV []float64) float64 {
	farthest := 0.0
	for _, l := range logV {
		farthest = max(farthest, math.Abs(math.Expm1(l)))
	}
	if farthest == 0 {
		return math.Inf(1) // all are equal, and the estimate is certain
	}
	return math.Log10(farthest / 0x1p-50)
}

// tail is what knows how likely large sums are.
type tail interface {
	// support returns bounds on log V that are attained or may be.
	support() (lowest, highest float64)
	// atLeast returns bounds on the probability that V is at least v, given log v and how far that may be off.
	atLeast(ctx context.Context, logV, slack float64) (low, high float64, err error)
	// exact reports whether the bounds are equal but for rounding, and quick to find.
	exact() bool
	// limits says why the bounds are not nearer.
	limits() string
}

// Work implements Law.
func (s *Sum) Work() estimators.Work { return s.work }

// Moments implements Law. Up to 1,000,000 trials can be combined.
func (s *Sum) Moments(ctx context.Context, trials int) (Moments, error) {
	if err := checkTrials(trials, mostTrials); err != nil {
		return Moments{}, err
	}
	m := Moments{LogMean: s.logMean, Method: MethodTransform, Note: s.note}
	n := float64(trials)
	if s.combination == estimators.HarmonicMean {
		m.LogMean = s.logMeanHarmonic(n)
	}
	if s.zero > 0 {
		m.Mean, m.SD = s.sign*math.Inf(-1), math.NaN()
		if trials > 1 {
			m.Note = joined(s.note, fmt.Sprintf("all of %d trials are so with probability %.6g", trials, math.Pow(s.zero, n)))
		}
		return m, nil
	}
	var mean, variance, err float64
	switch {
	case trials > 1 && s.reciprocal != nil:
		table, failed := s.reciprocal.get(ctx, s.table)
		if failed != nil {
			return Moments{}, failed
		}
		mean, variance, err = table.moments(n)
		m.near, m.rest = s.logMean, mean
	default:
		mean, variance, err = s.table.moments(s.runs * n)
		m.near, m.rest = s.shift, s.sign*mean
	}
	m.Mean = m.near + m.rest
	switch {
	case s.digits < 1:
		m.Note = joined(m.Note, "the terms of the estimate differ by no more than rounding, and bias and standard deviation have no digits")
	case s.digits < allDigits:
		m.Note = joined(m.Note, fmt.Sprintf("the terms of the estimate differ so little that about %.0f digits of bias and standard deviation are left", math.Floor(s.digits)))
	}
	m.spread(variance, err)
	return m, nil
}

// logMeanHarmonic returns log E Z-hat of the harmonic mean of so many runs.
func (s *Sum) logMeanHarmonic(trials float64) float64 {
	if s.zero > 0 {
		return math.Inf(1)
	}
	return s.shift + s.table.logMeanReciprocal(s.runs*trials)
}
