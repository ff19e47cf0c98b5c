package selector

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Set holds the forms of all things of one kind, each with a name of its own, in the order in which they are listed.
// It has functions that make the forms, of which parsing calls only those up to the form that it finds: a sweep parses
// five selectors for every cell, some of which are solved in microseconds.
type Set[E, T any] struct {
	What  string // what is selected, as in "kernel"; errors begin with it
	Forms []func() Form[E, T]
}

// All returns the forms.
func (s Set[E, T]) All() []Form[E, T] {
	list := make([]Form[E, T], len(s.Forms))
	for i, form := range s.Forms {
		list[i] = form()
	}
	return list
}

// Parse returns what a selector names. The error of a name that none of the forms has suggests the nearest and lists them all.
func (s Set[E, T]) Parse(selector string, env E) (T, error) {
	name, text, given := strings.Cut(selector, ":")
	f, known := s.find(name)
	if !known {
		var none T
		return none, s.Unknown(selector)
	}
	return f.parse(Args{Text: text, Given: given, what: s.What, whole: selector}, env)
}

// find returns the form of a name, and false where there is none.
func (s Set[E, T]) find(name string) (f Form[E, T], known bool) {
	for _, form := range s.Forms {
		if f := form(); f.Name() == name {
			return f, true
		}
	}
	return f, false
}

// Named reports whether a selector has the name of one of the forms, as "sigmoid:3" has that of "sigmoid[:DELTA]".
func (s Set[E, T]) Named(selector string) bool {
	name, _, _ := strings.Cut(selector, ":")
	_, known := s.find(name)
	return known
}

// Unknown returns the error for a selector whose name no form has. It says what was meant where the name is one by which others know
// something of the set, or the path of a file.
func (s Set[E, T]) Unknown(selector string) error {
	if hint := s.meant(selector); hint != "" {
		return fmt.Errorf("unknown %s %q; %s choices: %s", s.What, selector, hint, strings.Join(s.Syntaxes(), ", "))
	}
	return UnknownError(s.What, selector, s.Syntaxes())
}

// meant returns what a selector whose name no form has was meant to be, and "" where that is not known.
func (s Set[E, T]) meant(selector string) string {
	name, _, _ := strings.Cut(strings.ToLower(selector), ":")
	var called []string
	for _, f := range s.All() {
		if slices.Contains(f.Others, name) {
			called = append(called, fmt.Sprintf("%s (%s)", f.Name(), f.Doc))
		}
	}
	switch {
	case len(called) > 0:
		return fmt.Sprintf("%s is called %s here;", name, strings.Join(called, " or "))
	case isPath(selector):
		return s.meantPath(selector)
	}
	return ""
}

// meantPath returns how the file at a path is selected: by the form whose example has its ending, or else by the first form that reads files.
func (s Set[E, T]) meantPath(path string) string {
	hint := ""
	for _, f := range s.All() {
		reads, alike := f.File != nil && (strings.HasSuffix(f.Syntax, "PATH") || strings.Contains(f.Syntax, ":PATH[")), filepath.Ext(path) == filepath.Ext(f.Example)
		switch {
		case reads && (alike || hint == ""):
			hint = fmt.Sprintf("did you mean %s:%s?", f.Name(), path)
		case !reads && alike && strings.HasSuffix(f.Syntax, "COMMAND"):
			hint = fmt.Sprintf("did you mean %s, as in %s?", f.Syntax, f.Example)
		}
		if reads && alike {
			break
		}
	}
	return hint
}

// isPath reports whether a text whose beginning is no name looks like the path of a file.
func isPath(text string) bool {
	name, rest, _ := strings.Cut(text, ":")
	drive := len(name) == 1 && rest != "" && strings.ContainsAny(rest[:1], "/\\")
	return drive || strings.ContainsAny(name, "./\\")
}

// Bare reports whether a selector has the name of a form that takes no arguments.
func (s Set[E, T]) Bare(selector string) bool {
	name, _, _ := strings.Cut(selector, ":")
	f, known := s.find(name)
	return known && !f.takesArguments()
}

// Syntaxes returns how each form is written, as help and errors list them.
func (s Set[E, T]) Syntaxes() []string {
	list := make([]string, len(s.Forms))
	for i, f := range s.All() {
		list[i] = f.Syntax
	}
	return list
}

// File returns the path of the file that a selector names, and "" where it names none.
func (s Set[E, T]) File(selector string) string {
	name, args, given := strings.Cut(selector, ":")
	if !given {
		return ""
	}
	if f, known := s.find(name); known && f.File != nil {
		return f.File(args)
	}
	return ""
}

// Insert returns the set with more forms in front of the one with the given name. It panics where there is no such form.
func (s Set[E, T]) Insert(before string, forms ...func() Form[E, T]) Set[E, T] {
	i := slices.IndexFunc(s.Forms, func(form func() Form[E, T]) bool { return form().Name() == before })
	if i < 0 {
		panic("selector: no " + s.What + " is called " + before)
	}
	return Set[E, T]{s.What, slices.Insert(slices.Clone(s.Forms), i, forms...)}
}

// With returns the set with more forms at its end.
func (s Set[E, T]) With(forms ...func() Form[E, T]) Set[E, T] {
	return Set[E, T]{s.What, append(slices.Clone(s.Forms), forms...)}
}

// AdaptSet returns the set of the adapted forms of another one (see Adapt).
func AdaptSet[E, T, F, U any](s Set[E, T], env func(F) E, result func(T) U) Set[F, U] {
	out := Set[F, U]{What: s.What, Forms: make([]func() Form[F, U], len(s.Forms))}
	for i, form := range s.Forms {
		out.Forms[i] = func() Form[F, U] { return Adapt(form(), env, result) }
	}
	return out
}

// Description is what a list says of a form.
type Description struct {
	Syntax, Doc, Source string
	Reversible          bool
}

// Descriptions returns what a list says of each form.
func (s Set[E, T]) Descriptions() []Description {
	list := make([]Description, len(s.Forms))
	for i, f := range s.All() {
		list[i] = Description{f.Syntax, f.Doc, f.Source, f.Reversible}
	}
	return list
}

// Completion is what a shell may put in place of the beginning of a selector.
type Completion struct {
	Text string // the name, with a colon where arguments must follow
	Doc  string
}

// Completions returns one for each form.
func (s Set[E, T]) Completions() []Completion {
	list := make([]Completion, len(s.Forms))
	for i, f := range s.All() {
		list[i] = Completion{f.Name(), f.Doc}
		if f.needsArguments() {
			list[i].Text += ":"
		}
	}
	return list
}
