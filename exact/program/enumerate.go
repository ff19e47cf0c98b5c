// Package program computes the exact distribution of any program that makes random choices. A
// program is a function of a chains.Chooser, or a chains.Process. Enumerate runs it once for every
// sequence of outcomes of its choices. Propagate takes a process step by step and merges equal
// states, so that its cost grows with the number of steps and not with the number of paths. With
// the mass of a state it carries numbers about the log weight (see Carrier).
//
// It does not renormalise, and reports all omitted probability.
package program

import (
	"context"
	"fmt"
	"slices"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
)

// Enumerate returns the exact distribution of the result of a program, by running it once for every
// sequence of outcomes of its choices. Equal results are one outcome.
//
// A branch of more than 12 choices is dropped when its probability is below Options.Cut; Remainder
// reports the dropped probability. The program must do the same whenever it is run with the same
// outcomes. Every run checks that it makes the same choices; a second run of each of the first 64
// branches, and of the 128th, the 256th and so on, checks that it returns the same result.
//
// It fails with an *Error if the program panics, makes an invalid choice, is not repeatable, makes
// more choices or has more branches than the options allow, or returns a value that is not equal to
// itself, such as NaN. It fails with the context's error when that ends; the context is checked
// before every run. A program that runs forever without a choice cannot be stopped, nor can one
// that always recovers from the panics by which its choices end a run. Time is the number of runs,
// memory the number of results.
func Enumerate[V comparable](ctx context.Context, f func(chains.Chooser) V, o Options) (*Law[V], error) {
	l, err := o.limits()
	if err != nil {
		return nil, err
	}
	e := newEnumeration[V]()
	if err := e.enumerateAll(ctx, l, f); err != nil {
		return nil, err
	}
	law := e.law
	return &law, nil
}

// enumeration makes distributions one after another, and reuses its memory.
type enumeration[V comparable] struct {
	branches Branches
	law      Law[V]
	terms    [][]float64 // by outcome: the probabilities of its branches, or of some of them together
}

// termsKept is the number of probabilities that are kept of an outcome before they are added up.
// They are added up with a correction for rounding, so that a million branches do not cost the sum
// its last digits.
const termsKept = 1 << 10

func newEnumeration[V comparable]() *enumeration[V] {
	return &enumeration[V]{law: Law[V]{place: map[V]int{}}}
}

// enumerateAll makes the distribution of a program.
func (e *enumeration[V]) enumerateAll(ctx context.Context, l Limits, f func(chains.Chooser) V) error {
	e.law.outcomes = e.law.outcomes[:0]
	clear(e.law.place)
	var v V
	run := func(c chains.Chooser) { v = f(c) }
	leaves := 0
	walked, err := e.branches.Walk(ctx, l, run, func(p float64) error {
		if err := checkEqual(v); err != nil {
			return err
		}
		e.addBranch(v, p)
		leaves++
		if !isRepeated(leaves) {
			return nil
		}
		first := v
		if err := e.branches.again(run); err != nil {
			return err
		}
		if v != first {
			return errorAbout(NotRepeatable,
				"returned %v and then %v with the same outcomes; it must depend on nothing else", first, v)
		}
		return nil
	})
	if err != nil {
		return err
	}
	e.sumOutcomes()
	e.law.remainder = walked.Remainder
	e.law.runs = walked.Runs
	return nil
}

// sumOutcomes adds up the probabilities of the outcomes.
func (e *enumeration[V]) sumOutcomes() {
	for i := range e.law.outcomes {
		e.law.outcomes[i].P = number.Total(e.terms[i])
	}
}

// isRepeated reports whether the result of a branch, counted from one, is checked in a second run.
func isRepeated(leaf int) bool { return leaf <= 64 || leaf&(leaf-1) == 0 }

// checkEqual fails for a value that is not equal to itself, or cannot be compared at all.
func checkEqual[V comparable](v V) (err error) {
	defer func() {
		if recover() != nil {
			err = errorAbout(NotEqualToItself, "returned a %T, which contains values that cannot be compared", v)
		}
	}()
	if other := v; v != other {
		return errorAbout(NotEqualToItself,
			"returned %v, which is not equal to itself, so that it cannot be told from other results; "+
				"return another value for NaN", v)
	}
	return nil
}

// addBranch adds the probability of a branch with a result.
func (e *enumeration[V]) addBranch(v V, p float64) {
	i, found := e.law.place[v]
	if !found {
		i = len(e.law.outcomes)
		e.law.place[v] = i
		e.law.outcomes = append(e.law.outcomes, Outcome[V]{Value: v})
		if i == len(e.terms) {
			e.terms = append(e.terms, nil)
		}
		e.terms[i] = e.terms[i][:0]
	}
	if len(e.terms[i]) == termsKept {
		e.terms[i] = together(e.terms[i])
	}
	e.terms[i] = append(e.terms[i], p)
}

// together returns the sum of terms as two terms, itself and its rounding error, in the same
// memory.
func together(terms []float64) []float64 {
	total := number.Total(terms)
	left := number.Total(append(terms, -total))
	return append(terms[:0], total, left)
}

// The defaults of Options.
const (
	DefaultCut      = 0x1p-54
	DefaultBranches = 1 << 20
)

// Options bound the work. A field that is zero means its default.
type Options struct {
	// Cut is the probability below which a branch of more than 12 choices is dropped; the remainder
	// includes it. The default is 2^-54. To drop practically nothing, take
	// math.SmallestNonzeroFloat64.
	Cut float64
	// Choices is the most choices that one run may make; the default is chains.MaxChoices.
	Choices int
	// Branches is the most runs of one enumeration, including dropped ones; Propagate makes an
	// enumeration from every state. It is also the most states at which Propagate may be after a
	// step. The default is 2^20.
	Branches int
}

// limits returns the options with their defaults, and fails for invalid options.
func (o Options) limits() (Limits, error) {
	l := Limits(o)
	if !(l.Cut >= 0 && l.Cut < 1) || l.Choices < 0 || l.Branches < 0 {
		return l,
			errs.New("options of cut %v, %d choices and %d branches; a cut is a probability from 0 and below "+
				"1, and the others are at least 1, or 0 for the default",
				l.Cut, l.Choices, l.Branches)
	}
	if l.Cut == 0 {
		l.Cut = DefaultCut
	}
	if l.Choices == 0 {
		l.Choices = chains.MaxChoices
	}
	if l.Branches == 0 {
		l.Branches = DefaultBranches
	}
	return l, nil
}

// Outcome is a result of a program and its probability.
type Outcome[V comparable] struct {
	Value V
	P     float64
}

// Law is the exact distribution of the result of a program: its possible results in the order of
// first appearance, each once. Nothing is renormalised: the probabilities and the remainder sum to
// one up to rounding, and up to the errors of the sums of the lists of probabilities that the
// program gives to Choose. Each such sum may be off by 1e-12 (chains.CheckChoose).
type Law[V comparable] struct {
	outcomes  []Outcome[V]
	place     map[V]int // by value: the place among the outcomes
	remainder float64
	runs      int
}

// Outcomes returns the results with their probabilities. Do not change them.
func (l *Law[V]) Outcomes() []Outcome[V] { return l.outcomes }

// Sorted returns the results with their probabilities in an order, such as that of cmp.Compare.
func (l *Law[V]) Sorted(compare func(a, b V) int) []Outcome[V] {
	return slices.SortedFunc(slices.Values(l.outcomes), func(a, b Outcome[V]) int { return compare(a.Value, b.Value) })
}

// P returns the probability of a result, zero if it was not found. It may be too small by at most
// the remainder.
func (l *Law[V]) P(v V) float64 {
	if i, found := l.place[v]; found {
		return l.outcomes[i].P
	}
	return 0
}

// Remainder returns the probability of the branches that were not explored.
func (l *Law[V]) Remainder() float64 { return l.remainder }

// Runs returns the number of runs of the program for different outcomes of its choices.
func (l *Law[V]) Runs() int { return l.runs }

// Mean returns the sum of f(v) P(v) over the results. Dropped branches are not included: if |f| is
// at most M, the error is at most M times the remainder, and rounding.
func (l *Law[V]) Mean(f func(V) float64) float64 {
	terms := make([]float64, len(l.outcomes))
	for i, o := range l.outcomes {
		terms[i] = f(o.Value) * o.P
	}
	return number.Total(terms)
}

// Kind says what is wrong with a program.
type Kind int

const (
	// Panicked: the program panicked with Error.Value.
	Panicked Kind = iota + 1
	// InvalidChoice: the probabilities of a choice are invalid.
	InvalidChoice
	// NotRepeatable: the program behaves differently when it is run again with the same outcomes.
	NotRepeatable
	// TooManyChoices: one run makes more choices than Options.Choices. It may have no end.
	TooManyChoices
	// TooManyOutcomes: one choice has more outcomes than Options.Branches.
	TooManyOutcomes
	// TooManyBranches: the program has more branches than Options.Branches, or more states.
	TooManyBranches
	// NotEqualToItself: a result, a state or an increment is NaN or contains one, or is of a type
	// that cannot be compared.
	NotEqualToItself
)

// Error is the reason why the distribution of a program cannot be computed.
type Error struct {
	Kind  Kind
	Value any // what the program panicked with; nil for other kinds

	// text is the message; with about it continues the name of the program.
	text  string
	about bool
}

// newError returns an error whose message does not mention the program.
func newError(kind Kind, text string) *Error { return &Error{Kind: kind, text: text} }

// errorAbout returns an error whose message continues the name of the program.
func errorAbout(kind Kind, format string, args ...any) *Error {
	return &Error{Kind: kind, text: fmt.Sprintf(format, args...), about: true}
}

// About returns the message, in which the program has the given name.
func (e *Error) About(name string) string {
	if e.about {
		return name + " " + e.text
	}
	return e.text
}

// Error returns the message.
func (e *Error) Error() string { return e.About("the program") }

// Unwrap returns the error that the program panicked with, if it was one.
func (e *Error) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// asError returns the error of a run that has ended in a panic.
func asError(panicked any) error {
	if e, ours := panicked.(*Error); ours {
		return e
	}
	e := errorAbout(Panicked, "panicked: %v", panicked)
	e.Value = panicked
	return e
}
