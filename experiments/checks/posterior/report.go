package posterior

import (
	"fmt"
	"strings"

	"breadboard/chains/selector"
	"breadboard/experiments/checks/conform/draws"
	"breadboard/reports"
	"breadboard/reports/table"
)

// Report returns the report on a sampler of posteriors, with the results of other
// tests on its fault.
func Report(found *Outcome) *reports.Report {
	r := &reports.Report{}
	n := reports.AddFindings(r, "conform_posterior",
		fmt.Sprintf("%s, %s and %s", found.Name, selector.Count(len(found.Parameters), "parameter"),
			selector.Count(len(found.Data), "data set")), Columns(), found.Findings)
	for i := range found.Findings {
		draws.ExplainAll(r.Checked[i:i+1], found.Findings[i].Where)
	}
	if len(found.Tests) > 0 {
		r.Add(reports.Table{
			Name:  "tests",
			Place: reports.BesideResults,
			Table: table.New(TestColumns(), found.Tests),
		})
	}
	if found.Untested != "" {
		r.Note("%s", found.Untested)
	}
	var powers []string
	for i := range found.Tests {
		if t := &found.Tests[i]; t.Name == "SBC" {
			powers = append(powers, fmt.Sprintf("%s (%s)", about(t.Power), t.Statistic))
		}
	}
	if powers != nil {
		r.Note("SBC with %d runs would have found this with probability %s", found.Tests[0].TestRuns,
			strings.Join(powers, ", "))
	}
	r.Conclude(n, found.Name+" is wrong for its model; see the findings that say fault",
		"no fault is shown, and the findings that say open are not decided")
	if limits := found.Limits(); limits != "" {
		r.NoteResult("what was tested is right for its model" + limits)
	}
	return r
}

// about says how large a power is that 1000 simulated tests have found.
func about(power float64) string {
	switch least := powerSeen; {
	case power < least:
		return fmt.Sprintf("below %g", least)
	case power > 1-least:
		return fmt.Sprintf("above %g", 1-least)
	}
	return fmt.Sprintf("about %.2g", power)
}
