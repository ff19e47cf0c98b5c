package kernel

import (
	"context"

	"breadboard/chains"
)

// Product is the transition matrix of a sequence as the list of the matrices of its moves, in
// order. Their product is dense even if each of them has few entries in a row; applying one after
// another gives the same result in as many operations as they have entries.
type Product []*Rows

// NewProduct returns the matrices of the moves of a kernel under logf: a single one unless
// chains.Sequence expands the kernel. It fails if NewRows does.
func NewProduct(ctx context.Context, k chains.Kernel, logf []float64) (Product, error) {
	kernels, order, sequence := chains.Sequence(k)
	if !sequence {
		kernels = []chains.Kernel{k}
		order = []int{0}
	}
	distinct := make([]*Rows, len(kernels))
	p := make(Product, len(order))
	for i, k := range kernels {
		var err error
		distinct[i], err = NewRows(ctx, k, logf)
		if err != nil {
			return nil, err
		}
	}
	for i, part := range order {
		p[i] = distinct[part]
	}
	return p, nil
}

// Size returns the number of entries that one move of a function or a distribution processes.
func (p Product) Size() (entries int) {
	for _, rows := range p {
		entries += len(rows.Entries)
	}
	return entries
}

// Push writes the distribution after all moves from law to next, which must not overlap.
func (p Product) Push(next, law []float64) {
	oneByOne(len(p), next, law, nil, func(i int, next, law []float64) { p[i].Push(next, law) })
}

// Pull applies the moves to a function by apply, the last move first, and writes the result to dst.
// The memory of dst and f must not overlap. Spare is memory of the same length, and may be nil.
func (p Product) Pull(dst, f, spare []float64, apply func(rows *Rows, dst, f []float64)) {
	oneByOne(len(p), dst, f, spare, func(i int, dst, f []float64) { apply(p[len(p)-1-i], dst, f) })
}

// oneByOne writes the composition of several maps, applied to v, to dst. Two memories alternate,
// such that the last result is in dst.
func oneByOne(maps int, dst, v, spare []float64, apply func(i int, dst, v []float64)) {
	if maps == 0 {
		copy(dst, v)
		return
	}
	if maps > 1 && spare == nil {
		spare = make([]float64, len(dst))
	}
	here := dst
	other := spare
	if maps%2 == 0 {
		here, other = other, here
	}
	for i := range maps {
		apply(i, here, v)
		v, here, other = here, other, here
	}
}
