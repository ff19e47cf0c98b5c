package conform

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"gonum.org/v1/gonum/floats"

	"breadboard/chains/number"
	"breadboard/experiments/eprocess"

	"breadboard/experiments/samples"
)

// Estimates says what is claimed of estimates of Z, which is Z_T/Z_1, or Z_T where log Z_1 is included (see
// Options.LogZIncluded).
type Estimates struct {
	Claim eprocess.Claim
	// Largest is the largest possible value of log Zhat in nats, and Smallest the least, where they are known; NaN where they
	// are not. For the claim of no bias the largest is then that of averages of products of the annealing's own increments.
	Largest, Smallest float64
}

// EstimatesOutcome is what was found of estimates of Z.
type EstimatesOutcome struct {
	Source  string
	Claim   eprocess.Claim
	LogZ    float64 // the exact value, in nats
	Summary eprocess.Summary
	Says    string // the claim in words, after "the estimates"
	// Detectable is nil where nothing can be said.
	Detectable *Detectable
	Guarantees []Guarantee // which deviations of probabilities a pass rules out, where the claim is about some
}

// Detectable says which wrong means of estimates would have been found, as an indication: it takes the estimates that were read, with
// another constant so that they are right, for the law of a right estimator.
type Detectable struct {
	// Low and High are logs of means in nats, or means of logs for claims on average. Estimates that scatter as those that were read,
	// with a mean of Low or less or of High or more, would have been found with the probability eprocess.Found at least. They are -Inf
	// and +Inf where no such mean would have been found, as none on the side where a bound holds.
	Low, High float64
	Taken     int // how many estimates were taken for the law, the first ones
}

// mostTaken is the largest number of estimates that are taken for the law of an estimator.
const mostTaken = 1024

// estimating takes estimates of Z.
type estimating struct {
	source samples.Source
	claim  Claimed
	test   *eprocess.Test
	rows   int
	ended  bool
	first  []float64 // the first estimates
}

// addEstimates sets up the test of estimates of Z.
func (c *checker) addEstimates(ctx context.Context, source samples.Source, o Estimates) error {
	if source == nil {
		return nil
	}
	claim, err := ParseClaim(o.Claim)
	if err != nil {
		return err
	}
	on, err := claim.test(ctx, about{&c.task.Case, c.logZ(), c.task.LogZRatio(), o.Largest, o.Smallest, c.Workers})
	if err != nil {
		return err
	}
	e := &estimating{source: source, claim: claim, test: on}
	c.estimates = e
	c.tests = append(c.tests, &test{
		Result: Result{Test: "estimates of Z " + claim.Says}, draws: func() int { return e.rows },
		value: func() (float64, func() string) { return on.LogE(), on.Where }, idle: on.Idle,
	})
	return nil
}

// logZ returns log Z as estimates have it.
func (c *checker) logZ() float64 {
	if c.LogZIncluded {
		return c.task.LogZT
	}
	return c.task.LogZRatio()
}

// readTo reads until there are so many estimates, or the source ends.
func (e *estimating) readTo(ctx context.Context, c *checker, rows int) error {
	for e.rows < rows && !e.ended {
		b, err := e.source.Next(ctx, min(rows-e.rows, maxBatch))
		switch {
		case errors.Is(err, io.EOF) && e.rows == 0:
			return fmt.Errorf("%s: there are no estimates in it", e.source.Name())
		case errors.Is(err, io.EOF):
			e.ended = true
			return nil
		case err != nil:
			return err
		case b.LogZ == nil:
			return fmt.Errorf("%s: it has no column log_z, which estimates need", e.source.Name())
		case e.claim.Errors && b.SE == nil:
			return fmt.Errorf("%s: it has no column se, the standard errors of log_z, which the claim %q is about", e.source.Name(), e.claim.Name)
		}
		if err := e.add(b); err != nil {
			return fmt.Errorf("%s: %w", e.source.Name(), err)
		}
		e.first = append(e.first, b.LogZ[:min(len(b.LogZ), mostTaken-len(e.first))]...)
		e.rows += b.Rows
		c.report(b.Rows)
	}
	return nil
}

// add has the test take estimates.
func (e *estimating) add(b *samples.Batch) error {
	if e.claim.Errors {
		return e.test.AddWithErrors(b.LogZ, b.SE, e.source.Precision().Rounding)
	}
	return e.test.AddRounded(b.LogZ, e.source.Precision().Rounding)
}

func (e *estimating) outcome(c *checker) *EstimatesOutcome {
	return &EstimatesOutcome{Source: e.source.Name(), Claim: e.claim.Name, Says: e.claim.Says, LogZ: c.logZ(), Summary: e.test.Summary()}
}

// guarantees returns which deviations of probabilities would have been found.
func (e *estimating) guarantees(c *checker) (out []Guarantee) {
	for _, d := range e.test.Deviations(c.logThreshold(0)) {
		g := Guarantee{Test: "estimates of Z", Quantity: "P(" + d.Name + ")", Draws: d.Draws, Right: d.P.Value, Low: d.Low, High: d.High}
		g.diverge(d.P.Value)
		out = append(out, g)
	}
	return out
}

// detectable returns which wrong means would have been found. It is nil where nothing was tested, and where the first estimates have no
// finite mean that could be put right.
func (e *estimating) detectable(c *checker) (*Detectable, error) {
	mean := meanClaimed(e.test.Claim(), e.first)
	if !eprocess.OfMeans(e.claim.Name) || e.test.Idle() || math.IsNaN(mean) || math.IsInf(mean, 0) {
		return nil, nil
	}
	law := eprocess.Law{Values: make([]float64, len(e.first)), P: make([]float64, len(e.first))}
	for i, v := range e.first {
		law.Values[i], law.P[i] = v-mean+c.logZ(), 1/float64(len(e.first))
	}
	low, high, err := e.test.Detectable(law, e.rows, c.logThreshold(0), 1-eprocess.Found)
	return &Detectable{c.logZ() + low, c.logZ() + high, len(e.first)}, err
}

// meanClaimed returns the mean that a claim is about: the log of the mean, minus the log of the mean of inverses for an upper bound, or the
// mean of logs for claims on average.
func meanClaimed(claim eprocess.Claim, logZ []float64) float64 {
	switch claim {
	case eprocess.LowerOnAverage, eprocess.UpperOnAverage:
		return floats.Sum(logZ) / float64(len(logZ))
	case eprocess.Upper:
		turned := make([]float64, len(logZ))
		for i, v := range logZ {
			turned[i] = -v
		}
		return -number.LogMean(turned)
	}
	return number.LogMean(logZ)
}
