package sweep_test

import (
	"context"
	"fmt"

	"breadboard/experiments/annealing/ais"
	"breadboard/experiments/annealing/weights"
	"breadboard/experiments/subject"
	"breadboard/experiments/sweeps/sweep"
)

// A sweep of a study that is named in the specification: the results have the values of that study.
func ExampleRead() {
	for _, path := range []string{"testdata/ais.toml", "testdata/logweights.toml"} {
		if err := show(path); err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// ais: 4 cells
	//   100 chains, seed 1: B is 1.810, and its estimate 1.895 with standard error 0.167
	//   100 chains, seed 2: B is 1.810, and its estimate 1.939 with standard error 0.167
	//   10000 chains, seed 1: B is 1.810, and its estimate 1.815 with standard error 0.017
	//   10000 chains, seed 2: B is 1.810, and its estimate 1.797 with standard error 0.017
	// weights: 3 cells
	//   metropolis, T = 10: the estimate of B is below zero with probability 0.0435
	//   metropolis, T = 100: the estimate of B is below zero with probability 0.1524
	//   heatbath, T = 100: the estimate of B is below zero with probability 0.3853
}

// show solves the cells of a specification in memory and prints some of their values.
func show(path string) error {
	studies := []*subject.Question{ais.Study().Declaration.Sweep(), weights.Laws().Declaration.Sweep()}
	spec, err := sweep.Read(studies, path)
	if err != nil {
		return err
	}
	s, err := spec.Sweep()
	if err != nil {
		return err
	}
	merged, err := sweep.Solve(context.Background(), s, 0, func() {})
	if err != nil {
		return err
	}
	fmt.Printf("%s: %d cells\n", s.Study().Name, s.Len())
	for _, r := range merged.Rows {
		if s.Study().Name == "ais" {
			fmt.Printf("  %s chains, seed %s: B is %.3f, and its estimate %.3f with standard error %.3f\n", r.Cell.Get("chains"), r.Cell.Get("seed"),
				r.Get("B"), r.Get("B_estimate"), r.Get("B_standard_error"))
		} else {
			fmt.Printf("  %s, T = %s: the estimate of B is below zero with probability %.4f\n", r.Cell.Get("kernel"), r.Cell.Get("T"), r.Get("p_bhat_below_0"))
		}
	}
	return nil
}
