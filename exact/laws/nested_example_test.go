package laws_test

import (
	"context"
	"fmt"
	"log"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact/laws"
	"breadboard/toys"
)

// Nested sampling overestimates the evidence of BARRIER, and more than half of its runs by more than a quarter of a nat.
func ExampleNewNestedExact() {
	barrier, err := toys.Barrier(7, 7)
	if err != nil {
		log.Fatal(err)
	}
	path, err := paths.NewGeometric(nil, barrier.G)
	if err != nil {
		log.Fatal(err)
	}
	annealing, err := chains.NewAnnealing(path, schedules.Linear{}, kernels.Metropolis{Space: barrier.Space}, 2)
	if err != nil {
		log.Fatal(err)
	}
	target := laws.NewTarget(annealing)
	law, err := laws.NewNestedExact(target, 2, estimators.TiesLabel, estimators.VolumePaper)
	if err != nil {
		log.Fatal(err)
	}
	moments, err := law.Moments(context.Background(), 1)
	if err != nil {
		log.Fatal(err)
	}
	above, err := law.Above(context.Background(), target.LogZ+0.25)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("E log Z-hat - log Z     %+.6f\n", moments.Mean-target.LogZ)
	fmt.Printf("sd                       %.6f\n", moments.SD)
	fmt.Printf("log(E Z-hat/Z)          %+.6f\n", moments.LogMean-target.LogZ)
	fmt.Printf("P(log Z-hat > log Z+1/4) %.6f\n", above.Low)
	fmt.Printf("exact draws              %.3f\n", law.Work().Exact)
	// Output:
	// E log Z-hat - log Z     +0.309941
	// sd                       0.637786
	// log(E Z-hat/Z)          +0.498600
	// P(log Z-hat > log Z+1/4) 0.560721
	// exact draws              3.389
}
