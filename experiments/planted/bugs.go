package planted

import "breadboard/chains"

// The functions below plant one bug each in an annealer.

// KernelEarly gives the kernel of stage t the distribution of stage t - 1.
func KernelEarly(r *Annealer) { r.Stage = func(t int) int { return t - 1 } }

// KernelLate gives the kernel of stage t the distribution of stage t + 1, and at the last stage that of the last.
func KernelLate(r *Annealer) { r.Stage = func(t int) int { return min(t+1, r.Last()) } }

// KernelOfTarget gives the kernel of every stage the distribution of the last.
func KernelOfTarget(r *Annealer) { r.Stage = func(int) int { return r.Last() } }

// IncrementEarly adds the increment of stage t - 1 at stage t, and at the first stage its own.
func IncrementEarly(r *Annealer) { r.Weighed = func(t int) int { return max(2, t-1) } }

// IncrementLate adds the increment of stage t + 1 at stage t, and at the last stage its own.
func IncrementLate(r *Annealer) { r.Weighed = func(t int) int { return min(t+1, r.Last()) } }

// OtherSide takes the increments at the other side of the moves.
func OtherSide(r *Annealer) { r.OtherSide = true }

// FirstMoveOut leaves out the move of stage 2.
func FirstMoveOut(r *Annealer) { r.Moves = func(t int) bool { return t != 2 } }

// LastMoveOut leaves out the move of stage T.
func LastMoveOut(r *Annealer) { r.Moves = func(t int) bool { return t != r.Last() } }

// FirstIncrementOut leaves out the increment of stage 2.
func FirstIncrementOut(r *Annealer) { r.Weighed = without(2) }

// LastIncrementOut leaves out the increment of stage T.
func LastIncrementOut(r *Annealer) { r.Weighed = without(r.Last()) }

// without returns the function that has every stage add its own increment, apart from one that adds none.
func without(stage int) func(t int) int {
	return func(t int) int {
		if t == stage {
			return 0
		}
		return t
	}
}

// LastStateOut starts at any state but the last, each as likely.
func LastStateOut(r *Annealer) {
	n := len(r.LogF[1])
	r.Begin = func(c chains.Chooser) int { return c.Uniform(n - 1) }
}
