package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"breadboard/experiments"
	"breadboard/experiments/aide"
	"breadboard/experiments/study"
	"breadboard/reports"
)

func (a *app) aideCommand() *cobra.Command {
	var selection experiments.Selection
	options := aide.Options{Target: "ais", Gold: "exact", Metas: []int{1, 10, 100}, GoldMetas: []int{1}}
	c := &cobra.Command{
		Use:   "aide",
		Short: "What AIDE says of two inference algorithms, exactly, beside the divergence that it bounds",
		Long: `aide compares the outputs of two inference algorithms. J is the symmetric Kullback-Leibler divergence between them.
AIDE (Cusumano-Towner and Mansinghka 2017) estimates it from runs of both and from meta-inference, which says how an
algorithm might have come to an output; its mean is an upper bound on J. Here the mean and the standard deviation of one
estimate are exact, for any number of meta-inference runs of the target (--meta) and of the gold standard (--gold-meta).

Algorithms are exact, which draws from the target of the annealing; ais; smc:P[:SCHEME[:THRESHOLD]], with P particles that
are resampled where their effective sample size is below THRESHOLD times P (1: at every stage, 0: never); mh:S, S moves by
--kernel from the initial distribution; sir:P, importance resampling from the initial distribution; and meanfield, the
variational approximation by a product over the axes. In each half of AIDE the output's own algorithm uses the trace with
which it came to the output as the first of its M; all others come from meta-inference.

Columns: bias is mean - J. upper_half and lower_half are what the traces of the target add to the mean, where all are from
meta-inference and where the first is the run's. kl_q_p_lower and kl_q_p_upper enclose KL(target||gold), and kl_p_q_upper
is above KL(gold||target); the lower one is known where the gold is a density. The mean and J come from one law each: "exact" or
"density", or how that of the particles is known. Where it is not known, the numbers are NaN, a note says what would have to
be smaller, and --runs estimates the mean with a standard error.

--without-first-trace leaves the run's own trace out, as some programs do. The result can be below J, and bounds nothing.

With --out it also draws the mean of AIDE with a band of one standard deviation against M, down to J.`,
		Example: `  breadboard aide
  breadboard aide --target smc:2 --gold exact --toy barrier -T 100
  breadboard aide --target mh:10 --toy easy -T 2 --meta 1,10,100
  breadboard aide --target sir:100 --gold smc:2 --toy easy -T 20 --runs 1e4
  breadboard aide --target ais --toy barrier:3x3 -T 10 --without-first-trace
  breadboard aide study hmm --out results
  breadboard selfcheck aide smc:2`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return a.aide(c.Context(), selection, options)
		},
	}
	addSelection(c, &selection, []int{100})
	f := c.Flags()
	addSelector(f, &options.Target, "target", options.Target, aide.Forms().Syntaxes(), "the algorithm that is judged: "+strings.Join(aide.Forms().Syntaxes(), ", "))
	addSelector(f, &options.Gold, "gold", options.Gold, aide.Forms().Syntaxes(), "the gold standard that it is compared with, of the same forms")
	completeOne(c, "target", ofForms(aide.Forms()))
	completeOne(c, "gold", ofForms(aide.Forms()))
	f.Var(metaCounts(&options.Metas), "meta", "numbers of meta-inference runs of the target, 1 to 1e9")
	f.Var(metaCounts(&options.GoldMetas), "gold-meta", "numbers of meta-inference runs of the gold, 1 to 1e9")
	f.BoolVar(&options.WithoutFirstTrace, "without-first-trace", false, "leave out the trace with which a run came to its output; this is wrong, and bounds nothing")
	f.Var(study.Whole(&options.Runs, "N", 0, maxCount), "runs", "number of runs of the estimator; 0 is none")
	addSeed(f, &options.Seed, "seed of the runs, 0 to 2^64-1")
	f.IntVar(&options.Workers, "workers", 0, "number of computations at once; 0 is one for each core")
	c.AddCommand(a.aideStudyCommand(), former(a.aideCheckCommand()))
	return c
}

// metaCounts returns a flag that takes numbers of meta-inference runs.
func metaCounts(to *[]int) study.Value {
	return study.Wholes(to, "M", 1, aide.MaxMeta)
}

func (a *app) aide(ctx context.Context, selection experiments.Selection, options aide.Options) error {
	cases, err := a.cases(ctx, selection, options.Validate)
	if err != nil {
		return err
	}
	rows, err := during(a, "traces of algorithms", options.Steps(cases), func(progress func(int)) ([]aide.Row, error) {
		options.Progress = progress
		return aide.Run(ctx, cases, options)
	})
	return showRows(a, rows, err, func(rows []aide.Row) *reports.Report { return reports.AIDEReport(rows, options.WithoutFirstTrace) })
}
