package experiments

import (
	"context"
	"math"
	"slices"

	"breadboard/chains/number"
	"breadboard/chains/sites"
	"breadboard/toys/networks"
)

// Goal is the target of an annealing on factors as what an optimiser climbs.
type Goal struct {
	Whole *sites.Model // its log f is that of all factors, those of the start too
	Based bool         // whether log f of the chains (sites.Crowd) lacks some of them
	Scale float64      // no sum of logarithms of some of the factors is larger in absolute value (nats); zeros left aside
}

// Goal returns the target.
func (f *Factored) Goal() (g Goal, err error) {
	whole := *f
	whole.base, whole.rest = nil, append(slices.Clone(f.base), f.rest...)
	g.Based = f.base != nil
	g.Whole, err = whole.model()
	for _, factor := range whole.rest {
		largest := 0.0
		for _, v := range factor.Values {
			if v > 0 {
				largest = max(largest, math.Abs(number.Log(v)))
			}
		}
		g.Scale += largest
	}
	return g, err
}

// Best returns the largest log f of the whole target (nats), by elimination. Where the tables do not fit it is NaN, and wide says why.
func (f *Factored) Best(ctx context.Context, g Goal) (best float64, wide, err error) {
	found, err := f.Query.Infer(ctx, networks.Outputs{Best: true})
	if wide, err = tooWide(err); wide != nil || err != nil {
		return math.NaN(), wide, err
	}
	return g.Whole.LogF(func(v int) uint8 { return uint8(found.Best[f.free[v]]) }), nil, nil
}
