package marginal

import (
	"cmp"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/chains/number"
	"breadboard/chains/sorts"
	"breadboard/experiments/marginal/evidence"
	"breadboard/reports"
	"breadboard/reports/figure"
	"breadboard/reports/views/internal/curves"
)

// The names of the figures of the study.
const (
	evidenceErrors = "evidence_errors"
	evidenceLaws   = "evidence_laws"
	evidenceNested = "evidence_nested"
)

// maxEvidenceToys is the largest number of targets in a figure, and evidenceColumns how many stand beside each other.
const (
	maxEvidenceToys = 9
	evidenceColumns = 3
)

// biasUnit is where the axis of biases turns from linear to logarithmic, in nats.
const biasUnit = 0.01

// evidencePanels returns the rows that figures draw, by target: those of one estimate, or of the smallest number of trials where there are none.
func evidencePanels(rows []evidence.Row) [][]evidence.Row {
	fewest := math.MaxInt
	for i := range rows {
		fewest = min(fewest, rows[i].Trials)
	}
	single := slices.DeleteFunc(slices.Clone(rows), func(r evidence.Row) bool { return r.Trials != fewest })
	panels := reports.ByCase(single, (*evidence.Row).TheCase)
	return panels[:min(len(panels), maxEvidenceToys)]
}

// evidenceSeries returns the rows of a target by estimator, by rising work.
func evidenceSeries(rows []evidence.Row) [][]evidence.Row {
	series := reports.Grouped(rows, func(r *evidence.Row) string { return r.Estimator })
	for _, s := range series {
		sorts.Stable(s, func(a, b evidence.Row) int { return cmp.Compare(a.Work, b.Work) })
	}
	return series
}

// newMarks returns the marks of the estimators of some rows.
func newMarks(rows []evidence.Row) *figure.Marks {
	return &figure.Marks{Names: reports.Names(rows, func(r *evidence.Row) string { return r.Legend })}
}

// EvidenceErrors draws, for each target, the bias of log Zhat against the work of an estimate, and beneath it the root mean squared
// error, one line an estimator, with grey lines at 1 nat. Single estimates are drawn, or combined ones where there are no others.
// Numbers that are not known or not finite are left out.
func EvidenceErrors(rows []evidence.Row) (*figure.Figure, error) {
	names := newMarks(rows)
	var biases, errors []*figure.Panel
	var pen curves.Pen
	for _, run := range evidencePanels(rows) {
		if bias, rmse := errorPlots(&pen, run, names); bias != nil {
			biases, errors = append(biases, bias), append(errors, rmse)
		}
	}
	if len(biases) == 0 {
		return nil, chains.NewAdvice("nothing to draw: no bias is known and finite")
	}
	legend := names.Legend(func(l *figure.Legend) { l.Add("0 and 1 nat", curves.Key(figure.GreyLine())) })
	sheet := figure.Sheet{Name: evidenceErrors, Columns: evidenceColumns, Width: 7 * vg.Centimeter, Height: 6 * vg.Centimeter, Legend: legend, Beside: true}
	sheet.Rows = [][]*figure.Panel{biases, errors}
	return pen.Done(sheet.Figure())
}

// errorPlots returns the plots of bias and of root mean squared error of one target, and nil where no bias is known.
func errorPlots(pen *curves.Pen, run []evidence.Row, names *figure.Marks) (bias, rmse *figure.Panel) {
	scale := figure.Signed{Unit: biasUnit}
	bias = figure.NewPanel(run[0].Toy.Name, "work", "bias of log Zhat (nats)")
	rmse = figure.NewPanel("", "work", "RMSE of log Zhat (nats)")
	bias.Y.Tick.Marker, rmse.Y.Tick.Marker = scale, figure.Decades{}
	drawn := false
	for _, series := range evidenceSeries(run) {
		above, beneath := errorPoints(series, scale)
		if len(above) == 0 {
			continue
		}
		drawn = true
		m := names.Of(series[0].Legend)
		pen.Marked(bias, series[0].Legend, above, m)
		pen.Marked(rmse, series[0].Legend, beneath, m)
	}
	if !drawn {
		return nil, nil
	}
	for _, p := range []*figure.Panel{bias, rmse} {
		p.X.Tick.Marker = figure.Decades{}
		figure.RoomAround(p)
	}
	figure.Across(bias, scale.Of(1))
	figure.Across(bias, scale.Of(-1))
	figure.Across(bias, 0)
	figure.Across(rmse, 0)
	return bias, rmse
}

// errorPoints returns the biases and the root mean squared errors of one estimator against its work, all on their scales.
func errorPoints(series []evidence.Row, scale figure.Signed) (biases, errors plotter.XYs) {
	for i := range series {
		if !(series[i].Work > 0) {
			continue
		}
		x := number.Log10(series[i].Work)
		if figure.Finite(series[i].Bias) {
			biases = append(biases, plotter.XY{X: x, Y: scale.Of(series[i].Bias)})
		}
		if v := series[i].RMSE; v > reports.Rounding && figure.Finite(v) {
			errors = append(errors, plotter.XY{X: x, Y: number.Log10(v)})
		}
	}
	return biases, errors
}

// EvidenceLaws draws, for each target, the probability that an estimate is above log Z by more than b nats, for each estimator at its
// largest work. The dashed line is exp(-b), which no unbiased estimate of Z exceeds (Markov's inequality). It fails where no law is known.
func EvidenceLaws(rows []evidence.Row) (*figure.Figure, error) {
	names := newMarks(rows)
	envelope := draw.LineStyle{Color: color.Black, Width: vg.Points(1), Dashes: figure.Dashes()}
	var plots []*figure.Panel
	var pen curves.Pen
	for _, run := range evidencePanels(rows) {
		p := figure.NewPanel(run[0].Toy.Name, "b (nats)", "P(log Zhat > log Z + b)")
		p.Y.Tick.Marker = figure.Decades{}
		if !addTails(&pen, p, run, names) {
			continue
		}
		p.X.Min, p.X.Max = tailRange(run)
		p.Y.Min, p.Y.Max = number.Log10(evidence.LeastTail), 0.05
		p.Add(&plotter.Line{XYs: plotter.XYs{{X: 0, Y: p.Y.Min}, {X: 0, Y: p.Y.Max}}, LineStyle: figure.GreyLine()})
		p.Add(&plotter.Line{XYs: plotter.XYs{{X: 0, Y: 0}, {X: p.X.Max, Y: -p.X.Max * math.Log10E}}, LineStyle: envelope})
		plots = append(plots, p)
	}
	if len(plots) == 0 {
		return nil, chains.NewAdvice("nothing to draw: no law of an estimate is known")
	}
	legend := names.Legend(func(l *figure.Legend) {
		l.Add("exp(-b)", curves.Key(envelope))
		l.Add("log Z", curves.Key(figure.GreyLine()))
	})
	return pen.Done(figure.Tiles(evidenceLaws, evidenceColumns, plots, legend))
}

// addTails draws the laws of a target's estimators, and reports whether any is known.
func addTails(pen *curves.Pen, p *figure.Panel, run []evidence.Row, names *figure.Marks) (drawn bool) {
	for _, series := range evidenceSeries(run) {
		last := &series[len(series)-1]
		points := tailPoints(last)
		if len(points) < 2 {
			continue
		}
		drawn = true
		m := names.Of(last.Legend)
		pen.Line(p, last.Legend, points, m.Line)
		var some plotter.XYs // a shape at every few points, at other ones for each estimator
		for i := 2 * (slices.Index(names.Names, last.Legend) % 4); i < len(points); i += 8 {
			some = append(some, points[i])
		}
		if dots, err := plotter.NewScatter(some); err == nil {
			dots.GlyphStyle = m.Glyph
			p.Add(dots)
		}
	}
	return drawn
}

// tailPoints returns the points of a law that a figure shows: those that are known within a factor of two. Where the first that is too
// small for it follows, the line ends at the bottom.
func tailPoints(r *evidence.Row) (points plotter.XYs) {
	for _, t := range r.Tail {
		p := t.Low + (t.High-t.Low)/2
		switch {
		case p < evidence.LeastTail:
			return append(points, plotter.XY{X: t.Nats, Y: number.Log10(evidence.LeastTail)})
		case t.High <= 2*t.Low:
			points = append(points, plotter.XY{X: t.Nats, Y: number.Log10(p)})
		}
	}
	return points
}

// tailRange returns the range of the laws of a target.
func tailRange(rows []evidence.Row) (low, high float64) {
	for i := range rows {
		for _, t := range rows[i].Tail {
			low, high = min(low, t.Nats), max(high, t.Nats)
		}
	}
	return low, high
}

// nestedSeries are the rows of one line of the figure of nested sampling.
type nestedSeries struct {
	ties   estimators.Ties
	volume estimators.Volume
	points plotter.XYs
}

// EvidenceNested draws, for each target, how far E log Zhat of nested sampling is from log Z: at the left against the number K of
// particles where these are drawn exactly, with ties broken by a label and strictly, and at the right against the number M of moves
// of two particles where ties leave together. Full lines are the paper's volumes, dashed ones unbiased volumes.
func EvidenceNested(rows []evidence.NestedRow) (*figure.Figure, error) {
	bias, moves := figure.Signed{Unit: biasUnit}, figure.Signed{Unit: 1}
	var plots []*figure.Panel
	var pen curves.Pen
	for _, run := range reports.ByCase(rows, (*evidence.NestedRow).TheCase) {
		if len(plots) >= 2*maxNestedToys {
			break
		}
		left := figure.NewPanel(run[0].Toy.Name, "particles K, exact draws", "bias of log Zhat (nats)")
		right := figure.NewPanel(run[0].Toy.Name, "moves M of 2 particles", "bias of log Zhat (nats)")
		left.X.Tick.Marker, right.X.Tick.Marker = figure.Decades{}, moves
		for _, s := range nestedLines(run, bias, moves) {
			p := left
			if s.ties == estimators.TiesTogether {
				p = right
			}
			pen.Marked(p, s.ties.String()+", "+s.volume.String(), s.points, nestedMark(s.ties, s.volume))
		}
		for _, p := range []*figure.Panel{left, right} {
			p.Y.Tick.Marker = bias
			p.Y.Min, p.Y.Max = min(p.Y.Min, bias.Of(-biasUnit)), max(p.Y.Max, bias.Of(1))
			figure.RoomAround(p)
			figure.Across(p, 0)
			figure.Across(p, bias.Of(1))
		}
		plots = append(plots, left, right)
	}
	if len(plots) == 0 {
		return nil, chains.NewAdvice("nothing to draw: no bias of nested sampling is known")
	}
	var legend figure.Legend
	for _, ties := range []estimators.Ties{estimators.TiesLabel, estimators.TiesStrict, estimators.TiesTogether} {
		for _, volume := range []estimators.Volume{estimators.VolumePaper, estimators.VolumeUnbiased} {
			legend.Add(ties.String()+", "+volume.String(), nestedMark(ties, volume))
		}
	}
	legend.Add("0 and 1 nat", curves.Key(figure.GreyLine()))
	return pen.Done(figure.Grid(evidenceNested, 2, plots, legend))
}

// nestedLines returns the lines of a target, with their points on the scales of biases and of moves.
func nestedLines(run []evidence.NestedRow, bias, moves figure.Signed) (series []nestedSeries) {
	for i := range run {
		r := &run[i]
		at := slices.IndexFunc(series, func(s nestedSeries) bool { return s.ties == r.Ties && s.volume == r.Volume })
		if at < 0 {
			at = len(series)
			series = append(series, nestedSeries{ties: r.Ties, volume: r.Volume})
		}
		x := number.Log10(float64(r.Particles))
		if r.Ties == estimators.TiesTogether {
			x = moves.Of(float64(r.Moves))
		}
		series[at].points = append(series[at].points, plotter.XY{X: x, Y: bias.Of(r.Bias)})
	}
	return series
}

// maxNestedToys is the largest number of targets in the figure of nested sampling.
const maxNestedToys = 6

// nestedMark returns the mark of a rule for ties, by colour and shape, and of a volume, by dashes.
func nestedMark(ties estimators.Ties, volume estimators.Volume) figure.Mark {
	shapes := []draw.GlyphDrawer{draw.CircleGlyph{}, draw.PyramidGlyph{}, draw.BoxGlyph{}}
	shade := figure.Color(int(ties))
	m := figure.Mark{
		Line:  draw.LineStyle{Color: shade, Width: vg.Points(1.2)},
		Glyph: draw.GlyphStyle{Color: shade, Radius: vg.Points(2.4), Shape: shapes[ties]},
	}
	if volume == estimators.VolumeUnbiased {
		m.Line.Dashes = figure.Dashes()
	}
	return m
}
