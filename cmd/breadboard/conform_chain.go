package main

import (
	"context"

	"github.com/spf13/cobra"

	"breadboard/chains/errs"
	"breadboard/experiments/checks/conform/chain"
	"breadboard/experiments/draws/codes"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/experiments/study"
	"breadboard/reports"
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
		Short: "Test whether the moves of your Markov chain are those of a kernel, and " +
			"whether its draws represent the target",
		Long: `chain reads the draws of Markov chains, one a row in their order, and tests
whether the sampler is right, and whether the draws represent the target.

Each FILE is a chain, or has a column chain. With --kernel each move is
compared with the exact distribution of the kernel from the state before it, so
it does not matter whether a chain has mixed. If draws of a right sampler do
not represent the target, the verdict is differs. The exit code is 1 if the
sampler is wrong, and without --kernel if the draws do not represent the
target.

See breadboard help check-draws.`,
		Example: `  breadboard conform chain chain.csv --toy barrier
  breadboard conform chain chain_1.csv chain_2.csv --toy ising:3x3:0.3 --kernel heatbath-scan
  breadboard conform chain chains.csv --toy bif:asia.bif:evidence=xray=yes --column run=chain
  breadboard conform chain --toy easy --kernel metropolis -- python3 my_sampler.py`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			from.takeArguments(c, args)
			if kernel == "" && (o.Thin > 1 || strict) {
				return badInput(errs.New(
					"--thin and --strict are about the moves of a kernel; give it, as in --kernel metropolis",
				))
			}
			return a.conformChain(c.Context(), &from, kernel, o, func(found *chain.Outcome) *reports.Report {
				return inDetail(chain.Report(found, strict), verbose)
			})
		},
	}
	a.addDraws(c, &from, &o.Options, &verbose)
	f := c.Flags()
	f.StringVar(&kernel, "kernel", "", "whose moves the chains are meant to make")
	f.Var(study.Whole(&o.Thin, "N", 1, 10_000), "thin", "")
	f.StringSliceVar(&o.Functions, "function", nil, "whose means are compared (default all variables and g)")
	f.BoolVar(&strict, "strict", false, "if the moves are right and the draws do not represent the target")
	return c
}

// conformChain tests chains and shows the findings.
func (a *app) conformChain(ctx context.Context, from *drawsFrom, kernel string, o chain.Options,
	show func(*chain.Outcome) *reports.Report) error {
	if from.toy == "" {
		return badInput(errs.New("chains have a target; give it, as in --toy barrier (breadboard toys lists them)"))
	}
	toy, err := a.reader.ParseToy(ctx, from.toy)
	if err != nil {
		return badInput(err)
	}
	if kernel != "" {
		o.Kernel, o.Name, err = (samplers.Selection{Reader: a.reader}).Kernel(ctx, toy, kernel)
		if err != nil {
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
