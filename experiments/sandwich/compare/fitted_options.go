package compare

import (
	"slices"

	"breadboard/chains"
	"breadboard/chains/selector"
	"breadboard/experiments/sandwich"
	"breadboard/toys/models"
)

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
	m, err := ParseModel(o.Model)
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
