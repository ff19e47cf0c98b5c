package annealing

import (
	"gonum.org/v1/plot/vg"

	"breadboard/chains"
	"breadboard/experiments/represent"
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
