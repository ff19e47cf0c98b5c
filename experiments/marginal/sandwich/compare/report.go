package compare

import (
	"fmt"
	"slices"
	"strings"

	"breadboard/chains/errs"
	"breadboard/experiments/curves"
	"breadboard/reports"
	"breadboard/reports/columns"
	"breadboard/reports/table"
)

// Report returns the report of a comparison of estimators: how accurate each is and
// how fast, with a figure of the estimates and one of their errors for each model, and a table of
// every setting on every data set in a file.
func Report(rows []Row) *reports.Report {
	thresholds := Thresholds(rows)
	r := reports.New("sandwich_compare", table.New(thresholdColumns(), thresholds))
	r.Begin(columns.Sentence{
		Least: "rmse",
		Text: "{model}: {estimator} comes nearest to log p(y), with an RMSE of {rmse} nats " +
			"at {knob} = {rmse_setting}",
	}, thresholdColumns(), thresholds)
	r.Add(reports.Table{
		Name:  "sandwich_compare_rows",
		Table: table.New(Study().Declaration.Columns, rows),
		Place: reports.InFile,
	})
	for _, model := range reports.Grouped(rows, func(r *Row) string { return r.Model }) {
		name := model[0].Model
		series := slices.DeleteFunc(SeriesOf(model), func(s Series) bool {
			// of nested sampling; it hides the curves of the other stop
			return strings.HasSuffix(s.Estimator, earlyStop)
		})
		plotCompared(r, series, columns.Plot{
			Name:     "sandwich_estimates_" + name,
			Title:    "Estimates of log p(y) by time, model " + name,
			Parts:    []columns.Part{{YLabel: "estimate - log p(y) (nats)", YUnit: 1}},
			Across:   []float64{0},
			AcrossIs: "log p(y)",
		}, func(p *comparedPoint) any { return p.Bias }, func(p *comparedPoint) any { return p.CombinedBias })
		plotCompared(r, series, columns.Plot{
			Name:     "sandwich_errors_" + name,
			Title:    "Errors of estimates of log p(y) by time, model " + name,
			Parts:    []columns.Part{{YLabel: "RMSE (nats)", YScale: columns.Decades}},
			Across:   []float64{accurate},
			AcrossIs: fmt.Sprintf("%v nats", accurate),
		}, func(p *comparedPoint) any { return p.RMSE }, func(p *comparedPoint) any { return p.CombinedRMSE })
	}
	for _, d := range Doubtful(rows) {
		r.Note("%s: the ends of the longest annealing on data set %d are %.2g nats apart, so that the error "+
			"of the ground truth is up to %.2g nats; give more {time}",
			d.Model, d.Data, 2*d.Doubt, d.Doubt)
	}
	return r
}

// thresholdColumns returns the columns of the accuracy of estimators, a row for each on each
// model.
func thresholdColumns() columns.List {
	type row = Threshold
	number := func(name, title, unit, meaning string, of func(*row) float64) table.Field {
		return columns.Estimated(name, title, meaning, of).OrEmpty().In(unit).Digits(3)
	}
	return columns.List{
		columns.Of("model",
			"model", "the model that the data were drawn from",
			func(r *row) string { return r.Model }),
		columns.Of("estimator", "estimator",
			"the estimator; vb:sym adds log K!, ns:unbiased has volumes 1 - 1/K, ns:early the stop 1 + exp(-10)",
			func(r *row) string { return r.Estimator }),
		columns.Of("exact", "exact start",
			"whether it starts at an exact draw from the posterior",
			func(r *row) bool { return r.Exact }),
		columns.Of("datasets", "", "the number of data sets of the row", func(r *row) int { return r.Datasets }),
		columns.Of("knob", "knob", "what is varied: T, K, M or R", func(r *row) string { return r.Knob }),
		number("rmse", "best RMSE", "nats",
			"the smallest root mean squared error of a trial over all settings; empty if all trials define the truth",
			func(r *row) float64 { return r.Best }).Answer(),
		columns.Of("rmse_setting", "at knob", "the value of the knob there",
			func(r *row) int { return r.Setting }).Positive(),
		number("rmse_seconds", "time", "s", "the wall-clock time of a trial there",
			func(r *row) float64 { return r.Seconds }),
		number("first_seconds", "first below 10 nats", "s",
			"the wall-clock time of a trial at the first setting whose error is below 10 nats",
			func(r *row) float64 { return r.FirstSeconds }).Answer(),
		number("bias", "bias",
			"nats", "the mean estimate minus the truth at the largest setting with an error",
			func(r *row) float64 { return r.Bias }).Answer(),
		number("bias_se",
			"", "nats", "the standard error of bias, over data sets, or over trials of a single one",
			func(r *row) float64 { return r.BiasSE }),
		number("combined_rmse", "RMSE combined", "nats",
			"the root mean squared error of all trials of that setting combined",
			func(r *row) float64 { return r.CombinedRMSE }),
		number("above_1", "> 1", "",
			"the fraction of trials more than 1 nat above the truth; of a lower bound at most exp(-1)",
			func(r *row) float64 { return r.Above1 }),
		number("above_3", "> 3", "", "the fraction more than 3 nats above; of a lower bound at most exp(-3)",
			func(r *row) float64 { return r.Above3 }),
	}
}

// comparedPoint is an estimator with one setting.
type comparedPoint struct {
	*Series
	Point
}

// plotCompared adds the figure of a number of every estimator on a model against the time of a
// trial, a panel for each: of single trials, and dashed with open shapes of all trials combined.
// Infinite and missing numbers are omitted. An axis with a unit is linear up to it and logarithmic
// beyond, so that far estimates leave room for the others.
func plotCompared(r *reports.Report, series []Series, p columns.Plot,
	single, combined func(*comparedPoint) any) {
	var points []comparedPoint
	for i := range series {
		for _, at := range series[i].Points {
			points = append(points, comparedPoint{&series[i], at})
		}
	}
	part := &p.Parts[0]
	part.X = "seconds"
	part.XLabel = "time of a trial (s)"
	part.XScale = columns.Decades
	part.Y = []string{"single trials", "all trials combined"}
	p.Panels = []string{"estimator"}
	if !slices.ContainsFunc(series, func(s Series) bool { return len(s.Points) > 1 }) {
		points, p.Why = nil,
			errs.New("nothing to draw: no estimator has two settings; give more {time}")
	}
	r.Plots(table.New(columns.List{
		curves.Column("estimator",
			func(r *comparedPoint) any { return r.Legend + map[bool]string{true: ", exact start"}[r.Exact] }),
		curves.Column("seconds", func(r *comparedPoint) any { return r.Seconds }),
		curves.Column("single trials", single),
		curves.Column("all trials combined", combined),
	}, points), p)
}
