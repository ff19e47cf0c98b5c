// Package sandwich answers: what is the marginal likelihood of data that were drawn from a model, and how wrong are estimators of it, at
// sizes at which nothing can be enumerated? It never prints, draws or reads flags.
//
// Data that are simulated come with an exact draw from their posterior: the parameters and latent variables that made them. Annealed
// importance sampling and one-particle sequential Monte Carlo run forward from the prior give a log weight that is at most log p(y) on
// average, and run in reverse from the exact draw one that is at least log p(y) on average. Where the two agree to a nat, the mean of both is
// the ground truth against which every other estimator is held.
//
// A data set has one exact draw, which all of its reverse chains start from. Their mean has the error of that one draw, however many
// chains there are, so that in a single data set the upper end may even be below the lower one. Averages over data sets have no such error:
// there the standard error is over data sets.
//
// Data sets and their exact draws can be saved and read again (Save, ReadSaved). Data that were measured (Measured) have no exact draw:
// chains run forward on them, and there is neither an upper end nor a ground truth.
//
// The estimators are those of package chains/estimators, whose exact laws on small models are in package exact/laws. The models are those
// of package toys/latent.
//
// Source: Grosse, Ghahramani and Adams 2015, sections 4 and 6.
//
// # The check of the samplers
//
// Check answers: do the samplers at full size have the exact laws of their algorithms? It runs the models of package
// toys/latent, through the same code as the sandwich, on the data of models that are small enough for a lattice, and holds what they
// estimate to the laws of package exact/laws, in which nothing is sampled. The tests are the e-processes of package
// experiments/marginal/evidence. It never prints, draws or reads flags.
//
// A lattice holds a state as a number and draws an axis from a table of all states. A model at full size holds assignments and
// statistics, and draws each variable from formulas. The two share no code of a move, so that their agreement says of both that they
// are right: at any b, forward and in reverse, and along the data.
package sandwich

import (
	"fmt"
	"slices"
	"strings"

	"breadboard/experiments/columns"
	"breadboard/experiments/study"
)

// Study declares the study. Its options are the data sets too.
func Study() *study.Study[study.NoSubjects, Options, Row] {
	return study.New(Options{
		Models: []string{"clustering"}, Rows: DefaultRows, Columns: DefaultColumns, T: []int{100, 1000}, Scans: []int{1, 10}, Chains: 6, Datasets: 4, Seed: 1,
	}, plan, study.Declaration{
		Name: "sandwich",
		Asks: "What is log p(y) of data? Bounds from annealing both ways",
		Help: `sandwich draws data sets from a model of any size and finds their marginal likelihood p(y) between two ends (Grosse,
Ghahramani and Adams 2015). Annealed importance sampling (sigmoid:4) and one-particle sequential Monte Carlo run forward
from the prior, where the mean log weight is at most log p(y), and in reverse from the latent variables that the data were
drawn with, which are an exact draw from the posterior: there it is at least log p(y). B is the gap between the two ends.

  lower, upper   the mean log weights of chains forward and in reverse
  B              upper - lower, on average over data sets; it bounds the Jeffreys divergence of the sampler
  log p(y)       the ground truth: the mean of both ends of the longest annealing, where they are within a nat

All reverse chains of a data set share its one exact draw, so that the ends of a single data set have the error of that
draw: B of one data set may be negative. Its mean over data sets is not, and its standard error is taken over data sets. With
--exact-starts R there are R data sets and one chain of each direction on each, so that every start is an exact draw.

Models are clustering, lowrank and binary with 50 rows, 25 columns and 10, 5 and 10 components, where nothing else is
said. clustering:5 has five components, and clustering:5:2:1 those with variances 2 of centres and 1 of the noise.

--save-data DIR saves the data sets before chains run: tables in CSV with all digits, and data.json, which says for each its model
in formulas, its seed, and which tables hold the parameters and latent variables that it was simulated with. --data DIR takes
them from there and gives the same numbers bit for bit, or those of other chains with another --seed. Anybody can check them
so, and can write such a folder for simulated data of another program.

--data FILE.csv takes data that were measured, a row for each datum, with --model. They have no exact draw from the posterior,
so that no chain runs in reverse: lower is all there is. The upper end, B and log p(y) are left empty, and are not made up
from a start that is no exact draw. sandwich fit says whether annealing behaves on such data as on simulated ones.

Tables show all data sets together; csv, json and the files have each of them. With --out it also draws
the ends against T and against the number of scans.`,
		Examples: `  breadboard sandwich
  breadboard sandwich --model clustering -T 100,1000,10000,30000 --chains 25 --datasets 8 --out results
  breadboard sandwich --model lowrank:3,clustering:4 --data-rows 20 --data-columns 10 --datasets 20
  breadboard sandwich --model clustering -T 1000 --scans 0 --exact-starts 100 --format csv
  breadboard sandwich --model clustering:3 --save-data saved
  breadboard sandwich --data saved
  breadboard sandwich --data faithful.csv --model clustering:2`,
		Counts: "chains", Workers: "number of chains run at once",
		Options: slices.Concat(
			[]study.Option{
				ModelsOption(func(o *Options) *[]string { return &o.Models }),
				LengthsOption(func(o *Options) *[]int { return &o.T }),
				{Name: "scans", Doc: "numbers M of scans after a datum of sequential Monte Carlo, separated by commas", Value: study.ValueOf(func(o *Options) study.Value { return study.Wholes(&o.Scans, "M", 0, MaxScans) })},
				study.CountOption("chains", "number of chains of each direction on each data set", func(o *Options) *int { return &o.Chains }, nil),
				study.CountOption("datasets", "number of data sets of each model", func(o *Options) *int { return &o.Datasets }, nil),
				study.SeedOption("seed of data and chains, 0 to 2^64-1", func(o *Options) *uint64 { return &o.Seed }, nil),
			},
			SizeOptions(func(o *Options) *int { return &o.Rows }, func(o *Options) *int { return &o.Columns }),
		),
		Columns: rowColumns(),
		Unswept: "the sweep of that name is of single trials of its estimators, from which sandwich compare has its rows",
	})
}

// ModelsOption is the option of models of data of any size.
func ModelsOption[O any](of func(*O) *[]string) study.Option {
	return study.Option{
		Name: "model", Doc: "models, separated by commas: " + strings.Join(Models().Listing.Syntaxes(), ", "), Complete: Models().Listing.Complete,
		Value: study.ValueOf(func(o *O) study.Value { return study.Texts(of(o)) }),
	}
}

// LengthsOption is the option of numbers of distributions.
func LengthsOption[O any](of func(*O) *[]int) study.Option {
	return study.Option{
		Name: "distributions", Letter: "T", Doc: "numbers of distributions of annealing, both ends included, separated by commas",
		Value: study.ValueOf(func(o *O) study.Value { return study.Wholes(of(o), "T", 2, MaxT) }),
	}
}

// SizeOptions are the options of the size of data. The name columns is that of a flag of tables.
func SizeOptions[O any](rows, columns func(*O) *int) []study.Option {
	return []study.Option{study.CountOption("data-rows", "number N of rows of the data", rows, nil), study.CountOption("data-columns", "number D of columns of the data", columns, nil)}
}

// rowColumns are the columns of the study.
func rowColumns() columns.List {
	number := func(name, title, meaning string, of func(*Row) float64) columns.Field {
		return columns.Of(name, title, meaning, of).OrEmpty().In("nats")
	}
	return columns.List{
		columns.Of("model", "model", "the model that the data were drawn from, as on the command line in canonical form", func(r *Row) string { return r.Model }),
		columns.Of("algorithm", "algorithm", "ais, annealed importance sampling, or smc, one-particle sequential Monte Carlo along the data", func(r *Row) string { return r.Algorithm }),
		columns.Of("T", "T", "the number of distributions of annealing; empty for smc", func(r *Row) int { return r.T }).Positive(),
		columns.Of("M", "M", "the number of scans after each datum; empty for ais", func(r *Row) int { return r.Scans }).Natural(),
		columns.Any("data", "data", columns.Int, "the number of the data set; empty where the row is of all data sets", func(r *Row) any { return DataSet(r.Data) }),
		columns.Of("rows", "", "the number of rows N of the data", func(r *Row) int { return r.Rows }),
		columns.Of("columns", "", "the number of columns D of the data", func(r *Row) int { return r.Columns }),
		columns.Of("datasets", "", "how many data sets the row is of", func(r *Row) int { return r.Datasets }),
		columns.Of("chains", "chains", "how many chains there are of each direction on each data set", func(r *Row) int { return r.Chains }).DropOrder(3),
		number("lower", "lower", "the mean log weight of chains forward, which is at most log p(y) on average", func(r *Row) float64 { return r.Lower }).Answer(),
		number("lower_se", "", "its standard error, over chains on one data set and over data sets for all of them", func(r *Row) float64 { return r.LowerSE }),
		number("upper", "upper", "the mean log weight of chains in reverse from an exact draw, which is at least log p(y) on average over data sets", func(r *Row) float64 { return r.Upper }).Answer(),
		number("upper_se", "", "its standard error, conditional on the exact draw on one data set and over data sets for all of them", func(r *Row) float64 { return r.UpperSE }),
		number("B", "B", "upper - lower, which bounds the Jeffreys divergence on average over data sets", func(r *Row) float64 { return r.B }).Answer(),
		number("B_se", "se of B", "the standard error of B: over data sets for all of them, and conditional on the one exact draw on one data set", func(r *Row) float64 { return r.BSE }),
		number("log_z", "log p(y)", "the ground truth of the data set: the mean of lower and upper of ais with the largest T, where these are within a nat", func(r *Row) float64 { return r.LogZ }).Answer(),
		number("log_z_se", "se", "its standard error over chains, conditional on the exact draw", func(r *Row) float64 { return r.LogZSE }),
		columns.Any("settled", "with a truth", columns.Int, "how many of the data sets of the row have a ground truth", func(r *Row) any {
			return columns.Both{Machine: r.Settled, People: fmt.Sprintf("%d of %d", r.Settled, r.Datasets)}
		}),
		columns.Of("seconds", "time (s)", "the time on the clock of one chain, on average over both directions", func(r *Row) float64 { return r.Seconds }).Digits(2).DropOrder(2),
		columns.Of("note", "note", columns.MeansNote, func(r *Row) string { return strings.Join(r.Notes, "; ") }).Prose().DropOrder(1),
	}
}

// Column returns the column of the sandwich that has a name, for the rows of another study that have it too.
func Column[Row any](name string, of func(Row) any) columns.Field {
	f, list := columns.ForPeople("", of), rowColumns()
	f.Column = list[slices.IndexFunc(list, func(f columns.Field) bool { return f.Name == name })].Column
	return f
}

// DataSet is the cell of the number of a data set, which is empty for machines where a row is of all of them.
func DataSet(number int) any {
	if number == 0 {
		return columns.Both{People: "all"}
	}
	return number
}
