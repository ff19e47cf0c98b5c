package compare

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"breadboard/chains"
	"breadboard/chains/diagnostics"
	"breadboard/chains/errs"
	"breadboard/experiments/marginal/sandwich"
	"breadboard/toys/models"
)

// FittedRow is the result of the chains of one direction with one T for log p(y) of one data set,
// in nats.
type FittedRow struct {
	Model         string
	Rows, Columns int
	// Data is the number of the simulated data set, and 0 for the measured data.
	Data      int
	Direction chains.Direction
	S         int // the number of transitions before reverse chains; -1 forward
	T         int
	Chains    int
	Starts    int // of reverse chains, each shared by the same number of chains; 0 forward

	Q25, Median, Q75, Mean, Max float64
	// SE is the standard error of the mean: over chains, or over starts if there are several.
	SE float64
	// Shift is the largest log weight of a forward chain on the data set, for any T.
	Shift   float64
	Seconds float64 // of a chain, on average
	// LogWeights are those of the chains, in ascending order.
	LogWeights []float64

	// Fitted and Doubts are the same in all rows of a run: the inferred hyperparameters, and
	// problems of the data known before any chain: constant columns, and means far from zero if the
	// model has no intercept.
	Fitted []Fitted
	Doubts []*errs.Advice

	degrees float64 // of freedom of SE
}

// Real is the Kind of the measured data, and Simulated that of drawn data.
const (
	Real      = "real"
	simulated = "simulated"
)

// Kind returns whether the data were measured or simulated.
func (r *FittedRow) Kind() string { return kind(r.Data) }

// kind returns the name of the kind of data with a number.
func kind(data int) string {
	if data == 0 {
		return Real
	}
	return simulated
}

// Summarize sets the summary of the chains. Chains i and i + starts have the same start.
func (r *FittedRow) Summarize(estimates []sandwich.Estimate) {
	logs := make([]float64, len(estimates))
	for i, e := range estimates {
		logs[i] = e.LogZ
		r.Seconds += e.Seconds / float64(len(estimates))
	}
	r.LogWeights = slices.Sorted(slices.Values(logs))
	r.Q25, r.Median, r.Q75 = diagnostics.Quantile(r.LogWeights, 0.25),
		diagnostics.Quantile(r.LogWeights, 0.5), diagnostics.Quantile(r.LogWeights, 0.75)
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
	r.SE = sd / math.Sqrt(float64(len(units)))
	r.degrees = float64(len(units) - 1)
}

// Fitted is an estimate of a hyperparameter.
type Fitted struct {
	Model string
	Data  int    // the number of the simulated data set, and 0 for the measured data
	Start int    // the number of the start, from 1, and 0 for the measured data
	Moves int    // the number of transitions
	Name  string // of the hyperparameter
	// Value is the value after the last transition, with which data are simulated or reverse chains
	// start.
	Value float64
	// Mean and SD are those of the second half of the transitions, or NaN if that has fewer than
	// two.
	Mean, SD float64
}

// Kind returns whether the data were measured or simulated.
func (f *Fitted) Kind() string { return kind(f.Data) }

// running accumulates the mean and the sum of squared deviations of hyperparameters along a chain
// (Welford 1962).
type running struct {
	n             float64
	mean, squares []float64
}

// addHyperparameters adds the hyperparameters after a transition.
func (r *running) addHyperparameters(hyper []hyper) {
	if r.mean == nil {
		r.mean = make([]float64, len(hyper))
		r.squares = make([]float64, len(hyper))
	}
	r.n++
	for i, h := range hyper {
		before := h.Value - r.mean[i]
		r.mean[i] += before / r.n
		r.squares[i] += before * (h.Value - r.mean[i])
	}
}

// meanAndSD returns mean and standard deviation of hyperparameter i, and NaN if there are fewer
// than two values.
func (r *running) meanAndSD(i int) (mean, sd float64) {
	if r.n < 2 {
		return math.NaN(), math.NaN()
	}
	return r.mean[i], math.Sqrt(r.squares[i] / (r.n - 1))
}

// column returns a column of a table.
func column(y [][]float64, j int) []float64 {
	out := make([]float64, len(y))
	for i, row := range y {
		out[i] = row[j]
	}
	return out
}

// scaleRows returns the rows of a table with scaled columns, except classes. It fails if a column
// would be divided by a standard deviation of zero.
func (s Scale) scaleRows(t *models.Table, m Model) ([][]float64, error) {
	if s == ScaleNone {
		return t.Rows, nil
	}
	y := make([][]float64, len(t.Rows))
	for i, row := range t.Rows {
		y[i] = slices.Clone(row)
	}
	scaled := len(y[0])
	if m.Classes {
		scaled--
	}
	for j := range scaled {
		values := column(y, j)
		mean := stat.Mean(values, nil)
		divisor := 1.0
		if s == ScaleStandardize {
			if constant(values) {
				return nil,
					errs.New("column %s is constant, so that it cannot be divided by its standard deviation; "+
						"leave the column out, or give {scale} centre",
						t.Column(j))
			}
			divisor = stat.StdDev(values, nil)
		}
		for _, row := range y {
			row[j] = (row[j] - mean) / divisor
		}
	}
	return y, nil
}

// constant reports whether numbers are all the same.
func constant(values []float64) bool { return slices.Min(values) == slices.Max(values) }

// falseAlarm is the probability that data from a model with mean zero and normal rows are reported
// to have another mean.
const falseAlarm = 0.001

// Doubts returns the problems of measured data under a model that are known before any chain:
// constant columns, and means far from zero if the model has no intercept.
func (o *FittedOptions) Doubts() ([]*errs.Advice, error) {
	m, _, err := o.readProblem()
	if err != nil {
		return nil, err
	}
	y, err := o.Scale.scaleRows(o.Table, m)
	if err != nil {
		return nil, err
	}
	var doubts []*errs.Advice
	var fixed []string
	for j := range y[0] {
		if constant(column(y, j)) {
			fixed = append(fixed, o.Table.Column(j))
		}
	}
	if len(fixed) > 0 {
		doubts = append(doubts, errs.New(
			"%s, which the noise of the model excludes; leave out constant columns",
			columnsAre(fixed),
		))
	}
	if doubt, found := meanDoubt(o.Table, y); found && m.MeanZero {
		doubts = append(doubts, doubt)
	}
	return doubts, nil
}

// columnsAre names the constant columns.
func columnsAre(names []string) string {
	switch {
	case len(names) == 1:
		return fmt.Sprintf("column %s is constant", names[0])
	case len(names) <= 3:
		return fmt.Sprintf("columns %s are constant", join(names))
	}
	return fmt.Sprintf("%d columns are constant, among them %s", len(names), join(names[:3]))
}

// join writes names one after another.
func join(names []string) string {
	text := names[0]
	for i, name := range names[1:] {
		if i == len(names)-2 {
			text += " and " + name
		} else {
			text += ", " + name
		}
	}
	return text
}

// meanDoubt returns a warning if the mean of a column is too far from zero for rows that are
// independent and normal with mean zero. The mean over its standard error then has Student's
// distribution with N - 1 degrees of freedom. The farthest of D columns is tested at 1/D of the
// false alarm rate.
func meanDoubt(t *models.Table, y [][]float64) (*errs.Advice, bool) {
	worst := 0.0
	at := 0
	far := 0
	limit := math.Inf(1)
	if len(y) > 1 {
		limit = distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(len(y) - 1)}.Quantile(1 - falseAlarm/2/float64(len(y[0])))
	}
	for j := range y[0] {
		values := column(y, j)
		if constant(values) {
			continue
		}
		mean, sd := stat.MeanStdDev(values, nil)
		errors := math.Abs(mean) / sd * math.Sqrt(float64(len(values)))
		if errors > limit {
			far++
		}
		if errors > worst {
			worst = errors
			at = j
		}
	}
	if far == 0 {
		return nil, false
	}
	values := column(y, at)
	mean, sd := stat.MeanStdDev(values, nil)
	return errs.New(
		"the model has no intercept, but the mean is far from zero in %d of %d columns: in column %s it "+
			"is %.3g, which is %.3g standard errors and %.2g times the spread of the column. "+
			"Chains on real and simulated data will then probably not match; centre the columns, as with "+
			"{scale} centre",
		far,
		len(y[0]),
		t.Column(at),
		mean,
		worst,
		math.Abs(mean)/sd,
	), true
}
