package averages_test

import (
	"context"
	"fmt"

	"breadboard/chains/kernels"
	"breadboard/exact/averages"
	"breadboard/toys"
)

// Ten thousand samples of Metropolis that begin anywhere say less about the place on the barrier toy than one draw from it.
func ExampleChain_Errors() {
	ctx := context.Background()
	barrier, err := toys.Parse("barrier")
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err := averages.New(ctx, kernels.Metropolis{Space: barrier.Space}, barrier.G)
	if err != nil {
		fmt.Println(err)
		return
	}
	row, uniform := make([]float64, c.States()), make([]float64, c.States())
	for x := range row {
		row[x], uniform[x] = float64(x/7), 1.0/49
	}
	f, err := c.Standardise(row)
	if err != nil {
		fmt.Println(err)
		return
	}
	q := averages.Question{Function: f, Starts: [][]float64{uniform}, N: []int64{1, 100, 10_000}}
	method, err := c.Fastest(q)
	if err != nil {
		fmt.Println(err)
		return
	}
	all, err := c.Errors(ctx, q, method)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range all[0] {
		fmt.Printf("N = %-5d bias %.4f, RESS %.4f\n", e.N, e.Bias, 1/e.MSE)
	}
	// Output:
	// N = 1     bias 1.1893, RESS 0.2870
	// N = 100   bias 1.1893, RESS 0.2873
	// N = 10000 bias 1.1821, RESS 0.2903
}
