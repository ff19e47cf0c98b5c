package estimators_test

import (
	"context"
	"fmt"
	"math/rand/v2"

	"breadboard/chains"
	"breadboard/chains/estimators"
)

// Variational Bayes is run from five hard starts, and the largest bound is taken. Where the clusters are alike, adding log K! makes up for
// the naming that it has not found.
func ExampleNewRestarts() {
	model := &estimators.Clusters{
		Y:  [][]float64{{2.3}, {3.1}, {-1.7}, {2.0}, {-2.9}, {-1.2}, {3.4}, {0.6}},
		Pi: []float64{0.5, 0.5}, CentreVariance: 9, NoiseVariance: 1,
	}
	for _, symmetry := range []estimators.Symmetry{estimators.OneNaming, estimators.LogFactorial, estimators.AllNamings} {
		vb, err := estimators.NewVariationalBayes(model, symmetry)
		if err != nil {
			fmt.Println(err)
			return
		}
		restarts, err := estimators.NewRestarts(vb, 5)
		if err != nil {
			fmt.Println(err)
			return
		}
		estimate := restarts.Estimate(chains.NewSampler(rand.NewPCG(1, 0)))
		fmt.Printf("%v: log Z is about %.6f\n", symmetry, estimate)
	}
	// Output:
	// one: log Z is about -19.936397
	// factorial: log Z is about -19.243250
	// mixture: log Z is about -19.052479
}

// Variational Bayes on a matrix of rank one is run from five starts that are drawn, each until it has gained less than 0.01 nats over 50
// sweeps.
func ExampleBest() {
	model := &estimators.Factors{
		Y: [][]float64{{1.2, -0.7}, {-0.9, 1.1}, {2.4, -1.6}}, K: 1,
		UVariance: 1, VVariance: 1, NoiseVariance: 0.1,
	}
	vb, err := estimators.NewFactorsVB(model, estimators.OneNaming, estimators.PaperPatience())
	if err != nil {
		fmt.Println(err)
		return
	}
	best, err := estimators.Best(context.Background(), chains.NewSampler(rand.NewPCG(1, 0)), vb, 5)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("log Z is at least %.3f\n", best.Value)
	// Output:
	// log Z is at least -11.688
}
