// Package errs answers: what is wrong, what is to be done, and what does the reader call it? Errors
// have two parts and name options, which commands print as flags.
package errs

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// Words returns the name that a user knows an option by. A command, for example, returns its flag.
type Words func(option string) string

// Advice is a message, often an error, in two parts: what is wrong, and a hint, which says what to
// do. It is written once, where the problem is found, and printed with the names of options that
// its reader knows: a library names options, a command flags.
type Advice struct {
	plain  error // with the options as they are written
	format string
	args   []any
}

// New returns a message, formatted like fmt.Errorf. The first "; " of the format stands between
// what is wrong and the hint. The format names options in braces: {workers} is the option workers,
// and {T|T =} is the option T, printed as "T =" if no Words are given. Braces within the arguments
// stay as they are.
func New(format string, args ...any) *Advice {
	return &Advice{fmt.Errorf(format, args...), format, args}
}

// Memory returns a number of bytes as the words of a message.
func Memory(bytes float64) string {
	const rounded = 0.9995 // three digits make 1 of it
	if !(bytes < rounded*1e15) {
		return "more memory than any machine has"
	}
	unit := 1e6
	for _, name := range []string{"MB", "GB"} {
		if bytes < rounded*1e3*unit {
			return fmt.Sprintf("about %.3g %s", bytes/unit, name)
		}
		unit *= 1e3
	}
	return fmt.Sprintf("about %.3g TB", bytes/unit)
}

// In returns the message with its options named by words.
func (a *Advice) In(words Words) string { return Join(a.Parts(words)) }

// Error returns the message with the library's names of options.
func (a *Advice) Error() string { return a.In(nil) }

// Unwrap returns the error that the message wraps, if any.
func (a *Advice) Unwrap() error { return errors.Unwrap(a.plain) }

// Parts returns what is wrong and the hint.
func (a *Advice) Parts(words Words) (what, hint string) {
	const end = "\x00;\x00" // of what is wrong; no argument has it
	options := regexp.MustCompile(`\{[A-Za-z][\w -]*=?(\|[^{}]*)?\}`)
	format := options.ReplaceAllStringFunc(strings.Replace(a.format, "; ", end, 1), func(option string) string {
		name, plain, other := strings.Cut(option[1:len(option)-1], "|")
		switch {
		case words != nil:
			return strings.ReplaceAll(words(name), "%", "%%")
		case other:
			return plain
		}
		return name
	})
	what, hint, _ = strings.Cut(fmt.Errorf(format, a.args...).Error(), end)
	return what, hint
}

// Join returns a message of two parts as a line.
func Join(what, hint string) string {
	if hint == "" {
		return what
	}
	return what + "; " + hint
}

// InWords returns the message of an error in which all Advice, at any depth of wrapping, names its
// options by words.
func InWords(err error, words Words) string { return Join(Parts(err, words)) }

// Parts returns the message of an error, like InWords, in two parts: what is wrong, to which
// belongs what stands before the error that has been wrapped, and its hint, which is empty if it
// has none.
func Parts(err error, words Words) (what, hint string) {
	what = err.Error()
	if a, is := err.(interface{ Parts(Words) (string, string) }); is {
		what, hint = a.Parts(words)
	}
	var wrapped []error
	switch tree := err.(type) {
	case interface{ Unwrap() error }:
		wrapped = []error{tree.Unwrap()}
	case interface{ Unwrap() []error }:
		wrapped = tree.Unwrap()
	}
	for _, inner := range wrapped {
		if inner == nil {
			continue
		}
		named, its := Parts(inner, words)
		what = strings.Replace(what, inner.Error(), Join(named, its), 1)
		hint = strings.Replace(hint, inner.Error(), Join(named, its), 1)
		if before, ends := strings.CutSuffix(what, "; "+its); ends && its != "" {
			what = before
			hint = Join(its, hint)
		}
	}
	return what, hint
}
