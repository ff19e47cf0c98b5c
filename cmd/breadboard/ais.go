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
	about := a.selected(&subject.Selection{Factored: s.Declaration.Factored}, []int{1000})
	view := func(rows []ais.Row) *reports.Report { return annealing.AISReport(rows, inFlags) }
	c, o, how := questionCommand(a, s, about, view)
	withCheck(a, c, s.Declaration, about, o, how, view)
	a.withUntil(c, s.Declaration, a.askedOf(s.Declaration, about), o, how, reports.Untyped(view))
	exclude(c, "check", "until")
	return c
}
