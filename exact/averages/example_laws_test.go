package averages_test

import (
	"context"
	"fmt"

	"breadboard/chains/kernels"
	"breadboard/exact/averages"
	"breadboard/grid"
	"breadboard/toys"
)

// Eight chains of 100 samples on BARRIER: how often does their mean squared error give a real effective sample size of 12 or more, and how
// often does an interval of nominally 95% hold the true mean?
func ExampleSumLaw() {
	ctx := context.Background()
	toy, _ := toys.Parse("barrier")
	heatbath, _ := kernels.Parse("heatbath", toy.Space)
	chain, err := averages.New(ctx, heatbath, toy.G)
	if err != nil {
		fmt.Println(err)
		return
	}
	row, uniform := make([]float64, chain.States()), make([]float64, chain.States())
	for x := range row {
		row[x], uniform[x] = float64(x/7), 1/49.
	}
	f, err := chain.Standardise(row)
	if err != nil {
		fmt.Println(err)
		return
	}
	law, err := chain.SumLaw(ctx, f, uniform, 100)
	if err != nil {
		fmt.Println(err)
		return
	}
	success, err := law.Success(ctx, 4, 12)
	if err != nil {
		fmt.Println(err)
		return
	}
	v, err := chain.Variance(ctx, f)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("RESS of one chain: %.4f\n", 1/law.MSE())
	fmt.Printf("success of 4: %.10f\n", success.P)
	fmt.Printf("coverage of 95%% intervals: %.10f\n", law.Coverage(v.Autocorrelation))
	// Output:
	// RESS of one chain: 20.7136
	// success of 4: 0.8515666478
	// coverage of 95% intervals: 0.9366386422
}

// Four chains on BARRIER, seen through an indicator: how often does R-hat reassure, and how often wrongly?
func ExampleRHatLaw() {
	ctx := context.Background()
	toy, _ := toys.Parse("barrier")
	chain, err := averages.New(ctx, kernels.Metropolis{Space: toy.Space}, toy.G)
	if err != nil {
		fmt.Println(err)
		return
	}
	top, uniform := make([]float64, chain.States()), make([]float64, chain.States())
	for x := range top {
		uniform[x] = 1 / 49.
		if x/7 <= 1 {
			top[x] = 1
		}
	}
	f, err := chain.Standardise(top)
	if err != nil {
		fmt.Println(err)
		return
	}
	ones, err := chain.SumLaw(ctx, f, uniform, 100)
	if err != nil {
		fmt.Println(err)
		return
	}
	rhat, err := ones.RHat(ctx, 4)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("R-hat below 1.1: %.6f\n", rhat.Below(1.1))
	fmt.Printf("R-hat below 1.01 and wrong: %.9f\n", rhat.BelowAndWrong(1.01))
	fmt.Printf("all chains constant and equal: %.6f, and wrong: %.6f\n", rhat.Constant(), rhat.ConstantAndWrong())
	// Output:
	// R-hat below 1.1: 0.062379
	// R-hat below 1.01 and wrong: 0.000572433
	// all chains constant and equal: 0.061790, and wrong: 0.061790
}

// The Kolmogorov-Smirnov distance of 100 draws of a fair coin and of a coin that is turned over one time in ten.
func ExampleChain_KS() {
	ctx := context.Background()
	sticky, _ := kernels.Parse("lazy:0.8:metropolis", grid.MustNew(2)) // a coin is turned over one time in ten
	chain, err := averages.New(ctx, sticky, []float64{0, 0})
	if err != nil {
		fmt.Println(err)
		return
	}
	f, err := chain.Standardise([]float64{0, 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	ks, err := chain.KS(ctx, f, chain.Target, 100)
	if err != nil {
		fmt.Println(err)
		return
	}
	free, err := f.IndependentKS(ctx, 100)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("E KS^2 = %.6f, and %.6f of independent draws: RESS = %.3f\n", ks.Square, free.Square, 100*free.Square/ks.Square)
	// Output: E KS^2 = 0.021500, and 0.002500 of independent draws: RESS = 11.628
}
