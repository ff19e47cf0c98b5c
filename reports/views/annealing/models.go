package annealing

import (
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"breadboard/chains"
	"breadboard/experiments/represent"
	"breadboard/experiments/scaling"
	"breadboard/reports"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// RepresentReport returns the report of the representations of models, with a figure for each model.
func RepresentReport(rows []represent.Row) *reports.Report {
	r := reports.New("represent", Represent(rows))
	for _, model := range byModel(rows) {
		r.Add(reports.Figure{
			Title:   "J and B in the representations of " + model[0].Model(),
			Missing: "no figure of " + model[0].Model(),
			Draw:    func() (*figure.Figure, error) { return RepresentFigure(model) },
		})
	}
	for i := range rows {
		r.CaseNotes(&rows[i].Case, rows[i].Notes)
	}
	return r
}

// byModel splits rows into those of each model, in the order in which the models first appear.
func byModel(rows []represent.Row) [][]represent.Row {
	return reports.Grouped(rows, func(r *represent.Row) string { return r.Model() })
}

// byRepresentation splits the rows of a model into those of each representation.
func byRepresentation(rows []represent.Row) [][]represent.Row {
	return reports.Grouped(rows, func(r *represent.Row) string { return r.Representation() })
}

// Represent returns the table of the representations of models, a row for each representation and number of distributions.
func Represent(rows []represent.Row) *table.Table { return table.New(represent.Study().Columns, rows) }

// representAxis is the horizontal axis of a panel of RepresentFigure.
type representAxis struct {
	label string
	of    func(*represent.Row) float64
}

func representAxes() []representAxis {
	return []representAxis{
		{"number of distributions T", func(r *represent.Row) float64 { return float64(r.Distributions()) }},
		{"work: evaluations of log f in a run", func(r *represent.Row) float64 { return r.Work }},
	}
}

// representMeasure is a curve of a representation, with the dashes and shapes by which it is told from the others.
type representMeasure struct {
	name string
	of   func(*represent.Row) float64
	mark func(figure.Mark) figure.Mark
}

func representMeasures() []representMeasure {
	return []representMeasure{
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
		p := figure.NewLogPanel("", axis.label, "nats")
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
	return figure.SideBySide(reports.FileName("represent_"+rows[0].Model()), 9*vg.Centimeter, 7.5*vg.Centimeter, panels...), nil
}

// addRepresentation adds the curves of the i-th representation to a panel, and returns how many there are. The legend names the
// representation by the first of them.
func addRepresentation(p *figure.Panel, i int, rows []represent.Row, x func(*represent.Row) float64) (lines int, err error) {
	for _, m := range representMeasures() {
		name, mark := rows[0].Representation(), figure.Full(i)
		drawn, err := figure.Curve(p, name+", "+m.name, figure.LogPoints(rows, x, m.of), m.mark(mark))
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
