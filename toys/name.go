package toys

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"breadboard/chains"
	"breadboard/chains/paths"
	"breadboard/chains/selector"
)

// maxName is the largest number of characters of a name that a user gives to a toy.
const maxName = 64

// SplitName splits a selector with a name in front, as ring=file:mine.npy, at the first =. The name
// is empty if there is none: a name has letters, digits, hyphens, underscores and points alone, so
// that an = in a path begins no selector.
func SplitName(text string) (name, selector string) {
	name, selector, given := strings.Cut(text, "=")
	if !given || name == "" || strings.ContainsFunc(name, noName) {
		return "", text
	}
	return name, selector
}

// noName reports whether a character cannot be part of a name.
func noName(r rune) bool {
	return !unicode.In(r, unicode.Letter, unicode.Mark, unicode.Digit) && !strings.ContainsRune("-_.", r)
}

// parseNamed returns the toy of a selector under a name of the user's own.
func parseNamed(name, selector string) (*Toy, error) {
	switch inner, _ := SplitName(selector); {
	case utf8.RuneCountInString(name) > maxName:
		return nil, fmt.Errorf("toy %q: the name has %d characters; give at most %d", name+"="+selector, utf8.RuneCountInString(name), maxName)
	case strings.Trim(name, ".") == "" || name[0] == '-':
		return nil, fmt.Errorf("toy %q: the name %q begins with a hyphen or has points alone; begin it with a letter", name+"="+selector, name)
	case Forms().Listing.Named(name):
		return nil, fmt.Errorf("toy %q: %s selects a toy already; give another name", name+"="+selector, name)
	case selector == "":
		return nil, fmt.Errorf("toy %q: no target; write NAME=TOY, as in ring=file:mine.npy", name+"=")
	case inner != "":
		return nil, fmt.Errorf("toy %q: two names; give one", name+"="+selector)
	}
	toy, err := Parse(selector)
	if err != nil {
		return nil, err
	}
	toy.Named, toy.Name = toy.Name, name
	return toy, nil
}

// Target returns the selector of the target in canonical form, without the name that a user has
// given to the toy.
func (t *Toy) Target() string {
	if t.Named != "" {
		return t.Named
	}
	return t.Name
}

// Selector returns the text that Parse turns into this toy, with its name if a user has given one.
func (t *Toy) Selector() string {
	if t.Named != "" {
		return t.Name + "=" + t.Named
	}
	return t.Name
}

// Title returns the name of the toy as tables and sentences for people print it: Name, which is
// shortened if it is long (see selector.Short) unless it ends in the path of a file.
func (t *Toy) Title() string { return Title(t.Name) }

// Title is Toy.Title for the name of a toy, an initial distribution, a path or a schedule.
func Title(name string) string {
	short := selector.Short(name)
	if short == name || FileOf(name) != "" {
		return name
	}
	return short
}

// Painted returns a short name, as "painted 5x5" or "painted 30" for a line, for a target that is
// written cell by cell in a long selector. Other names are returned as they are. Two targets may
// have the same short name.
func Painted(name string) string {
	cells, is := strings.CutPrefix(name, cellsName+":")
	if !is || len(name) <= longestCells {
		return name
	}
	rows := strings.Split(cells, "/")
	size := strconv.Itoa(strings.Count(rows[0], ":") + 1)
	if len(rows) > 1 {
		size = fmt.Sprintf("%dx%s", len(rows), size)
	}
	return "painted " + size
}

// longestCells is the number of characters up to which the selector of cells is short enough for a
// figure.
const longestCells = 20

// CheckNames fails if two toys have one name and are different targets.
func CheckNames(list []*Toy) error {
	seen := map[string]*Toy{}
	for _, toy := range list {
		if first, double := seen[toy.Name]; double && !first.SameTarget(toy) {
			return fmt.Errorf("the name %s stands for two targets, %s and %s; give each its own", toy.Name, first.Target(), toy.Target())
		}
		seen[toy.Name] = toy
	}
	return nil
}

// ParsePath returns the path of a selector between the ends that ParseInitial has made for a toy:
// "geometric", "arithmetic" (the mixture), "q:Q" (power means), "via:PATH" and "via:BETA:PATH",
// through the distribution whose log f is in a file, at beta 0.5 if that is left out, or
// "tempered", from the prior of a model.
func ParsePath(text string, ends *paths.Ends, toy *Toy) (chains.Path, error) {
	read := func(file string) ([]float64, error) { return ReadOn(file, toy) }
	return paths.Forms().Parse(text, paths.Env{Ends: ends, Read: read})
}

// FileOf returns the file that a selector of a toy, an initial distribution or a path names, and ""
// where it names none.
func FileOf(text string) string {
	if _, text = SplitName(text); !strings.Contains(text, ":") {
		return ""
	}
	for _, file := range []string{Forms().Listing.File(text), InitialForms().Listing.File(text), paths.Forms().Listing.File(text)} {
		if file != "" {
			return file
		}
	}
	return ""
}
