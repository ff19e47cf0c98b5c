package main

import (
	"context"

	"github.com/spf13/cobra"

	"breadboard/experiments/checks/sbc"
	"breadboard/experiments/study"
	"breadboard/reports/views/checks"
	"breadboard/toys"
)

// sbcCommand is the command of simulation-based calibration.
func (a *app) sbcCommand() *cobra.Command {
	s := sbc.Selection{Toys: []string{"clu4"}, Samplers: []string{"iid", "prior", "power:0.9", "power:0.5", "metropolis"}}
	return studyCommand(a, sbc.Study(), subjects{
		what: "reading targets",
		flags: func(c *cobra.Command) {
			f := c.Flags()
			addToys(f, &s.Toys, "models of data, such as clu4 (breadboard help toys)")
			f.Var(study.Selectors(&s.Samplers, sbc.Known), "sampler", "samplers: iid, prior, power:B, bug:NAME, or a kernel")
			completeList(c, "toy", ofForms(toys.Forms()))
			completeList(c, "sampler", ofForms(sbc.Forms()))
		},
		build: func(ctx context.Context, _ func(int)) (any, error) { return s.Cases(ctx) },
	}, checks.SBCReport)
}
