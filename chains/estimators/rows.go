package estimators

import (
	"errors"
	"fmt"
	"math"
)

// maxSquare bounds the variances, their ratio, one over each of these, and the squares of the data in units of the variances, so that no
// sum of them overflows.
const maxSquare = 1e200

// checkVariances returns an error where the variance of what is named or that of the noise is none, or too large or small.
func checkVariances(name string, variance, noise float64) error {
	for _, v := range []float64{variance, noise, variance / noise} {
		if !(v >= 1/maxSquare && v <= maxSquare) {
			return fmt.Errorf("the variances are %v of the %s and %v of the noise; both must be positive and finite, and they and their ratio between %v and %v", variance, name, noise, 1/maxSquare, maxSquare)
		}
	}
	return nil
}

// checkRows returns an error where the data are none, have rows of different lengths, or a number that is not finite or far from zero in
// units of one of the variances.
func checkRows(data [][]float64, variances ...float64) error {
	if len(data) == 0 || len(data[0]) == 0 {
		return errors.New("no data; give at least one row with at least one column")
	}
	for i, row := range data {
		if len(row) != len(data[0]) {
			return fmt.Errorf("row %d has %d columns, and row 0 has %d", i, len(row), len(data[0]))
		}
		for j, y := range row {
			for _, v := range variances {
				if !(y/v*y <= maxSquare) {
					return fmt.Errorf("row %d, column %d is %v, which is no number, or more than 1e100 standard deviations from zero", i, j, y)
				}
			}
		}
	}
	return nil
}

// inUnitsOf returns the data divided by a standard deviation, row after row.
func inUnitsOf(variance float64, data [][]float64) []float64 {
	sd := math.Sqrt(variance)
	flat := make([]float64, 0, len(data)*len(data[0]))
	for _, row := range data {
		for _, y := range row {
			flat = append(flat, y/sd)
		}
	}
	return flat
}

// transposed returns the columns of so many rows, one after another.
func transposed(flat []float64, rows int) []float64 {
	columns := len(flat) / rows
	t := make([]float64, len(flat))
	for i := range rows {
		for j := range columns {
			t[j*rows+i] = flat[i*columns+j]
		}
	}
	return t
}
