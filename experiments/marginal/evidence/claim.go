package evidence

import (
	"context"
	"fmt"

	"breadboard/chains"
	"breadboard/exact/laws"
	"breadboard/experiments"
	"breadboard/experiments/checks/eprocess"
)

// Program makes estimates of log Z, in nats, as an estimator does that knows nothing of the states of a toy. It may draw real numbers.
type Program interface {
	Estimate(c chains.RealChooser) float64
}

// Claim says that a program has the distribution of an estimator on the target of a case.
type Claim struct {
	Case      experiments.Case
	Estimator string                  // a selector, for Parse
	Setting   int                     // of the estimator, such as K or T; what Parse names with a setting of its own does not use it
	New       func() (Program, error) // returns the program, for one goroutine
}

// CheckClaims tests runs of every program against the distribution that it claims, as Check does with the estimators of this package: by
// e-processes, over all of which a false alarm has probability at most o.Alpha. It uses the numbers of runs and workers, the seed, Alpha and
// Progress of the options alone.
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

// newSubject returns an estimator with a setting on the target of a case, which is to be held to its law.
func newSubject(ctx context.Context, on *experiments.Case, estimator string, setting int) (*subject, error) {
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
	return &subject{plan: plan{target: t, Choice: c, setting: setting, combination: e.Combination()}}, nil
}

// Expectation is what the exact distribution of an estimator says of one estimate, relative to log Z.
type Expectation struct {
	Name    string           // the estimator's selector in canonical form
	Events  []eprocess.Event // about log Zhat - log Z
	LogMean float64          // log E Zhat - log Z in nats; NaN or infinite if there is none
	Values  []float64        // the only values of log Zhat - log Z, in ascending order; nil if they are not listed
}

// Expect returns the expectation of an estimator on the target of a case, where its selector decides all settings, as ns:100 does. The
// names of the events are about log Zhat + shift, in nats, where log Zhat estimates log(Z_T/Z_1). It fails if the target has no such
// estimator, and if its distribution is not known.
func Expect(ctx context.Context, on *experiments.Case, selector string, shift float64, workers int) (*Expectation, error) {
	c, err := Parse(selector)
	if err != nil {
		return nil, err
	}
	s, err := newSubject(ctx, on, selector, c.smallest)
	if err != nil {
		return nil, aboutToy(on, err)
	}
	if c.fixed == nil || !c.fixed(s.target) {
		return nil, fmt.Errorf("the distribution of %s depends on a setting, %s for example, that the selector does not have; give one that decides all settings, as ns:100 does", c.Name, c.settings(s.target, c.smallest))
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
