package selfcheck_test

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/chains/simulate"
	"breadboard/experiments"
	"breadboard/experiments/annealing/ais"
	"breadboard/experiments/checks/selfcheck"
	"breadboard/experiments/study"
	"breadboard/experiments/study/check"
	"breadboard/toys"
)

// ExampleTally tests chains of which the last state and the log weight are known, as they come from a file. Their log weights
// are too small by 0.05.
func ExampleTally() {
	toy, err := toys.Parse("easy")
	if err != nil {
		fmt.Println(err)
		return
	}
	path, err := paths.NewGeometric(nil, toy.G)
	if err != nil {
		fmt.Println(err)
		return
	}
	a, err := chains.NewAnnealing(path, schedules.Linear{}, kernels.Metropolis{Space: toy.Space}, 12)
	if err != nil {
		fmt.Println(err)
		return
	}
	laws, err := selfcheck.NewChainLaws(context.Background(), a)
	if err != nil {
		fmt.Println(err)
		return
	}
	batch, err := simulate.Rows(a, chains.Forward, simulate.ChainStream(1, "example", chains.Forward, 0), 100_000, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range batch.LogW {
		batch.LogW[i] -= 0.05
	}
	tally := selfcheck.NewTally(laws, chains.Forward, selfcheck.Columns{Last: true, LogW: true})
	tally.Add(nil, batch.Last, batch.LogW)
	tests := tally.Tests()
	for _, t := range tests {
		if logE, where := t.Value(); logE >= math.Log(float64(len(tests))/check.DefaultAlpha) {
			fmt.Printf("%s: %s\n", t.Name, where())
		}
	}
	for _, sentence := range tally.Untested() {
		fmt.Println(sentence)
	}
	// Output:
	// forward log w: mean log w of 100000 chains is 1.31858
	// forward law of log w: log w < 2.46047: 76428 of 100000 chains, 75000.2 expected
	// forward log w given x_T: mean log w of the 2382 chains with x_T = 34 is -1.12822
	// the forward chains have no column x_first, so that the law of x_1, the joint law of x_1 and x_T, the law of log w given x_1 and the probability of each x_1 are not tested
}

// ExampleRunning watches chains as they accumulate: the estimate of B approaches its exact value, and no test of the chains finds a
// fault.
func ExampleRunning() {
	ctx := context.Background()
	cases, _ := experiments.Selection{
		Toys: []string{"easy"}, Distributions: []int{12}, Path: "geometric", Schedule: "linear", Kernel: "metropolis",
	}.Cases(ctx)
	laws, err := selfcheck.NewEndLaws(ctx, cases[0].Annealing())
	if err != nil {
		fmt.Println(err)
		return
	}
	tests, err := selfcheck.NewRunning(laws, check.DefaultAlpha)
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
