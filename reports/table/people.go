package table

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
)

// DefaultDigits is the number of significant digits of numbers for people, in columns that do not set Digits.
const DefaultDigits = 6

// peopleTable is a table as people see it: text in every cell.
type peopleTable struct {
	columns []Column
	header  []string
	numeric []bool // the columns with numbers, which stand at the right of their columns
	rows    [][]string
}

// forPeople returns the columns that have a title, without those whose cells are all empty. Numbers have so many significant
// digits, or those of their column where digits is 0.
func (t *Table) forPeople(digits int) peopleTable {
	out := peopleTable{rows: make([][]string, len(t.Rows))}
	for i, c := range t.Columns {
		if c.Title == "" || t.empty(i) {
			continue
		}
		out.columns = append(out.columns, c)
		out.header = append(out.header, strings.Map(printable, c.Heading()))
		out.numeric = append(out.numeric, t.numeric(i))
		of := c.Digits
		if digits > 0 {
			of = digits
		}
		for j, row := range t.Rows {
			out.rows[j] = append(out.rows[j], People(row[i], of))
		}
	}
	return out
}

// without returns the table without some columns.
func (p peopleTable) without(gone map[int]bool) peopleTable {
	out := peopleTable{rows: make([][]string, len(p.rows))}
	for i := range p.header {
		if gone[i] {
			continue
		}
		out.columns, out.header, out.numeric = append(out.columns, p.columns[i]), append(out.header, p.header[i]), append(out.numeric, p.numeric[i])
		for j := range p.rows {
			out.rows[j] = append(out.rows[j], p.rows[j][i])
		}
	}
	return out
}

// numeric reports whether a column shows people a number.
func (t *Table) numeric(column int) bool {
	for _, row := range t.Rows {
		cell := row[column]
		if both, ok := cell.(Both); ok {
			cell = both.People
		}
		switch cell.(type) {
		case int, float64:
			return true
		}
	}
	return false
}

// empty reports whether all cells of a column are empty for people.
func (t *Table) empty(column int) bool {
	for _, row := range t.Rows {
		if People(row[column], 1) != "" {
			return false
		}
	}
	return true
}

// People returns a cell as people see it: a number rounded to the given number of significant digits, where 0 stands for
// DefaultDigits; an empty text for nil and NaN; and text without the characters that would control a terminal.
func People(cell any, digits int) string {
	switch v := cell.(type) {
	case nil:
		return ""
	case Both:
		return People(v.People, digits)
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case float64:
		if math.IsNaN(v) {
			return ""
		}
		if digits == 0 {
			digits = DefaultDigits
		}
		return strings.Replace(strconv.FormatFloat(v, 'g', digits, 64), "e-0", "e-", 1)
	}
	return strings.Map(printable, fmt.Sprint(cell))
}

// printable replaces characters that would move the cursor or change the colours of a terminal.
func printable(r rune) rune {
	if unicode.IsControl(r) {
		return unicode.ReplacementChar
	}
	return r
}
