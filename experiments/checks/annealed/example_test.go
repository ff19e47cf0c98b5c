package annealed_test

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/chains/simulate"
	"breadboard/experiments/checks/annealed"
	"breadboard/experiments/forms"
	"breadboard/reports/check"
)

// ExampleTally tests chains of which the last state and the log weight are known, as they come from
// a file. Their log weights are too small by 0.05.
func ExampleTally() {
	toy, err := forms.All().Parse("easy")
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
	laws, err := annealed.NewChainLaws(context.Background(), a)
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
	tally := annealed.NewTally(laws, chains.Forward, annealed.Columns{Last: true, LogW: true})
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
	// forward distribution of log w: log w < 2.46047: 76428 of 100000 chains, 75000.2 expected
	// forward log w given x_T: mean log w of the 2382 chains with x_T = 34 is -1.12822
	// the forward chains have no column x_first, so the distribution of x_1, the joint distribution of x_1 and x_T, the distribution of log w given x_1 and the probability of each x_1 are not tested
}
