package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"breadboard/chains/selector"
	"breadboard/experiments/sandwich"
	"breadboard/experiments/sandwich/compare"
	"breadboard/experiments/study"
	"breadboard/reports"
	"breadboard/toys/models"
)

// sandwichFitFlags are the flags of the protocol for measured data.
type sandwichFitFlags struct {
	options compare.FittedOptions
	data    string
	scale   string
}

func (a *app) sandwichFitCommand() *cobra.Command {
	var f sandwichFitFlags
	o := &f.options
	o.T, o.S = []int{10, 30, 100, 300, 1000}, []int{10, 100, 1000}
	c := &cobra.Command{
		Use:   "fit",
		Short: "Does annealing behave on data of your own as on data simulated from a fit to them?",
		Long: `fit does what Grosse, Ancha and Roy (2016, sections 3.2 and 5.1) propose for data that were measured. Of these nobody has
an exact draw from the posterior, so that chains in reverse have no start. Therefore

  1. the hyperparameters are inferred from the data: by an annealing over --moves distributions, and after it --moves
     moves that leave the posterior invariant. Those after the last move are kept;
  2. parameters and --datasets data sets of the same size are simulated with them;
  3. --chains chains of annealing (sigmoid:4) with each T run forward on the real and on all simulated data;
  4. as many run in reverse on the first simulated data set. They start with what it was simulated with, after S moves
     that leave the posterior of parameters and hyperparameters invariant.

The table has quartiles of the log weights, less the largest of the chains forward on the same data set, since the
marginal likelihoods of different data are not the same. Notes say whether the forward curves of real and simulated data
match, and whether the reverse curves coincide for all S, each of all comparisons together at a level of 5% (Bonferroni).
The chains of one S share one start, and standard errors say nothing of other starts; with --starts R there are R, and
errors are over these. With --datasets 1 errors of forward curves are over chains alone.

DATA.csv has a row for each datum and a number in every column, with or without a first line of headings. Missing values
are refused, with their place. Models are clustering:K, lowrank:K and binary:K, with unknown variances (inverse gamma of
shape and scale one) and probabilities. lowrank has no intercept: a mean far from zero is a warning. --scale centre
subtracts the mean of every column, and standardize divides by the standard deviation too, as the paper does.

With --out two figures side by side show the quartiles: of real and simulated data, and in reverse for each S.`,
		Example: `  breadboard sandwich fit --data faithful.csv --model clustering:2 --scale standardize
  breadboard sandwich fit --data ratings.csv --model lowrank:5 --scale centre --chains 100 -S 10,100,1000,10000 --out results
  breadboard sandwich fit --data faithful.csv --model clustering:2 --datasets 20 --starts 5 --format csv`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return a.sandwichFit(c, f) },
	}
	flags := c.Flags()
	flags.StringVar(&f.data, "data", "", "`FILE` of the data in CSV")
	flags.StringVar(&o.Model, "model", "clustering:2", "model: "+strings.Join(compare.FittedModels().Syntaxes(), ", "))
	completeList(c, "model", ofForms(compare.FittedModels()))
	var scales []string
	for _, s := range compare.Scales() {
		scales = append(scales, string(s))
	}
	flags.StringVar(&f.scale, "scale", string(compare.ScaleNone), "what is done to the columns first: "+strings.Join(scales, ", "))
	completeList(c, "scale", among(plain(scales)))
	flags.VarP(study.Wholes(&o.T, "T", 2, sandwich.MaxT), "distributions", "T", "numbers of distributions of annealing, both ends included, separated by commas")
	flags.VarP(study.Wholes(&o.S, "S", 0, compare.MaxFittedMoves), "after", "S", "numbers of moves before chains in reverse, separated by commas")
	o.Chains, o.Moves, o.Datasets, o.Starts = 20, 1000, 8, 1
	flags.Var(study.Whole(&o.Chains, "N", 0, maxCount), "chains", "number of chains on each data set with each T, and in reverse with each S")
	flags.Var(study.Whole(&o.Moves, "N", 0, maxCount), "moves", "number of moves by which hyperparameters are inferred")
	flags.Var(study.Whole(&o.Datasets, "N", 0, maxCount), "datasets", "number of simulated data sets")
	flags.Var(study.Whole(&o.Starts, "N", 0, maxCount), "starts", "number of starts of chains in reverse with each S, which divides --chains")
	addSeed(flags, &o.Seed, "seed of the inference, of the data and of chains")
	flags.IntVar(&o.Workers, "workers", 0, "number of chains run at once; 0 is one for each core")
	return c
}

func (a *app) sandwichFit(c *cobra.Command, f sandwichFitFlags) error {
	o := f.options
	o.Scale = compare.Scale(f.scale)
	if f.data == "" {
		return badInput(fmt.Errorf("no data; give a file with --data, as in --data FILE.csv"))
	}
	text, err := selector.ReadFile(f.data, compare.MaxFittedBytes)
	if err != nil {
		return ioFailure(fmt.Errorf("--data: %w", err))
	}
	if o.Table, err = models.ParseNamedTable(text, compare.FittedLimits()); err != nil {
		return badInput(fmt.Errorf("--data %s: %w", f.data, err))
	}
	doubts, err := o.Doubts()
	if err != nil {
		return badInput(err)
	}
	if err := a.output.open(a.leftovers); err != nil {
		return err
	}
	out, err := during(a, "scans", o.Steps(), func(progress func(int)) (*compare.FittedOutcome, error) {
		o.Progress = progress
		return compare.RunFitted(c.Context(), o)
	})
	report := func() *reports.Report { return reports.SandwichFitReport(out, doubts) }
	if err != nil {
		finished := 0
		if out != nil {
			finished = len(out.Rows)
		}
		return a.orPartial(err, finished, report)
	}
	return a.show(report)
}
