package stage

import (
	"fmt"
	"iter"
	"math"

	"breadboard/exact/kernel"
)

// Checkpoints keeps some of the values v_0, v_1, ... of a recursion that makes v_i from v_{i-1} in step i = 1..n, so
// that a caller can go through all of them from the last to the first. It keeps the value before each stretch of about
// sqrt(n) steps. The caller computes the other values of a stretch again from there. So the caller needs twice the
// time, and the memory of 2 sqrt(n) values, to go through n values backwards.
type Checkpoints[V any] struct {
	steps  int
	Stride int // the number of steps in a stretch; the last stretch may have fewer
	kept   []V
}

// NewCheckpoints returns the checkpoints of a recursion with the given number of steps, none kept yet.
func NewCheckpoints[V any](steps int) *Checkpoints[V] {
	return &Checkpoints[V]{steps: steps, Stride: int(math.Ceil(math.Sqrt(float64(steps + 1))))}
}

// Lengthen makes a stretch as long as there is room for the values of a stretch. The fewer stretches there are, the fewer values are computed again.
func (c *Checkpoints[V]) Lengthen(room int) { c.Stride = max(c.Stride, min(c.steps, room)) }

// Check returns an error where the values that are kept, and those of a stretch, would take too much memory, given the number of
// states and the bytes that a value has for each. It is called before the recursion begins.
func (c *Checkpoints[V]) Check(states int, bytes float64) error {
	stretches := math.Ceil(float64(c.steps) / float64(c.Stride))
	what := fmt.Sprintf("the laws that are kept of %d stages on %d states", c.steps+1, states)
	return kernel.CheckBytes(what, (stretches+float64(c.Stride))*bytes*float64(states), "give fewer distributions, or a smaller space")
}

// Begins reports whether a stretch begins with step i, so that v_{i-1} is to be kept.
func (c *Checkpoints[V]) Begins(i int) bool { return (i-1)%c.Stride == 0 }

// Last returns the first step of the last stretch. A caller that wants nothing but the stretches need not go on from there.
func (c *Checkpoints[V]) Last() int { return 1 + (c.steps-1)/c.Stride*c.Stride }

// Keep keeps the value v_{i-1} before the next stretch, which begins with step i. It is called once for each stretch, in
// the order of the recursion.
func (c *Checkpoints[V]) Keep(v V) { c.kept = append(c.kept, v) }

// Stretch is a run of consecutive steps of a recursion.
type Stretch struct {
	First, Last int  // the first and the last step
	Final       bool // whether the recursion ends with this stretch
}

// Stretches yields the stretches from the last to the first, each with the value v_{First-1} before it. It keeps no
// value that it has yielded.
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
