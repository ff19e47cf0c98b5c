package reports

import (
	"slices"
	"strings"

	"breadboard/chains"
	"breadboard/exact/weights"
	"breadboard/experiments"
	"breadboard/experiments/columns"
	"breadboard/experiments/logweights"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// WeightsReport returns the report of the laws of the log weights, with the figure of each. Notes name options in the
// given words, also in cells.
func WeightsReport(rows []logweights.Row, words chains.Words) *Report {
	r := newReport("weights", Weights(rows, words))
	r.laws(rows, words)
	return r
}

// TailsReport returns the report of the probabilities that a log weight is far on the wrong side of log(Z_T/Z_1).
func TailsReport(rows []logweights.Row, bs []float64, words chains.Words) *Report {
	r := newReport("tails", Tails(logweights.Tails(rows, bs)))
	r.laws(rows, words)
	return r
}

// QuantilesReport returns the report of quantiles of the log weights.
func QuantilesReport(rows []logweights.Row, qs []float64, words chains.Words) *Report {
	r := newReport("quantiles", Quantiles(logweights.Quantiles(rows, qs)))
	r.laws(rows, words)
	return r
}

// laws adds the notes on each law, and its figure.
func (r *Report) laws(rows []logweights.Row, words chains.Words) {
	for i := range rows {
		row := &rows[i]
		r.caseNotes(&row.Case, weightsNotes(row, words))
		r.add(Figure{Title: "Exact law of the log weight: " + row.Case.String(), Missing: row.Case.String() + ": no figure", Draw: func() (*figure.Figure, error) { return LawFigure(row) }})
	}
}

// SamplesReport returns the report of the bounds of many samples, with a figure for each annealing.
func SamplesReport(rows []logweights.SampleRow) *Report {
	r := newReport("samples", Samples(rows))
	for i := range rows {
		if n := rows[i].Note; n != "" {
			r.note("%s: %s", &rows[i].Case, n)
		}
	}
	for _, run := range byCase(rows, func(r *logweights.SampleRow) *experiments.Case { return &r.Case }) {
		r.add(Figure{Title: "Estimates of several samples against their number: " + run[0].Case.String(), Missing: run[0].Case.String() + ": no figure", Draw: func() (*figure.Figure, error) { return SamplesFigure(run) }})
	}
	return r
}

// weightsNotes returns the notes of a row, the last of them with advice where there is any.
func weightsNotes(r *logweights.Row, words chains.Words) []string {
	notes := slices.Clone(r.Notes)
	if advice, there := r.Advice(); there && len(notes) > 0 {
		notes[len(notes)-1] += "; " + advice.In(words)
	}
	return notes
}

// weightsFields returns the columns of the study. People see the digits of probabilities that their bounds determine.
func weightsFields(words chains.Words) []table.Field[logweights.Row] {
	fields := logweights.Laws().Columns
	for i, f := range fields {
		switch f.Name {
		case "p_bhat_below_J":
			fields[i].Of = func(r *logweights.Row) any { return likelihood(r.BelowJ, 5) }
		case "p_bhat_below_0":
			fields[i].Of = func(r *logweights.Row) any { return likelihood(r.Below0, 5) }
		}
	}
	return append(fields, table.Field[logweights.Row]{
		Column: table.Column{Name: "note", Type: table.String, Meaning: columns.MeansNote}, Of: func(r *logweights.Row) any { return strings.Join(weightsNotes(r, words), "; ") },
	})
}

// Weights returns the table of the laws of the log weights, one row an annealing. Notes name options in the given words.
func Weights(rows []logweights.Row, words chains.Words) *table.Table {
	return table.New(weightsFields(words), rows)
}

func tailFields() []table.Field[logweights.Tail] {
	of := func(r *logweights.Tail) *experiments.Case { return &r.Case }
	return slices.Concat(
		experiments.ShortCase(of),
		[]table.Field[logweights.Tail]{
			{Column: table.Column{Name: "b", Type: table.Float, Title: "b", Unit: "nats", Narrow: true, Meaning: "by how much log w is to be on the wrong side of log_z_ratio"}, Of: func(r *logweights.Tail) any { return r.B }},
			{Column: table.Column{Name: "bound", Type: table.Float, Title: "exp(-b)", Digits: 4, Meaning: "exp(-b), which bounds both probabilities"}, Of: func(r *logweights.Tail) any { return r.Bound }},
			{Column: table.Column{Name: "p_forward_above", Type: table.Float, Title: "P(fwd > log R + b)", Meaning: "the probability that a forward log weight is above log_z_ratio + b"}, Of: func(r *logweights.Tail) any { return likelihood(r.Forward, 4) }},
			{Column: table.Column{Name: "p_reverse_below", Type: table.Float, Title: "P(rev < log R - b)", Meaning: "the probability that a reverse log weight is below log_z_ratio - b"}, Of: func(r *logweights.Tail) any { return likelihood(r.Reverse, 4) }},
			{Column: table.Column{Name: "method", Type: table.String, Spare: 2, Title: "method", Meaning: "how the law is known"}, Of: func(r *logweights.Tail) any { return string(r.Law.Method) }},
			{Column: table.Column{Name: "error_bound", Type: table.Float, Title: "error", Digits: 2, Meaning: logweights.MeansError}, Of: func(r *logweights.Tail) any { return max(r.Forward.Error(), r.Reverse.Error()) }},
		},
		experiments.RestOfCase(of))
}

// Tails returns the table of the tails beside their bound.
func Tails(tails []logweights.Tail) *table.Table { return table.New(tailFields(), tails) }

func quantileFields() []table.Field[logweights.Quantile] {
	of := func(r *logweights.Quantile) *experiments.Case { return &r.Case }
	return slices.Concat(
		experiments.ShortCase(of),
		[]table.Field[logweights.Quantile]{
			{Column: table.Column{Name: "q", Type: table.Float, Title: "q", Meaning: "the level of the quantile"}, Of: func(r *logweights.Quantile) any { return r.Q }},
			{Column: table.Column{Name: "forward", Type: table.Float, Title: "log w fwd", Unit: "nats", Narrow: true, Meaning: "the quantile of the log weight of forward chains"}, Of: func(r *logweights.Quantile) any { return quantile(r.Forward) }},
			{Column: table.Column{Name: "reverse", Type: table.Float, Title: "log w rev", Unit: "nats", Narrow: true, Meaning: "the quantile of the log weight of reverse chains"}, Of: func(r *logweights.Quantile) any { return quantile(r.Reverse) }},
			{Column: table.Column{Name: "method", Type: table.String, Spare: 2, Title: "method", Meaning: "how the law is known"}, Of: func(r *logweights.Quantile) any { return string(r.Law.Method) }},
			{Column: table.Column{Name: "forward_low", Type: table.Float, Unit: "nats", Meaning: "a lower bound on the quantile in forward"}, Of: func(r *logweights.Quantile) any { return r.Forward.Low }},
			{Column: table.Column{Name: "forward_high", Type: table.Float, Unit: "nats", Meaning: "an upper bound on the quantile in forward"}, Of: func(r *logweights.Quantile) any { return r.Forward.High }},
			{Column: table.Column{Name: "reverse_low", Type: table.Float, Unit: "nats", Meaning: "a lower bound on the quantile in reverse"}, Of: func(r *logweights.Quantile) any { return r.Reverse.Low }},
			{Column: table.Column{Name: "reverse_high", Type: table.Float, Unit: "nats", Meaning: "an upper bound on the quantile in reverse"}, Of: func(r *logweights.Quantile) any { return r.Reverse.High }},
		},
		experiments.RestOfCase(of))
}

// Quantiles returns the table of the quantiles with their bounds, in nats.
func Quantiles(quantiles []logweights.Quantile) *table.Table {
	return table.New(quantileFields(), quantiles)
}

// likelihood returns the cell of a probability: for machines its value, for people the digits that its bounds determine.
func likelihood(b weights.Bracket, digits int) any {
	return table.Both{Machine: b.Value, People: probability(b, digits)}
}

// quantile returns the cell of a quantile: for machines its value, for people its value or its two bounds (see between).
func quantile(b weights.Bracket) any { return table.Both{Machine: b.Value, People: between(b)} }

// Samples returns the table of the bounds of many samples: for machines the bounds, for people how far they are
// from log Z_T/Z_1.
func Samples(rows []logweights.SampleRow) *table.Table {
	return table.New(logweights.Samples().Columns, rows)
}
