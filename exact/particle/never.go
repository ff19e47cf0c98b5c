package particle

import (
	"context"
	"math"

	"breadboard/chains"
	"breadboard/exact"
)

// solveNever returns the law of particles that are never resampled. Where the integrals are not known to enough digits it
// enumerates runs, if that is not too much work.
func solveNever(ctx context.Context, a *chains.Annealing, s Setting, o Options) (*Law, error) {
	side, err := NewNever(ctx, a, s.Particles, max(1, o.Workers))
	if err != nil {
		return nil, err
	}
	if side.Note != "" {
		l, err := solveTiny(ctx, a, s, o)
		if err == nil && l.Method == MethodNone {
			l.note("%s", side.Note)
		}
		return l, err
	}
	l := &Law{
		Method: MethodIntegral, LogRatio: append([]float64(nil), side.logRatio...), Extinct: side.extinct, LogZRatio: side.LogZRatio,
		MeanLogZForward: side.MeanLogZForward, MeanLogZConditional: side.MeanLogZConditional, B: side.MeanLogZConditional - side.MeanLogZForward,
	}
	l.diverge(side.logRatio, side.deviation, side.logP)
	mass := l.Extinct
	for x, v := range side.logP {
		if math.IsInf(v, -1) {
			l.LogRatio[x] = math.NaN()
			continue
		}
		mass += math.Exp(v + side.logRatio[x])
	}
	l.Identities = []exact.Identity{exact.NewIdentity("total mass", mass, 1, exact.BaseTolerance)}
	if math.IsInf(l.MeanLogZForward, -1) {
		l.note("the mean of log Zhat is -Inf: all weights become zero with probability %.6g", l.Extinct)
	}
	if math.IsInf(l.MeanLogZConditional, 1) {
		l.note("the conditional mean of log Zhat is +Inf: a path back from an output may come to states that no run is in")
	}
	spread, _, err := RelativeVariances(ctx, a, []int{1}, o)
	if err != nil {
		return nil, err
	}
	l.RelativeVariance = spread[0] / float64(s.Particles) // Zhat is the mean of independent weights
	return l, nil
}
