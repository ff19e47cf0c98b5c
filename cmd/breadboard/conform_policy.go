package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"breadboard/exact/policies"
	"breadboard/experiments/checks/conform/draws"
	"breadboard/experiments/draws/codes"
	"breadboard/experiments/particles/policy"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/views/checks"
)

func (a *app) conformPolicyCommand() *cobra.Command {
	var from drawsFrom
	var o draws.Options
	var pair string
	var verbose bool
	c := &cobra.Command{
		Use:                   "policy [FILE]... [flags] [-- PROGRAM [ARGUMENT]...]",
		DisableFlagsInUseLine: true, // they stand before --
		Short:                 "Test whether your draws and log weights are those of a pair of policies",
		Long: `policy reads the draws of a learned sampler, one a row, with their log weights, and tests whether both have the exact joint distribution that
forward paths of --policy have on the target --toy (breadboard help policies). A row has the state at the end of a path, as conform draws reads it
(breadboard conform draws --help), and a column log_w with the natural logarithm of its weight,

  log w = log f(x) + sum of log P_B - sum of log P_F - log q_0(x_0),

with q_0 for the distribution of the first state, if there are several, and log f as breadboard toys show prints it. A weight of zero is -inf.

The tests are of how often each state was drawn with each value of log w, and of how draws depend on those before them. Values that float32 does not
tell apart are one; a note says how near they are. A log weight that no path to the state has is a fault. The message names the draw, the line and
the nearest possible value. If log w has more than 4e6 values, the tests are of the states, of the mean of w in each state, and of whether log w is
between its bounds.

Known mistakes are compared with the draws: log weights with the opposite sign, a constant that is added to all of them, as if they were normalised, a
term that was omitted, weights that belong to other rows. A mistake is named only if it leaves nothing unexplained. The average of the e-values
decides: however often you look, a false alarm has at most the probability --alpha.`,
		Example: `  breadboard conform policy draws.csv --toy ising:3x3:0.6 --policy masked:local:1
  breadboard conform policy draws.csv --toy random:2:0:3x3 --policy file:layers.npz
  my_sampler | breadboard conform policy - --toy ising:2x2:0.6 --policy order:local:1`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			from.given(c, args)
			return a.conformPolicy(c.Context(), &from, pair, o, verbose)
		},
	}
	a.addDraws(c, &from, &o, &verbose)
	c.Flags().StringVar(&pair, "policy", "", "")
	completeOne(c, "policy", ofForms(policy.Forms()))
	return c
}

// conformPolicy tests draws and log weights and shows the findings.
func (a *app) conformPolicy(ctx context.Context, from *drawsFrom, pair string, o draws.Options, verbose bool) error {
	if from.toy == "" || pair == "" {
		return badInput(errors.New("name the target and the policies of the draws, as in --toy ising:3x3:0.6 --policy masked:local:1"))
	}
	toy, err := subject.ParseToy(ctx, from.toy)
	var m policies.Model
	if err == nil {
		m, err = policy.Parse(pair, toy)
	}
	c := codes.OfToy(toy)
	if err == nil {
		err = from.coded(ctx, c)
	}
	if err != nil {
		return badInput(err)
	}
	return readDraws(ctx, a, from, c, &o, func(readers []*codes.Reader) (*draws.Outcome, error) {
		return draws.CheckPolicy(ctx, pair+" on "+toy.Title(), m, c, readers, o)
	}, func(found *draws.Outcome) *reports.Report {
		return inDetail(checks.ConformPolicyReport(found), verbose)
	})
}
