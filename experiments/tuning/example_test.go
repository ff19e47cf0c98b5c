package tuning_test

import (
	"context"
	"fmt"

	"breadboard/exact/gradient"
	"breadboard/experiments"
	"breadboard/experiments/tuning"
)

// The schedule of ten distributions on EASY whose bound is least, and the bound of the linear one.
func ExampleOptimize() {
	problems, _ := tuning.Problems(context.Background(), experiments.Selection{
		Toys: []string{"easy"}, Distributions: []int{10}, Path: "geometric", Kernel: "metropolis",
	})
	rows, err := tuning.Optimize(context.Background(), problems, gradient.ObjectiveB, tuning.Options{Iterations: 1000})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("B = %.4f nats, linear %.4f\n", rows[0].Value, rows[0].Linear)
	// Output:
	// B = 1.5972 nats, linear 1.6806
}
