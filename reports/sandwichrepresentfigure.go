package reports

import (
	"math"
	"strconv"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/chains"
	"breadboard/experiments/sandwich/compare"
	"breadboard/reports/figure"
)

// SandwichRepresentFigure draws B of each representation against T, and beside it against the seconds of a chain, on logarithmic axes: those
// of the data sets as thin lines, and their mean as a thick one, with bars of one standard error. B of a single data set that is not above
// zero is left out. It fails where no representation has two points to join.
func SandwichRepresentFigure(rows []compare.RepresentationRow) (*figure.Figure, error) {
	axes := []struct {
		label string
		of    func(*compare.RepresentationRow) float64
	}{
		{"number of distributions T", func(r *compare.RepresentationRow) float64 { return float64(r.T) }},
		{"time of a chain, seconds", func(r *compare.RepresentationRow) float64 { return r.Seconds }},
	}
	var panels []*figure.Panel
	lines := 0
	for _, axis := range axes {
		p := figure.NewPanel("", axis.label, "B, nats")
		p.X.Tick.Marker, p.Y.Tick.Marker = figure.Decades{}, figure.Decades{}
		for i, of := range grouped(rows, func(r *compare.RepresentationRow) string { return r.Representation }) {
			drawn, err := addBounds(p, i, of, axis.of)
			if err != nil {
				return nil, err
			}
			lines += drawn
		}
		p.RoomAround(0.03, 0.04)
		panels = append(panels, p)
	}
	if lines == 0 {
		return nil, chains.NewAdvice("nothing to draw: give at least two numbers of distributions, as in {T} 100,1000")
	}
	return figure.SideBySide(sandwichRepresent, 9*vg.Centimeter, 7.5*vg.Centimeter, panels...), nil
}

// addBounds adds the curves of the i-th representation to a panel, and returns how many thick ones there are, of which the legend has one.
func addBounds(p *figure.Panel, i int, rows []compare.RepresentationRow, x func(*compare.RepresentationRow) float64) (lines int, err error) {
	name, bound := rows[0].Representation, func(r *compare.RepresentationRow) float64 { return r.B }
	for _, set := range grouped(rows, func(r *compare.RepresentationRow) string { return strconv.Itoa(r.Data) }) {
		if set[0].Datasets > 1 {
			continue
		}
		thin := draw.LineStyle{Color: figure.Translucent(figure.Color(i)), Width: vg.Points(0.6)}
		if err := figure.AddLine(p, name+", data set "+strconv.Itoa(set[0].Data), logPoints(set, x, bound), thin); err != nil {
			return 0, err
		}
	}
	whole, mark := compare.RepresentationWhole(rows), figure.Full(i)
	drawn, err := figure.Curve(p, name, logPoints(whole, x, bound), mark)
	if err != nil || !drawn {
		return 0, err
	}
	p.Legend.Add(name, mark)
	for k := range whole {
		if err := addBar(p, i, math.Log10(x(&whole[k])), &whole[k]); err != nil {
			return 0, err
		}
	}
	return 1, nil
}

// addBar adds a bar of one standard error to each side of B. Where its lower end is not above zero, the bar begins at the value.
func addBar(p *figure.Panel, i int, at float64, r *compare.RepresentationRow) error {
	low, high := math.Log10(r.B-r.BSE), math.Log10(r.B+r.BSE)
	if !finite(high) || !(r.B > 0) {
		return nil
	}
	if !finite(low) {
		low = math.Log10(r.B)
	}
	bar, err := plotter.NewLine(plotter.XYs{{X: at, Y: low}, {X: at, Y: high}})
	if err != nil {
		return err
	}
	bar.LineStyle = draw.LineStyle{Color: figure.Color(i), Width: vg.Points(0.8)}
	p.Add(bar)
	return nil
}
