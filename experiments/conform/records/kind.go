package records

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Kind is a kind of records that a program makes, such as runs, with the exact laws of what it should do and of all known ways to get it
// wrong.
type Kind struct {
	Name   string // as in "conditional runs"
	Groups []Group
	Reals  []Column // of real numbers, in the order of Record.Reals
	Wholes []Column // of whole numbers, in the order of Record.Whole
	Ways   []Way    // the first is what the program should do
}

// Group is what a record may have, in one column or in several that are all there or none.
type Group struct {
	Name    string
	Meaning string // a sentence without its full stop
}

// Column is a column of records. Those with one test are tested together.
type Column struct {
	Name, Group string
	Test        string // what is tested, as in "parents at t = 2"
	Least, Most int    // of whole numbers
}

// Way is a law that records may have: what the program should do, or a known way to get it wrong.
type Way struct {
	Name, Meaning string
	Law           func(ctx context.Context) ([]Atom, error)
}

// Specification is the name of what a program should do, which is the first way of every kind.
const Specification = "the specification"

// Record is a row that a program has made.
type Record struct {
	Reals    []float64
	Rounding []float64 // how far each may be from what was computed, since few digits of it are written; nil where all are
	Whole    []int8
}

// Atom is a record with its probability.
type Atom struct {
	Whole  string // as Key makes it
	Reals  []float64
	P      float64
	places []int // of the real numbers among the values of all laws
}

// Key returns whole numbers as text, which can be compared.
func Key(whole []int8) string {
	text := make([]byte, len(whole))
	for i, v := range whole {
		text[i] = byte(v)
	}
	return string(text)
}

// columns returns all columns, those of real numbers first.
func (k *Kind) columns() []Column { return slices.Concat(k.Reals, k.Wholes) }

// Columns returns the names of all columns.
func (k *Kind) Columns() (names []string) {
	for _, c := range k.columns() {
		names = append(names, c.Name)
	}
	return names
}

// grouped returns the groups that columns of these names are. It fails for a name that is no column or stands twice, and where a
// group lacks a column.
func (k *Kind) grouped(names []string) (map[string]bool, error) {
	there := map[string]bool{}
	for _, name := range names {
		if there[name] {
			return nil, fmt.Errorf("the column %q stands twice", name)
		}
		there[name] = true
	}
	groups, known := map[string]bool{}, 0
	for _, c := range k.columns() {
		if there[c.Name] {
			groups[c.Group] = true
			known++
		}
	}
	for _, c := range k.columns() {
		if groups[c.Group] && !there[c.Name] {
			return nil, fmt.Errorf("there is no column %q beside the others of its kind; write all of them or none", c.Name)
		}
	}
	if known < len(names) || known == 0 {
		return nil, fmt.Errorf("the columns are %q; those of %s are %s", strings.Join(names, ","), k.Name, strings.Join(k.Columns(), ","))
	}
	return groups, nil
}

// part is what a test looks at.
type part struct {
	name  string
	whole []int // the places of its columns of whole numbers
	reals []int // and of real ones
}

// parts returns what is tested where these groups are there: each test by itself, and all together.
func (k *Kind) parts(groups map[string]bool) (list []part) {
	add := func(name string, of func(c Column) bool) {
		p := part{name: name}
		for i, c := range k.Wholes {
			if of(c) {
				p.whole = append(p.whole, i)
			}
		}
		for i, c := range k.Reals {
			if of(c) {
				p.reals = append(p.reals, i)
			}
		}
		list = append(list, p)
	}
	for _, c := range k.columns() {
		if groups[c.Group] && !slices.ContainsFunc(list, func(p part) bool { return p.name == c.Test }) {
			add(c.Test, func(other Column) bool { return other.Test == c.Test })
		}
	}
	if len(list) > 1 {
		add("all columns together", func(c Column) bool { return groups[c.Group] })
	}
	return list
}
