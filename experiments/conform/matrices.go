package conform

import (
	"context"
	"fmt"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/numpy"
	"breadboard/exact"
	"breadboard/exact/kernel"
)

// matrices are the exact transition matrices of the kernel and of its time reversal.
type matrices struct {
	a          *chains.Annealing // centred, with its time reversals
	reversible bool              // whether the kernel of every stage is its own time reversal
	stages     []int             // the stages that fit: all of them, stages 2 and T, or none
}

// newMatrices returns the matrices of an annealing, of which it computes none.
func newMatrices(a *chains.Annealing) *matrices {
	m := &matrices{}
	m.a, _ = a.Centred()
	T, n := a.Distributions(), a.States()
	one := int64(n) * int64(n) * 8
	switch {
	case int64(T-1)*one <= maxArray: // n^2 is below 2^43 and T below 2^17, so that the product fits
		for stage := 2; stage <= T; stage++ {
			m.stages = append(m.stages, stage)
		}
	case one <= maxArray:
		m.stages = []int{2, T}
	}
	return m
}

// matrices returns the matrices of the task with the time reversals, which it finds where a kernel does not tell its own.
func (t *Task) matrices(ctx context.Context) (*matrices, error) {
	m := newMatrices(t.Case.Annealing())
	with, err := exact.WithReversal(ctx, m.a)
	if err != nil {
		return nil, t.Case.Wrong(err)
	}
	m.a, m.reversible = with, true
	if k := with.Kernel(); k != nil && chains.OfLibrary(k) {
		m.reversible = kernels.Reversible(k)
		return m, nil
	}
	for stage := 2; stage <= with.Distributions(); stage++ {
		back, err := with.ReversalAt(stage)
		if err != nil {
			return nil, t.Case.Wrong(err)
		}
		table, made := back.(*chains.Tabulated) // where it was not made, the kernel itself is its reversal
		own, is := with.KernelAt(stage).(*chains.Tabulated)
		m.reversible = m.reversible && (!made || is && own == table)
	}
	return m, nil
}

// all reports whether every stage is in the folder.
func (m *matrices) all() bool { return len(m.stages) == m.a.Distributions()-1 }

// files returns the files of the matrices that move in a direction: one array of all stages, or one for each of the
// stages 2 and T.
func (m *matrices) files(ctx context.Context, d chains.Direction) (files []File) {
	name, n := "kernel", m.a.States()
	if d == chains.Reverse {
		name = "reversal"
	}
	if len(m.stages) > 0 && m.all() {
		return []File{{name + ".npy", func() ([]byte, error) { return m.npy(ctx, d, m.stages, len(m.stages), n, n) }}}
	}
	for _, stage := range m.stages {
		files = append(files, File{fmt.Sprintf("%s_%d.npy", name, stage), func() ([]byte, error) {
			return m.npy(ctx, d, []int{stage}, n, n)
		}})
	}
	return files
}

// npy returns the matrices of some stages as one array.
func (m *matrices) npy(ctx context.Context, d chains.Direction, stages []int, shape ...int) ([]byte, error) {
	n := m.a.States()
	out, logf, row := numpy.Begin(shape...), make([]float64, n), make([]float64, n)
	rows := &kernel.Rows{}
	for _, stage := range stages {
		k, err := kernelIn(m.a, d, stage)
		if err != nil {
			return nil, err
		}
		m.a.LogF(logf, stage)
		if err := rows.Fill(ctx, k, logf); err != nil {
			return nil, fmt.Errorf("stage t = %d: %w", stage, err)
		}
		for x := range n {
			clear(row)
			for _, e := range rows.Row(x) {
				row[e.To] = e.P
			}
			out = numpy.AppendFloats(out, row)
		}
	}
	return out, nil
}
