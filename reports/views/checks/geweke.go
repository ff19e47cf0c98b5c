package checks

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/chains"
	"breadboard/experiments/columns"
	"breadboard/experiments/geweke"
	"breadboard/reports"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// GewekeReport returns the report of the joint test of models, their simulators and a kernel: for people a summary and the findings that say
// fault, or all of them where the report is made Whole. It has P-P plots of each model, and beside it,
// where mutants were run, which planted bugs have been caught. It has a Fault where a test fails, or where a mutant was misjudged.
func GewekeReport(rows []geweke.Row, mutants []geweke.MutantResult) *reports.Report {
	r := &reports.Report{}
	r.Add(reports.Table{
		Name: "geweke", Table: Geweke(rows), Brief: gewekeTable(rows, func(f *geweke.Finding) bool { return f.Verdict == geweke.Fault }),
		Summary: func(paint func(string) string) string { return gewekeSummary(rows, paint) },
	})
	for i := range rows {
		row := &rows[i]
		r.Add(reports.Figure{Title: "Joint test of " + row.Name + ": simulated data beside chains", Missing: "no P-P plots of " + row.Name, Draw: func() (*figure.Figure, error) { return GewekeFigure(row) }})
		if row.Wrong() {
			r.Fault = chains.NewFault(fmt.Errorf("%s: the model, its simulator and the kernel do not belong together; see the findings that say fault", row.Name))
		} else {
			r.Note("%s with %s: the two ways to draw from the joint distribution agree, in %d chains", row.Name, row.Kernel, row.Chains)
		}
	}
	addPlanted(r, "geweke_mutants", GewekeMutants(mutants), mutants, func(m *geweke.MutantResult) (bool, error) {
		if !m.Right() {
			return false, fmt.Errorf("the test misjudged %q with %s", m.Mutant, m.Toy)
		}
		return m.Caught, nil
	}, "that does no harm")
	return r
}

// gewekeFinding is a row of the table.
type gewekeFinding struct {
	row *geweke.Row
	geweke.Finding
}

func gewekeVerdict(f *geweke.Finding) finding {
	return finding{f.Name, f.Value, f.Tolerance, string(f.Verdict), f.Where}
}

// gewekeSummary says of each model how many of its findings pass.
func gewekeSummary(rows []geweke.Row, paint func(string) string) string {
	text := ""
	for i := range rows {
		n := countVerdicts(rows[i].Findings, gewekeVerdict)
		text += fmt.Sprintf("%s: %s with %s: %d pass, %d fault, in %d chains\n", paint(n.overall()), rows[i].Name, rows[i].Kernel, n.pass, n.fault, rows[i].Chains)
	}
	return text
}

// Geweke returns the table of findings, one row each.
func Geweke(rows []geweke.Row) *table.Table {
	return gewekeTable(rows, func(*geweke.Finding) bool { return true })
}

// gewekeTable returns the table of those findings that a function chooses.
func gewekeTable(rows []geweke.Row, chosen func(*geweke.Finding) bool) *table.Table {
	var findings []gewekeFinding
	for i := range rows {
		for _, f := range rows[i].Findings {
			if chosen(&f) {
				findings = append(findings, gewekeFinding{&rows[i], f})
			}
		}
	}
	fields := []table.Field[gewekeFinding]{
		{Column: table.Column{Name: "toy", Type: table.String, Title: "toy", Meaning: columns.MeansRows}, Of: func(f *gewekeFinding) any { return f.row.Name }},
		{Column: table.Column{Name: "kernel", Type: table.String, Title: "kernel", Meaning: columns.MeansKernel}, Of: func(f *gewekeFinding) any { return f.row.Kernel }},
		{Column: table.Column{Name: "chains", Type: table.Int, Title: "chains", Meaning: "the number of chains that were run"}, Of: func(f *gewekeFinding) any { return f.Chains }},
	}
	return table.New(append(fields, comparisonFields(func(f *gewekeFinding) finding { return gewekeVerdict(&f.Finding) })...), findings)
}

// GewekeMutants returns the table of planted bugs, and of changes that do no harm.
func GewekeMutants(mutants []geweke.MutantResult) *table.Table {
	return table.New(slices.Concat(
		plantedFields(func(m *geweke.MutantResult) plantedBug { return plantedBug{m.Mutant, m.Harmless, m.Caught} }, []table.Field[geweke.MutantResult]{
			{Column: table.Column{Name: "toy", Type: table.String, Title: "model", Meaning: columns.MeansRows}, Of: func(m *geweke.MutantResult) any { return m.Toy }},
		}),
		[]table.Field[geweke.MutantResult]{
			{Column: table.Column{Name: "chains", Type: table.Int, Title: "chains", Meaning: "the number of chains that were run"}, Of: func(m *geweke.MutantResult) any { return m.Chains }},
			{Column: table.Column{Name: "finding", Type: table.String, Title: "finding", Meaning: columns.MeansFinding}, Of: func(m *geweke.MutantResult) any { return m.Finding }},
			{Column: table.Column{Name: "where", Type: table.String, Title: "where", Meaning: columns.MeansWhere}, Of: func(m *geweke.MutantResult) any { return m.Where }},
		}), mutants)
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
