package checks

import (
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/experiments/checks/geweke"
	"breadboard/experiments/study/check"
	"breadboard/reports"
	"breadboard/reports/figure"
	"breadboard/reports/table"
	"breadboard/reports/views/internal/curves"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// GewekeReport returns the report of the joint test of models, their simulators and a kernel: for people a summary and the findings that say
// fault, or all of them where the report is made Whole. It has P-P plots of each model, and a Fault where a test fails.
func GewekeReport(rows []geweke.Row) *reports.Report {
	r := &reports.Report{}
	fields, findings := geweke.FindingColumns(), allFindings(rows, func(r *geweke.Row) []geweke.Finding { return r.Findings })
	r.Add(reports.Table{
		Name: "geweke", Table: table.New(fields, findings), Brief: table.New(fields, check.Unsettled(findings)),
		Summary: func(paint func(string) string) string { return gewekeSummary(rows, paint) },
	})
	r.Checked = check.Cases(fields, findings)
	for i := range rows {
		row := &rows[i]
		r.Add(curves.Figure("Joint test of "+row.Name+": simulated data beside chains", "no P-P plots of "+row.Name, row, gewekeFigure))
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
		text += fmt.Sprintf("%s: %s with %s: %d pass, %d fault, in %d chains\n", paint(string(n.Overall())), rows[i].Name, rows[i].Kernel, n.Pass, n.Fault, rows[i].Chains)
	}
	return text
}

// gewekeColumns is the number of plots in a row of GewekeFigure.
const gewekeColumns = 4

// gewekeAlpha is the probability with which the curve of a right statistic leaves its band.
const gewekeAlpha = 0.01

// gewekeFigure draws a P-P plot of each statistic of one model: which share of the ends of the chains is at most a value, against the share
// of forward draws, at every value. Where all is right it is near the diagonal.
func gewekeFigure(row *geweke.Row) (*figure.Figure, error) {
	diagonal := draw.LineStyle{Color: plainColor(), Width: vg.Points(0.8)}
	edge := diagonal
	edge.Dashes = figure.Dashes()
	var plots []*figure.Panel
	var pen curves.Pen
	for _, s := range row.Plots {
		p := figure.NewPanel(s.Doc, "share of forward draws", "share of chains")
		p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1, 0, 1
		band := gewekeBand(s)
		curve := make(plotter.XYs, len(s.Points))
		for i, at := range s.Points {
			curve[i] = plotter.XY{X: at.Forward, Y: at.Chains}
		}
		figure.Guide(p, plotter.XY{}, plotter.XY{X: 1, Y: 1}, diagonal)
		figure.Guide(p, plotter.XY{Y: band}, plotter.XY{X: 1 - band, Y: 1}, edge)
		figure.Guide(p, plotter.XY{X: band}, plotter.XY{X: 1, Y: 1 - band}, edge)
		pen.Line(p, "chains", curve, figure.SeriesStyle(0))
		plots = append(plots, p)
	}
	var legend figure.Legend
	legend.Add("chains", curves.Key(figure.SeriesStyle(0)))
	legend.Add("equal", curves.Key(diagonal))
	legend.Add(fmt.Sprintf("%g%% band", 100*(1-gewekeAlpha)), curves.Key(edge))
	return pen.Done(figure.Tiles(reports.FileName("geweke_"+row.Name), gewekeColumns, plots, legend))
}

// gewekeBand returns how far the curve of a right statistic is from the diagonal at most, but for gewekeAlpha.
//
// Source: Massart 1990, and for two samples Smirnov 1939, by the first term of the limit law.
func gewekeBand(s geweke.Shares) float64 {
	each := 1 / float64(s.Chains)
	if s.Draws > 0 {
		each += 1 / float64(s.Draws)
	}
	return math.Sqrt(-number.Log(gewekeAlpha/2) / 2 * each)
}
