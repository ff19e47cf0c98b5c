package marginal

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/experiments/columns"
	"breadboard/experiments/marginal/sandwich/compare"
	"breadboard/reports"
	"breadboard/reports/figure"
	"breadboard/reports/table"
	"breadboard/reports/views/internal/curves"
)

// SandwichCompareReport returns the report of a comparison of estimators: how accurate each is and how soon, with a figure of the estimates
// and one of their errors for each model, and beside them a table of every setting on every data set.
func SandwichCompareReport(rows []compare.Row) *reports.Report {
	r := reports.New("sandwich_compare", SandwichThresholds(compare.Thresholds(rows)))
	r.Add(reports.Table{Name: "sandwich_compare_rows", Table: table.New(compare.Study().Columns, rows), Place: reports.InFile})
	for _, model := range reports.Grouped(rows, func(r *compare.Row) string { return r.Model }) {
		name := model[0].Model
		series := slices.DeleteFunc(compare.SeriesOf(model), func(s compare.Series) bool {
			return strings.HasSuffix(s.Estimator, compare.EarlyStop) // of nested sampling, which hides the curves of the other stop
		})
		r.Add(
			curves.Figure("Estimates of log p(y) against time, model "+name, "no figure of the estimates of "+name, series, sandwichEstimatesFigure),
			curves.Figure("Errors of estimates of log p(y) against time, model "+name, "no figure of the errors of "+name, series, sandwichErrorsFigure),
		)
	}
	for _, d := range compare.Doubtful(rows) {
		r.Note("%s: the ends of the longest annealing on data set %d are %.2g nats apart, so that the ground truth is known within %.2g nats only; give a larger {budget}", d.Model, d.Data, 2*d.Doubt, d.Doubt)
	}
	return r
}

// SandwichThresholds returns the table of how accurate estimators are, a row for each on each model.
func SandwichThresholds(rows []compare.Threshold) *table.Table {
	type row = compare.Threshold
	number := func(name, title, unit, meaning string, spare int, of func(*row) float64) table.Field {
		return columns.Of(name, title, meaning, of).OrEmpty().In(unit).Narrow().Digits(3).Spare(spare)
	}
	return table.New(columns.List{
		columns.Of("model", "model", "the model that the data were drawn from, as on the command line in canonical form", func(r *row) string { return r.Model }).Always(),
		columns.Of("estimator", "estimator", "the estimator; vb:sym is variational Bayes with log K! added, ns:unbiased nested sampling with volumes 1 - 1/K, and ns:early with the stop 1 + exp(-10)", func(r *row) string { return r.Estimator }).Always(),
		columns.Of("exact", "exact start", "whether it starts at an exact draw from the posterior, which only simulated data have", func(r *row) bool { return r.Exact }).Spare(4),
		columns.Of("datasets", "", "how many data sets the row is of", func(r *row) int { return r.Datasets }),
		columns.Of("knob", "knob", "what is varied: T, K, M or R", func(r *row) string { return r.Knob }).Spare(5),
		number("rmse", "best RMSE", "nats", "the smallest root of the mean squared error of a single trial, over all settings; empty where all trials make the ground truth", table.Keep, func(r *row) float64 { return r.Best }),
		columns.Of("rmse_setting", "at knob", "the value of the knob there", func(r *row) int { return r.Setting }).Positive().Spare(6),
		number("rmse_seconds", "time", "s", "the time on the clock that a trial takes there", 2, func(r *row) float64 { return r.Seconds }),
		number("first_seconds", "first below 10 nats", "s", "the time on the clock of a trial with the first setting whose error is below 10 nats; empty where none is", table.Keep, func(r *row) float64 { return r.FirstSeconds }),
		number("bias", "bias", "nats", "the mean estimate less the ground truth with the largest setting that has an error, on average over data sets", table.Keep, func(r *row) float64 { return r.Bias }),
		number("bias_se", "", "nats", "its standard error, over data sets where there are several, and over trials else", 0, func(r *row) float64 { return r.BiasSE }),
		number("combined_rmse", "RMSE combined", "nats", "the root of the mean squared error of the estimate that all trials of that setting give together, over data sets", 1, func(r *row) float64 { return r.CombinedRMSE }),
		number("above_1", "> 1", "", "the share of its trials more than 1 nat above the ground truth; of a stochastic lower bound it is at most exp(-1) = 0.368 on average", 3, func(r *row) float64 { return r.Above1 }),
		number("above_3", "> 3", "", "the share more than 3 nats above; of a stochastic lower bound at most exp(-3) = 0.0498", 3, func(r *row) float64 { return r.Above3 }),
	}, rows)
}

// sandwichEstimatesFigure draws the estimates of every estimator on a model against the time that a trial takes: those of single trials on
// average, and those that all trials give together. The axis is linear within a nat of the ground truth, which is the line at zero, and
// logarithmic beyond, so that estimates that are far off leave room for the others. It fails where there is nothing to draw.
func sandwichEstimatesFigure(series []compare.Series) (*figure.Figure, error) {
	scale := figure.Signed{Unit: 1}
	return compareFigure(series, comparison{
		name: "sandwich_estimates_", label: "estimate less log p(y), nats", ticks: scale, level: 0,
		single:   func(p compare.Point) float64 { return scale.Of(p.Bias) },
		combined: func(p compare.Point) float64 { return scale.Of(p.CombinedBias) },
	})
}

// sandwichErrorsFigure draws the root of the mean squared error of every estimator on a model against the time that a trial takes, of
// single trials and of all trials combined, with a line at 10 nats.
func sandwichErrorsFigure(series []compare.Series) (*figure.Figure, error) {
	return compareFigure(series, comparison{
		name: "sandwich_errors_", label: "RMSE, nats", ticks: figure.Decades{}, level: number.Log10(compare.Accurate),
		single:   func(p compare.Point) float64 { return number.Log10(p.RMSE) },
		combined: func(p compare.Point) float64 { return number.Log10(p.CombinedRMSE) },
	})
}

// comparison is what a figure shows of estimators, of single trials and of all trials combined. The functions return heights on the axis.
type comparison struct {
	name, label      string
	ticks            plot.Ticker
	level            float64 // the height of the line across
	single, combined func(compare.Point) float64
}

// comparePanel returns a panel of one number of all series against time. Numbers that are not finite are left out.
func comparePanel(pen *curves.Pen, series []compare.Series, title, label string, of func(compare.Point) float64) *figure.Panel {
	p := figure.NewPanel(title, "time of a trial, s", label)
	p.X.Tick.Marker = figure.Decades{}
	for i, s := range series {
		var points plotter.XYs
		for _, at := range s.Points {
			if y := of(at); at.Seconds > 0 && figure.Finite(y) {
				points = append(points, plotter.XY{X: number.Log10(at.Seconds), Y: y})
			}
		}
		if mark := compareMark(i, s); !pen.Curve(p, s.Legend, points, mark) {
			pen.Dots(p, s.Legend, points, mark.Glyph)
		}
	}
	p.RoomAround(0.03, 0.05)
	return p
}

// compareMark returns the mark of a series. Estimators that start at an exact draw are dashed with open shapes.
func compareMark(i int, s compare.Series) figure.Mark {
	if s.Exact {
		return figure.Full(i).Open()
	}
	return figure.Full(i)
}

// levelLine adds a line at a height over all times.
func levelLine(p *figure.Panel, series []compare.Series, y float64) {
	low, high := math.Inf(1), math.Inf(-1)
	for _, s := range series {
		for _, at := range s.Points {
			if at.Seconds > 0 {
				low, high = min(low, number.Log10(at.Seconds)), max(high, number.Log10(at.Seconds))
			}
		}
	}
	if low < high {
		figure.Guide(p, plotter.XY{X: low, Y: y}, plotter.XY{X: high, Y: y}, truthLine())
	}
}

// compareFigure draws a comparison in two panels.
func compareFigure(series []compare.Series, c comparison) (*figure.Figure, error) {
	if !slices.ContainsFunc(series, func(s compare.Series) bool { return len(s.Points) > 1 }) {
		return nil, chains.NewAdvice("nothing to draw: no estimator has two settings; give a larger {budget}")
	}
	var pen curves.Pen
	panels := []*figure.Panel{
		comparePanel(&pen, series, series[0].Model+", single trials", c.label, c.single),
		comparePanel(&pen, series, series[0].Model+", all trials combined", c.label, c.combined),
	}
	for _, p := range panels {
		p.Y.Tick.Marker = c.ticks
		levelLine(p, series, c.level)
	}
	var legend figure.Legend
	for i, s := range series {
		legend.Add(s.Legend, compareMark(i, s))
	}
	return pen.Done(figure.Grid(reports.FileName(c.name+series[0].Model), 2, panels, legend))
}

// SandwichHyperFile is the name of the table of hyperparameters.
const SandwichHyperFile = "sandwich_fit_hyperparameters"

// SandwichFitReport returns the report of chains on measured data and on data that were simulated from a fit to them.
func SandwichFitReport(rows []compare.FittedRow) *reports.Report {
	r := reports.New("sandwich_fit", table.New(compare.FitStudy().Columns, rows))
	if len(rows) > 0 {
		name := rows[0].Model
		r.Add(
			reports.Table{Name: SandwichHyperFile, Table: SandwichHyper(rows[0].Fitted), Place: reports.BesideResults},
			curves.Figure("Bounds on the measured data and on data simulated from a fit, model "+name, "no figure of "+name, rows, sandwichFitFigure))
		for _, doubt := range rows[0].Doubts {
			r.Add(reports.Note{Advice: doubt})
		}
	}
	for _, finding := range compare.FittedFindings(rows) {
		r.Note("%s", finding)
	}
	return r
}

// SandwichHyper returns the table of hyperparameters: those inferred from measured data, and those at the start of chains in reverse.
func SandwichHyper(rows []compare.Fitted) *table.Table {
	number := func(name, title, meaning string, of func(*compare.Fitted) float64) table.Field {
		return columns.Of(name, title, meaning, of).OrEmpty().Digits(4).Narrow()
	}
	return table.New(columns.List{
		columns.Of("model", "model", "the model whose hyperparameters are inferred", func(r *compare.Fitted) string { return r.Model }).Spare(1),
		columns.Of("data", "given data", "the data that they are inferred from: real, or simulated", (*compare.Fitted).Kind).Always(),
		columns.Of("start", "start", "the number of the start of chains in reverse; empty for the measured data", func(r *compare.Fitted) int { return r.Start }).Positive(),
		columns.Of("moves", "moves", "how many moves were made at b = 1: on real data after an annealing over as many distributions, and on simulated data from what they were drawn with", func(r *compare.Fitted) int { return r.Moves }).Always(),
		columns.Of("hyperparameter", "hyperparameter", "which it is; probabilities of components are ordered from the largest down", func(r *compare.Fitted) string { return r.Name }).Always(),
		number("value", "value", "that after the last move: the one that data are simulated with, or that chains in reverse start with", func(r *compare.Fitted) float64 { return r.Value }),
		number("mean", "mean", "its mean over the second half of the moves", func(r *compare.Fitted) float64 { return r.Mean }),
		number("sd", "sd", "its standard deviation over the second half of the moves", func(r *compare.Fitted) float64 { return r.SD }),
	}, rows)
}

// sandwichFitFigure draws the quartiles of log weights against T, shifted by the largest log weight of a chain forward on the same data: at the
// left those of chains forward on measured and on simulated data, with those in reverse after the most moves, and at the right those in
// reverse after every number S of moves. It fails where there is one T alone.
func sandwichFitFigure(rows []compare.FittedRow) (*figure.Figure, error) {
	var pen curves.Pen
	left := quartilePanel(&pen, "real and simulated data", fitSeries(rows))
	right := quartilePanel(&pen, "reverse after S moves", reverseSeries(rows))
	if left == nil || right == nil {
		return nil, cmp.Or[error](pen.Err, chains.NewAdvice("nothing to draw: give at least two numbers of distributions, as in {T} 100,1000"))
	}
	return pen.Done(figure.SideBySide(reports.FileName("sandwich_fit_"+rows[0].Model), 9*vg.Centimeter, 7.5*vg.Centimeter, left, right))
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
	forward := func(data int) []compare.FittedRow {
		return slices.DeleteFunc(slices.Clone(rows), func(r compare.FittedRow) bool { return r.Data != data || r.Direction != chains.Forward })
	}
	thin := figure.Mark{Line: draw.LineStyle{Color: figure.Translucent(figure.Color(0)), Width: vg.Points(0.8)}}
	for i := 2; i <= sets; i++ {
		list = append(list, quartileSeries{name: "forward, further simulated data", mark: thin, thin: true, rows: forward(i)})
	}
	if reverse := reverseSeries(rows); len(reverse) > 0 {
		list = append(list, slices.MaxFunc(reverse, func(a, b quartileSeries) int { return a.rows[0].S - b.rows[0].S }))
	}
	return append(list,
		quartileSeries{name: "forward, simulated", mark: figure.Full(0), rows: forward(1)},
		quartileSeries{name: "forward, real", mark: figure.Full(1).Open(), rows: forward(0)},
	)
}

// reverseSeries returns the curves of chains in reverse, one for each S, in colours that those of chains forward do not have.
func reverseSeries(rows []compare.FittedRow) (list []quartileSeries) {
	reverse := slices.DeleteFunc(slices.Clone(rows), func(r compare.FittedRow) bool { return r.Direction != chains.Reverse })
	for i, of := range reports.Grouped(reverse, func(r *compare.FittedRow) string { return fmt.Sprint(r.S) }) {
		list = append(list, quartileSeries{name: fmt.Sprintf("reverse, S = %d", of[0].S), mark: figure.Full(i + 2), rows: of})
	}
	return list
}

// quartilePanel returns a panel of curves of quartiles, or nil where none has two points.
func quartilePanel(pen *curves.Pen, title string, list []quartileSeries) *figure.Panel {
	p := figure.NewPanel(title, "number of distributions T", "log weight, shifted, nats")
	p.X.Tick.Marker = figure.Decades{}
	drawn := false
	for _, s := range list {
		drawn = s.draw(pen, p) || drawn
	}
	if !drawn {
		return nil
	}
	p.RoomAround(0.03, 0.05)
	return p
}

// draw adds a curve of two points or more to a panel, and reports whether it has.
func (s quartileSeries) draw(pen *curves.Pen, p *figure.Panel) bool {
	var low, middle, high plotter.XYs
	for _, r := range s.rows {
		x := number.Log10(float64(r.T))
		low = append(low, plotter.XY{X: x, Y: r.Q25 - r.Shift})
		middle = append(middle, plotter.XY{X: x, Y: r.Median - r.Shift})
		high = append(high, plotter.XY{X: x, Y: r.Q75 - r.Shift})
	}
	if len(middle) < 2 {
		return false
	}
	if s.thin {
		p.Legend.Add(s.name, curves.Key(s.mark.Line))
		pen.Line(p, s.name, middle, s.mark.Line)
		return true
	}
	between := figure.Band(low, high)
	between.Color = figure.Translucent(s.mark.Line.Color)
	p.Add(between)
	p.Record(s.name+", first quartile", low)
	p.Record(s.name+", third quartile", high)
	p.Legend.Add(s.name, s.mark)
	pen.Curve(p, s.name+", median", middle, s.mark)
	return true
}
