package logweights_test

import (
	"context"
	"fmt"

	"breadboard/experiments"
	"breadboard/experiments/logweights"
	"breadboard/experiments/study"
)

// How far the bounds of K log weights are from the log Z ratio, in expectation.
func ExampleSamples() {
	cases, _ := experiments.Selection{
		Toys: []string{"barrier"}, Distributions: []int{100}, Path: "geometric", Schedule: "linear", Kernel: "metropolis",
	}.Cases(context.Background())
	rows, err := logweights.Samples().Run(context.Background(), cases, logweights.SampleOptions{K: []int{1, 10, 100}}, study.How{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range rows {
		fmt.Printf("K = %3d: %.6f below, %.6f above\n", r.K, r.LogZRatio-r.Forward, r.Reverse-r.LogZRatio)
	}
	// Output:
	// K =   1: 0.970381 below, 0.840052 above
	// K =  10: 0.129494 below, 0.189728 above
	// K = 100: 0.010962 below, 0.017886 above
}
