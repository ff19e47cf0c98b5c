package main

import (
	"github.com/spf13/cobra"

	"breadboard/experiments/gibbs"
	"breadboard/reports/views/mcmc"
)

// smcCommand adds to the command of sequential Monte Carlo that of particle Gibbs, which is about hidden Markov models.
func (a *app) smcCommand() *cobra.Command {
	c := a.derived("smc")
	c.AddCommand(studyCommand(a, gibbs.Study(), alone(), mcmc.GibbsReport))
	return c
}
