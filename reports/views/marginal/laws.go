package marginal

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/chains"
	"breadboard/experiments/evidence"
	"breadboard/reports/figure"
)

// EvidenceLaws draws, for each target, the probability that an estimate is above log Z by more than b nats, for each estimator at its
// largest work. The dashed line is exp(-b), which no unbiased estimate of Z exceeds (Markov's inequality). It fails where no law is known.
func EvidenceLaws(rows []evidence.Row) (*figure.Figure, error) {
	names := newMarks(rows)
	envelope := draw.LineStyle{Color: color.Black, Width: vg.Points(1), Dashes: figure.Dashes()}
	var plots []*figure.Panel
	for _, run := range evidencePanels(rows) {
		p := figure.NewPanel(run[0].Toy.Name, "b (nats)", "P(log Zhat > log Z + b)")
		p.Y.Tick.Marker = figure.Decades{}
		drawn, err := addTails(p, run, names)
		if err != nil {
			return nil, err
		}
		if !drawn {
			continue
		}
		p.X.Min, p.X.Max = tailRange(run)
		p.Y.Min, p.Y.Max = math.Log10(evidence.LeastTail), 0.05
		p.Add(&plotter.Line{XYs: plotter.XYs{{X: 0, Y: p.Y.Min}, {X: 0, Y: p.Y.Max}}, LineStyle: figure.GreyLine()})
		p.Add(&plotter.Line{XYs: plotter.XYs{{X: 0, Y: 0}, {X: p.X.Max, Y: -p.X.Max * math.Log10E}}, LineStyle: envelope})
		plots = append(plots, p)
	}
	if len(plots) == 0 {
		return nil, chains.NewAdvice("nothing to draw: no law of an estimate is known")
	}
	legend := names.Legend(func(l *figure.Legend) {
		l.Add("exp(-b)", &plotter.Line{LineStyle: envelope})
		l.Add("log Z", &plotter.Line{LineStyle: figure.GreyLine()})
	})
	return figure.Tiles(evidenceLaws, evidenceColumns, plots, legend), nil
}

// addTails draws the laws of a target's estimators, and reports whether any is known.
func addTails(p *figure.Panel, run []evidence.Row, names *figure.Marks) (drawn bool, err error) {
	for _, series := range evidenceSeries(run) {
		last := &series[len(series)-1]
		points := tailPoints(last)
		if len(points) < 2 {
			continue
		}
		drawn = true
		m := names.Of(last.Legend)
		if err := figure.AddLine(p, last.Legend, points, m.Line); err != nil {
			return false, err
		}
		var some plotter.XYs // a shape at every few points, at other ones for each estimator
		for i := 2 * (slices.Index(names.Names, last.Legend) % 4); i < len(points); i += 8 {
			some = append(some, points[i])
		}
		if dots, err := plotter.NewScatter(some); err == nil {
			dots.GlyphStyle = m.Glyph
			p.Add(dots)
		}
	}
	return drawn, nil
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

// tailRange returns the range of the laws of a target.
func tailRange(rows []evidence.Row) (low, high float64) {
	for i := range rows {
		for _, t := range rows[i].Tail {
			low, high = min(low, t.Nats), max(high, t.Nats)
		}
	}
	return low, high
}
