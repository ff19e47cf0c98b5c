package evidence

import (
	"context"
	"math"

	estimators "breadboard/chains/evidence"
	laws "breadboard/exact/evidence"
)

// above returns the probability that the estimate which combines so many runs is above at. For several runs it is known of the largest,
// and where all draws of all runs count alike, so that they are one run with as many draws.
func (p *plan) above(ctx context.Context, law laws.Law, trials int, at float64, workers int) (laws.Bracket, error) {
	switch {
	case trials == 1:
		return law.Above(ctx, at)
	case p.combination == estimators.Maximum:
		one, err := law.Above(ctx, at)
		one.Low, one.High = ofAny(one.Low, trials), ofAny(one.High, trials)
		return one, err
	case p.pooled && p.setting <= estimators.MaxDraws/trials:
		all, err := p.lawOf(ctx, p.target, p.setting*trials, workers)
		if err != nil {
			return laws.Bracket{}, err
		}
		return all.Above(ctx, at)
	}
	return laws.Bracket{Low: math.NaN(), High: math.NaN(), Note: "p_above_1 of combined estimates is not computed; trials = 1 has that of one"}, nil
}

// ofAny returns the probability that at least one of so many independent events happens, each of which has probability p.
func ofAny(p float64, trials int) float64 { return -math.Expm1(float64(trials) * math.Log1p(-p)) }
