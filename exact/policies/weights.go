package policies

import (
	"context"
	"errors"
	"math"
	"slices"

	"breadboard/chains/number"
)

// Weights is the distribution of log(w/Z) of forward paths. Values closer than 1e-11 are one.
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
var ErrManyWeights = errors.New("log w has too many values, so that its distribution is not computed; ess has the variance of w")

// atom is a value of the log weight so far, at a state.
type atom struct{ logW, logP float64 }

// WeightsOf returns the distribution of log w of policies that Solve has solved. It takes a sweep
// over the values at all states, and fails with ErrManyWeights if these are more than 4e6 in a
// layer.
func WeightsOf(ctx context.Context, m Model, sol *Solution) (*Weights, error) {
	s := newSweep(ctx, m, Options{Workers: 1})
	defer s.crew.Dismiss()
	out := &Weights{Zero: math.IsInf(sol.KLForward.Value, 1), Infinite: math.IsInf(sol.KLReverse.Value, 1)}
	here := map[int][]atom{}
	var ends []atom
	for layer := range m.Layers() {
		before, count := here, 0
		here = map[int][]atom{}
		if err := s.each(layer, func(_, x int, w *work) {
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
			for _, a := range atoms {
				if logf > math.Inf(-1) {
					ends = append(ends, atom{a.logW + logf - sol.LogZ, a.logP})
				}
			}
		}); err != nil {
			return nil, err
		}
		if count > maxWeights {
			return nil, ErrManyWeights
		}
	}
	for _, a := range merged(ends) {
		out.LogW, out.LogP = append(out.LogW, a.logW), append(out.LogP, a.logP)
	}
	return out, nil
}

// atomsAt returns the values at a state, from those in the layer before.
func (s *sweep) atomsAt(x, layer int, before map[int][]atom, w *work) (atoms []atom) {
	if layer == 0 {
		if q := s.m.Initial(x); q > math.Inf(-1) {
			return []atom{{-q, q}}
		}
		return nil
	}
	w.reset()
	w.edges = s.m.In(w.edges, x)
	for _, e := range w.edges {
		for _, a := range before[e.State] {
			if e.Forward > math.Inf(-1) && e.Backward > math.Inf(-1) {
				atoms = append(atoms, atom{a.logW + e.Backward - e.Forward, a.logP + e.Forward})
			}
		}
	}
	return merged(atoms)
}

// merged sorts values, and adds up the probabilities of those that are the same.
func merged(atoms []atom) (out []atom) {
	slices.SortStableFunc(atoms, func(a, b atom) int {
		switch {
		case a.logW < b.logW:
			return -1
		case a.logW > b.logW:
			return 1
		}
		return 0
	})
	for _, a := range atoms {
		if last := len(out) - 1; last >= 0 && a.logW-out[last].logW <= sameLogW {
			out[last].logP = number.LogPlus(out[last].logP, a.logP)
		} else {
			out = append(out, a)
		}
	}
	return out
}

// Bounds returns the expected bounds on log Z of k independent weights, in nats less log Z: the
// lower one, E log of the mean of k forward weights, and the upper one, -E log of the mean of 1/w
// of k backward paths. They are infinite if all weights may be zero, or infinite.
//
// Source: Burda, Grosse and Salakhutdinov 2016; Grosse, Ghahramani and Adams 2015.
func (w *Weights) Bounds(k int) (lower, upper float64) {
	n := len(w.LogW)
	inverse, forward, reverse := make([]float64, n), make([]float64, n), make([]float64, n)
	for i, l := range w.LogW {
		inverse[i], forward[i], reverse[i] = -l, math.Exp(w.LogP[i]), math.Exp(w.LogP[i]+l)
	}
	return logMeanOf(w.LogW, forward, w.Zero, k), -logMeanOf(inverse, reverse, w.Infinite, k)
}

// logMeanOf returns E log of the mean of k independent numbers with these logarithms and
// probabilities, which is -Inf if they may be zero:
//
//	E log S = integral over u of exp(-exp(u)) - (E exp(-exp(u + log w)))^k
//
// for their sum S. The trapezoidal rule with step h has an error below exp(-pi^2/h).
func logMeanOf(logs, p []float64, zero bool, k int) float64 {
	if zero {
		return math.Inf(-1)
	}
	const h = 0.2
	low, high := number.Bounds(logs)
	sum := number.Total(p) // is one but for rounding, which would count over the whole range
	from, to := -40-number.Log(float64(k))-max(0, high), 4-min(0, low)
	var total number.Sum
	for i := math.Floor(from / h); i*h < to; i++ {
		u, one := i*h, 0.0
		for j, l := range logs {
			one += float64(p[j] / sum * math.Expm1(-math.Exp(u+l)))
		}
		total.Add(h * (math.Expm1(-math.Exp(u)) - math.Expm1(float64(k)*math.Log1p(max(one, -1)))))
	}
	return total.Value() - number.Log(float64(k))
}
