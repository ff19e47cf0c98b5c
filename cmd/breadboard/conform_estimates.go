package main

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"breadboard/chains/errs"
	"breadboard/experiments/checks/conform"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/grid"
	"breadboard/toys"
)

func (a *app) conformEstimatesCommand() *cobra.Command {
	var from chainFiles
	var selection subject.Selection
	var o conform.Options
	var verbose bool
	logZ := math.NaN()
	c := &cobra.Command{
		Use: "estimates FILE",
		Short: "Test estimates of Z by any algorithm against the exact Z of a toy, or against a number, " +
			"without the folder of a task",
		Long: `estimates reads estimates of log(Z_T/Z_1), one a row, and tests whether the
claim of --claim about them is true.

FILE is a table with the column log_z, or a single column without a name; - is
standard input. If you know log Z, give --log-z instead of a toy; a mean that
is too low is then found only with --largest. calibrated tests standard errors,
in the column se, of any quantity with a known value. The exit code is 1 if the
claim does not hold, or if that is open.

See breadboard help logz.`,
		Example: `  breadboard conform estimates logz.csv --log-z 0.7867
  breadboard conform estimates logz.csv --toy bin4 --claim law:ns:100
  breadboard conform estimates logz.csv --toy bin4 --claim within:0.05:0.9
  my_sampler | breadboard conform estimates - --toy file:target.npy --claim calibrated:0.02`,
		Args: takes(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := estimated(c.Flags().Changed, &selection, &o, logZ); err != nil {
				return badInput(err)
			}
			from.estimates = args[0]
			if args[0] == standardInput {
				from.estimates = ""
				from.stdin = "estimates"
			}
			return a.conformEstimates(c.Context(), &from, selection, o, verbose)
		},
	}
	selection.Default = []int{12}
	addAnnealed(c, &selection, nil, subject.Default("kernel")) // there is a toy where one is given
	addSchedule(c, &selection, subject.Default("schedule"))
	addLengths(c, &selection)
	addAlpha(c, &o.Alpha)
	a.addDetail(c.Flags(), &verbose)
	addEstimates(c, &o.Estimates)
	addRoles(c, &from.columns)
	c.Flags().Var(known(&logZ), "log-z", "; with --claim reciprocal-unbiased log Z - log P(f_T > 0)")
	c.Flags().BoolVar(&o.LogZIncluded, "log-z-included", false, "")
	c.Flags().Var(study.Whole(&o.Chains, "N", 0, maxCount), "most", "of estimates that are read; 0 is all")
	addWorkers(c.Flags(), &o.Workers)
	return c
}

// estimated sets the toy whose Z is estimated. If Z is given as a number this is a toy of a single
// state, and no bound of the estimates is known.
func estimated(changed func(flag string) bool, s *subject.Selection, o *conform.Options, logZ float64) error {
	if !changed("log-z") {
		if changed("toy") {
			return nil
		}
		return errs.New(
			"nothing is known of the Z that is estimated; give a toy, as in --toy bin4 (breadboard toys " +
				"lists them), or the number, as in --log-z 0.7867",
		)
	}
	for _, flag := range append(selectionFlags(), "log-z-included") {
		if changed(flag) {
			return errs.New("--log-z says what Z is, and --%s is about the Z of a toy; leave one of them out", flag)
		}
	}
	if _, ofLaw := strings.CutPrefix(string(o.Estimates.Claim), "law:"); ofLaw {
		return errs.New("the claim %q is about the model, which the number --log-z does not tell; give a toy",
			o.Estimates.Claim)
	}
	toy, err := toys.Cells(grid.MustNew(1), []float64{logZ})
	if err != nil {
		return fmt.Errorf("--log-z: %w", err)
	}
	s.Toys = []string{toy.Name}
	s.Distributions = []int{2}
	o.Estimates.Number = true
	if math.IsNaN(o.Estimates.Largest) {
		o.Estimates.Largest = math.Inf(1)
	}
	if math.IsNaN(o.Estimates.Smallest) {
		o.Estimates.Smallest = math.Inf(-1)
	}
	return nil
}

// conformEstimates tests estimates of the Z of one annealing.
func (a *app) conformEstimates(ctx context.Context, from *chainFiles, selection subject.Selection,
	o conform.Options, verbose bool) error {
	if err := o.Validate(); err != nil {
		return badInput(err)
	}
	t, err := a.conformTask(ctx, selection)
	if err != nil {
		return err
	}
	in, done, err := from.openSources(ctx, a.stdin, t.Space())
	defer done()
	if err != nil {
		return badInput(err)
	}
	return a.conform(ctx, t, in, o, verbose)
}
