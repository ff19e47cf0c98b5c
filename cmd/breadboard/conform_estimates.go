package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"breadboard/chains/selector"
	"breadboard/experiments"
	"breadboard/experiments/checks/conform"
	"breadboard/experiments/checks/external"
	"breadboard/experiments/data/samples/files"
	"breadboard/experiments/mcmc/couple"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/experiments/study"
	"breadboard/grid"
	"breadboard/reports"
	"breadboard/reports/views/checks"
	"breadboard/toys"
)

func (a *app) conformEstimatesCommand() *cobra.Command {
	var from chainFiles
	var selection experiments.Selection
	var o conform.Options
	var verbose bool
	logZ, logOfZ := math.NaN(), math.NaN()
	c := &cobra.Command{
		Use: "estimates FILE", Short: "Test estimates of Z by any algorithm against the exact Z of a toy, or against a number, without the folder of a task",
		Long: `estimates reads estimates of log(Z_T/Z_1), one a row in the column log_z, or alone without a name, and tests whether what --claim says of them is true. For a
model of data Z_T/Z_1 is the marginal likelihood, and f_1 the prior. FILE is CSV, .npy or JSON Lines, or - for
standard input. Where you know Z yourself, --log-z or --z give it in place of a toy, with the constant that the estimates have. Nothing is then
known of how large an estimate can be: that the mean is too low can be tested only with --largest, and of the claim reciprocal-unbiased that it is too high only with --smallest.
With --claim calibrated estimates may be of anything whose exact value --log-z names, such as means of chains with the standard errors that a
package gives them in the column se. A chain that gives none has no row.

` + claimsHelp() + `

The test is an e-process: however often one looks, a false alarm has at most the probability --alpha. The exit code is 1
where the claim does not hold. breadboard help validate has an example for nested sampling.`,
		Example: `  breadboard conform estimates logz.csv --log-z 0.7867
  breadboard conform estimates logz.csv --toy bin4 --claim law:ns:100
  breadboard conform estimates logz.csv --toy bin4 --claim within:0.05:0.9
  my_sampler | breadboard conform estimates - --toy file:target.npy --claim calibrated:0.02`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := estimated(c.Flags().Changed, &selection, &o, logZ, logOfZ); err != nil {
				return badInput(err)
			}
			if from.estimates = args; args[0] == standardInput {
				from.estimates, from.stdin = nil, "estimates"
			}
			return a.conformEstimates(c.Context(), &from, selection, o, verbose)
		},
	}
	addSelection(c, &selection, []int{12})
	c.Flags().Lookup("toy").DefValue = ""
	addAlpha(c, &o.Alpha)
	a.addDetail(c.Flags(), &verbose)
	addEstimates(c, &o.Estimates)
	from.addColumns(c, "log_z,se")
	c.Flags().Var(known(&logZ), "log-z", "log Z in nats, in place of a toy")
	c.Flags().VarP(logged(&logOfZ), "z", "z", "Z, in place of a toy")
	c.Flags().BoolVar(&o.LogZIncluded, "log-z-included", false, "estimates hold log Z_1 as well: they are of log Z_T, the logarithm of the sum of f_T over all states")
	c.Flags().Var(study.Whole(&o.Chains, "N", 0, maxCount), "chains", "largest number of estimates that are read; 0 is all")
	addWorkers(c.Flags(), &o.Workers, "number of laws computed at once")
	return c
}

// estimated sets the toy whose Z is estimated. Where Z is given as a number this is a toy of a single state, and nothing is known of how large an
// estimate can be.
func estimated(changed func(flag string) bool, s *experiments.Selection, o *conform.Options, logZ, logOfZ float64) error {
	by := "log-z"
	switch {
	case changed("log-z") && changed("z"):
		return errors.New("--log-z and --z are both given; give one of them")
	case changed("z"):
		by, logZ = "z", logOfZ
	case !changed("log-z") && changed("toy"):
		return nil
	case !changed("log-z"):
		return errors.New("nothing is known of the Z that is estimated; give a toy, as in --toy bin4 (breadboard toys lists them), or the number, as in --log-z 0.7867")
	}
	for _, flag := range []string{"toy", "distributions", "path", "initial", "schedule", "kernel", "quotient", "log-z-included"} {
		if changed(flag) {
			return fmt.Errorf("--%s says what Z is, and --%s is about the Z of a toy; leave one of them out", by, flag)
		}
	}
	if _, ofLaw := strings.CutPrefix(string(o.Estimates.Claim), "law:"); ofLaw {
		return fmt.Errorf("the claim %q is about the model, which the number --%s does not tell; give a toy", o.Estimates.Claim, by)
	}
	toy, err := toys.Cells(grid.MustNew(1), []float64{logZ})
	if err != nil {
		return fmt.Errorf("--%s: %w", by, err)
	}
	s.Toys, s.Distributions = []string{toy.Name}, []int{2}
	if math.IsNaN(o.Estimates.Largest) {
		o.Estimates.Largest = math.Inf(1)
	}
	if math.IsNaN(o.Estimates.Smallest) {
		o.Estimates.Smallest = math.Inf(-1)
	}
	return nil
}

// conformEstimates tests estimates of the Z of one annealing.
func (a *app) conformEstimates(ctx context.Context, from *chainFiles, selection experiments.Selection, o conform.Options, verbose bool) error {
	if err := o.Validate(); err != nil {
		return badInput(err)
	}
	t, err := a.conformTask(ctx, selection)
	if err != nil {
		return err
	}
	in, done, err := from.open(ctx, a.stdin, t.Space())
	defer done()
	if err != nil {
		return badInput(err)
	}
	return a.conform(ctx, t, in, o, verbose)
}

func (a *app) conformCouplingsCommand() *cobra.Command {
	var toy, kernel, start, function string
	var verbose bool
	r := couple.Run{Lag: 1, K: 5, M: 20}
	c := &cobra.Command{
		Use: "couplings FILE", Short: "Test your own coupled chains: meeting times, costs, bounds and unbiased estimates",
		Long: `couplings reads what coupled chains have given, CSV with a row for each pair of chains, and tests it against the exact law. FILE
may be - for standard input. Each of these columns may be missing:

  tau        the meeting time: the least t >= L with X_t = Y_(t-L)
  cost       how many moves of one chain were made until both had met and X had made m: L + 2 (tau - L) + max(0, m - tau)
  bound      the term max(0, ceil((tau - L - t)/L)) of the bound on the distance after t moves (-t)
  estimate   the unbiased estimate of --function with k, m and L (breadboard help couplings)

X begins at time 0 and Y too, independently, both from --start; X makes L moves alone. The coupling is one of
` + strings.Join(append(couple.CouplingNames(), couple.Rejection), ", ") + `,
or exec:COMMAND, your own, as couple check takes it.

A column that does not have its law is a fault, and where a known mistake explains it, the fault names it: the correction
begins at k, the lag is counted twice, the quotient is rounded down, another coupling moved the chains, ... A pass says which of
them are ruled out (-v), how many rows would tell the others, and which of them leave the law of the column as it is. The tests are e-values: over all columns, a false alarm has at most the probability --alpha.
Rows are taken to be independent. The exit code is 1 where there is a fault.`,
		Example: `  breadboard conform couplings meetings.csv --toy random:2:7:3x3 --coupling common --lag 2
  breadboard conform couplings estimates.csv --toy random:2:7:3x3 --kernel heatbath --function g -k 5 -m 20 -v
  my_chains | breadboard conform couplings - --toy file:target.csv --coupling "exec:python3 coupling.py"`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			s := samplers.Selection{Toys: []string{toy}, Kernels: []string{kernel}, Starts: []string{start}, Functions: []string{function}, Programs: a.programs}
			return a.conformCouplings(c.Context(), args[0], s, r, verbose)
		},
	}
	f := c.Flags()
	f.StringVar(&toy, "toy", "random:2:7:3x3", "the target: "+strings.Join(toys.Forms().Listing.Syntaxes(), ", "))
	completeOne(c, "toy", ofForms(toys.Forms()))
	f.StringVar(&kernel, "kernel", "metropolis", "the Markov kernel: metropolis, barker, heatbath, ... (breadboard kernel list)")
	completeOne(c, "kernel", ofKernels(external.Forms()))
	f.StringVar(&r.Coupling, "coupling", "rows", "the coupling: "+strings.Join(append(couple.CouplingNames(), couple.Rejection), ", ")+", exec:COMMAND")
	completeOne(c, "coupling", among(selector.Plain(append(couple.CouplingNames(), couple.Rejection))))
	f.StringVar(&start, "start", "uniform", "law of the first state of both chains: "+strings.Join(experiments.LawForms().Listing.Syntaxes(), ", "))
	completeOne(c, "start", ofForms(experiments.LawForms()))
	f.StringVar(&function, "function", "g", "the function of the estimates: "+strings.Join(samplers.FunctionSyntaxes(), ", "))
	f.VarP(study.Whole(&r.Lag, "L", 1, maxCount), "lag", "L", "by how many moves the first chain is ahead")
	f.VarP(study.Whole(&r.K, "k", 0, maxCount), "k", "k", "the first time of the average of the estimates")
	f.VarP(study.Whole(&r.M, "m", 0, maxCount), "m", "m", "the last time of the average, and of the cost")
	f.VarP(study.Whole(&r.T, "t", 0, maxCount), "moves", "t", "the number of moves of which the bound is")
	addAlpha(c, &r.Alpha)
	a.addDetail(f, &verbose)
	return c
}

// conformCouplings tests what coupled chains have given.
func (a *app) conformCouplings(ctx context.Context, path string, s samplers.Selection, r couple.Run, verbose bool) error {
	problems, err := s.Problems(ctx)
	if err != nil {
		return studyFailure(err)
	}
	r.Problem, r.Programs = problems[0], a.programs
	var cells *files.Cells
	if path == standardInput {
		cells, err = files.StreamCells(ctx, "standard input", a.stdin)
	} else {
		cells, err = files.OpenCells(ctx, path)
	}
	if err != nil {
		return badInput(err)
	}
	defer cells.Close()
	if err := a.output.open(a.leftovers); err != nil {
		return err
	}
	found, err := during(a, "laws", -1, func(func(int)) ([]couple.Finding, error) { return couple.Conform(ctx, r, cells) })
	if err != nil {
		return studyFailure(err)
	}
	return a.show(func() *reports.Report {
		return inDetail(checks.ConformCouplingsReport(fmt.Sprintf("%s on %s", cells.Name(), r.Problem.Name()), r.Coupling, found), verbose)
	})
}
