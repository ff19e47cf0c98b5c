package smc

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/exact"
)

// solveNever returns the law of particles that are never resampled.
func solveNever(ctx context.Context, a *chains.Annealing, s Setting, o Options) (*Law, error) {
	if s.Particles > MaxParticles {
		return unknown(ctx, a, s, o, fmt.Sprintf("%d particles; at most %d are taken that are never resampled", s.Particles, MaxParticles))
	}
	if why := tooWide(a); why != "" {
		return unknown(ctx, a, s, o, why)
	}
	side, err := NewNever(ctx, a, s.Particles, max(1, o.Workers))
	if err != nil {
		return nil, err
	}
	one, err := relativeVariance(ctx, a, 1, Options{Workers: o.Workers})
	if err != nil {
		return nil, err
	}
	if o.Progress != nil {
		o.Progress(a.Distributions() - 1)
	}
	l := &Law{
		Method: MethodIntegral, LogRatio: append([]float64(nil), side.LogRatio()...), MeanLogZForward: side.MeanLogZForward,
		MeanLogZConditional: side.MeanLogZConditional, B: side.B, LogZRatio: side.LogZRatio,
		RelativeVariance: one / float64(s.Particles), Extinct: side.Extinct(),
	}
	if side.Note != "" {
		l.note("%s", side.Note)
		l.J, l.KLQP, l.KLPQ = math.NaN(), math.NaN(), math.NaN()
		return l, nil
	}
	l.diverge(l.LogRatio, side.Deviation(), side.logP)
	var mass number.Sum
	for x, v := range side.logP {
		if math.IsInf(v, -1) {
			l.LogRatio[x] = math.NaN()
			continue
		}
		mass.Add(math.Exp(v) * (1 + side.Deviation()[x]))
	}
	l.Identities = []exact.Identity{exact.NewIdentity("total mass", mass.Value()+l.Extinct, 1, exact.IdentityTolerance(a.Distributions())+2*side.Error)}
	if l.Extinct > 0 {
		l.note("the mean of log Zhat is -Inf in runs and B is +Inf: with probability %.10g all weights are zero, and there is no output; J is that of the runs that survive", l.Extinct)
	}
	return l, nil
}
