package main

import (
	"context"

	"github.com/spf13/cobra"

	branches "breadboard/exact/program"
	"breadboard/experiments/particles/aide"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/views/checks"
)

func (a *app) aideCommand() *cobra.Command {
	c := a.derived("aide")
	c.AddCommand(a.deriveOn(entryOf("aide study"), comparisons()).Command, a.aideCheckCommand()) // an argument names its subject
	return c
}

// comparisons is what the argument of a command names, with the data of your own.
func comparisons() subjects {
	var name string
	var own aide.Data
	return subjects{
		what: "setting up the study",
		flags: func(c *cobra.Command) {
			c.Use += " NAME"
			c.Args = func(c *cobra.Command, args []string) error {
				if err := cobra.ExactArgs(1)(c, args); err != nil {
					return err
				}
				name = args[0]
				return nil
			}
			c.Flags().StringVar(&own.HMM, "hmm", "", ": a `FILE` in TOML or JSON, in place of the study's own")
			c.Flags().StringVar(&own.Points, "points", "", "")
		},
		build: func(context.Context, subject.Reader, func(int)) (on any, err error) {
			s, err := aide.LoadComparison(name, own)
			return []*aide.Comparison{s}, err
		},
	}
}

func (a *app) aideCheckCommand() *cobra.Command {
	var selection subject.Selection
	var verbose bool
	c := &cobra.Command{
		Use: "check ALG", Short: "Is the meta-inference of this algorithm right, and for which output is it not?",
		Long: `It runs an algorithm once for every way in which its random choices can come out, and its meta-inference so for every
output. A run draws a trace u and an output x with probability q(u, x), and meta-inference draws u with probability r(u; x)
for a given x; both say xi, which must be Z q(u, x)/r(u; x). Each finding is how far an identity is from holding: nats for
logarithms, else probabilities. The exit code is 1 if one does not hold, and the finding says for which output.

  mean_xi               the mean of xi in meta-inference is Z q(x)
  xi_of_traces          xi is Z q(u, x)/r(u; x) on every trace
  size_biased           xi of a run has the distribution of meta-inference's, size-biased
  run_only, meta_only   meta-inference draws every trace that runs have, and gives those that no run has a xi of zero
  other_output, one_xi  meta-inference returns the output it was given; a trace has one xi
  mean_zhat             E Zhat = Z, and at every output E[Zhat; x] = Z p(x)
  one_trace_is_gap      with one trace AIDE's mean is E log Zhat given an output of the target, less that of a run
  mean_below_J, kl_out_of_order, rises_with_meta, rises_with_gold_meta
                        AIDE's mean is at least J, its halves bound both divergences, and more traces never raise it

The statement about AIDE's mean is open if a run may be extinct, since the mean is then infinite, or if another identity
does not hold. The results begin with a summary, and have the findings that say fault or open behind it; -v shows all, and so
do all formats but table.

Spaces must be small: the number of runs grows with states, particles and stages as that of all their histories does.`,
		Example: `  breadboard aide check smc:2:systematic
  breadboard aide check mh:3 --toy random:2:1:2x2 --kernel suwa-todo
  breadboard aide check sir:3 --format json`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return a.aideCheck(c.Context(), args[0], selection, verbose)
		},
	}
	selection.Toys = aide.CheckToys()
	addSelection(c, &selection, []int{aide.CheckDistributions})
	a.addDetail(c.Flags(), &verbose)
	return c
}

func (a *app) aideCheck(ctx context.Context, algorithm string, selection subject.Selection, verbose bool) error {
	choice, err := aide.Parse(algorithm)
	if err != nil {
		return badInput(err)
	}
	selection.Most = branches.DefaultBranches
	cases, err := a.cases(ctx, selection, func([]subject.Case) error { return nil })
	var failed subject.Failures
	if err := failed.KeepBeside(ctx, len(cases), err); err != nil {
		return err
	}
	findings, err := during(a, "walks", -1, func(progress func(int)) ([]aide.Finding, error) {
		return aide.Check(ctx, choice, cases, progress)
	})
	if err != nil {
		return err
	}
	return a.show(func() *reports.Report {
		return inDetail(checks.AIDECheckReport(choice.Name, findings), verbose).WithFailures(failed)
	})
}
