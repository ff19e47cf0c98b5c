package laws_test

import (
	"context"
	"fmt"
	"log"

	"breadboard/chains"
	"breadboard/exact/laws"
)

// Annealing and its reverse hold log Z between them, and the more distributions, the nearer they are.
func ExampleNewAnnealing() {
	target, ctx := clu8(), context.Background()
	for _, T := range []int{10, 100} {
		for _, d := range []chains.Direction{chains.Forward, chains.Reverse} {
			law, err := laws.NewAnnealing(ctx, target, annealingToClu8(T), d, 0)
			if err != nil {
				log.Fatal(err)
			}
			m, err := law.Moments(ctx, 1)
			if err != nil {
				log.Fatal(err)
			}
			fmt.Printf("T = %3d, %v: bias %+.4f, sd %.4f\n", T, d, m.Mean-target.LogZ, m.SD)
		}
	}
	// Output:
	// T =  10, forward: bias -1.0185, sd 1.5144
	// T =  10, reverse: bias +0.9052, sd 1.2681
	// T = 100, forward: bias -0.0882, sd 0.4224
	// T = 100, reverse: bias +0.0872, sd 0.4153
}
