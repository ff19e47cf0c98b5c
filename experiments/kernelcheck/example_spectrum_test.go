package kernelcheck_test

import (
	"context"
	"fmt"

	"breadboard/experiments"
	"breadboard/experiments/kernelcheck"
)

// The barrier between the modes of BARRIER slows Metropolis' kernel down as it rises with beta.
func ExampleSpectrum() {
	ctx := context.Background()
	cases, _ := experiments.Selection{
		Toys: []string{"barrier"}, Distributions: []int{10}, Path: "geometric", Schedule: "linear", Kernel: "metropolis",
	}.Cases(ctx)
	betas, _ := kernelcheck.SpectrumBetas(3)
	rows, err := kernelcheck.Spectrum(ctx, cases[0], betas, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range rows {
		fmt.Printf("beta %.1f: gap %.3g, relaxation time %.3g moves\n", r.Beta, r.Gap, r.Relaxation)
	}
	// Output:
	// beta 0.0: gap 0.0495, relaxation time 20.2 moves
	// beta 0.5: gap 0.000296, relaxation time 3.37e+03 moves
	// beta 1.0: gap 1.4e-06, relaxation time 7.15e+05 moves
}
