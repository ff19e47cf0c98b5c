package page

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"breadboard/reports/table"
)

// Table is a table with every digit of its numbers.
type Table struct {
	ID      string
	Title   string
	File    string // the name of the file from which it is, without its ending
	Columns []Column
	Rows    int
	Pivot   *Pivot // what a pivot of the table shows first; nil if it can have none
	Open    bool   // whether the pivot is shown at once
}

// Column is a column of a table. A cell has the text that the file has, and one for people.
type Column struct {
	Name    string
	Unit    string
	Meaning string
	Hidden  bool // whether the page shows it only to those who choose it
	Number  bool
	Bare    bool     // whether JSON has no quotes around its cells: numbers, and yes and no
	Raw     []string // as the file has them; an empty text is an empty cell
	Shown   []string // as people see them; nil if that is the same
}

// Pivot names the columns of a pivot: the one whose values are at the left, the one whose values
// are above, and the one that is summed up.
type Pivot struct{ Rows, Columns, Value string }

// aNumber matches the numbers of tables.
var aNumber = regexp.MustCompile(`^(-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?|[-+]Inf|NaN)$`)

// newTable returns a table of data. What is known of a column by its name is added to it.
func newTable(title, file string, data *table.Data, known map[string]table.Column) *Table {
	t := &Table{Title: title, File: file, Rows: len(data.Rows)}
	for i, name := range data.Columns {
		about := known[name]
		c := Column{Name: name, Unit: about.Unit, Meaning: about.Meaning, Raw: make([]string, len(data.Rows))}
		some := false
		c.Number = about.Type != table.String && about.Type != table.Bool
		for j, row := range data.Rows {
			c.Raw[j] = unquoted(row[i])
			some = some || c.Raw[j] != ""
			c.Number = c.Number && (c.Raw[j] == "" || aNumber.MatchString(c.Raw[j]))
		}
		c.Number = c.Number && some
		c.Bare = c.Number || some && !slices.ContainsFunc(
			c.Raw,
			func(cell string) bool { return cell != "" && cell != "true" && cell != "false" },
		)
		if c.Number {
			c.Shown = rounded(c.Raw)
		}
		t.Columns = append(t.Columns, c)
	}
	t.hide(known)
	t.Pivot = t.firstPivot(known)
	return t
}

// hide hides the columns that are the same in all rows, and those that tables for people do not
// have, as long as any is left.
func (t *Table) hide(known map[string]table.Column) {
	titled := func(c Column) bool { return known[c.Name].Title != "" }
	some := slices.ContainsFunc(t.Columns, titled)
	left := 0
	for i := range t.Columns {
		c := &t.Columns[i]
		_, same := c.CommonCell()
		c.Hidden = same || some && !titled(*c)
		if !c.Hidden {
			left++
		}
	}
	for i := range t.Columns {
		t.Columns[i].Hidden = t.Columns[i].Hidden && left > 0
	}
}

// unquoted takes away the mark that tables have before a text that a spreadsheet would run as a
// formula.
func unquoted(cell string) string {
	if rest, is := strings.CutPrefix(cell, "'"); is && rest != "" &&
		strings.ContainsRune("=+-@\t\r", rune(rest[0])) {
		return rest
	}
	return cell
}

// rounded returns numbers as people see them, or nil if all are as they were.
func rounded(raw []string) []string {
	shown := make([]string, len(raw))
	for i, text := range raw {
		shown[i] = text
		if v, err := strconv.ParseFloat(text, 64); err == nil && strings.ContainsAny(text, ".eE") {
			shown[i] = table.People(v, 0)
		}
	}
	if slices.Equal(shown, raw) {
		return nil
	}
	return shown
}

// Cell returns a cell as people see it.
func (c *Column) Cell(row int) string {
	if c.Shown != nil {
		return c.Shown[row]
	}
	return c.Raw[row]
}

// CommonCell returns the cell of a column if there are several rows and all have the same cell.
func (c *Column) CommonCell() (cell string, is bool) {
	if len(c.Raw) < 2 {
		return "", false
	}
	for _, cell := range c.Raw {
		if cell != c.Raw[0] {
			return "", false
		}
	}
	return c.Cell(0), true
}

const (
	// fewValues is the largest number of different values of a column whose values can stand above
	// a pivot.
	fewValues = 24
	// manyValues is the largest number of different values whose rows a pivot shows at first.
	manyValues = 200
)

// firstPivot chooses the columns of a pivot: the first that differ between rows stand at the left
// and above, and a measure of the study is summed up, or where nothing is known of the table a
// column with fractions. It returns nil if no column can be chosen.
func (t *Table) firstPivot(known map[string]table.Column) *Pivot {
	if t.Rows < 3 {
		return nil
	}
	p := &Pivot{}
	for i := range t.Columns {
		c := &t.Columns[i]
		n := c.distinct(manyValues + 1)
		measure := known[c.Name].Type == table.Float || known[c.Name].Type == "" && c.Number && c.fraction()
		switch {
		case n < 2:
		case measure && p.Rows != "" && (p.Value == "" || c.Name == "J"):
			p.Value = c.Name
		case measure:
		case p.Rows == "" && n <= manyValues:
			p.Rows = c.Name
		case p.Columns == "" && n <= fewValues:
			p.Columns = c.Name
		}
	}
	if p.Rows == "" || p.Value == "" {
		return nil
	}
	return p
}

// fraction reports whether a number of a column is no whole number.
func (c *Column) fraction() bool {
	return slices.ContainsFunc(c.Raw, func(cell string) bool { return strings.ContainsAny(cell, ".eI") })
}

// distinct counts the different values of a column, up to a limit.
func (c *Column) distinct(most int) int {
	seen := map[string]bool{}
	for _, cell := range c.Raw {
		seen[cell] = true
		if len(seen) == most {
			break
		}
	}
	return len(seen)
}

// MarshalJSON writes a table for the script of the page, column by column.
func (t *Table) MarshalJSON() ([]byte, error) {
	type column struct {
		Name    string   `json:"name"`
		Unit    string   `json:"unit,omitempty"`
		Meaning string   `json:"meaning,omitempty"`
		Number  bool     `json:"number,omitempty"`
		Bare    bool     `json:"bare,omitempty"`
		Raw     []string `json:"raw"`
		Shown   []string `json:"shown,omitempty"`
		Same    bool     `json:"same,omitempty"`
		Hidden  bool     `json:"hidden,omitempty"`
	}
	out := struct {
		ID      string   `json:"id"`
		File    string   `json:"file"`
		Rows    int      `json:"rows"`
		Pivot   *Pivot   `json:"pivot,omitempty"`
		Columns []column `json:"columns"`
	}{t.ID, t.File, t.Rows, t.Pivot, []column{}}
	for i := range t.Columns {
		c := &t.Columns[i]
		_, same := c.CommonCell()
		out.Columns = append(
			out.Columns,
			column{c.Name, c.Unit, c.Meaning, c.Number, c.Bare, c.Raw, c.Shown, same, c.Hidden},
		)
	}
	return json.Marshal(out)
}
