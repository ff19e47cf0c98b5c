package evidence

import (
	"context"
	"math"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/exact/laws"
)

// above returns the bracket of P(log Z-hat > at) for the estimate that combines so many independent ones, given the law of one.
//
// Means of K draws, combined, are the mean of all draws, so that the law is that of the estimator with trials times K of them. The
// largest of several estimates is above at unless none of them is. Of other combinations no exact route is known.
func (p *plan) above(ctx context.Context, law laws.Law, trials int, at float64, workers int) (laws.Bracket, error) {
	switch {
	case trials == 1:
		return law.Above(ctx, at)
	case p.pooled && p.setting <= estimators.MaxDraws/trials:
		all, err := p.lawOf(ctx, p.target, trials*p.setting, workers)
		if err != nil {
			return noBracket(ctx, err)
		}
		return all.Above(ctx, at)
	case p.combination == estimators.Maximum:
		one, err := law.Above(ctx, at)
		one.Low, one.High = anyOf(trials, one.Low), anyOf(trials, one.High)
		return one, err
	}
	return laws.Bracket{Low: math.NaN(), High: math.NaN(), Note: "P(log Zhat > log Z + b) is known for single estimates, but not for those that are combined in this way"}, nil
}

// noBracket returns a bracket whose note says why nothing is known, or the error where it is of another kind.
func noBracket(ctx context.Context, err error) (laws.Bracket, error) {
	if ctx.Err() != nil || chains.IsFault(err) {
		return laws.Bracket{}, err
	}
	return laws.Bracket{Low: math.NaN(), High: math.NaN(), Note: "P(log Zhat > log Z + b) is not known: " + err.Error()}, nil
}

// anyOf returns the probability that any of n independent events of probability p occurs, with its digits where p is small.
func anyOf(n int, p float64) float64 { return -math.Expm1(float64(n) * math.Log1p(-p)) }
