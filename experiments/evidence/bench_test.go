package evidence_test

import (
	"context"
	"testing"

	"breadboard/experiments"
	"breadboard/experiments/evidence"
)

// BenchmarkDefaults finds the rows that the command shows without flags. It should take less than 3 seconds on two cores.
func BenchmarkDefaults(b *testing.B) {
	ctx := context.Background()
	cases, err := evidence.Cases(ctx, experiments.Selection{Toys: evidence.DefaultToys(), Path: "geometric", Schedule: evidence.DefaultSchedule})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		result, err := evidence.Run(ctx, cases, evidence.Options{Estimators: []string{evidence.All}, Work: []float64{10, 100, 1000}, Trials: []int{1}})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(len(result.Rows)), "rows")
	}
}
