package annealing

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"breadboard/chains"
	"breadboard/experiments/annealing/represent"
	"breadboard/experiments/annealing/scaling"
	"breadboard/experiments/columns"
	"breadboard/reports"
	"breadboard/reports/figure"
	"breadboard/reports/table"
	"breadboard/reports/views/internal/curves"
)

// RepresentReport returns the report of the representations of models, with a figure for each model.
func RepresentReport(rows []represent.Row) *reports.Report {
	r := reports.New("represent", table.New(represent.Study().Columns, rows))
	for _, model := range reports.Grouped(rows, (*represent.Row).Model) {
		name := model[0].Model()
		r.Add(curves.Figure("J and B in the representations of "+name, "no figure of "+name, model, representFigure))
	}
	for i := range rows {
		r.CaseNotes(&rows[i].Case, rows[i].Notes)
	}
	return r
}

// representFigure draws J and B of the representations of one model against T, and beside it against work. The axes are logarithmic, and the
// vertical one is the same in both panels. Values that are zero or infinite are left out. It fails where no representation has two points to join.
func representFigure(rows []represent.Row) (*figure.Figure, error) {
	return curves.Drawn(curves.Plot(represent.Study().Columns, rows, columns.Plot{
		Name: reports.FileName("represent_" + rows[0].Model()), Log: "xy", X: "T|work", Y: "J+B", By: "representation",
		XLabel: "number of distributions T|work: evaluations of log f in a run", YLabel: "nats", Kinds: "J, exact|B, the bound", Joined: true,
	}, 9*vg.Centimeter, 7.5*vg.Centimeter, chains.NewAdvice("nothing to draw: give at least two numbers of distributions, as in {T} 10,100")))
}

// ScalingReport returns the report of how errors grow with the size of models, with the fitted powers and a figure.
func ScalingReport(rows []scaling.Row) *reports.Report {
	r := reports.New("scaling", table.New(scaling.Study().Columns, rows))
	r.Add(reports.Table{Name: "scaling_fits", Table: table.New(scaling.FitColumns(), scaling.Fits(rows)), Place: reports.BesideResults})
	for i := range rows {
		r.CaseNotes(&rows[i].Case, rows[i].Notes)
	}
	r.Add(curves.Figure("J, B and the numbers of distributions that they need, against the size", "no figure of the sizes", rows, scalingFigure))
	return r
}

// scalingFigure draws J and B against the size on logarithmic axes, a colour for each family, and the numbers of distributions that they need where
// some were looked for. It fails where no family has two sizes.
func scalingFigure(rows []scaling.Row) (*figure.Figure, error) {
	all := scaling.Series(rows)
	errors := figure.NewLogPanel("J and B", "size", "nats")
	needs := figure.NewLogPanel("distributions needed", "size", "T")
	var pen curves.Pen
	lines, needed := 0, false
	for i, series := range all {
		name, mark := seriesName(series[0], all), figure.Full(i)
		if scalingCurves(&pen, errors, name, series, mark, func(r *scaling.Row) (float64, float64) { return r.J, r.B }) {
			lines++
			errors.Legend.Add(name, mark)
		}
		if scalingCurves(&pen, needs, name, series, mark, func(r *scaling.Row) (float64, float64) { return float64(r.NeedJ), float64(r.NeedB) }) {
			needed = true
		}
	}
	if lines == 0 {
		return nil, cmp.Or[error](pen.Err, chains.NewAdvice("nothing to draw: give a family at two sizes or more, as in {toy} curie-weiss:100:1,curie-weiss:200:1"))
	}
	curves.AddFullAndOpen(&errors.Legend, "J", "B")
	panels := []*figure.Panel{errors}
	if needed {
		panels = append(panels, needs)
	}
	for _, p := range panels {
		p.RoomAround(0.04, 0.05)
	}
	return pen.Done(figure.Sheet{Name: "scaling", Rows: [][]*figure.Panel{panels}, Width: 8 * vg.Centimeter, Height: 7 * vg.Centimeter}.Figure())
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
func scalingCurves(pen *curves.Pen, p *figure.Panel, name string, series []*scaling.Row, mark figure.Mark, of func(*scaling.Row) (j, b float64)) bool {
	var j, b plotter.XYs
	for _, r := range series {
		forJ, forB := of(r)
		if math.IsInf(forJ, 0) || math.IsInf(forB, 0) {
			continue
		}
		j, b = figure.AppendLog(j, r.Size, forJ), figure.AppendLog(b, r.Size, forB)
	}
	first, second := pen.Curve(p, name+", J", j, mark), pen.Curve(p, name+", B", b, mark.Open())
	return first || second
}
