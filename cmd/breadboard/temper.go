package main

import (
	"github.com/spf13/cobra"

	"breadboard/experiments"
	"breadboard/experiments/temper"
	"breadboard/reports/views/mcmc"
)

// temperCommand is the command of parallel tempering, with those of ladders, of log Z and of the comparison with annealing.
func (a *app) temperCommand() *cobra.Command {
	c := studyCommand(a, temper.Study(), a.ladders(true), mcmc.TemperReport)
	c.AddCommand(
		studyCommand(a, temper.Ladders(), a.ladders(false), mcmc.TemperLadderReport),
		studyCommand(a, temper.Stones(), a.ladders(true), mcmc.TemperStonesReport),
		studyCommand(a, temper.Comparison(), a.ladders(true), mcmc.TemperCompareReport),
	)
	return c
}

// ladders are annealings whose distributions are the rungs of a ladder. Where they are not scheduled, the schedule is no flag.
func (a *app) ladders(scheduled bool) subjects[experiments.Case] {
	s := &experiments.Selection{Toys: []string{"random:2:7:3x3", "barrier:3x3"}, Schedule: "acceptance"}
	about := a.selected(s, []int{3})
	if !scheduled {
		s.Schedule = experiments.Default("schedule")
		about.flags = func(c *cobra.Command) { addProblem(c, s, []int{3}) }
	}
	return about
}
