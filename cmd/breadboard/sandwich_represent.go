package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"breadboard/experiments/sandwich"
	"breadboard/experiments/sandwich/compare"
	"breadboard/experiments/study"
	"breadboard/reports"
)

func (a *app) sandwichRepresentCommand() *cobra.Command {
	o := compare.RepresentationOptions{Model: compare.DefaultRepresentation, Chains: 3, Datasets: 4, T: []int{100, 300, 1000}}
	c := &cobra.Command{
		Use:   "represent",
		Short: "In which representation of a model of any size is annealing best, by steps and by time?",
		Long: `represent anneals data of a low rank model y = UV + noise in both of its representations, as section 5.2.1 and figure 2 of
Grosse, Ancha and Roy (2016): uncollapsed, where U and V are drawn in turn, each at once; and collapsed, where U is integrated
out and the columns of V are drawn in turn by elliptical slice sampling. Data and their exact draw from the posterior are the
same for both, and are those of breadboard sandwich with the same seed.

  lower, upper   the mean log weights of chains forward and in reverse (sigmoid:4), between which log p(y) is on average
  B              upper - lower, on average over data sets; the smaller, the better the annealing
  time           the seconds of a chain on the clock
  work           evaluations of log f, one for each number that is drawn

p(y) is the same in both, so that the ends of one contradict those of the other where they are apart by more than chance. The
exit code is then 1. For that, a bound on the probability serves which holds for any number of chains (Markov's inequality).

breadboard represent does the same exactly, on models that are small enough. With --out it also draws B against T and time.`,
		Example: `  breadboard sandwich represent
  breadboard sandwich represent -T 100,300,1000,3000,10000 --chains 10 --datasets 8 --out results
  breadboard sandwich represent --model lowrank:2:1:1:0.1 --data-rows 20 --data-columns 10`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return a.sandwichRepresent(c.Context(), o)
		},
	}
	f := c.Flags()
	addSelector(f, &o.Model, "model", o.Model, compare.RepresentationSyntaxes(), "the model: "+strings.Join(compare.RepresentationSyntaxes(), ", "))
	completeOne(c, "model", ofForms(sandwich.Models()))
	f.VarP(study.Wholes(&o.T, "T", 2, sandwich.MaxT), "distributions", "T", "numbers of distributions of annealing, both ends included, separated by commas")
	f.Var(study.Whole(&o.Chains, "N", 0, maxCount), "chains", "number of chains of each direction on each data set")
	f.Var(study.Whole(&o.Datasets, "N", 0, maxCount), "datasets", "number of data sets")
	addSize(c, &o.Rows, &o.Columns)
	addSeed(f, &o.Seed, "seed of data and chains, 0 to 2^64-1")
	f.IntVar(&o.Workers, "workers", 0, "number of chains run at once; 0 is one for each core")
	return c
}

func (a *app) sandwichRepresent(ctx context.Context, o compare.RepresentationOptions) error {
	if err := o.Validate(); err != nil {
		return badInput(err)
	}
	if err := a.output.open(a.leftovers); err != nil {
		return err
	}
	rows, err := during(a, "chains", o.Steps(), func(progress func(int)) ([]compare.RepresentationRow, error) {
		o.Progress = progress
		return compare.RunRepresentations(ctx, o)
	})
	return showRows(a, rows, err, reports.SandwichRepresentReport)
}
