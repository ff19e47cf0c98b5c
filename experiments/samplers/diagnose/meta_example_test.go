package diagnose_test

import (
	"context"
	"fmt"

	"breadboard/experiments/samplers"
	"breadboard/experiments/samplers/diagnose"
	"breadboard/experiments/study"
)

// How far the mean of a chain is off is foretold better with R-hat than without it.
func ExampleMeta() {
	ctx := context.Background()
	selection := samplers.Selection{Corpus: "small", Kernels: []string{"metropolis", "heatbath"}, Starts: []string{"uniform"}, Functions: []string{"x0"}}
	problems, err := selection.Problems(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	rows, err := diagnose.Meta().Run(ctx, problems, diagnose.MetaOptions{N: []int{100}, Label: diagnose.Exact, Repeats: 3, Seed: 1}, study.How{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d points of %d targets, %d of them held out\n", rows[0].From.Points, rows[0].From.Targets, rows[0].From.Held)
	for _, r := range rows {
		fmt.Printf("%-6s mean squared error %.1f\n", r.Method, r.MSE)
	}
	// Output:
	// 20 points of 10 targets, 2 of them held out
	// GP     mean squared error 0.3
	// GP-D   mean squared error 0.3
	// GP-ESS mean squared error 1.4
	// GP-G   mean squared error 0.6
	// GP-GR  mean squared error 2.5
	// iid    mean squared error 1.6
	// linear mean squared error 0.3
}
