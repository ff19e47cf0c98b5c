// Package compare answers: do two tables agree, cell by cell? It matches rows by parameters and
// lists the differences. It reads no files and formats no text.
package compare

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains/selector"
	"breadboard/experiments/columns"
)

// Table is a table of texts: the names of its columns, and its rows.
type Table struct {
	Columns []string
	Rows    [][]string
}

// Comparison says how to compare two tables.
type Comparison struct {
	First, Second string // the names of the tables
	A, B          *Table // the tables
	// By are the columns by which rows are matched; if empty, Tables chooses them.
	By []string
	// Parameters are the names of columns that are parameters, by which rows are matched if By is
	// empty.
	Parameters []string
	Tolerance  float64 // the largest relative difference of two numbers that counts as none
	Absolute   float64 // the largest absolute difference that counts as none
}

// Validate returns an error with the reason if the tables cannot be compared.
func (c *Comparison) Validate() error {
	for name, v := range map[string]float64{"tolerance": c.Tolerance, "absolute difference": c.Absolute} {
		if !(v >= 0) || math.IsInf(v, 1) {
			return fmt.Errorf("the %s is %v; give 0 or a number above it", name, v)
		}
	}
	shared := c.shared()
	if len(shared) == 0 {
		return fmt.Errorf("%s and %s have no column in common", c.First, c.Second)
	}
	for _, name := range c.By {
		if !slices.Contains(shared, name) {
			return fmt.Errorf("rows cannot be matched: %w", selector.UnknownError("column of both", name, shared))
		}
	}
	return nil
}

// shared returns the columns that both tables have, in the order of the first.
func (c *Comparison) shared() (names []string) {
	for _, name := range c.A.Columns {
		if slices.Contains(c.B.Columns, name) {
			names = append(names, name)
		}
	}
	return names
}

// Difference is one difference of two tables.
type Difference struct {
	Kind, Row, Column, First, Second string
	Absolute, Relative               float64 // NaN if the cells are not numbers
}

// Columns declares the table of differences.
func Columns() columns.List {
	return columns.List{
		columns.Of("kind", "what", "cell, row or column", func(d *Difference) string { return d.Kind }),
		columns.Of("row", "row", "the parameters of the row", func(d *Difference) string { return d.Row }),
		columns.Of("column", "column", "the name of the column", func(d *Difference) string { return d.Column }),
		columns.Of("first", "first", "what stands in the first file", func(d *Difference) string { return d.First }),
		columns.Of("second", "second", "what stands in the second file", func(d *Difference) string { return d.Second }),
		columns.Of("absolute", "absolute", "the absolute difference of two numbers", func(d *Difference) float64 { return d.Absolute }).OrEmpty().Digits(3),
		columns.Of("relative", "relative", "the difference of two numbers, divided by the larger of their sizes",
			func(d *Difference) float64 { return d.Relative }).OrEmpty().Digits(3),
	}
}

// Result is the result of a comparison.
type Result struct {
	Differences []Difference
	Keys        []string // the columns by which rows are matched; none if they are matched by order
	Cells       int      // the number of compared cells
	Matched     int      // rows that both tables have
	Largest     float64  // the largest relative difference that counts as none
	Rounded     int      // the differences that are at most Rounding
}

// Rounding is the largest difference between kinds of processors of numbers in nats, and of
// probabilities: 4 units in the last place of 1.
const Rounding = 4 * 0x1p-52

// Tables returns a difference for each cell, row and column in which two tables differ. Rows are
// matched by c.By, and if that is empty by the parameters that both tables have, and then by
// further columns of text until they are unique. Rows that agree in all of these are matched in
// their order. Call Validate first.
func Tables(c *Comparison) *Result {
	r := &Result{Keys: c.keys()}
	for _, name := range c.A.Columns {
		if !slices.Contains(c.B.Columns, name) {
			r.Differences = append(r.Differences, onOneSide("column", "", name, true))
		}
	}
	for _, name := range c.B.Columns {
		if !slices.Contains(c.A.Columns, name) {
			r.Differences = append(r.Differences, onOneSide("column", "", name, false))
		}
	}
	shared := c.compared(r.Keys)
	second := map[string]int{} // the place of each row
	for _, b := range named(c.B, r.Keys) {
		second[b.key] = b.at
	}
	for _, a := range named(c.A, r.Keys) {
		at, there := second[a.key]
		if !there {
			r.Differences = append(r.Differences, onOneSide("row", a.key, "", true))
			continue
		}
		delete(second, a.key)
		r.Matched++
		for _, column := range shared {
			r.Cells++
			d := compareCells(c.A.Rows[a.at][column.a], c.B.Rows[at][column.b])
			d.Kind, d.Row, d.Column = "cell", a.key, column.name
			if c.differ(&d) {
				r.Differences = append(r.Differences, d)
				if d.Absolute <= Rounding {
					r.Rounded++
				}
			} else if d.Relative > r.Largest {
				r.Largest = d.Relative
			}
		}
	}
	for _, b := range named(c.B, r.Keys) {
		if _, left := second[b.key]; left {
			r.Differences = append(r.Differences, onOneSide("row", b.key, "", false))
		}
	}
	return r
}

// pair is a column of both tables, with its places in them.
type pair struct {
	name string
	a, b int
}

// compared returns the columns that both tables have, without those by which rows are matched.
func (c *Comparison) compared(keys []string) (columns []pair) {
	for _, name := range c.shared() {
		if !slices.Contains(keys, name) {
			columns = append(columns, pair{name, slices.Index(c.A.Columns, name), slices.Index(c.B.Columns, name)})
		}
	}
	return columns
}

// onOneSide is the difference of a row or a column that one table has alone.
func onOneSide(kind, row, column string, first bool) Difference {
	if first {
		return Difference{kind, row, column, "there", "missing", math.NaN(), math.NaN()}
	}
	return Difference{kind, row, column, "missing", "there", math.NaN(), math.NaN()}
}

// differ reports whether two cells differ by more than is allowed: always, if they are no numbers.
func (c *Comparison) differ(d *Difference) bool {
	if d.First == d.Second {
		return false
	}
	if math.IsNaN(d.Absolute) {
		return true
	}
	return d.Relative > c.Tolerance && d.Absolute > c.Absolute
}

// compareCells returns the difference of two cells. If both are the same number the second is taken
// to be written as the first.
func compareCells(first, second string) Difference {
	d := Difference{First: first, Second: second, Absolute: math.NaN(), Relative: math.NaN()}
	if first == second {
		d.Absolute, d.Relative = 0, 0
		return d
	}
	a, wrongA := strconv.ParseFloat(first, 64)
	b, wrongB := strconv.ParseFloat(second, 64)
	switch {
	case wrongA != nil || wrongB != nil || whole(first) && whole(second): // seeds may have more digits than floating point
	case a == b || math.IsNaN(a) && math.IsNaN(b):
		d.Second, d.Absolute, d.Relative = first, 0, 0
	case math.IsInf(a, 0) || math.IsInf(b, 0):
		d.Absolute, d.Relative = math.Inf(1), math.Inf(1)
	case !math.IsNaN(a) && !math.IsNaN(b):
		size := max(math.Abs(a), math.Abs(b))
		d.Absolute = math.Abs(a - b)
		d.Relative = d.Absolute / size
		if math.IsInf(d.Absolute, 0) { // the difference is beyond the range of floating point
			d.Relative = math.Abs(a/size - b/size)
		}
	}
	return d
}

// whole reports whether a text is a whole number of many digits, which floating point may not tell
// from its neighbours.
func whole(text string) bool { return len(text) > 15 && strings.Trim(text, "0123456789") == "" }

// keys returns the columns by which rows are matched.
func (c *Comparison) keys() []string {
	if len(c.By) > 0 {
		return c.By
	}
	shared := c.shared()
	var keys, further []string
	for _, name := range shared {
		switch {
		case slices.Contains(c.Parameters, name):
			keys = append(keys, name)
		case isText(c.A, name) && isText(c.B, name):
			further = append(further, name)
		}
	}
	for _, name := range further {
		if len(keys) > 0 && distinct(c.A, keys) && distinct(c.B, keys) {
			break
		}
		keys = append(keys, name)
	}
	return keys
}

// isText reports whether no cell of a column is a number, and some are not empty.
func isText(d *Table, name string) bool {
	at, some := slices.Index(d.Columns, name), false
	for _, row := range d.Rows {
		if _, err := strconv.ParseFloat(row[at], 64); err == nil {
			return false
		}
		some = some || row[at] != ""
	}
	return some
}

// distinct reports whether columns tell all rows apart.
func distinct(d *Table, keys []string) bool {
	seen := map[string]bool{}
	for i := range d.Rows {
		key := keyOf(d, keys, i)
		if seen[key] {
			return false
		}
		seen[key] = true
	}
	return true
}

// keyOf returns the parameters of a row, as people read them.
func keyOf(d *Table, keys []string, i int) string {
	parts := make([]string, len(keys))
	for k, name := range keys {
		cell := d.Rows[i][slices.Index(d.Columns, name)]
		if strings.ContainsAny(cell, ", ") {
			cell = strconv.Quote(cell)
		}
		parts[k] = name + " " + cell
	}
	return strings.Join(parts, ", ")
}

// namedRow is a row with the text by which it is matched.
type namedRow struct {
	key string
	at  int
}

// named returns the rows with their keys. Rows with one key are told apart by their order.
func named(d *Table, keys []string) []namedRow {
	times := map[string]int{}
	rows := make([]namedRow, len(d.Rows))
	for i := range d.Rows {
		key := keyOf(d, keys, i)
		times[key]++
		if n := times[key]; n > 1 || key == "" {
			key = strings.TrimPrefix(fmt.Sprintf("%s, number %d", key, n), ", ")
		}
		rows[i] = namedRow{key, i}
	}
	return rows
}
