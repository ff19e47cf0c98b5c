package samplers_test

import (
	"context"
	"fmt"

	"breadboard/experiments/samplers"
	"breadboard/experiments/study"
)

// A chain that walks takes more than a million moves to forget on which side of a barrier it began.
func ExampleTimes() {
	ctx := context.Background()
	problems, _ := samplers.Selection{
		Toys: []string{"easy", "barrier"}, Kernels: []string{"metropolis"}, Starts: []string{"uniform"},
	}.Problems(ctx)
	rows, err := samplers.Times().Run(ctx, problems, samplers.Times().Standard, study.How{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range rows {
		fmt.Printf("%s: mixing after %.0f moves, burn-in after %.0f\n", r.Toy.Name, float64(r.Mixing.Moves), float64(r.BurnIn.Moves))
	}
	// Output:
	// easy: mixing after 627 moves, burn-in after 563
	// barrier: mixing after 1329588 moves, burn-in after 2931593
}
