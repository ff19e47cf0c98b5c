package program

import "fmt"

// Kind says what is wrong with a program.
type Kind int

const (
	// Panicked: the program panicked; Error.Value has what with.
	Panicked Kind = iota + 1
	// InvalidChoice: the program asks for a choice whose probabilities are not such.
	InvalidChoice
	// NotRepeatable: the program does something else when it is run again with the same outcomes.
	NotRepeatable
	// TooManyChoices: one run makes more choices than Options.Choices. It may have no end.
	TooManyChoices
	// TooManyOutcomes: one choice has more outcomes than Options.Branches.
	TooManyOutcomes
	// TooManyBranches: the program has more ways to come out than Options.Branches, or more states.
	TooManyBranches
	// NotEqualToItself: a result, a state or an increment is NaN or has one in it, or is of a type that cannot be compared.
	NotEqualToItself
)

// Error is why the law of a program cannot be found.
type Error struct {
	Kind  Kind
	Value any // what the program panicked with; nil for other kinds

	// text is the message; with about it goes on from the name of the program.
	text  string
	about bool
}

// newError returns an error whose message does not speak of the program.
func newError(kind Kind, text string) *Error { return &Error{Kind: kind, text: text} }

// errorAbout returns an error whose message goes on from the name of the program.
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
