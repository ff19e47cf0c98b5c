package chains

import "fmt"

// Kernel is one Markov transition that leaves the law proportional to exp(logf) invariant.
//
// It need not be reversible, and need not say what its time reversal is: package exact examines the flows between the
// states at every stage, refuses a kernel that does not leave the law invariant, and finds the reversal of any other
// one from its rows. The kernels of this package know theirs (see OfLibrary).
type Kernel interface {
	// Move returns the state after one transition from state x, 0 <= x < len(logf), with every random choice
	// made by c. It must not change logf, and logf[x] may be -Inf (a state of zero probability).
	Move(c Chooser, logf []float64, x int) int
}

// Entry is one entry of a row of a transition matrix.
type Entry struct {
	To int     // state
	P  float64 // probability
}

// Rower is a Kernel that also has its transition probabilities in closed form.
type Rower interface {
	Kernel
	// AppendRow appends the row of state x to dst: states that cannot be reached may be left out, and a state
	// may stand more than once.
	AppendRow(dst []Entry, logf []float64, x int) []Entry
}

// Reverser is a Kernel that says what its time reversal R is, with p(x) T(x,y) = p(y) R(y,x) for p proportional to
// exp(logf). Of the kernels of this package, those that are not reversible do. What another kernel says is examined by
// kernel.Diagnose, and is what package simulate moves reverse chains by where it has nothing better; exact answers never rest on
// it, but on the kernel's rows.
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
