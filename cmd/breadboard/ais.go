package main

import (
	"github.com/spf13/cobra"

	"breadboard/experiments/annealing/ais"
	"breadboard/reports"
)

func (a *app) aisCommand() *cobra.Command {
	d := a.derive("ais")
	d.view = reports.Untyped(func(rows []ais.Row) *reports.Report { return ais.Report(rows, inFlags) })
	withCheck(a, d)
	exclude(d.Command, "check", "until")
	return d.Command
}
