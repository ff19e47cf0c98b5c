package hypotheses_test

import (
	"context"
	"fmt"
	"log"
	"math"
	"math/rand/v2"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/experiments/checks/conform/hypotheses"
	"breadboard/experiments/checks/planted"
	"breadboard/toys"
)

// Chains come from a program that takes the weight after the move. A thousand of them name it.
func ExampleTally_Odds() {
	toy := toys.Easy()
	path, err := paths.NewGeometric(nil, toy.G)
	if err != nil {
		log.Fatal(err)
	}
	a, err := chains.NewAnnealing(path, schedules.Linear{}, kernels.Metropolis{Space: toy.Space}, 4)
	if err != nil {
		log.Fatal(err)
	}
	set, err := hypotheses.New(context.Background(), hypotheses.Problem{
		Annealing: a,
		Space:     toy.Space,
		Direction: chains.Forward,
		Columns:   hypotheses.Columns{First: true, Last: true, LogW: true},
		LogZ1:     math.Log(49),
	})
	if err != nil {
		log.Fatal(err)
	}

	wrong := planted.New(a, a.Kernel(), chains.Forward)
	planted.OtherSide(wrong)
	sampler := chains.NewSampler(rand.NewPCG(1, 2))
	tally := set.NewTally(rand.NewPCG(3, 4))
	for range 1000 {
		first, last, logw := chains.Run(wrong, sampler)
		tally.Add([]int32{int32(first)}, []int32{int32(last)}, []float64{logw})
	}

	best := tally.Odds()[0]
	fmt.Printf("%s, with probability %.3f\n", best.Name, best.Posterior)
	fmt.Println("possible under the specification:", tally.Impossible == nil)
	fmt.Println("the same by these columns:", set.Alike(best.Name))
	// Output:
	// weight taken after the move, with probability 0.999
	// possible under the specification: false
	// the same by these columns: []
}
