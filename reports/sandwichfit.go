package reports

import (
	"breadboard/experiments/columns"
	"breadboard/experiments/sandwich/compare"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// The names of the tables.
const (
	sandwichFit   = "sandwich_fit"
	sandwichHyper = "sandwich_fit_hyperparameters"
)

// SandwichFitReport returns the report of chains on measured data and on data that were simulated from a fit to them.
func SandwichFitReport(rows []compare.FittedRow) *Report {
	r := newReport(sandwichFit, SandwichFits(rows))
	if len(rows) > 0 {
		r.add(
			Table{Name: sandwichHyper, Table: SandwichHyper(rows[0].Fitted), Place: BesideResults},
			Figure{
				Title:   "Bounds on the measured data and on data simulated from a fit, model " + rows[0].Model,
				Missing: "no figure of " + rows[0].Model,
				Draw:    func() (*figure.Figure, error) { return SandwichFitFigure(rows) },
			})
		for _, doubt := range rows[0].Doubts {
			r.add(Note{doubt})
		}
	}
	for _, finding := range compare.FittedFindings(rows) {
		r.note("%s", finding)
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
