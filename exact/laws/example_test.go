package laws_test

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact/laws"
	"breadboard/grid/longtest"
	"breadboard/toys"
	"breadboard/toys/forms"
	"breadboard/toys/models"
)

// Annealing and its reverse hold log Z between them, and the more distributions, the nearer they
// are.
func Example_lawsNewAnnealing() {
	target := clu8()
	ctx := context.Background()
	for _, T := range []int{10, 100} {
		for _, d := range []chains.Direction{chains.Forward, chains.Reverse} {
			law, _ := laws.NewAnnealing(ctx, target, annealingToClu8(T), d, 0)
			m, _ := law.Moments(ctx, 1)
			fmt.Printf("T = %3d, %v: bias %+.4f, sd %.4f\n", T, d, m.Mean-target.LogZ, m.SD)
		}
	}
	// Output:
	// T =  10, forward: bias -1.0185, sd 1.5144
	// T =  10, reverse: bias +0.9052, sd 1.2681
	// T = 100, forward: bias -0.0882, sd 0.4224
	// T = 100, reverse: bias +0.0872, sd 0.4153
}

// Nested sampling overestimates the evidence of BARRIER, and more than half of its runs by more
// than a quarter of a nat.
func Example_lawsNewNestedLaw() {
	barrier, _ := toys.Barrier(7, 7)
	path, _ := paths.NewGeometric(nil, barrier.G)
	annealing, _ := chains.NewAnnealing(path, schedules.Linear{}, kernels.Metropolis{Space: barrier.Space}, 2)
	target := laws.NewTarget(annealing)
	law, _ := laws.NewNestedLaw(context.Background(), target,
		estimators.NestedOptions{Particles: 2, Ties: estimators.TiesLabel, Volume: estimators.VolumePaper}, 1)
	moments, _ := law.Moments(context.Background(), 1)
	above, _ := law.Above(context.Background(), target.LogZ+0.25)
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

// The mean of log Z-hat of one particle along the data of clu6 is below log Z, and back along the
// data above it. Scans after each datum widen the gap.
func Example_lawsNewSequential() {
	ctx := context.Background()
	data, _ := models.Growing(models.Clu6())
	for _, scans := range []estimators.Sweeps{0, 1, estimators.Perfect} {
		var means []float64
		for _, d := range []chains.Direction{chains.Forward, chains.Reverse} {
			law, _ := laws.NewSequential(ctx, data, estimators.ProposePosterior, scans, d, 0)
			m, _ := law.Moments(ctx, 1)
			means = append(means, m.Mean-law.LogZ)
		}
		fmt.Printf("scans %-7s  forward %+.6f  reverse %+.6f\n", scans, means[0], means[1])
	}
	// Output:
	// scans 0        forward -0.116779  reverse +0.107555
	// scans 1        forward -0.236225  reverse +0.224853
	// scans perfect  forward -0.253896  reverse +0.249364
}

// clu8 returns the target of a clustering of eight points, which has two labellings of the same
// probability.
func clu8() *laws.Target { return laws.NewTarget(annealingToClu8(2)) }

// annealingToClu8 returns an annealing to it from its prior, over T distributions.
func annealingToClu8(T int) *chains.Annealing {
	toy := longtest.Sure(forms.Targets().Parse("clu8"))
	kernel := longtest.Sure(kernels.Parse("heatbath-scan", toy.Space))
	path := longtest.Sure(paths.NewGeometric(toy.LogPrior, toy.G))
	a := longtest.Sure(chains.NewAnnealing(path, schedules.Linear{}, kernel, T))
	return a
}

// Likelihood weighting and the harmonic mean hold log Z between them, if far apart.
func Example_lawsNewWeighting() {
	target := clu8()
	ctx := context.Background()
	for _, k := range []int{1, 100, 10_000} {
		lower, _ := laws.NewWeighting(target, k)
		upper, _ := laws.NewHarmonic(target, k)
		low, _ := lower.Moments(ctx, 1)
		high, _ := upper.Moments(ctx, 1)
		fmt.Printf("K = %5d: log Z %+.3f to log Z %+.3f\n", k, low.Mean-target.LogZ, high.Mean-target.LogZ)
	}
	// Output:
	// K =     1: log Z -9.039 to log Z +4.080
	// K =   100: log Z -0.769 to log Z +2.584
	// K = 10000: log Z -0.003 to log Z +0.882
}

// The Chib-Murray-Salakhutdinov estimator sees one labelling of a symmetric model and not the
// other: it is log 2 too low, and its small spread does not show that. Z-hat is right on average
// all the same, by rare large values.
func Example_lawsNewCMS() {
	target := clu8()
	ctx := context.Background()
	law, _ := laws.NewCMS(ctx, target, 44, 3, estimators.StartUniform, 1)
	m, _ := law.Moments(ctx, 1)
	above, _ := law.Above(ctx, target.LogZ+1)
	fmt.Printf("log Z-hat is log Z %+.4f, give or take %.4f; E Z-hat is %.12f Z\n", m.Mean-target.LogZ,
		m.SD, math.Exp(m.LogMean-target.LogZ))
	fmt.Printf("it is a nat too large with probability %.2g to %.2g\n", above.Low, above.High)
	// Output:
	// log Z-hat is log Z -0.6931, give or take 0.0095; E Z-hat is 1.000000000000 Z
	// it is a nat too large with probability 1.4e-06 to 1.4e-06
}
