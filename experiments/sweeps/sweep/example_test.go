package sweep_test

import (
	"context"
	"fmt"

	"breadboard/experiments/annealing/ais"
	"breadboard/experiments/forms"
	"breadboard/experiments/subject"
	"breadboard/experiments/sweeps/sweep"
)

// A sweep of a study that is named in the specification is solved in memory: the results have the
// values of that study.
func ExampleReadSpec() {
	studies := sweep.Studies{Forms: forms.All(), List: []*subject.Question{ais.Study().Declaration.Sweep()}}
	spec, err := sweep.ReadSpec(studies, "testdata/ais.toml")
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := spec.Sweep()
	if err != nil {
		fmt.Println(err)
		return
	}
	merged, err := sweep.Solve(context.Background(), s, 0, func() {})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range merged.Rows {
		fmt.Printf("%s chains, seed %s: B is %.3f, and its estimate %.3f with standard error %.3f\n",
			r.Cell.Get("chains"), r.Cell.Get("seed"),
			r.Get("B"), r.Get("B_estimate"), r.Get("B_se"))
	}
	// Output:
	// 100 chains, seed 1: B is 1.810, and its estimate 1.895 with standard error 0.167
	// 100 chains, seed 2: B is 1.810, and its estimate 1.939 with standard error 0.167
	// 10000 chains, seed 1: B is 1.810, and its estimate 1.815 with standard error 0.017
	// 10000 chains, seed 2: B is 1.810, and its estimate 1.797 with standard error 0.017
}
