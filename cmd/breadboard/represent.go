package main

import (
	"github.com/spf13/cobra"

	"breadboard/experiments/annealing/represent"
	"breadboard/reports/views/annealing"
)

func (a *app) representCommand() *cobra.Command {
	return studyCommand(a, represent.Study(), a.represented(10, 100, 1000), annealing.RepresentReport)
}
