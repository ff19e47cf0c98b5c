package reports

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/chains"
	estimators "breadboard/chains/evidence"
	"breadboard/experiments"
	"breadboard/experiments/evidence"
	"breadboard/reports/figure"
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

// mark is how the points and lines of one estimator are told from others, in colour and in grey: by colour, dashes and shape.
type mark struct {
	line  draw.LineStyle
	glyph draw.GlyphStyle
}

// marks gives each estimator a mark, by its place among all of them, so that it has the same one in every figure.
type marks struct {
	all  []string // the names in the order of the rows
	used []string // those that have been asked for
}

// newMarks returns the marks of the estimators of some rows.
func newMarks(rows []evidence.Row) *marks {
	m := &marks{}
	for i := range rows {
		if !slices.Contains(m.all, rows[i].Legend) {
			m.all = append(m.all, rows[i].Legend)
		}
	}
	return m
}

// of returns the mark of an estimator.
func (m *marks) of(name string) mark {
	if !slices.Contains(m.used, name) {
		m.used = append(m.used, name)
	}
	i := slices.Index(m.all, name)
	shapes := []draw.GlyphDrawer{
		draw.CircleGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{}, draw.RingGlyph{}, draw.SquareGlyph{}, draw.TriangleGlyph{}, draw.CrossGlyph{}, draw.PlusGlyph{},
	}
	dashes := [][]vg.Length{nil, {vg.Points(5), vg.Points(2)}, {vg.Points(1.5), vg.Points(2)}}
	shade := figure.Color(i)
	return mark{
		draw.LineStyle{Color: shade, Width: vg.Points(1.2), Dashes: dashes[i/figure.Colors%len(dashes)]},
		draw.GlyphStyle{Color: shade, Radius: vg.Points(2.4), Shape: shapes[i%len(shapes)]},
	}
}

// legend returns the legend of the estimators that have been asked for, in the order of the rows.
func (m *marks) legend(more func(*plot.Legend)) plot.Legend {
	l := figure.SideLegend()
	for _, name := range m.all {
		if slices.Contains(m.used, name) {
			l.Add(name, &markKey{m.of(name)})
		}
	}
	more(&l)
	return l
}

// markKey is the entry of a mark in a legend.
type markKey struct{ mark }

// Thumbnail implements plot.Thumbnailer.
func (k *markKey) Thumbnail(c *draw.Canvas) {
	y := c.Center().Y
	c.StrokeLine2(k.line, c.Min.X, y, c.Max.X, y)
	c.DrawGlyph(k.glyph, c.Center())
}

// add draws points and the line through them.
func (m mark) add(p *plot.Plot, points plotter.XYs) error {
	if len(points) == 0 {
		return nil
	}
	dots, err := plotter.NewScatter(points)
	if err != nil {
		return err
	}
	dots.GlyphStyle = m.glyph
	if err := figure.AddLine(p, points, m.line); err != nil {
		return err
	}
	p.Add(dots)
	return nil
}

// greyLine is the style of lines that one reads others by.
func greyLine() draw.LineStyle { return draw.LineStyle{Color: color.Gray{0x90}, Width: vg.Points(1.5)} }

// EvidenceErrors draws, for each target, the bias of log Zhat against the work of an estimate, and beneath it the root mean squared
// error, one line an estimator, with grey lines at 1 nat. Single estimates are drawn, or combined ones where there are no others. Numbers that are
// not known or not finite are left out.
func EvidenceErrors(rows []evidence.Row) (*figure.Figure, error) {
	scale := figure.Signed{Unit: biasUnit}
	names := newMarks(rows)
	var biases, errors []*plot.Plot
	for _, run := range evidencePanels(rows) {
		bias := figure.Tile(run[0].Toy.Name, "work", "bias of log Zhat (nats)")
		rmse := figure.Tile("", "work", "RMSE of log Zhat (nats)")
		bias.Y.Tick.Marker, rmse.Y.Tick.Marker = scale, figure.Decades{}
		drawn := false
		for _, series := range evidenceSeries(run) {
			var above, beneath plotter.XYs
			for i := range series {
				if !(series[i].Work > 0) {
					continue
				}
				x := math.Log10(series[i].Work)
				if finite(series[i].Bias) {
					above = append(above, plotter.XY{X: x, Y: scale.Of(series[i].Bias)})
				}
				if v := series[i].RMSE; v > rounding && finite(v) {
					beneath = append(beneath, plotter.XY{X: x, Y: math.Log10(v)})
				}
			}
			if len(above) == 0 {
				continue
			}
			drawn = true
			m := names.of(series[0].Legend)
			if err := m.add(bias, above); err != nil {
				return nil, err
			}
			if err := m.add(rmse, beneath); err != nil {
				return nil, err
			}
		}
		if !drawn {
			continue
		}
		for _, p := range []*plot.Plot{bias, rmse} {
			p.X.Tick.Marker = figure.Decades{}
			roomAround(p)
		}
		across(bias, scale.Of(1))
		across(bias, scale.Of(-1))
		across(bias, 0)
		across(rmse, 0)
		biases, errors = append(biases, bias), append(errors, rmse)
	}
	if len(biases) == 0 {
		return nil, chains.NewAdvice("nothing to draw: no bias is known and finite")
	}
	var plots []*plot.Plot
	columns := min(evidenceColumns, len(biases))
	for from := 0; from < len(biases); from += columns {
		plots = append(plots, filled(biases, from, columns)...)
		plots = append(plots, filled(errors, from, columns)...)
	}
	legend := names.legend(func(l *plot.Legend) { l.Add("0 and 1 nat", &plotter.Line{LineStyle: greyLine()}) })
	return figure.TilesBeside(evidenceErrors, columns, plots, legend), nil
}

// roomAround moves the ends of the axes away from the points, so that none is on an axis. It does nothing to a plot without points.
func roomAround(p *plot.Plot) {
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		if room := 0.04*(axis.Max-axis.Min) + 0.02; finite(room) {
			axis.Min, axis.Max = axis.Min-room, axis.Max+room
		}
	}
}

// filled returns so many plots from a place on, with nil for those that are missing.
func filled(plots []*plot.Plot, from, n int) []*plot.Plot {
	out := make([]*plot.Plot, n)
	copy(out, plots[from:min(len(plots), from+n)])
	return out
}

// across draws a grey line across a plot, where its axis reaches so far.
func across(p *plot.Plot, y float64) {
	if !finite(p.X.Min) || y < p.Y.Min || y > p.Y.Max {
		return
	}
	p.Add(&plotter.Line{XYs: plotter.XYs{{X: p.X.Min, Y: y}, {X: p.X.Max, Y: y}}, LineStyle: greyLine()})
}

// evidencePanels returns the rows that figures draw, by target: those of one estimate, or of the smallest number of trials where there
// are none.
func evidencePanels(rows []evidence.Row) [][]evidence.Row {
	fewest := math.MaxInt
	for i := range rows {
		fewest = min(fewest, rows[i].Trials)
	}
	var single []evidence.Row
	for i := range rows {
		if rows[i].Trials == fewest {
			single = append(single, rows[i])
		}
	}
	panels := byCase(single, evidenceCase)
	return panels[:min(len(panels), maxEvidenceToys)]
}

// evidenceSeries returns the rows of a target by estimator, by rising work.
func evidenceSeries(rows []evidence.Row) (series [][]evidence.Row) {
	for i := range rows {
		at := slices.IndexFunc(series, func(s []evidence.Row) bool { return s[0].Estimator == rows[i].Estimator })
		if at < 0 {
			at = len(series)
			series = append(series, nil)
		}
		series[at] = append(series[at], rows[i])
	}
	for _, s := range series {
		slices.SortStableFunc(s, func(a, b evidence.Row) int {
			if a.Work < b.Work {
				return -1
			}
			return 1
		})
	}
	return series
}

// EvidenceLaws draws, for each target, the probability that an estimate is above log Z by more than b nats, for each estimator at its largest
// work. The dashed line is exp(-b), which no unbiased estimate of Z exceeds (Markov's inequality). It fails where no law is known.
func EvidenceLaws(rows []evidence.Row) (*figure.Figure, error) {
	names := newMarks(rows)
	envelope := draw.LineStyle{Color: color.Black, Width: vg.Points(1), Dashes: figure.Dashes()}
	var plots []*plot.Plot
	for _, run := range evidencePanels(rows) {
		p := figure.Tile(run[0].Toy.Name, "b (nats)", "P(log Zhat > log Z + b)")
		p.Y.Tick.Marker = figure.Decades{}
		drawn := false
		for _, series := range evidenceSeries(run) {
			last := &series[len(series)-1]
			points := tailPoints(last)
			if len(points) < 2 {
				continue
			}
			drawn = true
			m := names.of(last.Legend)
			if err := figure.AddLine(p, points, m.line); err != nil {
				return nil, err
			}
			var some plotter.XYs // a shape at every few points, at other ones for each estimator
			for i := 2 * (slices.Index(names.all, last.Legend) % 4); i < len(points); i += 8 {
				some = append(some, points[i])
			}
			if dots, err := plotter.NewScatter(some); err == nil {
				dots.GlyphStyle = m.glyph
				p.Add(dots)
			}
		}
		if !drawn {
			continue
		}
		p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = tailLow(run), tailHigh(run), math.Log10(evidence.LeastTail), 0.05
		p.Add(&plotter.Line{XYs: plotter.XYs{{X: 0, Y: p.Y.Min}, {X: 0, Y: p.Y.Max}}, LineStyle: greyLine()})
		p.Add(&plotter.Line{XYs: plotter.XYs{{X: 0, Y: 0}, {X: p.X.Max, Y: -p.X.Max * math.Log10E}}, LineStyle: envelope})
		plots = append(plots, p)
	}
	if len(plots) == 0 {
		return nil, chains.NewAdvice("nothing to draw: no law of an estimate is known")
	}
	legend := names.legend(func(l *plot.Legend) {
		l.Add("exp(-b)", &plotter.Line{LineStyle: envelope})
		l.Add("log Z", &plotter.Line{LineStyle: greyLine()})
	})
	return figure.TilesBeside(evidenceLaws, min(evidenceColumns, len(plots)), plots, legend), nil
}

// tailPoints returns the points of a law that a figure shows: those that are known within a factor of two. Where the first that is too
// small for it follows, the line ends at the bottom.
func tailPoints(r *evidence.Row) (points plotter.XYs) {
	for _, t := range r.Tail {
		p := t.Low + (t.High-t.Low)/2
		switch {
		case p < evidence.LeastTail:
			return append(points, plotter.XY{X: t.Nats, Y: math.Log10(evidence.LeastTail)})
		case t.High <= 2*t.Low:
			points = append(points, plotter.XY{X: t.Nats, Y: math.Log10(p)})
		}
	}
	return points
}

// tailLow and tailHigh return the range of the laws of a target.
func tailLow(rows []evidence.Row) float64 {
	low := 0.0
	for i := range rows {
		for _, t := range rows[i].Tail {
			low = min(low, t.Nats)
		}
	}
	return low
}

func tailHigh(rows []evidence.Row) float64 {
	high := 0.0
	for i := range rows {
		for _, t := range rows[i].Tail {
			high = max(high, t.Nats)
		}
	}
	return high
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
	var plots []*plot.Plot
	for _, run := range byCase(rows, func(r *evidence.NestedRow) *experiments.Case { return &r.Case }) {
		if len(plots) >= 2*maxNestedToys {
			break
		}
		left := figure.Tile(run[0].Toy.Name, "particles K, exact draws", "bias of log Zhat (nats)")
		right := figure.Tile(run[0].Toy.Name, "moves M of 2 particles", "bias of log Zhat (nats)")
		left.X.Tick.Marker, right.X.Tick.Marker = figure.Decades{}, moves
		var series []nestedSeries
		for i := range run {
			r := &run[i]
			if !finite(r.Bias) {
				continue
			}
			at := slices.IndexFunc(series, func(s nestedSeries) bool { return s.ties == r.Ties && s.volume == r.Volume })
			if at < 0 {
				at = len(series)
				series = append(series, nestedSeries{ties: r.Ties, volume: r.Volume})
			}
			x := math.Log10(float64(r.Particles))
			if r.Ties == estimators.TiesTogether {
				x = moves.Of(float64(r.Moves))
			}
			series[at].points = append(series[at].points, plotter.XY{X: x, Y: bias.Of(r.Bias)})
		}
		for _, s := range series {
			p := left
			if s.ties == estimators.TiesTogether {
				p = right
			}
			if err := nestedMark(s.ties, s.volume).add(p, s.points); err != nil {
				return nil, err
			}
		}
		for _, p := range []*plot.Plot{left, right} {
			p.Y.Tick.Marker = bias
			p.Y.Min, p.Y.Max = min(p.Y.Min, bias.Of(-biasUnit)), max(p.Y.Max, bias.Of(1))
			roomAround(p)
			across(p, 0)
			across(p, bias.Of(1))
		}
		plots = append(plots, left, right)
	}
	if len(plots) == 0 {
		return nil, chains.NewAdvice("nothing to draw: no bias of nested sampling is known")
	}
	legend := figure.SideLegend()
	for _, ties := range []estimators.Ties{estimators.TiesLabel, estimators.TiesStrict, estimators.TiesTogether} {
		for _, volume := range []estimators.Volume{estimators.VolumePaper, estimators.VolumeUnbiased} {
			legend.Add(ties.String()+", "+volume.String(), &markKey{nestedMark(ties, volume)})
		}
	}
	legend.Add("0 and 1 nat", &plotter.Line{LineStyle: greyLine()})
	return figure.TilesBeside(evidenceNested, 2, plots, legend), nil
}

// maxNestedToys is the largest number of targets in the figure of nested sampling.
const maxNestedToys = 6

// nestedMark returns the mark of a rule for ties, by colour and shape, and of a volume, by dashes.
func nestedMark(ties estimators.Ties, volume estimators.Volume) mark {
	shapes := []draw.GlyphDrawer{draw.CircleGlyph{}, draw.PyramidGlyph{}, draw.BoxGlyph{}}
	shade := figure.Color(int(ties))
	m := mark{draw.LineStyle{Color: shade, Width: vg.Points(1.2)}, draw.GlyphStyle{Color: shade, Radius: vg.Points(2.4), Shape: shapes[ties]}}
	if volume == estimators.VolumeUnbiased {
		m.line.Dashes = figure.Dashes()
	}
	return m
}
