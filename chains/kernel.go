package chains

import "fmt"

// Kernel is one Markov transition that leaves the law proportional to exp(logf) invariant.
//
// A kernel need not be reversible, and need not say what its time reversal is: package exact examines the flows between
// the states at every stage, refuses a kernel that does not leave the law invariant, and finds the reversal of any other
// kernel from its rows. The kernels of package kernels know their reversals (see OfLibrary).
type Kernel interface {
	// Move returns the state after one transition from state x, 0 <= x < len(logf), with every random choice
	// made by c. It must not change logf, and logf[x] may be -Inf (a state of zero probability).
	Move(c Chooser, logf []float64, x int) int
}

// Entry is one entry of a row of a transition matrix.
type Entry struct {
	To int     // the state that the row goes to
	P  float64 // the probability of going there
}

// Rower is a Kernel that also has its transition probabilities in closed form.
type Rower interface {
	Kernel
	// AppendRow appends the row of state x to dst: states that cannot be reached may be left out, and a state may stand more than once.
	AppendRow(dst []Entry, logf []float64, x int) []Entry
}

// Reverser is a Kernel that says what its time reversal R is, with p(x) T(x,y) = p(y) R(y,x) for p proportional to
// exp(logf). Those kernels of package kernels that are not reversible are Reversers. What another kernel says its
// reversal is, kernel.Diagnose examines. Package simulate moves reverse chains by it where no reversal from the kernel's
// rows is given (WithReversals); exact answers never rest on it, but on the kernel's rows.
type Reverser interface {
	Kernel
	Reversal() Kernel
}

// NameOf returns the selector of a kernel, or its type where it has none.
func NameOf(k Kernel) string {
	if s, ok := k.(fmt.Stringer); ok {
		return s.String()
	}
	return fmt.Sprintf("%T", k)
}
