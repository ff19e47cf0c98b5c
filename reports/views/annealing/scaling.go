package annealing

import (
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"breadboard/chains"
	"breadboard/experiments/scaling"
	"breadboard/reports"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// ScalingReport returns the report of how errors grow with the size of models, with the fitted powers and a figure.
func ScalingReport(rows []scaling.Row) *reports.Report {
	r := reports.New("scaling", Scaling(rows))
	r.Add(reports.Table{Name: "scaling_fits", Table: ScalingFits(rows), Place: reports.BesideResults})
	for i := range rows {
		r.CaseNotes(&rows[i].Case, rows[i].Notes)
	}
	r.Add(reports.Figure{Title: "J, B and the numbers of distributions that they need, against the size", Missing: "no figure of the sizes", Draw: func() (*figure.Figure, error) { return ScalingFigure(rows) }})
	return r
}

// Scaling returns the table of models, a row for each size.
func Scaling(rows []scaling.Row) *table.Table { return table.New(scaling.Study().Columns, rows) }

// ScalingFits returns the table of the powers of the size that are fitted.
func ScalingFits(rows []scaling.Row) *table.Table {
	return table.New(scaling.FitColumns(), scaling.Fits(rows))
}

// ScalingFigure draws J and B against the size on logarithmic axes, a colour for each family, and the numbers of distributions that they need where
// some were looked for. It fails where no family has two sizes.
func ScalingFigure(rows []scaling.Row) (*figure.Figure, error) {
	all := scaling.Series(rows)
	errors := figure.NewLogPanel("J and B", "size", "nats")
	needs := figure.NewLogPanel("distributions needed", "size", "T")
	lines, needed := 0, false
	for i, series := range all {
		name := seriesName(series[0], all)
		mark := figure.Full(i)
		drawn, err := scalingCurves(errors, name, series, mark, func(r *scaling.Row) (float64, float64) { return r.J, r.B })
		if err != nil {
			return nil, err
		}
		if drawn {
			lines++
			errors.Legend.Add(name, mark)
		}
		also, err := scalingCurves(needs, name, series, mark, func(r *scaling.Row) (float64, float64) { return float64(r.NeedJ), float64(r.NeedB) })
		if err != nil {
			return nil, err
		}
		needed = needed || also
	}
	if lines == 0 {
		return nil, chains.NewAdvice("nothing to draw: give a family at two sizes or more, as in {toy} curie-weiss:100:1,curie-weiss:200:1")
	}
	grey := figure.FullIn(figure.KindGrey(), 0)
	errors.Legend.Add("J", grey)
	errors.Legend.Add("B", grey.Open())
	panels := []*figure.Panel{errors}
	if needed {
		panels = append(panels, needs)
	}
	for _, p := range panels {
		p.RoomAround(0.04, 0.05)
	}
	return figure.Sheet{Name: "scaling", Rows: [][]*figure.Panel{panels}, Width: 8 * vg.Centimeter, Height: 7 * vg.Centimeter}.Figure(), nil
}

// seriesName returns the family of a series, with those of its parameters in which series differ.
func seriesName(r *scaling.Row, all [][]*scaling.Row) string {
	name := r.Family
	for _, p := range r.Params {
		if !slices.ContainsFunc(all, func(other []*scaling.Row) bool { return other[0].Param(p.Name) != p.Value }) {
			continue
		}
		if name += ", " + p.Value; p.Name == "T" {
			name = strings.TrimSuffix(name, p.Value) + "T = " + p.Value
		}
	}
	return name
}

// scalingCurves adds the curves of two quantities of a series, the second with open marks, and reports whether there are any.
func scalingCurves(p *figure.Panel, name string, series []*scaling.Row, mark figure.Mark, of func(*scaling.Row) (j, b float64)) (drawn bool, err error) {
	var j, b plotter.XYs
	for _, r := range series {
		forJ, forB := of(r)
		if math.IsInf(forJ, 0) || math.IsInf(forB, 0) {
			continue
		}
		j, b = figure.AppendLog(j, r.Size, forJ), figure.AppendLog(b, r.Size, forB)
	}
	first, err := figure.Curve(p, name+", J", j, mark)
	if err != nil {
		return false, err
	}
	second, err := figure.Curve(p, name+", B", b, mark.Open())
	return first || second, err
}
