package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"breadboard/experiments"
	"breadboard/experiments/crosscheck"
	"breadboard/experiments/external"
	"breadboard/experiments/kernelcheck"
	"breadboard/experiments/study"
	"breadboard/experiments/tightness"
	"breadboard/reports"
	"breadboard/toys"
)

func (a *app) kernelCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "kernel", Short: "List kernels, and check whether one is right and how good it is", Args: cobra.NoArgs,
		Example: "  breadboard kernel list\n  breadboard kernel check heatbath",
		RunE:    func(*cobra.Command, []string) error { return a.kernelList() },
	}
	c.AddCommand(
		&cobra.Command{
			Use: "list", Short: "List the kernels that --kernel takes", Args: cobra.NoArgs,
			Example: "  breadboard kernel list --format json",
			RunE:    func(*cobra.Command, []string) error { return a.kernelList() },
		},
		a.kernelCheckCommand())
	return c
}

func (a *app) kernelList() error {
	return a.showFixed(reports.KernelsReport(external.Forms().Descriptions()))
}

func (a *app) kernelCheckCommand() *cobra.Command {
	var o kernelcheck.Options
	var verbose bool
	var betas []float64
	c := &cobra.Command{
		Use:   "check SELECTOR",
		Short: "Is this kernel right, and how good is it?",
		Long: `check computes the exact transition matrix of a kernel on every toy and at every inverse temperature beta. It says
whether the rows sum to one, whether the kernel leaves the distribution invariant, and whether it is reversible or has
the time reversal that it says it has (for a kernel from outside that says nothing, the reversal is taken from the
rows). It says whether the kernel is irreducible, its period, its second eigenvalue and its spectral gap, and the
asymptotic variance and the integrated autocorrelation time of g, of the coordinates and of the dominant mode's
indicator. What is not exact to rounding has a bound, in the column +/-; the verdict open says that a bound is too wide
to decide. The exit code is 1 where the kernel is wrong.

Without --beta it then compares J and B of annealing with this kernel and with the paper's, at T = 100. That asks
the kernel for its rows at every stage: where it is a slow program, as some are with exec:, give a smaller -T. With --beta
it looks at the betas that are named, as is right for a kernel that knows one target only: there is an annealing only
where -T is given too, and no verdict on the kernel comes from it.

The integrated autocorrelation time is 1 + 2 times the sum of the autocorrelations at all lags: the number of moves of the
kernel that are worth one independent draw. Kernels whose moves cost differently are compared at equal cost with
repeat:N:KERNEL. On 9 spins, for one, heatbath-scan draws each spin once, and costs what repeat:9:heatbath does.

A program that makes its own choices (mode sample of exec:) cannot be proved right. It is tested with --moves moves under
each distribution, and the verdict says how far the law after one move may be from the distribution, as KL in nats, before the
fault would have been found with probability 0.99, if it shifts the probability of every state by a small factor. A kernel need not be
reversible, unless it says so in its first line.

It takes up to 65536 states, and then up to a minute for each beta: --beta 1 looks at the target alone. Above 1024 states
the spectral gap of a kernel that is not reversible is not computed, and spectral_gap_floor says which gap no eigenvalue
undercuts, but for a probability of 1e-12.

With --out it also draws the spectral gap against beta, and the states at which a wrong kernel is wrong.`,
		Example: `  breadboard kernel check heatbath
  breadboard kernel check heatbath -v
  breadboard kernel check lazy:0.5:barker --toy barrier --beta 0.5,1
  breadboard kernel check "exec:python3 kernel.py"
  breadboard kernel check "exec:python3 sampler.py" --toy easy --moves 1e7
  breadboard kernel check matrix:kernel.npy --toy file:target.csv
  breadboard kernel check flip --toy ising:3x3:0.44:torus --beta 1
  breadboard kernel check suwa-todo --format json --out results`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: completedOnce(ofKernels(external.Forms())),
		RunE: func(c *cobra.Command, args []string) error {
			o.Kernel = args[0]
			if c.Flags().Changed("beta") {
				if o.Betas = betas; !c.Flags().Changed("distributions") {
					o.T = 0
				}
			}
			return a.kernelCheck(c.Context(), o, verbose)
		},
	}
	o.T, o.Moves = tightness.PaperT, kernelcheck.DefaultMoves
	flags := c.Flags()
	o.Toys = experiments.PaperToys()
	addToys(flags, &o.Toys, "targets: "+strings.Join(toys.Forms().Syntaxes(), ", "))
	completeList(c, "toy", ofForms(toys.Forms()))
	addNumbers(flags, &betas, "beta", kernelcheck.Betas(), "inverse temperatures, from 0 to 1, at which a verdict is wanted")
	flags.VarP(study.Whole(&o.T, "T", 2, maxDistributions), "distributions", "T", "number of distributions of the annealing")
	flags.IntVar(&o.Workers, "workers", 0, "number of toys examined at once; 0 is one for each core")
	addSeed(flags, &o.Seed, "seed of the tests of programs that make their own choices")
	flags.Var(study.Whole(&o.Moves, "N", 0, maxCount), "moves", fmt.Sprintf("number of moves under each distribution of a program that makes its own choices, from %d to %d", kernelcheck.MinMoves, kernelcheck.MaxMoves))
	flags.Float64Var(&o.Alpha, "alpha", crosscheck.DefaultAlpha, "largest probability of a false alarm among those tests")
	addVerbose(flags, &verbose)
	return c
}

// kernelCheck checks a kernel and shows what was found: all of it, or the summary first.
func (a *app) kernelCheck(ctx context.Context, o kernelcheck.Options, verbose bool) error {
	o.Programs = a.programs
	checks, err := during(a, "examining distributions", o.Steps(), func(progress func(int)) ([]kernelcheck.Row, error) {
		o.Progress = progress
		return kernelcheck.Run(ctx, o)
	})
	if ctx.Err() != nil && !experiments.Ended(ctx, err) {
		err = ctx.Err()
	}
	if err != nil && len(checks) == 0 {
		return err
	}
	if err := a.output.open(a.leftovers); err != nil {
		return err
	}
	return showRows(a, checks, err, func(rows []kernelcheck.Row) *reports.Report {
		return inDetail(reports.KernelCheckReport(o.Kernel, rows), verbose)
	})
}
