package table

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"breadboard/chains/selector"
	"breadboard/reports/columns"
)

// Condition is a comparison of the cells of a column with a number, such as J<0.1.
type Condition = columns.Condition

// Numbers returns the names of the columns of numbers for machines, which conditions may use.
func (t *Table) Numbers() (names []string) {
	for _, c := range t.Columns {
		if c.Name != "" && (c.Type == Float || c.Type == Int || c.Type == Uint) {
			names = append(names, c.Name)
		}
	}
	return names
}

// Subjects returns the names that conditions may use: the columns of numbers, and the cells that
// say what the numbers of a column are.
func (t *Table) Subjects() (names []string) {
	names = t.Numbers()
	for i, c := range t.Columns {
		if c.Labels == "" {
			continue
		}
		for _, row := range t.Rows {
			if name := csvCell(machine(row[i])); name != "" && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// subject returns the place of the column in which the numbers of a condition stand, and of the
// column that has its name in the rows that it is about; -1 if it is about all rows.
func (t *Table) subject(c Condition) (numbers, names int) {
	column := func(name string) int {
		return slices.IndexFunc(t.Columns, func(column Column) bool { return column.Name == name })
	}
	if slices.Contains(t.Numbers(), c.Column) {
		return column(c.Column), -1
	}
	names = slices.IndexFunc(t.Columns, func(column Column) bool { return column.Labels != "" })
	return column(t.Columns[names].Labels), names
}

// Failing returns a line for each row of the table in which a condition does not hold. It fails if
// the table has no rows, which would make every condition true, or has nothing with the name in the
// condition.
func (t *Table) Failing(c Condition) (lines []string, err error) {
	if len(t.Rows) == 0 && slices.Contains(t.Numbers(), c.Column) {
		return nil, errors.New("condition " + c.String() + ": the table has no rows")
	}
	if !slices.Contains(t.Subjects(), c.Column) {
		return nil, fmt.Errorf("condition %s: %w", c, selector.UnknownError("column", c.Column, t.Subjects()))
	}
	at, names := t.subject(c)
	for i, row := range t.Rows {
		if names >= 0 && csvCell(machine(row[names])) != c.Column {
			continue
		}
		if !c.Holds(row[at]) {
			shown := cmp.Or(csvCell(machine(row[at])), "empty")
			verdict := "does not hold"
			if c.Open(row[at]) {
				b := row[at].(Both).Range
				shown = fmt.Sprintf("%.1g with an error of up to %.1g", b.Value, b.Error)
				verdict = "is open"
			}
			lines = append(lines,
				fmt.Sprintf("%s %s in row %d (%s): %s is %s", c, verdict, i+1, t.rowName(i), c.Column, shown))
		}
	}
	return lines, nil
}

// rowName names a row by its cells in front of the first column of other numbers than whole ones,
// or of the column that says what the numbers are.
func (t *Table) rowName(i int) string {
	last := slices.IndexFunc(t.Columns, func(c Column) bool { return c.Labels != "" })
	if last < 0 {
		last = slices.IndexFunc(t.Columns, func(c Column) bool { return c.Name != "" && c.Type == Float })
	}
	var parts []string
	for k, c := range t.Columns {
		if c.Name == "" {
			continue
		}
		if k == last {
			break
		}
		if cell := csvCell(machine(t.Rows[i][k])); cell != "" {
			parts = append(parts, c.Name+" "+cell)
		}
	}
	return strings.Join(parts, ", ")
}
