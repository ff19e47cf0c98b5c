package table

import "slices"

// Column describes a column of a table, apart from its cells.
type Column struct {
	Name    string `json:"name"`              // the name in the formats for machines; empty for a column that only people see
	Type    Type   `json:"type"`              // what its cells are for machines; a column with a name has one
	Unit    string `json:"unit,omitempty"`    // the unit of the numbers, such as nats; people see it behind the title
	Meaning string `json:"meaning,omitempty"` // what a cell says, in one sentence, for the documentation of the formats for machines
	Title   string `json:"-"`                 // the heading in the formats for people; empty for a column that only machines read
	Bare    bool   `json:"-"`                 // people see the title without the unit, which stands in the cells or in the title itself
	Narrow  bool   `json:"-"`                 // tables of text, which have the width of a terminal, leave out the unit behind the title
	Digits  int    `json:"-"`                 // the significant digits of a float64 for people; 0 is 6
	// Spare says how easily people can do without the column where there is no room for all: those with the largest number are
	// left out first, of equal ones the last, and those with Keep never.
	Spare int `json:"-"`
	// Labels is the name of a column of numbers, if the cells of this column say what the numbers there are. Conditions may then name such a
	// cell where they name a column, and are about the numbers in its rows.
	Labels string `json:"-"`
	Prose  bool   `json:"-"` // the cells are sentences, which may be broken into several lines between words
	// Optional columns are there on demand: CSV and JSON leave them out where all cells are empty. Parquet has them always, so
	// that its schema is the same for all tables of one kind.
	Optional bool `json:"-"`
}

// Keep is the Spare of a column without which a table says nothing.
const Keep = -1

// Heading returns the heading of the column for people: its title, with the unit where there is one and the
// column is not Bare.
func (c Column) Heading() string {
	if c.Title == "" || c.Unit == "" || c.Bare {
		return c.Title
	}
	return c.Title + " (" + c.Unit + ")"
}

// Both is a cell in which people see something other than machines: a number that is written in words, for example.
type Both struct {
	Machine any // the cell in the formats for machines
	People  any // the cell in the formats for people
}

// Table is a table of any study. A cell is a string, an int, a uint64, a float64, a bool, a Both of two of these, or nil,
// which is an empty cell.
type Table struct {
	Columns []Column
	Rows    [][]any
}

// machine returns the value of a cell in the formats for machines.
func machine(cell any) any {
	if both, ok := cell.(Both); ok {
		return both.Machine
	}
	return cell
}

// machineColumns returns the indices of the columns that have a name.
func (t *Table) machineColumns() (places []int) {
	for i, c := range t.Columns {
		if c.Name != "" {
			places = append(places, i)
		}
	}
	return places
}

// textColumns returns the indices of the columns that CSV and JSON have: those of machineColumns, without optional ones in
// which nothing stands.
func (t *Table) textColumns() []int {
	return slices.DeleteFunc(t.machineColumns(), func(i int) bool {
		some := func(row []any) bool { return machine(row[i]) != nil }
		return t.Columns[i].Optional && !slices.ContainsFunc(t.Rows, some)
	})
}
