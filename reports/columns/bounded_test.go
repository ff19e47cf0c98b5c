package columns_test

import (
	"math"
	"strings"
	"testing"

	"breadboard/chains/number"
	"breadboard/grid/longtest"
	"breadboard/reports/columns"
)

// TestCellsOfBoundedNumbers: a number with the promised digits is its cell; one with fewer shows
// people these alone; one without any is empty, and the row's note says so.
func TestCellsOfBoundedNumbers(t *testing.T) {
	type row struct{ a, b number.Bounded }
	type outer struct{ inner *row }
	fields := columns.List{
		columns.Of("a", "A", "", func(r *row) number.Bounded { return r.a }),
		columns.Of("b", "", "", func(r *row) number.Bounded { return r.b }).OrEmpty(),
	}
	lifted := columns.Lift(fields, func(o *outer) *row { return o.inner })
	nan := math.NaN()
	inf := math.Inf(1)
	in := func(machine, people any, value, e float64) any {
		return columns.Both{Machine: machine, People: people, Range: number.Bounded{Value: value, Error: e}}
	}
	for _, c := range []struct {
		b    number.Bounded
		cell any
		note string
	}{
		{number.Exactly(2.5), 2.5, ""}, {number.Exactly(0), 0.0, ""}, {number.Exactly(inf), inf, ""},
		{number.Exactly(nan), nil, ""},
		{number.Within(1./3, 1e-12), 1. / 3, ""},
		{number.Within(1./3, 1e-5), in(1./3, 0.33333, 1./3, 1./3*1e-5),
			"rounding leaves about 5 digits of a, b"},
		{number.Within(1./3, 0.05), in(1./3, 0.3, 1./3, 1./3*0.05), "rounding leaves about 1 digit of a, b"},
		{number.Within(-7, 0.2), in(nil, nil, -7.0, 1.4000000000000001),
			"rounding leaves no digit (at most 9) of a, b"},
		{number.Bounded{Value: 0, Error: 1e-17}, in(nil, nil, 0, 1e-17),
			"rounding leaves no digit (at most 1e-17) of a, b"},
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
	}
	if got := columns.LostNote(fields, &row{number.Within(1, 1e-3), number.Within(1,
		1e-5)}); got != "rounding leaves about 3 digits of a; rounding leaves about 5 digits of b" {
		t.Errorf("of two numbers the note is %q", got)
	}
	if cell := lifted[0].Of(&outer{}); cell != nil || columns.LostNote(lifted, &outer{}) != "" {
		t.Errorf("a row without the part has the cell %v and the note %q", cell,
			columns.LostNote(lifted, &outer{}))
	}
}

// TestConditionsUseBounds: a condition holds for a number that has lost digits only if it does at
// both ends of what the number may be, and is open if it does at one.
func TestConditionsUseBounds(t *testing.T) {
	type row struct{ b number.Bounded }
	of := func(r *row) number.Bounded { return r.b }
	size := columns.Of("J", "", "", of)
	absolute := columns.Of("log_z", "", "", of).Absolute()
	for _, c := range []struct {
		b            number.Bounded
		conditions   string
		holds, opens string // of each condition: 1 for yes
		zero         any    // the cell where zero is a value like any other
	}{
		{number.Bounded{Value: 0, Error: 2e-25}, "J<1e-6,J<=2e-25,J<1e-25,J>-1,J>1e-6,J==0", "110100",
			"001001", 0.0},
		{number.Bounded{Value: 3e-17, Error: 4e-17}, "J<1e-16,J<5e-17,J<=-2e-17,J>=-2e-17", "1001",
			"0100", 0.0},
		{number.Within(2, 0.01), "J<2.1,J<2.01,J>=1.98,J>1.99,J==2,J==3", "101000", "010110", 2.0},
		{number.Within(2, 1e-13), "J==2,J<2,J<=2", "101", "000", 2.0},
		{number.Exactly(math.Inf(1)), "J>1,J<1", "10", "00", math.Inf(1)},
		{number.Bounded{Value: 1, Error: math.Inf(1)}, "J<1e300,J>-1", "00", "00", nil},
		{number.Exactly(math.NaN()), "J<1,J==0", "00", "00", nil},
	} {
		conditions, err := columns.ParseConditions(c.conditions)
		longtest.NoError(t, err)
		var holds, opens strings.Builder
		one := map[bool]string{true: "1", false: "0"}
		for _, condition := range conditions {
			holds.WriteString(one[condition.Holds(size.Of(&row{c.b}))])
			opens.WriteString(one[condition.Open(size.Of(&row{c.b}))])
		}
		if holds.String() != c.holds || opens.String() != c.opens {
			t.Errorf("%v of %v: %s hold and %s are open, want %s and %s", c.conditions, c.b, holds.String(),
				opens.String(), c.holds, c.opens)
		}
		cell := absolute.Of(&row{c.b})
		if both, is := cell.(columns.Both); is {
			cell = both.Machine
		}
		if cell != c.zero {
			t.Errorf("an absolute quantity of %v is %v, want %v", c.b, cell, c.zero)
		}
	}
}
