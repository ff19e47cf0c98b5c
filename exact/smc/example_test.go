package smc_test

import (
	"context"
	"fmt"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/particle"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact/smc"
	"breadboard/grid"
)

// Two particles on three states in a line: the identities of their meta-inference, and AIDE with
// exact draws as the gold standard.
func ExampleEnumerateSMC() {
	space, _ := grid.New(3)
	path, _ := paths.NewGeometric(nil, []float64{0, 1, -0.7})
	a, _ := chains.NewAnnealing(path, schedules.Linear{}, kernels.Metropolis{Space: space}, 3)
	ctx := context.Background()
	j, _ := smc.EnumerateSMC(ctx, a, 2, particle.Multinomial{}, 1, smc.EnumerateOptions{})
	for _, f := range j.Violations()[:3] {
		fmt.Printf("%s: %t\n", f.Says, f.Value < 1e-12)
	}
	list, _ := smc.AIDE(ctx, j, smc.NewExact(3), j.Target(), []int{1, 10, 100}, []int{1})
	for _, e := range list {
		fmt.Printf("M = %3d: J %.6f, AIDE %.6f with a standard deviation of %.4f\n", e.Meta, e.J, e.Mean, e.SD())
	}
	// Output:
	// the mean of xi in meta-inference is Z q(x): true
	// xi is Z q(u, x)/r(u; x) on every trace: true
	// xi of a run has the distribution of xi in meta-inference, size-biased: true
	// M =   1: J 0.003347, AIDE 0.120517 with a standard deviation of 0.4914
	// M =  10: J 0.003347, AIDE 0.016468 with a standard deviation of 0.1816
	// M = 100: J 0.003347, AIDE 0.004677 with a standard deviation of 0.0968
}
