package averages_test

import (
	"context"
	"fmt"
	"slices"

	"breadboard/chains/kernels"
	"breadboard/exact/averages"
	"breadboard/grid"
	"breadboard/toys/forms"
)

// Eight chains of 100 samples on BARRIER: how often does their mean squared error give a real
// effective sample size of 12 or more, and how often does an interval of nominally 95% hold the
// true mean?
func ExampleSumLaw() {
	ctx := context.Background()
	toy, _ := forms.Targets().Parse("barrier")
	heatbath, _ := kernels.Parse("heatbath", toy.Space)
	chain, _ := averages.New(ctx, heatbath, toy.G)
	row := make([]float64, chain.States())
	uniform := make([]float64, chain.States())
	for x := range row {
		row[x], uniform[x] = float64(x/7), 1/49.
	}
	f, _ := chain.Standardise(row)
	law, _ := chain.SumLaw(ctx, f, uniform, 100)
	success, _ := law.Success(ctx, 4, 12)
	v, _ := chain.Variance(ctx, f)
	fmt.Printf("RESS of one chain: %.4f\n", 1/law.MSE().Value)
	fmt.Printf("success of 4: %.10f\n", success.P)
	fmt.Printf("coverage of 95%% intervals: %.10f\n", law.Coverage(v.Autocorrelation))
	// Output:
	// RESS of one chain: 20.7136
	// success of 4: 0.8515666478
	// coverage of 95% intervals: 0.9366386422
}

// Four chains on BARRIER, seen through an indicator: how often does R-hat reassure, and how often
// wrongly?
func ExampleRHatLaw() {
	ctx := context.Background()
	toy, _ := forms.Targets().Parse("barrier")
	chain, _ := averages.New(ctx, kernels.Metropolis{Space: toy.Space}, toy.G)
	top := make([]float64, chain.States())
	uniform := make([]float64, chain.States())
	for x := range top {
		uniform[x] = 1 / 49.
		if x/7 <= 1 {
			top[x] = 1
		}
	}
	f, _ := chain.Standardise(top)
	ones, _ := chain.SumLaw(ctx, f, uniform, 100)
	rhat, _ := ones.RHat(ctx, 4)
	fmt.Printf("R-hat below 1.1: %.6f\n", rhat.Below(1.1))
	fmt.Printf("R-hat below 1.01 and wrong: %.9f\n", rhat.BelowAndWrong(1.01))
	fmt.Printf("all chains constant and equal: %.6f, and wrong: %.6f\n", rhat.Constant(), rhat.ConstantAndWrong())
	// Output:
	// R-hat below 1.1: 0.062379
	// R-hat below 1.01 and wrong: 0.000572433
	// all chains constant and equal: 0.061790, and wrong: 0.061790
}

// The Kolmogorov-Smirnov distance of 100 draws of a fair coin and of a coin that is turned over one
// time in ten.
func ExampleChain_KS() {
	ctx := context.Background()
	// a coin is turned over one time in ten
	sticky, _ := kernels.Parse("lazy:0.8:metropolis", grid.MustNew(2))
	chain, _ := averages.New(ctx, sticky, []float64{0, 0})
	f, _ := chain.Standardise([]float64{0, 1})
	ks, _ := chain.KS(ctx, f, chain.Target, 100, nil)
	free, _ := f.IndependentKS(ctx, 100, nil)
	fmt.Printf("E KS^2 = %.6f, and %.6f of independent draws: RESS = %.3f\n", ks.Square, free.Square,
		100*free.Square/ks.Square)
	// Output: E KS^2 = 0.021500, and 0.002500 of independent draws: RESS = 11.628
}

// Ten thousand samples of Metropolis that begin anywhere say less about the place on the barrier
// toy than one draw from it.
func ExampleChain_Errors() {
	ctx := context.Background()
	barrier, _ := forms.Targets().Parse("barrier")
	c, _ := averages.New(ctx, kernels.Metropolis{Space: barrier.Space}, barrier.G)
	row := make([]float64, c.States())
	uniform := make([]float64, c.States())
	for x := range row {
		row[x], uniform[x] = float64(x/7), 1.0/49
	}
	f, _ := c.Standardise(row)
	q := averages.Question{Function: f, Starts: [][]float64{uniform}, N: []int64{1, 100, 10_000}}
	method, _ := c.Fastest(q)
	all, _ := c.Errors(ctx, q, method)
	for _, e := range all[0] {
		fmt.Printf("N = %-5d bias %.4f, RESS %.4f\n", e.N, e.Bias.Value, 1/e.MSE.Value)
	}
	// Output:
	// N = 1     bias 1.1893, RESS 0.2870
	// N = 100   bias 1.1893, RESS 0.2873
	// N = 10000 bias 1.1821, RESS 0.2903
}

// How long Metropolis takes to forget its start on the toy barrier: by the mutual
// information of x_0 and x_k for x_0 from the target, and by the distance of the distribution of
// x_k from the target for a uniform x_0.
func ExampleChain_MixingTime() {
	ctx := context.Background()
	toy, _ := forms.Targets().Parse("barrier")
	c, _ := averages.New(ctx, kernels.Metropolis{Space: toy.Space}, toy.G)
	mixing, _ := c.MixingTime(ctx, 0.01)
	uniform := slices.Repeat([]float64{1 / float64(c.States())}, c.States())
	burnIn, _ := c.BurnIn(ctx, uniform, 0.01)
	fmt.Printf("mixing time %.0f moves, right to %.0e\n", mixing.Moves, mixing.Error)
	fmt.Printf("burn-in %.0f moves, right to %.0e\n", burnIn.Moves, burnIn.Error)
	// Output:
	// mixing time 1329588 moves, right to 2e-07
	// burn-in 2931593 moves, right to 9e-07
}
