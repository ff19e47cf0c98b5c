package evidence

import (
	"context"
	"fmt"

	"breadboard/experiments"
	"breadboard/experiments/eprocess"
)

// Expectation is what the exact law of an estimator says of one estimate, relative to log Z.
type Expectation struct {
	Name    string           // the estimator's selector in canonical form
	Events  []eprocess.Event // about log Zhat - log Z
	LogMean float64          // log E Zhat - log Z in nats; NaN or infinite where there is none
}

// Expect returns the expectation of an estimator on the target of a case, where its selector decides all settings, as ns:100 does. The
// names of the events are about log Zhat + shift, in nats, where log Zhat estimates log(Z_T/Z_1). It fails where the target has no such
// estimator, and where its law is not known.
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
		return nil, fmt.Errorf("the law of %s depends on a setting, %s for example, that the selector does not have; give one that decides all settings, as ns:100 does", c.Name, c.settings(s.target, c.smallest))
	}
	if s.law, err = s.lawOf(ctx, s.target, s.setting, workers); err != nil {
		return nil, aboutToy(on, fmt.Errorf("the law of %s: %w", c.Name, err))
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
		return nil, aboutToy(on, fmt.Errorf("no probability of the law of %s is known: %s", c.Name, note))
	}
	return &Expectation{c.Name, events, m.LogMean - s.LogZ}, nil
}
