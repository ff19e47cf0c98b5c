package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"breadboard/chains/couplings"
	"breadboard/experiments/mcmc/couple"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/experiments/study"
	"breadboard/experiments/study/check"
	"breadboard/reports"
	"breadboard/reports/views/checks"
	"breadboard/reports/views/mcmc"
)

// coupleCommand is the command of coupled chains, with those of the best coupling and of the
// unbiased estimator.
func (a *app) coupleCommand() *cobra.Command {
	both := []string{"random:2:7:3x3", "barrier:3x3"}
	chains := func(toys []string, functions ...string) samplers.Selection {
		return samplers.Selection{Toys: toys, Kernels: []string{"metropolis", "heatbath"}, Starts: []string{"uniform"},
			Functions: functions}
	}
	c := studyCommand(a, couple.Study(), a.samplersOf(chains(both[:1]), addStart), mcmc.CoupleReport)
	c.AddCommand(
		studyCommand(a, couple.Comparison(), a.samplersOf(chains(both), addStart), mcmc.CoupleBestReport),
		studyCommand(a, couple.Estimator(), a.samplersOf(chains(both, "g"), addStart, addFunctions), mcmc.CoupleUnbiasedReport),
		a.coupleCheckCommand(),
	)
	return c
}

func (a *app) coupleCheckCommand() *cobra.Command {
	o, how := couple.CheckOptions{Toys: []string{"random:2:7:3x3", "barrier:3x3"}, Kernel: "metropolis"}, study.How{}
	var verbose bool
	c := &cobra.Command{
		Use: "check COUPLING", Short: "Is this coupling right? Yours, in any language, or one of the library",
		Long: `check looks at what a coupling does at every pair of states, at every inverse temperature beta. COUPLING is exec:COMMAND, a program that
speaks the protocol of kernels and is asked to move two chains ("couple" in experiments/programs/PROTOCOL.md), or one of
` + strings.Join(append(couplings.Names(), couple.Rejection), ", ") + `.
The kernel by which each of the two chains alone should move is given by --kernel; it may be a program too.

  first_marginal, second_marginal
                   the largest distance of a probability of one chain alone from that of the kernel. What is known of the fault
                   is said: two rows exchanged, a residual from the whole row, an old log f, another kernel, ...
  together         the largest probability with which chains that have met part again
  can_meet         from how many pairs chains can never meet though some coupling of the kernel could make them, and the
                   classes of pairs that they never leave
  longest_mean     the longest mean time until a pair has met, of which no verdict comes: a wrong coupling often meets sooner

A program that makes its own choices (mode sample), and rejection, which may draw for ever, are tested with --moves moves from
each pair, by e-values of which --alpha bounds the probability of a false alarm over all tests. The exit code is 1 if the
coupling is wrong. The results begin with a summary, and have the findings that say fault or open behind it; -v shows all, and
so do all formats but table.`,
		Example: `  breadboard couple check rows
  breadboard couple check common --kernel heatbath --toy barrier:3x3 -v
  breadboard couple check "exec:python3 coupling.py" --kernel metropolis
  breadboard couple check "exec:python3 mine.py" --kernel "exec:python3 mine.py" --beta 1`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			o.Coupling = args[0]
			if err := untested(c, o.Coupling, o.Kernel); err != nil {
				return err
			}
			return a.coupleCheck(c.Context(), o, how, verbose)
		},
	}
	flags := c.Flags()
	addToys(flags, &o.Toys, "")
	flags.StringVar(&o.Kernel, "kernel", o.Kernel, "by which each chain alone should move")
	addNumbers(flags, &o.Betas, "beta", couple.CheckBetas(), ", from 0 to 1, in the order in which the coupling gets them")
	addWorkers(flags, &how.Workers)
	addSeed(flags, &o.Seed)
	o.Moves = couple.DefaultMoves
	flags.Var(study.Whole(&o.Moves, "N", 0, maxCount), "moves",
		fmt.Sprintf("from each pair of a coupling that makes its own choices, from %d to %d", couple.MinMoves, couple.MaxMoves))
	flags.Float64Var(&o.Alpha, "alpha", check.DefaultAlpha, "")
	a.addDetail(flags, &verbose)
	return c
}

// coupleCheck checks a coupling and shows what was found: all of it, or what is not settled.
func (a *app) coupleCheck(ctx context.Context, o couple.CheckOptions, how study.How, verbose bool) error {
	o.Programs = a.programs
	plan, err := couple.CheckPlan(ctx, o)
	if err = studyFailure(cmp.Or(how.Validate(), err)); err != nil {
		return err
	}
	if err := a.output.open(a.leftovers); err != nil {
		return err
	}
	found, err := during(a, "pairs of states", plan.Steps, func(progress func(int)) ([]couple.Finding, error) {
		how.Progress = progress
		return plan.Run(ctx, how)
	})
	return showRows(a, found, err, func(rows []couple.Finding) *reports.Report {
		return inDetail(checks.CoupleCheckReport(o.Coupling, o.Kernel, rows), verbose)
	})
}
