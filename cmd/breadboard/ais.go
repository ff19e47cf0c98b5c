package main

import (
	"github.com/spf13/cobra"

	"breadboard/experiments/annealing/ais"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/views/annealing"
)

func (a *app) aisCommand() *cobra.Command {
	s := ais.Study()
	return untilCommand(a, s, a.selected(&subject.Selection{Factored: s.Declaration.Factored}, []int{1000}),
		func(rows []ais.Row) *reports.Report { return annealing.AISReport(rows, inFlags) })
}
