package chains

import "fmt"

// Transitions are the kernels T_2, ..., T_T of an annealing: one kernel that moves under every distribution, or a kernel of
// its own for each stage. They are immutable.
type Transitions struct {
	kernel Kernel   // the kernel of every stage; nil where the stages have kernels of their own
	stages []Kernel // T_t at index t - 2, where the stages have kernels of their own
	name   string   // the name of the kernels in stages
}

// Always returns the transitions that have one kernel at every stage.
func Always(k Kernel) *Transitions { return &Transitions{kernel: k} }

// ByStage returns the transitions that have the kernel T_t of stage t = 2, 3, ... at place t - 2. The name is what String returns.
func ByStage(name string, stages []Kernel) *Transitions {
	return &Transitions{stages: append([]Kernel(nil), stages...), name: name}
}

// Kernel returns the kernel of every stage, and nil where the stages have kernels of their own.
func (m *Transitions) Kernel() Kernel { return m.kernel }

// At returns T_t, 2 <= t <= T.
func (m *Transitions) At(t int) Kernel {
	if m.kernel != nil {
		return m.kernel
	}
	return m.stages[t-2]
}

// Distributions returns the T that kernels by stage are made for, and 0 where there is one kernel for any T.
func (m *Transitions) Distributions() int {
	if m.kernel != nil {
		return 0
	}
	return len(m.stages) + 1
}

// String returns the selector of the kernel, or the name of the kernels by stage.
func (m *Transitions) String() string {
	if m.kernel != nil {
		return NameOf(m.kernel)
	}
	return m.name
}

// ErrByStage returns the error for a derivative by beta, or a friction, of kernels that are made for certain stages. Both
// need a kernel that moves under every distribution.
func ErrByStage(m *Transitions) error {
	return fmt.Errorf("kernel %v is made for the stages of one annealing; a derivative needs one for any distribution", m)
}
