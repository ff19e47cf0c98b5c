package checks

import (
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/experiments/checks/geweke"
	"breadboard/experiments/columns"
	"breadboard/experiments/study/check"
	"breadboard/reports"
	"breadboard/reports/table"
	"breadboard/reports/views/internal/curves"
)

// GewekeReport returns the report of the joint test of models, their simulators and a kernel: for
// people a summary and the findings that say fault, or all of them if the report is made Whole. It
// has P-P plots of each model, and a Fault if a test fails.
func GewekeReport(rows []geweke.Row) *reports.Report {
	r := &reports.Report{}
	fields, findings := geweke.FindingColumns(), allFindings(rows, func(r *geweke.Row) []geweke.Finding { return r.Findings })
	r.Add(reports.Table{
		Name: "geweke", Table: table.New(fields, findings), Brief: table.New(check.ReasonFirst(fields), check.Unsettled(findings)),
		Summary: func(paint func(string) string) string { return gewekeSummary(rows, paint) },
	})
	r.Checked = check.Cases(fields, findings)
	for i := range rows {
		row := &rows[i]
		r.PlotLater(columns.Plot{
			Name: "geweke_" + row.Name, Title: "Joint test of " + row.Name + ": simulated data beside chains", Log: "none", X: "forward", Y: "chains",
			Panels: "statistic", Level: "low+high+equal",
			Kinds: "chains", Steps: true, Lines: true, XLabel: "share of forward draws", YLabel: "share of chains",
		}, func() *table.Table { return gewekeShares(row) })
		if row.Wrong() {
			r.Fault = chains.NewFault(fmt.Errorf("%s: the model, its simulator and the kernel do not belong together; see the findings that say fault", row.Name))
		} else {
			r.Note("%s with %s: the two ways to draw from the joint distribution agree, in %d chains", row.Name, row.Kernel, row.Chains)
		}
	}
	return r
}

func gewekeSummary(rows []geweke.Row, paint func(string) string) string {
	text := ""
	for i := range rows {
		n := check.Count(rows[i].Findings)
		text += fmt.Sprintf("%s: %s with %s: %d pass, %d fault, in %d chains\n", paint(string(n.Overall())), rows[i].Name, rows[i].Kernel, n.Pass, n.Fault,
			rows[i].Chains)
	}
	return text
}

// gewekeAlpha is the probability with which the curve of a right statistic leaves its band.
const gewekeAlpha = 0.01

// gewekeShares returns the points of P-P plots of each statistic of one model: which share of the
// ends of the chains is at most a value, against the share of forward draws, at every value. If all
// is right they are near the diagonal, and in the band beside it.
func gewekeShares(row *geweke.Row) *table.Table {
	var cells [][]any
	for _, s := range row.Plots {
		for _, at := range s.Points {
			cells = append(cells, []any{s.Doc, at.Forward, at.Chains, nil, nil, nil})
		}
		band := gewekeBand(s)
		cells = append(cells, []any{s.Doc, 0.0, nil, nil, band, 0.0}, []any{s.Doc, 1 - band, nil, nil, 1.0, nil}, []any{s.Doc, band, nil, 0.0, nil, nil},
			[]any{s.Doc, 1.0, nil, 1 - band, nil, 1.0})
	}
	t := curves.Cells(cells, "statistic", "forward", "chains", "low", "high", "equal")
	t.Columns[3].Label = fmt.Sprintf("%g%% band", 100*(1-gewekeAlpha))
	t.Columns[4].Label = t.Columns[3].Label
	return t
}

// gewekeBand returns how far the curve of a right statistic is from the diagonal at most, but for
// gewekeAlpha.
//
// Source: Massart 1990, and for two samples Smirnov 1939, by the first term of the limit
// distribution.
func gewekeBand(s geweke.Shares) float64 {
	each := 1 / float64(s.Chains)
	if s.Draws > 0 {
		each += 1 / float64(s.Draws)
	}
	return math.Sqrt(-number.Log(gewekeAlpha/2) / 2 * each)
}
