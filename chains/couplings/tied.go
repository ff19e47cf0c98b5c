package couplings

import "breadboard/chains"

// tied couples two moves by common random numbers: behind the i-th choice of both stands the same uniform number u. Flip(p) is true where
// u < p, Uniform(n) is floor(u n), and Choose goes through its probabilities in their order. Where the second move makes more choices
// than the first, these have numbers of their own.
//
// The uniform numbers are never drawn. The first move is made, and of each of its choices the interval is kept in which its number must lie;
// then the i-th choice of the second move is made given that the number lies in the i-th interval. So the coupling has finitely many ways to
// come out, and can be enumerated.
func tied(k chains.Kernel) (Coupling, error) {
	return Func(func(c chains.Chooser, logf []float64, x, y int) (x2, y2 int) {
		first := &recorder{c: c}
		x2 = k.Move(first, logf, x)
		return x2, k.Move(&follower{c: c, given: first.intervals}, logf, y)
	}), nil
}

// interval is where a uniform number lies: from low up to, and without, high.
type interval struct{ low, high float64 }

// recorder makes the choices of the first move, and keeps where the uniform numbers behind them lie.
type recorder struct {
	c         chains.Chooser
	intervals []interval
}

func (r *recorder) keep(low, high float64) { r.intervals = append(r.intervals, interval{low, high}) }

// Flip implements chains.Chooser.
func (r *recorder) Flip(p float64) bool {
	heads := r.c.Flip(p)
	if heads {
		r.keep(0, p)
	} else {
		r.keep(p, 1)
	}
	return heads
}

// Uniform implements chains.Chooser.
func (r *recorder) Uniform(n int) int {
	i := r.c.Uniform(n)
	r.keep(float64(i)/float64(n), float64(i+1)/float64(n))
	return i
}

// Choose implements chains.Chooser.
func (r *recorder) Choose(p []float64) int {
	i, low := r.c.Choose(p), 0.0
	for _, before := range p[:i] {
		low += before
	}
	r.keep(low, low+p[i])
	return i
}

// follower makes the choices of the second move by the numbers of the first, as far as they go.
type follower struct {
	c     chains.Chooser
	given []interval // of the choices that are still to come
}

// next returns the interval of the next choice, and false where the first move made no such choice.
func (f *follower) next() (i interval, tied bool) {
	if len(f.given) == 0 {
		return interval{}, false
	}
	i, f.given = f.given[0], f.given[1:]
	return i, true
}

// within chooses one of several outcomes, of which the k-th has the numbers from the end of the one before it to ends(k), given that the number
// lies in an interval.
func (f *follower) within(i interval, n int, ends func(k int) float64) int {
	masses, low := make([]float64, n), 0.0
	for k := range n {
		high := ends(k)
		masses[k], low = min(high, i.high)-max(low, i.low), high
	}
	return decide(f.c, masses...)
}

// Flip implements chains.Chooser.
func (f *follower) Flip(p float64) bool {
	i, tied := f.next()
	if !tied {
		return f.c.Flip(p)
	}
	return f.within(i, 2, func(k int) float64 { return [2]float64{p, 1}[k] }) == 0
}

// Uniform implements chains.Chooser.
func (f *follower) Uniform(n int) int {
	i, tied := f.next()
	if !tied {
		return f.c.Uniform(n)
	}
	return f.within(i, n, func(k int) float64 { return float64(k+1) / float64(n) })
}

// Choose implements chains.Chooser.
func (f *follower) Choose(p []float64) int {
	i, tied := f.next()
	if !tied {
		return f.c.Choose(p)
	}
	sum := 0.0
	return f.within(i, len(p), func(k int) float64 { sum += p[k]; return sum })
}
