package reports

import (
	"math"

	"breadboard/experiments/tightness"
)

// addDigits adds columns with the numbers of digits that are certified, where there are any: for people the least of
// a row.
func (t *Table) addDigits(rows []tightness.Row) {
	if len(rows) == 0 || rows[0].Certificates == nil {
		return
	}
	t.Columns = append(t.Columns, Column{Title: "digits"})
	for _, c := range rows[0].Certificates {
		t.Columns = append(t.Columns, Column{Key: "digits_" + c.Quantity})
	}
	for i := range rows {
		worst, _ := rows[i].Worst()
		t.Rows[i] = append(t.Rows[i], int(math.Floor(worst.Digits)))
		for _, c := range rows[i].Certificates {
			t.Rows[i] = append(t.Rows[i], c.Digits)
		}
	}
}

// Certificates returns the table of every number that is certified: as computed, its digits in 256 bits, and the bound
// on the error of those.
func Certificates(rows []tightness.Row) *Table {
	t := &Table{Columns: []Column{
		{Key: "toy", Title: "toy"}, {Key: "T", Title: "T"}, {Key: "path"}, {Key: "initial"}, {Key: "schedule"}, {Key: "kernel"},
		{Key: "quantity", Title: "quantity"}, {Key: "double", Title: "double", Digits: 17}, {Key: "certified", Title: "certified"},
		{Key: "error_bound", Title: "error bound", Digits: 2}, {Key: "digits", Title: "digits", Digits: 3},
	}}
	for i := range rows {
		r := &rows[i]
		for _, c := range r.Certificates {
			t.Rows = append(t.Rows, []any{r.Toy.Name, r.T, r.Path, r.Initial, r.Schedule, r.Kernel, c.Quantity, c.Double, c.Value.Text(), c.Value.Error, c.Digits})
		}
	}
	return t
}
