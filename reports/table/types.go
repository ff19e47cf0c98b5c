package table

import (
	"fmt"

	"breadboard/experiments/columns"
)

// Type is what the cells of a column are for machines. A cell of any type may be empty, that is nil.
type Type = columns.Type

// The types of columns.
const (
	Float  = columns.Float
	Int    = columns.Int
	Uint   = columns.Uint
	String = columns.String
	Bool   = columns.Bool
)

// typeOf returns the type of a cell for machines, and an empty one where no column may hold it.
func typeOf(cell any) Type {
	switch cell.(type) {
	case float64:
		return Float
	case int:
		return Int
	case uint64:
		return Uint
	case string:
		return String
	case bool:
		return Bool
	}
	return ""
}

// Check says which column for machines has no type, or a cell of another type than its own; nil where all is well. Such a
// table is a mistake in the program, and cannot be written as Parquet.
func (t *Table) Check() error {
	for i, c := range t.Columns {
		if c.Name == "" {
			continue
		}
		if !c.Type.Known() {
			return fmt.Errorf("the column %s has no type", c.Name)
		}
		for j, row := range t.Rows {
			if cell := machine(row[i]); cell != nil && typeOf(cell) != c.Type {
				return fmt.Errorf("the column %s is of type %s, and holds %v of type %T in row %d", c.Name, c.Type, cell, cell, j)
			}
		}
	}
	return nil
}
