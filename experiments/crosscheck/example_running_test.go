package crosscheck_test

import (
	"context"
	"fmt"

	"breadboard/experiments"
	"breadboard/experiments/ais"
	"breadboard/experiments/crosscheck"
	"breadboard/experiments/study"
	"breadboard/experiments/study/check"
)

// ExampleRunning watches chains as they accumulate: the estimate of B approaches its exact value, and no test of the chains finds a
// fault.
func ExampleRunning() {
	ctx := context.Background()
	cases, _ := experiments.Selection{
		Toys: []string{"easy"}, Distributions: []int{12}, Path: "geometric", Schedule: "linear", Kernel: "metropolis",
	}.Cases(ctx)
	laws, err := crosscheck.NewEndLaws(ctx, cases[0].Annealing())
	if err != nil {
		fmt.Println(err)
		return
	}
	tests, err := crosscheck.NewRunning(laws, check.DefaultAlpha)
	if err != nil {
		fmt.Println(err)
		return
	}
	o := ais.TraceOptions{Options: ais.Options{Chains: 10_000, Seed: 1}, Paths: 1, Stages: []int{1, 6, 12}, Counts: []int{1, 100, 10_000}}
	_, err = ais.Trace(ctx, cases[0], o, study.How{}, func(r *ais.Running) error {
		tests.Add(r.Forward, r.Reverse)
		for _, p := range r.Paths {
			fmt.Printf("%s chain %d goes through %v\n", p.Direction, p.Chain, p.States)
		}
		b, faults := r.Estimates.Quantities[2], 0
		for _, e := range tests.EValues() {
			if e.Fault {
				faults++
			}
		}
		fmt.Printf("%d chains: %s = %.3f, exactly %.3f; %d faults\n", r.Estimates.Chains, b.Name, b.Estimate, b.Exact, faults)
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// forward chain 0 goes through [3 3 3]
	// reverse chain 0 goes through [25 24 24]
	// 1 chains: B = -0.828, exactly 1.558; 0 faults
	// 100 chains: B = 1.556, exactly 1.558; 0 faults
	// 10000 chains: B = 1.552, exactly 1.558; 0 faults
}
