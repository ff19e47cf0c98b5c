package checks

import (
	"fmt"
	"math"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/chains"
	"breadboard/experiments/geweke"
	"breadboard/experiments/study/check"
	"breadboard/reports"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// GewekeReport returns the report of the joint test of models, their simulators and a kernel: for people a summary and the findings that say
// fault, or all of them where the report is made Whole. It has P-P plots of each model, and beside it,
// where mutants were run, which planted bugs have been caught. It has a Fault where a test fails, or where a mutant was misjudged.
func GewekeReport(rows []geweke.Row, mutants []geweke.Judgement) *reports.Report {
	r := &reports.Report{}
	fields, findings := geweke.FindingColumns(), gewekeFindings(rows)
	r.Add(reports.Table{
		Name: "geweke", Table: table.New(fields, findings), Brief: table.New(fields, check.Unsettled(findings)),
		Summary: func(paint func(string) string) string { return gewekeSummary(rows, paint) },
	})
	r.Checked = check.Cases(fields, findings)
	for i := range rows {
		row := &rows[i]
		r.Add(reports.Figure{Title: "Joint test of " + row.Name + ": simulated data beside chains", Missing: "no P-P plots of " + row.Name, Draw: func() (*figure.Figure, error) { return GewekeFigure(row) }})
		if row.Wrong() {
			r.Fault = chains.NewFault(fmt.Errorf("%s: the model, its simulator and the kernel do not belong together; see the findings that say fault", row.Name))
		} else {
			r.Note("%s with %s: the two ways to draw from the joint distribution agree, in %d chains", row.Name, row.Kernel, row.Chains)
		}
	}
	addPlanted(r, "geweke_mutants", geweke.MutantColumns(), mutants, "that does no harm")
	return r
}

// gewekeSummary says of each model how many of its findings pass.
func gewekeSummary(rows []geweke.Row, paint func(string) string) string {
	text := ""
	for i := range rows {
		n := check.Count(rows[i].Findings)
		text += fmt.Sprintf("%s: %s with %s: %d pass, %d fault, in %d chains\n", paint(string(n.Overall())), rows[i].Name, rows[i].Kernel, n.Pass, n.Fault, rows[i].Chains)
	}
	return text
}

// gewekeFindings returns the findings of all models.
func gewekeFindings(rows []geweke.Row) (out []geweke.Finding) {
	for i := range rows {
		out = append(out, rows[i].Findings...)
	}
	return out
}

// gewekeColumns is the number of plots in a row of GewekeFigure.
const gewekeColumns = 4

// gewekeAlpha is the probability with which the curve of a right statistic leaves its band.
const gewekeAlpha = 0.01

// GewekeFigure draws a P-P plot of each statistic of one model: which share of the ends of the chains is at most a value, against the share
// of forward draws, at every value. Where all is right it is near the diagonal.
func GewekeFigure(row *geweke.Row) (*figure.Figure, error) {
	diagonal := draw.LineStyle{Color: plainColor(), Width: vg.Points(0.8)}
	edge := diagonal
	edge.Dashes = figure.Dashes()
	var plots []*figure.Panel
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
		if err := figure.AddLine(p, "chains", curve, figure.SeriesStyle(0)); err != nil {
			return nil, err
		}
		plots = append(plots, p)
	}
	var legend figure.Legend
	for _, key := range []struct {
		name  string
		style draw.LineStyle
	}{{"chains", figure.SeriesStyle(0)}, {"equal", diagonal}, {fmt.Sprintf("%g%% band", 100*(1-gewekeAlpha)), edge}} {
		legend.Add(key.name, &plotter.Line{LineStyle: key.style})
	}
	return figure.Tiles(reports.FileName("geweke_"+row.Name), gewekeColumns, plots, legend), nil
}

// gewekeBand returns how far the curve of a right statistic is from the diagonal at most, but for gewekeAlpha.
//
// Source: Massart 1990, and for two samples Smirnov 1939, by the first term of the limit law.
func gewekeBand(s geweke.Shares) float64 {
	each := 1 / float64(s.Chains)
	if s.Draws > 0 {
		each += 1 / float64(s.Draws)
	}
	return math.Sqrt(-math.Log(gewekeAlpha/2) / 2 * each)
}
