package diagnose_test

import (
	"context"
	"fmt"

	"breadboard/experiments/forms"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/experiments/mcmc/samplers/diagnose"
	"breadboard/experiments/study"
)

// Four chains that start at draws of the target itself: R-hat assures, and their means are worth
// one and a half independent draws each.
func ExampleStudy() {
	ctx := context.Background()
	problems, err := samplers.Selection{
		Reader:    forms.Reader(),
		Toys:      []string{"barrier"},
		Kernels:   []string{"metropolis"},
		Starts:    []string{"target"},
		Functions: []string{"x0"},
	}.Problems(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	rows, err := study.Run(
		ctx,
		diagnose.Study(),
		problems,
		diagnose.Options{N: []int64{300}, Chains: 4, Seed: 1},
		study.How{},
	)
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

// Metropolis on BARRIER never crosses the wall. The ESS of a chain promises much, its mean is worth
// less than one draw, and R-hat of several chains sounds the alarm.
func ExampleCalibrate() {
	ctx := context.Background()
	selection := samplers.Selection{
		Reader:    forms.Reader(),
		Toys:      []string{"barrier"},
		Kernels:   []string{"metropolis"},
		Starts:    []string{"uniform"},
		Functions: []string{"x0"},
	}
	problems, err := selection.Problems(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	rows, err := study.Run(ctx, diagnose.Calibrate(), problems,
		diagnose.CalibrateOptions{N: []int{1000}, Chains: 8, Seed: 1}, study.How{})
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

// How far the mean of a chain is off is predicted better with R-hat than without it.
func ExampleMeta() {
	ctx := context.Background()
	selection := samplers.Selection{
		Reader:    forms.Reader(),
		Corpus:    "small",
		Kernels:   []string{"metropolis", "heatbath"},
		Starts:    []string{"uniform"},
		Functions: []string{"x0"},
	}
	problems, err := selection.Problems(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	rows, err := study.Run(ctx, diagnose.Meta(), problems,
		diagnose.MetaOptions{N: []int{100}, Label: diagnose.Exact, Repeats: 3, Seed: 1}, study.How{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d points of %d targets, %d of them held out\n", rows[0].From.Points, rows[0].From.Targets,
		rows[0].From.Held)
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
