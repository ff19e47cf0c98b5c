package latent

import (
	"errors"
	"fmt"
	"math"

	"breadboard/chains"
)

// limit bounds the data, the variances, and one over these. Numbers within it keep all sums of a scan far from overflow.
const limit = 1e40

// variance is a variance, with the name of what has it for messages.
type variance struct {
	owner string
	value float64
}

// checkVariances returns an error where a variance is not positive, or not between 1e-40 and 1e40.
func checkVariances(all ...variance) error {
	for _, v := range all {
		if !(v.value >= 1/limit && v.value <= limit) {
			return fmt.Errorf("the variance of %s is %v; it must be positive and finite, between %v and %v", v.owner, v.value, 1/limit, limit)
		}
	}
	return nil
}

// checkRows returns an error where a table is no data: it is empty, its rows have different lengths, or a number is not finite or
// exceeds the limit.
func checkRows(y [][]float64, limit float64) error {
	if len(y) == 0 || len(y[0]) == 0 {
		return errors.New("no data; give at least one row with at least one column")
	}
	for i, row := range y {
		if len(row) != len(y[0]) {
			return fmt.Errorf("row %d has %d columns, and row 0 has %d", i, len(row), len(y[0]))
		}
		for j, v := range row {
			if !(math.Abs(v) <= limit) {
				return fmt.Errorf("row %d, column %d is %v; it must be a number between %v and %v", i, j, v, -limit, limit)
			}
		}
	}
	return nil
}

// zeros returns a table of zeros, a row after another in memory.
func zeros(rows, columns int) [][]float64 {
	all := make([]float64, rows*columns)
	out := make([][]float64, rows)
	for i := range out {
		out[i], all = all[:columns:columns], all[columns:]
	}
	return out
}

// copyRows writes a table to another one of the same shape.
func copyRows(dst, src [][]float64) {
	for i, row := range src {
		copy(dst[i], row)
	}
}

// transposed returns the columns of a table as rows.
func transposed(y [][]float64) [][]float64 {
	out := zeros(len(y[0]), len(y))
	for i, row := range y {
		for j, v := range row {
			out[j][i] = v
		}
	}
	return out
}

// fillNormal fills the first n numbers of each row of a table with independent normal numbers of mean zero.
func fillNormal(c chains.RealChooser, dst [][]float64, n int, variance float64) {
	sd := math.Sqrt(variance)
	for _, row := range dst {
		for j := range row[:n] {
			row[j] = sd * c.Normal()
		}
	}
}

// logNormal returns the log density of n independent normal numbers of mean zero whose squares sum to square, in nats.
func logNormal(n int, square, variance float64) float64 {
	return -float64(n)/2*math.Log(2*math.Pi*variance) - square/(2*variance)
}

// squares returns the sum of the squares of the first n numbers of each row of a table.
func squares(x [][]float64, n int) float64 {
	total := 0.0
	for _, row := range x {
		total += dot(row[:n], row[:n])
	}
	return total
}
