package reports

import (
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/experiments/tightness"
	"breadboard/reports/table"
)

// UntilReport returns the report of a search for a T that meets a goal: the table of tightness with the annealings that were
// found. It has a Fault, as a check does that has failed, where the goal is not met on some toy.
func UntilReport(found []tightness.Reached, g tightness.Goal) *Report {
	rows := make([]tightness.Row, len(found))
	for i, f := range found {
		rows[i] = f.Row
	}
	r := TightnessReport(rows)
	missed := 0
	for i := range found {
		r.note("%s", reachedText(&found[i], g))
		if !found[i].Met {
			missed++
		}
	}
	r.note("%s need not fall with T: a smaller T may meet the limit as well, and a larger one may not", g.Quantity)
	if missed > 0 && r.Fault == nil {
		r.Fault = chains.NewFault(fmt.Errorf("%s = %s is not met on %s", g.Quantity, table.Shortest(g.Limit), counted(missed, "toy")))
	}
	return r
}

// reachedText says how the search ended on one toy.
func reachedText(f *tightness.Reached, g tightness.Goal) string {
	T, value := f.Distributions(), g.Value(&f.Row)
	if !f.Met {
		return fmt.Sprintf("toy %s: %s is still %.6g at T = %d, above %s; %s", f.Toy.Name, g.Quantity, value, T, table.Shortest(g.Limit), f.Why)
	}
	text := fmt.Sprintf("toy %s: T = %d is where %s = %.6g meets %s", f.Toy.Name, T, g.Quantity, value, table.Shortest(g.Limit))
	if !math.IsNaN(f.Below) {
		text += fmt.Sprintf("; at T = %d it is %.6g", T-1, f.Below)
	}
	return fmt.Sprintf("%s (%d values of T were tried)", text, f.Tried)
}
