package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"breadboard/chains"
	"breadboard/experiments"
	"breadboard/experiments/crosscheck"
	"breadboard/reports"
)

func (a *app) crosscheckCommand() *cobra.Command {
	var selection experiments.Selection
	var options crosscheck.Options
	var mutants bool
	c := &cobra.Command{
		Use:   "crosscheck",
		Short: "Test the Monte Carlo side against the exact one",
		Long: `crosscheck runs chains in every way that breadboard has, and tests them against the exact laws: the rows of
the kernel, both ends of the chains in both directions, the log weights alone and given either end, the independence
of chains at several distances and of the two directions. Annealings of three distributions with the same kernel, one
of them steep, are run in many small calls: there the joint law of both ends and of the log weight is known path by
path, counts have their whole law, and two calls with the same outcome give away a generator with few seeds.

The tests are e-processes, so that they may look at the data as often as they like: over all tests of a run a false
alarm has probability at most alpha. Sample sizes double from 256 until every test has used up its draws, or one finds
a fault. Single moves go to twice --chains. An e-value near 0 is evidence for the exact law and no fault; at the
threshold, the number of tests over alpha, it is one.

Unless -T, --path, --initial or --schedule is given, every toy is tested twice: as the paper has it, and with an eighth
of the chains on the path q:0.5 with the schedule power:2, where no two stages are alike.

With --mutants it shows what the battery is worth: it is run on implementations with a planted bug each, which
it must catch, and on harmless variants, which it must not. Mutants are given more than
the real code: wrong kernels up to 10^8 moves (32 times the usual number where the distribution is steep), and counts
8 times the calls. The column default (by default) says whether the draws of a run without --mutants are enough; by
default five of the 49 bugs are missed there. Needs is the expected number of moves that a test of single moves needs
(Wald 1945), from the largest Kullback-Leibler divergence of one move. A bug that needs more than 10^8 is not held
against the battery: of the 49 that is the acceptance in 32 bits.`,
		Example: `  breadboard crosscheck
  breadboard crosscheck --toy file:target.csv -T 20 --kernel barker
  breadboard crosscheck --mutants --seed 3`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if mutants && !c.Flags().Changed("toy") {
				selection.Toys = []string{"easy"}
			}
			uneven := !mutants
			for _, name := range []string{"distributions", "path", "initial", "schedule"} {
				uneven = uneven && !c.Flags().Changed(name)
			}
			return a.crosscheck(c.Context(), selection, options, mutants, uneven)
		},
	}
	addSelection(c, &selection, []int{12})
	addChains(c, &options.Chains, &options.Seed, &options.Workers, 1<<19)
	c.Flags().Float64Var(&options.Alpha, "alpha", crosscheck.DefaultAlpha, "largest probability of a false alarm in the run; with --mutants, in the battery of each")
	c.Flags().BoolVar(&mutants, "mutants", false, "run the battery on planted bugs instead, by default of easy")
	return c
}

func (a *app) crosscheck(ctx context.Context, selection experiments.Selection, options crosscheck.Options, mutants, uneven bool) error {
	cases, err := a.cases(ctx, selection, func(c []experiments.Case) error {
		if err := options.Validate(); err != nil || !mutants {
			return err
		}
		return mutable(c)
	})
	if err != nil {
		return err
	}
	if mutants {
		return a.mutants(ctx, cases[0], options)
	}
	if _, staged := cases[0].Annealing.Kernel().(chains.Staged); uneven && !staged {
		selection.Programs = a.programs
		more, err := selection.Uneven().Cases(ctx)
		if err != nil {
			return studyFailure(err)
		}
		options.Beside = more
		a.note("every toy is also tested with T = %d on the path %s with the schedule %s, where no two stages are alike", more[0].T, more[0].Path, more[0].Schedule)
	}
	add, done := a.progress("batteries", 3*(len(cases)+len(options.Beside)))
	options.Progress = add
	result, err := crosscheck.Run(ctx, cases, options)
	done()
	if err != nil {
		return studyFailure(err)
	}
	if err := a.table("crosscheck", reports.CrossCheck(result)); err != nil {
		return err
	}
	for i, c := range result.Cases {
		for _, what := range result.Skipped[i] {
			a.note("%s: %s", &c, what)
		}
	}
	if result.Fault() {
		return fault(errors.New("a test found a fault; see the rows that say so"))
	}
	a.note("no fault found; a false alarm had probability at most %v", options.Alpha)
	return nil
}

// mutable says why there are no mutants of the cases.
func mutable(cases []experiments.Case) error {
	if len(cases) != 1 {
		return fmt.Errorf("--mutants with %d annealings; give one --toy and one -T", len(cases))
	}
	_, err := crosscheck.MutantJobs(cases[0].Annealing)
	return err
}

func (a *app) mutants(ctx context.Context, of experiments.Case, options crosscheck.Options) error {
	list, err := crosscheck.MutantJobs(of.Annealing)
	if err != nil {
		return badInput(err)
	}
	add, done := a.progress("mutants", len(list))
	options.Progress = add
	results, err := crosscheck.RunMutants(ctx, of, options)
	done()
	if err != nil {
		return studyFailure(err)
	}
	if err := a.table("mutants", reports.Mutants(results)); err != nil {
		return err
	}
	planted, caught, byDefault := 0, 0, 0
	for _, m := range results {
		if !m.Harmless {
			planted++
		}
		if m.Caught {
			caught++
		}
		if m.Default {
			byDefault++
		}
		if !m.Right() {
			return fault(fmt.Errorf("the battery misjudged %q", m.Mutant))
		}
		if m.Invisible() {
			a.note("%q cannot be seen: a test of single moves is expected to need %.2g of them", m.Mutant, m.Needs)
		}
	}
	a.note("every planted bug that can be seen was caught, and no harmless variant: %d of %d bugs, with up to 10^8 moves for wrong kernels and 8 times the calls for counts; the draws of a run without --mutants are enough for %d", caught, planted, byDefault)
	return nil
}
