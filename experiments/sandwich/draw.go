package sandwich

import "fmt"

// draw is an exact draw from the posterior as tables by name: what a model keeps of its parameters and latent variables. It is nil where
// there is none.
type draw map[string][][]float64

// table returns one of the tables, and fails where it has not so many rows and columns. Of no draw it returns nil.
func (d draw) table(name string, rows, columns int) ([][]float64, error) {
	if d == nil {
		return nil, nil
	}
	t, there := d[name]
	switch {
	case !there:
		return nil, fmt.Errorf("the exact draw has no table %s", name)
	case len(t) != rows || len(t[0]) != columns:
		return nil, fmt.Errorf("the table %s of the exact draw has %d rows and %d columns; the model and its data have %d and %d", name, len(t), len(t[0]), rows, columns)
	}
	return t, nil
}

// whole returns one of the tables, row after row, and fails where an entry is no whole number from 0 to below.
func (d draw) whole(name string, rows, columns, below int) (list []int, err error) {
	t, err := d.table(name, rows, columns)
	for i, row := range t {
		for j, v := range row {
			if !(v >= 0 && v < float64(below)) || v != float64(int(v)) {
				return nil, fmt.Errorf("row %d, column %d of the table %s of the exact draw is %v; it is a whole number from 0 to %d", i+1, j+1, name, v, below-1)
			}
			list = append(list, int(v))
		}
	}
	return list, err
}

// withNone returns the data without an exact draw, or the error with which there is something wrong with one.
func withNone[S any](with func(y [][]float64, exact *S) (*Data, error), y [][]float64, err error) (*Data, error) {
	if err != nil {
		return nil, err
	}
	return with(y, nil)
}

// rowsOf returns a list of whole numbers as the table that has so many columns.
func rowsOf(list []int, columns int) (t [][]float64) {
	for i, v := range list {
		if i%columns == 0 {
			t = append(t, nil)
		}
		t[len(t)-1] = append(t[len(t)-1], float64(v))
	}
	return t
}

// transposed returns the columns of a table as rows.
func transposed(t [][]float64) [][]float64 {
	out := make([][]float64, len(t[0]))
	for _, row := range t {
		for j, v := range row {
			out[j] = append(out[j], v)
		}
	}
	return out
}
