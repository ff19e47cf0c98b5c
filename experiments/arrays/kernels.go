package arrays

import (
	"cmp"
	"fmt"
	"slices"

	"breadboard/chains"
	"breadboard/exact/kernel"
	"breadboard/experiments"
)

// maxDense is the largest number of states of which the whole matrix of a kernel is given.
const maxDense = 1024

// kernelRows are the matrices of the kernels of the chosen stages, in two forms.
func kernelRows() []Kind {
	return []Kind{
		{
			Name: "kernel_csr", Several: true, Shape: "entries, entries, states + 1", kernel: true, numbers: kernelNumbers, make: (*maker).kernels,
			Doc: "for each chosen stage t from 2 on the rows of its kernel as scipy.sparse.csr_array takes them, kernel_t_data, kernel_t_indices and kernel_t_indptr, with the number of the stage for t",
		},
		{
			Name: "kernel_dense", Several: true, Shape: "states x states", kernel: true, most: maxDense, make: (*maker).denseKernels,
			Doc: fmt.Sprintf("for each chosen stage t from 2 on the matrix of its kernel, kernel_t with the number of the stage for t: row x has the probabilities to go from x; up to %d states; those of all stages in FILE.npz are the kernel matrix:FILE.npz#kernel_{t}", maxDense),
			numbers: func(_ *experiments.Case, s size) float64 {
				return s.stages * min(s.states, maxDense) * min(s.states, maxDense)
			},
		},
	}
}

// kernelNumbers estimates the numbers of the sparse rows, three for an entry with the columns of a table. It knows nothing of kernels
// whose rows it would have to make; these are counted as they are made.
func kernelNumbers(c *experiments.Case, s size) float64 {
	entries, _ := chains.FrameEntries(c.Annealing().KernelAt(2), int(s.states), MaxBytes)
	return s.stages * (4*entries + s.states)
}

// sorted returns a row of a kernel with its entries by the state to which they lead.
func sorted(row []chains.Entry) []chains.Entry {
	row = slices.Clone(row)
	slices.SortFunc(row, func(a, b chains.Entry) int { return cmp.Compare(a.To, b.To) })
	return row
}

// eachKernel makes the rows of the kernel of each chosen stage from 2 on.
func (m *maker) eachKernel(use func(t int, rows *kernel.Rows) error) error {
	logf, rows := make([]float64, m.c.Annealing().States()), &kernel.Rows{}
	for _, t := range m.stages {
		if t < 2 {
			continue
		}
		m.c.Annealing().LogF(logf, t)
		if err := rows.Fill(m.ctx, m.c.Annealing().KernelAt(t), logf); err != nil {
			return fmt.Errorf("stage %d: %w", t, err)
		}
		if err := use(t, rows); err != nil {
			return err
		}
	}
	return nil
}

// kernels returns the rows of the kernels in compressed form.
func (m *maker) kernels() (out []Array, err error) {
	total := 0.0
	err = m.eachKernel(func(t int, rows *kernel.Rows) error {
		entries := len(rows.Entries)
		if total += 4 * float64(entries); total*float64(8+m.o.Bytes) > MaxBytes {
			return chains.NewAdvice("the rows up to stage %d have more numbers than %.3g GB hold; give fewer {stages}", t, MaxBytes/1e9)
		}
		p, to, from, starts := make([]float64, 0, entries), make([]int, 0, entries), make([]int, 0, entries), make([]int, 1, rows.States()+1)
		for x := range rows.States() {
			for _, e := range sorted(rows.Row(x)) {
				p, to, from = append(p, e.P), append(to, e.To), append(from, x)
			}
			starts = append(starts, len(p))
		}
		name := fmt.Sprintf("kernel_%d", t)
		axis := Axis{Sides: []int{len(p)}, Columns: []Column{{Name: "stage", Of: slices.Repeat([]int{t}, len(p))}, {Name: "state", Of: from}, {Name: "to", Of: to}}}
		out = append(out,
			Array{Name: name + "_data", Group: "kernel_csr", Axes: []Axis{axis}, Floats: p},
			Array{Name: name + "_indices", Axes: []Axis{{Sides: []int{len(to)}}}, Integers: to},
			Array{Name: name + "_indptr", Axes: []Axis{{Sides: []int{len(starts)}}}, Integers: starts})
		return nil
	})
	return out, err
}

// denseKernels returns the matrices of the kernels.
func (m *maker) denseKernels() (out []Array, err error) {
	n := m.c.Annealing().States()
	err = m.eachKernel(func(t int, rows *kernel.Rows) error {
		p := make([]float64, n*n)
		for x := range n {
			for _, e := range rows.Row(x) {
				p[x*n+e.To] = e.P
			}
		}
		from, to := Axis{Sides: []int{n}, Columns: []Column{{Name: "state", Of: upFrom(0, n)}}}, Axis{Sides: []int{n}, Columns: []Column{{Name: "to", Of: upFrom(0, n)}}}
		at := Axis{Columns: []Column{{Name: "stage", Of: []int{t}}}} // of one place, which the shape does not have
		out = append(out, Array{Name: fmt.Sprintf("kernel_%d", t), Group: "kernel_dense", Axes: []Axis{at, from, to}, Floats: p})
		return nil
	})
	return out, err
}
