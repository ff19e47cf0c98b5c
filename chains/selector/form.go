// Package selector answers: which thing does a short text name, as "power:2" names a schedule? A Form is one way to
// write such a text, with what it means and how it is read; a Set holds the forms of everything of one kind. Parsing,
// help, errors, lists and the completion of a shell all derive from the set, so that none of them can leave a form out.
// It never knows what is named: the packages of kernels, schedules, paths and targets give it their forms.
package selector

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Form is one way to write a selector: a name, which may have arguments after a colon. E is what is
// known if the selector is parsed, such as the space that a kernel is for, and T is what the
// selector names.
type Form[E, T any] struct {
	// Syntax is the name with its arguments in capitals, and with brackets around what may be left out: "linear" takes
	// no arguments, "sigmoid[:DELTA]" may have some and "power:P" must have some.
	Syntax string
	Doc    string // what it is, in one line
	Source string // where it comes from; empty if that needs no saying
	// Example is a selector of this form that can be parsed. If the form reads a file, the example
	// names one that does not exist.
	Example string
	// Others are names by which others know the same thing, in small letters. They select nothing, and the error for them says its name here.
	Others []string
	// Missing is what the error asks for where necessary arguments are missing, as in "the
	// exponent". If it is empty, Parse is called without arguments and returns the error itself.
	Missing string
	// Instead is a text that is added to the error for arguments of a form that takes none.
	Instead string
	// Reversible says of a kernel that it is always its own time reversal, and of a combination of kernels that it is where its parts are.
	Reversible bool
	// File returns the path of the file that the arguments name; nil if they name none.
	File func(args string) string
	// Endings are those of the paths of its files, in small letters, beside that of the example.
	Endings []string
	// Program says that a selector of the form starts a program.
	Program bool
	// Parse returns what the arguments name. Its errors say what is wrong, and are made by Args.Wrap or Args.Errorf, which
	// add in which selector.
	Parse func(args Args, env E) (T, error)
}

// Info is what a form says of itself, without the types of what it is parsed with and into.
type Info struct {
	Syntax, Doc, Source, Example string
	Others                       []string
	Missing, Instead             string
	Reversible                   bool
	File                         func(args string) string
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

// check refuses arguments of a form that takes none, and none if some must be there.
func (f *Info) check(args Args) error {
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

// adapt returns a form with the syntax of another form, for a set with another environment or another result. The function env makes the other
// form's environment of the new one, and the function result turns what the other form names into what the new form names.
func adapt[E, T, F, U any](f Form[E, T], env func(F) E, result func(T) U) Form[F, U] {
	return Form[F, U]{
		Syntax: f.Syntax, Doc: f.Doc, Source: f.Source, Example: f.Example, Missing: f.Missing, Instead: f.Instead, Others: f.Others,
		Reversible: f.Reversible, File: f.File, Program: f.Program,
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

// Same returns its argument. It is passed to Adapt as env or result where that is not to be changed.
func Same[T any](v T) T { return v }

// Nothing is the E of forms that need to know nothing but their arguments.
type Nothing = struct{}

// Args are the arguments of a selector that is being parsed.
type Args struct {
	Text  string // what stands behind the first colon
	Given bool   // whether there is a colon
	what  string // the kind of thing that the selector names, as in "kernel"
	whole string // the whole selector
}

// Cut returns the arguments up to the next colon, and those behind it: an empty text where there are none.
func (a Args) Cut() (first, rest string) {
	first, rest, _ = strings.Cut(a.Text, ":")
	return first, rest
}

// Wrap returns an error that says in which selector something is wrong; nil stays nil.
func (a Args) Wrap(err error) error {
	if err == nil {
		return nil
	}
	return a.Errorf("%w", err)
}

// Errorf makes an error as fmt.Errorf does, and adds in which selector something is wrong, as Wrap does. Of a long selector it shows the
// beginning.
func (a Args) Errorf(format string, values ...any) error {
	return fmt.Errorf("%s %q: %w", a.what, Cut(a.whole), fmt.Errorf(format, values...))
}

// Number reads the arguments as one number, by ParseNumber. The argument of says what the number is, for the error.
func (a Args) Number(of string) (float64, error) {
	v, err := ParseNumber(a.Text)
	if err != nil {
		return 0, a.Errorf("%s: %w", of, err)
	}
	return v, nil
}

// ParseNumber reads a finite decimal number. Unlike strconv.ParseFloat it refuses "nan", "inf", hexadecimal
// and digits joined by underscores, and it says so where a comma stands for the decimal point.
func ParseNumber(s string) (float64, error) {
	if strings.ContainsRune(s, ',') {
		return 0, fmt.Errorf("%q has a comma; write decimals with a point", Cut(s))
	}
	if s == "" || strings.Trim(s, "+-.0123456789eE") != "" {
		return 0, fmt.Errorf("%q is no number", Cut(s))
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsInf(v, 0) {
		return 0, fmt.Errorf("%q is no number, or outside the range of floating point", Cut(s))
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
		err = fmt.Errorf("%v is no probability", p)
	}
	return p, err
}

// ParseWhole reads a whole number, which may be written as 1e6. A machine with ints of 32 bits takes none above 2^31 - 1.
func ParseWhole(s string, low, high float64) (int, error) {
	high = min(high, math.MaxInt)
	v, err := ParseNumber(strings.TrimSpace(s))
	if err != nil {
		return 0, err
	}
	if v != math.Trunc(v) || v < low || v > high {
		return 0, fmt.Errorf("%s is no whole number from %v to %s", s, low, strings.NewReplacer("e+0", "e", "e+", "e").Replace(fmt.Sprint(high)))
	}
	return int(v), nil
}
