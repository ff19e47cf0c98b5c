package compare

import (
	"slices"
	"strings"

	"breadboard/chains"
	"breadboard/chains/selector"
	"breadboard/experiments/columns"
	"breadboard/experiments/marginal/sandwich"
	"breadboard/experiments/study"
	"breadboard/toys/models"
)

// FitStudy declares the study of chains on measured data and on data that are simulated from a fit to them.
func FitStudy() *study.Study[study.NoSubjects, FittedOptions, FittedRow] {
	type options = FittedOptions
	var scales []string
	for _, s := range Scales() {
		scales = append(scales, string(s))
	}
	return study.New(options{
		Model: "clustering:2", Scale: ScaleNone, T: []int{10, 30, 100, 300, 1000}, S: []int{10, 100, 1000}, Chains: 20, Moves: 1000, Datasets: 8, Starts: 1, Seed: 1,
	}, fittedPlan, study.Declaration{
		Name: "sandwich fit",
		Asks: "Does annealing behave on data of your own as on data simulated from a fit to them?",
		Help: `fit does what Grosse, Ancha and Roy (2016, sections 3.2 and 5.1) propose for data that were measured. Of these nobody has
an exact draw from the posterior, so that chains in reverse have no start. Therefore

  1. the hyperparameters are inferred from the data: by an annealing over --moves distributions, and after it --moves
     moves that leave the posterior invariant. Those after the last move are kept;
  2. parameters and --datasets data sets of the same size are simulated with them;
  3. --chains chains of annealing (sigmoid:4) with each T run forward on the real and on all simulated data;
  4. as many run in reverse on the first simulated data set. They start with what it was simulated with, after S moves
     that leave the posterior of parameters and hyperparameters invariant.

The table has quartiles of the log weights, less the largest of the chains forward on the same data set, since the
marginal likelihoods of different data are not the same. Notes say whether the forward curves of real and simulated data
match, and whether the reverse curves coincide for all S, each of all comparisons together at a level of 5% (Bonferroni).
The chains of one S share one start, and standard errors say nothing of other starts; with --starts R there are R, and
errors are over these. With --datasets 1 errors of forward curves are over chains alone.

DATA.csv has a row for each datum and a number in every column, with or without a first line of headings. Missing values
are refused, with their place. Models are clustering:K, lowrank:K and binary:K, with unknown variances (inverse gamma of
shape and scale one) and probabilities. lowrank has no intercept: a mean far from zero is a warning. --scale centre
subtracts the mean of every column, and standardize divides by the standard deviation too, as the paper does.

With --out two figures side by side show the quartiles: of real and simulated data, and in reverse for each S.`,
		Examples: `  breadboard sandwich fit --data faithful.csv --model clustering:2 --scale standardize
  breadboard sandwich fit --data ratings.csv --model lowrank:5 --scale centre --chains 100 -S 10,100,1000,10000 --out results
  breadboard sandwich fit --data faithful.csv --model clustering:2 --datasets 20 --starts 5 --format csv`,
		Counts: "scans", Workers: "number of chains run at once",
		Options: []study.Option{
			{
				Name: "model", Doc: "model: " + strings.Join(fittedModels().Listing.Syntaxes(), ", "),
				Complete: fittedModels().Listing.Complete,
				Value:    study.ValueOf(func(o *options) study.Value { return study.Text(&o.Model) }),
			},
			{
				Name: "scale", Doc: "what is done to the columns first: " + strings.Join(scales, ", "), Complete: study.Among(scales...),
				Value: study.ValueOf(func(o *options) study.Value { return study.Text((*string)(&o.Scale)) }),
			},
			sandwich.LengthsOption(func(o *options) *[]int { return &o.T }),
			{Name: "after", Letter: "S", Doc: "numbers of moves before chains in reverse, separated by commas", Value: study.ValueOf(func(o *options) study.Value { return study.Wholes(&o.S, "S", 0, MaxFittedMoves) })},
			study.CountOption("chains", "number of chains on each data set with each T, and in reverse with each S", func(o *options) *int { return &o.Chains }, nil),
			study.CountOption("moves", "number of moves by which hyperparameters are inferred", func(o *options) *int { return &o.Moves }, nil),
			study.CountOption("datasets", "number of simulated data sets", func(o *options) *int { return &o.Datasets }, nil),
			study.CountOption("starts", "number of starts of chains in reverse with each S, which divides that of chains", func(o *options) *int { return &o.Starts }, nil),
			study.SeedOption("seed of the inference, of the data and of chains", func(o *options) *uint64 { return &o.Seed }, nil),
		},
		Columns: fittedColumns(),
		Unswept: "all of its rows come from one inference from the measured data",
	})
}

// fittedColumns are the columns of the study.
func fittedColumns() columns.List {
	type row = FittedRow
	number := func(name, title, meaning string, of func(*row) float64) columns.Field {
		return columns.Of(name, title, meaning, of).OrEmpty().In("nats").Digits(fitDigits(name))
	}
	shifted := func(of func(*row) float64) func(*row) float64 { return func(r *row) float64 { return of(r) - r.Shift } }
	q25 := func(r *row) float64 { return r.Q25 }
	median := func(r *row) float64 { return r.Median }
	q75 := func(r *row) float64 { return r.Q75 }
	mean := func(r *row) float64 { return r.Mean }
	return columns.List{
		columns.Of("model", "model", "the model whose hyperparameters are inferred, as on the command line in canonical form", func(r *row) string { return r.Model }).DropOrder(3),
		columns.Of("data", "data", "real, the measured data, or simulated, those drawn with the hyperparameters that were inferred from them", (*row).Kind),
		columns.Of("set", "set", "the number of the simulated data set; empty for the measured data", func(r *row) int { return r.Data }).Positive(),
		columns.Of("direction", "direction", "forward from the prior, or reverse from what the data were simulated with", func(r *row) string { return r.Direction.String() }),
		columns.Of("S", "S", "how many moves that leave the posterior invariant were made before chains in reverse; empty forward", func(r *row) int { return r.S }).Natural(),
		columns.Of("T", "T", "the number of distributions of annealing", func(r *row) int { return r.T }),
		sandwich.Column("rows", func(r *row) any { return r.Rows }),
		sandwich.Column("columns", func(r *row) any { return r.Columns }),
		columns.Of("chains", "chains", "how many chains there are", func(r *row) int { return r.Chains }).DropOrder(2),
		columns.Of("starts", "", "how many starts the chains in reverse have, each of them as many chains; empty forward", func(r *row) int { return r.Starts }).Positive(),
		number("q25", "", "the first quartile of the log weights", q25),
		number("median", "", "their median", median),
		number("q75", "", "their third quartile", q75),
		number("mean", "", "their mean", mean),
		number("q25_shifted", "q25", "the first quartile less shift", shifted(q25)).DropOrder(1),
		number("median_shifted", "median", "the median less shift", shifted(median)).Answer(),
		number("q75_shifted", "q75", "the third quartile less shift", shifted(q75)),
		number("mean_shifted", "mean", "the mean less shift", shifted(mean)).Answer(),
		number("mean_se", "se", "the standard error of the mean: over chains, and over starts where chains in reverse have several", func(r *row) float64 { return r.SE }).Answer(),
		number("max", "", "the largest log weight", func(r *row) float64 { return r.Max }),
		number("shift", "shift", "the largest log weight of a chain forward on the data set, by which its curves are shifted", func(r *row) float64 { return r.Shift }),
		columns.Of("seconds", "time (s)", "the time on the clock of one chain, on average", func(r *row) float64 { return r.Seconds }).Digits(2).DropOrder(1),
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

// FittedOptions say which model is fitted to which data, and which chains are made.
type FittedOptions struct {
	Model string
	Table *models.Table // the measured data
	Scale Scale
	// Moves is how many moves are made on the measured data at b = 1, after an annealing over as many distributions, but at least two.
	Moves    int
	T        []int // the numbers of distributions of annealing
	S        []int // how many moves are made before chains in reverse
	Chains   int   // of each data set, direction, S and T
	Starts   int   // how many starts chains in reverse of one S share, each of them as many chains
	Datasets int   // how many data sets are simulated
	Seed     uint64
}

// The limits of the options.
const (
	MaxFittedMoves = 100_000_000
	// MaxDatum bounds the size of a number, so that no variance of parameters that is inferred leaves the range of the models.
	MaxDatum = 1e15
	// MaxBytes bounds the size of a file of data.
	MaxFittedBytes = 64 << 20
	// maxChains bounds the number of chains, each of which keeps its weight.
	fittedMaxChains = 10_000_000
)

// FittedLimits bound a table of data.
func FittedLimits() models.TableLimits {
	return models.TableLimits{Bytes: MaxFittedBytes, Rows: sandwich.MaxRows, Columns: sandwich.MaxColumns, Number: MaxDatum}
}

// Scale says what is done to the columns of the data before all else.
type Scale string

// What may be done to the columns.
const (
	ScaleNone        Scale = "none"
	ScaleCentre      Scale = "centre"      // the mean of each is subtracted
	ScaleStandardize Scale = "standardize" // and each is divided by its standard deviation, with divisor N - 1
)

// Scales returns what may be done to the columns.
func Scales() []Scale { return []Scale{ScaleNone, ScaleCentre, ScaleStandardize} }

// read returns the model and the problem of the measured data.
func (o *FittedOptions) read() (Model, problem, error) {
	if err := o.check(); err != nil {
		return Model{}, nil, err
	}
	m, err := parseModel(o.Model)
	if err != nil {
		return Model{}, nil, err
	}
	y, err := o.Scale.apply(o.Table, m)
	if err != nil {
		return Model{}, nil, err
	}
	p, err := m.build(y)
	return m, p, err
}

// check returns an error where a number is out of its range.
func (o *FittedOptions) check() error {
	switch {
	case o.Table == nil:
		return chains.NewAdvice("there are no data; give {data} a table")
	case !slices.Contains(Scales(), o.Scale):
		var names []string
		for _, s := range Scales() {
			names = append(names, string(s))
		}
		return selector.UnknownError("scale", string(o.Scale), names)
	case len(o.T) == 0:
		return chains.NewAdvice("{T} is empty; give the numbers of distributions")
	case len(o.S) == 0:
		return chains.NewAdvice("{after} is empty; give the numbers of moves before chains in reverse")
	case o.Moves < 1 || o.Moves > MaxFittedMoves:
		return chains.NewAdvice("{moves} %d; give a whole number from 1 to %d", o.Moves, MaxFittedMoves)
	case o.Chains < 2 || o.Chains > sandwich.MaxChains:
		return chains.NewAdvice("{chains} %d; give a whole number from 2 to %d, since one chain has no standard error", o.Chains, sandwich.MaxChains)
	case o.Starts < 1 || o.Starts > o.Chains || o.Chains%o.Starts != 0:
		return chains.NewAdvice("{starts} %d with {chains} %d; give a number of starts that divides the chains, so that each start has as many", o.Starts, o.Chains)
	case o.Datasets < 1 || o.Datasets > sandwich.MaxDatasets:
		return chains.NewAdvice("{datasets} %d; give a whole number from 1 to %d", o.Datasets, sandwich.MaxDatasets)
	}
	for _, T := range o.T {
		if T < 2 || T > sandwich.MaxT {
			return chains.NewAdvice("{T} %d; give whole numbers of distributions from 2 to %d", T, sandwich.MaxT)
		}
	}
	for _, s := range o.S {
		if s < 0 || s > MaxFittedMoves {
			return chains.NewAdvice("{after} %d; give whole numbers of moves from 0 to %d", s, MaxFittedMoves)
		}
	}
	if all := float64(o.Chains) * float64(len(o.T)) * float64(1+o.Datasets+len(o.S)); all > fittedMaxChains {
		return chains.NewAdvice("%.3g chains in all, and at most %.2g are made; give fewer {chains} or {datasets}", all, float64(fittedMaxChains))
	}
	return nil
}

// scans returns the number of scans of all moves and chains.
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
