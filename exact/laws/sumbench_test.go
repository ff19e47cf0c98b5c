package laws

import (
	"context"
	"testing"

	"breadboard/exact/kernel"
	"breadboard/grid/longtest"
)

// BenchmarkSums finds laws with K = 100 on 256 states, on one worker.
func BenchmarkSums(b *testing.B) {
	target, _ := sumTarget("clu8", "heatbath-scan")
	for _, kind := range kinds() {
		b.Run(kind, func(b *testing.B) {
			for b.Loop() {
				longtest.Must(newSum(context.Background(), target, kind, 44, 100))(b)
			}
		})
	}
	cms := longtest.Sure(newSum(context.Background(), target, "cms-uniform", 44, 100))
	b.Run("above", func(b *testing.B) {
		for b.Loop() {
			longtest.Must(cms.Above(context.Background(), target.LogZ+1))(b)
		}
	})
	b.Run("combined", func(b *testing.B) {
		_, variance, _ := cms.table.moments(1)
		for b.Loop() {
			w := longtest.Sure(cms.table.reciprocal(-3, 3, deviation(variance, 0), 100))
			w.moments(25)
		}
	})
}

// BenchmarkPosteriorMoves compares a move of a function by the axes of a scan with one by the dense rows of the scan.
func BenchmarkPosteriorMoves(b *testing.B) {
	target, _ := sumTarget("clu8", "heatbath-scan")
	axes := longtest.Sure(newPosteriorMoves(context.Background(), target))
	rows := posteriorRows(target)
	n := len(target.LogL)
	dense := &posteriorMoves{parts: []*kernel.Rows{rows}, spare: make([]float64, n)}
	v, next := make([]float64, n), make([]float64, n)
	for name, m := range map[string]*posteriorMoves{"axes": axes, "dense": dense} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				m.averageTerms(next, v)
			}
		})
	}
}
