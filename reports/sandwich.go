package reports

import (
	"fmt"
	"math"
	"strings"

	"breadboard/experiments/columns"
	"breadboard/experiments/sandwich"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// SandwichReport returns the report of the ends between which log p(y) of simulated data lies, with a figure for each model.
func SandwichReport(rows []sandwich.Row) *Report {
	t := Table{Name: "sandwich", Table: Sandwiches(rows)}
	if whole := wholeRows(rows); len(whole) > 0 && len(whole) < len(rows) {
		t.Brief = Sandwiches(whole)
	}
	r := &Report{Parts: []Part{t}}
	for _, model := range grouped(rows, func(r *sandwich.Row) string { return r.Model }) {
		if model[0].Forward {
			continue // nothing is known of log p(y), from which a figure has the distances
		}
		r.add(Figure{
			Title:   "Bounds of log p(y), model " + model[0].Model,
			Missing: "no figure of " + model[0].Model,
			Draw:    func() (*figure.Figure, error) { return SandwichFigure(model) },
		})
	}
	for _, note := range sandwich.Findings(rows) {
		r.note("%s", note)
	}
	return r
}

// wholeRows returns the rows of all data sets together.
func wholeRows(rows []sandwich.Row) (whole []sandwich.Row) {
	for _, r := range rows {
		if r.Data == 0 {
			whole = append(whole, r)
		}
	}
	return whole
}

// Sandwiches returns the table of the ends between which log p(y) lies, a row for each algorithm, setting and data set, and for all data
// sets together.
func Sandwiches(rows []sandwich.Row) *table.Table { return table.New(sandwichFields(), rows) }

func sandwichFields() []table.Field[sandwich.Row] {
	number := func(name, title, meaning string, of func(*sandwich.Row) float64) table.Field[sandwich.Row] {
		return table.Field[sandwich.Row]{
			Column: table.Column{Name: name, Type: table.Float, Title: title, Unit: "nats", Narrow: true, Meaning: meaning},
			Of:     func(r *sandwich.Row) any { return known(of(r)) },
		}
	}
	fields := []table.Field[sandwich.Row]{
		{Column: table.Column{Name: "model", Type: table.String, Title: "model", Spare: table.Keep, Meaning: "the model that the data were drawn from, as on the command line in canonical form"}, Of: func(r *sandwich.Row) any { return r.Model }},
		{Column: table.Column{Name: "algorithm", Type: table.String, Title: "algorithm", Spare: table.Keep, Meaning: "ais, annealed importance sampling, or smc, one-particle sequential Monte Carlo along the data"}, Of: func(r *sandwich.Row) any { return r.Algorithm }},
		{Column: table.Column{Name: "T", Type: table.Int, Title: "T", Spare: table.Keep, Meaning: "the number of distributions of annealing; empty for smc"}, Of: func(r *sandwich.Row) any { return positive(r.T) }},
		{Column: table.Column{Name: "M", Type: table.Int, Title: "M", Spare: table.Keep, Meaning: "the number of scans after each datum; empty for ais"}, Of: func(r *sandwich.Row) any { return natural(r.Scans) }},
		{Column: table.Column{Name: "data", Type: table.Int, Title: "data", Spare: table.Keep, Meaning: "the number of the data set; empty where the row is of all data sets"}, Of: func(r *sandwich.Row) any { return table.Both{Machine: positive(r.Data), People: dataSet(r.Data)} }},
		{Column: table.Column{Name: "rows", Type: table.Int, Meaning: "the number of rows N of the data"}, Of: func(r *sandwich.Row) any { return r.Rows }},
		{Column: table.Column{Name: "columns", Type: table.Int, Meaning: "the number of columns D of the data"}, Of: func(r *sandwich.Row) any { return r.Columns }},
		{Column: table.Column{Name: "datasets", Type: table.Int, Meaning: "how many data sets the row is of"}, Of: func(r *sandwich.Row) any { return r.Datasets }},
		{Column: table.Column{Name: "chains", Type: table.Int, Title: "chains", Spare: 3, Meaning: "how many chains there are of each direction on each data set"}, Of: func(r *sandwich.Row) any { return r.Chains }},
		number("lower", "lower", "the mean log weight of chains forward, which is at most log p(y) on average", func(r *sandwich.Row) float64 { return r.Lower }),
		number("lower_se", "", "its standard error, over chains on one data set and over data sets for all of them", func(r *sandwich.Row) float64 { return r.LowerSE }),
		number("upper", "upper", "the mean log weight of chains in reverse from an exact draw, which is at least log p(y) on average over data sets", func(r *sandwich.Row) float64 { return r.Upper }),
		number("upper_se", "", "its standard error, conditional on the exact draw on one data set and over data sets for all of them", func(r *sandwich.Row) float64 { return r.UpperSE }),
		number("B", "B", "upper - lower, which bounds the Jeffreys divergence on average over data sets", func(r *sandwich.Row) float64 { return r.B }),
		number("B_se", "se of B", "the standard error of B: over data sets for all of them, and conditional on the one exact draw on one data set", func(r *sandwich.Row) float64 { return r.BSE }),
		number("log_z", "log p(y)", "the ground truth of the data set: the mean of lower and upper of ais with the largest T, where these are within a nat", func(r *sandwich.Row) float64 { return r.LogZ }),
		number("log_z_se", "se", "its standard error over chains, conditional on the exact draw", func(r *sandwich.Row) float64 { return r.LogZSE }),
		{Column: table.Column{Name: "settled", Type: table.Int, Title: "with a truth", Meaning: "how many of the data sets of the row have a ground truth"}, Of: func(r *sandwich.Row) any {
			return table.Both{Machine: r.Settled, People: fmt.Sprintf("%d of %d", r.Settled, r.Datasets)}
		}},
		{Column: table.Column{Name: "seconds", Type: table.Float, Title: "time", Unit: "s", Digits: 2, Spare: 2, Meaning: "the time on the clock of one chain, on average over both directions"}, Of: func(r *sandwich.Row) any { return r.Seconds }},
		{Column: table.Column{Name: "note", Type: table.String, Title: "note", Prose: true, Spare: 1, Meaning: columns.MeansNote}, Of: func(r *sandwich.Row) any { return strings.Join(r.Notes, "; ") }},
	}
	return fields
}

// dataSet is how people see which data set a row is of.
func dataSet(number int) any {
	if number == 0 {
		return "all"
	}
	return number
}

// known returns a number, and an empty cell for NaN.
func known(v float64) any {
	if math.IsNaN(v) {
		return nil
	}
	return v
}

// positive returns a number above zero, and an empty cell for others.
func positive(n int) any {
	if n <= 0 {
		return nil
	}
	return n
}

// natural returns a number that is not below zero, and an empty cell for others.
func natural(n int) any {
	if n < 0 {
		return nil
	}
	return n
}
