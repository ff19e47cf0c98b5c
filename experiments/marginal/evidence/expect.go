package evidence

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sort"

	"breadboard/chains/errs"
	"breadboard/exact/laws"
	"breadboard/exact/weights"
	"breadboard/experiments/subject"
	"breadboard/experiments/verdicts"
)

// planOn returns an estimator with a setting on the target of a case.
func planOn(ctx context.Context, on *subject.Case, estimator string, setting int) (*plan, error) {
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
	return &plan{target: t, Choice: c, setting: setting, combination: e.Combination()}, nil
}

// Expectation is the exact distribution of one estimate of an estimator, relative to log Z.
type Expectation struct {
	Name    string           // the estimator's selector in canonical form
	Events  []verdicts.Event // about log Zhat - log Z
	LogMean float64          // log E Zhat - log Z in nats; NaN or infinite if there is none
	// the only values of log Zhat - log Z, in ascending order; nil if they are not listed
	Values []float64
}

// Expect returns the expectation of an estimator on the target of a case if its selector decides
// all settings, like ns:100. The names of the events are about log Zhat + shift, in nats, where log
// Zhat estimates log(Z_T/Z_1). It fails if the target has no such estimator, or if its distribution
// is not known.
func Expect(ctx context.Context, on *subject.Case, selector string, shift float64,
	workers int) (*Expectation, error) {
	c, err := Parse(selector)
	if err != nil {
		return nil, err
	}
	s, err := planOn(ctx, on, selector, c.smallest)
	if err != nil {
		return nil, aboutToy(on, err)
	}
	if c.fixed == nil || !c.fixed(s.target) {
		return nil,
			errs.New("the distribution of %s depends on a setting that the selector does not have, for example "+
				"%s; give all settings, as in ns:100",
				c.Name,
				c.settings(s.target, c.smallest))
	}
	law, err := s.lawOf(ctx, s.target, s.setting, workers)
	if err != nil {
		return nil, aboutToy(on, fmt.Errorf("the distribution of %s: %w", c.Name, err))
	}
	m, err := law.Moments(ctx, 1)
	if err != nil {
		return nil, err
	}
	events, note, err := s.levels(ctx, law, m, s.LogZ, -s.Offset-shift)
	if err != nil {
		return nil, err
	}
	if len(events) == 0 {
		return nil, aboutToy(on, fmt.Errorf("no probability of the distribution of %s is known: %s", c.Name, note))
	}
	values := laws.Values(law)
	for i := range values {
		values[i] -= s.LogZ
	}
	return &Expectation{c.Name, events, m.LogMean - s.LogZ, values}, nil
}

// closeTo returns the rounding error that a log estimate may have, in nats.
func closeTo(v float64) float64 {
	if math.IsInf(v, 0) {
		return 0
	}
	return 1e-9 * (1 + math.Abs(v))
}

// levelsAroundZ and levelsAroundMean are the levels, in nats from log Z and in standard deviations
// from the mean. They are no round numbers, so that no estimate is likely to equal a level.
func levelsAroundZ() []float64    { return []float64{-1.01, -0.29, 0.31, 1.03} }
func levelsAroundMean() []float64 { return []float64{-1.93, -0.97, -0.41, 0.43, 0.95, 1.91} }

// levels returns, for levels whose probabilities are known, the events that a log estimate is at
// most the level. Log estimates and their names are relative to a number. If no probability is
// known there are none, and the note of the distribution has the reason.
func (p *plan) levels(ctx context.Context, law laws.Law, m laws.Moments,
	relative, named float64) (list []verdicts.Event, note string, err error) {
	places := []float64{}
	for _, by := range levelsAroundZ() {
		places = append(places, p.LogZ+by)
	}
	if !math.IsNaN(m.Mean) && !math.IsInf(m.Mean, 0) {
		spread := max(m.SD, closeTo(m.Mean))
		for _, by := range levelsAroundMean() {
			places = append(places, m.Mean+by*spread)
		}
	}
	sort.Float64s(places)
	for _, x := range slices.Compact(places) {
		above, err := law.Above(ctx, x)
		if err != nil {
			return nil, "", err
		}
		note = above.Note
		if !math.IsNaN(above.Low) {
			list = append(list, verdicts.Event{
				Name: fmt.Sprintf("log Z-hat <= %.6g", x-named),
				Low:  math.Inf(-1),
				High: x - relative,
				P:    below(above),
			})
		}
	}
	return list, note, nil
}

// below returns bounds on the probability of an estimate that is not above a level, from those of
// one that is. Certain events stay certain.
func below(above laws.Bracket) weights.Bracket {
	p := weights.Bracket{Low: 1 - min(1, above.High+lawRounding), High: 1 - max(0, above.Low-lawRounding)}
	if above.High == 0 {
		p.Low = 1
	}
	if above.Low == 1 {
		p.High = 0
	}
	p.Value = p.Low + (p.High-p.Low)/2
	return p
}

// lawRounding is the rounding error of bounds on a probability.
const lawRounding = 1e-12
