package arrays

import (
	"fmt"

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
			Name: "kernel_csr", Several: true, Shape: "entries, entries, states + 1", kernel: true, numbers: kernelNumbers, make: csr((*maker).kernels), Chains: (*maker).kernels,
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

// eachKernel makes the rows of the kernel of each of some stages from 2 on.
func (m *maker) eachKernel(chosen []int, use func(t int, rows *kernel.Rows, logf []float64) error) error {
	logf, rows := make([]float64, m.c.Annealing().States()), &kernel.Rows{}
	for _, t := range chosen {
		if t < 2 {
			continue
		}
		m.c.Annealing().LogF(logf, t)
		if err := rows.Fill(m.ctx, m.c.Annealing().KernelAt(t), logf); err != nil {
			return fmt.Errorf("stage %d: %w", t, err)
		}
		if err := use(t, rows, logf); err != nil {
			return err
		}
	}
	return nil
}

// denseKernels returns the matrices of the kernels.
func (m *maker) denseKernels() (out []Array, err error) {
	n := m.c.Annealing().States()
	err = m.eachKernel(m.stages, func(t int, rows *kernel.Rows, _ []float64) error {
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
