package inference

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
	"breadboard/experiments/aide"
	"breadboard/reports"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// AIDEStudyReport returns the report of a study of AIDE: its table, the figure of J, AIDE and the error of the log marginal
// likelihood against the number of particles, and that of the marginals where there are some.
func AIDEStudyReport(rows []aide.ComparisonRow) *reports.Report {
	study, s := rows[0].Study, rows[0].Posterior
	r := reports.New("aide_"+study, AIDEStudy(rows))
	r.Add(reports.Figure{Title: "AIDE of the algorithms of the study " + study, Missing: "no figure of " + study, File: "aide_" + study, Draw: func() (*figure.Figure, error) { return AIDEStudyFigure(rows) }})
	if len(s.Marginals) > 0 {
		r.Add(reports.Figure{Title: "Marginals of the output beside those of the posterior", Missing: "no figure of the marginals", File: "aide_" + study + "_marginals", Draw: func() (*figure.Figure, error) { return MarginalsFigure(rows) }})
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
			f.Title = ""
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

// metasOf returns the numbers of meta-inference runs of a study, in the order of the rows.
func metasOf(rows []aide.ComparisonRow) (out []int) {
	for _, r := range rows {
		if !slices.Contains(out, r.Meta) {
			out = append(out, r.Meta)
		}
	}
	return out
}

// points returns the values of a series against the number of particles, for one number of meta-inference runs.
func (v *studySeries) points(meta int, log bool, of func(*aide.ComparisonRow) float64) (out plotter.XYs) {
	for i := range v.rows {
		r := &v.rows[i]
		switch y := of(r); {
		case r.Meta != meta:
		case log:
			out = figure.AppendLog(out, r.Particles, y)
		case figure.Finite(y):
			out = append(out, plotter.XY{X: math.Log10(float64(r.Particles)), Y: y})
		}
	}
	return out
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
	for i := range series {
		v := &series[i]
		p := figure.NewLogPanel(v.name, v.counted, "nats")
		for k, m := range metas {
			if err := curveOrPoint(p, aideCurve(m), v.points(m, true, func(r *aide.ComparisonRow) float64 { return r.Mean }), figure.Full(k)); err != nil {
				return nil, err
			}
		}
		if err := curveOrPoint(p, "J", v.points(metas[0], true, func(r *aide.ComparisonRow) float64 { return r.J }), figure.Full(6)); err != nil {
			return nil, err
		}
		divergences = append(divergences, p)
		if err := v.bars(p, metas); err != nil {
			return nil, err
		}
		p = figure.NewLogPanel("", v.counted, "log Z - E log Zhat (nats)")
		drawn, err := figure.Curve(p, "error of log Zhat", v.points(metas[0], true, func(r *aide.ComparisonRow) float64 { return -r.LMLError }), figure.Full(3))
		if err != nil {
			return nil, err
		}
		if !drawn { // the algorithm estimates no marginal likelihood
			p = nil
		} else if err := v.errorBars(p, metas[0], true, figure.Color(3), func(r *aide.ComparisonRow) (float64, float64) { return -r.LMLError, r.LMLStandardError }); err != nil {
			return nil, err
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
		if _, err := figure.Curve(p, "probe", points, figure.Full(4)); err != nil {
			return nil, err
		}
		if err := v.errorBars(p, metas[0], false, figure.Color(4), func(r *aide.ComparisonRow) (float64, float64) { return r.Probe, r.ProbeError }); err != nil {
			return nil, err
		}
		if len(points) > 1 && !math.IsNaN(s.Exact) {
			figure.Guide(p, plotter.XY{X: points[0].X, Y: s.Exact}, plotter.XY{X: points[len(points)-1].X, Y: s.Exact}, exact)
		}
		probes = append(probes, p)
	}
	if s.Probe != "" {
		legend.Add("probe", figure.Full(4))
		if !math.IsNaN(s.Exact) {
			legend.Add("of the posterior", &plotter.Line{LineStyle: exact})
		}
	}
	sameRange(probes)
	if slices.ContainsFunc(rows, func(r aide.ComparisonRow) bool { return r.Method == aide.SampledComparison }) {
		legend.Add("sampled, +/- 1 s.e.", ringed{figure.Color(6)})
	}
	return figure.Grid("aide_"+rows[0].Study, len(series), slices.Concat(divergences, errors, probes), legend), nil
}

// curveOrPoint draws a series also where it is known for one algorithm alone, as J often is.
func curveOrPoint(p *figure.Panel, name string, points plotter.XYs, m figure.Mark) error {
	if len(points) == 1 {
		return figure.AddDots(p, name, points, m.Glyph)
	}
	_, err := figure.Curve(p, name, points, m)
	return err
}

// aideCurve names the curve of AIDE for a number of meta-inference runs.
func aideCurve(m int) string { return "AIDE, M = " + table.People(m, 0) }

// bars marks what is sampled of AIDE.
func (v *studySeries) bars(p *figure.Panel, metas []int) error {
	for k, m := range metas {
		if err := v.errorBars(p, m, true, figure.SeriesStyle(k).Color, func(r *aide.ComparisonRow) (float64, float64) { return r.Mean, r.MeanError }); err != nil {
			return err
		}
	}
	return nil
}

// errorBars marks the values that are sampled with a ring and a bar of one standard error to each side. On a logarithmic axis a
// bar whose lower end is not positive has its upper half only.
func (v *studySeries) errorBars(p *figure.Panel, meta int, log bool, c color.Color, of func(*aide.ComparisonRow) (value, deviation float64)) error {
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
			low, high, y = math.Log10(low), math.Log10(high), math.Log10(y)
		}
		x := math.Log10(float64(r.Particles))
		figure.Guide(p, plotter.XY{X: x, Y: low}, plotter.XY{X: x, Y: high}, draw.LineStyle{Color: c, Width: vg.Points(1)})
		ring, err := plotter.NewScatter(plotter.XYs{{X: x, Y: y}})
		if err != nil {
			return err
		}
		ring.GlyphStyle = ringStyle(c)
		p.Add(ring)
	}
	return nil
}

// ringStyle is the mark of a value that is sampled.
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

// sameRange gives all plots one range of y, so that they can be compared by eye.
func sameRange(plots []*figure.Panel) {
	low, high := math.Inf(1), math.Inf(-1)
	for _, p := range plots {
		low, high = min(low, p.Y.Min), max(high, p.Y.Max)
	}
	for _, p := range plots {
		p.Y.Min, p.Y.Max = low, high
	}
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
		legend.Add(stateName(state), &plotter.Line{LineStyle: figure.SeriesStyle(state - 1)})
	}
	var plots []*figure.Panel
	for i := range rows {
		m := &rows[i]
		p := figure.NewPanel(fmt.Sprintf("%s, %d", m.Algorithm, m.Particles), "t", "probability")
		for state := 1; state < states; state++ {
			style := figure.SeriesStyle(state - 1)
			if err := figure.AddLine(p, stateName(state), marginalLine(m.Marginals, state), style); err != nil {
				return nil, err
			}
			style.Dashes = figure.Dashes()
			if err := figure.AddLine(p, stateName(state)+", posterior", marginalLine(posterior, state), style); err != nil {
				return nil, err
			}
		}
		p.Y.Min, p.Y.Max = 0, 1
		plots = append(plots, p)
	}
	return figure.Tiles("aide_"+rows[0].Study+"_marginals", min(3, len(plots)), plots, legend), nil
}

// stateName names the line of a state.
func stateName(state int) string { return fmt.Sprintf("P(x_{t} = %d)", state) }

// marginalLine returns the probabilities of a state against the part of the output.
func marginalLine(marginals [][]float64, state int) (out plotter.XYs) {
	for t, p := range marginals {
		out = append(out, plotter.XY{X: float64(t + 1), Y: p[state]})
	}
	return out
}
