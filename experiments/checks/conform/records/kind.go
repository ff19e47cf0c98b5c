package records

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"breadboard/experiments/draws"
	"breadboard/experiments/draws/files"
)

// Kind is a kind of records of a program, such as runs, with the distributions of the specification
// and of all known mistakes.
type Kind struct {
	Name   string // as in "conditional runs"
	Groups []Group
	Reals  []Column // of real numbers, in the order of Record.Reals
	Wholes []Column // of whole numbers, in the order of Record.Whole
	Ways   []Way    // the first is what the program should do
	Chain  *Chain   // replaces the distributions of Ways if there are too many records; else nil
}

// Group is an item of a record, in one column or in several that are all present or all missing.
type Group struct {
	Name    string
	Meaning string // a sentence without its full stop
}

// Column is a column of records. Those with one test are tested together.
type Column struct {
	Name, Group string
	Test        string // what is tested, as in "parents at t = 2"
	Least, Most int    // of whole numbers
	Unordered   bool   // whether the whole numbers of its test, in adjacent columns, are a multiset: they are sorted on reading
}

// Way is a possible distribution of records: the specification or a known mistake.
type Way struct {
	Name, Meaning string
	Law           func(ctx context.Context) ([]Atom, error)
}

// Specification is the name of the specification, the first way of every kind.
const Specification = "the specification"

// Record is a row of a program's output.
type Record struct {
	Reals  []float64
	Digits []draws.Digits // with which each is written; nil if each is a whole float64
	Whole  []int8
}

// Atom is a record with its probability.
type Atom struct {
	Whole  string // as Key makes it
	Reals  []float64
	P      float64
	places []int // of the real numbers among the values of all distributions
}

// Key returns whole numbers as a text for comparison.
func Key(whole []int8) string {
	text := make([]byte, len(whole))
	for i, v := range whole {
		text[i] = byte(v)
	}
	return string(text)
}

// sorted returns whole numbers with their multisets in rising order.
func (k *Kind) sorted(whole []int8) []int8 {
	whole = slices.Clone(whole)
	for i := 0; i < len(whole); {
		end := i + 1
		for end < len(whole) && k.Wholes[end].Test == k.Wholes[i].Test {
			end++
		}
		if k.Wholes[i].Unordered {
			slices.SortStableFunc(whole[i:end], cmp.Compare[int8])
		}
		i = end
	}
	return whole
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

// grouped returns the groups that columns of these names are. It fails for a name that is no column
// or stands twice, and if a group lacks a column.
func (k *Kind) grouped(names []string) (map[string]bool, error) {
	there := map[string]bool{}
	for _, name := range names {
		if there[name] {
			return nil, fmt.Errorf("the column %q appears twice", name)
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
			return nil, fmt.Errorf("the column %q is missing; write all columns of its kind or none", c.Name)
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

// parts returns what tests look at, of the groups that are there: the columns of each test, and, if
// there are several tests, all columns together.
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
	columns := k.columns()
	if k.Chain != nil {
		columns = k.Wholes
	}
	for _, c := range columns {
		if groups[c.Group] && !slices.ContainsFunc(list, func(p part) bool { return p.name == c.Test }) {
			add(c.Test, func(other Column) bool { return other.Test == c.Test })
		}
	}
	if len(list) > 1 && (k.Chain == nil || groups[k.Chain.Group]) {
		add("all columns together", func(c Column) bool { return groups[c.Group] })
	}
	return list
}

// maxBatch is the largest number of records that are read at once.
const maxBatch = 1 << 12

// Read returns the records of a text with one row each and the columns of the kind.
func (k *Kind) Read(cells *files.Cells) (*Source, error) {
	names := cells.Names()
	if _, err := k.grouped(names); err != nil {
		return nil, fmt.Errorf("%s, line 1: %w", cells.Name(), err)
	}
	r := &reader{cells: cells, kind: k}
	for _, c := range k.columns() {
		r.at = append(r.at, slices.Index(names, c.Name))
	}
	return &Source{Name: cells.Name(), Columns: names, Next: r.next}, nil
}

// reader reads records.
type reader struct {
	cells *files.Cells
	kind  *Kind
	at    []int // the place of every column in a row, those of real numbers first; -1 if there is none
}

func (r *reader) next(ctx context.Context, n int) ([]Record, error) {
	var records []Record
	for len(records) < min(n, maxBatch) {
		cells, err := r.cells.Next(ctx)
		if err == nil {
			var record Record
			if record, err = r.record(cells); err == nil {
				records = append(records, record)
				continue
			}
		}
		if errors.Is(err, io.EOF) && len(records) > 0 {
			return records, nil
		}
		return records, err
	}
	return records, nil
}

// record reads a row.
func (r *reader) record(cells [][]byte) (Record, error) {
	reals := len(r.kind.Reals)
	record := Record{Reals: make([]float64, reals), Digits: make([]draws.Digits, reals), Whole: make([]int8, len(r.kind.Wholes))}
	for i, c := range r.kind.Reals {
		if r.at[i] < 0 {
			continue
		}
		cell := cells[r.at[i]]
		v, digits, ok := draws.ParseNumber(cell)
		if !ok || math.IsInf(v, 0) {
			return record, r.cells.Wrong(c.Name, files.Quoted(cell), "write "+c.Name+" as a finite number; it cannot be infinite in this task")
		}
		record.Reals[i], record.Digits[i] = v, digits
	}
	for i, c := range r.kind.Wholes {
		at := r.at[reals+i]
		if at < 0 {
			continue
		}
		v, _, ok := draws.ParseNumber(cells[at])
		if !ok || v != math.Trunc(v) || v < float64(c.Least) || v > float64(c.Most) {
			return record, r.cells.Wrong(c.Name, files.Quoted(cells[at]), fmt.Sprintf("write a whole number from %d to %d", c.Least, c.Most))
		}
		record.Whole[i] = int8(v)
	}
	return record, nil
}
