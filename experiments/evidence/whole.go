package evidence

import (
	"context"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/exact/laws"
)

// wholeEstimator and wholeLaw take the constant that centring takes out of log Z also out of estimates that are made of the model
// itself, so that all rows treat it alike.
type wholeEstimator struct {
	estimators.Estimator[chains.Chooser]
	offset float64
}

// Estimate implements estimators.Estimator.
func (e *wholeEstimator) Estimate(c chains.Chooser) float64 {
	return e.Estimator.Estimate(c) - e.offset
}

type wholeLaw struct {
	laws.Law
	offset float64
}

// Moments implements laws.Law.
func (l *wholeLaw) Moments(ctx context.Context, trials int) (laws.Moments, error) {
	m, err := l.Law.Moments(ctx, trials)
	m.Mean -= l.offset
	m.LogMean -= l.offset
	return m, err
}

// Above implements laws.Law.
func (l *wholeLaw) Above(ctx context.Context, at float64) (laws.Bracket, error) {
	return l.Law.Above(ctx, at+l.offset)
}
