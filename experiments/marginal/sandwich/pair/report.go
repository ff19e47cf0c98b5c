package pair

import (
	"math"

	"breadboard/experiments/annealing/ais"
	"breadboard/reports"
	"breadboard/reports/check"
	"breadboard/reports/table"
)

// report returns the report of the log weights of both directions, with a figure of both
// distributions.
func report(rows []Row) *reports.Report {
	r := reports.New("sandwich_pair", table.New(rowColumns(), rows))
	for i := range rows {
		row := &rows[i]
		middle := row.BAR.Value
		sides := []ais.Side{{Name: "forward", LogW: row.Forward, Mean: row.Lower.Value},
			{Name: "reverse", LogW: row.Reverse, Mean: row.Upper.Value}}
		line := "BAR"
		switch {
		case row.Exact != nil:
			middle, line = row.Exact.LogZRatio, "log Z_{T}/Z_{1}"
			sides[0].Mean, sides[1].Mean = row.Exact.MeanLogWForward, row.Exact.MeanLogWReverse
		case !math.IsNaN(row.LogZ):
			middle, line = row.LogZ, "log Z_{T}/Z_{1}"
		}
		means := "mean"
		if row.Exact != nil {
			means = "exact mean"
		}
		plot, data := ais.Histograms("sandwich_pair", "Log weights of both directions", sides, means, middle, line)
		r.PlotLater(plot, data)
		at := len(r.Parts)
		n := reports.AddFindings(r, "sandwich_pair_check", "the log weights", findingColumns(), row.Findings)
		findings := r.Parts[at].(reports.Table)
		findings.Place = reports.BesideResults
		r.Parts[at] = findings
		why := ""
		if unsettled := check.Unsettled(row.Findings); len(unsettled) > 0 {
			why = unsettled[0].Name + ": " + unsettled[0].Where
		}
		r.Conclude(n, why, why)
		r.NoteResult(row.Findings[0].Where)
	}
	return r
}
