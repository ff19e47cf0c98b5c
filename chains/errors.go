package chains

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// Fault is the error of a failed check: a kernel violates a requirement, or a result contradicts
// itself. Any other error says that a computation cannot be made with the given arguments.
type Fault struct{ error }

// NewFault returns the fault that an error describes.
func NewFault(err error) Fault { return Fault{err} }

// Unwrap returns the error within.
func (f Fault) Unwrap() error { return f.error }

// MovePanic returns the error of a Move that has panicked: a panic with a Fault is that Fault, and
// any other panic becomes an error that says that Move panicked.
func MovePanic(panicked any) error {
	err, is := panicked.(error)
	if !is {
		return fmt.Errorf("Move panicked: %v", panicked)
	}
	if _, fault := errors.AsType[Fault](err); fault {
		return err
	}
	return fmt.Errorf("Move panicked: %w", err)
}

// IsFault reports whether an error is that of a check that has failed.
func IsFault(err error) bool {
	_, fault := errors.AsType[Fault](err)
	return fault
}

// Ended reports whether an error comes from a context that has ended. Results computed until then
// are right, but incomplete.
func Ended(ctx context.Context, err error) bool { return ctx.Err() != nil && errors.Is(err, ctx.Err()) }

// Words returns the name that a user knows an option by. A command, for example, returns its flag.
type Words func(option string) string

// Advice is a message, often an error, that names options. It is written once, where the problem is
// found, and printed with the names that its reader knows: a library names options, a command
// flags.
type Advice struct {
	format string
	args   []any
}

// NewAdvice returns a message, formatted like fmt.Sprintf, whose format names options in braces:
// {workers} is the option workers, and {T|T =} is the option T, printed as "T =" if no Words are
// given. Braces within the arguments stay as they are.
func NewAdvice(format string, args ...any) Advice { return Advice{format, args} }

// In returns the message with its options named by words.
func (a Advice) In(words Words) string { return a.errorIn(words).Error() }

// Error returns the message with the library's names of options.
func (a Advice) Error() string { return a.errorIn(nil).Error() }

// Unwrap returns the error that the message wraps, if any.
func (a Advice) Unwrap() error { return errors.Unwrap(a.errorIn(nil)) }

func (a Advice) errorIn(words Words) error {
	braces := regexp.MustCompile(`\{[^{}]*\}`)
	format := braces.ReplaceAllStringFunc(a.format, func(option string) string {
		name, plain, other := strings.Cut(option[1:len(option)-1], "|")
		switch {
		case words != nil:
			return strings.ReplaceAll(words(name), "%", "%%")
		case other:
			return plain
		}
		return name
	})
	return fmt.Errorf(format, a.args...)
}

// InWords returns the message of an error in which all Advice, at any depth of wrapping, names its
// options by words.
func InWords(err error, words Words) string {
	text := err.Error()
	if a, is := err.(Advice); is {
		text = a.In(words)
	}
	var wrapped []error
	switch tree := err.(type) {
	case interface{ Unwrap() error }:
		wrapped = []error{tree.Unwrap()}
	case interface{ Unwrap() []error }:
		wrapped = tree.Unwrap()
	}
	for _, inner := range wrapped {
		if inner != nil {
			text = strings.Replace(text, inner.Error(), InWords(inner, words), 1)
		}
	}
	return text
}
