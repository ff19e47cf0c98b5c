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

// Variational Bayes is run from five hard starts, and the largest bound is taken. If the clusters
// are alike, adding log K! makes up for the naming that it has not found.
func ExampleNewRestarts() {
	y := [][]float64{{2.3}, {3.1}, {-1.7}, {2.0}, {-2.9}, {-1.2}, {3.4}, {0.6}}
	clusters := estimators.Clusters{Pi: []float64{0.5, 0.5}, CentreVariance: 9, NoiseVariance: 1}
	for _, symmetry := range []estimators.Symmetry{
		estimators.OneNaming, estimators.LogFactorial, estimators.AllNamings} {
		vb, err := estimators.NewVariationalBayes(y, clusters, symmetry, estimators.Patience{})
		if err != nil {
			fmt.Println(err)
			return
		}
		restarts, _ := estimators.NewRestarts(vb, 5)
		estimate := restarts.Estimate(chains.NewSampler(rand.NewPCG(1, 0)))
		fmt.Printf("%v: log Z is about %.6f\n", symmetry, estimate)
	}
	// Output:
	// one: log Z is about -19.936397
	// factorial: log Z is about -19.243250
	// mixture: log Z is about -19.052479
}

// Variational Bayes on a matrix of rank one is run from five starts that are drawn, each until it
// has gained less than 0.01 nats over 50 sweeps.
func ExampleBestAscent() {
	y := [][]float64{{1.2, -0.7}, {-0.9, 1.1}, {2.4, -1.6}}
	vb, err := estimators.NewFactorsVB(y, 1, estimators.Factors{
		UVariance:     1,
		VVariance:     1,
		NoiseVariance: 0.1,
	}, estimators.OneNaming, estimators.PaperPatience())
	if err != nil {
		fmt.Println(err)
		return
	}
	best, err := estimators.BestAscent(context.Background(), chains.NewSampler(rand.NewPCG(1, 0)), vb, 5)
	fmt.Printf("log Z is at least %.3f, error %v\n", best.Value, err)
	// Output:
	// log Z is at least -11.688, error <nil>
}

// An estimator is written once. A Chooser that draws random numbers runs it, and one that goes
// through all outcomes finds its distribution: the mean of Z-hat is Z, and that of log Z-hat is
// below log Z.
func Example() {
	path, _ := paths.NewGeometric(nil, []float64{0, -1, 0, 2})
	annealing, _ := chains.NewAnnealing(path, schedules.Linear{}, kernels.Metropolis{Space: grid.MustNew(4)}, 4)
	model, _ := estimators.NewFinite(annealing)
	estimator, err := estimators.NewAnnealed(model, estimators.Places(annealing))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("one run: log Z-hat = %.4f, for %g evaluations of log f\n",
		estimator.Estimate(chains.NewSampler(rand.NewPCG(1, 2))), estimator.Work().Evaluations)

	law, err := program.Enumerate(context.Background(), estimator.Estimate, program.Options{})
	if err != nil {
		log.Fatal(err)
	}
	mean := 0.0
	meanLog := 0.0
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
