package laws_test

import (
	"context"
	"fmt"
	"log"
	"math"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact/laws"
	"breadboard/toys"
)

// clu8 returns the target of a clustering of eight points, which has two labellings of the same probability.
func clu8() *laws.Target { return laws.NewTarget(annealingToClu8(2)) }

// annealingToClu8 returns an annealing to it from its prior, over T distributions.
func annealingToClu8(T int) *chains.Annealing {
	toy, err := toys.Parse("clu8")
	if err != nil {
		log.Fatal(err)
	}
	kernel, err := kernels.Parse("heatbath-scan", toy.Space)
	if err != nil {
		log.Fatal(err)
	}
	path, err := paths.NewGeometric(toy.LogPrior, toy.G)
	if err != nil {
		log.Fatal(err)
	}
	a, err := chains.NewAnnealing(path, schedules.Linear{}, kernel, T)
	if err != nil {
		log.Fatal(err)
	}
	return a
}

// Likelihood weighting and the harmonic mean hold log Z between them, if far apart.
func ExampleNewWeighting() {
	target, ctx := clu8(), context.Background()
	for _, k := range []int{1, 100, 10_000} {
		lower, err := laws.NewWeighting(target, k)
		if err != nil {
			log.Fatal(err)
		}
		upper, err := laws.NewHarmonic(target, k)
		if err != nil {
			log.Fatal(err)
		}
		low, err := lower.Moments(ctx, 1)
		if err != nil {
			log.Fatal(err)
		}
		high, err := upper.Moments(ctx, 1)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("K = %5d: log Z %+.3f to log Z %+.3f\n", k, low.Mean-target.LogZ, high.Mean-target.LogZ)
	}
	// Output:
	// K =     1: log Z -9.039 to log Z +4.080
	// K =   100: log Z -0.769 to log Z +2.584
	// K = 10000: log Z -0.003 to log Z +0.882
}

// The Chib-Murray-Salakhutdinov estimator sees one labelling of a symmetric model and not the other: it is log 2 too low, and its small
// spread does not show that. Z-hat is right on average all the same, by rare large values.
func ExampleNewCMS() {
	target, ctx := clu8(), context.Background()
	law, err := laws.NewCMS(ctx, target, 44, 3, estimators.StartUniform, 1)
	if err != nil {
		log.Fatal(err)
	}
	m, err := law.Moments(ctx, 1)
	if err != nil {
		log.Fatal(err)
	}
	above, err := law.Above(ctx, target.LogZ+1)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("log Z-hat is log Z %+.4f, give or take %.4f; E Z-hat is %.12f Z\n", m.Mean-target.LogZ, m.SD, math.Exp(m.LogMean-target.LogZ))
	fmt.Printf("it is a nat too large with probability %.2g to %.2g\n", above.Low, above.High)
	// Output:
	// log Z-hat is log Z -0.6931, give or take 0.0095; E Z-hat is 1.000000000000 Z
	// it is a nat too large with probability 1.4e-06 to 1.4e-06
}
