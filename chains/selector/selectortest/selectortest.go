// Package selectortest checks that everything derived from a set of forms agrees with its parser.
// It is for the tests of packages with a set, one call for each. It compares named values only by
// the functions Name and Same of the test.
package selectortest

import (
	"slices"
	"strings"

	"breadboard/chains/selector"
)

// T receives the mistakes that are found. It is a *testing.T, or a recorder in the tests of this
// package.
type T interface {
	Helper()
	Errorf(format string, args ...any)
}

// Check describes a set for its test.
type Check[E, V any] struct {
	Set selector.Set[E, V]
	Env E // what every example of the set can be parsed with
	// Examples are selectors that replace the examples of forms, by the name of the form. A form
	// that reads a file needs one that names a file of the test.
	Examples map[string]string
	Skip     []string          // names of forms whose examples cannot be parsed in a test
	Name     func(v V) string  // the selector of a result; nil if a result has no name
	Same     func(a, b V) bool // whether two results are the same
}

// Run checks every form: its example can be parsed, and the name of the result parses back to the
// same. The name is in the list, in the completions and in the error of an unknown name, which
// suggests it for a misspelt one. Missing arguments, and arguments of a form that takes none, are
// an error that names the selector.
func Run[E, V any](t T, c Check[E, V]) {
	t.Helper()
	seen := map[string]bool{}
	for i, f := range c.Set.Listing.All() {
		name := f.Name()
		if name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" || seen[name] {
			t.Errorf("%s %q: its name is not one of small letters and digits that no other form has",
				c.Set.Listing.What, f.Syntax)
		}
		seen[name] = true
		if f.Doc == "" || !selector.Named(f.Example, []string{f.Syntax}) || !c.Set.Listing.Named(f.Example) {
			t.Errorf("%s %s: no description, or the example %q is of another form", c.Set.Listing.What,
				f.Syntax, f.Example)
		}
		if d := c.Set.Listing.Descriptions()[i]; d.Syntax != f.Syntax || d.Doc != f.Doc ||
			d.Source != f.Source || d.Reversible != f.Reversible {
			t.Errorf("%s %s: the list has %v", c.Set.Listing.What, f.Syntax, d)
		}
		c.examples(t, f)
		c.mistakes(t, f)
	}
}

// examples parses the example of a form, and the name of the result.
func (c Check[E, V]) examples(t T, f selector.Info) {
	t.Helper()
	if slices.Contains(c.Skip, f.Name()) {
		return
	}
	example := f.Example
	if other, given := c.Examples[f.Name()]; given {
		example = other
	}
	v, err := c.Set.Parse(example, c.Env)
	if err != nil {
		t.Errorf("%s %q cannot be parsed: %v", c.Set.Listing.What, example, err)
		return
	}
	name := example
	if c.Name != nil {
		name = c.Name(v)
		if !selector.Named(name, []string{f.Syntax}) {
			t.Errorf("%s %q calls itself %q", c.Set.Listing.What, example, name)
		}
	}
	if again, err := c.Set.Parse(name, c.Env); err != nil || !c.Same(v, again) ||
		c.Name != nil && c.Name(again) != name {
		t.Errorf("%s %q calls itself %q, which is parsed to something else: %v, %v", c.Set.Listing.What,
			example, name, again, err)
	}
	if f.File != nil {
		if file := c.Set.Listing.File(example); file == "" || !strings.Contains(example, ":"+file) {
			t.Errorf("%s %q names the file %q", c.Set.Listing.What, example, file)
		}
	} else if file := c.Set.Listing.File(example); file != "" {
		t.Errorf("%s %q names the file %q", c.Set.Listing.What, example, file)
	}
}

// mistakes looks at the errors of a form.
func (c Check[E, V]) mistakes(t T, f selector.Info) {
	t.Helper()
	refused := func(text, reason string) {
		t.Helper()
		if v, err := c.Set.Parse(text, c.Env); err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("%s %q: %v, error %v; it should say %q", c.Set.Listing.What, text, v, err, reason)
		}
	}
	if c.Set.Listing.Bare(f.Name()) != (f.Syntax == f.Name()) {
		t.Errorf("%s %s: it is not known whether it takes arguments", c.Set.Listing.What, f.Syntax)
	}
	switch {
	case c.Set.Listing.Bare(f.Name()):
		refused(f.Name()+":1", f.Name()+" takes no argument")
	case strings.HasPrefix(f.Syntax, f.Name()+":"):
		refused(f.Name(), c.Set.Listing.What)
	}
	refused(f.Name()+"z", "did you mean "+f.Name()+"?")
	for _, syntax := range c.Set.Listing.Syntaxes() {
		// a long list has the names alone
		refused("\u00f8\u00f8\u00f8\u00f8\u00f8\u00f8\u00f8\u00f8", selector.NameOf(syntax))
	}
}
