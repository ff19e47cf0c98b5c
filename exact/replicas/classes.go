package replicas

import (
	"math"

	"breadboard/chains/tempering"
	"breadboard/exact/kernel"
)

// settles reports whether averages over the cold chain converge to the mean: whether f, of mean
// zero, has mean zero on every communicating class of joint states, up to rounding. Both f and the
// root of the stationary distribution are in rooted coordinates. Otherwise the average tends to the
// mean on the class of the start, and its variance times the number of scans grows without bound.
// Time is that of a scan or two.
//
//	sum over the joint states x of a class of pi(x) f(x) = 0, for each class,
//
// and pi(x) f(x) is root(x) f(x) in rooted coordinates.
func (r *Replicas) settles(root, f []float64) bool {
	classes := r.tensors(false).classes(r.positive())
	if classes.Count() < 2 {
		return true
	}
	mean := make([]float64, classes.Count())
	size := make([]float64, classes.Count())
	for k, c := range classes.Numbered() {
		if c >= 0 {
			mean[c], size[c] = mean[c]+root[k]*f[k], size[c]+math.Abs(root[k]*f[k])+root[k]*root[k]
		}
	}
	for c, m := range mean {
		if math.Abs(m) > 1e-10*size[c] {
			return false
		}
	}
	return true
}

// positive returns the joint states of positive stationary probability, including those whose
// probability underflows.
func (r *Replicas) positive() *kernel.Sets {
	sets := kernel.NewSets(int(r.joint()))
	for k := range int(r.joint()) {
		on := true
		for i, rest := r.m.Rungs()-1, k; i >= 0; i, rest = i-1, rest/r.m.States() {
			on = on && !math.IsInf(r.logp[i][rest%r.m.States()], -1)
		}
		if on {
			sets.Add(k)
		}
	}
	return sets
}

// classes joins the joint states at the beginning of a round, which is a scan, or for DEO two, to
// their classes. The sets hold the states that have a stationary probability, each in one of its
// own. Every step of a round leaves the stationary distribution invariant, so that two states are
// in one class if they can ever reach a common state. The tensors are not rooted: of two states
// that a step connects both ways, at least the move to the likelier one does not underflow.
func (t *tensors) classes(sets *kernel.Sets) *kernel.Sets {
	// by state at this step of the round: a state at its beginning that comes there; -1 for none
	at := make([]int, t.size)
	for k := range at {
		at[k] = k
		if !sets.Holds(k) {
			at[k] = -1
		}
	}
	parities := [][]int{{0, 1}} // SEO swaps by either
	if t.scheme == tempering.DEO {
		parities = [][]int{{0}, {1}}
	}
	for _, parity := range parities {
		for rung := range t.rungs {
			at = t.joined(sets, at, func(come func(from, to int)) { t.explores(rung, come) })
		}
		at = t.joined(sets, at, func(come func(from, to int)) {
			for _, first := range parity {
				t.exchanges(first, come)
			}
		})
	}
	for k, from := range at {
		if from >= 0 {
			sets.Join(k, from)
		}
	}
	return sets
}

// joined makes one step of a round: it joins states that reach the same state.
func (t *tensors) joined(sets *kernel.Sets, at []int, step func(come func(from, to int))) []int {
	next := make([]int, t.size)
	for k := range next {
		next[k] = -1
	}
	step(func(from, to int) {
		switch {
		case at[from] < 0 || !sets.Holds(to): // rows lead to a zero by rounding only
		case next[to] < 0:
			next[to] = at[from]
		default:
			sets.Join(next[to], at[from])
		}
	})
	return next
}

// explores lists the moves of the replica at a rung.
func (t *tensors) explores(rung int, come func(from, to int)) {
	s := t.stride(rung)
	for k := range t.size {
		y := k / s % t.n
		for _, e := range t.into[rung][y] {
			if e.P > 0 {
				come(k+(e.To-y)*s, k)
			}
		}
	}
}

// exchanges lists the joint effect of the swaps of every second pair from the first on.
func (t *tensors) exchanges(first int, come func(from, to int)) {
	var through func(from, to int, pair int)
	through = func(from, to, pair int) {
		if pair+1 >= t.rungs {
			come(from, to)
			return
		}
		s := t.stride(pair + 1)
		x, y := to/(s*t.n)%t.n, to/s%t.n
		if t.stay[pair][x*t.n+y] > 0 {
			through(from, to, pair+2)
		}
		if other := to + ((y-x)*t.n+(x-y))*s; t.come[pair][y*t.n+x] > 0 {
			through(from, other, pair+2)
		}
	}
	for k := range t.size {
		through(k, k, first)
	}
}
