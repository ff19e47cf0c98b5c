package latent

import (
	"fmt"
	"math"
	"slices"
)

// table is the data of a model: N rows of D columns. Its numbers never change, so that models may share it.
type table struct {
	rows    [][]float64
	columns int
}

// newTable returns a copy of the data.
func newTable(y [][]float64) table {
	t := table{make([][]float64, len(y)), len(y[0])}
	for i, row := range y {
		t.rows[i] = slices.Clone(row)
	}
	return t
}

// maxSquare bounds the variances, their ratio, one over each of these, and the squares of the data in units of the variances, so that no
// sum of them overflows.
const maxSquare = 1e200

// checkTable returns an error where a table is empty, ragged, or has a number that is no finite one, or whose square overflows, also in
// units of one of the variances.
func checkTable(y [][]float64, variances ...float64) error {
	if len(y) == 0 || len(y[0]) == 0 {
		return fmt.Errorf("the table has no data; give at least one row with at least one column")
	}
	for i, row := range y {
		if len(row) != len(y[0]) {
			return fmt.Errorf("row %d has %d columns, and row 0 has %d; give every row the same number", i, len(row), len(y[0]))
		}
		for j, v := range row {
			for _, variance := range append(variances[:len(variances):len(variances)], 1) {
				if !(v/variance*v <= maxSquare) {
					return fmt.Errorf("row %d, column %d is %v, which is no number, or more than 1e100 from zero, or than 1e100 standard deviations", i, j, v)
				}
			}
		}
	}
	return nil
}

// checkVariances returns an error where variances are not positive and finite, or one of them or their ratio is beyond maxSquare.
func checkVariances(what string, signal, noise float64) error {
	for _, v := range []float64{signal, noise, signal / noise} {
		if !(v >= 1/maxSquare && v <= maxSquare) {
			return fmt.Errorf("the variances are %v of the %s and %v of the noise; both must be positive and finite, and they and their ratio between %v and %v", signal, what, noise, 1/maxSquare, maxSquare)
		}
	}
	return nil
}

// squaredDistance returns the sum of (y_j - g s_j)^2. It adds up four sums, which do not wait for one another.
func squaredDistance(y, s []float64, g float64) float64 {
	var a0, a1, a2, a3 float64
	s = s[:len(y)]
	for len(y) >= 4 && len(s) >= 4 {
		d0, d1, d2, d3 := y[0]-g*s[0], y[1]-g*s[1], y[2]-g*s[2], y[3]-g*s[3]
		a0, a1, a2, a3 = a0+d0*d0, a1+d1*d1, a2+d2*d2, a3+d3*d3
		y, s = y[4:], s[4:]
	}
	for j, v := range y {
		d := v - g*s[j]
		a0 += d * d
	}
	return a0 + a1 + (a2 + a3)
}

// addTo adds a multiple of a row to a sum of rows.
func addTo(sum, row []float64, times float64) {
	sum = sum[:len(row)]
	for j, v := range row {
		sum[j] += times * v
	}
}

// logNormalizer returns log(2 pi variance)/2, so that a table has the log density minus its number of entries times that, and
// minus half its sum of squares.
func logNormalizer(variance float64) float64 { return math.Log(2*math.Pi*variance) / 2 }
