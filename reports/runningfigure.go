package reports

import (
	"errors"
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/experiments/ais"
	"breadboard/reports/figure"
)

// runningPanels are the panels of RunningFigure, each with the quantities that are drawn in it.
func runningPanels() [][]string {
	return [][]string{{"mean_log_w_forward", "mean_log_w_reverse", "bar"}, {"B"}}
}

// RunningFigure draws how estimates come near to their exact values while chains accumulate: each with its standard error against the number
// of chains in either direction, on a logarithmic axis, and its exact value as a dashed line. The rows are those of one seed in the order in
// which they became known. Values that are not finite are left out. It fails where there are fewer than two rows.
func RunningFigure(rows []ais.Row) (*figure.Figure, error) {
	if len(rows) < 2 {
		return nil, errors.New("nothing to draw: estimates of at least two numbers of chains are needed")
	}
	var plots []*figure.Panel
	series := 0
	for _, names := range runningPanels() {
		p := figure.NewPanel("", "number of chains", "nats")
		p.X.Tick.Marker = figure.Decades{}
		for _, name := range names {
			if err := addRunning(p, rows, name, series); err != nil {
				return nil, err
			}
			series++
		}
		p.RoomAround(0.03, 0.05)
		plots = append(plots, p)
	}
	last := rows[len(rows)-1]
	name := FileName(fmt.Sprintf("running_%s_T%d", last.Toy.Name, last.Distributions()))
	return figure.SideBySide(name, 9*vg.Centimeter, 7*vg.Centimeter, plots...), nil
}

// addRunning draws one quantity: its estimates, their standard errors as upright lines, and the exact value.
func addRunning(p *figure.Panel, rows []ais.Row, name string, series int) error {
	var points plotter.XYs
	exact := math.NaN()
	mark := figure.Full(series)
	for i := range rows {
		k := slices.IndexFunc(rows[i].Quantities, func(q ais.Quantity) bool { return q.Name == name })
		if k < 0 {
			continue
		}
		q := &rows[i].Quantities[k]
		if math.IsNaN(q.Estimate) || math.IsInf(q.Estimate, 0) {
			continue
		}
		at := plotter.XY{X: math.Log10(float64(rows[i].Chains)), Y: q.Estimate}
		points = append(points, at)
		exact = q.Exact
		if e := q.StandardError; e > 0 && !math.IsInf(e, 0) {
			figure.Guide(p, plotter.XY{X: at.X, Y: at.Y - e}, plotter.XY{X: at.X, Y: at.Y + e}, draw.LineStyle{Color: mark.Line.Color, Width: vg.Points(0.7)})
		}
	}
	drawn, err := figure.Curve(p, name, points, mark)
	if err != nil || !drawn {
		return err
	}
	p.Legend.Add(name+", dashed: exact", mark)
	if !math.IsNaN(exact) && !math.IsInf(exact, 0) {
		ends := plotter.XYs{{X: points[0].X, Y: exact}, {X: points[len(points)-1].X, Y: exact}}
		return figure.AddLine(p, name+", exact", ends, draw.LineStyle{Color: darker(mark.Line.Color), Width: vg.Points(1.1), Dashes: figure.Dashes()})
	}
	return nil
}

// darker returns a colour with half its light, so that an exact value is told from the estimates that come near to it.
func darker(c color.Color) color.Color {
	r, g, b, a := c.RGBA()
	return color.RGBA64{R: uint16(r / 2), G: uint16(g / 2), B: uint16(b / 2), A: uint16(a)}
}
