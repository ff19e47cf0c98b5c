package evidence_test

import (
	"context"
	"testing"

	"breadboard/experiments"
	"breadboard/experiments/evidence"
	"breadboard/experiments/study"
)

// BenchmarkDefaults finds the rows that the command shows without flags. It should take less than 3 seconds on two cores.
func BenchmarkDefaults(b *testing.B) {
	ctx := context.Background()
	cases, err := evidence.Cases(ctx, experiments.Selection{Toys: evidence.DefaultToys(), Path: "geometric", Schedule: evidence.DefaultSchedule})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		rows, err := evidence.Study().Run(ctx, cases, evidence.Study().Standard, study.How{})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(len(rows)), "rows")
	}
}
