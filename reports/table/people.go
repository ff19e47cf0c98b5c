package table

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Percent is a share, or any ratio less one, that people see in percent. Machines never see it: they read the number itself.
type Percent float64

// percentDigits is the number of significant digits of a Percent below 100% where no other is asked for; above it has whole numbers.
const percentDigits = 4

// largestPercent is the ratio from which on a Percent is only said to be larger: the ratio itself is then easier to read.
const largestPercent = 100

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
		shown := c.Digits
		if digits > 0 {
			shown = digits
		}
		for j, row := range t.Rows {
			out.rows[j] = append(out.rows[j], people(row[i], shown, digits > 0))
		}
	}
	return out
}

// narrow returns the table with the titles of its narrow columns without their units.
func (p peopleTable) narrow() peopleTable {
	p.header = slices.Clone(p.header)
	for i, c := range p.columns {
		if c.Narrow {
			p.header[i] = strings.Map(printable, c.Title)
		}
	}
	return p
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
func People(cell any, digits int) string { return people(cell, digits, false) }

// people is as People, where all of the digits are shown if the user has asked for so many, the zeros at the end too.
func people(cell any, digits int, exactly bool) string {
	switch v := cell.(type) {
	case nil:
		return ""
	case Both:
		return people(v.People, digits, exactly)
	case Percent:
		return v.text(digits, exactly)
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
		text := strconv.FormatFloat(v, 'g', digits, 64)
		if exactly && v != 0 {
			text = strings.TrimSuffix(strings.Replace(fmt.Sprintf("%#.*g", digits, v), ".e", "e", 1), ".")
		}
		return strings.Replace(text, "e-0", "e-", 1)
	}
	return strings.Map(printable, fmt.Sprint(cell))
}

// text returns the share in percent, and nothing for NaN. Where digits are asked for it has so many, but always those before the point.
func (p Percent) text(digits int, exactly bool) string {
	v := 100 * float64(p)
	switch {
	case math.IsNaN(v):
		return ""
	case p >= largestPercent:
		return fmt.Sprintf("> %d%%", 100*largestPercent)
	case p <= -largestPercent:
		return fmt.Sprintf("< -%d%%", 100*largestPercent)
	case !exactly && p >= 1:
		return fmt.Sprintf("%.0f%%", v)
	case !exactly:
		return fmt.Sprintf("%.*g%%", percentDigits, v)
	case v == 0:
		return "0%"
	}
	_, power, _ := strings.Cut(strconv.FormatFloat(v, 'e', digits-1, 64), "e")
	exponent, err := strconv.Atoi(power)
	if err != nil {
		panic(err) // a finite number has an exponent
	}
	return fmt.Sprintf("%.*f%%", max(0, digits-1-exponent), v)
}

// printable replaces characters that would move the cursor or change the colours of a terminal.
func printable(r rune) rune {
	if unicode.IsControl(r) {
		return unicode.ReplacementChar
	}
	return r
}
