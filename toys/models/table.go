package models

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
)

// Table is a table of finite numbers, a row for each datum.
type Table struct {
	Names []string // of the columns, in the first line of the file; nil if that is a row
	Rows  [][]float64
}

// Column names a column: by its name, or by its number from 1 if it has no name.
func (t *Table) Column(j int) string {
	if t.Names == nil {
		return strconv.Itoa(j + 1)
	}
	return strconv.Quote(t.Names[j])
}

// TableLimits bound a table: the bytes of its file, its rows and columns, and the size of its
// numbers.
type TableLimits struct {
	Bytes         int64
	Rows, Columns int
	Number        float64
}

// ParseTable reads a table of finite numbers from CSV: a row for each datum, all rows with the same
// number of columns. An empty line is skipped, and a line of headings is an error. Errors name line
// and column.
func ParseTable(text []byte) ([][]float64, error) {
	var table [][]float64
	err := eachRecord(text, func(r record) error {
		if err := r.sameWidth(table); err != nil {
			return err
		}
		row, err := r.appendPoints(nil)
		table = append(table, row)
		return err
	})
	if err != nil {
		return nil, err
	}
	if len(table) == 0 {
		return nil, errs.New("the file is empty; give a row of numbers for each datum")
	}
	return table, nil
}

// sameWidth returns an error if a record has other columns than the rows before it.
func (r record) sameWidth(table [][]float64) error {
	if len(table) > 0 && len(r.fields) != len(table[0]) {
		return errs.New("line %d has %s, the first row has %d; give every row as many", r.line(0),
			selector.Count(len(r.fields), "column"), len(table[0]))
	}
	return nil
}

// ParseNamedTable reads a table of finite numbers from CSV, with or without a first line of
// headings. Nothing is guessed. These are errors: a missing value (an empty cell, NA, NaN, ? and
// the like), text, infinite numbers, numbers beyond the limit, rows of different lengths, headings
// without rows, and in a table of one column an empty line between rows, which may be a missing
// value too. Errors name line and column.
func ParseNamedTable(text []byte, limits TableLimits) (*Table, error) {
	t := &Table{}
	last := 0 // the line of the last row
	err := eachRecord(text, func(r record) error {
		switch {
		case len(r.fields) > limits.Columns:
			return errs.New("line %d has %d columns; there may be at most %d",
				r.line(0), len(r.fields), limits.Columns)
		case len(t.Rows) == 0 && t.Names == nil && headings(r.fields):
			return t.readNames(r)
		case len(t.Rows) == limits.Rows:
			return fmt.Errorf("line %d: there may be at most %d rows", r.line(0), limits.Rows)
		}
		if err := t.sameWidth(r); err != nil {
			return err
		}
		if at := r.line(0); len(r.fields) == 1 && last > 0 && at > last+1 {
			return errs.New(
				"line %d, column 1 is empty, and rows follow it; leave out what is missing, or fill it in",
				last+1,
			)
		}
		row, err := t.numbers(r, limits.Number)
		t.Rows, last = append(t.Rows, row), r.line(0)
		return err
	})
	switch {
	case err != nil:
		return nil, err
	case t.Names != nil && len(t.Rows) == 0:
		return nil, errs.New("there are headings and no rows; give a row of numbers for each datum")
	case len(t.Rows) == 0:
		return nil, errs.New("the file is empty; give a row of numbers for each datum")
	}
	return t, nil
}

// headings reports whether a record has names alone. A name has a letter, and is neither a number
// nor a word for a missing value; it may be left out, as of the numbers of rows that some programs
// write, where others are there.
func headings(fields []string) bool {
	named := false
	for _, field := range fields {
		field = strings.TrimSpace(field)
		if field == "" {
			continue
		}
		_, err := strconv.ParseFloat(field, 64) // which takes infinite numbers and hexadecimal ones too
		if err == nil || missingValue(field) || strings.IndexFunc(field, unicode.IsLetter) < 0 ||
			errors.Is(err, strconv.ErrRange) {
			return false
		}
		named = true
	}
	return named
}

// readNames takes the names of the columns.
func (t *Table) readNames(r record) error {
	for j, field := range r.fields {
		field = strings.TrimSpace(field)
		if field == "" {
			return errs.New("line %d, column %d: a heading without a name; if the column numbers the rows, leave it "+
				"out, and otherwise name it",
				r.line(j), j+1)
		}
		t.Names = append(t.Names, field)
	}
	return nil
}

// sameWidth returns an error if a record has other columns than the rows or the headings before it.
func (t *Table) sameWidth(r record) error {
	if len(t.Rows) == 0 && t.Names != nil && len(r.fields) != len(t.Names) {
		return errs.New("line %d has %s, and there are %s; give every row as many", r.line(0),
			selector.Count(len(r.fields), "column"),
			selector.Count(len(t.Names), "heading"))
	}
	return r.sameWidth(t.Rows)
}

func (t *Table) numbers(r record, most float64) ([]float64, error) {
	row := make([]float64, len(r.fields))
	for j, field := range r.fields {
		v, err := parseDatum(strings.TrimSpace(field), most)
		if err != nil {
			return nil, fmt.Errorf("line %d, %s: %w", r.line(j), t.columnPlace(j), err)
		}
		row[j] = v
	}
	return row, nil
}

// columnPlace says in which column an error is.
func (t *Table) columnPlace(j int) string {
	if t.Names == nil {
		return fmt.Sprintf("column %d", j+1)
	}
	return fmt.Sprintf("column %d (%q)", j+1, t.Names[j])
}

// parseDatum reads a finite number of a size within the limit.
func parseDatum(field string, most float64) (float64, error) {
	if missingValue(field) {
		if field == "" {
			field = "the empty cell"
		}
		return 0, errs.New("%s is a missing value; leave the row or the column out, or fill it in", field)
	}
	if v, err := strconv.ParseFloat(field, 64); err == nil && math.IsInf(v, 0) {
		return 0, errs.New("%s is infinite; data are finite numbers", field)
	}
	v, err := selector.ParseNumber(field)
	if err != nil {
		return 0, errs.New("%w; data are finite numbers, in columns that are separated by commas", err)
	}
	if !(math.Abs(v) <= most) {
		return 0, errs.New("%s; data are at most %v from zero, so that nothing overflows", field, most)
	}
	return v, nil
}

// missingValue reports whether a cell is empty, or one of the words by which programs say that a
// value is missing.
func missingValue(field string) bool {
	missing := []string{"", "na", "n/a", "#n/a", "nan", "null", "none", "nil", "?", ".", "-", "--"}
	return slices.Contains(missing, strings.ToLower(field))
}
