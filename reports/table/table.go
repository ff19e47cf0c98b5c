package table

import (
	"slices"

	"breadboard/experiments/columns"
)

// Column, Field and Both are those of the studies, which declare the columns of their results.
type (
	Column       = columns.Column
	Field[R any] = columns.Field[R]
	Both         = columns.Both
)

// Keep is the Spare of a column without which a table says nothing.
const Keep = columns.Keep

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
