package sandwich

import (
	"fmt"
	"strings"

	"breadboard/experiments/columns"
)

// rowColumns are the columns of the study.
func rowColumns() []columns.Field[Row] {
	number := func(name, title, meaning string, of func(*Row) float64) columns.Field[Row] {
		return columns.Field[Row]{
			Column: columns.Column{Name: name, Type: columns.Float, Title: title, Unit: "nats", Narrow: true, Meaning: meaning},
			Of:     func(r *Row) any { return columns.OrEmpty(of(r)) },
		}
	}
	return []columns.Field[Row]{
		{Column: columns.Column{Name: "model", Type: columns.String, Title: "model", Spare: columns.Keep, Meaning: "the model that the data were drawn from, as on the command line in canonical form"}, Of: func(r *Row) any { return r.Model }},
		{Column: columns.Column{Name: "algorithm", Type: columns.String, Title: "algorithm", Spare: columns.Keep, Meaning: "ais, annealed importance sampling, or smc, one-particle sequential Monte Carlo along the data"}, Of: func(r *Row) any { return r.Algorithm }},
		{Column: columns.Column{Name: "T", Type: columns.Int, Title: "T", Spare: columns.Keep, Meaning: "the number of distributions of annealing; empty for smc"}, Of: func(r *Row) any { return columns.Positive(r.T) }},
		{Column: columns.Column{Name: "M", Type: columns.Int, Title: "M", Spare: columns.Keep, Meaning: "the number of scans after each datum; empty for ais"}, Of: func(r *Row) any { return columns.Natural(r.Scans) }},
		{Column: columns.Column{Name: "data", Type: columns.Int, Title: "data", Spare: columns.Keep, Meaning: "the number of the data set; empty where the row is of all data sets"}, Of: func(r *Row) any { return DataSet(r.Data) }},
		{Column: columns.Column{Name: "rows", Type: columns.Int, Meaning: "the number of rows N of the data"}, Of: func(r *Row) any { return r.Rows }},
		{Column: columns.Column{Name: "columns", Type: columns.Int, Meaning: "the number of columns D of the data"}, Of: func(r *Row) any { return r.Columns }},
		{Column: columns.Column{Name: "datasets", Type: columns.Int, Meaning: "how many data sets the row is of"}, Of: func(r *Row) any { return r.Datasets }},
		{Column: columns.Column{Name: "chains", Type: columns.Int, Title: "chains", Spare: 3, Meaning: "how many chains there are of each direction on each data set"}, Of: func(r *Row) any { return r.Chains }},
		number("lower", "lower", "the mean log weight of chains forward, which is at most log p(y) on average", func(r *Row) float64 { return r.Lower }),
		number("lower_se", "", "its standard error, over chains on one data set and over data sets for all of them", func(r *Row) float64 { return r.LowerSE }),
		number("upper", "upper", "the mean log weight of chains in reverse from an exact draw, which is at least log p(y) on average over data sets", func(r *Row) float64 { return r.Upper }),
		number("upper_se", "", "its standard error, conditional on the exact draw on one data set and over data sets for all of them", func(r *Row) float64 { return r.UpperSE }),
		number("B", "B", "upper - lower, which bounds the Jeffreys divergence on average over data sets", func(r *Row) float64 { return r.B }),
		number("B_se", "se of B", "the standard error of B: over data sets for all of them, and conditional on the one exact draw on one data set", func(r *Row) float64 { return r.BSE }),
		number("log_z", "log p(y)", "the ground truth of the data set: the mean of lower and upper of ais with the largest T, where these are within a nat", func(r *Row) float64 { return r.LogZ }),
		number("log_z_se", "se", "its standard error over chains, conditional on the exact draw", func(r *Row) float64 { return r.LogZSE }),
		{Column: columns.Column{Name: "settled", Type: columns.Int, Title: "with a truth", Meaning: "how many of the data sets of the row have a ground truth"}, Of: func(r *Row) any {
			return columns.Both{Machine: r.Settled, People: fmt.Sprintf("%d of %d", r.Settled, r.Datasets)}
		}},
		{Column: columns.Column{Name: "seconds", Type: columns.Float, Title: "time", Unit: "s", Digits: 2, Spare: 2, Meaning: "the time on the clock of one chain, on average over both directions"}, Of: func(r *Row) any { return r.Seconds }},
		{Column: columns.Column{Name: "note", Type: columns.String, Title: "note", Prose: true, Spare: 1, Meaning: columns.MeansNote}, Of: func(r *Row) any { return strings.Join(r.Notes, "; ") }},
	}
}

// DataSet is the cell of the number of a data set, which is empty for machines where a row is of all of them.
func DataSet(number int) any {
	if number == 0 {
		return columns.Both{People: "all"}
	}
	return number
}
