package table

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"breadboard/chains/selector"
)

// Condition is a comparison of the cells of a column with a number, such as J<0.1.
type Condition struct {
	Column string // the name of the column in the formats for machines, or a cell of a column that says what the numbers of another one are
	Sign   string // one of < <= > >= ==
	Number float64
}

// signs are those of conditions, the longer ones first, since the shorter ones begin them.
var signs = [...]string{"<=", ">=", "==", "<", ">"}

// ParseConditions reads conditions that are separated by commas, as in "J<0.1,B<=2". Numbers are finite decimals.
func ParseConditions(text string) ([]Condition, error) {
	var out []Condition
	for part := range strings.SplitSeq(text, ",") {
		c, err := parseCondition(strings.TrimSpace(part))
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

func parseCondition(text string) (Condition, error) {
	at := strings.IndexAny(text, "<>=")
	if at < 0 {
		return Condition{}, fmt.Errorf("%q has no comparison; write COLUMN<NUMBER, as in J<0.1, with one of < <= > >= ==", text)
	}
	name, rest := strings.TrimSpace(text[:at]), text[at:]
	for _, sign := range signs {
		number, found := strings.CutPrefix(rest, sign)
		if !found {
			continue
		}
		if name == "" {
			return Condition{}, fmt.Errorf("%q names no column; write COLUMN<NUMBER, as in J<0.1", text)
		}
		v, err := selector.ParseNumber(strings.TrimSpace(number))
		if err != nil {
			return Condition{}, fmt.Errorf("%q: %w", text, err)
		}
		return Condition{name, sign, v}, nil
	}
	return Condition{}, fmt.Errorf("%q: a single = is no comparison; write ==", text)
}

// String returns the condition as it is written.
func (c Condition) String() string { return c.Column + c.Sign + Shortest(c.Number) }

// Holds reports whether the condition holds for a cell. It never does for an empty cell, one that is not a number, and NaN.
func (c Condition) Holds(cell any) bool {
	v, is := number(machine(cell))
	if !is {
		return false
	}
	switch c.Sign {
	case "<":
		return v < c.Number
	case "<=":
		return v <= c.Number
	case ">":
		return v > c.Number
	case ">=":
		return v >= c.Number
	}
	return v == c.Number
}

// number returns the number in a cell, and false where there is none.
func number(cell any) (float64, bool) {
	switch v := cell.(type) {
	case float64:
		return v, true
	case int:
		return float64(v), true
	case uint64:
		return float64(v), true
	}
	return math.NaN(), false
}

// Numbers returns the names of the columns for machines that hold numbers, by which conditions may name them.
func (t *Table) Numbers() (names []string) {
	for _, c := range t.Columns {
		if c.Name != "" && (c.Type == Float || c.Type == Int || c.Type == Uint) {
			names = append(names, c.Name)
		}
	}
	return names
}

// Subjects returns what conditions may be about: the columns of numbers, and the cells that say what the numbers of a column are.
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

// subject returns the place of the column in which the numbers of a condition stand, and of the column that has its name in the rows
// that it is about; -1 where it is about all rows.
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

// Failing returns a line for each row of the table in which a condition does not hold. It fails where the table has no rows, which
// would make every condition true, or nothing of that name.
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
			shown := csvCell(machine(row[at]))
			if shown == "" {
				shown = "empty"
			}
			lines = append(lines, fmt.Sprintf("%s does not hold in row %d (%s): %s is %s", c, i+1, t.rowName(i), c.Column, shown))
		}
	}
	return lines, nil
}

// rowName names a row by its cells in front of the first column of other numbers than whole ones, or of the column that says what the
// numbers are.
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
