package particles_test

import (
	"context"
	"fmt"

	"breadboard/experiments"
	"breadboard/experiments/particles"
	"breadboard/experiments/study"
)

// Two particles on BARRIER, resampled at every stage and never.
func ExampleStudy() {
	ctx := context.Background()
	cases, _ := experiments.Selection{
		Toys: []string{"barrier"}, Distributions: []int{100}, Path: "geometric", Schedule: "linear", Kernel: "metropolis",
	}.Cases(ctx)
	options := particles.Options{Particles: []int{2}, Resample: []string{"multinomial", "systematic"}, Thresholds: []float64{1, 0}}
	rows, err := particles.Study().Run(ctx, cases, options, study.How{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range rows {
		fmt.Printf("%-11s J = %.6f, B = %.6f nats (%s)\n", r.Resample(), r.J, r.B, r.Method)
	}
	// Output:
	// multinomial J = 1.612886, B = 1.727578 nats (pairs)
	// systematic  J = 0.974158, B = 1.276969 nats (pairs)
	// never       J = 0.844014, B = 1.147920 nats (integral)
}
