package meeting

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/cmplx"

	"breadboard/exact/averages"
)

// Variant is what an implementation makes of the unbiased estimator: the zero value is the estimator as Unbiased has it.
type Variant struct {
	Weight   func(t int) float64 // in place of v_t; from m on it must repeat after L moves. nil for v_t itself
	Together bool                // both chains move together from time 0 on, and none is ahead
	Until    int                 // the last time at which a difference counts; 0 where there is none
}

// lead returns how many moves the first chain makes alone.
func (v *Variant) lead(lag int) int {
	if v.Together {
		return 0
	}
	return lag
}

// VariantMoments returns mean and variance of a variant of the estimator of a function, in standard deviations and variances of the function
// from its mean under the target. The mean is the bias. Chains must meet with probability one.
func (m *Law) VariantMoments(ctx context.Context, f *averages.Function, k, last int, v Variant) (bias, variance float64, err error) {
	e, err := m.variant(f, k, last, v)
	if err != nil {
		return 0, 0, err
	}
	mean, second, err := e.moments(ctx)
	count := float64(last - k + 1)
	return mean / count, (second - mean*mean) / (count * count), err
}

// variant returns the estimate of a variant.
func (m *Law) variant(f *averages.Function, k, last int, v Variant) (*estimate, error) {
	switch {
	case k < 0 || k > last:
		return nil, fmt.Errorf("k = %d and m = %d; give 0 <= k <= m", k, last)
	case math.IsInf(m.Mean, 1):
		x, y, _ := m.solved.Never()
		return nil, fmt.Errorf("chains may never meet, as from states %d and %d, and an estimate may then never end", x, y)
	}
	return &estimate{meeting: m, pairs: m.solved.ordered, lag: m.Lag, h: f.Values, k: k, last: last, Variant: v}, nil
}

// errLate says that a law has too many meeting times.
var errLate = errors.New("chains meet so late that the law takes too long to be found; take a target with fewer states, or another kernel")

// vanishing is the probability below which chains that have not met are left out of a transform.
const vanishing = 1e-13

// VariantTransform returns E exp(i theta H) for the deviation H of a variant of the estimator from the mean of the function, in its standard
// deviations. It is off by 1e-13 at most, but for rounding. Time is O((m + L + the moves until nearly all chains have met) times the
// entries of Q) for each theta.
func (m *Law) VariantTransform(ctx context.Context, f *averages.Function, k, last int, v Variant, thetas []float64) ([]complex128, error) {
	e, err := m.variant(f, k, last, v)
	if err != nil {
		return nil, err
	}
	apart, err := m.solved.Survival(ctx, m.start, v.lead(m.Lag), vanishing)
	if err != nil {
		return nil, err
	}
	end := max(last+1, v.lead(m.Lag)+len(apart))
	if float64(end)*float64(len(e.pairs.to))*float64(len(thetas)) > maxSweep {
		return nil, errLate
	}
	out := make([]complex128, len(thetas))
	for i, theta := range thetas {
		if out[i], err = e.transform(ctx, end, theta/float64(last-k+1)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// transform goes back from a time at which all chains count as met.
func (e *estimate) transform(ctx context.Context, end int, theta float64) (phi complex128, err error) {
	n, lead := e.pairs.Chain.States(), e.lead(e.lag)
	turn := func(add float64) complex128 { return cmplx.Rect(1, theta*add) }
	apart, met := filled(len(e.pairs.states)), filled(n)
	alone := func(t int) {
		now := make([]complex128, n)
		for x := range now {
			for _, entry := range e.pairs.Chain.Rows.Row(x) {
				now[x] += complex(entry.P, 0) * met[entry.To]
			}
			now[x] *= turn(e.single(t, x))
		}
		met = now
	}
	for t := end - 1; t >= lead; t-- {
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
		now := make([]complex128, len(apart))
		for at, add := range e.terms(t) {
			for j := e.pairs.start[at]; j < e.pairs.start[at+1]; j++ {
				now[at] += complex(e.pairs.p[j], 0) * apart[e.pairs.to[j]]
			}
			for _, entry := range e.pairs.met[at] {
				now[at] += complex(entry.P, 0) * met[entry.To]
			}
			now[at] *= turn(add)
		}
		apart = now
		alone(t)
	}
	begin := make([]complex128, n)
	for x := range n {
		for y, mass := range e.meeting.start {
			if at := e.pairs.number[x*n+y]; at >= 0 {
				begin[x] += complex(mass, 0) * apart[at]
			} else {
				begin[x] += complex(mass, 0) * met[x]
			}
		}
	}
	met = begin
	for t := lead - 1; t >= 0; t-- {
		alone(t)
	}
	for x, mass := range e.meeting.start {
		phi += complex(mass, 0) * met[x]
	}
	return phi, nil
}

// filled returns a vector of ones.
func filled(n int) []complex128 {
	v := make([]complex128, n)
	for i := range v {
		v[i] = 1
	}
	return v
}

// Survival returns the probabilities with which chains have not met after 0, 1, 2, ... moves of both, until one is at most least. The first
// chain has made lead moves alone before. Chains must meet with probability one.
func (s *Solved) Survival(ctx context.Context, nu []float64, lead int, least float64) ([]float64, error) {
	ahead, err := s.pairs.Chain.After(ctx, nu, lead)
	if err != nil {
		return nil, err
	}
	law := &sweep{s.pairs, s.pairs.law(ahead, nu), make([]float64, len(s.pairs.states))}
	for at, mass := range law.a { // those that meet on average after finitely many moves go only to others that do
		if mass > 0 && math.IsInf(s.V[at], 1) {
			return nil, fmt.Errorf("chains may never meet, as from states %d and %d: the mean meeting time is +Inf", s.pairs.states[at][0], s.pairs.states[at][1])
		}
	}
	var survival []float64
	for {
		apart := law.total()
		survival = append(survival, apart)
		switch {
		case apart <= least:
			return survival, nil
		case float64(len(survival))*float64(len(s.pairs.to)) > maxSweep:
			return nil, errLate
		case len(survival)%1024 == 0 && ctx.Err() != nil:
			return nil, ctx.Err()
		}
		law.move()
	}
}
