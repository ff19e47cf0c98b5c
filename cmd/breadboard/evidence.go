package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"breadboard/experiments"
	"breadboard/experiments/evidence"
	"breadboard/experiments/study"
	"breadboard/reports"
)

func (a *app) evidenceCommand() *cobra.Command {
	var selection experiments.Selection
	options := evidence.Options{Estimators: []string{evidence.All}, Work: []float64{10, 100, 1000}, Trials: []int{1}}
	sort, quick := "", false
	c := &cobra.Command{
		Use:   "evidence",
		Short: "How wrong are estimates of the marginal likelihood? Their exact laws, at equal work",
		Long: `evidence gives the exact law of estimators of Z = Z_T/Z_1, the marginal likelihood of a model whose prior is the start of
the annealing and whose joint density is its target (Grosse, Ghahramani and Adams 2015): mean, bias and standard deviation of
log Zhat, the root of the mean squared error, log E Zhat, and how likely an overestimate by more than 1 nat is.

Every estimator gets as much work as --work says, counted in evaluations of log f as of a black box, and in exact draws: it
takes the largest setting that costs no more, such as the number K of draws or T of distributions, or its smallest setting
if even that costs more. The column work is the actual cost. Estimators without a setting, or with a given one, have one row.
If several values of --work pay for the same setting they share a row, and a note says so.
breadboard evidence list lists the estimators; all stands for those that can be used on a toy, and the others are named on
standard error.

--trials 25 combines 25 independent estimates to one, as footnote 5 of the paper does: estimates that are unbiased are
averaged, those whose reciprocals are unbiased are combined by their harmonic mean, lower bounds by their maximum, and nested
sampling by the mean of log Zhat. The column work is then the cost of all of them together.

Columns: needs exact draw says that an estimator takes exact draws, of the posterior or of the prior above a likelihood, which
nobody has on real data; bound says on which side of log Z the mean of log Zhat is for certain, lower or upper. bias is mean - log_z_ratio, with the digits that subtraction would lose; log_mean_z is log E Zhat; p_above_1 is
P(log Zhat > log Z + 1). Where no exact route exists a number is NaN and note says why; where the law of a row cannot be
computed at all error says why. --chains N runs each estimator N times and puts the mean of log Zhat beside the exact one.

--sort rmse puts the rows of each toy in the order of their errors. A line below the table names the estimator with the
smallest error among those that need no exact draws, and so can be used on real data. --quick takes the works 10 and 100 alone, which are seconds where 1000 takes minutes.

With --out it also draws bias and root mean squared error against work, the laws of log Zhat, and where nested sampling is
among the estimators its bias against K and M for every way to break ties.`,
		Example: `  breadboard evidence
  breadboard evidence --toy clu8,easy --estimator all --work 10,100,1000 --out results
  breadboard evidence --toy easy --estimator lw --trials 1,25
  breadboard evidence --toy model:points.toml --quick --sort rmse
  breadboard evidence list
  breadboard selfcheck evidence --mutants`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			switch {
			case sort != "" && sort != "rmse":
				return badInput(fmt.Errorf("--sort %q; write rmse, or leave it out for the order of the estimators", sort))
			case quick && c.Flags().Changed("work"):
				return badInput(errors.New("--quick says which works there are, and so does --work; give one of them"))
			case quick:
				options.Work = []float64{10, 100}
			}
			return a.evidence(c.Context(), selection, options, sort != "")
		},
	}
	addAnnealed(c, &selection, evidence.DefaultToys(), "")
	addSchedule(c, &selection, evidence.DefaultSchedule)
	f, forms := c.Flags(), evidence.Forms()
	f.StringSliceVar(&options.Estimators, "estimator", options.Estimators, "estimators, also by repeating the flag: all, "+strings.Join(forms.Syntaxes(), ", "))
	completeList(c, "estimator", among(append(forms.Completions(), evidence.AllCompletion())))
	addNumbers(f, &options.Work, "work", options.Work, "what an estimate may cost, in evaluations of log f and exact draws")
	f.BoolVar(&quick, "quick", false, "the works 10 and 100 alone, which take seconds")
	f.StringVar(&sort, "sort", "", "rmse for the rows of each toy in the order of their errors; else that of the estimators")
	f.Var(study.Wholes(&options.Trials, "N", 1, evidence.MaxTrials), "trials", "numbers of independent estimates that are combined to one")
	f.Var(study.Whole(&options.Runs, "N", 2, maxCount), "chains", "number of runs of each estimator; 0 is none")
	addSeed(f, &options.Seed, "seed of the runs, 0 to 2^64-1")
	f.IntVar(&options.Workers, "workers", 0, "number of computations at once; 0 is one for each core")
	c.AddCommand(former(a.evidenceCheckCommand()), &cobra.Command{
		Use: "list", Short: "List the estimators that --estimator takes", Args: cobra.NoArgs,
		Example: "  breadboard evidence list --format json",
		RunE: func(*cobra.Command, []string) error {
			return a.showFixed(reports.EstimatorsReport(evidence.Forms().Descriptions()))
		},
	})
	return c
}

func (a *app) evidence(ctx context.Context, selection experiments.Selection, options evidence.Options, sorted bool) error {
	cases, err := a.casesBy(ctx, selection, evidence.Cases, func(cases []experiments.Case) error { return options.Validate(ctx, cases) })
	if err != nil {
		return err
	}
	options.Figures = a.output.files != nil
	prepared, err := during(a, "settings of estimators", -1, func(func(int)) (*evidence.Prepared, error) {
		return evidence.Prepare(ctx, cases, options)
	})
	if err != nil {
		return err
	}
	result, err := during(a, "laws of estimators", prepared.Steps(), func(progress func(int)) (*evidence.Result, error) {
		return prepared.Run(ctx, progress)
	})
	if result == nil {
		return err
	}
	if sorted {
		evidence.SortByRMSE(result.Rows)
	}
	return showRows(a, result.Rows, err, func([]evidence.Row) *reports.Report { return reports.EvidenceReport(result) })
}
