package main

import (
	"context"

	"github.com/spf13/cobra"

	"breadboard/experiments/particles/policy"
	"breadboard/experiments/study"
	"breadboard/reports/views/particles"
)

// policyCommand is the command of learned samplers, with that of what training chooses.
func (a *app) policyCommand() *cobra.Command {
	c := untilCommand(a, policy.Study(), a.policies(policy.Selection{
		Toys: []string{"ising:3x3:0.6"}, Policies: []string{"masked:local:0.8", "masked:local:1.2", "masked:local:1.5", "masked:exact"},
	}), particles.PolicyReport)
	c.AddCommand(studyCommand(a, policy.Best(), a.policies(policy.Selection{Toys: []string{"ising:2x3:0.6"}, Policies: []string{"masked:local:c"}}),
		particles.PolicyBestReport))
	c.AddCommand(studyCommand(a, policy.Twisted(), a.twists(policy.TwistSelection{
		Toys: []string{"random:2:0:3x3x3x3"}, Bases: []string{"markov:1:0"}, Twists: []string{"none", "lookahead:1", "exact"},
	}), particles.PolicyTwistReport))
	return c
}

// twists are the targets on sequences and their twists that flags select.
func (a *app) twists(s policy.TwistSelection) subjects {
	return subjects{
		what: "reading potentials",
		flags: func(c *cobra.Command) {
			f := c.Flags()
			addToys(f, &s.Toys, ": potentials phi on the sequences, as in random:2:0:3x3x3")
			f.Var(study.Selectors(&s.Bases, policy.ChainForms().Listing.Named), "base-chain", "")
			f.Var(study.Selectors(&s.Twists, policy.TwistForms().Listing.Named), "twist", "")
		},
		build: func(ctx context.Context, _ func(int)) (any, error) { return s.Cases(ctx) },
	}
}

// policies are the pairs of policies that flags select.
func (a *app) policies(s policy.Selection) subjects {
	return subjects{
		what: "reading targets",
		flags: func(c *cobra.Command) {
			f := c.Flags()
			addToys(f, &s.Toys, "")
			f.Var(study.Selectors(&s.Policies, policy.Forms().Listing.Named), "policy", "")
		},
		build: func(ctx context.Context, _ func(int)) (any, error) { return s.Cases(ctx) },
	}
}
