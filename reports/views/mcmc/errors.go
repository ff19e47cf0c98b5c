// Package mcmc answers: what does a study of MCMC samplers show? It turns the rows of the studies of samplers (errors, times, laws,
// diagnostics, ranks) into reports. It computes nothing that a study has not.
package mcmc

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/sorts"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/reports"
	"breadboard/reports/figure"
	"breadboard/reports/table"
	"breadboard/reports/views/internal/curves"
)

// SamplerErrorsReport returns the report of the exact errors of samplers, with a figure for each target and function.
func SamplerErrorsReport(rows []samplers.ErrorsRow) *reports.Report {
	r := reports.New("samplers_errors", SamplerErrors(rows))
	for _, run := range byTargetAndFunction(rows) {
		r.Add(samplerErrorsFigures(run)...)
	}
	var notes []samplers.Note
	for i := range rows {
		notes = append(notes, rows[i].Notes...)
	}
	samplersNotes(r, notes)
	return r
}

// samplersNotes adds notes, each once.
func samplersNotes(r *reports.Report, notes []samplers.Note) {
	var lines []string
	for _, n := range notes {
		lines = append(lines, n.String())
	}
	r.NotesOnce(lines)
}

// byTargetAndFunction splits rows into those of each target and function.
func byTargetAndFunction(rows []samplers.ErrorsRow) [][]samplers.ErrorsRow {
	return reports.Grouped(rows, func(r *samplers.ErrorsRow) string { return r.Toy.Name + " " + r.Function.Name })
}

// SamplerErrors returns the table of the exact errors of samplers, a row for each chain, start, function and number of samples. People
// see what was asked for. Without rows nothing is known of the table, and no column is left out: a report takes the titles from there.
func SamplerErrors(rows []samplers.ErrorsRow) *table.Table {
	fields := samplers.Errors().Columns
	if len(rows) == 0 {
		return table.New(fields, rows)
	}
	hide := func(names ...string) {
		for i := range fields {
			if slices.Contains(names, fields[i].Name) {
				fields[i] = fields[i].Titled("")
			}
		}
	}
	some := func(of func(*samplers.ErrorsRow) number.Bounded, missing bool) bool {
		return slices.ContainsFunc(rows, func(r samplers.ErrorsRow) bool { return math.IsNaN(of(&r).Value) == missing })
	}
	variance := some((*samplers.ErrorsRow).RESSVariance, false)
	if !variance {
		hide("ress_var", "ress_of_constant")
	}
	if !some((*samplers.ErrorsRow).RESSCvM, false) {
		hide("ress_cvm")
	}
	// Beside the columns of the variance there is room for one more on a terminal, which it takes only where all rows have something in it.
	if !some((*samplers.ErrorsRow).RESSKS, false) || variance && some((*samplers.ErrorsRow).RESSKS, true) {
		hide("ress_ks")
	}
	return table.New(fields, rows)
}

// errorsColumns is how many kernels stand beside each other in a figure.
const errorsColumns = 4

// samplerErrorsFigures returns the figures of one target and function, with no more than errorsColumns kernels in each.
func samplerErrorsFigures(rows []samplers.ErrorsRow) (figures []reports.Part) {
	name := reports.FileName(fmt.Sprintf("samplers_errors_%s_%s", rows[0].Toy.Name, rows[0].Function.Name))
	about := fmt.Sprintf("toy %s, function %s", rows[0].Toy.Name, rows[0].Function.Name)
	groups := slices.Collect(slices.Chunk(byKernel(rows), errorsColumns))
	for i, group := range groups {
		file := name
		if len(groups) > 1 {
			file = fmt.Sprintf("%s_%d", name, i+1)
		}
		draw := func(rows []samplers.ErrorsRow) (*figure.Figure, error) { return SamplerErrorsFigure(file, rows) }
		figures = append(figures, curves.About("Real effective sample size against the number of samples", about, slices.Concat(group...), draw))
	}
	return figures
}

func byKernel(rows []samplers.ErrorsRow) [][]samplers.ErrorsRow {
	return reports.Grouped(rows, func(r *samplers.ErrorsRow) string { return r.Kernel })
}

// startsOf splits rows into those of each start, by rising numbers of samples.
func startsOf(rows []samplers.ErrorsRow) [][]samplers.ErrorsRow {
	starts := reports.Grouped(rows, func(r *samplers.ErrorsRow) string { return r.Start.Name })
	for _, s := range starts {
		sorts.Stable(s, func(a, b samplers.ErrorsRow) int { return cmp.Compare(a.N, b.N) })
	}
	return starts
}

// errorsMeasure is an estimate whose errors are drawn.
type errorsMeasure struct {
	label string
	of    func(*samplers.ErrorsRow) number.Bounded
	mean  bool // N/tau is what its real effective sample size tends to
}

// errorsMeasures returns the estimates of which some row knows the errors.
func errorsMeasures(rows []samplers.ErrorsRow) []errorsMeasure {
	all := []errorsMeasure{
		{"RESS of the mean of " + rows[0].Function.Name, (*samplers.ErrorsRow).RESSMean, true},
		{"RESS of its variance", (*samplers.ErrorsRow).RESSVariance, false},
		{"RESS of its distribution (CvM)", (*samplers.ErrorsRow).RESSCvM, false},
	}
	return slices.DeleteFunc(all, func(m errorsMeasure) bool {
		return !slices.ContainsFunc(rows, func(r samplers.ErrorsRow) bool { return figure.Finite(number.Log10(m.of(&r).Float())) })
	})
}

// SamplerErrorsFigure draws RESS of each estimate that is known on one target and function against the number of samples N, a column for
// each kernel and a line for each start, with N/tau and the line RESS = N of independent draws; and below, for each start that is not the
// target, how much of the mean squared error of the mean is mixing, that of chains from the target, and how much burn-in, what the start
// adds. It fails where no RESS is known.
func SamplerErrorsFigure(name string, rows []samplers.ErrorsRow) (*figure.Figure, error) {
	kernels := byKernel(rows)
	var plots []*figure.Panel
	var pen curves.Pen
	for _, m := range errorsMeasures(rows) {
		low, high := ressRange(rows, m)
		for _, run := range kernels {
			plots = append(plots, ressPlot(&pen, run, m, low, high))
		}
	}
	if len(plots) == 0 {
		return nil, chains.NewAdvice("nothing to draw: no real effective sample size is positive and finite")
	}
	starts := startsOf(kernels[0])
	for s := range starts {
		if starts[s][0].Start.Name == "target" {
			continue
		}
		for _, run := range kernels {
			plots = append(plots, sharesPlot(startsOf(run)[s]))
		}
	}
	for i, p := range plots { // a name above each column
		if i < len(kernels) {
			p.Title.Text = rows[0].Toy.Name + ", " + kernels[i][0].Kernel
		}
	}
	return pen.Done(figure.Grid(name, len(kernels), plots, errorsLegend(starts, plots)))
}

// ressRange returns the range of the axis that all panels of an estimate share, in log10.
func ressRange(rows []samplers.ErrorsRow, m errorsMeasure) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for i := range rows {
		for _, v := range []float64{m.of(&rows[i]).Float(), float64(rows[i].N)} {
			if at := number.Log10(v); figure.Finite(at) {
				low, high = min(low, at), max(high, at)
			}
		}
	}
	room := max(0.04*(high-low), 0.05)
	return low - room, high + room
}

// startMark is how the line of the i-th start looks.
func startMark(i int) figure.Mark {
	shapes := []draw.GlyphDrawer{draw.CircleGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{}, draw.RingGlyph{}, draw.SquareGlyph{}, draw.TriangleGlyph{}}
	shade := figure.Color(i)
	return figure.Mark{
		Line:  draw.LineStyle{Color: shade, Width: vg.Points(1.4)},
		Glyph: draw.GlyphStyle{Color: shade, Radius: vg.Points(2.4), Shape: shapes[i%len(shapes)]},
	}
}

func tauLine() draw.LineStyle {
	return draw.LineStyle{Color: color.Black, Width: vg.Points(1), Dashes: figure.Dashes()}
}

// The names of the lines that one reads others by, and of the parts of an error.
const (
	tauName         = "N/tau"
	independentName = "RESS = N"
	mixingName      = "mixing"
	burnInName      = "burn-in"
	sparedName      = "spared by the start"
)

// samplesRange returns the range of the axis of samples, in log10. Where there is a single number of samples it is a decade around it.
func samplesRange(rows []samplers.ErrorsRow) (from, to float64) {
	from, to = math.Inf(1), math.Inf(-1)
	for i := range rows {
		at := number.Log10(float64(rows[i].N))
		from, to = min(from, at), max(to, at)
	}
	if from == to {
		return from - 0.5, to + 0.5
	}
	return from, to
}

// ressPlot draws RESS of an estimate by one kernel.
func ressPlot(pen *curves.Pen, rows []samplers.ErrorsRow, m errorsMeasure, low, high float64) *figure.Panel {
	p := figure.NewLogPanel("", "number of samples N", m.label)
	from, to := samplesRange(rows)
	line := func(name string, tau float64, style draw.LineStyle) { // y = x - tau, cut off by the ends of the axes
		if begin, end := max(from, low+tau), min(to, high+tau); begin < end {
			pen.Line(p, name, plotter.XYs{{X: begin, Y: begin - tau}, {X: end, Y: end - tau}}, style)
		}
	}
	line(independentName, 0, figure.GreyLine())
	if tau := number.Log10(rows[0].Tau.Float()); m.mean && figure.Finite(tau) {
		line(tauName, tau, tauLine())
	}
	for i, s := range startsOf(rows) {
		points := figure.LogPoints(s, func(r *samplers.ErrorsRow) float64 { return float64(r.N) }, func(r *samplers.ErrorsRow) float64 { return m.of(r).Float() })
		pen.Marked(p, "from "+s[0].Start.Name, points, startMark(i))
	}
	room := 0.03 * (to - from)
	p.X.Min, p.X.Max = from-room, to+room
	p.Y.Min, p.Y.Max = low, high
	return p
}

// The colours of the parts of an error.
func mixingShade() color.Color { return color.RGBA{0x7f, 0xb2, 0xd5, 0xff} }
func burnInShade() color.Color { return color.RGBA{0xd5, 0x5e, 0x00, 0xff} }
func sparedShade() color.Color { return color.RGBA{0xe3, 0xee, 0xf6, 0xff} }

// sharesPlot draws how the mean squared error of chains from one start is made up, a bar for each number of samples. A bar is one high:
// the error, or where chains from the target have more, theirs.
func sharesPlot(rows []samplers.ErrorsRow) *figure.Panel {
	p := figure.NewPanel("", "number of samples N", "share of MSE from "+rows[0].Start.Name)
	p.X.Tick.Marker = figure.Decades{}
	bars := &shares{}
	for i := range rows {
		mixing, total := rows[i].MSEStationary.Float(), rows[i].MSE.Float()
		if most := max(mixing, total); most > 0 {
			bars.at = append(bars.at, number.Log10(float64(rows[i].N)))
			bars.mixing = append(bars.mixing, min(mixing, total)/most)
			bars.burnIn = append(bars.burnIn, total >= mixing)
		}
	}
	p.Add(bars)
	for i, at := range bars.at {
		rest := sparedName
		if bars.burnIn[i] {
			rest = burnInName
		}
		p.Record(mixingName, plotter.XYs{{X: at, Y: bars.mixing[i]}})
		if bars.mixing[i] < 1 {
			p.Record(rest, plotter.XYs{{X: at, Y: 1 - bars.mixing[i]}})
		}
	}
	p.Y.Min, p.Y.Max = 0, 1
	return p
}

// shares are bars of height one that are split in two.
type shares struct {
	at, mixing []float64
	burnIn     []bool // whether the rest of a bar is burn-in; else it is what the start spares
}

// half returns half the width of a bar.
func (s *shares) half() float64 {
	least := math.Inf(1)
	for i := 1; i < len(s.at); i++ {
		least = min(least, s.at[i]-s.at[i-1])
	}
	if math.IsInf(least, 1) {
		return 0.35
	}
	return 0.35 * least
}

// Plot implements plot.Plotter.
func (s *shares) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	half := s.half()
	for i, at := range s.at {
		rest := sparedShade()
		if s.burnIn[i] {
			rest = burnInShade()
		}
		box := func(to float64, shade color.Color) {
			if to > 0 {
				c.FillPolygon(shade, figure.Corners(vg.Rectangle{Min: vg.Point{X: x(at - half), Y: y(0)}, Max: vg.Point{X: x(at + half), Y: y(to)}}))
			}
		}
		if s.mixing[i] < 1 {
			box(1, rest) // the whole bar, part of which the next one covers
		}
		box(s.mixing[i], mixingShade())
	}
}

// DataRange implements plot.DataRanger.
func (s *shares) DataRange() (xmin, xmax, ymin, ymax float64) {
	if len(s.at) == 0 {
		return 0, 1, 0, 1
	}
	return s.at[0] - s.half(), s.at[len(s.at)-1] + s.half(), 0, 1
}

func errorsLegend(starts [][]samplers.ErrorsRow, panels []*figure.Panel) figure.Legend {
	var l figure.Legend
	for i, s := range starts {
		l.Add("from "+s[0].Start.Name, startMark(i))
	}
	for _, e := range []struct {
		name string
		key  plot.Thumbnailer
	}{
		{tauName, curves.Key(tauLine())},
		{independentName, curves.Key(figure.GreyLine())},
		{mixingName, figure.Swatch{Color: mixingShade()}},
		{burnInName, figure.Swatch{Color: burnInShade()}},
		{sparedName, figure.Swatch{Color: sparedShade()}},
	} {
		if figure.Shown(panels, e.name) {
			l.Add(e.name, e.key)
		}
	}
	return l
}
