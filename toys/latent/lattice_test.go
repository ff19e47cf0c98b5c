package latent

import (
	"math"
	"slices"
	"testing"

	"breadboard/grid"
)

// heatBath returns the transition probabilities of a scan that draws every axis given the others from the law p, by products of
// matrices. It is the slow way that any scan has to agree with.
func heatBath(space *grid.Lattice, p []float64) [][]float64 {
	n := len(p)
	out := make([][]float64, n)
	for x := range out {
		out[x] = make([]float64, n)
		out[x][x] = 1
	}
	for axis := range space.Dims() {
		for _, row := range out {
			after := make([]float64, n)
			for x, mass := range row {
				first := x - space.Coord(x, axis)*space.Stride(axis)
				line := 0.0
				for k := range space.Side(axis) {
					line += p[first+k*space.Stride(axis)]
				}
				for k := range space.Side(axis) {
					y := first + k*space.Stride(axis)
					after[y] += mass * p[y] / line
				}
			}
			copy(row, after)
		}
	}
	return out
}

// checkScan fails where a scan is not the scan by heat bath, does not leave p invariant, or has another time reversal than it says.
func checkScan(t *testing.T, name string, p []float64, forth, back, want [][]float64) {
	t.Helper()
	after := make([]float64, len(p))
	for x, row := range forth {
		for y, v := range row {
			after[y] += p[x] * v
			if math.Abs(v-want[x][y]) > 1e-12 {
				t.Fatalf("%s: the scan goes from %d to %d with probability %v, want %v", name, x, y, v, want[x][y])
			}
			if math.Abs(p[x]*v-p[y]*back[y][x]) > 1e-13 {
				t.Fatalf("%s: the flow from %d to %d is %v, and back %v", name, x, y, p[x]*v, p[y]*back[y][x])
			}
		}
	}
	for x, v := range after {
		if math.Abs(v-p[x]) > 1e-12 {
			t.Fatalf("%s: after a scan state %d has the probability %v, and before %v", name, x, v, p[x])
		}
	}
}

// checkWithin fails where a move leaves the states above a floor, or does not leave the prior there invariant.
func checkWithin(t *testing.T, name string, logPrior []float64, above func(int) bool, move [][]float64) {
	t.Helper()
	after := make([]float64, len(move))
	for x, row := range move {
		if !above(x) {
			continue
		}
		for y, v := range row {
			if v > 0 && !above(y) {
				t.Fatalf("%s: a move goes from %d below the floor to %d", name, x, y)
			}
			after[y] += math.Exp(logPrior[x]) * v
		}
	}
	for y, v := range after {
		if above(y) && math.Abs(v-math.Exp(logPrior[y])) > 1e-13 {
			t.Fatalf("%s: after a move state %d has the mass %v, and before %v", name, y, v, math.Exp(logPrior[y]))
		}
	}
}

// floors returns some floors between log likelihoods that differ by more than rounding.
func floors(logL []float64) []float64 {
	sorted := slices.Sorted(slices.Values(logL))
	out := []float64{sorted[0] - 1}
	for i := 1; i < len(sorted); i++ {
		if sorted[i]-sorted[i-1] > 1e-9 && i%7 == 0 || i == len(sorted)/2 {
			out = append(out, (sorted[i]+sorted[i-1])/2)
		}
	}
	return out
}
