package policies

import (
	"context"
	"math"
	"runtime"
	"slices"
	"sync"

	"breadboard/chains/number"
	"breadboard/exact/internal/crew"
)

// Solution holds the exact numbers of a pair of policies, in nats. A number that is zero to within
// its rounding is 0.
type Solution struct {
	J, KLQP, KLPQ number.Bounded // of the end of forward paths (q) and the target (p)
	// B = KLForward + KLReverse, which are KL(path_fwd || path_rev) and KL(path_rev || path_fwd).
	B, KLForward, KLReverse number.Bounded
	LogZ                    float64 // log of the sum of f
	// LogZ - KLForward and LogZ + KLReverse, between which LogZ is
	MeanLogWForward, MeanLogWReverse number.Bounded
	// E[w]^2/E[w^2] of forward paths: the effective sample size of one path; NaN if w is always
	// zero
	ESS    number.Bounded
	Layers []LayerGap // by layer from 1 on
	// the probability that a forward path visits each state, which is q where it ends; nil unless
	// wanted
	Visits []float64
	States int // of all layers
	// the probability that a forward path makes a step that no backward path makes
	ForwardLost float64
	// the probability that a backward path makes a step that no forward path makes
	ReverseLost float64
}

// LayerGap is the contribution of the steps into a layer to B - J, in nats.
type LayerGap struct{ Forward, Reverse number.Bounded }

// Options control how Solve works, and do not change its results.
type Options struct {
	Workers  int            // zero is one for each processor
	Progress func(step int) // called for each layer in each of two passes; may be nil
	Visits   bool           // whether Solution.Visits is wanted
}

// Steps returns the number of calls of Options.Progress.
func Steps(m Model) int { return 2 * m.Layers() }

// Solve computes the numbers of a pair of policies in two passes over all steps, one in each
// direction. It takes 44 bytes for each state, and an exponential for each probability of a step
// that is not in a small cache. It fails if f is zero everywhere, and if the context ends.
func Solve(ctx context.Context, m Model, o Options) (*Solution, error) {
	s := newSweep(m, o)
	defer s.crew.Dismiss()
	if err := s.backward(ctx, true); err != nil {
		return nil, err
	}
	return s.forward(ctx, o.Visits)
}

// sweep carries the marginals of both policies over the states of all layers.
type sweep struct {
	m     Model
	crew  *crew.Crew
	step  func(int)
	top   float64   // the largest log f
	rest  float64   // log Z less that
	logW  []float64 // log E_rev[w of the steps from a state on], in units of its mean under forward paths
	at    []node
	free  sync.Pool // of *scratch
	order []int32   // the states by layer; first has where the layers begin
	first []int
}

// node is what the fast routes look up of a state.
type node struct {
	// c is log(q/r), and log q where r is zero. Before the forward pass comes to a state, it is the
	// probability that a path of P_R from there makes no step that is impossible forward.
	c float64
	// p is exp(logR), or zero if that is below least. u is exp(logW) - 1, and from the forward pass
	// on exp(c) - 1. The fast routes multiply these, and leave to the others what is out of their
	// range.
	p, u float64
	logR float64 // log of the marginal of backward paths
}

func newSweep(m Model, o Options) *sweep {
	workers := o.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	s := &sweep{m: m, crew: crew.New(crew.Share(m.Size(), workers)), step: o.Progress}
	if s.step == nil {
		s.step = func(int) {}
	}
	s.sort()
	return s
}

// partSize is the number of states of a part of a layer. Sums are added up part by part in a fixed
// order, so that no number depends on the number of workers.
const partSize = 1 << 13

// sort lists the states by layer.
func (s *sweep) sort() {
	s.first, s.order = make([]int, s.m.Layers()+1), make([]int32, s.m.Size())
	for x := range s.order {
		s.first[s.m.Layer(x)+1]++
	}
	for layer := range s.m.Layers() {
		s.first[layer+1] += s.first[layer]
	}
	next := slices.Clone(s.first)
	for x := range s.order {
		layer := s.m.Layer(x)
		s.order[next[layer]] = int32(x)
		next[layer]++
	}
}

// eachState calls do for all states of a layer, with the number of their part.
func (s *sweep) eachState(ctx context.Context, layer int, do func(part, x int, w *scratch)) error {
	states := s.order[s.first[layer]:s.first[layer+1]]
	s.crew.Run(s.parts(layer), func(part int) {
		if ctx.Err() != nil {
			return
		}
		w, _ := s.free.Get().(*scratch)
		if w == nil {
			w = &scratch{}
		}
		defer s.free.Put(w)
		for _, x := range states[min(part*partSize, len(states)):min((part+1)*partSize, len(states))] {
			do(part, int(x), w)
		}
	})
	s.step(1)
	return ctx.Err()
}

func (s *sweep) parts(layer int) int {
	return max(1, (s.first[layer+1]-s.first[layer]+partSize-1)/partSize)
}

// scratch is memory for the steps of one state.
type scratch struct {
	edges          []Edge
	values, shares []float64
	known          [512][2]float64 // numbers with their exponentials, by a hash of the number
}

// exp returns the exponential of v, which it remembers: the steps of many states have the same few
// probabilities.
func (w *scratch) exp(v float64) float64 {
	k := &w.known[math.Float64bits(v)*0x9e3779b97f4a7c15>>55]
	if k[0] != v || k[1] == 0 {
		*k = [2]float64{v, math.Exp(v)}
	}
	return k[1]
}

func (w *scratch) reset() {
	w.edges = w.edges[:0]
	w.values = w.values[:0]
}

// logSum returns the logarithm of the sum of exp(values), and makes weights the shares of the
// terms.
func (w *scratch) logSum() float64 {
	most := math.Inf(-1)
	for _, v := range w.values {
		most = max(most, v)
	}
	if math.IsInf(most, 0) {
		return most
	}
	sum := 0.0
	w.shares = w.shares[:0]
	for _, v := range w.values {
		share := math.Exp(v - most)
		w.shares = append(w.shares, share)
		sum += share
	}
	for i := range w.shares {
		w.shares[i] /= sum
	}
	return most + number.Log(sum)
}
