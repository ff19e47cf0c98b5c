package chains

// Kernel is one Markov transition that leaves the law proportional to exp(logf) invariant.
//
// It is also taken to be reversible with respect to that law, which is what lets one kernel serve both
// directions of annealing; a kernel that is not says what its time reversal is (Reverser). Package exact
// checks the claim.
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

// Staged is a Kernel that is another one at each stage of an annealing; its own Move is never used.
type Staged interface {
	Kernel
	// Stage returns the kernel T_t, 2 <= t <= T.
	Stage(t int) Kernel
}

// Reverser is a Kernel that is not reversible. Reversal returns its time reversal R, with
// p(x) T(x,y) = p(y) R(y,x) for p proportional to exp(logf).
type Reverser interface {
	Kernel
	Reversal() Kernel
}
