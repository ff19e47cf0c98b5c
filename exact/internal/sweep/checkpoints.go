package sweep

import (
	"iter"
	"math"
)

// Checkpoints keeps some of the values v_0, v_1, ... of a recursion that makes v_i from v_{i-1} in step i = 1..n, so that
// all of them can be had again from the last to the first. It keeps one value at the beginning of each stretch of about
// sqrt(n) steps; the others are computed again from there, a stretch at a time. So n values are gone through backwards in
// twice the time and with the memory of 2 sqrt(n) of them.
type Checkpoints[V any] struct {
	steps  int
	Stride int // steps in a stretch, at most
	kept   []V
}

// NewCheckpoints returns the checkpoints of a recursion of so many steps.
func NewCheckpoints[V any](steps int) *Checkpoints[V] {
	return &Checkpoints[V]{steps: steps, Stride: int(math.Ceil(math.Sqrt(float64(steps + 1))))}
}

// Begins reports whether a stretch begins with step i, so that v_{i-1} is to be kept.
func (c *Checkpoints[V]) Begins(i int) bool { return (i-1)%c.Stride == 0 }

// Keep keeps v_{i-1} of the next stretch. Stretches are kept in the order of the recursion, each once.
func (c *Checkpoints[V]) Keep(v V) { c.kept = append(c.kept, v) }

// Stretch is a run of steps of a recursion.
type Stretch struct {
	First, Last int
	Final       bool // whether the recursion ends with it
}

// Stretches yields the stretches from the last to the first, each with v_{First-1}, and lets go of what it yields.
func (c *Checkpoints[V]) Stretches() iter.Seq2[Stretch, V] {
	return func(yield func(Stretch, V) bool) {
		for k := len(c.kept) - 1; k >= 0; k-- {
			s := Stretch{First: 1 + k*c.Stride, Last: min((k+1)*c.Stride, c.steps), Final: k == len(c.kept)-1}
			v := c.kept[k]
			clear(c.kept[k:])
			if !yield(s, v) {
				return
			}
		}
	}
}
