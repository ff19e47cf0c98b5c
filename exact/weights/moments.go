package weights

import (
	"context"
	"math"

	"breadboard/chains"
)

// Cumulants are the first four cumulants of the log weight of one chain, in nats, nats squared and so on. Where a
// weight is zero or infinite with positive probability, the mean is -Inf or +Inf and the others are NaN.
type Cumulants struct{ Mean, Variance, Third, Fourth float64 }

// CumulantsOf returns the cumulants of log w in the given direction, by propagating E[s^k; x], k = 0..4, of the sum
// s so far beside the law of the state x, with the mean taken out at every stage. It takes one sweep of
// O(T entries) time and O(entries) memory. The k-th is accurate to about 1e-10 of the k-th power of the standard
// deviation.
func CumulantsOf(ctx context.Context, a *chains.Annealing, d chains.Direction) (Cumulants, error) {
	p := newProblem(a, Options{})
	j, err := p.propagateMoments(ctx, d)
	if err != nil {
		return Cumulants{}, err
	}
	p.Flush()
	if j.lost {
		return Cumulants{math.Inf(2*int(d) - 1), math.NaN(), math.NaN(), math.NaN()}, nil
	}
	_, m := j.cumulants()
	m.Mean += p.Offset
	return m, nil
}

// propagateMoments takes the moments of the chains of finite and positive weight through all stages.
func (p *problem) propagateMoments(ctx context.Context, d chains.Direction) (*joint, error) {
	j := &joint{}
	return j, p.propagate(ctx, d, j, p.Step)
}
