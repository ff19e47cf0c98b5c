package estimators_test

import (
	"context"
	"fmt"
	"log"
	"math"
	"math/rand/v2"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact/program"
	"breadboard/grid"
)

// An estimator is written once. A Chooser that draws random numbers runs it, and one that goes through all outcomes finds its law: the
// mean of Z-hat is Z, and that of log Z-hat is below log Z.
func Example() {
	path, err := paths.NewGeometric(nil, []float64{0, -1, 0, 2})
	if err != nil {
		log.Fatal(err)
	}
	annealing, err := chains.NewAnnealing(path, schedules.Linear{}, kernels.Metropolis{Space: grid.MustNew(4)}, 4)
	if err != nil {
		log.Fatal(err)
	}
	model, err := estimators.NewFinite(annealing)
	if err != nil {
		log.Fatal(err)
	}
	estimator, err := estimators.NewAnnealed(model, estimators.Places(annealing))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("one run: log Z-hat = %.4f, for %g evaluations of log f\n", estimator.Estimate(chains.NewSampler(rand.NewPCG(1, 2))), estimator.Work().Evaluations)

	law, err := program.Enumerate(context.Background(), estimator.Estimate, program.Options{})
	if err != nil {
		log.Fatal(err)
	}
	mean, meanLog := 0.0, 0.0
	for _, o := range law.Outcomes() {
		mean += o.P * math.Exp(o.Value)
		meanLog += o.P * o.Value
	}
	fmt.Printf("all runs: log E Z-hat = %.4f, E log Z-hat = %.4f\n", math.Log(mean), meanLog)
	fmt.Printf("log Z = %.4f\n", math.Log((1+math.Exp(-1)+1+math.Exp(2))/4))
	// Output:
	// one run: log Z-hat = -0.3333, for 4 evaluations of log f
	// all runs: log E Z-hat = 0.8917, E log Z-hat = 0.4420
	// log Z = 0.8917
}
