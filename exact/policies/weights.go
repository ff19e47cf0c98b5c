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
	LogW, P  []float64 // the values and their probabilities, ascending
	Zero     float64   // the probability of a weight of zero
	Infinite float64   // the probability of an infinite weight of backward paths
}

const (
	sameLogW = 1e-11
	// maxWeights is the largest number of values in a layer, counted for each state.
	maxWeights = 4 << 20
)

// ErrManyWeights is the error for log weights with too many values.
var ErrManyWeights = errors.New("log w has too many values, so that its distribution is not computed; ess has the variance of w")

// atom is a value of the log weight so far, at a state.
type atom struct{ logW, p float64 }

// WeightsOf returns the distribution of log w. It takes a sweep over the values at all states, and
// fails with ErrManyWeights if these are more than 4e6 in a layer.
func WeightsOf(ctx context.Context, m Model) (*Weights, error) {
	s := newSweep(ctx, m, Options{Workers: 1})
	defer s.crew.Dismiss()
	if err := s.normalize(); err != nil {
		return nil, err
	}
	out := &Weights{}
	here := map[int][]atom{}
	var ends []atom
	for layer := range m.Layers() {
		before, count := here, 0
		here = map[int][]atom{}
		if err := s.each(layer, func(_, x int, w *work) {
			if count > maxWeights {
				return
			}
			atoms := s.atomsAt(x, layer, before, w, out)
			count += len(atoms)
			logf, over := m.Target(x)
			switch {
			case len(atoms) == 0:
			case !over:
				here[x] = atoms
			case math.IsInf(logf, -1):
				for _, a := range atoms {
					out.Zero += a.p
				}
			default:
				for _, a := range atoms {
					ends = append(ends, atom{a.logW + logf - s.logZ, a.p})
				}
			}
		}); err != nil {
			return nil, err
		}
		if count > maxWeights {
			return nil, ErrManyWeights
		}
	}
	var reverse number.Sum
	for _, a := range merged(ends) {
		out.LogW, out.P = append(out.LogW, a.logW), append(out.P, a.p)
		reverse.Add(a.p * math.Exp(a.logW))
	}
	if lost := 1 - reverse.Value(); lost > 1e-9 {
		out.Infinite = lost
	}
	return out, nil
}

// atomsAt returns the values at a state, from those in the layer before.
func (s *sweep) atomsAt(x, layer int, before map[int][]atom, w *work, out *Weights) (atoms []atom) {
	if layer == 0 {
		if q := s.m.Initial(x); q > math.Inf(-1) {
			return []atom{{-q, math.Exp(q)}}
		}
		return nil
	}
	w.reset()
	w.edges = s.m.In(w.edges, x)
	for _, e := range w.edges {
		p := math.Exp(e.Forward)
		for _, a := range before[e.State] {
			switch {
			case p == 0:
			case math.IsInf(e.Backward, -1):
				out.Zero += a.p * p
			default:
				atoms = append(atoms, atom{a.logW + e.Backward - e.Forward, a.p * p})
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
			out[last].p += a.p
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
	inverse, p := make([]float64, n), make([]float64, n)
	for i, l := range w.LogW {
		inverse[i], p[i] = -l, w.P[i]*math.Exp(l)
	}
	return logMeanOf(w.LogW, w.P, w.Zero, k), -logMeanOf(inverse, p, w.Infinite, k)
}

// logMeanOf returns E log of the mean of k independent numbers with these logarithms and
// probabilities, which are zero with the rest of the probability:
//
//	E log S = integral over u of exp(-exp(u)) - (E exp(-exp(u + log w)))^k
//
// for their sum S. The trapezoidal rule with step h has an error below exp(-pi^2/h).
func logMeanOf(logs, p []float64, zero float64, k int) float64 {
	if zero > 0 {
		return math.Inf(-1)
	}
	const h = 0.2
	low, high := number.Bounds(logs)
	from, to := -40-math.Log(float64(k))-max(0, high), 4-min(0, low)
	var total number.Sum
	for i := math.Floor(from / h); i*h < to; i++ {
		t, one := math.Exp(i*h), 0.0
		for j, l := range logs {
			one += float64(p[j] * math.Expm1(-t*math.Exp(l)))
		}
		total.Add(h * (math.Expm1(-t) - math.Expm1(float64(k)*math.Log1p(max(one, -1)))))
	}
	return total.Value() - math.Log(float64(k))
}
