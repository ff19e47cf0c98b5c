package averages

import (
	"context"

	"breadboard/chains"
	"breadboard/exact/kernel"
)

// findFactors finds the matrices of the moves of a sequence of the library, if all together have
// fewer entries than their product. Time is O(entries of the product).
func (c *Chain) findFactors(ctx context.Context, k chains.Kernel) error {
	_, order, sequence := chains.Sequence(k)
	if !sequence || !chains.OfLibrary(k) || len(order) > len(c.Rows.Entries)/c.States() {
		// a part has an entry in each row at least
		return nil
	}
	factors, err := kernel.NewProduct(ctx, k, c.LogF)
	if err == nil && factors.Size() < len(c.Rows.Entries) {
		c.factors = factors
	}
	return err
}

// factored returns the matrices whose product is the transition matrix, in the order in which a
// chain moves by them.
func (c *Chain) factored() kernel.Product {
	if c.factors == nil {
		return kernel.Product{c.Rows}
	}
	return c.factors
}

// moved sets dst to the mean of a function after one move from each state. They must not be the
// same memory.
func (c *Chain) moved(dst, f []float64) { c.factored().Pull(dst, f, nil, (*kernel.Rows).Pull) }

// lastFactor returns the matrix that a chain moves by last, which is the first to be applied to a
// function, and those before it.
func (c *Chain) lastFactor() (last *kernel.Rows, before kernel.Product) {
	factors := c.factored()
	return factors[len(factors)-1], factors[:len(factors)-1]
}

// applyIMinusT writes (I - T) f to dst, by differences along the entries, which keep the digits of
// a function that hardly changes between neighbours. If the target is zero dst is unchanged. Let
// d be f less its mean after the moves from some part on. With the part P before, it becomes f(x) -
// sum P (f - d) = sum P (f(x) - f + d). Spare is memory.
func (c *Chain) applyIMinusT(dst, f []float64, spare *[]float64) {
	last, before := c.lastFactor()
	for x, q := range c.Target {
		if q == 0 {
			continue
		}
		here := f[x]
		off := 0.0
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
			here := f[x]
			off := 0.0
			for _, e := range before[i].Row(x) {
				off += e.P * (here - f[e.To] + from[e.To])
			}
			dst[x] = off
		}
	}
}

// multiplyFactors takes the functions through all matrices but the first of the product, and
// returns that one.
func (l *lanes8) multiplyFactors(c *Chain) *kernel.Rows {
	factors := c.factored()
	for i := len(factors) - 1; i > 0; i-- {
		l.applyRows(factors[i])
	}
	return factors[0]
}

// applyRows takes the functions through a matrix.
func (l *lanes8) applyRows(rows *kernel.Rows) {
	for x := range l.next {
		l.unit.Gather(&l.next[x], l.at, rows.Row(x))
	}
	l.at, l.next = l.next, l.at
}

// longest returns the total length of the longest rows of the matrices: the number of terms of a
// probability in a move.
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

// multiplyFactors takes the functions through all matrices but the first of the product, and
// returns that one.
func (s *meanSquare) multiplyFactors() *kernel.Rows {
	factors := s.chain.factored()
	for i := len(factors) - 1; i > 0; i-- {
		for x := range s.next {
			s.next[x][0], s.next[x][1] = gather2(factors[i].Row(x), s.at)
		}
		s.at, s.next = s.next, s.at
	}
	return factors[0]
}
