package selector

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"breadboard/chains/errs"
)

// Set holds all forms of one kind, each with its own name, in the order in which they are listed.
// It holds functions that make the forms, and parsing calls them only up to the form that it finds:
// a sweep parses five selectors for every cell, and some cells are solved in microseconds. The zero
// Set has no forms.
type Set[E, T any] struct {
	Listing *Listing // not embedded: its methods would be compiled for every set in every package
	forms   []func() Form[E, T]
}

// Listing is a set without its types. Methods that do not need the types are methods of Listing, so
// that they are compiled once. In a nil Listing no form is found.
type Listing struct {
	What  string // what is selected, as in "kernel"; errors begin with it
	count int
	at    func(i int) Info
}

// NewSet returns a set of forms; what is the kind of thing that they select, as in "kernel".
func NewSet[E, T any](what string, forms ...func() Form[E, T]) Set[E, T] {
	return Set[E, T]{&Listing{what, len(forms), func(i int) Info {
		f := forms[i]()
		return Info{f.Syntax, f.Doc, f.Source, f.Example, f.Others, f.Replaces, f.Missing, f.Instead,
			f.Reversible, f.File, f.Files, f.Endings, f.Program}
	}}, forms}
}

// Parse returns the value that a selector names. The error for an unknown name suggests the
// nearest, or lists all of them.
func (s Set[E, T]) Parse(selector string, env E) (value T, err error) {
	i, args, err := s.Listing.chooseForm(selector)
	if err != nil {
		return value, err
	}
	return s.forms[i]().Parse(args, env)
}

// chooseForm returns which form a selector has, and its arguments.
func (s *Listing) chooseForm(selector string) (i int, args Args, err error) {
	name, text, given := strings.Cut(selector, ":")
	i, f, known := s.findForm(name)
	if !known {
		return 0, args, s.Unknown(selector)
	}
	args = Args{Text: text, Given: given, what: s.What, whole: selector}
	if err := s.CheckNesting(selector); err != nil {
		return 0, args, err
	}
	return i, args, f.checkArgs(args)
}

// maxNesting is the largest number of selectors of a set within one selector, inside one another or
// side by side.
const maxNesting = 100

// CheckNesting fails if a selector contains too many other selectors of the set. It reads only the
// text, in linear time, and is called before anything that recurses into selectors.
func (s *Listing) CheckNesting(selector string) error {
	if strings.Count(selector, ":") <= maxNesting {
		return nil
	}
	takes := map[string]bool{} // the number of selectors found, by the names of the forms
	for _, syntax := range s.Syntaxes() {
		nests := func(part string) bool { return strings.Contains(syntax, part) }
		takes[NameOf(syntax)] = slices.ContainsFunc(partNames(), nests) || nests("+")
	}
	found := 0
	for word := range strings.FieldsFuncSeq(selector, func(r rune) bool { return strings.ContainsRune(":*+=", r) }) {
		if takes[word] {
			found++
		}
	}
	if found > maxNesting {
		return errs.New("%s %q has %d selectors with others within; at most %d are read", s.What,
			Cut(selector), found, maxNesting)
	}
	return nil
}

// partNames returns the names by which a syntax refers to a selector within a selector.
func partNames() []string { return []string{"KERNEL", "TOY", "ESTIMATOR"} }

func (s *Listing) size() int {
	if s == nil {
		return 0
	}
	return s.count
}

// All returns the descriptions of all forms.
func (s *Listing) All() (list []Info) {
	for i := range s.size() {
		list = append(list, s.at(i))
	}
	return list
}

// findForm returns the form of a name, and false if there is none.
func (s *Listing) findForm(name string) (i int, f Info, known bool) {
	for i := range s.size() {
		if f := s.at(i); f.Name() == name {
			return i, f, true
		}
	}
	return 0, f, false
}

// Named reports whether a selector has the name of one of the forms, as "sigmoid:3" has that of
// "sigmoid[:DELTA]". A name of the user's own may stand in front.
func (s *Listing) Named(selector string) bool {
	_, selector = SplitName(selector)
	name, _, _ := strings.Cut(selector, ":")
	_, _, known := s.findForm(name)
	return known
}

// Unknown returns the error for a selector with an unknown name. It suggests a form if the name is
// another common name for it, or the path of a file.
func (s *Listing) Unknown(selector string) error {
	if name, inner := SplitName(selector); name != "" && s.Named(inner) {
		return errs.New(
			"%s %q is a part of another and has a name; write the name in front of the whole, or leave it out",
			s.What,
			Cut(selector),
		)
	}
	if hint := s.Meant(selector); hint != "" {
		return errs.New("unknown %s %q; %s", s.What, selector, hint)
	}
	return UnknownError(s.What, selector, s.Syntaxes())
}

// Meant returns the likely meaning of a selector with an unknown name, and "" if there is none.
func (s *Listing) Meant(selector string) string {
	name, _, _ := strings.Cut(strings.ToLower(selector), ":")
	var called, nearest []string
	for _, f := range s.All() {
		switch described := fmt.Sprintf("%s (%s)", f.Name(), f.Doc); {
		case slices.Contains(f.Others, name):
			called = append(called, described)
		case slices.Contains(f.Replaces, name):
			nearest = append(nearest, described)
		}
	}
	switch {
	case len(called) > 0:
		return fmt.Sprintf("%s is called %s here", name, strings.Join(called, " or "))
	case len(nearest) > 0:
		return fmt.Sprintf("%s is for continuous variables, and the states here are discrete; the nearest %s is %s",
			name, s.What, strings.Join(nearest, " or "))
	case isPath(selector):
		return s.meantPath(selector)
	}
	return ""
}

// meantPath suggests the forms that read the file at a path: those whose examples have its ending,
// or else the first form that reads files.
func (s *Listing) meantPath(path string) string {
	var alike []string
	first := ""
	for _, f := range s.All() {
		ending := Ending(path)
		ends := ending == filepath.Ext(f.exampleFile()) || slices.Contains(f.Endings, ending)
		reads := f.File != nil &&
			(strings.HasSuffix(f.Syntax, "PATH") || strings.Contains(f.Syntax, ":PATH["))
		switch {
		case reads && ends:
			alike = append(alike, f.Name()+":"+path)
		case reads && first == "":
			first = f.Name() + ":" + path
		case !reads && ends && strings.Contains(f.Syntax, ":PATH:"):
			alike = append(alike, strings.Replace(f.Syntax, "PATH", path, 1)+", as in "+f.Example)
		case !reads && ends && strings.HasSuffix(f.Syntax, "COMMAND"):
			alike = append(alike, f.Syntax+", as in "+f.Example)
		}
	}
	if alike == nil && first != "" {
		alike = []string{first}
	}
	if alike == nil {
		return ""
	}
	return "did you mean " + strings.Join(alike, " or ") + "?"
}

// exampleFile returns the file in the example of a form, and the whole example if it has none.
func (f Info) exampleFile() string {
	if _, args, _ := strings.Cut(f.Example, ":"); strings.Contains(f.Syntax, ":PATH") && f.File != nil &&
		f.File(args) != "" {
		return f.File(args)
	}
	return f.Example
}

// isPath reports whether a text that does not begin with a known name looks like the path of a
// file.
func isPath(text string) bool {
	name, rest, _ := strings.Cut(text, ":")
	drive := len(name) == 1 && rest != "" && strings.ContainsAny(rest[:1], "/\\")
	return drive || strings.ContainsAny(name, "./\\")
}

// Bare reports whether a selector has the name of a form that takes no arguments.
func (s *Listing) Bare(selector string) bool {
	name, _, _ := strings.Cut(selector, ":")
	_, f, known := s.findForm(name)
	return known && !f.takesArguments()
}

// Syntaxes returns the syntax of each form, as help and errors list them.
func (s *Listing) Syntaxes() []string {
	list := make([]string, s.size())
	for i, f := range s.All() {
		list[i] = f.Syntax
	}
	return list
}

// File returns the path of the file that a selector names, and "" if it names none.
func (s *Listing) File(selector string) string {
	_, selector = SplitName(selector)
	name, args, given := strings.Cut(selector, ":")
	if !given {
		return ""
	}
	if _, f, known := s.findForm(name); known && f.File != nil {
		return f.File(args)
	}
	return ""
}

// Files returns all files that a selector names, last the one that is shown.
func (s *Listing) Files(selector string) []string {
	_, selector = SplitName(selector)
	name, args, _ := strings.Cut(selector, ":")
	if _, f, known := s.findForm(name); known && f.Files != nil {
		return f.Files(args)
	}
	if file := s.File(selector); file != "" {
		return []string{file}
	}
	return nil
}

// Insert returns the set with more forms in front of the one with the given name. It panics if
// there is no such form.
func Insert[E, T any](s Set[E, T], before string, more ...func() Form[E, T]) Set[E, T] {
	i, _, known := s.Listing.findForm(before)
	if !known {
		panic("selector: no " + s.Listing.What + " is called " + before)
	}
	forms := append([]func() Form[E, T](nil), s.forms[:i]...)
	return NewSet(s.Listing.What, append(append(forms, more...), s.forms[i:]...)...)
}

// With returns the set with more forms at its end.
func With[E, T any](s Set[E, T], forms ...func() Form[E, T]) Set[E, T] {
	return NewSet(s.Listing.What, append(append([]func() Form[E, T](nil), s.forms...), forms...)...)
}

// AdaptSet returns the set of the adapted forms of another one (see Adapt).
func AdaptSet[E, T, F, U any](s Set[E, T], env func(F) E, result func(T) U) Set[F, U] {
	forms := make([]func() Form[F, U], len(s.forms))
	for i, form := range s.forms {
		forms[i] = func() Form[F, U] { return adapt(form(), env, result) }
	}
	return NewSet(s.Listing.What, forms...)
}

// Description is the entry of a form in a list.
type Description struct {
	Syntax, Doc, Source string
	Reversible          bool
}

// Descriptions returns the entries of all forms.
func (s *Listing) Descriptions() []Description {
	list := make([]Description, s.size())
	for i, f := range s.All() {
		list[i] = Description{f.Syntax, f.Doc, f.Source, f.Reversible}
	}
	return list
}
