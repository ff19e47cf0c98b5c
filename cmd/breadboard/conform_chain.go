package main

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"breadboard/experiments/checks/conform/chain"
	"breadboard/experiments/draws/codes"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/experiments/study"
	"breadboard/reports"
	"breadboard/reports/views/checks"
)

func (a *app) conformChainCommand() *cobra.Command {
	var from drawsFrom
	var o chain.Options
	var kernel string
	var verbose, strict bool
	o.Thin = 1
	c := &cobra.Command{
		Use:                   "chain [FILE]... [flags] [-- PROGRAM [ARGUMENT]...]",
		DisableFlagsInUseLine: true, // they stand before --
		Short:                 "Test whether the moves of your Markov chain are those of a kernel, and whether its draws represent the target",
		Long: `chain reads the draws of Markov chains, one a row in their order, and answers two questions: is the sampler wrong, and do its draws represent the target?
Files are those that conform draws reads (breadboard conform draws --help). Each FILE is a chain, or has a column chain that tells chains apart (--column
run=chain names another). An array of .npy is a chain, or has a chain in each row in the shape (chains, draws).
An array of shape (chains, draws, D) has the D coordinates of each state, and each array of an .npz is a variable. --shape draws,chains reads emcee's (steps, walkers, D).

Is the sampler wrong? This question is answered only with --kernel: a kernel of breadboard, a matrix in a file, or a program in any language. Each
move is compared with the exact distribution of the kernel from the state before it, so it does not matter where a chain began, or whether it has
mixed. Each test gives an e-value, and their average decides: a false alarm has at most the probability --alpha. The result is a fault in the moves (exit code 1) or
a pass, which says what it excludes. It is open instead of a pass if another kernel, or a mistake without a parameter, explains the moves better by a likelihood ratio of 2.7e5 (five standard errors), and
is then named. Known mistakes are fitted: another inverse temperature, rejections that are not written, rows that are repeated, and another
number of moves between two draws. So are those without a parameter: all that kernel check names but those of clusters, proposals off the edge that are drawn again, clamped, turned back,
brought in on the other side or taken for states of the next row, a prior that was left out, a first proposal that is
always accepted, and another kernel such as barker. A mistake is named, with its interval, only if it leaves nothing unexplained.
If every N-th draw was kept, --thin N tests N moves at once.
Several chains are tested for independence of each other too: their moves at one time, given the states before them.

Do the draws represent the target? This question is always answered, by four tests: impossible states, the mean of each function beside the exact one in
standard errors of batch means, variables that never moved, and states that were never visited. If they do not, the verdict is differs. A correct sampler fails this if it has
not mixed, or if its kernel does not join all states. So without --kernel the exit code is 1, and there is no verdict on the sampler. If the moves are those of the kernel the exit code is 0 (1 with --strict), and the
report gives the exact error of such a chain and the number of draws that makes it small.`,
		Example: `  breadboard conform chain chain.csv --toy barrier
  breadboard conform chain chain_1.csv chain_2.csv --toy ising:3x3:0.3 --kernel heatbath-scan
  breadboard conform chain thinned.npy --toy easy --kernel metropolis --thin 10
  breadboard conform chain chains.csv --toy bif:asia.bif:evidence=xray=yes --column run=chain
  breadboard conform chain --toy easy --kernel metropolis -- python3 my_sampler.py`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			from.given(c, args)
			if kernel == "" && (o.Thin > 1 || strict) {
				return badInput(errors.New("--thin and --strict are about the moves of a kernel; give it, as in --kernel metropolis"))
			}
			return a.conformChain(c.Context(), &from, kernel, o, func(found *chain.Outcome) *reports.Report {
				return inDetail(checks.ConformChainReport(found, strict), verbose)
			})
		},
	}
	a.addDraws(c, &from, &o.Options, &verbose)
	f := c.Flags()
	f.StringVar(&kernel, "kernel", "", "whose moves the chains are meant to make")
	f.Var(study.Whole(&o.Thin, "N", 1, 10_000), "thin", "")
	f.StringSliceVar(&o.Functions, "function", nil, "whose means are compared (default all variables and g): "+
		strings.Join(samplers.FunctionSyntaxes(), ", "))
	f.BoolVar(&strict, "strict", false, "if the moves are right and the draws do not represent the target")
	return c
}

// conformChain tests chains and shows the findings.
func (a *app) conformChain(ctx context.Context, from *drawsFrom, kernel string, o chain.Options, show func(*chain.Outcome) *reports.Report) error {
	if from.toy == "" {
		return badInput(errors.New("chains have a target; give it, as in --toy barrier (breadboard toys lists them)"))
	}
	toy, err := a.reader.ParseToy(ctx, from.toy)
	if err != nil {
		return badInput(err)
	}
	if kernel != "" {
		if o.Kernel, o.Name, err = (samplers.Selection{Reader: a.reader}).Kernel(ctx, toy, kernel); err != nil {
			return studyFailure(err)
		}
	}
	c := codes.OfToy(toy)
	if err := from.coded(ctx, c); err != nil {
		return badInput(err)
	}
	return readDraws(ctx, a, from, c, &o.Options, func(readers []*codes.Reader) (*chain.Outcome, error) {
		return chain.Check(ctx, toy, readers, o)
	}, show)
}
