// Package particles answers: what does a study of particles show? It turns the rows of SMC, of AIDE, and of the studies made of it,
// into reports. It computes nothing that a study has not.
package particles

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/sorts"
	"breadboard/experiments/particles/aide"
	"breadboard/reports"
	"breadboard/reports/figure"
	"breadboard/reports/table"
	"breadboard/reports/views/internal/curves"
)

// AIDEReport returns the report of AIDE on annealings: the table, a figure of its mean and standard deviation against the number
// of meta-inference runs, and notes. The faulty variant, where the first trace is left out, has a note that says so.
func AIDEReport(rows []aide.Row) *reports.Report {
	r := reports.New("aide", AIDE(rows))
	r.Add(curves.Filed("aide", "AIDE against the number of meta-inference runs", "no figure of AIDE", rows, AIDEFigure))
	var lines []string // which may be the same for every number of runs
	for i := range rows {
		for _, n := range rows[i].Notes {
			lines = append(lines, fmt.Sprintf("%s: %s", &rows[i].Case, n))
		}
	}
	r.NotesOnce(lines)
	if slices.ContainsFunc(rows, func(r aide.Row) bool { return r.WithoutFirstTrace }) {
		r.Note("these are not AIDE: the trace with which a run came to its output is left out. The mean of this variant can be " +
			"below J, and none of its values bounds anything")
	}
	return r
}

// AIDE returns the table of AIDE, one row a pair of algorithms, an annealing and a number of meta-inference runs on each side. People see
// the number of the gold's meta-inference runs where it is not the same in all rows.
func AIDE(rows []aide.Row) *table.Table {
	fields := aide.Study().Columns
	if !slices.ContainsFunc(rows, func(r aide.Row) bool { return r.GoldMeta != rows[0].GoldMeta }) {
		f := &fields[slices.IndexFunc(fields, func(f table.Field) bool { return f.Name == "gold_meta" })]
		*f = f.Titled("")
	}
	return table.New(fields, rows)
}

// AIDEFigure draws the mean of AIDE, with a band of one standard deviation on each side, against the number M of the target's
// meta-inference runs, and J as a dashed line. There is one panel a toy and T, for the first number of the gold's runs. It fails
// where no annealing has two finite means.
func AIDEFigure(rows []aide.Row) (*figure.Figure, error) {
	floor := draw.LineStyle{Color: color.Black, Width: vg.Points(1), Dashes: figure.Dashes()}
	var plots []*figure.Panel
	var pen curves.Pen
	for _, run := range reports.ByCase(rows, (*aide.Row).TheCase) {
		if points := drawnMeans(run); len(points) >= 2 && len(plots) < maxPanels {
			plots = append(plots, bandPanel(&pen, points, floor))
		}
	}
	if len(plots) == 0 {
		return nil, chains.NewAdvice("nothing to draw: give at least two numbers of runs for which the mean is finite, as in {meta} 1,10,100")
	}
	var legend figure.Legend
	legend.Add("mean", figure.Full(0))
	legend.Add("one sd", figure.Swatch{Color: figure.Translucent(figure.Color(0))})
	legend.Add("J", curves.Key(floor))
	return pen.Done(figure.Tiles("aide", min(3, len(plots)), plots, legend))
}

// maxPanels is the largest number of panels of a figure, so that it stays readable.
const maxPanels = 12

// drawnMeans returns the rows of an annealing whose mean can be drawn, those of the first number of the gold's runs, by rising M and each M once.
func drawnMeans(run []aide.Row) []aide.Row {
	points := slices.DeleteFunc(slices.Clone(run), func(r aide.Row) bool { return r.GoldMeta != run[0].GoldMeta || !figure.Finite(r.Mean) })
	sorts.Stable(points, func(a, b aide.Row) int { return a.Meta - b.Meta })
	return slices.CompactFunc(points, func(a, b aide.Row) bool { return a.Meta == b.Meta })
}

// bandPanel draws the mean with a band of one standard deviation, above J, to which the mean comes down.
func bandPanel(pen *curves.Pen, points []aide.Row, floor draw.LineStyle) *figure.Panel {
	p := figure.NewPanel(fmt.Sprintf("%s, T = %d", points[0].Toy.Name, points[0].Distributions()), "meta-inference runs M", "AIDE (nats)")
	p.X.Tick.Marker = figure.Decades{}
	M := func(r *aide.Row) float64 { return number.Log10(float64(r.Meta)) }
	mean := curves.Points(points, M, func(r *aide.Row) float64 { return r.Mean })
	band := curves.Points(points, M, func(r *aide.Row) float64 { return r.Mean + r.SD })
	below := curves.Points(points, M, func(r *aide.Row) float64 { return r.Mean - r.SD })
	slices.Reverse(below)
	if band = append(band, below...); len(band) > 0 {
		p.Add(&plotter.Polygon{XYs: []plotter.XYs{band}, Color: figure.Translucent(figure.Color(0))})
		p.Record("one sd", band)
	}
	if j := points[0].J; figure.Finite(j) {
		pen.Line(p, "J", plotter.XYs{{X: mean[0].X, Y: j}, {X: mean[len(mean)-1].X, Y: j}}, floor)
	}
	pen.Curve(p, "mean", mean, figure.Full(0))
	p.RoomAround(0.03, 0.04)
	return p
}

// AIDEStudyReport returns the report of a study of AIDE: its table, the figure of J, AIDE and the error of the log marginal
// likelihood against the number of particles, and that of the marginals where there are some.
func AIDEStudyReport(rows []aide.ComparisonRow) *reports.Report {
	study, s := rows[0].Study, rows[0].Posterior
	r := reports.New("aide_"+study, AIDEStudy(rows))
	r.Add(curves.Filed("aide_"+study, "AIDE of the algorithms of the study "+study, "no figure of "+study, rows, AIDEStudyFigure))
	if len(s.Marginals) > 0 {
		r.Add(curves.Filed("aide_"+study+"_marginals", "Marginals of the output beside those of the posterior", "no figure of the marginals", rows, MarginalsFigure))
	}
	switch {
	case s.Probe != "" && math.IsNaN(s.Exact):
		r.Note("probe is %s", s.Probe)
	case s.Probe != "":
		r.Note("probe is %s; of the posterior it is %s", s.Probe, table.People(s.Exact, 6))
	}
	if s.Gold != "" {
		r.Note("the gold standard is %s, since the posterior has too many outputs to be counted; J and log Z are not known", s.Gold)
	}
	var lines []string // which are the same for every number of meta-inference runs
	for i := range rows {
		name := seriesName(&rows[i])
		if n := rows[i].Particles; n > 0 {
			name += fmt.Sprintf(", %s %d", countedAs(&rows[i]), n)
		}
		for _, n := range rows[i].Notes {
			lines = append(lines, name+": "+n)
		}
	}
	r.NotesOnce(lines)
	return r
}

// countedAs says what the number of an algorithm counts.
func countedAs(r *aide.ComparisonRow) string {
	if r.Algorithm == "mh" {
		return "moves"
	}
	return "particles"
}

// seriesName names the algorithm of a row, without the number of its particles, and the gold standard where that is not the posterior.
func seriesName(r *aide.ComparisonRow) string {
	name := r.Algorithm
	if r.Rejuvenate {
		name += ", rejuvenated"
	}
	if r.Gold != string(aide.Exact) && r.Gold != r.Posterior.Gold {
		name += ", gold " + r.Gold
	}
	return name
}

// AIDEStudy returns the table of a study, one row an algorithm, a number of particles and a number of meta-inference runs. People see no
// column of what the study has not.
func AIDEStudy(rows []aide.ComparisonRow) *table.Table {
	has := map[string]func(aide.ComparisonRow) bool{
		"probe":      func(r aide.ComparisonRow) bool { return r.Posterior.Probe != "" },
		"rejuvenate": func(r aide.ComparisonRow) bool { return r.Rejuvenate },
		"gold":       func(r aide.ComparisonRow) bool { return r.Gold != string(aide.Exact) && r.Gold != r.Posterior.Gold },
	}
	fields := aide.Comparisons().Columns
	for i := range fields {
		if f := &fields[i]; has[f.Name] != nil && !slices.ContainsFunc(rows, has[f.Name]) {
			*f = f.Titled("")
		}
	}
	return table.New(fields, rows)
}

// studySeries are the rows of one algorithm of a study.
type studySeries struct {
	name, counted string
	rows          []aide.ComparisonRow
}

// seriesOf returns the algorithms of a study that have results for at least two numbers of particles.
func seriesOf(rows []aide.ComparisonRow) (out []studySeries) {
	for _, same := range reports.Grouped(rows, seriesName) {
		out = append(out, studySeries{seriesName(&same[0]), countedAs(&same[0]), same})
	}
	return slices.DeleteFunc(out, func(v studySeries) bool {
		solved := slices.DeleteFunc(slices.Clone(v.rows), func(r aide.ComparisonRow) bool {
			return !figure.Finite(r.J) && !figure.Finite(r.Mean) && !figure.Finite(r.Probe)
		})
		return !slices.ContainsFunc(solved, func(r aide.ComparisonRow) bool { return r.Particles != solved[0].Particles })
	})
}

func metasOf(rows []aide.ComparisonRow) (metas []int) {
	for _, r := range rows {
		if !slices.Contains(metas, r.Meta) {
			metas = append(metas, r.Meta)
		}
	}
	return metas
}

// points returns the values of a series against the number of particles, for one number of meta-inference runs.
func (v *studySeries) points(meta int, log bool, of func(*aide.ComparisonRow) float64) plotter.XYs {
	return curves.Points(slices.DeleteFunc(slices.Clone(v.rows), func(r aide.ComparisonRow) bool { return r.Meta != meta }),
		func(r *aide.ComparisonRow) float64 { return number.Log10(float64(r.Particles)) },
		func(r *aide.ComparisonRow) float64 {
			if log {
				return number.Log10(of(r))
			}
			return of(r)
		})
}

// AIDEStudyFigure draws, in one column an algorithm, J and AIDE for each number of meta-inference runs, below it the error of the
// log marginal likelihood, and the probe where there is one, all against the number of particles. It fails where no algorithm has
// results for two numbers of particles.
func AIDEStudyFigure(rows []aide.ComparisonRow) (*figure.Figure, error) {
	s, series, metas := rows[0].Posterior, seriesOf(rows), metasOf(rows)
	if len(series) == 0 {
		return nil, chains.NewAdvice("nothing to draw: no algorithm has results for two numbers of particles")
	}
	var legend figure.Legend
	exact := draw.LineStyle{Color: figure.Color(6), Width: vg.Points(1), Dashes: figure.Dashes()}
	known := s.Gold == "" // else neither J nor log Z is known
	if known {
		legend.Add("J", figure.Full(6))
	}
	for i, m := range metas {
		legend.Add(aideCurve(m), figure.Full(i))
	}
	if known {
		legend.Add("error of log Zhat", figure.Full(3))
	}
	var divergences, errors, probes []*figure.Panel
	var pen curves.Pen
	for i := range series {
		v := &series[i]
		p := figure.NewLogPanel(v.name, v.counted, "nats")
		for k, m := range metas {
			curveOrPoint(&pen, p, aideCurve(m), v.points(m, true, func(r *aide.ComparisonRow) float64 { return r.Mean }), figure.Full(k))
		}
		curveOrPoint(&pen, p, "J", v.points(metas[0], true, func(r *aide.ComparisonRow) float64 { return r.J }), figure.Full(6))
		for k, m := range metas {
			v.errorBars(p, m, true, figure.SeriesStyle(k).Color, func(r *aide.ComparisonRow) (float64, float64) { return r.Mean, r.MeanError })
		}
		divergences = append(divergences, p)
		p = figure.NewLogPanel("", v.counted, "log Z - E log Zhat (nats)")
		if pen.Curve(p, "error of log Zhat", v.points(metas[0], true, func(r *aide.ComparisonRow) float64 { return -r.LMLError }), figure.Full(3)) {
			v.errorBars(p, metas[0], true, figure.Color(3), func(r *aide.ComparisonRow) (float64, float64) { return -r.LMLError, r.LMLStandardError })
		} else { // the algorithm estimates no marginal likelihood
			p = nil
		}
		if known {
			errors = append(errors, p)
		}
		if s.Probe == "" {
			continue
		}
		p = figure.NewPanel("", v.counted, probeTitle(s))
		p.X.Tick.Marker = figure.Decades{}
		points := v.points(metas[0], false, func(r *aide.ComparisonRow) float64 { return r.Probe })
		pen.Curve(p, "probe", points, figure.Full(4))
		v.errorBars(p, metas[0], false, figure.Color(4), func(r *aide.ComparisonRow) (float64, float64) { return r.Probe, r.ProbeError })
		if len(points) > 1 && !math.IsNaN(s.Exact) {
			figure.Guide(p, plotter.XY{X: points[0].X, Y: s.Exact}, plotter.XY{X: points[len(points)-1].X, Y: s.Exact}, exact)
		}
		probes = append(probes, p)
	}
	if s.Probe != "" {
		legend.Add("probe", figure.Full(4))
		if !math.IsNaN(s.Exact) {
			legend.Add("of the posterior", curves.Key(exact))
		}
	}
	low, high := curves.SameRange(probes, curves.Vertical) // so that they can be compared by eye
	for _, p := range probes {
		p.Y.Min, p.Y.Max = low, high
	}
	if slices.ContainsFunc(rows, func(r aide.ComparisonRow) bool { return r.Method == aide.SampledComparison }) {
		legend.Add("sampled, +/- 1 s.e.", ringed{figure.Color(6)})
	}
	return pen.Done(figure.Grid("aide_"+rows[0].Study, len(series), slices.Concat(divergences, errors, probes), legend))
}

// curveOrPoint draws a series also where it is known for one algorithm alone, as J often is.
func curveOrPoint(pen *curves.Pen, p *figure.Panel, name string, points plotter.XYs, m figure.Mark) {
	if !pen.Curve(p, name, points, m) {
		pen.Dots(p, name, points, m.Glyph)
	}
}

// aideCurve names the curve of AIDE for a number of meta-inference runs.
func aideCurve(m int) string { return "AIDE, M = " + table.People(m, 0) }

// errorBars marks the values that are sampled with a ring and a bar of one standard error to each side. On a logarithmic axis a
// bar whose lower end is not positive has its upper half only.
func (v *studySeries) errorBars(p *figure.Panel, meta int, log bool, c color.Color, of func(*aide.ComparisonRow) (value, deviation float64)) {
	for i := range v.rows {
		r := &v.rows[i]
		y, deviation := of(r)
		if r.Method != aide.SampledComparison || r.Meta != meta || !figure.Finite(y) || !figure.Finite(deviation) || log && !(y > 0) {
			continue
		}
		low, high := y-deviation, y+deviation
		if log {
			if low <= 0 {
				low = y
			}
			low, high, y = number.Log10(low), number.Log10(high), number.Log10(y)
		}
		x := number.Log10(float64(r.Particles))
		figure.Guide(p, plotter.XY{X: x, Y: low}, plotter.XY{X: x, Y: high}, draw.LineStyle{Color: c, Width: vg.Points(1)})
		p.Add(&plotter.Scatter{XYs: plotter.XYs{{X: x, Y: y}}, GlyphStyle: ringStyle(c)})
	}
}

func ringStyle(c color.Color) draw.GlyphStyle {
	return draw.GlyphStyle{Color: c, Radius: vg.Points(3.5), Shape: draw.RingGlyph{}}
}

// ringed is the entry of sampled values in a legend.
type ringed struct{ color color.Color }

// Thumbnail implements plot.Thumbnailer.
func (r ringed) Thumbnail(c *draw.Canvas) {
	middle := c.Center()
	c.StrokeLine2(draw.LineStyle{Color: r.color, Width: vg.Points(1)}, middle.X, c.Min.Y, middle.X, c.Max.Y)
	c.DrawGlyph(ringStyle(r.color), middle)
}

// probeTitle says what the probe is, in the few words that an axis has room for.
func probeTitle(s *aide.Posterior) string {
	title, _, _ := strings.Cut(strings.TrimPrefix(s.Probe, "the "), ",")
	return title
}

// MarginalsFigure draws the law of each part of the output of every algorithm beside that of the posterior, one panel an algorithm.
// Lines are the probabilities of each state but the first, against the part.
func MarginalsFigure(rows []aide.ComparisonRow) (*figure.Figure, error) {
	posterior := rows[0].Posterior.Marginals
	rows = slices.DeleteFunc(slices.Clone(rows), func(r aide.ComparisonRow) bool { return r.Marginals == nil })
	if len(rows) == 0 || len(posterior) < 2 {
		return nil, chains.NewAdvice("nothing to draw: there is no algorithm beside the posterior, or outputs have one part")
	}
	var legend figure.Legend
	legend.Add("posterior", figure.Key(figure.Dashes()))
	states := len(posterior[0])
	for state := 1; state < states; state++ {
		legend.Add(stateName(state), curves.Key(figure.SeriesStyle(state-1)))
	}
	var plots []*figure.Panel
	var pen curves.Pen
	for i := range rows {
		m := &rows[i]
		p := figure.NewPanel(fmt.Sprintf("%s, %d", m.Algorithm, m.Particles), "t", "probability")
		for state := 1; state < states; state++ {
			style := figure.SeriesStyle(state - 1)
			pen.Line(p, stateName(state), marginalLine(m.Marginals, state), style)
			style.Dashes = figure.Dashes()
			pen.Line(p, stateName(state)+", posterior", marginalLine(posterior, state), style)
		}
		p.Y.Min, p.Y.Max = 0, 1
		plots = append(plots, p)
	}
	return pen.Done(figure.Tiles("aide_"+rows[0].Study+"_marginals", min(3, len(plots)), plots, legend))
}

func stateName(state int) string { return fmt.Sprintf("P(x_{t} = %d)", state) }

func marginalLine(marginals [][]float64, state int) (out plotter.XYs) {
	for t, p := range marginals {
		out = append(out, plotter.XY{X: float64(t + 1), Y: p[state]})
	}
	return out
}
