package selector

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"breadboard/chains/errs"
)

// maxName is the largest number of characters of a name that a user gives to what is selected.
const maxName = 64

// SplitName splits a selector with a name of the user's own in front, as ring=file:mine.npy, at the
// first =. The name is empty if there is none: a name has letters, digits, hyphens, underscores and
// points alone, so that an = in a path or in an argument begins no selector. Listing.CutName also
// says what is wrong with a name.
func SplitName(text string) (name, selector string) {
	name, selector, given := strings.Cut(text, "=")
	if !given || name == "" || strings.ContainsFunc(name, noName) {
		return "", text
	}
	return name, selector
}

// WithName returns a selector with a name in front, from which SplitName splits it. An empty name
// is none.
func WithName(name, selector string) string {
	if name == "" {
		return selector
	}
	return name + "=" + selector
}

// Called returns what tables, figures and sentences call what is selected: the name that a user has
// given it, or the selector.
func Called(text string) string {
	if name, _ := SplitName(text); name != "" {
		return name
	}
	return text
}

// noName reports whether a character cannot be part of a name.
func noName(r rune) bool {
	return !unicode.In(r, unicode.Letter, unicode.Mark, unicode.Digit) && !strings.ContainsRune("-_.", r)
}

// CutName is SplitName for a selector of the set that is to be parsed. It fails for a name that is
// empty or long, has other characters, or selects something itself, and for a second name.
func (s *Listing) CutName(text string) (name, selector string, err error) {
	name, selector, given := strings.Cut(text, "=")
	form, _, _ := strings.Cut(text, ":")
	bad := strings.IndexFunc(name, noName)
	switch _, _, known := s.findForm(form); {
	case !given, known, bad >= 0 && !s.Named(strings.TrimSpace(selector)):
		// the = is part of an argument, or of a path
		return "", text, nil
	case name == "":
		err = errs.New("the name in front of = is empty; write NAME=SELECTOR, or leave = out")
	case utf8.RuneCountInString(name) > maxName:
		err = errs.New("the name has %d characters; give at most %d", utf8.RuneCountInString(name), maxName)
	case bad >= 0:
		r, _ := utf8.DecodeRuneInString(name[bad:])
		err = errs.New("the name %q has %q in it; a name has letters, digits, hyphens, underscores and points",
			name, r)
	case strings.Trim(name, ".") == "" || name[0] == '-':
		err = errs.New("the name %q begins with a hyphen or has points alone; begin it with a letter", name)
	case s.Named(name):
		err = errs.New("%s is a form of %s already; give another name", name, s.What)
	case selector == "":
		err = errs.New("nothing is behind the name; write NAME=SELECTOR, as in %s=%s", name, s.at(0).Example)
	case Called(selector) != selector:
		err = errs.New("two names; give one")
	}
	if err != nil {
		return "", text, fmt.Errorf("%s %q: %w", s.What, Cut(text), err)
	}
	return name, selector, nil
}

// CheckNames fails if one name stands for two of the selectors in a list.
func CheckNames(list []string) error {
	seen := map[string]string{}
	for _, text := range list {
		name, selector := SplitName(strings.TrimSpace(text))
		if other, double := seen[name]; double && name != "" && other != selector {
			return errs.New("the name %s stands for two selectors, %s and %s; give each its own", name,
				Cut(other), Cut(selector))
		}
		seen[name] = selector
	}
	return nil
}
