package selector

import (
	"fmt"
	"strings"
)

// Form is one way to write a selector: a name, which may have arguments after a colon. E is what is known where the
// selector is parsed, such as the space that a kernel is for, and T is what the selector names.
type Form[E, T any] struct {
	// Syntax is the name with its arguments in capitals, and with brackets around what may be left out: "linear" takes
	// no arguments, "sigmoid[:DELTA]" may have some and "power:P" must have some.
	Syntax string
	Doc    string // what it is, in one line
	Source string // where it comes from; empty where that needs no saying
	// Example is a selector of this form that can be parsed. Where the form reads a file, the example names one that does
	// not exist.
	Example string
	// Others are names by which others know the same thing, in small letters. They select nothing, and the error for them says its name here.
	Others []string
	// Missing is what the error asks for where necessary arguments are missing, as in "the exponent". Where it is empty,
	// Parse is called without arguments and returns the error itself.
	Missing string
	// Instead is a text that is added to the error for arguments of a form that takes none.
	Instead string
	// Reversible says of a kernel that it is always its own time reversal, and of a combination of kernels that it is
	// where its parts are.
	Reversible bool
	// File returns the path of the file that the arguments name; nil where they name none.
	File func(args string) string
	// Program says that a selector of the form starts a program.
	Program bool
	// Parse returns what the arguments name. Its errors say what is wrong, and are made by Args.Wrap or Args.Errorf, which
	// add in which selector.
	Parse func(args Args, env E) (T, error)
}

// Name returns the name, without arguments.
func (f Form[E, T]) Name() string { return nameOf(f.Syntax) }

// nameOf returns the name at the beginning of a syntax.
func nameOf(syntax string) string {
	name, _, _ := strings.Cut(syntax, ":")
	return strings.TrimSuffix(name, "[")
}

// takesArguments reports whether a selector of the form may have arguments.
func (f Form[E, T]) takesArguments() bool { return strings.ContainsRune(f.Syntax, ':') }

// needsArguments reports whether it must have some.
func (f Form[E, T]) needsArguments() bool {
	return strings.HasPrefix(f.Syntax, f.Name()+":")
}

// parse reads a selector that has the name of the form.
func (f Form[E, T]) parse(args Args, env E) (T, error) {
	var none T
	switch {
	case args.Given && !f.takesArguments():
		return none, args.Errorf("%s takes no argument%s", f.Name(), f.Instead)
	case !args.Given && f.needsArguments() && f.Missing != "":
		return none, args.Errorf("give %s, as in %s", f.Missing, f.Example)
	}
	return f.Parse(args, env)
}

// WholeArgument is the File of a form whose arguments are nothing but a path.
func WholeArgument(args string) string { return args }

// Adapt returns a form with the syntax of another form, for a set with another environment or another result. The function
// env makes the other form's environment of the new one, and the function result turns what the other form names into
// what the new form names.
func Adapt[E, T, F, U any](f Form[E, T], env func(F) E, result func(T) U) Form[F, U] {
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
