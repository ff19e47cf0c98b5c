package ais_test

import (
	"context"
	"fmt"

	"breadboard/experiments"
	"breadboard/experiments/ais"
	"breadboard/experiments/study"
)

// Estimates of a run beside their exact expectations.
func ExampleStudy() {
	cases, _ := experiments.Selection{
		Toys: []string{"easy"}, Distributions: []int{100}, Path: "geometric", Schedule: "linear", Kernel: "metropolis",
	}.Cases(context.Background())
	rows, err := ais.Study().Run(context.Background(), cases, ais.Options{Chains: 1000, Seed: 1}, study.How{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, q := range rows[0].Quantities {
		fmt.Printf("%s: %.3f, exactly %.3f\n", q.Name, q.Estimate, q.Exact)
	}
	// Output:
	// mean_log_w_forward: 2.000, exactly 1.982
	// mean_log_w_reverse: 2.475, exactly 2.476
	// B: 0.475, exactly 0.494
	// kl_q_p_bound: 0.254, exactly 0.272
	// kl_p_q_bound: 0.221, exactly 0.222
	// log_mean_w_forward: 2.264, exactly 2.254
	// log_mean_w_reverse: 2.219, exactly 2.254
	// bar: 2.263, exactly 2.254
	// J_plugin: 0.145, exactly 0.130
}
