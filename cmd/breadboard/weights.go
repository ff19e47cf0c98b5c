package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"breadboard/exact"
	"breadboard/exact/weights"
	"breadboard/experiments"
	"breadboard/experiments/logweights"
	"breadboard/experiments/study"
	"breadboard/reports"
)

// weightsFlags are the flags of the other questions that the command weights answers; at most one of them may be given.
type weightsFlags struct {
	samples   []int
	tails     []float64
	quantiles []float64
}

func (a *app) weightsCommand() *cobra.Command {
	var selection experiments.Selection
	var options logweights.Options
	var flags weightsFlags
	c := &cobra.Command{
		Use:   "weights",
		Short: "The exact law of the log weight, and what averaging weights gains",
		Long: `weights computes the distribution of log w in both directions, exactly: its mean and standard deviation, how
often the estimate B-hat of the bound from a single pair of chains falls below J, or even below zero, and the
effective sample size of the forward chains as a share of their number. Where the log weights lie on a lattice
(barrier with a linear schedule) the law is a table; otherwise its characteristic function is inverted, and the
column error is a proven bound on the error of the probabilities.

Three flags ask other questions, one at a time. --samples gives the bounds on log R = log(Z_T/Z_1) from K weights:
forward (the log of their mean), reverse (the log of their harmonic mean) and mixed (one reverse and K-1 forward), and
the distance of each from log R. Where the log weights spread too far for a K above 1, its row is empty and a note
says why. --tails gives the probability that a log weight is on the wrong side of log R by more than b nats, and the
bound exp(-b) on it. --quantiles gives quantiles of log w.

With --out it also draws both laws, or with --samples the distances against K.`,
		Example: `  breadboard weights --toy barrier -T 100
  breadboard weights --toy easy -T 1000 --out results
  breadboard weights --samples 1,10,100,1000 --toy barrier,hard
  breadboard weights --tails 1,2,3 --format csv
  breadboard weights --quantiles 0.05,0.5,0.95 --schedule sigmoid`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return a.weights(c.Context(), selection, options, flags) },
	}
	addSelection(c, &selection, []int{100})
	f := c.Flags()
	f.Var(study.Wholes(&flags.samples, "K", 1, weights.MaxSamples), "samples", "numbers K of weights for which bounds are given")
	addNumbers(f, &flags.tails, "tails", nil, "distances b in nats, 0 or more, for which tails are given")
	addNumbers(f, &flags.quantiles, "quantiles", nil, "probabilities for which quantiles are given, each above 0 and below 1")
	f.IntVar(&options.Workers, "workers", 0, "number of computations at once; 0 is one for each core")
	f.Var(study.Whole(&options.Frequencies, "N", 0, maxCount), "frequencies", "largest number of frequencies at which a characteristic function is computed; 0 is as many as some seconds allow, not counting the sweeps over T")
	return c
}

// validate returns an error that says what is wrong with the flags, and nil where they are valid.
func (f *weightsFlags) validate(o logweights.Options) error {
	if s, t, q := len(f.samples) > 0, len(f.tails) > 0, len(f.quantiles) > 0; s && t || s && q || t && q {
		return errors.New("one question at a time: give one of --samples, --tails and --quantiles")
	}
	if len(f.samples) > 0 && o.Frequencies > 0 {
		return errors.New("--frequencies is for the law of the log weight, and --samples takes none of it; leave it out")
	}
	for _, b := range f.tails {
		if !(b >= 0 && b <= exact.MaxLogRange) {
			return fmt.Errorf("--tails %v; give nats, from 0 to %v", b, strconv.Itoa(exact.MaxLogRange))
		}
	}
	for _, q := range f.quantiles {
		if !(q > 0 && q < 1) {
			return fmt.Errorf("--quantiles %v; a quantile is above 0 and below 1", q)
		}
	}
	return nil
}

func (a *app) weights(ctx context.Context, selection experiments.Selection, options logweights.Options, flags weightsFlags) error {
	cases, err := a.cases(ctx, selection, func([]experiments.Case) error { return errors.Join(options.Validate(), flags.validate(options)) })
	if err != nil {
		return err
	}
	steps := options.Steps(cases)
	if len(flags.samples) > 0 {
		rows, err := during(a, "laws", steps, func(progress func(int)) ([]logweights.SampleRow, error) {
			return logweights.RunSamples(ctx, cases, flags.samples, logweights.SampleOptions{Workers: options.Workers, Progress: progress})
		})
		return showRows(a, rows, err, reports.SamplesReport)
	}
	rows, err := during(a, "laws", steps, func(progress func(int)) ([]logweights.Row, error) {
		options.Progress = progress
		return logweights.Run(ctx, cases, options)
	})
	return showRows(a, rows, err, flags.report)
}

// report returns the report that answers the question which the flags ask.
func (f *weightsFlags) report(rows []logweights.Row) *reports.Report {
	switch {
	case len(f.tails) > 0:
		return reports.TailsReport(rows, f.tails, inFlags)
	case len(f.quantiles) > 0:
		return reports.QuantilesReport(rows, f.quantiles, inFlags)
	}
	return reports.WeightsReport(rows, inFlags)
}
