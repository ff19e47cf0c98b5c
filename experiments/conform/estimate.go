package conform

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"breadboard/experiments/conform/estimates"
	"breadboard/experiments/conform/samples"
)

// Estimates says what is claimed of estimates of Z, which is Z_T/Z_1, or Z_T where log Z_1 is included (see
// Options.LogZIncluded).
type Estimates struct {
	Claim estimates.Claim
	// Largest is the largest possible value of log Zhat in nats, and Smallest the least, where they are known; NaN where they
	// are not. For the claim of no bias the largest is then that of averages of products of the annealing's own increments.
	Largest, Smallest float64
}

// EstimatesOutcome is what was found of estimates of Z.
type EstimatesOutcome struct {
	Source  string
	Claim   estimates.Claim
	LogZ    float64 // the exact value, in nats
	Summary estimates.Summary
}

// estimating takes estimates of Z.
type estimating struct {
	source samples.Source
	test   *estimates.Test
	rows   int
	ended  bool
}

// addEstimates sets up the test of estimates of Z.
func (c *checker) addEstimates(ctx context.Context, source samples.Source, o Estimates) error {
	if source == nil {
		return nil
	}
	on, err := c.newEstimates(ctx, o)
	if err != nil {
		return err
	}
	e := &estimating{source: source, test: on}
	c.estimates = e
	c.tests = append(c.tests, &test{
		Result: Result{Test: "estimates of Z are " + string(o.Claim)}, draws: func() int { return e.rows },
		value: func() (float64, func() string) { return on.LogE(), on.Where },
		idle:  on.Idle,
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

func (c *checker) newEstimates(ctx context.Context, o Estimates) (*estimates.Test, error) {
	logZ := c.logZ()
	known := func(v float64, otherwise float64) float64 {
		if math.IsNaN(v) {
			return otherwise
		}
		return v
	}
	switch o.Claim {
	case estimates.Unbiased:
		largest, err := estimates.LargestWeight(ctx, c.task.Case.Annealing())
		if err != nil {
			return nil, c.task.Case.Wrong(err)
		}
		return estimates.NewUnbiased(logZ, known(o.Largest, largest+logZ-c.task.LogZRatio()))
	case estimates.Lower:
		return estimates.NewLower(logZ)
	case estimates.Upper:
		return estimates.NewUpper(logZ)
	case estimates.LowerOnAverage:
		return estimates.NewLowerOnAverage(logZ, known(o.Smallest, math.Inf(-1)))
	case estimates.UpperOnAverage:
		return estimates.NewUpperOnAverage(logZ, known(o.Largest, math.Inf(1)))
	}
	return nil, fmt.Errorf("the claim %q; there are %q", o.Claim, estimates.Claims())
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
		}
		if err := e.test.AddRounded(b.LogZ, e.source.Precision().Rounding); err != nil {
			return fmt.Errorf("%s: %w", e.source.Name(), err)
		}
		e.rows += b.Rows
		c.report(b.Rows)
	}
	return nil
}

func (e *estimating) outcome(c *checker) *EstimatesOutcome {
	return &EstimatesOutcome{e.source.Name(), e.test.Claim(), c.logZ(), e.test.Summary()}
}
