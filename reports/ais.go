package reports

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"

	"breadboard/chains"
	"breadboard/chains/numpy"
	"breadboard/experiments"
	"breadboard/experiments/ais"
	"breadboard/experiments/columns"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// AISReport returns the report of runs of chains: estimates beside exact values, and for each run the figure of its log
// weights and two files of them. Where runs have failed, the error of one of them is the report's Fault, a chains.Fault
// before any other error. Errors in cells name options in the given words.
func AISReport(runs []ais.Row, words chains.Words) *Report {
	r := newReport("ais", AIS(runs, words))
	for i := range runs {
		run := &runs[i]
		if run.Err != nil {
			r.Fault = graver(r.Fault, fmt.Errorf("%s: %w", &run.Case, run.Err))
			continue
		}
		name := FileName("log_weights_" + run.Toy.Name + "_T" + strconv.Itoa(run.Distributions()))
		r.add(
			Figure{Title: "Sampled log weights of both directions: " + run.Case.String(), Missing: run.Case.String() + ": no figure", Draw: func() (*figure.Figure, error) { return Sandwich(run) }},
			File{Name: name + ".npy", Content: func() ([]byte, error) { return LogWeightsNPY(run), nil }},
			File{Name: name + ".csv", Content: func() ([]byte, error) { return LogWeightsCSV(run), nil }})
		r.caseNotes(&run.Case, run.Exact.Notes)
		for _, q := range run.Quantities {
			if q.Note != "" {
				r.note("%s: %s: %s", &run.Case, q.Name, q.Note)
			}
		}
	}
	return r
}

// graver returns one of two errors of the cases of a study: the one that is a chains.Fault where only one is, and otherwise
// the first.
func graver(first, second error) error {
	if first == nil || !chains.IsFault(first) && chains.IsFault(second) {
		return second
	}
	return first
}

// estimateRow is one estimate of a run, or stands for a run that has failed and has no estimates.
type estimateRow struct {
	run  *ais.Row
	q    *ais.Quantity // nil where the run has failed
	note string
}

// quantity returns the estimate; nil where the run has failed.
func (r *estimateRow) quantity() *ais.Quantity { return r.q }

func estimateFields() []table.Field[estimateRow] {
	return slices.Concat(
		experiments.WholeCase(func(r *estimateRow) *experiments.Case { return &r.run.Case }),
		[]table.Field[estimateRow]{{Column: table.Column{Name: "quantity", Type: table.String, Title: "quantity", Meaning: "what is estimated; failed where the run has failed and note says why"}, Of: func(r *estimateRow) any {
			if r.q == nil {
				return "failed"
			}
			return r.q.Name
		}}},
		columns.Lift([]table.Field[ais.Quantity]{
			{Column: table.Column{Name: "exact", Type: table.Float, Title: "exact", Meaning: "the exact value of the quantity"}, Of: func(q *ais.Quantity) any { return q.Exact }},
			{Column: table.Column{Name: "estimate", Type: table.Float, Title: "estimate", Meaning: "what the chains give for the quantity"}, Of: func(q *ais.Quantity) any { return q.Estimate }},
			{Column: table.Column{Name: "standard_error", Type: table.Float, Title: "std. error", Digits: 2, Meaning: "the standard error of estimate; empty where it has none"}, Of: func(q *ais.Quantity) any { return columns.OrEmpty(q.StandardError) }},
			{Column: table.Column{Name: "standard_error_from", Type: table.String, Spare: 2, Title: "from", Meaning: "sample where the standard error is from the chains, or exact where it is from their law"}, Of: errorFrom},
			{Column: table.Column{Name: "bias", Type: table.Float, Spare: 1, Title: "bias", Digits: 2, Meaning: "the bias of the estimate, to first order; empty where it has none"}, Of: func(q *ais.Quantity) any { return biasCell(q.Bias) }},
			{Column: table.Column{Name: "z", Type: table.Float, Spare: table.Keep, Title: "z", Digits: 2, Meaning: columns.MeansZ}, Of: func(q *ais.Quantity) any { return columns.OrEmpty(q.Z()) }},
		}, (*estimateRow).quantity),
		[]table.Field[estimateRow]{
			{Column: table.Column{Name: "chains", Type: table.Int, Spare: 2, Title: "chains", Meaning: "the number of chains in each direction"}, Of: func(r *estimateRow) any { return r.run.Chains }},
			{Column: table.Column{Name: "seed", Type: table.Uint, Meaning: "the seed of all random numbers"}, Of: func(r *estimateRow) any { return r.run.Seed }},
			{Column: table.Column{Name: "note", Type: table.String, Meaning: columns.MeansNote}, Of: func(r *estimateRow) any { return r.note }},
		})
}

// AIS returns the table of estimates beside exact values, one row a quantity. Errors name options in the given words.
func AIS(runs []ais.Row, words chains.Words) *table.Table {
	var rows []estimateRow
	for i := range runs {
		run := &runs[i]
		if run.Err != nil {
			rows = append(rows, estimateRow{run, nil, chains.InWords(run.Err, words)})
		}
		for k := range run.Quantities {
			rows = append(rows, estimateRow{run, &run.Quantities[k], run.Quantities[k].Note})
		}
	}
	return table.New(estimateFields(), rows)
}

// errorFrom says whether a standard error comes from the sample or from the exact law.
func errorFrom(q *ais.Quantity) any {
	if q.FromSample {
		return "sample"
	}
	return "exact"
}

// biasCell returns the cell of a bias, which is empty for estimators that have none.
func biasCell(bias float64) any {
	if bias == 0 {
		return nil
	}
	return columns.OrEmpty(bias)
}

// LogWeightsNPY returns the log weights of a run as a NumPy array of two columns, forward and reverse.
func LogWeightsNPY(r *ais.Row) []byte {
	values := make([]float64, 0, 2*len(r.Forward.LogW))
	for i, forward := range r.Forward.LogW {
		values = append(values, forward, r.Reverse.LogW[i])
	}
	return numpy.Floats(values, len(r.Forward.LogW), 2)
}

// LogWeightsCSV returns the log weights of a run as CSV with the columns forward and reverse.
func LogWeightsCSV(r *ais.Row) []byte {
	var b bytes.Buffer
	b.WriteString("forward,reverse\n")
	for i, f := range r.Forward.LogW {
		b.WriteString(table.Shortest(f) + "," + table.Shortest(r.Reverse.LogW[i]) + "\n")
	}
	return b.Bytes()
}
