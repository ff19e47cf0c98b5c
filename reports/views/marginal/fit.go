package marginal

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/chains"
	"breadboard/experiments/columns"
	"breadboard/experiments/sandwich/compare"
	"breadboard/reports"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// The names of the tables.
const (
	SandwichFitFile   = "sandwich_fit"
	SandwichHyperFile = "sandwich_fit_hyperparameters"
)

// SandwichFitReport returns the report of chains on measured data and on data that were simulated from a fit to them.
func SandwichFitReport(rows []compare.FittedRow) *reports.Report {
	r := reports.New(SandwichFitFile, SandwichFits(rows))
	if len(rows) > 0 {
		r.Add(
			reports.Table{Name: SandwichHyperFile, Table: SandwichHyper(rows[0].Fitted), Place: reports.BesideResults},
			reports.Figure{
				Title:   "Bounds on the measured data and on data simulated from a fit, model " + rows[0].Model,
				Missing: "no figure of " + rows[0].Model,
				Draw:    func() (*figure.Figure, error) { return SandwichFitFigure(rows) },
			})
		for _, doubt := range rows[0].Doubts {
			r.Add(reports.Note{Advice: doubt})
		}
	}
	for _, finding := range compare.FittedFindings(rows) {
		r.Note("%s", finding)
	}
	return r
}

// SandwichFits returns the table of chains on measured and on simulated data, a row for each data set, direction, S and T.
func SandwichFits(rows []compare.FittedRow) *table.Table {
	return table.New(compare.FitStudy().Columns, rows)
}

// SandwichHyper returns the table of hyperparameters: those inferred from measured data, and those at the start of chains in reverse.
func SandwichHyper(rows []compare.Fitted) *table.Table {
	number := func(name, title, meaning string, of func(*compare.Fitted) float64) table.Field[compare.Fitted] {
		return table.Field[compare.Fitted]{
			Column: table.Column{Name: name, Type: table.Float, Title: title, Digits: 4, Narrow: true, Meaning: meaning},
			Of:     func(r *compare.Fitted) any { return columns.OrEmpty(of(r)) },
		}
	}
	return table.New([]table.Field[compare.Fitted]{
		{Column: table.Column{Name: "model", Type: table.String, Title: "model", Spare: 1, Meaning: "the model whose hyperparameters are inferred"}, Of: func(r *compare.Fitted) any { return r.Model }},
		{Column: table.Column{Name: "data", Type: table.String, Title: "given data", Spare: table.Keep, Meaning: "the data that they are inferred from: real, or simulated"}, Of: func(r *compare.Fitted) any { return r.Kind() }},
		{Column: table.Column{Name: "start", Type: table.Int, Title: "start", Meaning: "the number of the start of chains in reverse; empty for the measured data"}, Of: func(r *compare.Fitted) any { return columns.Positive(r.Start) }},
		{Column: table.Column{Name: "moves", Type: table.Int, Title: "moves", Spare: table.Keep, Meaning: "how many moves were made at b = 1: on real data after an annealing over as many distributions, and on simulated data from what they were drawn with"}, Of: func(r *compare.Fitted) any { return r.Moves }},
		{Column: table.Column{Name: "hyperparameter", Type: table.String, Title: "hyperparameter", Spare: table.Keep, Meaning: "which it is; probabilities of components are ordered from the largest down"}, Of: func(r *compare.Fitted) any { return r.Name }},
		number("value", "value", "that after the last move: the one that data are simulated with, or that chains in reverse start with", func(r *compare.Fitted) float64 { return r.Value }),
		number("mean", "mean", "its mean over the second half of the moves", func(r *compare.Fitted) float64 { return r.Mean }),
		number("sd", "sd", "its standard deviation over the second half of the moves", func(r *compare.Fitted) float64 { return r.SD }),
	}, rows)
}

// SandwichFitFigure draws the quartiles of log weights against T, shifted by the largest log weight of a chain forward on the same data: at the
// left those of chains forward on measured and on simulated data, with those in reverse after the most moves, and at the right those in
// reverse after every number S of moves. It fails where there is one T alone.
func SandwichFitFigure(rows []compare.FittedRow) (*figure.Figure, error) {
	left, err := quartilePanel("real and simulated data", fitSeries(rows))
	if err != nil {
		return nil, err
	}
	right, err := quartilePanel("reverse after S moves", reverseSeries(rows))
	if err != nil {
		return nil, err
	}
	if left == nil || right == nil {
		return nil, chains.NewAdvice("nothing to draw: give at least two numbers of distributions, as in {T} 100,1000")
	}
	return figure.SideBySide(reports.FileName("sandwich_fit_"+rows[0].Model), 9*vg.Centimeter, 7.5*vg.Centimeter, left, right), nil
}

// quartileSeries is one curve of quartiles.
type quartileSeries struct {
	name string
	mark figure.Mark
	thin bool // the median alone, as a thin line
	rows []compare.FittedRow
}

// fitSeries returns the curves of chains forward, and of those in reverse after the most moves.
func fitSeries(rows []compare.FittedRow) (list []quartileSeries) {
	sets := 0
	for _, r := range rows {
		sets = max(sets, r.Data)
	}
	forward := func(data int) (out []compare.FittedRow) {
		for _, r := range rows {
			if r.Data == data && r.Direction == chains.Forward {
				out = append(out, r)
			}
		}
		return out
	}
	for i := 2; i <= sets; i++ {
		list = append(list, quartileSeries{name: "forward, further simulated data", mark: thinMark(), thin: true, rows: forward(i)})
	}
	if reverse := reverseSeries(rows); len(reverse) > 0 {
		list = append(list, slices.MaxFunc(reverse, func(a, b quartileSeries) int { return a.rows[0].S - b.rows[0].S }))
	}
	return append(list,
		quartileSeries{name: "forward, simulated", mark: figure.Full(0), rows: forward(1)},
		quartileSeries{name: "forward, real", mark: figure.Full(1).Open(), rows: forward(0)},
	)
}

// thinMark is the mark of medians that stand behind the other curves.
func thinMark() figure.Mark {
	return figure.Mark{Line: draw.LineStyle{Color: figure.Translucent(figure.Color(0)), Width: vg.Points(0.8)}}
}

// reverseSeries returns the curves of chains in reverse, one for each S, in colours that those of chains forward do not have.
func reverseSeries(rows []compare.FittedRow) (list []quartileSeries) {
	var reverse []compare.FittedRow
	for _, r := range rows {
		if r.Direction == chains.Reverse {
			reverse = append(reverse, r)
		}
	}
	for i, of := range reports.Grouped(reverse, func(r *compare.FittedRow) string { return fmt.Sprint(r.S) }) {
		list = append(list, quartileSeries{name: fmt.Sprintf("reverse, S = %d", of[0].S), mark: figure.Full(i + 2), rows: of})
	}
	return list
}

// quartilePanel returns a panel of curves of quartiles, or nil where none has two points.
func quartilePanel(title string, list []quartileSeries) (*figure.Panel, error) {
	p := figure.NewPanel(title, "number of distributions T", "log weight, shifted, nats")
	p.X.Tick.Marker = figure.Decades{}
	drawn := 0
	for _, s := range list {
		n, err := s.draw(p)
		if err != nil {
			return nil, err
		}
		drawn += n
	}
	if drawn == 0 {
		return nil, nil
	}
	p.RoomAround(0.03, 0.05)
	return p, nil
}

// draw adds a curve to a panel, and returns how many it has added.
func (s quartileSeries) draw(p *figure.Panel) (int, error) {
	var low, middle, high plotter.XYs
	for _, r := range s.rows {
		x := math.Log10(float64(r.T))
		low = append(low, plotter.XY{X: x, Y: r.Q25 - r.Shift})
		middle = append(middle, plotter.XY{X: x, Y: r.Median - r.Shift})
		high = append(high, plotter.XY{X: x, Y: r.Q75 - r.Shift})
	}
	if len(middle) < 2 {
		return 0, nil
	}
	if s.thin {
		p.Legend.Add(s.name, &plotter.Line{LineStyle: s.mark.Line})
		return 1, figure.AddLine(p, s.name, middle, s.mark.Line)
	}
	between := figure.Band(low, high)
	between.Color = figure.Translucent(s.mark.Line.Color)
	p.Add(between)
	p.Record(s.name+", first quartile", low)
	p.Record(s.name+", third quartile", high)
	p.Legend.Add(s.name, s.mark)
	_, err := figure.Curve(p, s.name+", median", middle, s.mark)
	return 1, err
}
