package experiments_test

import (
	"math"
	"testing"

	"breadboard/chains/number"
	"breadboard/experiments/columns"
)

// TestCellsOfBoundedNumbers: a number with the promised digits is its cell; one with fewer shows
// people these alone; one without any is empty, meets no condition, and the row's note says so.
func TestCellsOfBoundedNumbers(t *testing.T) {
	type row struct{ a, b number.Bounded }
	type outer struct{ inner *row }
	fields := columns.List{
		columns.Of("a", "A", "", func(r *row) number.Bounded { return r.a }),
		columns.Of("b", "", "", func(r *row) number.Bounded { return r.b }).OrEmpty(),
	}
	lifted := columns.Lift(fields, func(o *outer) *row { return o.inner })
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		b    number.Bounded
		cell any
		note string
	}{
		{number.Exactly(2.5), 2.5, ""}, {number.Exactly(0), 0.0, ""}, {number.Exactly(inf), inf, ""}, {number.Exactly(nan), nil, ""},
		{number.Within(1./3, 1e-12), 1. / 3, ""},
		{number.Within(1./3, 1e-5), columns.Both{Machine: 1. / 3, People: 0.33333}, "rounding leaves about 5 digits of a, b"},
		{number.Within(1./3, 0.05), columns.Both{Machine: 1. / 3, People: 0.3}, "rounding leaves about 1 digit of a, b"},
		{number.Within(-7, 0.2), nil, "rounding leaves no digit (at most 8) of a, b"},
		{number.Bounded{Value: 0, Error: 1e-17}, nil, "rounding leaves no digit (at most 1e-17) of a, b"},
		{number.Bounded{Value: inf, Error: inf}, nil, "rounding leaves no digit of a, b"},
		{number.Bounded{Value: nan, Error: inf}, nil, "rounding leaves no digit of a, b"},
	} {
		r := &row{c.b, c.b}
		for _, all := range []struct {
			fields columns.List
			row    any
		}{{fields, r}, {lifted, &outer{r}}} {
			for _, f := range all.fields {
				if f.Type != columns.Float || f.Of(all.row) != c.cell {
					t.Errorf("the cell of %v is %v of type %s, want %v", c.b, f.Of(all.row), f.Type, c.cell)
				}
			}
			noted := columns.Noted(all.fields)
			if note := noted[len(noted)-1].Of(all.row); note != c.note && (c.note != "" || note != nil) {
				t.Errorf("the note on %v is %v, want %q", c.b, note, c.note)
			}
		}
		if c.cell == nil {
			for _, sign := range []string{"<", "<=", ">", ">=", "=="} {
				if (columns.Condition{Column: "a", Sign: sign}).Holds(fields[0].Of(r)) {
					t.Errorf("an empty cell meets %s 0", sign)
				}
			}
		}
	}
	if got := columns.LostNote(fields, &row{number.Within(1, 1e-3), number.Within(1,
		1e-5)}); got != "rounding leaves about 3 digits of a; rounding leaves about 5 digits of b" {
		t.Errorf("of two numbers the note is %q", got)
	}
	if cell := lifted[0].Of(&outer{}); cell != nil || columns.LostNote(lifted, &outer{}) != "" {
		t.Errorf("a row without the part has the cell %v and the note %q", cell, columns.LostNote(lifted, &outer{}))
	}
}
