package evidence

import (
	"context"
	"fmt"

	"breadboard/chains"
	"breadboard/exact/laws"
	"breadboard/experiments/subject"
	"breadboard/experiments/verdicts"
)

// Program makes estimates of log Z, in nats, without access to the states of a toy. It may draw
// real numbers.
type Program interface {
	Estimate(c chains.RealChooser) float64
}

// Claim is the claim that a program has the distribution of an estimator on the target of a case.
type Claim struct {
	Case      subject.Case
	Estimator string                  // a selector, for Parse
	Setting   int                     // of the estimator, such as K or T; ignored if the selector has its own setting
	New       func() (Program, error) // returns the program, for one goroutine
}

// CheckClaims tests runs of every program against the claimed distribution, by e-processes like
// those of Check, with a false alarm probability of at most o.Alpha over all of them. Of the
// options it uses only Runs, Workers, Seed, Alpha and Progress.
func CheckClaims(ctx context.Context, claims []Claim, o CheckOptions) ([]Finding, error) {
	if err := o.ValidateTests(); err != nil {
		return nil, err
	}
	return o.each(ctx, len(claims), func(ctx context.Context, i int, threshold float64) ([]Finding, error) {
		claim := &claims[i]
		s, err := newSubject(ctx, &claim.Case, claim.Estimator, claim.Setting)
		if err == nil {
			s.purpose, s.runs = "claim", func(context.Context) (func(chains.Sampler) float64, error) {
				p, err := claim.New()
				return func(c chains.Sampler) float64 { return p.Estimate(c) - s.Offset }, err
			}
			err = s.examineRuns(ctx, &o, threshold)
		}
		if err != nil {
			return nil, aboutToy(&claim.Case, fmt.Errorf("estimator %s: %w", claim.Estimator, err))
		}
		return s.findings, nil
	})
}

// newSubject returns an estimator with a setting on the target of a case, to be tested against its
// distribution.
func newSubject(ctx context.Context, on *subject.Case, estimator string, setting int) (*checked, error) {
	t, err := newTarget(ctx, on)
	if err != nil {
		return nil, err
	}
	c, err := Parse(estimator)
	if err != nil {
		return nil, err
	}
	if c.given {
		setting = c.smallest
	}
	e, err := c.estimatorOn(ctx, t, setting)
	if err != nil {
		return nil, err
	}
	return &checked{plan: plan{target: t, Choice: c, setting: setting, combination: e.Combination()}}, nil
}

// Expectation is the exact distribution of one estimate of an estimator, relative to log Z.
type Expectation struct {
	Name    string           // the estimator's selector in canonical form
	Events  []verdicts.Event // about log Zhat - log Z
	LogMean float64          // log E Zhat - log Z in nats; NaN or infinite if there is none
	Values  []float64        // the only values of log Zhat - log Z, in ascending order; nil if they are not listed
}

// Expect returns the expectation of an estimator on the target of a case if its selector decides
// all settings, like ns:100. The names of the events are about log Zhat + shift, in nats, where log
// Zhat estimates log(Z_T/Z_1). It fails if the target has no such estimator, or if its distribution
// is not known.
func Expect(ctx context.Context, on *subject.Case, selector string, shift float64, workers int) (*Expectation, error) {
	c, err := Parse(selector)
	if err != nil {
		return nil, err
	}
	s, err := newSubject(ctx, on, selector, c.smallest)
	if err != nil {
		return nil, aboutToy(on, err)
	}
	if c.fixed == nil || !c.fixed(s.target) {
		return nil,
			fmt.Errorf("the distribution of %s depends on a setting that the selector does not have, for example %s; give all settings, as in ns:100", c.Name,
				c.settings(s.target, c.smallest))
	}
	if s.law, err = s.lawOf(ctx, s.target, s.setting, workers); err != nil {
		return nil, aboutToy(on, fmt.Errorf("the distribution of %s: %w", c.Name, err))
	}
	m, err := s.law.Moments(ctx, 1)
	if err != nil {
		return nil, err
	}
	events, note, err := s.levels(ctx, m, s.LogZ, -s.Offset-shift)
	if err != nil {
		return nil, err
	}
	if len(events) == 0 {
		return nil, aboutToy(on, fmt.Errorf("no probability of the distribution of %s is known: %s", c.Name, note))
	}
	values := laws.Values(s.law)
	for i := range values {
		values[i] -= s.LogZ
	}
	return &Expectation{c.Name, events, m.LogMean - s.LogZ, values}, nil
}
