package main

import (
	"context"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"breadboard/chains"
	"breadboard/chains/selector"
	"breadboard/experiments/samplers"
	"breadboard/experiments/samplers/rank"
	"breadboard/experiments/study"
	"breadboard/reports"
)

func (a *app) samplersRankCommand() *cobra.Command {
	selection := samplers.Selection{Corpus: "small", Starts: []string{"uniform"}}
	options := rank.Options{Chains: 8}
	budget := 1e4
	c := &cobra.Command{
		Use:   "rank",
		Short: "Which kernel is best, and where? A leaderboard at equal work, every number exact",
		Long: `rank sets kernels side by side on the targets of a corpus, at equal work: every chain takes as many samples as --budget
evaluations of log f pay for, one for its start and then those of each move. It scores the mean, the variance and the
distribution of a function (by the Cramer-von Mises distance, CvM) by their real effective sample sizes, RESS.

NESS is RESS over the median number of samples of the competitors on the same target (Turner and Neal 2017, Eq. 7), and the
leaderboard has its mean and median over the targets, as Table 1 of the paper does. Ranks are by RESS, one is the best, and
kernels that are equal share a rank; a win that is shared counts in parts. RESS/N is the median efficiency (Eq. 6).
P(success) is how likely --chains chains have a RESS of at least 12: from the exact law of the mean where that is small enough ("law", or
"bounds" where two bounds of it agree to 0.001), and else with Gaussian errors of the exact RESS ("Gaussian").

"Warm-up pays" is the share of the targets on which dropping samples at the start, of the same budget, gains more than a
hundredth in RESS of the mean; --drop says which shares of the samples are tried.

A second table says which kernel is best on each target. A kernel that cannot move on a target's space, or that does not say
how much work a move is, is left out there, and a note says so. A corpus of your own is FILE.toml (breadboard samplers corpus --help).

With --out it also writes the scores of every kernel on every target, and draws box plots of NESS and efficiency, of all
targets beside those with RESS of at least 12, and a map of NESS by kernel and target.`,
		Example: `  breadboard samplers rank
  breadboard samplers rank --corpus standard --budget 1e4 --out results
  breadboard samplers rank --toy easy,barrier --kernel metropolis,heatbath,lazy:0.5 --start uniform,target --budget 1000
  breadboard samplers rank --function all --format json`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if c.Flags().Changed("toy") {
				selection.Corpus = ""
			}
			if c.Flags().Changed("kernel") && len(selection.Kernels) == 0 {
				return badInput(chains.NewAdvice("no kernel is named; give some, as in {kernel} metropolis,heatbath"))
			}
			return a.samplersRank(c.Context(), selection, budget, options)
		},
	}
	addSamplers(c, &selection)
	addStart(c, &selection)
	addFunctions(c, &selection)
	setDefault(c, "kernel", "["+strings.Join(rank.DefaultKernels(), ",")+"]")
	setDefault(c, "function", "x0, and g on a graph")
	f := c.Flags()
	f.Var((*amount)(&budget), "budget", "how many evaluations of log f a chain may take")
	f.Var(study.Whole(&options.Chains, "N", 0, maxCount), "chains", "number of independent chains whose success is asked about")
	addNumbers(f, &options.Drop, "drop", []float64{0.1, 0.5}, "shares of the samples that are tried as warm-up and dropped, from 0 on and below 1")
	f.IntVar(&options.Workers, "workers", 0, "number of chains solved at once; 0 is one for each core")
	return c
}

// amount is a flag that takes a number, which may be written as 1e4.
type amount float64

func (v *amount) String() string { return strconv.FormatFloat(float64(*v), 'g', -1, 64) }
func (v *amount) Type() string   { return "X" }
func (v *amount) Set(s string) error {
	x, err := selector.ParseNumber(s)
	*v = amount(x)
	return err
}

func (a *app) samplersRank(ctx context.Context, selection samplers.Selection, budget float64, options rank.Options) error {
	if err := options.Validate(); err != nil {
		return studyFailure(err)
	}
	contest, err := a.contest(ctx, selection, budget)
	if err != nil {
		return err
	}
	rows, err := during(a, "chains", len(contest.Problems), func(progress func(int)) ([]rank.Row, error) {
		options.Progress = progress
		return rank.Run(ctx, contest, options)
	})
	return showRows(a, rows, err, func(rows []rank.Row) *reports.Report { return reports.SamplersRankReport(contest, rows) })
}

// contest builds the chains that compete, and opens the output.
func (a *app) contest(ctx context.Context, selection samplers.Selection, budget float64) (*rank.Contest, error) {
	selection.Programs = a.programs
	add, done := a.progress("setting up chains", -1)
	selection.Progress = add
	contest, err := rank.NewContest(ctx, selection, budget)
	done()
	if err != nil {
		return nil, studyFailure(err)
	}
	return contest, a.output.open(a.leftovers)
}
