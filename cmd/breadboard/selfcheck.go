package main

import (
	"cmp"
	"context"
	"time"

	"github.com/spf13/cobra"

	"breadboard/experiments/checks/selfcheck"
	"breadboard/experiments/study/check"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/views/checks"
)

func (a *app) simulationsCommand() *cobra.Command {
	var selection subject.Selection
	var options selfcheck.Options
	var verbose bool
	c := &cobra.Command{
		Use: "simulations", Short: "Test the Monte Carlo simulations against the exact distributions",
		Long: `It runs chains with every simulation that breadboard has, and tests them against the exact distributions. It tests
the rows of the kernel, both ends of the chains in both directions, the log weights alone and given either end, and
the independence of chains at several distances and of the two directions. It also runs annealings of three
distributions with the same kernel, one of them steep, in many small calls. For these the probability of every path
and the distribution of all counts is known, and two calls with the same outcome show that a generator has few seeds.

Systems of particles (sequential Monte Carlo) are tested against conditional ones from exact draws of the target, with an
eighth of the chains (a 64th where the kernel has no rows). On one small case every way in which two or three particles
can go is enumerated: the distribution of runs and of conditional runs is tested for every scheme of resampling, and the distribution of
what AIDE averages.

Couplings are tested on two small cases, the last in the table, with a 16th of the chains: where a pair of states goes
in one move, and after how many moves two chains meet.

The tests are e-processes: they may look at the data any number of times, and over all tests of a run a false
alarm has probability at most alpha. Sample sizes double from 256 until every test has used up its draws, or one finds
a fault. There are up to twice as many single moves as --chains says. An e-value near 0 is evidence for the exact distribution;
an e-value of at least the threshold, which is the number of tests over alpha, is a fault. The results begin with a
line for each simulation, and have the tests that found a fault behind it; -v shows all tests, and so do all formats but table.

Unless -T, --path, --initial or --schedule is given, every toy is tested twice: as in Grosse et al. (2016), and with an eighth
of the chains on the path q:0.5 with the schedule power:2, where no two stages are alike.`,
		Example: `  breadboard selfcheck simulations
  breadboard selfcheck simulations --toy file:target.csv -T 20 --kernel barker`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			uneven := true
			for _, name := range []string{"distributions", "path", "initial", "schedule"} {
				uneven = uneven && !c.Flags().Changed(name)
			}
			return a.selfcheckSimulations(c.Context(), selection, options, uneven, verbose)
		},
	}
	addSelection(c, &selection, []int{12})
	addChains(c, &options.Chains, &options.Seed, &options.Workers, 1<<19)
	c.Flags().Float64Var(&options.Alpha, "alpha", check.DefaultAlpha, "largest probability of a false alarm in the run")
	a.addDetail(c.Flags(), &verbose)
	return c
}

func (a *app) selfcheckSimulations(ctx context.Context, selection subject.Selection, options selfcheck.Options, uneven, verbose bool) error {
	cases, err := a.cases(ctx, selection, func([]subject.Case) error { return options.Validate() })
	var failed subject.Failures
	if err := failed.KeepBeside(ctx, len(cases), err); err != nil {
		return err
	}
	var beside []subject.Case
	if uneven {
		beside, err = a.beside(ctx, selection, cases)
		if err := failed.KeepBeside(ctx, len(cases), err); err != nil {
			return err
		}
	}
	prepared, err := during(a, "exact distributions", selfcheck.LawSteps(len(cases)+len(beside)), func(progress func(int)) (*selfcheck.Prepared, error) {
		options.Solved, options.Tabulated = progress, a.asking()
		return selfcheck.Prepare(ctx, cases, beside, options)
	})
	if err != nil {
		return err
	}
	result, err := during(a, "tests of simulations", prepared.Batteries(), func(progress func(int)) (*selfcheck.Outcome, error) {
		return prepared.Run(ctx, progress)
	})
	if err != nil {
		return err
	}
	return a.show(func() *reports.Report {
		return inDetail(checks.CrossCheckReport(result, options.Alpha), verbose).WithFailures(failed)
	})
}

// asking returns a function that receives the number of the rows of a program that are there, of
// all. It writes how long they will take, when the first are there and then as often as progress is
// shown elsewhere.
func (a *app) asking() func(rows, of int) {
	start, next, every := a.now(), time.Duration(0), a.linesEvery()
	return func(rows, of int) {
		elapsed := a.now().Sub(start)
		if elapsed < next || rows == of {
			return
		}
		next = elapsed + every
		left := time.Duration(float64(elapsed) * float64(of-rows) / float64(rows))
		a.note("asking the program for its rows, each once: %d of %d, about %v left; chains are then drawn from them", rows, of, left.Round(time.Second))
	}
}

// beside returns the cases of Selection.Beside, which are tested if no flag sets the path, and
// writes a note that says so.
func (a *app) beside(ctx context.Context, selection subject.Selection, cases []subject.Case) ([]subject.Case, error) {
	selection.Programs = a.programs
	beside, err := selection.Beside(ctx, cases)
	if len(beside) == 0 {
		return nil, studyFailure(err)
	}
	return beside, cmp.Or(a.write(&reports.Report{Parts: []reports.Part{checks.BesideNote(beside)}}), studyFailure(err))
}

// selfcheckCommand tests breadboard itself.
func (a *app) selfcheckCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "selfcheck", Short: "Does breadboard itself compute what it says?",
		Long: `selfcheck holds what breadboard computes in two ways against each other: its simulations, its estimators and its
meta-inference against the exact distributions, which are computed without any of their code. To check code of your own see conform,
kernel check and geweke.`,
		Example: "  breadboard selfcheck simulations\n  breadboard selfcheck evidence\n  breadboard selfcheck aide smc:2:systematic",
		Args:    cobra.NoArgs, RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(
		a.simulationsCommand(), named("evidence", a.evidenceCheckCommand()), named("sandwich", a.sandwichCheckCommand()),
		named("aide", a.aideCheckCommand()))
	return c
}
