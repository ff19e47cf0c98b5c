package main

import (
	"github.com/spf13/cobra"

	"breadboard/experiments/couple"
	"breadboard/experiments/samplers"
	"breadboard/reports/views/mcmc"
)

// coupleCommand is the command of coupled chains, with those of the best coupling and of the unbiased estimator.
func (a *app) coupleCommand() *cobra.Command {
	chains := func(functions ...string) samplers.Selection {
		return samplers.Selection{Toys: []string{"random:2:7:3x3", "barrier:3x3"}, Kernels: []string{"metropolis", "heatbath"}, Starts: []string{"uniform"}, Functions: functions}
	}
	c := studyCommand(a, couple.Study(), a.samplersOf(chains(), addStarts), mcmc.CoupleReport)
	c.AddCommand(
		studyCommand(a, couple.Comparison(), a.samplersOf(chains(), addStarts), mcmc.CoupleBestReport),
		studyCommand(a, couple.Estimator(), a.samplersOf(chains("g"), addStarts), mcmc.CoupleUnbiasedReport),
		a.coupleCheckCommand(),
	)
	return c
}
