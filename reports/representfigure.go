package reports

import (
	"math"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"breadboard/chains"
	"breadboard/experiments/represent"
	"breadboard/reports/figure"
)

// representAxes are the axes of the two panels of RepresentFigure.
func representAxes() []struct {
	label string
	of    func(*represent.Row) float64
} {
	return []struct {
		label string
		of    func(*represent.Row) float64
	}{
		{"number of distributions T", func(r *represent.Row) float64 { return float64(r.Distributions()) }},
		{"work: evaluations of log f in a run", func(r *represent.Row) float64 { return r.Work }},
	}
}

// representMeasures are the curves of a representation, each with the dashes and shapes by which it is told from the others.
func representMeasures() []struct {
	name string
	of   func(*represent.Row) float64
	mark func(figure.Mark) figure.Mark
} {
	return []struct {
		name string
		of   func(*represent.Row) float64
		mark func(figure.Mark) figure.Mark
	}{
		{"J", func(r *represent.Row) float64 { return r.J }, func(m figure.Mark) figure.Mark { return m }},
		{"B", func(r *represent.Row) float64 { return r.B }, figure.Mark.Open},
	}
}

// RepresentFigure draws J and B of the representations of one model against T, and beside it against work. The axes are logarithmic, and
// the vertical one is the same in both panels. Values that are zero or infinite are left out. It fails where no representation has two
// points to join.
func RepresentFigure(rows []represent.Row) (*figure.Figure, error) {
	var panels []*figure.Panel
	series, lines := byRepresentation(rows), 0
	for _, axis := range representAxes() {
		p := figure.NewPanel("", axis.label, "nats")
		p.X.Tick.Marker, p.Y.Tick.Marker = figure.Decades{}, figure.Decades{}
		for i := range series {
			drawn, err := addRepresentation(p, i, series[i], axis.of)
			if err != nil {
				return nil, err
			}
			lines += drawn
		}
		panels = append(panels, p)
	}
	if lines == 0 {
		return nil, chains.NewAdvice("nothing to draw: give at least two numbers of distributions, as in {T} 10,100")
	}
	for _, p := range panels {
		addJAndB(&p.Legend)
		p.RoomAround(0.03, 0.04)
	}
	return figure.SideBySide(FileName("represent_"+rows[0].Model()), 9*vg.Centimeter, 7.5*vg.Centimeter, panels...), nil
}

// addRepresentation adds the curves of the i-th representation to a panel, and returns how many there are. The legend names the
// representation by the first of them.
func addRepresentation(p *figure.Panel, i int, rows []represent.Row, x func(*represent.Row) float64) (lines int, err error) {
	for _, m := range representMeasures() {
		name, mark := rows[0].Representation(), figure.Full(i)
		drawn, err := figure.Curve(p, name+", "+m.name, logPoints(rows, x, m.of), m.mark(mark))
		if err != nil {
			return 0, err
		}
		if !drawn {
			continue
		}
		lines++
		p.Legend.Add(name, mark)
	}
	return lines, nil
}

// logPoints returns the points of rows on logarithmic axes. Those that have no finite logarithm are left out.
func logPoints[R any](rows []R, x, y func(*R) float64) plotter.XYs {
	var points plotter.XYs
	for i := range rows {
		if u, v := math.Log10(x(&rows[i])), math.Log10(y(&rows[i])); !math.IsNaN(v) && !math.IsInf(v, 0) {
			points = append(points, plotter.XY{X: u, Y: v})
		}
	}
	return points
}
