package table

// Column describes a column of a table, apart from its cells.
type Column struct {
	Name   string // the name in the formats for machines; empty for a column that only people see
	Title  string // the heading in the formats for people; empty for a column that only machines read
	Unit   string // the unit of the numbers, such as nats; people see it behind the title
	Digits int    // the significant digits of a float64 for people; 0 is 6
	Like   any    // a value of the column's type in Parquet; nil for the type of the first cell that is not nil
}

// Heading returns the heading of the column for people: its title, with the unit where there is one.
func (c Column) Heading() string {
	if c.Title == "" || c.Unit == "" {
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
