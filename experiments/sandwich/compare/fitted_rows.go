package compare

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"breadboard/chains"
	"breadboard/chains/diagnostics"
	"breadboard/experiments/sandwich"
)

// FittedRow is what the chains of one direction with one T say of log p(y) of one data set, in nats.
type FittedRow struct {
	Model         string
	Rows, Columns int
	// Data is the number of the simulated data set, and 0 for the measured data.
	Data      int
	Direction chains.Direction
	S         int // how many moves were made before chains in reverse; -1 forward
	T         int
	Chains    int
	Starts    int // of chains in reverse, each of which as many chains share; 0 forward

	Q25, Median, Q75, Mean, Max float64
	// SE is the standard error of the mean: over chains, and over starts where there are several.
	SE float64
	// Shift is the largest log weight of a chain forward on the data set, whatever its T.
	Shift   float64
	Seconds float64 // of a chain, on average
	// LogWeights are those of the chains, in ascending order.
	LogWeights []float64

	// Fitted and Doubts are the same in all rows of a run: the hyperparameters that were inferred, and what speaks against the model before a
	// chain is made, which are columns that are constant, and means that are far from zero where the model has no intercept.
	Fitted []Fitted
	Doubts []chains.Advice

	degrees float64 // of freedom of SE
}

// Real is what a Row calls the measured data, as Simulated is for those that were drawn.
const (
	Real      = "real"
	Simulated = "simulated"
)

// Kind returns whether the data were measured or simulated.
func (r *FittedRow) Kind() string { return kind(r.Data) }

// kind returns what data with a number are called.
func kind(data int) string {
	if data == 0 {
		return Real
	}
	return Simulated
}

// summarize fills in what the chains come to. Chains i and i + starts have the same start.
func (r *FittedRow) summarize(estimates []sandwich.Estimate) {
	logs := make([]float64, len(estimates))
	for i, e := range estimates {
		logs[i] = e.LogZ
		r.Seconds += e.Seconds / float64(len(estimates))
	}
	r.LogWeights = slices.Sorted(slices.Values(logs))
	r.Q25, r.Median, r.Q75 = diagnostics.Quantile(r.LogWeights, 0.25), diagnostics.Quantile(r.LogWeights, 0.5), diagnostics.Quantile(r.LogWeights, 0.75)
	r.Max = r.LogWeights[len(logs)-1]
	units := logs
	if r.Starts > 1 {
		units = make([]float64, r.Starts)
		for i, v := range logs {
			units[i%r.Starts] += v / float64(len(logs)/r.Starts)
		}
	}
	var sd float64
	r.Mean, sd = stat.MeanStdDev(units, nil)
	r.SE, r.degrees = sd/math.Sqrt(float64(len(units))), float64(len(units)-1)
}

// Fitted is an estimate of a hyperparameter.
type Fitted struct {
	Model string
	Data  int    // the number of the simulated data set, and 0 for the measured data
	Start int    // the number of the start, from 1, and 0 for the measured data
	Moves int    // how many moves were made
	Name  string // of the hyperparameter
	// Value is that after the last move: the one that data are simulated with, or that chains in reverse start with.
	Value float64
	// Mean and SD are those of the second half of the moves, or NaN where that has fewer than two.
	Mean, SD float64
}

// Kind returns whether the data were measured or simulated.
func (f *Fitted) Kind() string { return kind(f.Data) }

// running has the mean and the sum of squares around it of hyperparameters along a chain, without keeping them (Welford 1962).
type running struct {
	n             float64
	mean, squares []float64
}

// add takes the hyperparameters after a move.
func (r *running) add(hyper []Hyper) {
	if r.mean == nil {
		r.mean, r.squares = make([]float64, len(hyper)), make([]float64, len(hyper))
	}
	r.n++
	for i, h := range hyper {
		before := h.Value - r.mean[i]
		r.mean[i] += before / r.n
		r.squares[i] += before * (h.Value - r.mean[i])
	}
}

// of returns mean and standard deviation of hyperparameter i, and NaN where there are fewer than two values.
func (r *running) of(i int) (mean, sd float64) {
	if r.n < 2 {
		return math.NaN(), math.NaN()
	}
	return r.mean[i], math.Sqrt(r.squares[i] / (r.n - 1))
}
