package planted

import "breadboard/chains"

// Misread is a kernel that is correct for another target than its own.
type Misread struct {
	Kernel chains.Rower
	As     func(logf []float64) []float64 // returns the log f that the kernel uses for a log f
}

// Move moves under the other target.
func (k Misread) Move(c chains.Chooser, logf []float64, x int) int {
	return k.Kernel.Move(c, k.As(logf), x)
}

// AppendRow appends the row under the other target.
func (k Misread) AppendRow(dst []chains.Entry, logf []float64, x int) []chains.Entry {
	return k.Kernel.AppendRow(dst, k.As(logf), x)
}

// Times returns a Misread.As that multiplies log f by a factor.
func Times(factor float64) func(logf []float64) []float64 {
	return func(logf []float64) []float64 {
		as := make([]float64, len(logf))
		for x, v := range logf {
			as[x] = factor * v
		}
		return as
	}
}

// Even is a Misread.As that averages log f of a state and of the state with all spins flipped, on
// axes of two values, which removes fields.
func Even(logf []float64) []float64 {
	as := make([]float64, len(logf))
	for x, v := range logf {
		as[x] = (v + logf[len(logf)-1-x]) / 2
	}
	return as
}
