package reports

import (
	"breadboard/experiments/crosscheck"
)

// CrossCheck returns the table of the tests, one row each.
func CrossCheck(c *crosscheck.Outcome) *Table {
	t := &Table{Columns: []Column{
		{Key: "toy", Title: "toy"}, {Key: "T", Title: "T"}, {Key: "path", Title: "path"}, {Key: "initial"}, {Key: "schedule", Title: "schedule"}, {Key: "kernel"},
		{Key: "simulation", Title: "simulation"}, {Key: "test", Title: "test"}, {Key: "draws", Title: "draws"},
		{Key: "e_value", Title: "e-value", Digits: 2}, {Key: "threshold", Title: "threshold", Digits: 2},
		{Key: "verdict", Title: "verdict"}, {Key: "where", Title: "where"},
	}}
	for _, b := range c.Batteries {
		at := &c.Cases[b.Case]
		for _, r := range b.Results {
			t.Rows = append(t.Rows, []any{
				at.Toy.Name, at.T, at.Path, at.Initial, at.Schedule, at.Kernel,
				b.Simulation, r.Test, r.Draws, r.EValue(), r.Threshold, verdict(r.Fault), r.Where,
			})
		}
	}
	return t
}

func verdict(fault bool) string {
	if fault {
		return "fault"
	}
	return "pass"
}

// Mutants returns the table of planted bugs and harmless variants.
func Mutants(results []crosscheck.MutantResult) *Table {
	t := &Table{Columns: []Column{
		{Key: "mutant", Title: "planted bug"}, {Key: "harmless", Title: "harmless"}, {Key: "caught", Title: "caught"}, {Key: "default", Title: "by default"},
		{Key: "draws", Title: "draws"}, {Key: "needs", Title: "needs", Digits: 2}, {Key: "where", Title: "where"},
	}}
	for _, m := range results {
		var needs any
		if m.Needs > 0 {
			needs = m.Needs
		}
		t.Rows = append(t.Rows, []any{m.Mutant, m.Harmless, m.Caught, m.Default, m.Draws, needs, m.Where})
	}
	return t
}
