package exact_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact"
	"breadboard/grid/longtest"
	"breadboard/toys"
	"breadboard/toys/models"
)

// BenchmarkScanPropagation measures how the time of scans of Gibbs moves grows with a model of two binary attributes, on both of its
// paths. From N = 4 data to 5, and from 5 to 6, there are four times the states, and N + 1 in place of N axes of two values. The figure
// times-N is how many times as long a step takes as with one datum less; from 6 on the general method, which the tempered path takes, also
// leaves the nearest cache. The command is
//
//	go test ./exact -run XXX -bench ScanPropagation -benchtime 1x
func BenchmarkScanPropagation(b *testing.B) {
	for _, path := range []string{"geometric", "tempered"} {
		b.Run(path, func(b *testing.B) {
			measured, best := map[string]float64{}, map[int]time.Duration{}
			const T = 100
			for b.Loop() {
				for range enoughRounds {
					for n := 4; n <= 6; n++ {
						a := binaryScans(b, n, path, T)
						start := time.Now()
						longtest.Must(exact.Solve(context.Background(), a, exact.Options{}))(b)
						if took := time.Since(start); best[n] == 0 || took < best[n] {
							best[n] = took
						}
					}
				}
			}
			for n := 5; n <= 6; n++ {
				measured[fmt.Sprintf("times-%d", n)] = best[n].Seconds() / best[n-1].Seconds()
			}
			measured["ns/step"] = float64(best[5].Nanoseconds()) / (T - 1)
			report(b, measured, map[string]float64{"times-5": 6})
		})
	}
}

// binaryScans returns the annealing of a model of n data with two binary attributes from its prior, with scans of Gibbs moves.
func binaryScans(tb testing.TB, n int, path string, T int) *chains.Annealing {
	tb.Helper()
	m := models.Bin4()
	for i := range n {
		if i >= len(m.Y) {
			m.Y = append(m.Y, []float64{float64(i) / 8, -0.5, 1 - float64(i)/4})
		}
	}
	toy := toys.OfModel("binary", "binary attributes", m)
	start := longtest.Must(toys.ParseInitial(context.Background(), toy.DefaultInitial(), toy))(tb)
	p := longtest.Must(paths.Forms().Parse(path, paths.Env{Ends: start.Ends}))(tb)
	k := longtest.Must(kernels.Parse("heatbath-scan", toy.Space))(tb)
	return longtest.Must(chains.NewAnnealing(p, schedules.Linear{}, k, T))(tb)
}

// TestScansOfModels: the law of scans is propagated axis by axis, without forming the rows of a whole scan, which would have an entry for
// every two states.
func TestScansOfModels(t *testing.T) {
	for path, method := range map[string]string{"geometric": "applied", "tempered": "general"} {
		s := longtest.Must(exact.Solve(context.Background(), binaryScans(t, 4, path, 5), exact.Options{}))(t)
		if fmt.Sprint(s.Method) != method {
			t.Errorf("on the path %s the method is %v, want %s", path, s.Method, method)
		}
	}
}
