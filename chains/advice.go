package chains

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// Words returns what the user of a library calls one of its options: a command, for example, returns the flag for it.
type Words func(option string) string

// Advice is a message, often an error, that names options. It is written once, where the trouble is found, and can be
// printed in the words of its reader: a library names the options, a command its flags.
type Advice struct {
	format string
	args   []any
}

// NewAdvice returns the message of a format of package fmt in which options stand in braces: {workers} is the option workers, and {T|T =}
// is the option T, which is called "T =" where no Words are given. Braces within the arguments stay as they are.
func NewAdvice(format string, args ...any) Advice { return Advice{format, args} }

// In returns the message with its options named by words.
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

// InWords returns the message of an error in which all Advice, wherever it stands in the tree of errors, names its options by words.
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
