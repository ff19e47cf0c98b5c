package mcmc

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/chains/number"
	"breadboard/chains/selector"
	"breadboard/experiments/columns"
	"breadboard/experiments/mcmc/samplers/diagnose"
	"breadboard/reports"
	"breadboard/reports/figure"
	"breadboard/reports/table"
	"breadboard/reports/views/internal/curves"
)

// SamplersDiagnoseReport returns the report of the diagnostics of chains, with a figure for each target and function whose truth is known.
func SamplersDiagnoseReport(rows []diagnose.Row) *reports.Report {
	r := reports.New("samplers_diagnose", SamplersDiagnose(rows))
	for _, same := range reports.Grouped(rows, func(r *diagnose.Row) string { return r.Draws + diagnosed(r) }) {
		if same[0].Problem == nil {
			continue
		}
		kernels := reports.Grouped(same, func(r *diagnose.Row) string { return r.Kernel })
		for part := range slices.Chunk(kernels, diagnoseColumns) {
			name := diagnosed(&same[0])
			r.Add(curves.Figure("Diagnostics against the number of samples: "+name, "no figure of "+name, slices.Concat(part...), samplersDiagnoseFigure))
		}
	}
	diagnoseNotes(r, rows)
	return r
}

// mostDiagnoseNotes is the number of rows whose notes are shown with the messages. The column of notes has them all.
const mostDiagnoseNotes = 10

// diagnoseNotes adds the notes of the first rows that have some.
func diagnoseNotes(r *reports.Report, rows []diagnose.Row) {
	noted := 0
	for i := range rows {
		if len(rows[i].Notes) == 0 {
			continue
		}
		if noted++; noted > mostDiagnoseNotes {
			continue
		}
		name := rows[i].Draws
		if rows[i].Problem != nil {
			name = rows[i].Setting.String()
		}
		r.Note("%s: %s", name, strings.Join(rows[i].Notes, "; "))
	}
	if noted > mostDiagnoseNotes {
		r.Note("%d more rows have notes; they stand in the column note of {format} json", noted-mostDiagnoseNotes)
	}
}

// diagnosed names the target and the function of a row; it is empty for draws from a file.
func diagnosed(r *diagnose.Row) string {
	if r.Problem == nil {
		return ""
	}
	return r.Toy.Name + ", " + r.Function.Name
}

// SamplersDiagnose returns the table of the diagnostics of chains, a row for each setting or file of draws. For draws from files people see
// all diagnostics, and where the truth is known they see the chief ones beside it.
func SamplersDiagnose(rows []diagnose.Row) *table.Table {
	fields := diagnose.Study().Columns
	if !slices.ContainsFunc(rows, func(r diagnose.Row) bool { return r.Problem == nil }) {
		return table.New(fields, rows)
	}
	titles := map[string]string{
		"draws": "draws", "N": "N", "chains": "chains", "ess_basic": "ESS", "ess_mean": "ESS split", "ess_bulk": "ESS bulk", "ess_tail": "ESS tail",
		"batch_means": "batch means", "rhat_basic": "R-hat", "rhat_rank": "R-hat rank", "geweke": "Geweke",
	}
	return table.New(retitled(fields, titles), rows)
}

// retitled gives fields the titles of their names; those without one are for machines alone.
func retitled(fields columns.List, titles map[string]string) columns.List {
	for i := range fields {
		fields[i] = fields[i].Titled(titles[fields[i].Name])
	}
	return fields
}

// SamplersVariablesFile is the name of the table of the variables of somebody else's draws.
const SamplersVariablesFile = "samplers_variables"

// SamplersVariables returns the table of the diagnostics of variables. People see the exact numbers where a target is given.
func SamplersVariables(rows []diagnose.Variable) *table.Table {
	fields := diagnose.VariableFields()
	titles := map[string]string{
		"variable": "variable", "mean": "mean", "mcse_mean": "MCSE", "sd": "sd", "ess_basic": "ESS", "ess_bulk": "ESS bulk", "ess_tail": "ESS tail",
		"rhat_basic": "R-hat", "rhat_split": "split", "rhat_rank": "rank", "geweke": "Geweke",
	}
	if slices.ContainsFunc(rows, func(v diagnose.Variable) bool { return v.Truth != nil }) {
		titles["exact_mean"], titles["mean_error"], titles["exact_sd"] = "exact mean", "error/MCSE", "exact sd"
	}
	if slices.ContainsFunc(rows, func(v diagnose.Variable) bool { return v.Truth != nil && v.SD == 0 }) { // these claim no standard error
		titles["mean_error_sd"] = "error/sd"
	}
	return table.New(retitled(fields, titles), rows)
}

// SamplersVariablesReport returns the report of the diagnostics of somebody else's draws. What is said of several variables is said once.
func SamplersVariablesReport(rows []diagnose.Variable) *reports.Report {
	r := reports.New(SamplersVariablesFile, SamplersVariables(rows))
	r.Note("%s of %s in each: %s", selector.Count(rows[0].Chains, "chain"), selector.Count(rows[0].N, "draw"), rows[0].Draws)
	var order []string
	about := map[string][]string{}
	for i := range rows {
		for _, note := range rows[i].Notes {
			if about[note] == nil {
				order = append(order, note)
			}
			about[note] = append(about[note], rows[i].Name)
		}
	}
	for _, note := range order {
		switch names := about[note]; {
		case len(names) == len(rows):
			r.Note("%s", note)
		case len(names) > mostDiagnoseNotes:
			r.Note("%s and %d more: %s", strings.Join(names[:mostDiagnoseNotes], ", "), len(names)-mostDiagnoseNotes, note)
		default:
			r.Note("%s: %s", strings.Join(names, ", "), note)
		}
	}
	return r
}

// diagnoseColumns is how many kernels stand beside each other in a figure.
const diagnoseColumns = 4

// diagnoseCurve is a quantity of the figure: how it is drawn, and its value.
type diagnoseCurve struct {
	name string
	mark func(start int) figure.Mark
	of   func(*diagnose.Row) float64
}

// diagnosePanel is a panel of a kernel, with its curves and the level of reference.
type diagnosePanel struct {
	label  string
	limit  func(n float64) float64
	curves []diagnoseCurve
}

func diagnosePanels() []diagnosePanel {
	expected := func(of func(*diagnose.Row) float64) func(*diagnose.Row) float64 {
		return func(r *diagnose.Row) float64 {
			if r.Expected == nil {
				return math.NaN()
			}
			return of(r)
		}
	}
	return []diagnosePanel{
		{"ESS of one chain", func(n float64) float64 { return n }, []diagnoseCurve{
			{"simulated", diagnoseDots, func(r *diagnose.Row) float64 { return r.ESSChain }},
			{"of the exact means", diagnoseLine, expected(func(r *diagnose.Row) float64 { return r.Expected.ESSSingle })},
			{"exact RESS", diagnoseTruth, func(r *diagnose.Row) float64 { return r.RESSMean }},
		}},
		{"|R-hat - 1|", func(float64) float64 { return 0.01 }, []diagnoseCurve{
			{"simulated", diagnoseDots, func(r *diagnose.Row) float64 { return math.Abs(r.RHatBasic - 1) }},
			{"of the exact means", diagnoseLine, expected(func(r *diagnose.Row) float64 { return math.Abs(r.Expected.RHat - 1) })},
		}},
	}
}

// diagnoseDots, diagnoseLine and diagnoseTruth are the marks of simulated diagnostics, of what exact means give, and of the exact truth.
func diagnoseDots(start int) figure.Mark {
	return figure.Mark{Glyph: draw.GlyphStyle{Color: figure.Color(start), Radius: vg.Points(2.6), Shape: draw.CircleGlyph{}}}
}

func diagnoseLine(start int) figure.Mark {
	return figure.Mark{
		Line:  draw.LineStyle{Color: figure.Color(start), Width: vg.Points(1.4)},
		Glyph: draw.GlyphStyle{Color: figure.Color(start), Radius: vg.Points(3), Shape: draw.CrossGlyph{}},
	}
}

func diagnoseTruth(start int) figure.Mark {
	m := diagnoseLine(start)
	m.Line.Dashes, m.Glyph.Shape = figure.Dashes(), draw.SquareGlyph{}
	return m
}

// samplersDiagnoseFigure draws, for one target and function, the diagnostics of simulated chains against the number of samples: the effective
// sample size of a chain with what the exact expectations give, the exact RESS and the line ESS = N; and below it the distance of R-hat from one,
// with the usual limit of 0.01. There is a column for each kernel, and a colour for each start. Values that are zero or infinite are left out.
func samplersDiagnoseFigure(rows []diagnose.Row) (*figure.Figure, error) {
	kernels := reports.Grouped(rows, func(r *diagnose.Row) string { return r.Kernel })
	var plots []*figure.Panel
	var pen curves.Pen
	for i, panel := range diagnosePanels() {
		for _, run := range kernels {
			heading := ""
			if i == 0 {
				heading = run[0].Toy.Name + ", " + run[0].Kernel
			}
			p := figure.NewLogPanel(heading, "number of samples N", panel.label)
			addLimit(p, run, panel.limit)
			for s, same := range reports.Grouped(run, func(r *diagnose.Row) string { return r.Start.Name }) {
				for _, c := range panel.curves {
					points := figure.LogPoints(same, func(r *diagnose.Row) float64 { return float64(r.N) }, c.of)
					pen.Marked(p, c.name+", from "+same[0].Start.Name, points, c.mark(s))
				}
			}
			plots = append(plots, p)
		}
		low, high := curves.SameRange(plots[i*len(kernels):], curves.Vertical)
		room := 0.05 * (high - low)
		for _, p := range plots[i*len(kernels):] {
			p.Y.Min, p.Y.Max = low-room, high+room
			margin := 0.03 * (p.X.Max - p.X.Min)
			p.X.Min, p.X.Max = p.X.Min-margin, p.X.Max+margin
		}
	}
	name := "samplers_diagnose_" + rows[0].Toy.Name + "_" + rows[0].Function.Name
	if len(kernels) == diagnoseColumns { // there may be another figure of more kernels
		name += "_" + rows[0].Kernel
	}
	return pen.Done(figure.Grid(reports.FileName(name), len(kernels), plots, diagnoseLegend(rows)))
}

// addLimit draws the level of reference over the range of N.
func addLimit(p *figure.Panel, rows []diagnose.Row, limit func(n float64) float64) {
	byN := func(a, b diagnose.Row) int { return cmp.Compare(a.N, b.N) }
	least, most := float64(slices.MinFunc(rows, byN).N), float64(slices.MaxFunc(rows, byN).N)
	if least == most { // so that a single N has a line too
		least, most = least/2, 2*most
	}
	from, to := plotter.XY{X: number.Log10(least), Y: number.Log10(limit(least))}, plotter.XY{X: number.Log10(most), Y: number.Log10(limit(most))}
	figure.Guide(p, from, to, figure.GreyLine())
}

func diagnoseLegend(rows []diagnose.Row) figure.Legend {
	var l figure.Legend
	const black = figure.Colors - 1
	for _, c := range diagnosePanels()[0].curves {
		l.Add(c.name, c.mark(black))
	}
	l.Add("ESS = N, R-hat = 1.01", curves.Key(figure.GreyLine()))
	for s, same := range reports.Grouped(rows, func(r *diagnose.Row) string { return r.Start.Name }) {
		l.Add("from "+same[0].Start.Name, figure.Mark{Line: diagnoseLine(s).Line, Glyph: diagnoseDots(s).Glyph})
	}
	return l
}
