package couplings

import (
	"slices"

	"breadboard/chains"
)

// tied couples two moves by common random numbers: behind the i-th choice of both stands the same
// uniform number u. Flip(p) is true if u < p, Uniform(n) is floor(u n), and Choose goes through its
// probabilities in their order. If the second move makes more choices than the first, these have
// numbers of their own.
//
// The uniform numbers are never drawn. The first move is made, and of each of its choices the
// distribution and the outcome are kept, which say in which interval its number lies; then the i-th
// choice of the second move is made given that. So the coupling has finitely many ways to come out,
// and can be enumerated.
func tied(k chains.Kernel) (Coupling, error) {
	return Func(func(c chains.Chooser, logf []float64, x, y int) (x2, y2 int) {
		first := &recorder{c: c}
		x2 = k.Move(first, logf, x)
		return x2, k.Move(&follower{c: c, given: first.made}, logf, y)
	}), nil
}

// choice is one that the first move has made: the probabilities of its outcomes, in the order of
// their uniform numbers, and the outcome.
type choice struct {
	law     []float64
	outcome int
}

// flipped returns the distribution of Flip, whose first outcome is true, and evenly that of
// Uniform.
func flipped(p float64) []float64 { return []float64{p, 1 - p} }
func evenly(n int) []float64      { return slices.Repeat([]float64{1 / float64(n)}, n) }

// flipPlace returns which of the outcomes of Flip one is.
func flipPlace(heads bool) int {
	if heads {
		return 0
	}
	return 1
}

// recorder makes the choices of the first move, and keeps them.
type recorder struct {
	c    chains.Chooser
	made []choice
}

func (r *recorder) recordLaw(law []float64, outcome int) int {
	r.made = append(r.made, choice{law, outcome})
	return outcome
}

// Flip implements chains.Chooser.
func (r *recorder) Flip(p float64) bool {
	heads := r.c.Flip(p)
	r.recordLaw(flipped(p), flipPlace(heads))
	return heads
}

// Uniform implements chains.Chooser.
func (r *recorder) Uniform(n int) int { return r.recordLaw(evenly(n), r.c.Uniform(n)) }

// Choose implements chains.Chooser.
func (r *recorder) Choose(p []float64) int { return r.recordLaw(slices.Clone(p), r.c.Choose(p)) }

// follower makes the choices of the second move by the numbers of the first, as far as they go.
type follower struct {
	c     chains.Chooser
	given []choice // those that are still to come
}

// nextChoice makes the next choice by its number, or by own if the first move made no such choice.
func (f *follower) nextChoice(law []float64, own func() int) int {
	if len(f.given) == 0 {
		return own()
	}
	first := f.given[0]
	f.given = f.given[1:]
	_, outcome := drawBoth(f.c, first.law, law, first.outcome)
	return outcome
}

// Flip implements chains.Chooser.
func (f *follower) Flip(p float64) bool {
	return f.nextChoice(flipped(p), func() int { return flipPlace(f.c.Flip(p)) }) == 0
}

// Uniform implements chains.Chooser.
func (f *follower) Uniform(n int) int {
	return f.nextChoice(evenly(n), func() int { return f.c.Uniform(n) })
}

// Choose implements chains.Chooser.
func (f *follower) Choose(p []float64) int {
	return f.nextChoice(p, func() int { return f.c.Choose(p) })
}
