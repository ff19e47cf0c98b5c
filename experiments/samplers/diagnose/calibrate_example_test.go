package diagnose_test

import (
	"context"
	"fmt"

	"breadboard/experiments/samplers"
	"breadboard/experiments/samplers/diagnose"
	"breadboard/experiments/study"
)

// Metropolis on BARRIER never crosses the wall. The ESS of a chain promises much, its mean is worth less than one draw, and R-hat of
// several chains sounds the alarm.
func ExampleCalibrate() {
	ctx := context.Background()
	selection := samplers.Selection{Toys: []string{"barrier"}, Kernels: []string{"metropolis"}, Starts: []string{"uniform"}, Functions: []string{"x0"}}
	problems, err := selection.Problems(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	rows, err := diagnose.Calibrate().Run(ctx, problems, diagnose.CalibrateOptions{N: []int{1000}, Chains: 8, Seed: 1}, study.How{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("exact: ESS %.0f, RESS %.3f, R-hat %.2f\n", rows[0].Exact.ESS, rows[0].Exact.Mean, rows[0].Exact.RHat)
	for _, e := range diagnose.Judge(rows, 8) {
		if e.Failing > 0 && e.TypeII > 0 {
			fmt.Printf("fooled: %s %s, %s\n", e.Name, e.Limit, e.Kind)
		}
	}
	// Output:
	// exact: ESS 145, RESS 0.287, R-hat 2.64
	// fooled: Geweke |z| <= 1.96, exact
	// fooled: Geweke |z| <= 1.96, simulated
}
