package law

import (
	"breadboard/reports"
	"breadboard/reports/table"
)

// report returns the report of the distribution of a program.
func report(rows []Row) *reports.Report {
	r := reports.New("law", table.New(Study().Declaration.Columns, rows))
	if len(rows) == 0 {
		return r
	}
	of := rows[0].Of
	if of.Cut > 0 {
		r.Note("%.3g is the probability of branches that were given up, each less probable than {cut}", of.Cut)
	}
	if why := of.Why(); why != "" {
		r.Note("%.3g is the probability of branches that were left after %d runs; "+why, of.Left, of.Runs)
	}
	if missing := of.Cut + of.Left; missing > 0 {
		r.Note("what was not walked adds %.3g at most to any outcome, also to one that is not shown", missing)
	}
	if mean, variance, are := Moments(rows); are {
		r.Note("mean %v, variance %v", mean, variance)
	}
	return r
}
