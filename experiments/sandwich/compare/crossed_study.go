package compare

import (
	"slices"

	"breadboard/experiments"
	"breadboard/experiments/columns"
	"breadboard/experiments/sandwich"
	"breadboard/experiments/study"
)

// Crossed declares the study of models that are fitted to the data of each other.
func Crossed() *study.Study[study.NoSubjects, CrossedOptions, CrossedRow] {
	type options = CrossedOptions
	return &study.Study[study.NoSubjects, options, CrossedRow]{
		Name: "sandwich table",
		Asks: "Do marginal likelihoods tell from which model data come? Every model fitted to the data of every model",
		Help: `table draws data from each model and fits all of the models to them by annealed importance sampling (sigmoid:4), as section
6.3 and Table 1 of Grosse, Ghahramani and Adams (2015). Data are drawn with known hyperparameters. As these mean nothing to a
model that did not make the data, all models have theirs in the state when they are fitted: variances with inverse gamma priors
of shape and scale one, probabilities with uniform ones.

  log mean w   the logarithm of the mean weight over the chains of a data set, which is at most log p(y) on average
  (behind)     by how much it is below that of the model that made the data, on the same data
  mean log w   the mean log weight, which is further below; a chain of lowrank that starts at a huge variance spoils it
  paper        what Table 1 has, for other data of the same models and size; expect it to be similar, and not equal

Numbers are means over data sets, and their standard errors are over data sets, or over chains where there is one alone.
Standard error says which other model comes nearest on the data of each model, and by how many standard errors.

How far below log p(y) the numbers are is not known, as a model that did not make the data has no exact draw to anneal from in
reverse. The paper takes -T 30000. Models that anneal badly are further behind at a smaller T.

With --out it also draws the table.`,
		Examples: `  breadboard sandwich table
  breadboard sandwich table -T 30000 --chains 10 --datasets 8 --out results
  breadboard sandwich table --model clustering:4,lowrank:2 --data-rows 30 --data-columns 10 -T 300`,
		Counts: "chains", Workers: "number of chains run at once",
		Standard: options{
			Models: sandwich.ModelNames(), Rows: sandwich.DefaultRows, Columns: sandwich.DefaultColumns, T: 1000, Chains: 3, Datasets: 3, Seed: 1,
		},
		Options: slices.Concat(
			[]study.Option[options]{
				sandwich.ModelsOption(func(o *options) *[]string { return &o.Models }),
				{Name: "distributions", Letter: "T", Doc: "number of distributions of annealing, both ends included", Value: func(o *options) study.Value { return study.Whole(&o.T, "N", 0, experiments.MaxNumber) }},
				sandwich.CountOption("chains", "number of chains of each model on each data set", func(o *options) *int { return &o.Chains }),
				sandwich.CountOption("datasets", "number of data sets of each model", func(o *options) *int { return &o.Datasets }),
				sandwich.SeedOption("seed of data and chains, 0 to 2^64-1", func(o *options) *uint64 { return &o.Seed }),
			},
			sandwich.SizeOptions(func(o *options) *int { return &o.Rows }, func(o *options) *int { return &o.Columns }),
		),
		Columns: crossedColumns(), Plan: crossedPlan,
		Unswept: "its rows compare each model with the one that made the data, on the same data",
	}
}

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
		sandwich.Column("rows", func(r *row) any { return r.Rows }),
		sandwich.Column("columns", func(r *row) any { return r.Columns }),
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
			Of:     func(r *row) any { return paperEntry(r, func(p CrossedPrinted) float64 { return p.LogML }) },
		},
		{
			Column: columns.Column{Name: "paper_behind", Type: columns.Float, Title: "(behind)", Unit: "nats", Narrow: true, Spare: 2, Meaning: "by how much that is below the diagonal of the paper's table"},
			Of:     func(r *row) any { return paperEntry(r, func(p CrossedPrinted) float64 { return p.Behind }) },
		},
		{Column: columns.Column{Name: "seconds", Type: columns.Float, Title: "time", Unit: "s", Digits: 2, Spare: 3, Meaning: "the time on the clock of one chain"}, Of: func(r *row) any { return r.Seconds }},
	}
}

// paperEntry returns a number of the paper, and an empty cell where it has none.
func paperEntry(r *CrossedRow, of func(CrossedPrinted) float64) any {
	if printed, known := r.Printed(); known {
		return of(printed)
	}
	return nil
}

// CrossedPrinted is an entry of the paper's table. Its data are those of the authors, of the same models and size, so that it agrees with ours
// in kind alone.
//
// Source: Grosse, Ghahramani and Adams 2015, Table 1.
type CrossedPrinted struct {
	Made, Fitted string  // the models, with the paper's numbers of components
	LogML        float64 // the estimate of the log marginal likelihood
	Behind       float64 // by how much it is below that of the model that made the data
}

// Table1 returns the entries of the paper's table.
func Table1() []CrossedPrinted {
	return []CrossedPrinted{
		{"clustering", "clustering", -2377.5, 0}, {"clustering", "lowrank", -2390.6, 13.1}, {"clustering", "binary", -2383.2, 5.7},
		{"lowrank", "clustering", -2214.2, 69.1}, {"lowrank", "lowrank", -2145.1, 0}, {"lowrank", "binary", -2171.4, 26.3},
		{"binary", "clustering", -2268.6, 49.2}, {"binary", "lowrank", -2241.7, 22.3}, {"binary", "binary", -2219.4, 0},
	}
}

// Printed returns the entry of the paper's table for the models of a row, and false where there is none: the paper has data of 50 rows and
// 25 columns, and models with its numbers of components.
func (r *CrossedRow) Printed() (CrossedPrinted, bool) {
	for _, p := range Table1() {
		if p.Made == r.Made && p.Fitted == r.Fitted && r.Rows == sandwich.DefaultRows && r.Columns == sandwich.DefaultColumns {
			return p, true
		}
	}
	return CrossedPrinted{}, false
}
