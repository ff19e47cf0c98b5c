// Package sandwich answers: what is the marginal likelihood of data that were drawn from a model,
// and how wrong are estimators of it, at sizes that cannot be enumerated? It never prints, draws or
// reads flags.
//
// Simulated data come with an exact draw from their posterior: the parameters and latent variables
// that made them. Annealed importance sampling and one-particle sequential Monte Carlo run forward
// from the prior give a log weight that is at most log p(y) on average; in reverse from the exact
// draw it is at least log p(y) on average. If the two agree to a nat, their mean is the ground
// truth for every other estimator.
//
// All reverse chains of a data set start from its one exact draw. Their mean has the error of that
// draw, whatever the number of chains, so that for a single data set the upper end may be below the
// lower one. The standard error of an average over data sets is over data sets, and covers this
// error.
//
// Data sets and their exact draws can be saved and read again (Save, ReadSaved). Measured data
// (Measured) have no exact draw: chains run forward on them, and there is neither an upper end nor
// a ground truth.
//
// The estimators are those of package chains/estimators, whose exact distributions on small models
// are in package exact/laws. The models are those of package toys/latent.
//
// Source: Grosse, Ghahramani and Adams 2015, sections 4 and 6.
//
// # The check of the samplers
//
// Check answers: do the samplers at full size have the exact distributions of their algorithms? It
// runs the models of package toys/latent, through the same code as the sandwich, on the data of
// models that are small enough for a lattice, and tests their estimates against the distributions
// of package exact/laws, which samples nothing. The tests are the e-processes of package
// experiments/marginal/evidence. It never prints, draws or reads flags.
//
// On a lattice a state is a number, and an axis is drawn from a table of all states. At full size a
// state has assignments and statistics, and each variable is drawn by formulas. The two share no
// code of a kernel, so that their agreement supports both: at any b, forward and in reverse, and
// along the data.
package sandwich

import (
	"fmt"
	"slices"
	"strings"

	"breadboard/experiments/study"
	"breadboard/reports"
	"breadboard/reports/columns"
)

// Study declares the study. Its options include the data sets.
func Study() *study.Study[study.NoSubjects, Options, Row] {
	return study.New(Options{
		Models:   []string{"clustering"},
		Rows:     DefaultRows,
		Columns:  DefaultColumns,
		T:        []int{100, 1000},
		Scans:    []int{1, 10},
		Chains:   6,
		Datasets: 4,
		Seed:     1,
	}, plan, study.Declaration{
		Says: columns.Sentence{Text: "{model}: log p(y) is between {lower} and {upper} nats"},
		Name: "sandwich",
		Asks: "What is log p(y) of data? Bounds from annealing both ways",
		Help: `sandwich estimates the marginal likelihood p(y) of data under a model of any
size, between a lower and an upper bound (Grosse, Ghahramani and Adams 2015).

Data sets are drawn from the model, or read by --data. Chains run forward from
the prior, which gives a lower bound on log p(y) on average, and in reverse
from the latent variables that made the data, which gives an upper bound. B is
upper - lower, averaged over data sets. Reverse chains of a data set share one
exact draw, unless --exact-starts is given. Measured data have no upper bound.

--forward and --reverse take the log weights of your own program, for any
target: the columns log_w of two files, or log weights as .npy. You get both
bounds, B, the estimate by Bennett's acceptance ratio, and a test whether the
two belong to one pair of processes. --log-z tests a known log(Z_T/Z_1), and
--toy with -T shows the exact J and B. The exit code is then 1 for a fault, or
if nothing decides.

See breadboard help logz.`,
		Examples: `  breadboard sandwich
  breadboard sandwich --model clustering -T 100,1000,10000,30000 --chains 25 --datasets 8 --out results
  breadboard sandwich --data saved
  breadboard sandwich --data faithful.csv --model clustering:2
  breadboard sandwich --forward forward.csv --reverse reverse.npy`,
		Counts: "chains", Workers: true,
		Options: study.OptionsOf(func(o *Options) []study.Option {
			return slices.Concat([]study.Option{
				ModelsOption(&o.Models),
				LengthsOption(&o.T),
				{Name: "scans", Doc: "after each datum, for sequential Monte Carlo",
					To: study.Wholes(&o.Scans, "N", 0, maxScans)},
				study.CountOption("chains", "per direction and data set", &o.Chains, nil),
				study.CountOption("datasets", "of each model", &o.Datasets, nil),
				study.SeedOption(&o.Seed, nil),
			},
				SizeOptions(&o.Rows, &o.Columns),
			)
		}),
		Columns: rowColumns(),
		View:    reports.Untyped(report),
		Unswept: "a sweep with study = \"sandwich\" runs single trials of its estimators, for " +
			"sandwich compare",
	})
}

// ModelsOption is the option of models of data of any size.
func ModelsOption(to *[]string) study.Option {
	return study.Option{
		Name: "model", Doc: ": " + strings.Join(Models().Listing.Syntaxes(), ", "),
		To: study.Texts(to),
	}
}

// LengthsOption is the option of numbers of distributions.
func LengthsOption(to *[]int) study.Option {
	return study.Option{
		Name: "distributions", Letter: "T",
		To: study.Wholes(to, "T", 2, MaxT),
	}
}

// SizeOptions are the options of the size of data. The name columns is that of a flag of tables.
func SizeOptions(rows, columns *int) []study.Option {
	return []study.Option{study.CountOption("data-rows", "", rows, nil),
		study.CountOption("data-columns", "", columns, nil)}
}

// rowColumns are the columns of the study.
func rowColumns() columns.List {
	number := func(name, title, meaning string, of func(*Row) float64) columns.Field {
		return columns.Estimated(name, title, meaning, of).OrEmpty().In("nats")
	}
	return columns.List{
		columns.Of("model",
			"model", "the model that the data were drawn from",
			func(r *Row) string { return r.Model }),
		columns.Of("algorithm", "algorithm",
			"ais, or smc: one-particle SMC along the data",
			func(r *Row) string { return r.Algorithm }),
		columns.Of("T", "T", "the number of distributions of annealing; empty for smc",
			func(r *Row) int { return r.T }).Positive(),
		columns.Of("M", "M", "the number of scans after each datum; empty for ais",
			func(r *Row) int { return r.Scans }).Natural(),
		columns.Any("data", "data", columns.Int, "the number of the data set; empty for the row of all data sets",
			func(r *Row) any { return DataSet(r.Data) }),
		columns.Of("rows", "", "the number of rows N of the data", func(r *Row) int { return r.Rows }),
		columns.Of("columns", "", "the number of columns D of the data", func(r *Row) int { return r.Columns }),
		columns.Of("datasets", "", "the number of data sets of the row", func(r *Row) int { return r.Datasets }),
		columns.Of("chains", "chains", "the number of chains in each direction",
			func(r *Row) int { return r.Chains }),
		number("lower", "lower", "the mean log weight of forward chains",
			func(r *Row) float64 { return r.Lower }).Answer(),
		number("lower_se", "", "the standard error of lower: over chains, or over data sets for all of them",
			func(r *Row) float64 { return r.LowerSE }),
		number("upper", "upper",
			"the mean log weight of reverse chains from an exact draw",
			func(r *Row) float64 { return r.Upper }).Answer(),
		number("upper_se", "",
			"the standard error of upper, given the exact draw on one data set",
			func(r *Row) float64 { return r.UpperSE }),
		number("B", "B", "upper - lower, a bound on the mean Jeffreys divergence",
			func(r *Row) float64 { return r.B }).Answer(),
		number("B_se", "se of B",
			"the standard error of B",
			func(r *Row) float64 { return r.BSE }),
		number("log_z", "log p(y)",
			"the truth: the mean of lower and upper of ais with the largest T, if they are within a nat",
			func(r *Row) float64 { return r.LogZ }).Answer(),
		number("log_z_se", "se", "the standard error of log_z over chains",
			func(r *Row) float64 { return r.LogZSE }),
		columns.Any("settled", "ground truths", columns.Int,
			"data sets with a truth", func(r *Row) any {
				return columns.Both{
					Machine: r.Settled,
					People:  fmt.Sprintf("%d of %d", r.Settled, r.Datasets),
				}
			}),
		columns.Of("seconds", "time (s)", "the mean wall-clock time of one chain over both directions",
			func(r *Row) float64 { return r.Seconds }).Digits(2),
		columns.Of("note", "note", columns.MeansNote,
			func(r *Row) string { return strings.Join(r.Notes, "; ") }).Prose(),
	}
}

// Column returns the named column of the sandwich, for the rows of another study.
func Column[Row any](name string, of func(Row) any) columns.Field {
	f := columns.ForPeople("", of)
	list := rowColumns()
	f.Column = list[slices.IndexFunc(list, func(f columns.Field) bool { return f.Name == name })].Column
	return f
}

// DataSet is the cell of the number of a data set; it is empty for machines in the row of all data
// sets.
func DataSet(number int) any {
	if number == 0 {
		return columns.Both{People: "all"}
	}
	return number
}
