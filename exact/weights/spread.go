package weights

import (
	"context"
	"math"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/exact/internal/operator"
)

// Spread says how far estimates from one chain are off: that of the mean of log w, and that of Z_T/Z_1 by w forward, of Z_1/Z_T by 1/w in reverse.
type Spread struct {
	Variance float64 // of log w, in nats squared; NaN where a weight is zero or infinite with positive probability
	LogMean  float64 // the log of the mean of w forward, of 1/w in reverse
	Relative float64 // the relative variance of the same
}

// SpreadOf returns the spread in the given direction. Where the kernel is of the library and can be applied without rows (see package operator), and f
// is nowhere zero and spans little enough, three functions are averaged at each stage. Elsewhere it takes what CumulantsAndCGF says. It fails as
// that does.
func SpreadOf(ctx context.Context, a *chains.Annealing, d chains.Direction) (Spread, error) {
	if s, applies, err := appliedSpread(ctx, a, d); applies || err != nil {
		return s, err
	}
	power := 1.0
	if d == chains.Reverse {
		power = -1
	}
	c, k, err := CumulantsAndCGF(ctx, a, d, []float64{power, 2 * power})
	if err != nil {
		return Spread{}, err
	}
	return Spread{c.Variance, k[0], math.Expm1(k[1] - 2*k[0])}, nil
}

// mostTilted is the largest range of 2 log w over all paths, in nats, for which masses are plain numbers: what has become too small for one cannot grow
// by more than this later on, and is nothing beside the others then either.
const mostTilted = 500

// spreading is what is carried through the stages, each relative to f of the distribution at hand.
type spreading struct {
	law      []float64 // of the state; its total is one
	first    []float64 // the mean of log w so far, about its own mean, times the law
	tilted   []float64 // the law of the state times the square of the estimate; its total is one
	spare    []float64
	variance number.Sum
	log      number.Sum // the log of E[v^2]/E[v]^2 for the estimate v
	span     float64    // the range of 2 log w so far
}

// appliedSpread returns false where its method does not apply.
func appliedSpread(ctx context.Context, a *chains.Annealing, d chains.Direction) (out Spread, applies bool, err error) {
	if a.Kernel() == nil || a.Path().Zeros() {
		return out, false, nil
	}
	kernel, err := operator.New(ctx, a.Kernel(), a.States())
	if kernel == nil || err != nil {
		return out, false, err
	}
	if d == chains.Forward {
		kernel = kernel.Reversal() // ratios of a law to p_t are averaged over the rows of the time reversal
	}
	p, n, T := newProblem(a, Options{}), a.States(), a.Distributions()
	s, delta := &spreading{}, make([]float64, n)
	for _, v := range []*[]float64{&s.law, &s.first, &s.tilted, &s.spare} {
		*v = make([]float64, n)
	}
	old, next := newLoaded(p.Annealing), newLoaded(p.Annealing)
	first := 1
	if d == chains.Reverse {
		first = T
	}
	if !old.load(first) {
		return out, false, nil
	}
	for x := range s.law {
		s.law[x], s.tilted[x] = 1/old.total, 1/old.total
	}
	for step := 2; step <= T; step++ {
		if err := p.Step(ctx); err != nil {
			return out, false, err
		}
		t, to := step, step
		if d == chains.Reverse {
			t, to = T+2-step, T+1-step
			s.move(kernel, old)
		}
		p.Annealing.LogRatio(delta, t)
		if !next.load(to) || !s.change(old, next, delta) {
			return out, false, nil
		}
		if old, next = next, old; d == chains.Forward {
			s.move(kernel, old)
		}
	}
	p.Flush()
	out = Spread{s.variance.Value(), p.logZRatio() + p.Offset, math.Expm1(s.log.Value())}
	if d == chains.Reverse {
		out.LogMean = -out.LogMean
	}
	return out, true, nil
}

// loaded is a distribution of an annealing.
type loaded struct {
	annealing *chains.Annealing
	values    chains.Values
	logf      []float64
	law       operator.Distribution
	total     float64 // of f
}

func newLoaded(a *chains.Annealing) *loaded {
	l := &loaded{annealing: a, logf: make([]float64, a.States())}
	l.law.LogF = func() []float64 { return l.logf }
	return l
}

// load takes over f_t, and returns false where it spans too much.
func (l *loaded) load(t int) bool {
	l.annealing.LogF(l.logf, t)
	l.values.Load(l.logf)
	if l.values.F == nil {
		return false
	}
	l.law.F, l.law.Inverse = l.values.F, l.values.Inverse
	l.total = number.Total(l.law.F)
	return true
}

// move takes a chain through the moves of a stage.
func (s *spreading) move(kernel operator.Operator, at *loaded) {
	kernel.Load(&at.law)
	for _, v := range []*[]float64{&s.law, &s.first, &s.tilted} {
		kernel.Average(s.spare, *v)
		*v, s.spare = s.spare, *v
	}
}

// change adds the increments of a stage, and changes the reference from one distribution to the next. With both done, the tilted law is multiplied by
// the ratio of the two f, and the others are divided by it. It returns false where log w spans too much.
func (s *spreading) change(from, to *loaded, delta []float64) bool {
	f, inverse, toF, toInverse := from.law.F, from.law.Inverse, to.law.F, to.law.Inverse
	low, high := number.Bounds(delta)
	if s.span += 2 * (high - low); !(s.span <= mostTilted) {
		return false
	}
	total, mean, tilted := 0.0, 0.0, 0.0
	for x, h := range s.law {
		mass := f[x] * h
		total += mass
		mean += mass * delta[x]
		s.tilted[x] *= toF[x] * inverse[x]
		tilted += s.tilted[x] * toF[x]
	}
	mean /= total
	square := 0.0
	for x, h := range s.law {
		d, per := delta[x]-mean, f[x]*toInverse[x]/total
		first := s.first[x] + h*d
		square += f[x] * d * (first + s.first[x])
		s.law[x], s.first[x] = h*per, first*per
		s.tilted[x] /= tilted
	}
	s.variance.Add(square / total)
	s.log.Add(number.Log(tilted * (from.total / to.total) * (from.total / to.total)))
	return true
}
