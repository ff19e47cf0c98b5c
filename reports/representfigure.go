package reports

import (
	"math"

	"gonum.org/v1/plot"
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

// representMeasures are the curves of a representation, each with the dashes by which it is told from the others.
func representMeasures() []struct {
	name string
	of   func(*represent.Row) float64
	dash []vg.Length
} {
	return []struct {
		name string
		of   func(*represent.Row) float64
		dash []vg.Length
	}{
		{"B", func(r *represent.Row) float64 { return r.B }, nil},
		{"J", func(r *represent.Row) float64 { return r.J }, figure.Dashes()},
	}
}

// RepresentFigure draws J and B of the representations of one model against T, and beside it against work. The axes are logarithmic, and
// the vertical one is the same in both panels. Values that are zero or infinite are left out. It fails where no representation has two
// points to join.
func RepresentFigure(rows []represent.Row) (*figure.Figure, error) {
	var panels []*plot.Plot
	series, lines := byRepresentation(rows), 0
	for _, axis := range representAxes() {
		p := plot.New()
		p.X.Label.Text, p.Y.Label.Text = axis.label, "nats"
		p.X.Tick.Marker, p.Y.Tick.Marker = figure.Decades{}, figure.Decades{}
		p.Add(figure.GridLines())
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
		for _, m := range representMeasures() {
			p.Legend.Add(m.name, figure.Key(m.dash))
		}
		figure.Dress(p)
		p.Legend.Top, p.Legend.Left = true, false
		p.Legend.XOffs, p.Legend.YOffs = -vg.Points(4), -vg.Points(4)
		p.Y.Min = math.Floor(p.Y.Min + 0.05)                                  // a decade, so that the lowest tick has a label
		p.Y.Max += (0.05 + 0.05*float64(len(series)+2)) * (p.Y.Max - p.Y.Min) // room for the legend
	}
	return sideBySide(FileName("represent_"+rows[0].Model()), panels), nil
}

// addRepresentation adds the curves of the i-th representation to a panel, and returns how many there are. The legend names the
// representation by the first of them.
func addRepresentation(p *plot.Plot, i int, rows []represent.Row, x func(*represent.Row) float64) (lines int, err error) {
	for _, m := range representMeasures() {
		line, err := figure.Curve(p, logPoints(rows, x, m.of), figure.Color(i), m.dash)
		if err != nil {
			return 0, err
		}
		if line == nil {
			continue
		}
		if lines++; lines == 1 {
			p.Legend.Add(rows[0].Representation(), line)
		}
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
