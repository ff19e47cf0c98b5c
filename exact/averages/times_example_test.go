package averages_test

import (
	"context"
	"fmt"
	"slices"

	"breadboard/chains/kernels"
	"breadboard/exact/averages"
	"breadboard/toys"
)

// How long the paper's kernel takes to forget where it began on its second toy: by the mutual information of x_0 and x_k for x_0 from the
// target, and by the distance of the law of x_k from the target for a uniform x_0.
func ExampleChain_MixingTime() {
	ctx := context.Background()
	toy, err := toys.Parse("barrier")
	if err != nil {
		panic(err)
	}
	c, err := averages.New(ctx, kernels.Metropolis{Space: toy.Space}, toy.G)
	if err != nil {
		panic(err)
	}
	mixing, err := c.MixingTime(ctx, 0.01)
	if err != nil {
		panic(err)
	}
	uniform := slices.Repeat([]float64{1 / float64(c.States())}, c.States())
	burnIn, err := c.BurnIn(ctx, uniform, 0.01)
	if err != nil {
		panic(err)
	}
	fmt.Printf("mixing time %.0f moves, right to %.0e\n", mixing.Moves, mixing.Error)
	fmt.Printf("burn-in %.0f moves, right to %.0e\n", burnIn.Moves, burnIn.Error)

	// Output:
	// mixing time 1329588 moves, right to 2e-07
	// burn-in 2931593 moves, right to 9e-07
}

// A million million samples of that chain: the recursion from N to N + 1 would take months.
func ExampleChain_Errors_squaring() {
	ctx := context.Background()
	toy, err := toys.Parse("barrier")
	if err != nil {
		panic(err)
	}
	c, err := averages.New(ctx, kernels.Metropolis{Space: toy.Space}, toy.G)
	if err != nil {
		panic(err)
	}
	x0 := make([]float64, c.States())
	for x := range x0 {
		x0[x] = float64(toy.Lattice().Coord(x, 0))
	}
	f, err := c.Standardise(x0)
	if err != nil {
		panic(err)
	}
	q := averages.Question{Function: f, Starts: [][]float64{c.Target}, N: []int64{10_000, averages.MaxSquaring}}
	errors, err := c.Errors(ctx, q, averages.Squaring)
	if err != nil {
		panic(err)
	}
	for _, e := range errors[0] {
		fmt.Printf("N = %.0e: RESS %.8g, N/RESS %.5g\n", float64(e.N), 1/e.MSE, float64(e.N)*e.MSE)
	}
	tau, err := c.Variance(ctx, f)
	if err != nil {
		panic(err)
	}
	fmt.Printf("tau %.5g\n", tau.Autocorrelation)

	// Output:
	// N = 1e+04: RESS 1.5377974, N/RESS 6502.8
	// N = 1e+12: RESS 1343876.3, N/RESS 7.4412e+05
	// tau 7.4412e+05
}
