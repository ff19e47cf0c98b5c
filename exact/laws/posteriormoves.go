package laws

import (
	"context"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/exact/internal/operator"
	"breadboard/exact/kernel"
)

// operatorRange is the largest range of log f, in nats, over which package operator computes in float64.
const operatorRange = 600

// posteriorMoves is the kernel T under the posterior, as a map of functions on the states. A kernel of the library is applied by its
// operator, and no rows of it are formed. Where the target has zeros, or spans too much, or the kernel has no operator, the rows of
// its parts are applied one after another.
type posteriorMoves struct {
	operator operator.Operator // nil where rows are applied
	parts    []*kernel.Rows    // in the order of the moves
	spare    []float64
	pass     float64 // how many numbers one application goes through
}

// newPosteriorMoves returns the moves of a target. It fails where they would take too much memory, and where the context ends.
func newPosteriorMoves(ctx context.Context, t *Target) (*posteriorMoves, error) {
	n := len(t.LogL)
	last := t.Annealing.Distributions()
	k := t.Annealing.KernelAt(last)
	logf := make([]float64, n)
	t.Annealing.LogF(logf, last)
	if low, high := number.Bounds(logf); high-low <= operatorRange && !slices.Contains(t.Posterior, 0) {
		o, err := operator.New(ctx, k, n)
		if err != nil {
			return nil, err
		}
		if o != nil {
			inverse := make([]float64, n)
			for x, p := range t.Posterior {
				inverse[x] = 1 / p
			}
			o.Load(&operator.Distribution{F: t.Posterior, Inverse: inverse, LogF: func() []float64 { return logf }})
			work, _ := operator.WorkOf(k, n)
			p := work.Average
			return &posteriorMoves{operator: o, pass: p.Edges + p.Lines + p.Flows + p.Sorted + p.Copies}, nil
		}
	}
	m := &posteriorMoves{spare: make([]float64, n)}
	if err := m.fill(ctx, k, logf); err != nil {
		return nil, err
	}
	for _, rows := range m.parts {
		m.pass += float64(len(rows.Entries))
	}
	return m, nil
}

// fill makes the rows of a kernel, part by part where it is a sequence.
func (m *posteriorMoves) fill(ctx context.Context, k chains.Kernel, logf []float64) error {
	parts, combined := chains.PartsOf(k)
	if !combined || !parts.Sequential {
		rows, err := kernel.NewRows(ctx, k, logf)
		m.parts = append(m.parts, rows)
		return err
	}
	first := len(m.parts)
	made := make([][]*kernel.Rows, len(parts.Kernels))
	for i, part := range parts.Kernels {
		inner := &posteriorMoves{}
		if err := inner.fill(ctx, part, logf); err != nil {
			return err
		}
		made[i] = inner.parts
	}
	for _, i := range parts.Order {
		m.parts = append(m.parts, made[i]...)
	}
	m.parts = append(m.parts[:first], slices.Repeat(m.parts[first:], parts.Times)...)
	return nil
}

// twin returns the same moves with memory of their own.
func (m *posteriorMoves) twin() *posteriorMoves {
	if m.operator != nil {
		return &posteriorMoves{operator: m.operator.Twin(), pass: m.pass}
	}
	return &posteriorMoves{parts: m.parts, spare: make([]float64, len(m.spare)), pass: m.pass}
}

// average writes T v to dst, which must not overlap v. A function that is nearly constant stays so.
func (m *posteriorMoves) average(dst, v []float64) {
	if m.operator != nil {
		m.operator.Average(dst, v)
		return
	}
	m.through(dst, v, func(rows *kernel.Rows, dst, v []float64) {
		for x := range dst {
			own, total := v[x], 0.0
			for _, e := range rows.Row(x) {
				total += e.P * (v[e.To] - own)
			}
			dst[x] = own + total
		}
	})
}

// averageTerms writes T v to dst, which must not overlap v, as the sum of the terms T(x,y) v(y): where v is not negative, the error is
// relative to T v.
func (m *posteriorMoves) averageTerms(dst, v []float64) {
	if m.operator != nil {
		m.operator.AverageTerms(dst, v)
		return
	}
	m.through(dst, v, func(rows *kernel.Rows, dst, v []float64) {
		for x := range dst {
			total := 0.0
			for _, e := range rows.Row(x) {
				total += e.P * v[e.To]
			}
			dst[x] = total
		}
	})
}

// averageLogs writes log T e^v to dst, which must not overlap v. It is for moves that are applied as rows.
func (m *posteriorMoves) averageLogs(dst, v []float64) {
	var terms []float64
	m.through(dst, v, func(rows *kernel.Rows, dst, v []float64) {
		for x := range dst {
			terms = terms[:0]
			for _, e := range rows.Row(x) {
				terms = append(terms, math.Log(e.P)+v[e.To])
			}
			dst[x] = number.LogSumExp(terms)
		}
	})
}

// through applies all parts, the last move first. Two memories take turns, and begin so that the last result is in dst.
func (m *posteriorMoves) through(dst, v []float64, apply func(rows *kernel.Rows, dst, v []float64)) {
	if len(m.parts) == 0 {
		copy(dst, v)
		return
	}
	here, other := dst, m.spare
	if len(m.parts)%2 == 0 {
		here, other = other, here
	}
	for i := len(m.parts) - 1; i >= 0; i-- {
		apply(m.parts[i], here, v)
		v, here, other = here, other, here
	}
}
