package main

import (
	"github.com/spf13/cobra"

	"breadboard/experiments/aide"
	"breadboard/reports"
)

func (a *app) aideCommand() *cobra.Command {
	c := studyCommand(a, aide.Study(), a.annealings(100), reports.AIDEReport)
	c.AddCommand(a.aideStudyCommand(), former(a.aideCheckCommand()))
	return c
}
