package table

// Column is what a table says of one of its columns, whatever stands in it.
type Column struct {
	Name   string // in the formats for machines; empty for a column that only people see
	Title  string // at the head of the column for people; empty for a column that only machines read
	Unit   string // of the numbers, as in nats; people see it behind the title
	Digits int    // significant digits of a float64 for people; 0 is 6
	Like   any    // a cell of the type that the column has in Parquet; nil is the type of the first cell that is not nil
}

// Heading returns what stands at the head of the column for people: its title, with the unit where there is one.
func (c Column) Heading() string {
	if c.Title == "" || c.Unit == "" {
		return c.Title
	}
	return c.Title + " (" + c.Unit + ")"
}

// Both is a cell in which people see something other than machines: a number that is written in words, for example.
type Both struct {
	Machine any // in the formats for machines
	People  any // in the formats for people
}

// Table is a table of any study. A cell is a string, an int, a uint64, a float64, a bool, a Both of two of these, or nil
// where there is nothing to say.
type Table struct {
	Columns []Column
	Rows    [][]any
}

// machine returns what the formats for machines write of a cell.
func machine(cell any) any {
	if both, ok := cell.(Both); ok {
		return both.Machine
	}
	return cell
}

// machineColumns returns the places of the columns that have a name.
func (t *Table) machineColumns() (places []int) {
	for i, c := range t.Columns {
		if c.Name != "" {
			places = append(places, i)
		}
	}
	return places
}
