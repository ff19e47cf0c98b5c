package kernel_test

import (
	"context"
	"testing"

	"breadboard/chains"
	"breadboard/exact/internal/exacttest"
	"breadboard/exact/kernel"
)

// BenchmarkEnumerate measures the rows of the paper's kernel found by walking through Move, for one stage.
func BenchmarkEnumerate(b *testing.B) {
	a := exacttest.Annealing(b, "easy", "linear", "metropolis", 10)
	logf := make([]float64, a.States())
	a.LogF(logf, 5)
	var k chains.Kernel = exacttest.MoveOnly{Kernel: a.Kernel()}
	for b.Loop() {
		if _, err := kernel.NewRows(context.Background(), k, logf); err != nil {
			b.Fatal(err)
		}
	}
}
