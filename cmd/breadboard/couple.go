package main

import (
	"github.com/spf13/cobra"

	"breadboard/experiments/mcmc/couple"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/reports/views/mcmc"
)

// coupleCommand is the command of coupled chains, with those of the best coupling and of the
// unbiased estimator.
func (a *app) coupleCommand() *cobra.Command {
	both := []string{"random:2:7:3x3", "barrier:3x3"}
	chains := func(toys []string, functions ...string) samplers.Selection {
		return samplers.Selection{Toys: toys, Kernels: []string{"metropolis", "heatbath"}, Starts: []string{"uniform"},
			Functions: functions}
	}
	c := studyCommand(a, couple.Study(), a.samplersOf(chains(both[:1]), addStart), mcmc.CoupleReport)
	c.AddCommand(
		studyCommand(a, couple.Comparison(), a.samplersOf(chains(both), addStart), mcmc.CoupleBestReport),
		studyCommand(a, couple.Estimator(), a.samplersOf(chains(both, "g"), addStarts), mcmc.CoupleUnbiasedReport),
	)
	return c
}
