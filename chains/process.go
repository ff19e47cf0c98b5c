package chains

// Process is an algorithm that goes from state to state by random choices, and adds up a number on its way: of annealed
// importance sampling and of particle filters that number is a log weight, in nats. It is written once, and then run by
// Run or simulate.Run with a Sampler, or propagated exactly by package exact/program, which merges equal states after each
// step. So the state must hold all that the later steps depend on, and nothing else.
//
// What Start and Step return depends on their arguments and on the outcomes of c's choices, and on nothing else. An
// implementation may cache what it last computed for a step; only one goroutine may then use it.
type Process[S comparable] interface {
	// Steps returns the number of steps, at least zero. It is always the same.
	Steps() int
	// Start returns the first state.
	Start(c Chooser) S
	// Step takes step t, 1 <= t <= Steps(), from state s. It returns the state that follows, and what the step adds to
	// the total; that may be infinite, but not NaN.
	Step(c Chooser, t int, s S) (next S, increment float64)
}

// Run runs a process once, with every choice made by c. It returns the first and the last state, and the total of the
// increments, in the order of the steps. Of a process without steps the last state is the first, and the total is zero.
func Run[S comparable](p Process[S], c Chooser) (first, last S, total float64) {
	first = p.Start(c)
	last = first
	for t := 1; t <= p.Steps(); t++ {
		var increment float64
		last, increment = p.Step(c, t, last)
		total += increment
	}
	return first, last, total
}
