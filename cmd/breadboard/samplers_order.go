package main

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"breadboard/experiments/samplers"
	"breadboard/experiments/samplers/rank"
	"breadboard/experiments/study"
	"breadboard/reports"
)

func (a *app) samplersOrderCommand() *cobra.Command {
	selection := samplers.Selection{Toys: []string{"easy", "hard", "barrier"}, Kernels: []string{"metropolis", "barker"}, Functions: []string{"x0", "g"}}
	options := rank.OrderOptions{Lazy: []float64{0.5}, Thin: []int{2, 10}}
	for n := range int64(100) {
		options.N = append(options.N, n+1)
	}
	c := &cobra.Command{
		Use:   "order",
		Short: "Are averages in the orders that are theorems? Peskun's, lazy chains, thinning",
		Long: `order checks three theorems on averages by exact numbers. All chains start at the target.

peskun    Of two reversible kernels, let the first have the larger probability of every move. In the limit its error is at
          most that of the second, for every function (Peskun 1973): so metropolis comes before barker. At finite N this
          can fail, from N = 3 on, and the command finds where (the second example). Every two kernels of --kernel are compared.
lazy      A chain that stays with probability P has tau' = (tau + P)/(1 - P), for every kernel.
thinning  The mean of M N samples has at most the error of the mean of every M-th of them, for every kernel and N
          (MacEachern and Berliner 1994). N counts those that are kept. Where M does not divide the number of samples
          this is no theorem.

Errors are mean squared errors of the mean, in units of the target's variance; in the limit N times them. error 1 is at
most error 2, but for lazy chains, where they are the same. The table shows the limit of each comparison and the number of
samples that is worst for it; csv, json and parquet have all rows. The exit code is 1 if a theorem is violated, which can
only mean that the rows of a kernel or the solver are wrong.

With --out it also draws the ratios against N, those of the worst cases.`,
		Example: `  breadboard samplers order
  breadboard samplers order --toy random:4:1:4 --function g -N 1,2,3,4,5
  breadboard samplers order --toy random:5:1:5x5 --kernel metropolis,barker,lazy:0.3:metropolis -N 1,10,100,1000 --out results
  breadboard samplers order --corpus small --function g --lazy 0.1,0.9 --thin 3 --format json`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			slices.Sort(options.N)
			return a.samplersOrder(c.Context(), selection, options)
		},
	}
	addSamplers(c, &selection)
	addFunctions(c, &selection)
	f := c.Flags()
	f.VarP(samplesFlag(&options.N), "samples", "N", "numbers of samples")
	setDefault(c, "samples", "1,2,...,100")
	addNumbers(f, &options.Lazy, "lazy", options.Lazy, "probabilities of staying of lazy chains")
	f.Var(study.Wholes(&options.Thin, "M", 1, rank.MaxThin), "thin", "one of how many samples is kept")
	f.IntVar(&options.Workers, "workers", 0, "number of comparisons at once; 0 is one for each core")
	return c
}

func (a *app) samplersOrder(ctx context.Context, s samplers.Selection, o rank.OrderOptions) error {
	if err := o.Check(); err != nil {
		return badInput(err)
	}
	s.Forms = o.Forms()
	problems, err := a.sampled(ctx, s, o.Validate)
	if err != nil {
		return err
	}
	result, err := during(a, "comparisons", o.Steps(problems), func(progress func(int)) (*rank.Result, error) {
		o.Progress = progress
		return rank.RunOrder(ctx, problems, o)
	})
	if err != nil {
		return err
	}
	return a.show(func() *reports.Report { return reports.SamplersOrderReport(result) })
}
