package compare

import (
	"breadboard/experiments/ais"
	"breadboard/experiments/sandwich"
)

// CrossedRow is what annealing says of log p(y) of a data set under a fitted model, or of all data sets together. All is in nats.
type CrossedRow struct {
	Made, Fitted  string // the models that made the data and that is fitted
	Rows, Columns int
	T             int
	Data          int // the number of the data set; 0 where the row is of all of them
	Datasets      int // of which the row is
	Chains        int // on each data set

	// LogMean is the logarithm of the mean weight over the chains of a data set, and Mean is the mean log weight. Both are at most log p(y)
	// on average, and LogMean is nearer. Where the row is of all data sets, both are means over them. Standard errors are over chains on one
	// data set, where that of LogMean is meaningful only well below one, and over data sets for all of them.
	LogMean, Mean ais.Estimate
	// Behind is by how much LogMean is below that of the model that made the data, on the same data; MeanBehind is it for Mean. Both are
	// zero for that model itself, and NaN while it is not known.
	Behind, MeanBehind ais.Estimate
	Seconds            float64 // of a chain
}

// Diagonal reports whether the model that is fitted is the one that made the data.
func (r *CrossedRow) Diagonal() bool { return r.Made == r.Fitted }

// row returns the row of a model that is fitted to a data set.
func (o *CrossedOptions) row(fitted sandwich.Model, set sandwich.Set, estimates []sandwich.Estimate) CrossedRow {
	r := CrossedRow{Made: set.Model.Name, Fitted: fitted.Name, Rows: o.Rows, Columns: o.Columns, T: o.T, Data: set.Number, Datasets: 1, Chains: o.Chains}
	var logs []float64
	for _, e := range estimates {
		logs = append(logs, e.LogZ)
		r.Seconds += e.Seconds / float64(len(estimates))
	}
	r.Mean, r.LogMean = ais.Mean(logs), ais.LogMeanExp(logs, 1)
	return r
}
