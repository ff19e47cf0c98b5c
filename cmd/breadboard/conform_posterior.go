package main

import (
	"context"

	"github.com/spf13/cobra"

	"breadboard/experiments/checks/posterior"
	"breadboard/experiments/study"
	"breadboard/reports/check"
)

func (a *app) conformPosteriorCommand() *cobra.Command {
	o := posterior.Options{Draws: 15, Moves: 100, Runs: 1000, Alpha: check.DefaultAlpha}
	var data []string
	var verbose bool
	c := &cobra.Command{
		Use: "posterior exec:COMMAND", Short: "Test whether a posterior sampler is right for its model",
		Long: `posterior asks a program for the distributions of its model and of its sampler,
and compares them exactly, for all data that the model can have.

The program answers prior, simulate, and at least one of step, posterior,
log_joint and log_z (experiments/programs/PROTOCOL.md). In Python and R use
assert_posterior and expect_posterior. A fault names the data and the parameter
that show it most; the table tests says after how many runs SBC, Geweke's joint
test and a rank test would find it. The limits are 4096 parameters, and 200000
pairs with data.

See breadboard help check-kernel.`,
		Example: `  breadboard conform posterior "exec:python3 experiments/programs/examples/coin.py"
  breadboard conform posterior "exec:python3 experiments/programs/examples/coin.py" --data 3 --strict`,
		Args: takes(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			return a.conformPosterior(c.Context(), args[0], data, o, verbose)
		},
	}
	f := c.Flags()
	f.StringArrayVar(&data, "data", nil, "for which the sampler is tested, as the program writes them (default all)")
	f.BoolVar(&o.Strict, "strict", false, "if a step does not join all parameters")
	f.VarP(study.Whole(&o.Draws, "L", 1, 999), "draws", "L", "in SBC, and number of rounds of Geweke's test")
	f.Var(study.Whole(&o.Moves, "N", 1, 100_000), "moves", "of a chain before its draw for SBC")
	f.Var(study.Whole(&o.Runs, "N", 1, 100_000), "chains", "of the tests whose power is computed")
	addAlpha(c, &o.Alpha)
	a.addDetail(f, &verbose)
	return c
}

func (a *app) conformPosterior(ctx context.Context, selector string, data []string, o posterior.Options,
	verbose bool) error {
	if err := check.ValidateAlpha(o.Alpha); err != nil {
		return badInput(err)
	}
	f, err := a.startFunction(selector, "exec:python3 model.py")
	if err != nil {
		return badInput(err)
	}
	m, err := posterior.NewModel(ctx, f, data, func(parameters int) (add func(int), done func()) {
		return a.progress("simulated data of parameters", parameters)
	})
	if err != nil {
		return studyFailure(err)
	}
	found, err := during(a, "requests", m.Requests(), func(progress func(int)) (*posterior.Outcome, error) {
		return m.Examine(ctx, o, progress)
	})
	if err != nil {
		return err
	}
	return a.showFixed(ctx, inDetail(posterior.Report(found), verbose))
}
