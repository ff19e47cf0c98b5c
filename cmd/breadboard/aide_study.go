package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"breadboard/chains/selector"
	"breadboard/experiments/aide"
	"breadboard/experiments/study"
	"breadboard/reports"
)

func (a *app) aideStudyCommand() *cobra.Command {
	options := aide.ComparisonOptions{Metas: []int{1, 10, 100}}
	c := &cobra.Command{
		Use:   "study NAME",
		Short: "The studies that AIDE was shown with: " + strings.Join(aide.ComparisonNames(), ", "),
		Long: `study compares the algorithms of one kind of problem with an exact gold standard, after figures 2 to 5 of
Cusumano-Towner and Mansinghka 2017. Each row has J, AIDE's mean and standard deviation for a number of meta-inference runs,
and lml_error = E log Zhat - log Z, by which such algorithms are usually judged.

  regression  a line through five points, on a grid of intercepts and slopes: particles that see one more point a stage,
              Metropolis moves from the prior, and mean field
  hmm         whole paths of a hidden Markov model: particle filters that propose by the prior or optimally; with --out
              also the marginals of each filter beside those of the posterior; --meta 1 takes a second, more some minutes
  bimodal     importance resampling from a broad proposal, and from one that covers one of two modes
  mixture     partitions of points under a Dirichlet-process mixture: proposals by the prior or optimal, with and without a
              Gibbs scan over the points after each step

The column probe is the mass of the right mode (bimodal) or the mean number of clusters (mixture). What has no exact route is
left out, or sampled with --chains; its method is then "sampled", and standard errors stand beside the estimates.

Data of one's own: --hmm takes TOML with pi, A, E and y (states and symbols are numbered from 0), and --points takes a CSV of
numbers: up to 12, whose partitions are counted, or up to 15 with --chains, where the gold standard is 100 particles.`,
		Example: `  breadboard aide study regression
  breadboard aide study hmm --hmm own.toml --out results
  breadboard aide study bimodal --meta 1
  breadboard aide study mixture --chains 1e4`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: completedOnce(among(studyCompletions())),
		RunE: func(c *cobra.Command, args []string) error {
			return a.aideStudy(c.Context(), args[0], options)
		},
	}
	f := c.Flags()
	f.StringVar(&options.HMM, "hmm", "", "a `FILE` with a hidden Markov model, in place of the study's own")
	f.StringVar(&options.Points, "points", "", "a `FILE` with points, in place of the study's own")
	f.Var(aide.MetaCounts(&options.Metas), "meta", "numbers of meta-inference runs, 1 to 1e9")
	f.Var(study.Whole(&options.Chains, "N", 0, maxCount), "chains", "how often what has no exact route is run; 0 leaves it out")
	addSeed(f, &options.Seed, "seed of what is sampled, 0 to 2^64-1")
	f.IntVar(&options.Workers, "workers", 0, "number of computations at once; 0 is one for each core")
	return c
}

// studyCompletions returns what a shell may complete a study's name with.
func studyCompletions() (out []selector.Completion) {
	for _, name := range aide.ComparisonNames() {
		out = append(out, selector.Completion{Text: name})
	}
	return out
}

func (a *app) aideStudy(ctx context.Context, name string, options aide.ComparisonOptions) error {
	study, err := aide.LoadComparison(ctx, name, options)
	if err != nil {
		return badInput(err)
	}
	if err := a.output.open(a.leftovers); err != nil {
		return err
	}
	result, err := during(a, "algorithms", study.Steps(), func(progress func(int)) (*aide.ComparisonResult, error) {
		study.Progress(progress)
		return study.Run(ctx)
	})
	if err != nil {
		return err
	}
	return a.show(func() *reports.Report { return reports.AIDEStudyReport(result) })
}
