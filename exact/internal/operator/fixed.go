package operator

import (
	"context"
	"slices"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/exact/kernel"
)

// Range is the largest range of log f, in nats, within which operators keep their digits in plain
// float64.
const Range = 600

// Fixed is a kernel T under one distribution, as a linear map of functions on the states. Only one
// goroutine may use it.
type Fixed struct {
	Averager
	Numbers float64 // how many numbers one application goes through
}

// For returns any kernel under any distribution p, given log f up to a constant. It applies the
// operator of the kernel (see New), or rows if there is no operator, or if p is zero somewhere or
// spans more than Range. It fails as New and kernel.NewProduct do.
func For(ctx context.Context, k chains.Kernel, logf, p []float64) (*Fixed, error) {
	if low, high := number.Bounds(logf); high-low <= Range && !slices.Contains(p, 0) {
		o, err := New(ctx, k, len(p))
		if err != nil {
			return nil, err
		}
		if o != nil {
			inverse := make([]float64, len(p))
			for x, v := range p {
				inverse[x] = 1 / v
			}
			o.Load(&Distribution{F: p, Inverse: inverse, LogF: func() []float64 { return logf }})
			work, _ := WorkOf(k, len(p))
			pass := work.Average
			return &Fixed{o, pass.Edges + pass.Lines + pass.Flows + pass.Sorted + pass.Copies}, nil
		}
	}
	moves, err := kernel.NewProduct(ctx, k, logf)
	return &Fixed{newRows(moves, len(p)), float64(moves.Size())}, err
}

// Twin returns the same map with memory of its own.
func (f *Fixed) Twin() *Fixed {
	if o, is := f.Averager.(Operator); is {
		return &Fixed{o.Twin(), f.Numbers}
	}
	rows := f.Averager.(*Rows)
	return &Fixed{newRows(rows.moves, len(rows.spare)), f.Numbers}
}

// Rows apply a kernel by the rows of its moves, under any distribution.
type Rows struct {
	moves kernel.Product
	spare []float64
}

func newRows(moves kernel.Product, states int) *Rows { return &Rows{moves, make([]float64, states)} }

// Average implements Averager: it adds up differences to v(x).
func (r *Rows) Average(dst, v []float64) {
	r.moves.Pull(dst, v, r.spare, func(rows *kernel.Rows, dst, v []float64) {
		for x := range dst {
			own := v[x]
			total := 0.0
			for _, e := range rows.Row(x) {
				total += float64(e.P * (v[e.To] - own))
			}
			dst[x] = own + total
		}
	})
}

// AverageTerms implements Averager.
func (r *Rows) AverageTerms(dst, v []float64) { r.moves.Pull(dst, v, r.spare, (*kernel.Rows).Pull) }

// AverageLogs writes log T e^v to dst, which must not overlap v.
func (r *Rows) AverageLogs(dst, v []float64) {
	var terms []float64
	r.moves.Pull(dst, v, r.spare, func(rows *kernel.Rows, dst, v []float64) {
		for x := range dst {
			terms = terms[:0]
			for _, e := range rows.Row(x) {
				terms = append(terms, number.Log(e.P)+v[e.To])
			}
			dst[x] = number.LogSumExp(terms)
		}
	})
}
