package smc

import (
	"context"
	"errors"
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/particle"
	"breadboard/exact"
)

// mostTuples is the number of entries that the law of particles may have in one column: a quarter of a gigabyte.
const mostTuples = 1 << 25

// engineOf returns the way to propagate the law of particles that are resampled at every stage, and nil where there is none.
func engineOf(n int, s Setting) engine {
	_, multinomial := s.Scheme.(particle.Multinomial)
	_, residual := s.Scheme.(particle.Residual)
	switch P := s.Particles; {
	case P == 2 && math.Pow(float64(n), 2) <= mostTuples/2:
		return newPairs(n, s.Scheme)
	case P == 3 && !multinomial && !residual && math.Pow(float64(n), 3) <= mostTuples:
		return newTriples(n, s.Scheme)
	case (P == 3 || P == 4) && (multinomial || residual) && multisetWork(n, P).entries <= mostTuples:
		return newMultisets(n, P, multinomial)
	case P > 4 && n <= 3 && multinomial && multisetsOf(P, n) <= mostCounts:
		return newCounts(n, P)
	case P > 4 && n <= 3 && residual && P <= mostResidual && multisetWork(n, P).operations <= mostResidualWork:
		return newMultisets(n, P, false)
	}
	return nil
}

// solveTiny returns the law of a setting for which there is no other route than to enumerate runs, where that is not too much
// work. why says what is in the way of the other routes, where it is not the setting.
func solveTiny(ctx context.Context, a *chains.Annealing, s Setting, o Options, why string) (*Law, error) {
	if why := tooWide(a); why != "" {
		return unknown(ctx, a, s, o, why)
	}
	j, err := EnumerateSMC(ctx, a, s.Particles, s.Scheme, s.Threshold, EnumerateOptions{})
	var large *TooLarge
	switch {
	case errors.As(err, &large):
		if why == "" {
			why = whyNot(a.States(), s, large)
		}
		return unknown(ctx, a, s, o, why)
	case err != nil:
		return nil, err
	}
	if o.Progress != nil {
		o.Progress(a.Distributions() - 1)
	}
	return lawOf(j, logZRatio(a)), nil
}

// tooWide says why nothing is known exactly where log f of the target spans more than plain probabilities hold; it is empty
// where it does not.
func tooWide(a *chains.Annealing) string {
	if span := Span(a, a.Distributions()); span > WidestEnumerated {
		return fmt.Sprintf("log f of the target spans %.6g nats, and more than %d are too much for plain probabilities", span, WidestEnumerated)
	}
	return ""
}

// WidestEnumerated is the largest range of log f of the target, in nats, for which runs are enumerated: the least probability is
// then a normal float64.
const WidestEnumerated = 650

// Span returns the range of log f_t in nats, its zeros apart.
func Span(a *chains.Annealing, t int) float64 {
	logf := make([]float64, a.States())
	a.LogF(logf, t)
	low, high := number.Bounds(logf)
	return high - low
}

// lawOf returns the law that enumeration gives.
func lawOf(j *Joint, logZ float64) *Law {
	l := &Law{
		Method: MethodEnumeration, LogRatio: j.LogRatio(), MeanLogZForward: j.MeanLogZForward(), MeanLogZConditional: j.MeanLogZConditional(),
		B: j.B(), LogZRatio: logZ, RelativeVariance: j.RelativeVariance(), Extinct: j.Extinct(),
	}
	l.KLQP, l.KLPQ, l.J = j.Divergences()
	mass := l.Extinct
	for _, q := range j.Q() {
		mass += q
	}
	l.Identities = []exact.Identity{exact.NewIdentity("total mass", mass, 1, exact.BaseTolerance)}
	return l
}

// whyNot says what would have to be smaller.
func whyNot(n int, s Setting, large *TooLarge) string {
	P := s.Particles
	runs := fmt.Sprintf("its runs come out in about %.1g ways, and %d are enumerated at most", large.Runs, large.Limit)
	if math.IsInf(large.Runs, 1) {
		runs = fmt.Sprintf("its runs come out in more than 1e308 ways, and %d are enumerated at most", large.Limit)
	}
	if s.Threshold < 1 {
		return fmt.Sprintf("weights that are carried on have no finite law (threshold %v), and %s; take fewer states or stages", s.Threshold, runs)
	}
	what := "sets of particles"
	tuples := multisetsOf(P, n)
	if _, multinomial := s.Scheme.(particle.Multinomial); !multinomial {
		if _, residual := s.Scheme.(particle.Residual); !residual && P > 2 {
			what, tuples = "rows of particles, which this scheme takes in order", math.Pow(float64(n), float64(P))
		}
	}
	return fmt.Sprintf("%d particles on %d states make %.3g %s, which would take %.3g GiB and more; up to 4 particles are propagated on few states, any number on 2 or 3, and %s",
		P, n, tuples, what, 8*maxColumns*tuples/(1<<30), runs)
}

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
