package main

import (
	"context"

	"github.com/spf13/cobra"

	"breadboard/experiments/checks/power"
	"breadboard/experiments/checks/sbc"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/reports/views/checks"
)

// sbcCommand is the command of simulation-based calibration.
func (a *app) sbcCommand() *cobra.Command {
	s := sbc.Selection{Toys: []string{"clu4"}, Samplers: []string{"iid", "prior", "power:0.9", "power:0.5", "metropolis"}}
	return studyCommand(a, sbc.Study(), a.sampled(&s, "sampler", ": iid, prior, power:B, bug:NAME, or a kernel"), checks.SBCReport)
}

// powerCommand is the command of tests beside one another.
func (a *app) powerCommand() *cobra.Command {
	s := sbc.Selection{Toys: []string{"clu4"}, Samplers: []string{"prior", "bug:redraw", "bug:skewed"}}
	return studyCommand(a, power.Study(), a.sampled(&s, "fault", ": prior, power:B, bug:NAME, or a wrong kernel"), checks.PowerReport)
}

// sampled are the samplers of models that flags select.
func (a *app) sampled(s *sbc.Selection, flag, usage string) subjects {
	return subjects{
		what: "reading targets",
		flags: func(c *cobra.Command) {
			f := c.Flags()
			addToys(f, &s.Toys, ": models of data, such as clu4")
			f.Var(study.Selectors(&s.Samplers, sbc.Known), flag, usage)
		},
		build: func(ctx context.Context, _ func(int)) (any, error) {
			return s.Cases(subject.WithPrograms(ctx, a.programs))
		},
	}
}
