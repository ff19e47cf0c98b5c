package reports

import (
	"breadboard/experiments/columns"
	"breadboard/experiments/sandwich/compare"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// SandwichCompareReport returns the report of a comparison of estimators: how accurate each is and how soon, with a figure of the estimates
// and one of their errors for each model, and beside them a table of every setting on every data set.
func SandwichCompareReport(rows []compare.Row) *Report {
	r := newReport("sandwich_compare", SandwichThresholds(compare.Thresholds(rows)))
	r.add(Table{Name: "sandwich_compare_rows", Table: SandwichCompare(rows), Place: InFile})
	for _, model := range grouped(rows, func(r *compare.Row) string { return r.Model }) {
		series := drawnSeries(compare.SeriesOf(model))
		r.add(
			Figure{Title: "Estimates of log p(y) against time, model " + model[0].Model, Missing: "no figure of the estimates of " + model[0].Model, Draw: func() (*figure.Figure, error) { return SandwichEstimatesFigure(series) }},
			Figure{Title: "Errors of estimates of log p(y) against time, model " + model[0].Model, Missing: "no figure of the errors of " + model[0].Model, Draw: func() (*figure.Figure, error) { return SandwichErrorsFigure(series) }},
		)
	}
	for _, d := range compare.Doubtful(rows) {
		r.note("%s: the ends of the longest annealing on data set %d are %.2g nats apart, so that the ground truth is known within %.2g nats only; give a larger {budget}", d.Model, d.Data, 2*d.Doubt, d.Doubt)
	}
	return r
}

// SandwichThresholds returns the table of how accurate estimators are, a row for each on each model.
func SandwichThresholds(rows []compare.Threshold) *table.Table {
	type row = compare.Threshold
	number := func(name, title, unit, meaning string, spare int, of func(*row) float64) table.Field[row] {
		return table.Field[row]{
			Column: table.Column{Name: name, Type: table.Float, Title: title, Unit: unit, Narrow: true, Digits: 3, Spare: spare, Meaning: meaning},
			Of:     func(r *row) any { return columns.OrEmpty(of(r)) },
		}
	}
	return table.New([]table.Field[row]{
		{Column: table.Column{Name: "model", Type: table.String, Title: "model", Spare: table.Keep, Meaning: "the model that the data were drawn from, as on the command line in canonical form"}, Of: func(r *row) any { return r.Model }},
		{Column: table.Column{Name: "estimator", Type: table.String, Title: "estimator", Spare: table.Keep, Meaning: "the estimator; vb:sym is variational Bayes with log K! added, ns:unbiased nested sampling with volumes 1 - 1/K, and ns:early with the stop 1 + exp(-10)"}, Of: func(r *row) any { return r.Estimator }},
		{Column: table.Column{Name: "exact", Type: table.Bool, Title: "exact start", Spare: 4, Meaning: "whether it starts at an exact draw from the posterior, which only simulated data have"}, Of: func(r *row) any { return r.Exact }},
		{Column: table.Column{Name: "datasets", Type: table.Int, Meaning: "how many data sets the row is of"}, Of: func(r *row) any { return r.Datasets }},
		{Column: table.Column{Name: "knob", Type: table.String, Title: "knob", Spare: 5, Meaning: "what is varied: T, K, M or R"}, Of: func(r *row) any { return r.Knob }},
		number("rmse", "best RMSE", "nats", "the smallest root of the mean squared error of a single trial, over all settings; empty where all trials make the ground truth", table.Keep, func(r *row) float64 { return r.Best }),
		{Column: table.Column{Name: "rmse_setting", Type: table.Int, Title: "at knob", Spare: 6, Meaning: "the value of the knob there"}, Of: func(r *row) any { return columns.Positive(r.Setting) }},
		number("rmse_seconds", "time", "s", "the time on the clock that a trial takes there", 2, func(r *row) float64 { return r.Seconds }),
		number("first_seconds", "first below 10 nats", "s", "the time on the clock of a trial with the first setting whose error is below 10 nats; empty where none is", table.Keep, func(r *row) float64 { return r.FirstSeconds }),
		number("bias", "bias", "nats", "the mean estimate less the ground truth with the largest setting that has an error, on average over data sets", table.Keep, func(r *row) float64 { return r.Bias }),
		number("bias_se", "", "nats", "its standard error, over data sets where there are several, and over trials else", 0, func(r *row) float64 { return r.BiasSE }),
		number("combined_rmse", "RMSE combined", "nats", "the root of the mean squared error of the estimate that all trials of that setting give together, over data sets", 1, func(r *row) float64 { return r.CombinedRMSE }),
		number("above_1", "> 1", "", "the share of its trials more than 1 nat above the ground truth; of a stochastic lower bound it is at most exp(-1) = 0.368 on average", 3, func(r *row) float64 { return r.Above1 }),
		number("above_3", "> 3", "", "the share more than 3 nats above; of a stochastic lower bound at most exp(-3) = 0.0498", 3, func(r *row) float64 { return r.Above3 }),
	}, rows)
}

// SandwichCompare returns the table of every setting of every estimator on every data set.
func SandwichCompare(rows []compare.Row) *table.Table {
	return table.New(compare.Study().Columns, rows)
}
