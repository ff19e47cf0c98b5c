package policies

import (
	"context"
	"math"

	"breadboard/chains/errs"
	"breadboard/chains/number"
)

// Losses are the objectives of training on the paths of a sampling policy, in nats squared. The
// flows are those of the target under the backward policy, which a perfectly trained flow network
// has. With l_k = log P_F - log P_R of step k, where P_R is the forward policy of backward paths, a
// path has S(i,j) = l_{i+1} + ... + l_j.
//
// Source: Bengio et al. 2023 for detailed balance, Madan et al. 2023 for subtrajectories, Malkin et
// al. 2022 for whole ones.
type Losses struct {
	DB    float64 // E of the sum of the squares of all l_k
	SubTB float64 // E of the sum over i < j of lambda^(j-i) S(i,j)^2, divided by the sum of all lambda^(j-i)
	TB    float64 // the variance of log w: the mean of (log Z - log w)^2 for the best log Z
}

// Sampling says which paths a loss is trained on.
type Sampling int

// OnPolicy are the paths of the forward policy itself. Uniform are those of the policy that makes
// each step of either policy with the same probability.
const (
	OnPolicy Sampling = iota
	Uniform
)

// moments are means over the paths to a state, each times the probability to be there.
type moments struct {
	p, one, l, l2 float64 // the sums over i of lambda^(j-i) S(i,j)^n for n = 0, 1, 2
	sum, sum2     float64 // S(0,j) and its square
}

// LossesOf returns the losses of a pair of policies for one sampling policy and lambda. A loss is
// +Inf if the sampling policy makes a step with probability zero under one of the two.
func LossesOf(ctx context.Context, m Model, sampling Sampling, lambda float64) (*Losses, error) {
	if !(lambda > 0 && lambda <= 1e6) {
		return nil, errs.New("lambda %v; give a number above 0", lambda)
	}
	s := newSweep(m, Options{Workers: 1})
	defer s.crew.Dismiss()
	if err := s.backward(ctx, false); err != nil {
		return nil, err
	}
	out := &Losses{}
	at := make([]moments, m.Size())
	var db, sub, pairs, mean, square number.Sum
	for layer := range m.Layers() {
		if err := s.eachState(ctx, layer, func(_, x int, w *scratch) {
			here := at[x]
			if layer == 0 {
				p := math.Exp(m.Initial(x))
				l := m.Initial(x) - s.at[x].logR
				if p == 0 {
					return
				}
				here = moments{p: p, sum: p * l, sum2: p * l * l}
			}
			if here.p == 0 {
				return
			}
			if _, ends := m.Target(x); ends {
				mean.Add(here.sum)
				square.Add(here.sum2)
				return
			}
			w.reset()
			w.edges = m.Out(w.edges, x)
			for _, e := range w.edges {
				p := math.Exp(e.Forward)
				if sampling == Uniform {
					p = 1 / float64(len(w.edges))
				}
				if p == 0 {
					continue
				}
				l := e.Forward + s.at[x].logR - s.at[e.State].logR - e.Backward
				to := here.step(l, lambda)
				db.Add(p * here.p * l * l)
				sub.Add(p * to.l2)
				pairs.Add(p * to.one)
				at[e.State] = at[e.State].addWeighted(p, to)
			}
		}); err != nil {
			return nil, err
		}
	}
	out.DB, out.SubTB = finite(db.Value()), finite(sub.Value()/pairs.Value())
	out.TB = finite(square.Value() - mean.Value()*mean.Value())
	return out, nil
}

// finite returns a sum of squares, which is NaN if terms of it are infinite.
func finite(v float64) float64 {
	if math.IsNaN(v) {
		return math.Inf(1)
	}
	return v
}

// step returns the moments after a step.
func (a moments) step(l, lambda float64) moments {
	one := a.one + a.p // with the subtrajectory of this step alone
	return moments{
		p: a.p, one: lambda * one, l: lambda * (a.l + l*one), l2: lambda * (a.l2 + 2*l*a.l + l*l*one),
		sum: a.sum + l*a.p, sum2: a.sum2 + 2*l*a.sum + l*l*a.p,
	}
}

// addWeighted adds moments that come with a probability.
func (a moments) addWeighted(p float64, b moments) moments {
	return moments{
		a.p + p*b.p, a.one + p*b.one, a.l + p*b.l, a.l2 + p*b.l2, a.sum + p*b.sum, a.sum2 + p*b.sum2}
}
