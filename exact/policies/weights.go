package policies

import (
	"context"
	"math"
	"slices"

	"breadboard/chains/errs"
	"breadboard/chains/number"
)

// A path x_0, ..., x_L of probability q_0(x_0) prod P_F has
//
//	log w = log f(x_L) + sum log P_B - sum log P_F - log q_0(x_0).
//
// The joint distribution of the state and this sum goes from layer to layer, one value for each
// step from each earlier value; equal values of a state are merged. Time is O(steps values log
// values).

// Weights is the distribution of log(w/Z) of forward paths. Values closer than 1e-11 are merged.
type Weights struct {
	LogW     []float64 // the finite values, ascending
	LogP     []float64 // the logs of their probabilities
	Zero     bool      // whether forward paths may have a weight of zero
	Infinite bool      // whether backward paths may have an infinite weight
}

const (
	sameLogW = 1e-11
	// maxWeights is the largest number of values in a layer, counted for each state.
	maxWeights = 4 << 20
)

// ErrManyWeights is the error for log weights with too many values.
var ErrManyWeights = errs.New(
	"log w has more than 4e6 values in a layer, counted for each state, so that its distribution is not " +
		"computed; ess has the variance of w",
)

// WeightsOf returns the distribution of log w of policies that Solve has solved. It takes a sweep
// over the values at all states, and fails with ErrManyWeights if these are more than 4e6 in a
// layer.
func WeightsOf(ctx context.Context, m Model, sol *Solution) (*Weights, error) {
	ends, err := EndsOf(ctx, m)
	if err != nil {
		return nil, err
	}
	out := &Weights{Zero: math.IsInf(sol.KLForward.Value, 1), Infinite: math.IsInf(sol.KLReverse.Value, 1)}
	var all []Atom
	for _, atoms := range ends {
		for _, a := range atoms {
			a.LogW -= sol.LogZ
			if a.LogW > math.Inf(-1) {
				all = append(all, a)
			}
		}
	}
	for _, a := range Merged(all) {
		out.LogW, out.LogP = append(out.LogW, a.LogW), append(out.LogP, a.LogP)
	}
	return out, nil
}

// Atom is a value of log w with the logarithm of its probability.
type Atom struct{ LogW, LogP float64 }

// EndsOf returns the joint distribution of the end of forward paths and log w: for each end, in the
// order of the states, the values of log w in ascending order. The first one is -Inf if w may be
// zero. It fails with ErrManyWeights if there are more than 4e6 values in a layer.
func EndsOf(ctx context.Context, m Model) (ends [][]Atom, err error) {
	s := newSweep(m, Options{Workers: 1})
	defer s.crew.Dismiss()
	here := map[int][]Atom{}
	last := map[int][]Atom{}
	for layer := range m.Layers() {
		before := here
		count := 0
		here = map[int][]Atom{}
		if err := s.eachState(ctx, layer, func(_, x int, w *scratch) {
			if count > maxWeights {
				return
			}
			atoms := s.atomsAt(x, layer, before, w)
			count += len(atoms)
			logf, over := m.Target(x)
			if !over {
				here[x] = atoms
				return
			}
			for i := range atoms {
				atoms[i].LogW += logf
			}
			last[x] = Merged(atoms)
		}); err != nil {
			return nil, err
		}
		if count > maxWeights {
			return nil, ErrManyWeights
		}
	}
	for x := range m.Size() {
		if atoms, is := last[x]; is {
			ends = append(ends, atoms)
		}
	}
	return ends, nil
}

// atomsAt returns the values at a state, from those in the layer before.
func (s *sweep) atomsAt(x, layer int, before map[int][]Atom, w *scratch) (atoms []Atom) {
	if layer == 0 {
		if q := s.m.Initial(x); q > math.Inf(-1) {
			return []Atom{{-q, q}}
		}
		return nil
	}
	w.reset()
	w.edges = s.m.In(w.edges, x)
	for _, e := range w.edges {
		for _, a := range before[e.State] {
			if e.Forward > math.Inf(-1) {
				atoms = append(atoms, Atom{a.LogW + e.Backward - e.Forward, a.LogP + e.Forward})
			}
		}
	}
	return Merged(atoms)
}

// Merged sorts values, and adds up the probabilities of equal ones.
func Merged(atoms []Atom) (out []Atom) {
	slices.SortStableFunc(atoms, func(a, b Atom) int {
		switch {
		case a.LogW < b.LogW:
			return -1
		case a.LogW > b.LogW:
			return 1
		}
		return 0
	})
	for _, a := range atoms {
		if last := len(out) - 1; last >= 0 &&
			(a.LogW == out[last].LogW || a.LogW-out[last].LogW <= sameLogW) {
			out[last].LogP = number.LogPlus(out[last].LogP, a.LogP)
		} else {
			out = append(out, a)
		}
	}
	return out
}

// BoundSteps is about how many times Bounds reports progress.
const BoundSteps = 1000

// Bounds returns the expected bounds on log Z for each number k of independent weights, in nats and
// minus log Z: the lower ones, E log of the mean of k forward weights, and the upper ones, -E log
// of the mean of 1/w of k backward paths. They are infinite if all weights may be zero, or
// infinite. It fails if the context ends.
//
// Source: Burda, Grosse and Salakhutdinov 2016; Grosse, Ghahramani and Adams 2015.
func (w *Weights) Bounds(ctx context.Context, k []int,
	progress func(steps int)) (lower, upper []number.Bounded, err error) {
	n := len(w.LogW)
	inverse := make([]float64, n)
	forward := make([]float64, n)
	reverse := make([]float64, n)
	for i, l := range w.LogW {
		inverse[i], forward[i], reverse[i] = -l, math.Exp(w.LogP[i]), math.Exp(w.LogP[i]+l)
	}
	lower, upper = logMeansOf(ctx, w.LogW, forward, w.Zero, k, progress),
		logMeansOf(ctx, inverse, reverse, w.Infinite, k, progress)
	for i := range upper {
		upper[i].Value = -upper[i].Value
	}
	return lower, upper, context.Cause(ctx)
}

// logMeansOf returns, for each k, E log of the mean of k independent numbers with these logarithms
// and probabilities, which is -Inf if they may be zero:
//
//	E log S = integral over u of exp(-exp(u)) - (E exp(-exp(u + log w)))^k
//
// for their sum S. The trapezoidal rule with step h has an error below exp(-pi^2/h). It takes an
// exponential of each number at each u, whatever the number of k.
func logMeansOf(ctx context.Context, logs, p []float64, zero bool, k []int,
	progress func(steps int)) []number.Bounded {
	means := slices.Repeat([]number.Bounded{number.Exactly(math.Inf(-1))}, len(k))
	if zero {
		return means
	}
	const h = 0.2
	low, high := number.Bounds(logs)
	sum := number.Total(p) // is one but for rounding, which would count over the whole range
	from, to := -40-number.Log(float64(slices.Max(k)))-max(0, high), 4-min(0, low)
	// of the terms, which are differences
	totals := make([]number.Sum, len(k))
	sizes := make([]float64, len(k))
	for i := math.Floor(from / h); i*h < to && ctx.Err() == nil; i++ {
		u := i * h
		one := 0.0
		for j, l := range logs {
			one += float64(p[j] / sum * math.Expm1(-math.Exp(u+l)))
		}
		for a, k := range k {
			want := math.Expm1(-math.Exp(u))
			got := math.Expm1(float64(k) * math.Log1p(max(one, -1)))
			totals[a].Add(h * (want - got))
			sizes[a] -= h * (want + got)
		}
		progress(1)
	}
	for a, k := range k {
		means[a] = number.UpTo(totals[a].Value()-number.Log(float64(k)), 0x1p-50*sizes[a])
	}
	return means
}
