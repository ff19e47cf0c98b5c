package samplers_test

import (
	"context"
	"fmt"

	"breadboard/experiments/samplers"
	"breadboard/experiments/study"
)

// On BARRIER ten thousand samples of metropolis from the uniform law are worth less than one independent draw, and those of heatbath,
// which jumps the barrier, more than two thousand.
func ExampleErrors() {
	ctx := context.Background()
	problems, _ := samplers.Selection{
		Toys: []string{"barrier"}, Kernels: []string{"metropolis", "heatbath"}, Starts: []string{"uniform"}, Functions: []string{"x0"},
	}.Problems(ctx)
	rows, err := samplers.Errors().Run(ctx, problems, samplers.ErrorsOptions{N: []int64{100, 10_000}}, study.How{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range rows {
		r := &rows[i]
		fmt.Printf("%-10s N = %5d: RESS %.6g, from the target %.6g\n", r.Kernel, r.N, r.RESSMean(), r.RESSStationary())
	}
	// Output:
	// metropolis N =   100: RESS 0.287271, from the target 1.47419
	// metropolis N = 10000: RESS 0.290286, from the target 1.5378
	// heatbath   N =   100: RESS 20.7136, from the target 23.5739
	// heatbath   N = 10000: RESS 2296.39, from the target 2299.48
}
