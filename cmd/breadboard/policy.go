package main

import (
	"context"

	"github.com/spf13/cobra"

	"breadboard/experiments/particles/policy"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
)

// policyCommand is the command of learned samplers, with that of what training chooses.
func (a *app) policyCommand() *cobra.Command {
	c := a.derived("policy")
	c.AddCommand(a.derived("policy best"), a.derived("policy twist"))
	return c
}

// twists are the targets on sequences and their twists that flags select.
func twists(s *policy.TwistSelection) subjects {
	return subjects{
		what: "reading potentials",
		flags: func(c *cobra.Command) {
			f := c.Flags()
			addToys(f, &s.Toys, ": potentials phi on the sequences, as in random:2:0:3x3x3")
			f.Var(study.Selectors(&s.Bases, policy.ChainForms().Listing.Named), "base-chain", "")
			f.Var(study.Selectors(&s.Twists, policy.TwistForms().Listing.Named), "twist", "")
		},
		build: func(ctx context.Context, in subject.Reader, _ func(int)) (any, error) {
			s.Reader = in
			return s.Cases(ctx)
		},
	}
}

// policyPairs are the pairs of policies that flags select.
func policyPairs(s *policy.Selection) subjects {
	return subjects{
		what: "reading targets",
		flags: func(c *cobra.Command) {
			f := c.Flags()
			addToys(f, &s.Toys, "")
			f.Var(study.Selectors(&s.Policies, policy.Forms().Listing.Named), "policy", "")
		},
		build: func(ctx context.Context, in subject.Reader, _ func(int)) (any, error) {
			s.Reader = in
			return s.Cases(ctx)
		},
	}
}
