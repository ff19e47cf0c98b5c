package averages_test

import (
	"context"
	"testing"

	"breadboard/exact/averages"
	"breadboard/grid/longtest"
)

// TestSquaringReference compares every row on small spaces. Rows of the same problem are asked together.
func TestSquaringReference(t *testing.T) {
	longtest.NotShort(t)
	type problem struct{ toy, kernel, start, function string }
	rows := map[problem][]errorsRow{}
	for _, row := range errorsRows(t) {
		if _, large := row.want["tau"]; !large {
			at := problem{row.toy, row.kernel, row.start, row.function}
			rows[at] = append(rows[at], row)
		}
	}
	for at, rows := range rows {
		c, y := chainOn(t, at.toy, at.kernel)
		f := functionOn(t, c, y, at.function)
		q := averages.Question{Function: f, Starts: [][]float64{lawOn(c, at.start)}, Variance: true, Distribution: true}
		for _, row := range rows {
			q.N = append(q.N, row.n)
		}
		got := longtest.Must(c.Errors(context.Background(), q, averages.Squaring))(t)
		for i, row := range rows {
			checkRow(t, row, f, got[0][i])
		}
	}
}
