package compare

import (
	"breadboard/experiments/columns"
	"breadboard/experiments/sandwich"
)

// crossedColumns are the columns of the study.
func crossedColumns() []columns.Field[CrossedRow] {
	type row = CrossedRow
	text := func(name, title, meaning string, of func(*row) string) columns.Field[row] {
		return columns.Field[row]{Column: columns.Column{Name: name, Type: columns.String, Title: title, Spare: columns.Keep, Meaning: meaning}, Of: func(r *row) any { return of(r) }}
	}
	whole := func(name, title, meaning string, spare int, of func(*row) int) columns.Field[row] {
		return columns.Field[row]{Column: columns.Column{Name: name, Type: columns.Int, Title: title, Spare: spare, Meaning: meaning}, Of: func(r *row) any { return of(r) }}
	}
	number := func(name, title, meaning string, spare int, of func(*row) float64) columns.Field[row] {
		return columns.Field[row]{
			Column: columns.Column{Name: name, Type: columns.Float, Title: title, Unit: "nats", Narrow: true, Spare: spare, Meaning: meaning},
			Of:     func(r *row) any { return columns.OrEmpty(of(r)) },
		}
	}
	digits := func(n int, f columns.Field[row]) columns.Field[row] {
		f.Digits = n
		return f
	}
	return []columns.Field[row]{
		text("data_of", "data of", "the model that the data were drawn from, as on the command line in canonical form", func(r *row) string { return r.Made }),
		text("fitted", "fitted", "the model that is fitted, with its hyperparameters in the state", func(r *row) string { return r.Fitted }),
		{Column: columns.Column{Name: "data", Type: columns.Int, Title: "data", Spare: 4, Meaning: "the number of the data set; empty where the row is of all data sets"}, Of: func(r *row) any { return sandwich.DataSet(r.Data) }},
		whole("rows", "", "the number of rows N of the data", 0, func(r *row) int { return r.Rows }),
		whole("columns", "", "the number of columns D of the data", 0, func(r *row) int { return r.Columns }),
		whole("T", "T", "the number of distributions of annealing", 2, func(r *row) int { return r.T }),
		whole("datasets", "", "how many data sets the row is of", 0, func(r *row) int { return r.Datasets }),
		whole("chains", "chains", "how many chains there are on each data set", 3, func(r *row) int { return r.Chains }),
		number("log_mean_weight", "log mean w", "the logarithm of the mean weight over the chains of a data set, on average over data sets; it is at most log p(y) on average", columns.Keep, func(r *row) float64 { return r.LogMean.Value }),
		number("log_mean_weight_se", "", "its standard error, over data sets for all of them; on one data set by the delta method, and meaningful well below one", 0, func(r *row) float64 { return r.LogMean.StandardError }),
		digits(4, number("behind", "(behind)", "by how much it is below that of the model that made the data, on the same data", columns.Keep, func(r *row) float64 { return r.Behind.Value })),
		digits(2, number("behind_se", "se", "the standard error of behind", 1, func(r *row) float64 { return r.Behind.StandardError })),
		number("mean_log_weight", "mean log w", "the mean log weight, which is at most log p(y) on average, and further below it", 1, func(r *row) float64 { return r.Mean.Value }),
		number("mean_log_weight_se", "", "its standard error, over chains on one data set and over data sets for all of them", 0, func(r *row) float64 { return r.Mean.StandardError }),
		digits(4, number("mean_behind", "(behind)", "by how much mean_log_weight is below that of the model that made the data, on the same data", 1, func(r *row) float64 { return r.MeanBehind.Value })),
		number("mean_behind_se", "", "the standard error of mean_behind", 0, func(r *row) float64 { return r.MeanBehind.StandardError }),
		{
			Column: columns.Column{Name: "paper", Type: columns.Float, Title: "paper", Unit: "nats", Narrow: true, Spare: 2, Meaning: "what Table 1 of Grosse, Ghahramani and Adams 2015 has at this place, for other data of the same models and size"},
			Of: func(r *row) any {
				return paperEntry(r, func(p CrossedPrinted) float64 { return p.LogML })
			},
		},
		{
			Column: columns.Column{Name: "paper_behind", Type: columns.Float, Title: "(behind)", Unit: "nats", Narrow: true, Spare: 2, Meaning: "by how much that is below the diagonal of the paper's table"},
			Of: func(r *row) any {
				return paperEntry(r, func(p CrossedPrinted) float64 { return p.Behind })
			},
		},
		{Column: columns.Column{Name: "seconds", Type: columns.Float, Title: "time", Unit: "s", Digits: 2, Spare: 3, Meaning: "the time on the clock of one chain"}, Of: func(r *row) any { return r.Seconds }},
	}
}

// paperEntry returns a number of the paper, and an empty cell where it has none.
func paperEntry(r *CrossedRow, of func(CrossedPrinted) float64) any {
	if p, is := r.Printed(); is {
		return of(p)
	}
	return nil
}
