package reports

import (
	"math"
	"slices"
	"strings"

	"breadboard/chains"
	"breadboard/exact/weights"
	"breadboard/experiments"
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
		r.add(Figure{Missing: row.Case.String() + ": no figure", Draw: func() (*figure.Figure, error) { return LawFigure(row) }})
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
	for _, run := range byCase(rows, samplesCase) {
		r.add(Figure{Missing: run[0].Case.String() + ": no figure", Draw: func() (*figure.Figure, error) { return SamplesFigure(run) }})
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

func weightsCase(r *logweights.Row) *experiments.Case       { return &r.Case }
func samplesCase(r *logweights.SampleRow) *experiments.Case { return &r.Case }

func weightsFields(words chains.Words) []table.Field[logweights.Row] {
	return slices.Concat(
		problem(weightsCase),
		[]table.Field[logweights.Row]{
			{Column: table.Column{Name: "mean_forward", Title: "mean fwd"}, Of: func(r *logweights.Row) any { return r.Moments[0].Mean }},
			{Column: table.Column{Name: "sd_forward", Title: "sd fwd", Digits: 5}, Of: func(r *logweights.Row) any { return math.Sqrt(r.Moments[0].Variance) }},
			{Column: table.Column{Name: "mean_reverse", Title: "mean rev"}, Of: func(r *logweights.Row) any { return r.Moments[1].Mean }},
			{Column: table.Column{Name: "sd_reverse", Title: "sd rev", Digits: 5}, Of: func(r *logweights.Row) any { return math.Sqrt(r.Moments[1].Variance) }},
			{Column: table.Column{Name: "p_bhat_below_J", Title: "P(B-hat < J)"}, Of: func(r *logweights.Row) any { return likelihood(r.BelowJ, 5) }},
			{Column: table.Column{Name: "p_bhat_below_0", Title: "P(B-hat < 0)"}, Of: func(r *logweights.Row) any { return likelihood(r.Below0, 5) }},
			{Column: table.Column{Name: "ess_fraction", Title: "ESS", Digits: 4}, Of: func(r *logweights.Row) any { return r.ESSFraction }},
			{Column: table.Column{Name: "method", Title: "method"}, Of: func(r *logweights.Row) any { return string(r.Law.Method) }},
			{Column: table.Column{Name: "error_bound", Title: "error", Digits: 2}, Of: func(r *logweights.Row) any { return r.ErrorBound() }},
		},
		setting(weightsCase),
		[]table.Field[logweights.Row]{
			{Column: table.Column{Name: "J"}, Of: func(r *logweights.Row) any { return r.Solution.J }},
			{Column: table.Column{Name: "B"}, Of: func(r *logweights.Row) any { return r.Solution.B }},
			{Column: table.Column{Name: "log_z_ratio"}, Of: func(r *logweights.Row) any { return r.Law.LogZRatio }},
			{Column: table.Column{Name: "third_cumulant_forward"}, Of: func(r *logweights.Row) any { return r.Moments[0].Third }},
			{Column: table.Column{Name: "fourth_cumulant_forward"}, Of: func(r *logweights.Row) any { return r.Moments[0].Fourth }},
			{Column: table.Column{Name: "third_cumulant_reverse"}, Of: func(r *logweights.Row) any { return r.Moments[1].Third }},
			{Column: table.Column{Name: "fourth_cumulant_reverse"}, Of: func(r *logweights.Row) any { return r.Moments[1].Fourth }},
			{Column: table.Column{Name: "renyi_half"}, Of: func(r *logweights.Row) any { return r.RenyiHalf }},
			{Column: table.Column{Name: "p_zero_weight"}, Of: func(r *logweights.Row) any { return r.Law.Forward.Zero }},
			{Column: table.Column{Name: "p_infinite_weight"}, Of: func(r *logweights.Row) any { return r.Law.Reverse.Infinite }},
			{Column: table.Column{Name: "crooks_residual"}, Of: func(r *logweights.Row) any { return r.Law.Crooks }},
			{Column: table.Column{Name: "frequencies"}, Of: func(r *logweights.Row) any { return r.Law.Frequencies }},
			{Column: table.Column{Name: "resolved"}, Of: func(r *logweights.Row) any { return r.Law.Resolved }},
			{Column: table.Column{Name: "note"}, Of: func(r *logweights.Row) any { return strings.Join(weightsNotes(r, words), "; ") }},
		})
}

// Weights returns the table of the laws of the log weights, one row an annealing. Notes name options in the given words.
func Weights(rows []logweights.Row, words chains.Words) *table.Table {
	return table.New(weightsFields(words), rows)
}

func tailFields() []table.Field[logweights.Tail] {
	of := func(r *logweights.Tail) *experiments.Case { return &r.Case }
	return slices.Concat(
		problem(of),
		[]table.Field[logweights.Tail]{
			{Column: table.Column{Name: "b", Title: "b"}, Of: func(r *logweights.Tail) any { return r.B }},
			{Column: table.Column{Name: "bound", Title: "exp(-b)", Digits: 4}, Of: func(r *logweights.Tail) any { return r.Bound }},
			{Column: table.Column{Name: "p_forward_above", Title: "P(fwd > log R + b)"}, Of: func(r *logweights.Tail) any { return likelihood(r.Forward, 4) }},
			{Column: table.Column{Name: "p_reverse_below", Title: "P(rev < log R - b)"}, Of: func(r *logweights.Tail) any { return likelihood(r.Reverse, 4) }},
			{Column: table.Column{Name: "method", Title: "method"}, Of: func(r *logweights.Tail) any { return string(r.Law.Method) }},
			{Column: table.Column{Name: "error_bound", Title: "error", Digits: 2}, Of: func(r *logweights.Tail) any { return max(r.Forward.Error(), r.Reverse.Error()) }},
		},
		setting(of))
}

// Tails returns the table of the tails beside their bound.
func Tails(tails []logweights.Tail) *table.Table { return table.New(tailFields(), tails) }

func quantileFields() []table.Field[logweights.Quantile] {
	of := func(r *logweights.Quantile) *experiments.Case { return &r.Case }
	return slices.Concat(
		problem(of),
		[]table.Field[logweights.Quantile]{
			{Column: table.Column{Name: "q", Title: "q"}, Of: func(r *logweights.Quantile) any { return r.Q }},
			{Column: table.Column{Name: "forward", Title: "log w fwd"}, Of: func(r *logweights.Quantile) any { return quantile(r.Forward) }},
			{Column: table.Column{Name: "reverse", Title: "log w rev"}, Of: func(r *logweights.Quantile) any { return quantile(r.Reverse) }},
			{Column: table.Column{Name: "method", Title: "method"}, Of: func(r *logweights.Quantile) any { return string(r.Law.Method) }},
			{Column: table.Column{Name: "forward_low"}, Of: func(r *logweights.Quantile) any { return r.Forward.Low }},
			{Column: table.Column{Name: "forward_high"}, Of: func(r *logweights.Quantile) any { return r.Forward.High }},
			{Column: table.Column{Name: "reverse_low"}, Of: func(r *logweights.Quantile) any { return r.Reverse.Low }},
			{Column: table.Column{Name: "reverse_high"}, Of: func(r *logweights.Quantile) any { return r.Reverse.High }},
		},
		setting(of))
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

func samplesFields() []table.Field[logweights.SampleRow] {
	return slices.Concat(
		problem(samplesCase),
		[]table.Field[logweights.SampleRow]{
			{Column: table.Column{Name: "K", Title: "K"}, Of: func(r *logweights.SampleRow) any { return r.K }},
			{Column: table.Column{Name: "forward_bound"}, Of: func(r *logweights.SampleRow) any { return r.Forward }},
			{Column: table.Column{Name: "reverse_bound"}, Of: func(r *logweights.SampleRow) any { return r.Reverse }},
			{Column: table.Column{Name: "mixed_bound"}, Of: func(r *logweights.SampleRow) any { return r.Mixed }},
			{Column: table.Column{Name: "log_z_ratio", Title: "log R"}, Of: func(r *logweights.SampleRow) any { return r.LogZRatio }},
			{Column: table.Column{Title: "forward, below"}, Of: func(r *logweights.SampleRow) any { return r.LogZRatio - r.Forward }},
			{Column: table.Column{Title: "reverse, above"}, Of: func(r *logweights.SampleRow) any { return r.Reverse - r.LogZRatio }},
			{Column: table.Column{Title: "mixed, above"}, Of: func(r *logweights.SampleRow) any { return r.Mixed - r.LogZRatio }},
			{Column: table.Column{Name: "error_bound", Title: "error", Digits: 2}, Of: func(r *logweights.SampleRow) any { return r.Error }},
		},
		setting(samplesCase),
		[]table.Field[logweights.SampleRow]{
			{Column: table.Column{Name: "note"}, Of: func(r *logweights.SampleRow) any { return r.Note }},
		})
}

// Samples returns the table of the bounds of many samples: for machines the bounds, for people how far they are
// from log Z_T/Z_1.
func Samples(rows []logweights.SampleRow) *table.Table { return table.New(samplesFields(), rows) }
