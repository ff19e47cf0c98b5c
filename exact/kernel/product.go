package kernel

import (
	"context"

	"breadboard/chains"
)

// Product is the transition matrix of a sequence as those of its moves, the first of them in front.
// Their product is dense where each of them has a few entries in a row. To apply one after another
// gives the same functions and distributions, in as many operations as they have entries.
type Product []*Rows

// NewProduct returns the matrices of the moves of a kernel under logf, which are one for any kernel that chains.Sequence does not take apart. It
// fails as NewRows does.
func NewProduct(ctx context.Context, k chains.Kernel, logf []float64) (Product, error) {
	kernels, order, sequence := chains.Sequence(k)
	if !sequence {
		kernels, order = []chains.Kernel{k}, []int{0}
	}
	distinct, p := make([]*Rows, len(kernels)), make(Product, len(order))
	for i, k := range kernels {
		var err error
		if distinct[i], err = NewRows(ctx, k, logf); err != nil {
			return nil, err
		}
	}
	for i, part := range order {
		p[i] = distinct[part]
	}
	return p, nil
}

// Size returns how many entries one move of a function or a distribution goes through.
func (p Product) Size() (entries int) {
	for _, rows := range p {
		entries += len(rows.Entries)
	}
	return entries
}

// Push writes the distribution after all moves from a distribution into next, which must not be the
// same memory.
func (p Product) Push(next, law []float64) {
	oneByOne(len(p), next, law, nil, func(i int, next, law []float64) { p[i].Push(next, law) })
}

// Pull has apply make of a function what each move makes of it, the last move first, and writes what all make of it to dst, which must not be the same
// memory. Spare is memory for as many numbers, and may be nil.
func (p Product) Pull(dst, f, spare []float64, apply func(rows *Rows, dst, f []float64)) {
	oneByOne(len(p), dst, f, spare, func(i int, dst, f []float64) { apply(p[len(p)-1-i], dst, f) })
}

// oneByOne writes to dst what several maps make of v, one after another. Two memories take turns, and begin so that the last result is in dst.
func oneByOne(maps int, dst, v, spare []float64, apply func(i int, dst, v []float64)) {
	if maps == 0 {
		copy(dst, v)
		return
	}
	if maps > 1 && spare == nil {
		spare = make([]float64, len(dst))
	}
	here, other := dst, spare
	if maps%2 == 0 {
		here, other = other, here
	}
	for i := range maps {
		apply(i, here, v)
		v, here, other = here, other, here
	}
}
