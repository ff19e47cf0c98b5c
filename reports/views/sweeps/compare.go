package sweeps

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains"
	"breadboard/chains/selector"
	"breadboard/experiments/columns"
	"breadboard/reports"
	"breadboard/reports/table"
)

// Comparison says how to compare two tables.
type Comparison struct {
	First, Second string      // what the tables are called
	A, B          *table.Data // the tables
	// By are the columns by which rows are matched; where empty, CompareReport chooses them.
	By []string
	// Parameters are the names of columns that are parameters, by which rows are matched where By
	// is empty.
	Parameters []string
	Tolerance  float64 // the largest relative difference of two numbers that counts as none
	Absolute   float64 // the largest absolute difference that counts as none
}

// Validate returns an error that says why the tables cannot be compared, and nil if they can.
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

// difference is one thing in which two tables differ.
type difference struct {
	kind, row, column, first, second string
	absolute, relative               float64 // NaN if the cells are no numbers
}

func DifferenceFields() columns.List {
	return columns.List{
		columns.Of("kind", "what", "cell, row or column", func(d *difference) string { return d.kind }),
		columns.Of("row", "row", "the parameters of the row", func(d *difference) string { return d.row }),
		columns.Of("column", "column", "the name of the column", func(d *difference) string { return d.column }),
		columns.Of("first", "first", "what stands in the first file", func(d *difference) string { return d.first }),
		columns.Of("second", "second", "what stands in the second file", func(d *difference) string { return d.second }),
		columns.Of("absolute", "absolute", "the absolute difference of two numbers", func(d *difference) float64 { return d.absolute }).OrEmpty().Digits(3),
		columns.Of("relative", "relative", "the difference of two numbers, divided by the larger of their sizes",
			func(d *difference) float64 { return d.relative }).OrEmpty().Digits(3),
	}
}

// CompareReport returns the report of a comparison: a line for each cell, row and column in which
// the tables differ. It has a Fault if there is any. Rows are matched by c.By, and if that is empty
// by the parameters that both tables have, and then by further columns of text as long as rows are
// not told apart by them. Rows that are the same in all of these are matched in their order. Call
// Validate before.
func CompareReport(c *Comparison) *reports.Report {
	keys := c.keys()
	var found []difference
	for _, name := range c.A.Columns {
		if !slices.Contains(c.B.Columns, name) {
			found = append(found, onOneSide("column", "", name, true))
		}
	}
	for _, name := range c.B.Columns {
		if !slices.Contains(c.A.Columns, name) {
			found = append(found, onOneSide("column", "", name, false))
		}
	}
	columns := c.compared(keys)
	second := map[string]int{} // the place of each row
	for _, b := range named(c.B, keys) {
		second[b.key] = b.at
	}
	cells, matched, largest := 0, 0, 0.0
	for _, a := range named(c.A, keys) {
		at, there := second[a.key]
		if !there {
			found = append(found, onOneSide("row", a.key, "", true))
			continue
		}
		delete(second, a.key)
		matched++
		for _, column := range columns {
			cells++
			d := compareCells(c.A.Rows[a.at][column.a], c.B.Rows[at][column.b])
			d.kind, d.row, d.column = "cell", a.key, column.name
			if c.differ(&d) {
				found = append(found, d)
			} else if d.relative > largest {
				largest = d.relative
			}
		}
	}
	for _, b := range named(c.B, keys) {
		if _, left := second[b.key]; left {
			found = append(found, onOneSide("row", b.key, "", false))
		}
	}
	r := reports.New("compare", table.New(DifferenceFields(), found))
	if len(keys) > 0 {
		r.Note("rows are matched by %s", strings.Join(keys, ", "))
	} else {
		r.Note("rows are matched by their order, since no column of both tables is a parameter or a text")
	}
	r.Note("%s and %s of %s and %s; the largest relative difference that counts as none is %.3g",
		selector.Count(cells, "cell"), selector.Count(len(c.A.Rows), "row"), c.First, c.Second, largest)
	if matched == 0 && len(keys) > 1 && len(c.A.Rows) > 0 && len(c.B.Rows) > 0 {
		r.Note("no row of one table is in the other; {by|By} with fewer columns, as in {by|By} %s, matches rows that differ in the others", keys[0])
	}
	if len(found) > 0 {
		r.Fault = chains.NewFault(fmt.Errorf("%s and %s differ in %s", c.First, c.Second, selector.Count(len(found), "place")))
	} else if len(c.A.Rows) == 0 {
		r.Fault = errors.New("neither table has a row to compare")
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
func onOneSide(kind, row, column string, first bool) difference {
	if first {
		return difference{kind, row, column, "there", "missing", math.NaN(), math.NaN()}
	}
	return difference{kind, row, column, "missing", "there", math.NaN(), math.NaN()}
}

// differ reports whether two cells differ by more than is allowed: always, if they are no numbers.
func (c *Comparison) differ(d *difference) bool {
	if d.first == d.second {
		return false
	}
	if math.IsNaN(d.absolute) {
		return true
	}
	return d.relative > c.Tolerance && d.absolute > c.Absolute
}

// compareCells returns the difference of two cells. If both are the same number the second is taken
// to be written as the first.
func compareCells(first, second string) difference {
	d := difference{first: first, second: second, absolute: math.NaN(), relative: math.NaN()}
	if first == second {
		d.absolute, d.relative = 0, 0
		return d
	}
	a, wrongA := strconv.ParseFloat(first, 64)
	b, wrongB := strconv.ParseFloat(second, 64)
	switch {
	case wrongA != nil || wrongB != nil || whole(first) && whole(second): // seeds may have more digits than floating point
	case a == b || math.IsNaN(a) && math.IsNaN(b):
		d.second, d.absolute, d.relative = first, 0, 0
	case math.IsInf(a, 0) || math.IsInf(b, 0):
		d.absolute, d.relative = math.Inf(1), math.Inf(1)
	case !math.IsNaN(a) && !math.IsNaN(b):
		size := max(math.Abs(a), math.Abs(b))
		d.absolute = math.Abs(a - b)
		d.relative = d.absolute / size
		if math.IsInf(d.absolute, 0) { // the difference is beyond the range of floating point
			d.relative = math.Abs(a/size - b/size)
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
func isText(d *table.Data, name string) bool {
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
func distinct(d *table.Data, keys []string) bool {
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
func keyOf(d *table.Data, keys []string, i int) string {
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
func named(d *table.Data, keys []string) []namedRow {
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
