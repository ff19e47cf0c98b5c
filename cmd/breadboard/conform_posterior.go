package main

import (
	"context"

	"github.com/spf13/cobra"

	"breadboard/experiments/checks/posterior"
	"breadboard/experiments/study"
	"breadboard/experiments/study/check"
	"breadboard/reports/views/checks"
)

func (a *app) conformPosteriorCommand() *cobra.Command {
	o := posterior.Options{Draws: 15, Moves: 100, Runs: 1000, Alpha: check.DefaultAlpha}
	var data []string
	var verbose bool
	c := &cobra.Command{
		Use: "posterior exec:COMMAND", Short: "Test whether a posterior sampler is right for its model",
		Long: `posterior asks a program for the distributions of its model and of its sampler, and compares them exactly, for all data that the model can have. The
verdict draws no random number. In Python and R write assert_posterior(prior, simulate, step) and expect_posterior instead.

The program answers prior and simulate, and at least one of these (experiments/programs/PROTOCOL.md):

  step       a Markov step, from theta and data y to the next theta. It must leave p(theta | y) invariant for each y
  posterior  a draw of theta given y, whose distribution must be p(theta | y)
  log_joint  log p(theta, y). It must agree with prior and simulator, up to a constant
  log_z      an estimate of log p(y): the mean of exp(log_z) must be p(y)

A fault comes with the data and the parameter that show it most, and with the distribution that the sampler has instead if that is a power of the
prior times a power of the likelihood. The finding "reaches all" is a note if a step joins only some parameters, since a step may be one part of a
sampler; with --strict it is a fault. A number may be off by 1e-9 of itself, and by what rounding does to it.

If there is a fault, the table tests says what other tests would have seen of it:

  SBC                           the rank of theta among --draws draws, each the end of a chain of --moves steps from a draw of the prior
  Geweke's joint test           theta after --draws rounds; in a round theta moves once given y, and y is drawn anew given theta
  rank test                     the rank of an exact draw among the states before and after it of one chain, which is right if the step is reversible

The column runs is log(1/alpha)/nats_per_run. No test of the same numbers is certain to find the fault with fewer runs on average. The column power is
the probability that Pearson's chi-squared test finds the fault in --chains runs, from 1000 simulated tests, with its standard error. The statistics
are the numbers in theta, and loglik, the log likelihood.

Parameters and data must be discrete: at most 4096 parameters, and 200000 pairs with data. For a continuous model take a grid of parameters, and
round the data. If there are too many data, name some with --data; there are then no rows of SBC. If that is too much too, test files of draws with
breadboard conform joint or breadboard conform ranks. A sampler of several updates is best tested with each update as a step of its own.

A program has 5 seconds for a reply, and 2 seconds on average for a whole distribution.`,
		Example: `  breadboard conform posterior "exec:python3 experiments/programs/examples/coin.py"
  breadboard conform posterior "exec:python3 experiments/programs/examples/coin.py" --data 3 --strict`,
		Args: cobra.ExactArgs(1),
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

func (a *app) conformPosterior(ctx context.Context, selector string, data []string, o posterior.Options, verbose bool) error {
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
	return a.showFixed(inDetail(checks.ConformPosteriorReport(found), verbose))
}
