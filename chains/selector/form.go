// Package selector parses selectors: short texts that name something, as "power:2" names a
// schedule. A Form is one way to write a selector, with its meaning and its parser. A Set holds all
// forms of one kind. Parsing, help, errors, lists and shell completion all derive from the set, so
// that none of them can omit a form. The packages of kernels, schedules, paths and targets supply
// the forms.
package selector

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"breadboard/chains/errs"
)

// Form is one way to write a selector: a name, which may have arguments after a colon. E is the
// context in which the selector is parsed, such as the space of a kernel, and T is the type of the
// named value.
type Form[E, T any] struct {
	// Syntax is the name with its arguments in capitals, and with brackets around optional parts:
	// "linear" takes no arguments, "sigmoid[:DELTA]" may have some and "power:P" must have some.
	Syntax string
	Doc    string // what it is, in one line
	Source string // the publication it comes from; may be empty
	// Example is a selector of this form that can be parsed. If the form reads a file, the example
	// names one that does not exist.
	Example string
	// Others are other common names for the same thing, in small letters. They select nothing; the
	// error for them states the name to use.
	Others []string
	// Replaces are methods for continuous variables, in small letters, to which this form is the
	// nearest on discrete states. The error for them says so.
	Replaces []string
	// Missing names the required arguments, as in "the exponent", for the error if they are
	// missing. If it is empty, Parse is called without arguments and returns the error itself.
	Missing string
	// Instead is a text that is added to the error for arguments of a form that takes none.
	Instead string
	// Reversible states that a kernel is always its own time reversal, or that a combination of
	// kernels is if its parts are.
	Reversible bool
	// File returns the path of the file that the arguments name; nil if they name none.
	File func(args string) string
	// Files returns all files that the arguments name, last the one that is shown; nil if File
	// names the only one. It may read files.
	Files func(args string) []string
	// Endings are the endings of its files, in small letters, besides that of the example.
	Endings []string
	// Program says that a selector of the form starts a program.
	Program bool
	// Parse returns the value that the arguments name. Its errors are made by Args.Wrap or
	// Args.Errorf, which add the selector.
	Parse func(args Args, env E) (T, error)
}

// Info is the description of a form, independent of the types E and T.
type Info struct {
	Syntax, Doc, Source, Example string
	Others, Replaces             []string
	Missing, Instead             string
	Reversible                   bool
	File                         func(args string) string
	Files                        func(args string) []string
	Endings                      []string
	Program                      bool
}

// Name returns the name, without arguments.
func (f *Info) Name() string { return NameOf(f.Syntax) }

// NameOf returns the name at the beginning of a syntax.
func NameOf(syntax string) string {
	name, _, _ := strings.Cut(syntax, ":")
	return strings.TrimSuffix(name, "[")
}

// takesArguments reports whether a selector of the form may have arguments.
func (f *Info) takesArguments() bool { return strings.ContainsRune(f.Syntax, ':') }

// needsArguments reports whether it must have some.
func (f *Info) needsArguments() bool { return strings.HasPrefix(f.Syntax, f.Name()+":") }

// checkArgs refuses arguments of a form that takes none, and missing arguments if some are
// required.
func (f *Info) checkArgs(args Args) error {
	switch {
	case args.Given && !f.takesArguments():
		return args.Errorf("%s takes no argument%s", f.Name(), f.Instead)
	case !args.Given && f.needsArguments() && f.Missing != "":
		return args.Errorf("give %s, as in %s", f.Missing, f.Example)
	}
	return nil
}

// WholeArgument is the File of a form whose arguments are nothing but a path.
func WholeArgument(args string) string { return args }

// adapt returns a form with the syntax of another form, for a set with another environment or
// another result. The function env converts the new environment to that of the other form, and the
// function result converts the other form's value to the new type.
func adapt[E, T, F, U any](f Form[E, T], env func(F) E, result func(T) U) Form[F, U] {
	return Form[F, U]{
		Syntax:     f.Syntax,
		Doc:        f.Doc,
		Source:     f.Source,
		Example:    f.Example,
		Missing:    f.Missing,
		Instead:    f.Instead,
		Others:     f.Others,
		Replaces:   f.Replaces,
		Reversible: f.Reversible,
		File:       f.File,
		Files:      f.Files,
		Program:    f.Program,
		Parse: func(args Args, known F) (U, error) {
			v, err := f.Parse(args, env(known))
			if err != nil {
				var none U
				return none, err
			}
			return result(v), nil
		},
	}
}

// Identity returns its argument: an env or result of AdaptSet that converts nothing.
func Identity[T any](v T) T { return v }

// Nothing is the E of forms that need no context.
type Nothing = struct{}

// Args are the arguments of a selector that is being parsed.
type Args struct {
	Text  string // the text after the first colon
	Given bool   // whether there is a colon
	what  string // the kind of thing that the selector names, as in "kernel"
	whole string // the whole selector
}

// Cut returns the arguments up to the next colon, and those after it, which may be empty.
func (a Args) Cut() (first, rest string) {
	first, rest, _ = strings.Cut(a.Text, ":")
	return first, rest
}

// Wrap adds the selector to an error; nil stays nil.
func (a Args) Wrap(err error) error {
	if err == nil {
		return nil
	}
	return a.Errorf("%w", err)
}

// Errorf makes an error like fmt.Errorf, and adds the selector like Wrap. It shows only the
// beginning of a long selector.
func (a Args) Errorf(format string, values ...any) error {
	return fmt.Errorf("%s %q: %w", a.what, Cut(a.whole), errs.New(format, values...))
}

// Number reads the arguments as one number, by ParseNumber. The argument of describes the number,
// for the error.
func (a Args) Number(of string) (float64, error) {
	v, err := ParseNumber(a.Text)
	if err != nil {
		return 0, a.Errorf("%s: %w", of, err)
	}
	return v, nil
}

// ParseNumber reads a finite decimal number. Unlike strconv.ParseFloat it refuses "nan", "inf",
// hexadecimal and digits joined by underscores, and its error points out a decimal comma.
func ParseNumber(s string) (float64, error) {
	if strings.ContainsRune(s, ',') {
		return 0, errs.New("%q has a comma; write decimals with a point", Cut(s))
	}
	if s == "" || strings.Trim(s, "+-.0123456789eE") != "" {
		return 0, fmt.Errorf("%q is not a number", Cut(s))
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsInf(v, 0) {
		return 0, fmt.Errorf("%q is not a number, or outside the range of floating point", Cut(s))
	}
	if v == 0 {
		return 0, nil // this turns -0, which would be printed otherwise, into 0
	}
	return v, nil
}

// ParseProbability reads a number from 0 to 1.
func ParseProbability(s string) (float64, error) {
	p, err := ParseNumber(s)
	if err == nil && !(p >= 0 && p <= 1) {
		err = fmt.Errorf("%v is not a probability", p)
	}
	return p, err
}

// ParseWhole reads a whole number from low to high, which may be written as 1e6. On 32-bit machines
// the limit is 2^31 - 1.
func ParseWhole(s string, low, high float64) (int, error) {
	high = min(high, math.MaxInt)
	v, err := ParseNumber(strings.TrimSpace(s))
	if err != nil {
		return 0, err
	}
	if v != math.Trunc(v) || v < low || v > high {
		return 0, fmt.Errorf("%s is not a whole number from %v to %s", s, low,
			strings.NewReplacer("e+0", "e", "e+", "e").Replace(fmt.Sprint(high)))
	}
	return int(v), nil
}
