package latent

import (
	"errors"
	"fmt"
)

// design is what a regression is made of: the target y_i is predicted by the sum over k of w_k columns[k][i]. It also has room to work in.
type design struct {
	columns [][]float64
	targets [][]float64 // the target, as the only row

	block Block
	rest  []float64 // what the prediction leaves of the target
}

// newDesign returns the design of columns and a target of the same length.
func newDesign(columns [][]float64, target []float64) design {
	d := design{columns: columns, targets: [][]float64{target}}
	d.makeRoom()
	return d
}

// makeRoom allocates memory that no other design shares.
func (d *design) makeRoom() {
	d.block, d.rest = newBlock(len(d.columns), 1), make([]float64, len(d.targets[0]))
}

// designOf returns the design of a table whose last column is the target. The first column of the design is the intercept's, all ones, and
// the others are those of the table. It fails for what checkRows refuses, and for a table of one column.
func designOf(rows [][]float64) (design, error) {
	if err := checkRows(rows, limit); err != nil {
		return design{}, err
	}
	if len(rows[0]) < 2 {
		return design{}, errors.New("one column; a regression takes at least one column that predicts and, after it, the target")
	}
	byColumn := transposed(rows)
	last := len(byColumn) - 1
	return newDesign(append([][]float64{ones(len(rows))}, byColumn[:last]...), byColumn[last]), nil
}

// ones returns n ones.
func ones(n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = 1
	}
	return out
}

// withTarget returns a copy of a table with another last column.
func withTarget(rows [][]float64, target []float64) [][]float64 {
	out := transposed(transposed(rows))
	for i, row := range out {
		row[len(row)-1] = target[i]
	}
	return out
}

// target returns the target.
func (d *design) target() []float64 { return d.targets[0] }

// predict writes the prediction of the target to dst.
func (d *design) predict(dst, weights []float64) {
	clear(dst)
	for k, column := range d.columns {
		for i, v := range column {
			dst[i] += weights[k] * v
		}
	}
}

// squareOf returns the sum of the squares that the prediction leaves of the target.
func (d *design) squareOf(weights []float64) float64 {
	return residual(d.rest, d.target(), weights, d.columns)
}

// weightsGiven returns the distribution of the weights given variances of weights and noise, under the likelihood to the power b.
func (d *design) weightsGiven(b, variance, noise float64) Gaussian {
	d.block.given(d.targets, d.columns, variance, noise, b)
	return d.block.Row(0)
}

// checkBinary returns an error where the last column of a table has anything but zeros and ones.
func checkBinary(rows [][]float64) error {
	for i, row := range rows {
		if v := row[len(row)-1]; v != 0 && v != 1 {
			return fmt.Errorf("row %d: the target is %v; it must be 0 or 1", i, v)
		}
	}
	return nil
}
