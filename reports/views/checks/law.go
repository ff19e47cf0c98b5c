package checks

import (
	"breadboard/exact/program"
	"breadboard/experiments/checks/law"
	"breadboard/reports"
	"breadboard/reports/table"
)

// LawReport returns the report of the law of a program.
func LawReport(rows []law.Row) *reports.Report {
	r := reports.New("law", table.New(law.Study().Columns, rows))
	if len(rows) == 0 {
		return r
	}
	of := rows[0].Of
	if of.Cut > 0 {
		r.Note("%.3g is the probability of branches that were given up, each less probable than {cut}: no outcome has more than that beside its own", of.Cut)
	}
	switch of.Ended {
	case program.ByBranches:
		r.Note("%.3g is the probability of branches that were left after %d runs; {most} walks more", of.Left, of.Runs)
	case program.ByMemory:
		r.Note("%.3g is the probability of branches that were left after %d runs, as the choices on the way to them fill the memory; ask for fewer outcomes at once, or give a larger {cut}", of.Left, of.Runs)
	case program.ByTime:
		r.Note("%.3g is the probability of branches that were left after %d runs, as the time was over", of.Left, of.Runs)
	}
	if mean, variance, are := law.Moments(rows); are {
		r.Note("mean %v, variance %v", mean, variance)
	}
	return r
}
