package smc

import (
	"context"
	"errors"
	"math"
	"slices"

	"breadboard/chains/number"
	"breadboard/chains/particle"
)

// MethodPaths is the method of SolveFilter, beside MethodEnumeration and MethodNone: along each
// path, the distribution of the other particles.
const MethodPaths Method = "paths"

// mostSolved bounds the products of SolveFilter, some ten seconds. A transition of the particles, a
// mean weight for each of them, and a probability that is kept, count as that many products.
const (
	mostSolved     = 1 << 31
	transitionCost = 32
	meanCost       = 32
	entryCost      = 112 // some 0.9 GB is the most
)

// SolveFilter returns the distribution of a particle filter: along all paths for one particle and
// for multinomial resampling at every stage, otherwise by enumeration of all runs. If that takes
// too much, only log Z is known, and a note gives the reason. LogZRatio is log Z. It fails with
// ErrImpossible if Z = 0.
func SolveFilter(ctx context.Context, f particle.Filter, s Setting, workers int) (*Law, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	stages, start, logZ, err := stagesOf(ctx, f, s.Particles)
	if err != nil {
		return nil, err
	}
	total := number.LogTotal(particle.LogTargets(f))
	if span := spanOf(stages); s.Particles > 1 && span > WidestEnumerated ||
		!(math.Abs(logZ-total) <= 1e-12*(span+math.Abs(total)+1)) {
		return unknownLaw(total,
			"the log weights of the stages span %.6g nats, and more than %d are too much for plain probabilities",
			span, WidestEnumerated), nil
	}
	if s.Particles > 1 {
		if !s.EveryStage() {
			return enumeratedFilter(ctx, f, s, total)
		}
		if cost := costOfPaths(f, stages, start, s.Particles); cost > mostSolved {
			return unknownLaw(total,
				"%d particles take %.2g products, and the limit is %.2g; take fewer particles, or simulate",
				s.Particles, cost,
				float64(mostSolved)), nil
		}
	}
	l, err := NewFilter(ctx, f, s.Particles, workers)
	if err != nil {
		return nil, err
	}
	law := &Law{
		Method:              MethodPaths,
		LogRatio:            l.logRatio,
		MeanLogZForward:     l.MeanLogZForward,
		MeanLogZConditional: l.MeanLogZConditional,
		B:                   l.MeanLogZConditional - l.MeanLogZForward,
		LogZRatio:           total,
		RelativeVariance:    math.NaN(),
		Extinct:             l.extinct,
	}
	law.diverge(l.logRatio, l.deviation, l.logP)
	return law, nil
}

// spanOf returns the sum over the stages of the range of the log weights.
func spanOf(stages []stageOfFilter) (sum float64) {
	for _, s := range stages {
		finite := slices.DeleteFunc(slices.Clone(s.logw), func(l float64) bool { return math.IsInf(l, 0) })
		low, high := number.Bounds(finite)
		sum += max(0, high-low)
	}
	return sum
}

// costOfPaths bounds the products that the distribution of several particles takes.
func costOfPaths(f particle.Filter, stages []stageOfFilter, start branch, particles int) float64 {
	lumped, _, class := lump(stages, start)
	entries, cost := filterCost(newPathTree(f, class), lumped, particles-1)
	for _, s := range lumped {
		cost += meanCost * float64(particles*len(s.logw)) * Multisets(particles-1, len(s.logw))
	}
	return max(cost, transitionCost*countSteps(lumped, particles), entryCost*entries)
}

// enumeratedFilter returns the distribution by enumeration.
func enumeratedFilter(ctx context.Context, f particle.Filter, s Setting, logZ float64) (*Law, error) {
	alg, err := particle.NewSMC(f, s.Particles, s.Scheme, s.Threshold)
	if err != nil {
		return nil, err
	}
	j, err := Enumerate(ctx, alg, particle.LogTargets(f), EnumerateOptions{Constant: 1})
	var large *TooLarge
	if errors.As(err, &large) {
		return unknownLaw(logZ, "%v", err), nil
	} else if err != nil {
		return nil, err
	}
	return lawOf(j, logZ), nil
}

// unknownLaw returns a distribution of which log Z alone is known, with the reason.
func unknownLaw(logZ float64, why string, args ...any) *Law {
	nan := math.NaN()
	l := &Law{
		Method:              MethodNone,
		J:                   nan,
		KLQP:                nan,
		KLPQ:                nan,
		MeanLogZForward:     nan,
		MeanLogZConditional: nan,
		B:                   nan,
		LogZRatio:           logZ,
		RelativeVariance:    nan,
		Extinct:             nan,
	}
	l.note(why, args...)
	return l
}

// Lose adds mass that no run reaches to the target, given its logarithm: KL(p||q) becomes infinite,
// and so does the mean of log Zhat over outputs of the target.
//
// If the share s of the target is lost, p = (1 - s) p' on the outputs that are reached, and
//
//	KL(q||p) = KL(q||p') - log(1 - s).
func (l *Law) Lose(logLost float64) {
	logZ := number.LogPlus(l.LogZRatio, logLost)
	share := math.Exp(logLost - logZ)
	if share == 0 {
		return
	}
	l.KLQP -= math.Log1p(-share)
	l.KLPQ = math.Inf(1)
	l.J = math.Inf(1)
	l.MeanLogZConditional = math.Inf(1)
	l.B = math.Inf(1)
	l.LogZRatio = logZ
	l.note("no run reaches outputs with probability %.3g under the target: Zhat estimates the sum over "+
		"the others, and the upper bound and J are infinite",
		share)
}
