package simulate_test

import (
	"fmt"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/chains/simulate"
	"breadboard/grid"
)

// Three forward chains of an annealing on a line of five states, with their log weights.
func ExampleRun() {
	path, _ := paths.NewGeometric(nil, []float64{2, 0, -3, 0, 1})
	line, _ := grid.New(5)
	a, _ := chains.NewAnnealing(path, schedules.Linear{}, kernels.Metropolis{Space: line}, 20)
	b, err := simulate.Run(a, chains.Forward, chains.NewSampler(simulate.NewStream(1, "example", 0)), 3, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("from %d to %d, log weights %.4f\n", b.First, b.Last, b.LogW)
	// Output:
	// from [3 3 4] to [0 4 0], log weights [0.8421 0.7895 0.8421]
}
