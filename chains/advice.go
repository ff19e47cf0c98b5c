package chains

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// Words says how the options of a library are called by whoever uses it: a command, for example, has flags for them.
type Words func(option string) string

// Advice is a message, often an error, that names options. It is written once, where the trouble is found, and everyone
// says it in their own words: a library by the names of the options, a command by its flags.
type Advice struct {
	format string
	args   []any
}

// NewAdvice returns the message of a format of package fmt in which options stand in braces: {workers} is the option
// workers, and {T|T =} is the option T that is called "T =" where nobody has a word of their own for it. Arguments may
// have braces of their own, which mean nothing.
func NewAdvice(format string, args ...any) Advice { return Advice{format, args} }

// In returns the message in somebody's words.
func (a Advice) In(words Words) string { return a.in(words).Error() }

// Error returns the message in the library's own words.
func (a Advice) Error() string { return a.in(nil).Error() }

// Unwrap returns the error that the message wraps, if any.
func (a Advice) Unwrap() error { return errors.Unwrap(a.in(nil)) }

func (a Advice) in(words Words) error {
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

// InWords returns the message of an error with all Advice in it said in somebody's words, wherever it stands in the
// tree of errors.
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
