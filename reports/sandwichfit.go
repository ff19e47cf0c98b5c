package reports

import (
	"breadboard/chains"
	"breadboard/experiments/sandwich/compare"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// The names of the tables.
const (
	sandwichFit   = "sandwich_fit"
	sandwichHyper = "sandwich_fit_hyperparameters"
)

// SandwichFitReport returns the report of chains on measured data and on data that were simulated from a fit to them. Doubts are what speaks
// against the model before any chain is made.
func SandwichFitReport(o *compare.FittedOutcome, doubts []chains.Advice) *Report {
	r := newReport(sandwichFit, SandwichFits(o.Rows))
	r.add(Table{Name: sandwichHyper, Table: SandwichHyper(o.Fitted), Place: BesideResults})
	if len(o.Rows) > 0 {
		r.add(Figure{
			Title:   "Bounds on the measured data and on data simulated from a fit, model " + o.Rows[0].Model,
			Missing: "no figure of " + o.Rows[0].Model,
			Draw:    func() (*figure.Figure, error) { return SandwichFitFigure(o.Rows) },
		})
	}
	for _, doubt := range doubts {
		r.add(Note{doubt})
	}
	for _, finding := range o.Findings {
		r.note("%s", finding)
	}
	return r
}

// SandwichFits returns the table of chains on measured and on simulated data, a row for each data set, direction, S and T.
func SandwichFits(rows []compare.FittedRow) *table.Table { return table.New(sandwichFitFields(), rows) }

func sandwichFitFields() []table.Field[compare.FittedRow] {
	number := func(name, title, meaning string, of func(*compare.FittedRow) float64) table.Field[compare.FittedRow] {
		return table.Field[compare.FittedRow]{
			Column: table.Column{Name: name, Type: table.Float, Title: title, Unit: "nats", Digits: fitDigits(name), Narrow: true, Meaning: meaning},
			Of:     func(r *compare.FittedRow) any { return known(of(r)) },
		}
	}
	shifted := func(of func(*compare.FittedRow) float64) func(*compare.FittedRow) float64 {
		return func(r *compare.FittedRow) float64 { return of(r) - r.Shift }
	}
	q25 := func(r *compare.FittedRow) float64 { return r.Q25 }
	median := func(r *compare.FittedRow) float64 { return r.Median }
	q75 := func(r *compare.FittedRow) float64 { return r.Q75 }
	mean := func(r *compare.FittedRow) float64 { return r.Mean }
	return []table.Field[compare.FittedRow]{
		{Column: table.Column{Name: "model", Type: table.String, Title: "model", Spare: 3, Meaning: "the model whose hyperparameters are inferred, as on the command line in canonical form"}, Of: func(r *compare.FittedRow) any { return r.Model }},
		{Column: table.Column{Name: "data", Type: table.String, Title: "data", Spare: table.Keep, Meaning: "real, the measured data, or simulated, those drawn with the hyperparameters that were inferred from them"}, Of: func(r *compare.FittedRow) any { return r.Kind() }},
		{Column: table.Column{Name: "set", Type: table.Int, Title: "set", Spare: table.Keep, Meaning: "the number of the simulated data set; empty for the measured data"}, Of: func(r *compare.FittedRow) any { return positive(r.Data) }},
		{Column: table.Column{Name: "direction", Type: table.String, Title: "direction", Spare: table.Keep, Meaning: "forward from the prior, or reverse from what the data were simulated with"}, Of: func(r *compare.FittedRow) any { return r.Direction.String() }},
		{Column: table.Column{Name: "S", Type: table.Int, Title: "S", Spare: table.Keep, Meaning: "how many moves that leave the posterior invariant were made before chains in reverse; empty forward"}, Of: func(r *compare.FittedRow) any { return natural(r.S) }},
		{Column: table.Column{Name: "T", Type: table.Int, Title: "T", Spare: table.Keep, Meaning: "the number of distributions of annealing"}, Of: func(r *compare.FittedRow) any { return r.T }},
		{Column: table.Column{Name: "rows", Type: table.Int, Meaning: "the number of rows N of the data"}, Of: func(r *compare.FittedRow) any { return r.Rows }},
		{Column: table.Column{Name: "columns", Type: table.Int, Meaning: "the number of columns D of the data"}, Of: func(r *compare.FittedRow) any { return r.Columns }},
		{Column: table.Column{Name: "chains", Type: table.Int, Title: "chains", Spare: 2, Meaning: "how many chains there are"}, Of: func(r *compare.FittedRow) any { return r.Chains }},
		{Column: table.Column{Name: "starts", Type: table.Int, Meaning: "how many starts the chains in reverse have, each of them as many chains; empty forward"}, Of: func(r *compare.FittedRow) any { return positive(r.Starts) }},
		number("q25", "", "the first quartile of the log weights", q25),
		number("median", "", "their median", median),
		number("q75", "", "their third quartile", q75),
		number("mean", "", "their mean", mean),
		number("q25_shifted", "q25", "the first quartile less shift", shifted(q25)),
		number("median_shifted", "median", "the median less shift", shifted(median)),
		number("q75_shifted", "q75", "the third quartile less shift", shifted(q75)),
		number("mean_shifted", "mean", "the mean less shift", shifted(mean)),
		number("mean_se", "se", "the standard error of the mean: over chains, and over starts where chains in reverse have several", func(r *compare.FittedRow) float64 { return r.SE }),
		number("max", "", "the largest log weight", func(r *compare.FittedRow) float64 { return r.Max }),
		number("shift", "shift", "the largest log weight of a chain forward on the data set, by which its curves are shifted", func(r *compare.FittedRow) float64 { return r.Shift }),
		{Column: table.Column{Name: "seconds", Type: table.Float, Title: "time", Unit: "s", Digits: 2, Spare: 1, Meaning: "the time on the clock of one chain, on average"}, Of: func(r *compare.FittedRow) any { return r.Seconds }},
	}
}

// fitDigits is how many digits people see of a number: of a log weight itself all that matter where there are thousands of nats, and fewer
// of what is compared.
func fitDigits(name string) int {
	switch name {
	case "mean_se":
		return 2
	case "shift":
		return table.DefaultDigits
	}
	return 4
}

// SandwichHyper returns the table of hyperparameters: those inferred from measured data, and those at the start of chains in reverse.
func SandwichHyper(rows []compare.Fitted) *table.Table {
	number := func(name, title, meaning string, of func(*compare.Fitted) float64) table.Field[compare.Fitted] {
		return table.Field[compare.Fitted]{
			Column: table.Column{Name: name, Type: table.Float, Title: title, Digits: 4, Narrow: true, Meaning: meaning},
			Of:     func(r *compare.Fitted) any { return known(of(r)) },
		}
	}
	return table.New([]table.Field[compare.Fitted]{
		{Column: table.Column{Name: "model", Type: table.String, Title: "model", Spare: 1, Meaning: "the model whose hyperparameters are inferred"}, Of: func(r *compare.Fitted) any { return r.Model }},
		{Column: table.Column{Name: "data", Type: table.String, Title: "given data", Spare: table.Keep, Meaning: "the data that they are inferred from: real, or simulated"}, Of: func(r *compare.Fitted) any { return r.Kind() }},
		{Column: table.Column{Name: "start", Type: table.Int, Title: "start", Meaning: "the number of the start of chains in reverse; empty for the measured data"}, Of: func(r *compare.Fitted) any { return positive(r.Start) }},
		{Column: table.Column{Name: "moves", Type: table.Int, Title: "moves", Spare: table.Keep, Meaning: "how many moves were made at b = 1: on real data after an annealing over as many distributions, and on simulated data from what they were drawn with"}, Of: func(r *compare.Fitted) any { return r.Moves }},
		{Column: table.Column{Name: "hyperparameter", Type: table.String, Title: "hyperparameter", Spare: table.Keep, Meaning: "which it is; probabilities of components are ordered from the largest down"}, Of: func(r *compare.Fitted) any { return r.Name }},
		number("value", "value", "that after the last move: the one that data are simulated with, or that chains in reverse start with", func(r *compare.Fitted) float64 { return r.Value }),
		number("mean", "mean", "its mean over the second half of the moves", func(r *compare.Fitted) float64 { return r.Mean }),
		number("sd", "sd", "its standard deviation over the second half of the moves", func(r *compare.Fitted) float64 { return r.SD }),
	}, rows)
}
