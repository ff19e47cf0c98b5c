package reports

import (
	"breadboard/experiments/sandwich/compare"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// SandwichTableReport returns the report of models that are fitted to the data of each other, with a figure.
func SandwichTableReport(rows []compare.CrossedRow) *Report {
	t := Table{Name: sandwichTable, Table: SandwichTable(rows)}
	whole := compare.CrossedWhole(rows)
	if len(whole) > 0 && len(whole) < len(rows) {
		t.Brief = SandwichTable(whole)
	}
	r := &Report{Parts: []Part{t, Figure{
		Title:   "Models that are fitted to the data of each other",
		Missing: "no figure of the table",
		Draw:    func() (*figure.Figure, error) { return SandwichTableFigure(whole) },
	}}}
	for _, finding := range compare.CrossedFindings(rows) {
		r.note("%s", finding)
	}
	return r
}

// sandwichTable is the name of the table and of its figure.
const sandwichTable = "sandwich_table"

// SandwichTable returns the table of models that are fitted to the data of each other, a row for each two models and each data set, and for
// all data sets together.
func SandwichTable(rows []compare.CrossedRow) *table.Table {
	return table.New(sandwichTableFields(), rows)
}

func sandwichTableFields() []table.Field[compare.CrossedRow] {
	text := func(name, title, meaning string, of func(*compare.CrossedRow) string) table.Field[compare.CrossedRow] {
		return table.Field[compare.CrossedRow]{Column: table.Column{Name: name, Type: table.String, Title: title, Spare: table.Keep, Meaning: meaning}, Of: func(r *compare.CrossedRow) any { return of(r) }}
	}
	whole := func(name, title, meaning string, spare int, of func(*compare.CrossedRow) int) table.Field[compare.CrossedRow] {
		return table.Field[compare.CrossedRow]{Column: table.Column{Name: name, Type: table.Int, Title: title, Spare: spare, Meaning: meaning}, Of: func(r *compare.CrossedRow) any { return of(r) }}
	}
	number := func(name, title, meaning string, spare int, of func(*compare.CrossedRow) float64) table.Field[compare.CrossedRow] {
		return table.Field[compare.CrossedRow]{
			Column: table.Column{Name: name, Type: table.Float, Title: title, Unit: "nats", Narrow: true, Spare: spare, Meaning: meaning},
			Of:     func(r *compare.CrossedRow) any { return known(of(r)) },
		}
	}
	digits := func(n int, f table.Field[compare.CrossedRow]) table.Field[compare.CrossedRow] {
		f.Digits = n
		return f
	}
	return []table.Field[compare.CrossedRow]{
		text("data_of", "data of", "the model that the data were drawn from, as on the command line in canonical form", func(r *compare.CrossedRow) string { return r.Made }),
		text("fitted", "fitted", "the model that is fitted, with its hyperparameters in the state", func(r *compare.CrossedRow) string { return r.Fitted }),
		{Column: table.Column{Name: "data", Type: table.Int, Title: "data", Spare: 4, Meaning: "the number of the data set; empty where the row is of all data sets"}, Of: func(r *compare.CrossedRow) any { return table.Both{Machine: positive(r.Data), People: dataSet(r.Data)} }},
		whole("rows", "", "the number of rows N of the data", 0, func(r *compare.CrossedRow) int { return r.Rows }),
		whole("columns", "", "the number of columns D of the data", 0, func(r *compare.CrossedRow) int { return r.Columns }),
		whole("T", "T", "the number of distributions of annealing", 2, func(r *compare.CrossedRow) int { return r.T }),
		whole("datasets", "", "how many data sets the row is of", 0, func(r *compare.CrossedRow) int { return r.Datasets }),
		whole("chains", "chains", "how many chains there are on each data set", 3, func(r *compare.CrossedRow) int { return r.Chains }),
		number("log_mean_weight", "log mean w", "the logarithm of the mean weight over the chains of a data set, on average over data sets; it is at most log p(y) on average", table.Keep, func(r *compare.CrossedRow) float64 { return r.LogMean.Value }),
		number("log_mean_weight_se", "", "its standard error, over data sets for all of them; on one data set by the delta method, and meaningful well below one", 0, func(r *compare.CrossedRow) float64 { return r.LogMean.StandardError }),
		digits(4, number("behind", "(behind)", "by how much it is below that of the model that made the data, on the same data", table.Keep, func(r *compare.CrossedRow) float64 { return r.Behind.Value })),
		digits(2, number("behind_se", "se", "the standard error of behind", 1, func(r *compare.CrossedRow) float64 { return r.Behind.StandardError })),
		number("mean_log_weight", "mean log w", "the mean log weight, which is at most log p(y) on average, and further below it", 1, func(r *compare.CrossedRow) float64 { return r.Mean.Value }),
		number("mean_log_weight_se", "", "its standard error, over chains on one data set and over data sets for all of them", 0, func(r *compare.CrossedRow) float64 { return r.Mean.StandardError }),
		digits(4, number("mean_behind", "(behind)", "by how much mean_log_weight is below that of the model that made the data, on the same data", 1, func(r *compare.CrossedRow) float64 { return r.MeanBehind.Value })),
		number("mean_behind_se", "", "the standard error of mean_behind", 0, func(r *compare.CrossedRow) float64 { return r.MeanBehind.StandardError }),
		{
			Column: table.Column{Name: "paper", Type: table.Float, Title: "paper", Unit: "nats", Narrow: true, Spare: 2, Meaning: "what Table 1 of Grosse, Ghahramani and Adams 2015 has at this place, for other data of the same models and size"},
			Of: func(r *compare.CrossedRow) any {
				return paperEntry(r, func(p compare.CrossedPrinted) float64 { return p.LogML })
			},
		},
		{
			Column: table.Column{Name: "paper_behind", Type: table.Float, Title: "(behind)", Unit: "nats", Narrow: true, Spare: 2, Meaning: "by how much that is below the diagonal of the paper's table"},
			Of: func(r *compare.CrossedRow) any {
				return paperEntry(r, func(p compare.CrossedPrinted) float64 { return p.Behind })
			},
		},
		{Column: table.Column{Name: "seconds", Type: table.Float, Title: "time", Unit: "s", Digits: 2, Spare: 3, Meaning: "the time on the clock of one chain"}, Of: func(r *compare.CrossedRow) any { return r.Seconds }},
	}
}

// paperEntry returns a number of the paper, and an empty cell where it has none.
func paperEntry(r *compare.CrossedRow, of func(compare.CrossedPrinted) float64) any {
	if p, is := r.Printed(); is {
		return of(p)
	}
	return nil
}
