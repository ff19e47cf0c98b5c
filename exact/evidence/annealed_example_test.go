package evidence_test

import (
	"context"
	"fmt"
	"log"

	"breadboard/chains"
	"breadboard/exact/evidence"
)

// Annealing and its reverse hold log Z between them. The more distributions, the nearer they are, and an overestimate of a quarter of a
// nat is rarer forward than in reverse.
func ExampleNewAnnealing() {
	target, ctx := clu8(), context.Background()
	for _, T := range []int{10, 100} {
		for _, d := range []chains.Direction{chains.Forward, chains.Reverse} {
			law, err := evidence.NewAnnealing(ctx, target, annealingToClu8(T), d, 0)
			if err != nil {
				log.Fatal(err)
			}
			m, err := law.Moments(ctx, 1)
			if err != nil {
				log.Fatal(err)
			}
			above, err := law.Above(ctx, target.LogZ+0.25)
			if err != nil {
				log.Fatal(err)
			}
			fmt.Printf("T = %3d, %v: bias %+.4f, sd %.4f, P(log Z-hat > log Z + 1/4) = %.2f\n", T, d, m.Mean-target.LogZ, m.SD, (above.Low+above.High)/2)
		}
	}
	// Output:
	// T =  10, forward: bias -1.0185, sd 1.5144, P(log Z-hat > log Z + 1/4) = 0.20
	// T =  10, reverse: bias +0.9052, sd 1.2681, P(log Z-hat > log Z + 1/4) = 0.71
	// T = 100, forward: bias -0.0882, sd 0.4224, P(log Z-hat > log Z + 1/4) = 0.21
	// T = 100, reverse: bias +0.0872, sd 0.4153, P(log Z-hat > log Z + 1/4) = 0.35
}
