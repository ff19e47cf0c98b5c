package diagnose_test

import (
	"context"
	"fmt"

	"breadboard/experiments/samplers"
	"breadboard/experiments/samplers/diagnose"
	"breadboard/experiments/study"
)

// Four chains that start at draws of the target itself: R-hat assures, and their means are worth one and a half independent draws each.
func ExampleStudy() {
	ctx := context.Background()
	problems, err := samplers.Selection{
		Toys: []string{"barrier"}, Kernels: []string{"metropolis"}, Starts: []string{"target"}, Functions: []string{"x0"},
	}.Problems(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	rows, err := diagnose.Study().Run(ctx, problems, diagnose.Options{N: []int64{300}, Chains: 4, Seed: 1}, study.How{})
	if err != nil {
		fmt.Println(err)
		return
	}
	r := rows[0]
	fmt.Printf("simulated: R-hat %.3f, ESS of a chain %.0f\n", r.RHatBasic, r.ESSChain)
	fmt.Printf("exact: ESS of the expectations %.1f, RESS %.2f\n", r.Expected.ESSSingle, r.RESSMean)
	// Output:
	// simulated: R-hat 1.005, ESS of a chain 45
	// exact: ESS of the expectations 48.1, RESS 1.51
}
