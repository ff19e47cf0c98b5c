package weights

import (
	"context"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/frames"
	"breadboard/chains/number"
	"breadboard/exact/internal/operator"
)

// With K(l) = log E[w^l], and l = 1 for forward and -1 for reverse chains, the estimate w^l has the
// log of its mean K(l), and the relative variance
//
//	exp(K(2l) - 2 K(l)) - 1.
//
// These and the variance of log w come from three functions of the state, carried through the
// stages together: O(T) applications of the kernel.

// Spread describes the errors of estimates from one chain: of E log w by log w, and of Z_T/Z_1 by w
// forward or Z_1/Z_T by 1/w in reverse.
type Spread struct {
	// of log w, in nats squared; NaN if a weight is zero or infinite with positive probability
	Variance float64
	LogMean  float64 // the log of the mean of w forward, of 1/w in reverse
	Relative float64 // the relative variance of the same
}

// SpreadOf returns the spread in the given direction. Three functions are averaged at each stage if
// the kernel is of the library and can be applied without rows (see package operator), and f is
// nowhere zero and spans little enough. Otherwise it takes as long as CumulantsAndCGF, and fails if
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
	return Spread{c.Variance, k[0], relativeVariance(k[1]-2*k[0], c.Variance)}, nil
}

// relativeVariance returns exp(ratio) - 1, for the ratio K(2l) - 2 K(l). Of a small one rounding
// leaves few digits; then it is the variance of log w, to which it tends: both are off by 1e-5.
func relativeVariance(ratio, variance float64) float64 {
	if ratio < 1e-10 && variance < 1e-10 {
		return variance
	}
	return math.Expm1(ratio)
}

// mostTilted is the largest range of 2 log w over all paths, in nats, for which masses are plain
// numbers: what has become too small for one cannot grow by more than this later on, and is nothing
// beside the others then either.
const mostTilted = 500

// spreading is what is carried through the stages, each relative to f of the distribution at hand.
type spreading struct {
	// at holds the distribution of the state, whose total is one; the mean of log w so far, about
	// its own mean, times the distribution; and the distribution times the square of the estimate,
	// whose total is one too.
	at, spare [3][]float64
	variance  number.Sum
	log       number.Sum // the log of E[v^2]/E[v]^2 for the estimate v
	span      float64    // the range of 2 log w so far
}

// appliedSpread returns false if its method does not apply.
func appliedSpread(ctx context.Context, a *chains.Annealing,
	d chains.Direction) (out Spread, applies bool, err error) {
	if a.Kernel() == nil || a.Path().Zeros() {
		return out, false, nil
	}
	kernel, err := operator.New(ctx, a.Kernel(), a.States())
	if kernel == nil || err != nil {
		return out, false, err
	}
	if d == chains.Forward {
		// ratios of a distribution to p_t are averaged over the rows of the time reversal
		kernel = kernel.Reversal()
	}
	p := newProblem(a, Options{})
	n := a.States()
	T := a.Distributions()
	s := &spreading{}
	delta := make([]float64, n)
	for i := range s.at {
		s.at[i], s.spare[i] = make([]float64, n), make([]float64, n)
	}
	old := newLoaded(p.Annealing)
	next := newLoaded(p.Annealing)
	first := 1
	if d == chains.Reverse {
		first = T
	}
	if !old.takeLogF(first) {
		return out, false, nil
	}
	for x := range s.at[0] {
		s.at[0][x], s.at[2][x] = 1/old.total, 1/old.total
	}
	var rise rise
	for step := 2; step <= T; step++ {
		if err := p.Step(ctx); err != nil {
			return out, false, err
		}
		t := step
		to := step
		if d == chains.Reverse {
			t = T + 2 - step
			to = T + 1 - step
			s.moveSpread(kernel, old)
		}
		p.Annealing.LogRatio(delta, t)
		if known := rise.setStage(delta, d); known && step%anchorEvery != 0 {
			next.loadNext(old, &rise, to)
		} else if !next.takeLogF(to) {
			return out, false, nil
		}
		if !s.change(old, next, delta) {
			return out, false, nil
		}
		old, next = next, old
		if d == chains.Forward {
			s.moveSpread(kernel, old)
		}
	}
	p.Flush()
	variance := s.variance.Value()
	out = Spread{variance, p.logZRatio() + p.Offset, relativeVariance(s.log.Value(), variance)}
	if d == chains.Reverse {
		out.LogMean = -out.LogMean
	}
	return out, true, nil
}

// anchorEvery is the number of stages after which f is computed afresh. In between each stage
// multiplies it, which rounds it once more.
const anchorEvery = 64

// rise is the factor of f from one distribution to the next, up to a constant, which is the same at
// many stages if the schedule is linear.
type rise struct{ delta, up, down []float64 }

// setStage makes r the factor of a stage, and reports whether it is that of the stage before.
func (r *rise) setStage(delta []float64, d chains.Direction) (known bool) {
	if slices.Equal(r.delta, delta) {
		if r.up == nil {
			r.up, r.down = make([]float64, len(delta)), make([]float64, len(delta))
			low, high := number.Bounds(delta)
			for x, v := range delta {
				r.up[x], r.down[x] = math.Exp(v-(low+high)/2), math.Exp((low+high)/2-v)
			}
			if d == chains.Reverse {
				r.up, r.down = r.down, r.up
			}
		}
		return true
	}
	r.delta = append(r.delta[:0], delta...)
	r.up = nil
	return false
}

// loaded is a distribution of an annealing.
type loaded struct {
	t      int
	values frames.Values
	logf   []float64
	law    operator.Distribution
	total  float64 // of f
}

func newLoaded(a *chains.Annealing) *loaded {
	n := a.States()
	l := &loaded{logf: make([]float64, n)}
	l.law = operator.Distribution{F: make([]float64, n), Inverse: make([]float64, n), LogF: func() []float64 {
		a.LogF(l.logf, l.t)
		return l.logf
	}}
	return l
}

// takeLogF takes over f_t, and returns false if it spans too much.
func (l *loaded) takeLogF(t int) bool {
	l.t = t
	l.values.Load(l.law.LogF())
	copy(l.law.F, l.values.F)
	copy(l.law.Inverse, l.values.Inverse)
	l.total = number.Total(l.law.F)
	return l.values.F != nil
}

// loadNext takes over f_t from the distribution before it.
func (l *loaded) loadNext(from *loaded, r *rise, t int) {
	l.t = t
	f := from.law.F
	inverse := from.law.Inverse
	for x, up := range r.up {
		l.law.F[x], l.law.Inverse[x] = f[x]*up, inverse[x]*r.down[x]
	}
	l.total = number.Total(l.law.F)
}

// moveSpread takes a chain through the moves of a stage.
func (s *spreading) moveSpread(kernel operator.Operator, at *loaded) {
	kernel.Load(&at.law)
	operator.AverageThree(kernel, &s.spare, &s.at)
	s.at, s.spare = s.spare, s.at
}

// change adds the increments of a stage, and changes the reference from one distribution to the
// next. With both done, the tilted distribution is multiplied by the ratio of the two f, and the
// others are divided by it. It returns false if log w spans too much.
func (s *spreading) change(from, to *loaded, delta []float64) bool {
	f := from.law.F
	inverse := from.law.Inverse
	toF := to.law.F
	toInverse := to.law.Inverse
	low, high := number.Bounds(delta)
	s.span += 2 * (high - low)
	if !(s.span <= mostTilted) {
		return false
	}
	law := s.at[0]
	first := s.at[1]
	squared := s.at[2]
	total := 0.0
	mean := 0.0
	tilted := 0.0
	for x, h := range law {
		mass := f[x] * h
		total += mass
		mean += mass * delta[x]
		squared[x] *= toF[x] * inverse[x]
		tilted += squared[x] * toF[x]
	}
	mean /= total
	square := 0.0
	for x, h := range law {
		d := delta[x] - mean
		per := f[x] * toInverse[x] / total
		grown := first[x] + h*d
		square += f[x] * d * (grown + first[x])
		law[x], first[x] = h*per, grown*per
		squared[x] /= tilted
	}
	s.variance.Add(square / total)
	s.log.Add(number.Log(tilted * (from.total / to.total) * (from.total / to.total)))
	return true
}
