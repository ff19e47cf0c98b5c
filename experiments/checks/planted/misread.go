package planted

import "breadboard/chains"

// Misread is a kernel that is right for another target than its own.
type Misread struct {
	Kernel chains.Rower
	As     func(logf []float64) []float64 // log f as the kernel takes it, from what it is
}

// Move moves under the other target.
func (k Misread) Move(c chains.Chooser, logf []float64, x int) int {
	return k.Kernel.Move(c, k.As(logf), x)
}

// AppendRow appends the row under the other target.
func (k Misread) AppendRow(dst []chains.Entry, logf []float64, x int) []chains.Entry {
	return k.Kernel.AppendRow(dst, k.As(logf), x)
}

// Times returns what takes log f times a factor for log f.
func Times(factor float64) func(logf []float64) []float64 {
	return func(logf []float64) []float64 {
		as := make([]float64, len(logf))
		for x, v := range logf {
			as[x] = factor * v
		}
		return as
	}
}

// Even takes the mean of log f of a state and of that with all spins of two values turned over for
// log f, which leaves out fields.
func Even(logf []float64) []float64 {
	as := make([]float64, len(logf))
	for x, v := range logf {
		as[x] = (v + logf[len(logf)-1-x]) / 2
	}
	return as
}
