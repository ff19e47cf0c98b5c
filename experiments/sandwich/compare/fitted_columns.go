package compare

import "breadboard/experiments/columns"

// fittedColumns are the columns of the study.
func fittedColumns() []columns.Field[FittedRow] {
	type row = FittedRow
	number := func(name, title, meaning string, of func(*row) float64) columns.Field[row] {
		return columns.Field[row]{
			Column: columns.Column{Name: name, Type: columns.Float, Title: title, Unit: "nats", Digits: fitDigits(name), Narrow: true, Meaning: meaning},
			Of:     func(r *row) any { return columns.OrEmpty(of(r)) },
		}
	}
	shifted := func(of func(*row) float64) func(*row) float64 {
		return func(r *row) float64 { return of(r) - r.Shift }
	}
	q25 := func(r *row) float64 { return r.Q25 }
	median := func(r *row) float64 { return r.Median }
	q75 := func(r *row) float64 { return r.Q75 }
	mean := func(r *row) float64 { return r.Mean }
	return []columns.Field[row]{
		{Column: columns.Column{Name: "model", Type: columns.String, Title: "model", Spare: 3, Meaning: "the model whose hyperparameters are inferred, as on the command line in canonical form"}, Of: func(r *row) any { return r.Model }},
		{Column: columns.Column{Name: "data", Type: columns.String, Title: "data", Spare: columns.Keep, Meaning: "real, the measured data, or simulated, those drawn with the hyperparameters that were inferred from them"}, Of: func(r *row) any { return r.Kind() }},
		{Column: columns.Column{Name: "set", Type: columns.Int, Title: "set", Spare: columns.Keep, Meaning: "the number of the simulated data set; empty for the measured data"}, Of: func(r *row) any { return columns.Positive(r.Data) }},
		{Column: columns.Column{Name: "direction", Type: columns.String, Title: "direction", Spare: columns.Keep, Meaning: "forward from the prior, or reverse from what the data were simulated with"}, Of: func(r *row) any { return r.Direction.String() }},
		{Column: columns.Column{Name: "S", Type: columns.Int, Title: "S", Spare: columns.Keep, Meaning: "how many moves that leave the posterior invariant were made before chains in reverse; empty forward"}, Of: func(r *row) any { return columns.Natural(r.S) }},
		{Column: columns.Column{Name: "T", Type: columns.Int, Title: "T", Spare: columns.Keep, Meaning: "the number of distributions of annealing"}, Of: func(r *row) any { return r.T }},
		{Column: columns.Column{Name: "rows", Type: columns.Int, Meaning: "the number of rows N of the data"}, Of: func(r *row) any { return r.Rows }},
		{Column: columns.Column{Name: "columns", Type: columns.Int, Meaning: "the number of columns D of the data"}, Of: func(r *row) any { return r.Columns }},
		{Column: columns.Column{Name: "chains", Type: columns.Int, Title: "chains", Spare: 2, Meaning: "how many chains there are"}, Of: func(r *row) any { return r.Chains }},
		{Column: columns.Column{Name: "starts", Type: columns.Int, Meaning: "how many starts the chains in reverse have, each of them as many chains; empty forward"}, Of: func(r *row) any { return columns.Positive(r.Starts) }},
		number("q25", "", "the first quartile of the log weights", q25),
		number("median", "", "their median", median),
		number("q75", "", "their third quartile", q75),
		number("mean", "", "their mean", mean),
		number("q25_shifted", "q25", "the first quartile less shift", shifted(q25)),
		number("median_shifted", "median", "the median less shift", shifted(median)),
		number("q75_shifted", "q75", "the third quartile less shift", shifted(q75)),
		number("mean_shifted", "mean", "the mean less shift", shifted(mean)),
		number("mean_se", "se", "the standard error of the mean: over chains, and over starts where chains in reverse have several", func(r *row) float64 { return r.SE }),
		number("max", "", "the largest log weight", func(r *row) float64 { return r.Max }),
		number("shift", "shift", "the largest log weight of a chain forward on the data set, by which its curves are shifted", func(r *row) float64 { return r.Shift }),
		{Column: columns.Column{Name: "seconds", Type: columns.Float, Title: "time", Unit: "s", Digits: 2, Spare: 1, Meaning: "the time on the clock of one chain, on average"}, Of: func(r *row) any { return r.Seconds }},
	}
}

// fitDigits is how many digits people see of a number: of a log weight itself all that matter where there are thousands of nats, and fewer
// of what is compared.
func fitDigits(name string) int {
	switch name {
	case "mean_se":
		return 2
	case "shift":
		return 0 // as all others
	}
	return 4
}
