// Package table answers: how is a table written? From typed rows and a list of fields, one for each
// column, it makes text, Markdown and LaTeX for people, and CSV and JSON for machines. It never
// computes the value of a cell, and knows of no study.
package table

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"breadboard/chains/number"
	"breadboard/chains/selector"
	"breadboard/reports/columns"
)

// Column, Field and Both are the types with which studies declare the columns of their results.
type (
	Column = columns.Column
	Field  = columns.Field
	Both   = columns.Both
)

// Table is a table of any study. A cell is a string, an int, a uint64, a float64, a bool, a Both of
// two of these, or nil, which is an empty cell.
type Table struct {
	Columns []Column
	Rows    [][]any
	losses  []loss
	asked   bool // whether its columns are asked for by name, so that people see empty ones too
}

// loss says how few digits rounding leaves of the numbers in a column, in some of the rows.
type loss struct {
	column string
	digits int
	number number.Bounded // the largest one
	rows   int
}

// countLost counts a row in which a number has lost digits.
func (t *Table) countLost(column string, b number.Bounded) {
	for i := range t.losses {
		if l := &t.losses[i]; l.column == column && l.digits == b.Digits() {
			l.rows++
			if !(math.Abs(b.Value)+b.Error <= math.Abs(l.number.Value)+l.number.Error) {
				l.number = b
			}
			return
		}
	}
	t.losses = append(t.losses, loss{column, b.Digits(), b, 1})
}

// manyDigits is the number of digits from which a loss stands in the column note alone: people do
// not see more in tables.
const manyDigits = defaultDigits + 1

// smallest is the size below which a number without digits is zero for people.
const smallest = 1e-15

// Losses returns a line for each column in which some numbers have fewer digits than promised
// because of rounding. The columns are those that a format shows.
func (t *Table) Losses(f Format) (lines []string) {
	for _, c := range t.Columns {
		if c.Title == "" && !f.ForMachines() || c.Name == "" && f.ForMachines() {
			continue
		}
		var parts []string
		for _, l := range t.losses {
			isZero := l.digits == 0 && math.Abs(l.number.Value)+l.number.Error < smallest && !f.ForMachines()
			if l.column == cmp.Or(c.Name, c.Title) && l.digits < manyDigits && !isZero {
				parts = append(parts, fmt.Sprintf("%s in %s", columns.Digits(l.number), selector.Count(l.rows, "row")))
			}
		}
		if len(parts) > 0 {
			lines = append(lines, fmt.Sprintf("rounding leaves few digits of %s: %s",
				cmp.Or(c.Name, c.Title), strings.Join(parts, ", ")))
		}
	}
	return lines
}

// machine returns the value of a cell in the formats for machines.
func machine(cell any) any {
	if both, ok := cell.(Both); ok {
		return both.Machine
	}
	return cell
}

// machineColumns returns the indices of the columns that CSV and JSON have: those that have a name.
func (t *Table) machineColumns() (places []int) {
	for i, c := range t.Columns {
		if c.Name != "" {
			places = append(places, i)
		}
	}
	return places
}

// Type is what the cells of a column are for machines. A cell of any type may be empty, that is
// nil.
type Type = columns.Type

// The types of columns.
const (
	Float  = columns.Float
	Int    = columns.Int
	Uint   = columns.Uint
	String = columns.String
	Bool   = columns.Bool
)

// Validate returns an error if a column for machines has no type, has the name of another one, or
// has a cell of another type. Such a table is a mistake in the program.
func (t *Table) Validate() error {
	for i, c := range t.Columns {
		if c.Name == "" {
			continue
		}
		if !c.Type.Known() {
			return fmt.Errorf("the column %s has no type", c.Name)
		}
		if slices.ContainsFunc(t.Columns[:i], func(other Column) bool { return other.Name == c.Name }) {
			return fmt.Errorf("two columns are called %s", c.Name)
		}
		for j, row := range t.Rows {
			if cell := machine(row[i]); cell != nil && columns.TypeOf(cell) != c.Type {
				return fmt.Errorf("the column %s is of type %s, and holds %v of type %T in row %d", c.Name,
					c.Type, cell, cell, j)
			}
		}
	}
	return nil
}

// New returns the table that has a column for each field and a row for each element of rows. The
// note of a row also says what columns.Noted adds.
func New[R any](fields []Field, rows []R) *Table {
	return Of(fields, rows)
}

// Of is New for rows that are a slice of any type.
func Of(fields []Field, rows any) *Table {
	n, row := columns.Rows(rows)
	return tableOf(fields, n, row)
}

// Empty returns the table of the fields without rows.
func Empty(fields []Field) *Table { return tableOf(fields, 0, nil) }

func tableOf(fields []Field, rows int, row func(i int) any) *Table {
	fields = columns.Noted(fields)
	t := &Table{}
	for _, f := range fields {
		t.Columns = append(t.Columns, *f.Column)
	}
	for i := range rows {
		r := row(i)
		cells := make([]any, len(fields))
		for k, f := range fields {
			cells[k] = f.Of(r)
			if v, is := cells[k].(float64); is && math.IsNaN(v) {
				cells[k] = nil
			}
			if b, is := f.Number(r); is && columns.Digits(b) != "" {
				t.countLost(cmp.Or(f.Name, f.Title), b)
			}
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}

// Titled returns the fields. Those whose names are listed have their name as title, so that people
// see these columns too.
func Titled(fields []Field, names ...string) []Field {
	out := slices.Clone(fields)
	for i := range out {
		if slices.Contains(names, out[i].Name) {
			out[i] = out[i].Titled(out[i].Name)
		}
	}
	return out
}

// Shows reports whether a format shows a column. People see a column if it has a title and a cell
// that is not empty.
func (t *Table) Shows(f Format, name string) bool {
	for i, c := range t.Columns {
		if c.Name == name && (f.ForMachines() || c.Title != "" && !t.empty(i)) {
			return true
		}
	}
	return false
}

// Select returns the table with the columns of these names, in this order, for a format. A name is
// that of a column for machines, or its title or heading for people. For people a column without a
// title has its name as title; for machines there are no columns without a name. It fails if no
// column has a name.
func (t *Table) Select(f Format, names []string) (*Table, error) {
	out := &Table{Rows: make([][]any, len(t.Rows)), losses: t.losses, asked: true}
	var places []int
	for _, name := range names {
		found := t.columnsNamed(f, name)
		if len(found) == 0 {
			return nil, selector.UnknownError("column", name, t.columnNames(f))
		}
		for _, i := range found {
			if !slices.Contains(places, i) {
				places = append(places, i)
			}
		}
	}
	for _, i := range places {
		c := t.Columns[i]
		if c.Title == "" && !f.ForMachines() {
			c.Title = c.Name
		}
		c.Answer = true
		out.Columns = append(out.Columns, c)
		for j, row := range t.Rows {
			out.Rows[j] = append(out.Rows[j], row[i])
		}
	}
	return out, nil
}

// Held returns those of the names that are columns of the table, as Select takes them, and those
// that are none.
func (t *Table) Held(f Format, names []string) (has, lacks []string) {
	for _, name := range names {
		if len(t.columnsNamed(f, name)) > 0 {
			has = append(has, name)
		} else {
			lacks = append(lacks, name)
		}
	}
	return has, lacks
}

// CheckSelected fails if a name is that of no column of several tables. The error is about the
// table that has most of the names, which is probably the one that was meant.
func CheckSelected(tables []*Table, f Format, names []string) error {
	var meant *Table
	var known []string
	fewest := len(names) + 1
	for _, t := range tables {
		has, lacks := t.Held(f, names)
		known = append(known, has...)
		if len(lacks) < fewest {
			meant = t
			fewest = len(lacks)
		}
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return selector.UnknownError("column", name, meant.columnNames(f))
		}
	}
	return nil
}

// allColumns as a name stands for every column.
const allColumns = "all"

// columnsNamed returns the places of the columns of a name: that of this name for machines, and
// otherwise those with such a title, in which _ may stand for a blank.
func (t *Table) columnsNamed(f Format, name string) (places []int) {
	for i, c := range t.Columns {
		if c.Name == name && name != "" {
			return []int{i}
		}
		if c.Name == "" && f.ForMachines() {
			continue
		}
		if name == allColumns ||
			name != "" && (typed(c.Title) == typed(name) || typed(c.Heading()) == typed(name)) {
			places = append(places, i)
		}
	}
	return places
}

// typed returns a title as a name of it may be typed, without blanks and large letters.
func typed(title string) string { return strings.ToLower(strings.ReplaceAll(title, " ", "_")) }

// columnNames returns what columns are called, for a format.
func (t *Table) columnNames(f Format) (names []string) {
	for _, c := range t.Columns {
		switch {
		case c.Name != "":
			names = append(names, c.Name)
		case !f.ForMachines():
			names = append(names, c.Title)
		}
	}
	return names
}

// Place returns the index of a column, by its name for machines or by its title or heading. If
// there is none it fails, and lists the columns.
func (t *Table) Place(name string) (int, error) {
	if places := t.columnsNamed(Text, name); len(places) > 0 {
		return places[0], nil
	}
	return 0, selector.UnknownError("column", name, t.columnNames(Text))
}
