package averages

import (
	"context"

	"breadboard/chains"
	"breadboard/exact/kernel"
)

// The transition matrix of a sequence is the product of those of its parts: dense where each of them has a few entries in a row. To apply one
// part after another gives the same functions and laws, in as many operations as the parts have entries.

// findFactors finds the matrices of the parts of a sequence, where all together have fewer entries to go through than their product. Time is
// O(entries of the product).
func (c *Chain) findFactors(ctx context.Context, k chains.Kernel) error {
	kernels, order, sequence := chains.Sequence(k)
	if !sequence || len(order) > len(c.Rows.Entries)/c.States() { // a part has an entry in each row at least
		return nil
	}
	parts := make([]*kernel.Rows, len(kernels))
	for i, k := range kernels {
		var err error
		if parts[i], err = kernel.NewRows(ctx, k, c.LogF); err != nil {
			return err
		}
	}
	whole := Chain{factors: make([]*kernel.Rows, len(order))}
	for i, part := range order {
		whole.factors[i] = parts[part]
	}
	if whole.entries() < c.entries() {
		c.factors = whole.factors
	}
	return nil
}

// factored returns the matrices whose product is the transition matrix, the one that a chain moves by first in front.
func (c *Chain) factored() []*kernel.Rows {
	if c.factors == nil {
		return []*kernel.Rows{c.Rows}
	}
	return c.factors
}

// entries returns how many entries of matrices one move of a function or a law goes through.
func (c *Chain) entries() (total int) {
	for _, rows := range c.factored() {
		total += len(rows.Entries)
	}
	return total
}

// move writes the law after one move from a law into next, which must not be the same memory.
func (c *Chain) move(next, law []float64) {
	factors := c.factored()
	factors[0].Push(next, law)
	if len(factors) == 1 {
		return
	}
	at, other := next, make([]float64, len(next))
	for _, rows := range factors[1:] {
		rows.Push(other, at)
		at, other = other, at
	}
	copy(next, at)
}

// moved sets dst to the mean of a function after one move from each state. They must not be the same memory.
func (c *Chain) moved(dst, f []float64) {
	last, before := c.lastFactor()
	last.Pull(dst, f)
	if len(before) == 0 {
		return
	}
	at, other := dst, make([]float64, len(dst))
	for i := len(before) - 1; i >= 0; i-- {
		before[i].Pull(other, at)
		at, other = other, at
	}
	copy(dst, at)
}

// lastFactor returns the matrix that a chain moves by last, which is the first to be applied to a function, and those before it.
func (c *Chain) lastFactor() (last *kernel.Rows, before []*kernel.Rows) {
	factors := c.factored()
	return factors[len(factors)-1], factors[:len(factors)-1]
}

// applyIMinusT writes f less its mean after one move to dst, with the digits of a function that hardly changes from a state to those around it: by
// differences along the entries. Where the target is zero dst stays as it is. Of f less its mean after the moves from some part on, d, the move
// by the part before makes f(x) - sum P (f - d), which is sum P (f(x) - f + d). Spare is memory.
func (c *Chain) applyIMinusT(dst, f []float64, spare *[]float64) {
	last, before := c.lastFactor()
	for x, q := range c.Target {
		if q == 0 {
			continue
		}
		here, off := f[x], 0.0
		for _, e := range last.Row(x) {
			off += e.P * (here - f[e.To])
		}
		dst[x] = off
	}
	if len(before) > 0 && len(*spare) == 0 {
		*spare = make([]float64, len(f))
	}
	for i := len(before) - 1; i >= 0; i-- {
		from := *spare
		copy(from, dst)
		for x, q := range c.Target {
			if q == 0 {
				continue
			}
			here, off := f[x], 0.0
			for _, e := range before[i].Row(x) {
				off += e.P * (here - f[e.To] + from[e.To])
			}
			dst[x] = off
		}
	}
}

// through takes the functions through all matrices but the first of the product, and returns that one.
func (l *lanes8) through(c *Chain) *kernel.Rows {
	factors := c.factored()
	for i := len(factors) - 1; i > 0; i-- {
		l.move(factors[i])
	}
	return factors[0]
}

// move takes the functions through a matrix.
func (l *lanes8) move(rows *kernel.Rows) {
	for x := range l.next {
		l.unit.Gather(&l.next[x], l.at, rows.Row(x))
	}
	l.at, l.next = l.next, l.at
}

// longest returns how many entries the longest rows of the matrices have, which a probability is a sum of in a move.
func (c *Chain) longest() (total int) {
	for _, rows := range c.factored() {
		longest := 0
		for x := range rows.States() {
			longest = max(longest, len(rows.Row(x)))
		}
		total += longest
	}
	return total
}

// through takes the functions through all matrices but the first of the product, and returns that one.
func (s *meanSquare) through() *kernel.Rows {
	factors := s.chain.factored()
	for i := len(factors) - 1; i > 0; i-- {
		for x := range s.next {
			s.next[x][0], s.next[x][1] = gather2(factors[i].Row(x), s.at)
		}
		s.at, s.next = s.next, s.at
	}
	return factors[0]
}
