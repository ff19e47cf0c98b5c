package particle

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"breadboard/chains"
	"breadboard/grid"
)

// meanFieldSweeps bounds the sweeps over the axes; each of them raises the bound, but near a flat optimum by little.
const meanFieldSweeps = 100_000

// MeanField returns log q(x)/p(x) of every state of a lattice, where p is proportional to exp(logf) and q is the product over the
// axes that coordinate ascent on E_q log f + entropy of q comes to from the uniform distribution, axes in order. It is a local
// optimum: one that is symmetric may not be the best. Where p(x) is zero so is q(x), and the value is -Inf.
//
// It stops when a sweep changes no probability by more than the rounding of its exponent, and fails where that has not come about after 100,000
// sweeps, and where zeros of f leave an axis nothing to choose from, since every product that is positive everywhere has a
// bound of -Inf. A sweep takes O(states times axes^2) operations.
//
// Source: Jordan, Ghahramani, Jaakkola and Saul 1999, section 5.
func MeanField(ctx context.Context, space *grid.Lattice, logf []float64) ([]float64, error) {
	factors := make([][]float64, space.Dims())
	for k := range factors {
		factors[k] = make([]float64, space.Side(k))
		for i := range factors[k] {
			factors[k][i] = 1 / float64(space.Side(k))
		}
	}
	logf = centred(logf)
	for sweep := 0; ; sweep++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if sweep == meanFieldSweeps {
			return nil, fmt.Errorf("mean field has not converged after %d sweeps over the axes", sweep)
		}
		change := 0.0
		for k := range factors {
			moved, err := ascend(space, logf, factors, k)
			if err != nil {
				return nil, err
			}
			change = max(change, moved)
		}
		if change <= 0x1p-50 {
			break
		}
	}
	logRatio, logp := make([]float64, len(logf)), logProbabilities(logf)
	for x := range logRatio {
		if math.IsInf(logp[x], -1) {
			logRatio[x] = math.Inf(-1)
			continue
		}
		for k := range factors {
			logRatio[x] += math.Log(factors[k][space.Coord(x, k)])
		}
		logRatio[x] -= logp[x]
	}
	return logRatio, nil
}

// centred returns log f less its largest value, so that a constant costs the sums no digits.
func centred(logf []float64) []float64 {
	top, out := floats.Max(logf), make([]float64, len(logf))
	for x, l := range logf {
		out[x] = l - top
	}
	return out
}

// ascend gives one factor its best values where the others stay as they are, exp(E[log f | x_k]). It returns the largest change of
// a probability, as a part of what rounding of the exponents may change: one plus their size.
func ascend(space *grid.Lattice, logf []float64, factors [][]float64, k int) (change float64, err error) {
	better := make([]float64, len(factors[k]))
	for x, l := range logf {
		w := 1.0
		for j := range factors {
			if j != k {
				w *= factors[j][space.Coord(x, j)]
			}
		}
		if w > 0 {
			better[space.Coord(x, k)] += w * l
		}
	}
	if math.IsInf(floats.Max(better), -1) {
		return 0, errors.New("mean field from the uniform distribution comes to nothing: each value of an axis has states where f is zero")
	}
	largest := 0.0
	for _, l := range better {
		if !math.IsInf(l, -1) {
			largest = max(largest, math.Abs(l))
		}
	}
	chains.Normalize(better)
	for i, p := range better {
		change = max(change, math.Abs(p-factors[k][i])/(1+largest))
	}
	factors[k] = better
	return change, nil
}

// logProbabilities returns the logarithms of the probabilities that are proportional to exp(logf).
func logProbabilities(logf []float64) []float64 {
	logZ := floats.LogSumExp(logf)
	out := make([]float64, len(logf))
	for x, l := range logf {
		out[x] = l - logZ
	}
	return out
}
