package program

import "breadboard/chains/number"

// Outcome is a result of a program and its probability.
type Outcome[V comparable] struct {
	Value V
	P     float64
}

// Law is the exact law of the result of a program: what it can return, in the order of first appearance, each once. Nothing
// is renormalised: the probabilities and the remainder sum to one but for rounding, and for what the lists of probabilities
// that the program gives to Choose are off from a sum of one. Of each of them 1e-12 is let pass (chains.CheckChoose), and
// all of it is found again in the sum here.
type Law[V comparable] struct {
	outcomes  []Outcome[V]
	place     map[V]int // by value: the place among the outcomes
	remainder float64
	runs      int
}

// Outcomes returns the results with their probabilities; they belong to the law.
func (l *Law[V]) Outcomes() []Outcome[V] { return l.outcomes }

// P returns the probability of a result, zero where it was not found. It may be too small by the remainder at most.
func (l *Law[V]) P(v V) float64 {
	if i, found := l.place[v]; found {
		return l.outcomes[i].P
	}
	return 0
}

// Remainder returns the probability of the branches that were given up, of which the results are not known.
func (l *Law[V]) Remainder() float64 { return l.remainder }

// Runs returns how often the program was run for different outcomes of its choices.
func (l *Law[V]) Runs() int { return l.runs }

// Mean returns the sum of f(v) P(v) over the results. What was given up is not in it: where |f| is at most M, the
// expectation of f is within M times the remainder of it, and of rounding.
func (l *Law[V]) Mean(f func(V) float64) float64 {
	terms := make([]float64, len(l.outcomes))
	for i, o := range l.outcomes {
		terms[i] = f(o.Value) * o.P
	}
	return number.Total(terms)
}
