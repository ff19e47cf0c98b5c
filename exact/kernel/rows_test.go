package kernel_test

import (
	"context"
	"math"
	"testing"

	"breadboard/chains"
	"breadboard/exact/internal/exacttest"
	"breadboard/exact/kernel"
	"breadboard/grid/longtest"
)

// TestEndlessLoopsAreCut: the enumeration of a loop that ends with probability 1/2 each time is cut. The probability
// that it has left out is known, and below 1e-15.
func TestEndlessLoopsAreCut(t *testing.T) {
	k := exacttest.MoveFunc(func(c chains.Chooser, _ []float64, x int) int {
		for c.Flip(0.5) {
		}
		return x
	})
	row, remainder, err := kernel.Row(context.Background(), k, []float64{0, 0}, 1)
	if err != nil || len(row) != 1 || row[0].To != 1 || math.Abs(row[0].P+remainder-1) > 1e-15 || !(remainder > 0 && remainder < 1e-15) {
		t.Errorf("row %v, remainder %v, %v", row, remainder, err)
	}
}

// BenchmarkEnumerate measures the rows of the paper's kernel found by walking through Move, for one stage.
func BenchmarkEnumerate(b *testing.B) {
	a := exacttest.Annealing(b, "easy", "linear", "metropolis", 10)
	logf := make([]float64, a.States())
	a.LogF(logf, 5)
	var k chains.Kernel = exacttest.MoveOnly{Kernel: a.Kernel()}
	for b.Loop() {
		longtest.Must(kernel.NewRows(context.Background(), k, logf))(b)
	}
}
