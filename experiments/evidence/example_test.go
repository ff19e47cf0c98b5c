package evidence_test

import (
	"context"
	"fmt"

	"breadboard/experiments"
	"breadboard/experiments/evidence"
	"breadboard/experiments/study"
)

// AIS and reverse AIS enclose log Z, and variational Bayes with log K! is above it although variational Bayes is a lower bound.
func ExampleStudy() {
	ctx := context.Background()
	cases, _ := evidence.Cases(ctx, experiments.Selection{Toys: []string{"clu4"}, Path: "geometric", Schedule: evidence.DefaultSchedule})
	rows, err := evidence.Study().Run(ctx, cases, evidence.Options{Estimators: []string{"ais", "rais", "vb:sym"}, Work: []float64{10}, Trials: []int{1}}, study.How{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range rows {
		fmt.Printf("%-8s %-10s bias %+.6f, sd %.6f nats\n", r.Legend, r.Settings, r.Bias, r.SD)
	}
	// Output:
	// AIS      T=3        bias -0.000103, sd 0.014348 nats
	// rev. AIS T=3        bias +0.000104, sd 0.014435 nats
	// VB+sym   restarts=1 bias +0.674961, sd 0.000000 nats
}
