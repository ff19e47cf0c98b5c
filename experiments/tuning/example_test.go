package tuning_test

import (
	"context"
	"fmt"

	"breadboard/exact/gradient"
	"breadboard/experiments"
	"breadboard/experiments/placement"
	"breadboard/experiments/study"
	"breadboard/experiments/tuning"
)

// The schedule of ten distributions on EASY whose bound is least, and the bound of the linear one.
func ExampleOptimize() {
	ctx := context.Background()
	cases, _ := experiments.Selection{
		Toys: []string{"easy"}, Distributions: []int{10}, Path: "geometric", Schedule: "linear", Kernel: "metropolis",
	}.Cases(ctx)
	rows, err := tuning.Optimize().Run(ctx, cases, tuning.OptimizeOptions{Objective: gradient.ObjectiveB, Iterations: 1000}, study.How{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("B = %.4f nats, linear %.4f\n", rows[0].Value, rows[0].Linear)
	// Output:
	// B = 1.5972 nats, linear 1.6806
}

// A schedule that is not the best for B, and how the search comes to the one that is.
func ExampleImprove() {
	ctx := context.Background()
	cases, _ := experiments.Selection{
		Toys: []string{"easy"}, Distributions: []int{10}, Path: "geometric", Schedule: "power:2", Kernel: "metropolis",
	}.Cases(ctx)
	steps, least := 0, 0.0
	best, err := tuning.Improve(ctx, cases[0], tuning.OptimizeOptions{Objective: gradient.ObjectiveB}, study.How{}, func(s placement.Step) { steps, least = steps+1, s.Value })
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("B = %.4f nats before, %.4f after; the last of several steps had %.4f: %t\n", best.Before.B, best.After.B, least, steps > 3)
	// Output:
	// B = 1.7516 nats before, 1.5972 after; the last of several steps had 1.5972: true
}
