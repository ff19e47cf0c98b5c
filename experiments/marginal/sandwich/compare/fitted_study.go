package compare

import (
	"slices"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
	"breadboard/experiments/marginal/sandwich"
	"breadboard/experiments/study"
	"breadboard/reports"
	"breadboard/reports/columns"
	"breadboard/toys/models"
)

// FitStudy declares the study of chains on measured data and on data simulated from a fit to them.
func FitStudy() *study.Study[study.NoSubjects, FittedOptions, FittedRow] {
	type options = FittedOptions
	var scales []string
	for _, s := range Scales() {
		scales = append(scales, string(s))
	}
	return study.New(options{
		Model:    "clustering:2",
		Scale:    ScaleNone,
		T:        []int{10, 30, 100, 300, 1000},
		S:        []int{10, 100, 1000},
		Chains:   20,
		Moves:    1000,
		Datasets: 8,
		Starts:   1,
		Seed:     1,
	}, fittedPlan, study.Declaration{
		Name: "sandwich fit",
		Asks: "Does annealing behave on your data as on data simulated from a fit to them?",
		Help: `fit tests whether annealing behaves on your data as on data that are simulated
from a fit to them (Grosse, Ancha and Roy 2016, sections 3.2 and 5.1).

The hyperparameters are inferred from the data in --moves moves, and --datasets
data sets are simulated with them. Chains run forward on all, and in reverse on
the first simulated one, after S transitions that keep the posterior. Notes say
whether the forward curves of real and simulated data match, and whether the
reverse curves for all S coincide. The CSV has a number in every column.

See breadboard help logz.`,
		Examples: `  breadboard sandwich fit --data faithful.csv --model clustering:2 --scale standardize
  breadboard sandwich fit --data ratings.csv --model lowrank:5 --scale centre --chains 100 -S 10,100,1000,10000 --out results
  breadboard sandwich fit --data faithful.csv --model clustering:2 --datasets 20 --starts 5 --format csv`,
		Counts: "scans", Workers: true,
		Options: study.OptionsOf(func(o *options) []study.Option {
			return []study.Option{
				{
					Name: "model", Doc: ": " + strings.Join(fittedModels().Listing.Syntaxes(), ", "),
					To: study.Text(&o.Model),
				},
				{
					Name: "scale", Doc: ": " + strings.Join(scales, ", "),
					To: study.Text((*string)(&o.Scale)),
				},
				sandwich.LengthsOption(&o.T),
				{Name: "after", Letter: "S",
					To: study.Wholes(&o.S, "S", 0, maxFittedMoves)},
				study.CountOption("chains", "per data set and T, and in reverse per S", &o.Chains, nil),
				study.CountOption("moves", "that infer the hyperparameters", &o.Moves, nil),
				study.CountOption("datasets", "", &o.Datasets, nil),
				study.CountOption("starts", "", &o.Starts, nil),
				study.SeedOption(&o.Seed, nil),
			}
		}),
		Columns: fittedColumns(),
		View:    reports.Untyped(fitReport),
		Tables: func(own reports.Schema) []reports.Schema {
			return []reports.Schema{
				own,
				{Table: hyperFile, Of: hyperTable(nil)},
			}
		},
		Unswept: "all of its rows depend on one inference from the measured data",
	})
}

// fittedColumns are the columns of the study.
func fittedColumns() columns.List {
	type row = FittedRow
	number := func(name, title, meaning string, of func(*row) float64) columns.Field {
		return columns.Estimated(name, title, meaning, of).OrEmpty().In("nats").Digits(fitDigits(name))
	}
	shifted := func(of func(*row) float64) func(*row) float64 {
		return func(r *row) float64 { return of(r) - r.Shift }
	}
	q25 := func(r *row) float64 { return r.Q25 }
	median := func(r *row) float64 { return r.Median }
	q75 := func(r *row) float64 { return r.Q75 }
	mean := func(r *row) float64 { return r.Mean }
	return columns.List{
		columns.Of("model", "model",
			"the model whose hyperparameters are inferred",
			func(r *row) string { return r.Model }),
		columns.Of("data", "data",
			"real, or simulated with the inferred hyperparameters",
			(*row).Kind),
		columns.Of("set", "set", "the number of the simulated data set; empty for the measured data",
			func(r *row) int { return r.Data }).Positive(),
		columns.Of("direction", "direction",
			"forward from the prior, or reverse from the values that made the data",
			func(r *row) string { return r.Direction.String() }),
		columns.Of("S", "S",
			"the number of transitions before reverse chains; empty forward",
			func(r *row) int { return r.S }).Natural(),
		columns.Of("T", "T", "the number of distributions of annealing", func(r *row) int { return r.T }),
		sandwich.Column("rows", func(r *row) any { return r.Rows }),
		sandwich.Column("columns", func(r *row) any { return r.Columns }),
		columns.Of("chains", "chains", "the number of chains", func(r *row) int { return r.Chains }),
		columns.Of("starts", "",
			"the number of starts of reverse chains; empty forward",
			func(r *row) int { return r.Starts }).Positive(),
		number("q25", "", "the first quartile of the log weights", q25),
		number("median", "", "their median", median),
		number("q75", "", "their third quartile", q75),
		number("mean", "", "their mean", mean),
		number("q25_shifted", "q25", "the first quartile minus shift", shifted(q25)),
		number("median_shifted", "median", "the median minus shift", shifted(median)).Answer(),
		number("q75_shifted", "q75", "the third quartile minus shift", shifted(q75)),
		number("mean_shifted", "mean", "the mean minus shift", shifted(mean)).Answer(),
		number("mean_se", "se",
			"the standard error of the mean, over starts if there are several",
			func(r *row) float64 { return r.SE }).Answer(),
		number("max", "", "the largest log weight", func(r *row) float64 { return r.Max }),
		number("shift", "shift", "the largest log weight of a forward chain on the data set",
			func(r *row) float64 { return r.Shift }),
		columns.Of("seconds", "time (s)", "the mean wall-clock time of one chain",
			func(r *row) float64 { return r.Seconds }).Digits(2),
	}
}

// fitDigits is the number of digits that people see of a number: of a log weight itself all that
// matter for thousands of nats, and fewer of differences.
func fitDigits(name string) int {
	switch name {
	case "mean_se":
		return 2
	case "shift":
		return 0 // the default
	}
	return 4
}

// FittedOptions are the model, the data and the chains of the study.
type FittedOptions struct {
	Model string
	Table *models.Table // the measured data
	Scale Scale
	// Moves is the number of transitions on the measured data at b = 1, after an annealing over the
	// same number of distributions, but at least two.
	Moves  int
	T      []int // the numbers of distributions of annealing
	S      []int // the numbers of transitions before reverse chains
	Chains int   // of each data set, direction, S and T
	// the number of starts of the reverse chains of one S, each shared by the same number of chains
	Starts   int
	Datasets int // the number of simulated data sets
	Seed     uint64
}

// The limits of the options.
const (
	maxFittedMoves = 100_000_000
	// MaxDatum is the largest absolute value of a number, so that inferred variances stay within
	// the range of the models.
	MaxDatum = 1e15
	// MaxBytes is the largest size of a file of data.
	MaxFittedBytes = 64 << 20
	// maxChains bounds the number of chains, each of which keeps its weight.
	fittedMaxChains = 10_000_000
)

// FittedLimits bound a table of data.
func FittedLimits() models.TableLimits {
	return models.TableLimits{
		Bytes:   MaxFittedBytes,
		Rows:    sandwich.MaxRows,
		Columns: sandwich.MaxColumns,
		Number:  MaxDatum,
	}
}

// Scale is how the columns of the data are scaled first.
type Scale string

// The ways to scale the columns.
const (
	ScaleNone   Scale = "none"
	ScaleCentre Scale = "centre" // the mean of each is subtracted
	// and each is divided by its standard deviation, with divisor N - 1
	ScaleStandardize Scale = "standardize"
)

// Scales returns the ways to scale the columns.
func Scales() []Scale { return []Scale{ScaleNone, ScaleCentre, ScaleStandardize} }

// readProblem returns the model and the problem of the measured data.
func (o *FittedOptions) readProblem() (Model, problem, error) {
	if err := o.checkRanges(); err != nil {
		return Model{}, nil, err
	}
	m, err := parseModel(o.Model)
	if err != nil {
		return Model{}, nil, err
	}
	y, err := o.Scale.scaleRows(o.Table, m)
	if err != nil {
		return Model{}, nil, err
	}
	p, err := m.build(y)
	return m, p, err
}

// checkRanges returns an error if a number is out of its range.
func (o *FittedOptions) checkRanges() error {
	switch {
	case o.Table == nil:
		return errs.New("there are no data; give {data} a table")
	case !slices.Contains(Scales(), o.Scale):
		var names []string
		for _, s := range Scales() {
			names = append(names, string(s))
		}
		return selector.UnknownError("scale", string(o.Scale), names)
	case len(o.T) == 0:
		return errs.New("{T} is empty; give the numbers of distributions")
	case len(o.S) == 0:
		return errs.New("{after} is empty; give the numbers of transitions before reverse chains")
	case o.Moves < 1 || o.Moves > maxFittedMoves:
		return errs.New("{moves} %d; give a whole number from 1 to %d", o.Moves, maxFittedMoves)
	case o.Chains < 2 || o.Chains > sandwich.MaxChains:
		return errs.New("{chains} %d; give a whole number from 2 to %d, since one chain has no standard error",
			o.Chains, sandwich.MaxChains)
	case o.Starts < 1 || o.Starts > o.Chains || o.Chains%o.Starts != 0:
		return errs.New(
			"{starts} %d with {chains} %d; give a number of starts that divides the number of chains",
			o.Starts,
			o.Chains,
		)
	case o.Datasets < 1 || o.Datasets > sandwich.MaxDatasets:
		return errs.New("{datasets} %d; give a whole number from 1 to %d", o.Datasets, sandwich.MaxDatasets)
	}
	for _, T := range o.T {
		if T < 2 || T > sandwich.MaxT {
			return errs.New("{T} %d; give whole numbers of distributions from 2 to %d", T, sandwich.MaxT)
		}
	}
	for _, s := range o.S {
		if s < 0 || s > maxFittedMoves {
			return errs.New("{after} %d; give whole numbers of transitions from 0 to %d", s, maxFittedMoves)
		}
	}
	if all := float64(o.Chains) * float64(len(o.T)) * float64(1+o.Datasets+len(o.S)); all > fittedMaxChains {
		return errs.New("%.3g chains in all, and the limit is %.2g; give fewer {chains} or {datasets}",
			all, float64(fittedMaxChains))
	}
	return nil
}

// scans returns the number of scans of all transitions and chains.
func (o *FittedOptions) scans() int {
	scans := 2 * o.Moves
	for _, s := range o.S {
		scans += s * o.Starts
	}
	for _, T := range o.T {
		scans += T * o.Chains * (1 + o.Datasets + len(o.S))
	}
	return scans
}
