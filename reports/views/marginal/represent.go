package marginal

import (
	"errors"
	"math"
	"strconv"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/chains"
	"breadboard/experiments/sandwich/compare"
	"breadboard/reports"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// SandwichRepresentReport returns the report of annealing in the representations of a model, with a figure. It has a Fault where what two of
// them say of log p(y) is a contradiction.
func SandwichRepresentReport(rows []compare.RepresentationRow) *reports.Report {
	r := &reports.Report{Parts: []reports.Part{inBrief(SandwichRepresentFile, rows, compare.RepresentationWhole(rows), SandwichRepresent), reports.Figure{
		Title:   "B in the representations of the model",
		Missing: "no figure of the representations",
		Draw:    func() (*figure.Figure, error) { return SandwichRepresentFigure(rows) },
	}}}
	below := 0
	for i := range rows {
		if !(rows[i].B > 0) {
			below++
		}
	}
	if below > 0 {
		r.Note("%d of %d values of B are not above zero, and have no place on the logarithmic axes of the figure", below, len(rows))
	}
	found := compare.RepresentationContradictions(rows)
	for _, f := range found {
		r.Note("%s", f)
	}
	if len(found) > 0 {
		r.Fault = chains.NewFault(errors.New("the representations are not of the same model, or one of them does not anneal; see above"))
		return r
	}
	r.Note("no lower end is above an upper end by more than chance, as p(y) is the same in all representations")
	return r
}

// SandwichRepresentFile is the name of the table and of its figure.
const SandwichRepresentFile = "sandwich_represent"

// SandwichRepresent returns the table of annealing in the representations of a model, a row for each of them, each T and each data set, and
// for all data sets together.
func SandwichRepresent(rows []compare.RepresentationRow) *table.Table {
	return table.New(compare.Representations().Columns, rows)
}

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
		for i, of := range reports.Grouped(rows, func(r *compare.RepresentationRow) string { return r.Representation }) {
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
	return figure.SideBySide(SandwichRepresentFile, 9*vg.Centimeter, 7.5*vg.Centimeter, panels...), nil
}

// addBounds adds the curves of the i-th representation to a panel, and returns how many thick ones there are, of which the legend has one.
func addBounds(p *figure.Panel, i int, rows []compare.RepresentationRow, x func(*compare.RepresentationRow) float64) (lines int, err error) {
	name, bound := rows[0].Representation, func(r *compare.RepresentationRow) float64 { return r.B }
	for _, set := range reports.Grouped(rows, func(r *compare.RepresentationRow) string { return strconv.Itoa(r.Data) }) {
		if set[0].Datasets > 1 {
			continue
		}
		thin := draw.LineStyle{Color: figure.Translucent(figure.Color(i)), Width: vg.Points(0.6)}
		if err := figure.AddLine(p, name+", data set "+strconv.Itoa(set[0].Data), figure.LogPoints(set, x, bound), thin); err != nil {
			return 0, err
		}
	}
	whole, mark := compare.RepresentationWhole(rows), figure.Full(i)
	drawn, err := figure.Curve(p, name, figure.LogPoints(whole, x, bound), mark)
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
	if !figure.Finite(high) || !(r.B > 0) {
		return nil
	}
	if !figure.Finite(low) {
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
