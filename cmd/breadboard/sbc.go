package main

import (
	"context"

	"github.com/spf13/cobra"

	"breadboard/experiments/checks/sbc"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
)

// samplersOf are the samplers of models that flags select.
func (a *app) samplersOf(s *sbc.Samplers) subjects {
	return subjects{
		what: "reading targets",
		flags: func(c *cobra.Command) {
			f := c.Flags()
			addToys(f, &s.Toys, ": models of data, such as clu4")
			f.Var(study.Selectors(&s.Samplers, sbc.Known), s.Flag, s.Usage)
		},
		build: func(ctx context.Context, in subject.Reader, _ func(int)) (any, error) {
			s.Reader = in
			return s.Cases(ctx)
		},
	}
}
