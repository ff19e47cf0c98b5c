package weights

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"

	"breadboard/chains/errs"
	"breadboard/exact/weights"
	"breadboard/experiments/curves"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/columns"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// Report returns the report of the distributions of the log weights, with the figure of
// each. Notes name options in the given words, also in cells.
func Report(rows []Row, words errs.Words) *reports.Report {
	r := reports.New("weights", Table(rows, words))
	addLaws(r, rows, words)
	return r
}

// TailsReport returns the report of the probabilities that a log weight is on the wrong side of
// log(Z_T/Z_1) by more than a distance.
func TailsReport(rows []Row, bs []float64, words errs.Words) *reports.Report {
	r := reports.New("tails", TailsTable(Tails(rows, bs)))
	addLaws(r, rows, words)
	return r
}

// QuantilesReport returns the report of quantiles of the log weights.
func QuantilesReport(rows []Row, qs []float64, words errs.Words) *reports.Report {
	r := reports.New("quantiles", QuantilesTable(Quantiles(rows, qs)))
	addLaws(r, rows, words)
	return r
}

// addLaws adds the notes on each distribution, and its figure.
func addLaws(r *reports.Report, rows []Row, words errs.Words) {
	for i := range rows {
		row := &rows[i]
		r.CaseNotes(&row.Case, weightsNotes(row, words))
		r.PlotLater(columns.Plot{
			Name:  "law_" + row.Toy.Name + "_T" + table.People(row.Distributions(), 0),
			Title: fmt.Sprintf("Exact distribution of the log weight: %s", &row.Case),
			Parts: []columns.Part{{
				X:      "from",
				XLabel: "log w (nats)",
				Until:  "to",
				Y:      []string{"forward", "reverse", "forward times w Z_{1}/Z_{T} (Crooks)"},
				YLabel: "probability per nat", StemsAre: " (stems: probability)",
			}},
			Bars:    []string{"forward", "reverse"},
			Dots:    []string{"forward times w Z_{1}/Z_{T} (Crooks)"},
			Upright: []string{"log Z_{T}/Z_{1}"},
			Why:     errors.New("nothing to draw: every weight is the same"),
		}, func() *table.Table { return lawOf(row) })
	}
}

// SamplesReport returns the report of the bounds from several samples, with a figure for each
// annealing.
func SamplesReport(rows []SampleRow) *reports.Report {
	r := reports.New("samples", table.New(Samples().Declaration.Columns, rows))
	for i := range rows {
		if n := rows[i].Note; n != "" {
			r.Note("%s: %s", &rows[i].Case, n)
		}
	}
	var cells [][]any
	for i := range rows {
		s := &rows[i]
		cells = append(cells,
			curves.OfCase(&s.Case, s.K, s.LogZRatio-s.Forward, s.Reverse-s.LogZRatio, s.Mixed-s.LogZRatio))
	}
	r.Plots(curves.CaseCells(
		cells,
		"K",
		"forward, below",
		"reverse, above",
		"one reverse and K-1 forward, above",
	), columns.Plot{
		Name:  "samples",
		Title: "Distance of the bounds from log Z_{T}/Z_{1} by number of samples",
		Each:  curves.EachCase(),
		Parts: []columns.Part{{
			X:      "K",
			XLabel: "number of samples K",
			XScale: columns.Decades,
			Y:      []string{"forward, below", "reverse, above", "one reverse and K-1 forward, above"},
			YLabel: "distance from log Z_{T}/Z_{1} (nats)",
			YScale: columns.Decades,
		}},
		Joined: true,
	})
	return r
}

// weightsNotes returns the notes of a row, the last of them with advice if there is any.
func weightsNotes(r *Row, words errs.Words) []string {
	notes := slices.Clone(r.Notes)
	if advice, there := r.Advice(); there && len(notes) > 0 {
		notes[len(notes)-1] += "; " + advice.In(words)
	}
	return notes
}

// weightsFields returns the columns of the study. People see the digits of probabilities that their
// bounds determine.
func weightsFields(words errs.Words) columns.List {
	fields := Laws().Declaration.Columns
	for i, f := range fields {
		switch f.Name {
		case "p_bhat_below_J":
			fields[i].Of = columns.Cells(func(r *Row) any { return likelihood(r.BelowJ, 5) })
		case "p_bhat_below_0":
			fields[i].Of = columns.Cells(func(r *Row) any { return likelihood(r.Below0, 5) })
		}
	}
	return append(fields,
		columns.Note(func(r *Row) string { return strings.Join(weightsNotes(r, words), "; ") }))
}

// Table returns the table of the distributions of the log weights, one row an annealing. Notes
// name options in the given words.
func Table(rows []Row, words errs.Words) *table.Table {
	return table.New(weightsFields(words), rows)
}

func tailFields() columns.List {
	of := (*Tail).TheCase
	return slices.Concat(subject.ShortCase(of),
		columns.List{
			columns.Stated("b", "b (nats)", "the distance of log w from log_z_ratio, on the wrong side",
				func(r *Tail) float64 { return r.B }),
			columns.Of("bound", "exp(-b)", "exp(-b), which bounds both probabilities",
				func(r *Tail) float64 { return r.Bound }).Answer().Digits(4),
			columns.Any("p_forward_above", "P(fwd > log R + b)", columns.Float,
				"the probability that a forward log weight is above log_z_ratio + b",
				func(r *Tail) any { return likelihood(r.Forward, 4) }).Answer(),
			columns.Any("p_reverse_below", "P(rev < log R - b)", columns.Float,
				"the probability that a reverse log weight is below log_z_ratio - b",
				func(r *Tail) any { return likelihood(r.Reverse, 4) }).Answer(),
			columns.Of("method", "method", "how the distribution is computed",
				func(r *Tail) string { return string(r.Law.Method) }),
			columns.Of("error_bound", "error", meansError, func(r *Tail) float64 {
				return max(r.Forward.Error(), r.Reverse.Error())
			}).Digits(2),
		},
		subject.RestOfCase(of))
}

// TailsTable returns the table of the tails beside their bound.
func TailsTable(tails []Tail) *table.Table { return table.New(tailFields(), tails) }

func quantileFields() columns.List {
	of := (*Quantile).TheCase
	return slices.Concat(subject.ShortCase(of),
		columns.List{
			columns.Of("q", "q", "the level of the quantile", func(r *Quantile) float64 { return r.Q }),
			quantile("forward", "log w fwd (nats)", "the quantile of the log weight of forward chains",
				func(r *Quantile) weights.Bracket { return r.Forward }),
			quantile("reverse", "log w rev (nats)", "the quantile of the log weight of reverse chains",
				func(r *Quantile) weights.Bracket { return r.Reverse }),
			columns.Of("method", "method", "how the distribution is computed",
				func(r *Quantile) string { return string(r.Law.Method) }),
			columns.Stated("forward_low", "(nats)", "a lower bound on forward",
				func(r *Quantile) float64 { return r.Forward.Low }),
			columns.Stated("forward_high", "(nats)", "an upper bound on forward",
				func(r *Quantile) float64 { return r.Forward.High }),
			columns.Stated("reverse_low", "(nats)", "a lower bound on reverse",
				func(r *Quantile) float64 { return r.Reverse.Low }),
			columns.Stated("reverse_high", "(nats)", "an upper bound on reverse",
				func(r *Quantile) float64 { return r.Reverse.High }),
		},
		subject.RestOfCase(of))
}

// QuantilesTable returns the table of the quantiles with their bounds, in nats.
func QuantilesTable(quantiles []Quantile) *table.Table {
	return table.New(quantileFields(), quantiles)
}

// likelihood returns the cell of a probability: for machines its value, for people the digits that
// its bounds determine.
func likelihood(b weights.Bracket, digits int) any {
	return table.Both{Machine: b.Value, People: reports.Probability(b, digits)}
}

// quantile returns the column of a quantile: for machines its value, beside its bounds, for people
// its value or its two bounds (see between).
func quantile(name, title, meaning string, of func(*Quantile) weights.Bracket) table.Field {
	f := columns.Stated(name, title, meaning, func(r *Quantile) float64 { return of(r).Value })
	f.Of = columns.Cells(func(r *Quantile) any {
		return table.Both{Machine: of(r).Value, People: reports.Between(of(r))}
	})
	return f.Answer()
}

// lawOf returns both distributions in bins, and the one that follows from the forward one by
// Crooks' relation, drawn over the reverse one; the two agree. The distributions cross at log
// Z_T/Z_1. If every value of log w has its own place in the figure, bins have no width; otherwise
// the bins of distributions near a lattice have the same number of lattice points.
func lawOf(r *Row) *table.Table {
	bins := lawBins(r)
	highest := 0.0
	for _, b := range bins {
		highest = max(highest, b.Forward, b.Reverse, b.Crooks)
	}
	var cells [][]any
	for _, b := range bins {
		// no mark stands at the foot of a bar that is not seen
		per := 1.0
		crooks := any(nil)
		if width := b.High - b.Low; r.Law.Forward.Spacing > 0 && width < 1.5*r.Law.Forward.Spacing {
			per, b.Low, b.High = width, b.Low+width/2, b.Low+width/2
		}
		if b.Crooks > 0.02*highest {
			crooks = b.Crooks * per
		}
		cells = append(cells, []any{b.Low, b.High, b.Forward * per, b.Reverse * per, crooks, r.Law.LogZRatio})
	}
	return curves.Cells(
		cells,
		"from",
		"to",
		"forward",
		"reverse",
		"forward times w Z_{1}/Z_{T} (Crooks)",
		"log Z_{T}/Z_{1}",
	)
}

// lawBins returns the bins of the distributions. If most of their mass lies near a lattice, each
// bin has the same number of its points. The distribution itself may be on no lattice, or on a much
// finer one.
func lawBins(r *Row) []Bin {
	bins := r.Density()
	spacing := r.Law.Forward.Spacing
	if len(bins) == 0 {
		return nil
	}
	width := bins[0].High - bins[0].Low
	if points := math.Round(width / spacing); spacing > 0 && points < 2 && len(bins) <= mostStems {
		return bins
	}
	low, high := bins[0].Low, bins[len(bins)-1].High
	const fine = 2000
	values := make([]float64, fine)
	masses := make([]float64, fine)
	below := belows(r.Law.Forward, low, high, fine)
	for i := range fine {
		values[i] = low + (high-low)*(float64(i)+0.5)/fine
		masses[i] = below[i+1] - below[i]
	}
	lattice, found := figure.NearLattice(values, masses)
	if !found {
		return bins
	}
	from, width, n := lattice.Edges(low, high, len(bins))
	if spacing > 0 { // whole numbers of points of the finer lattice, with edges half way between points
		first, _ := r.Law.Forward.Support()
		width = spacing * math.Round(width/spacing)
		from = first + spacing*(math.Round((from-first)/spacing)-0.5)
	}
	return r.Bins(from, width, n)
}

// belows returns the probabilities of values below the edges of n intervals of the same length from
// low to high. Each may take a millisecond, so that they are computed on all processors.
func belows(l *weights.Law, low, high float64, n int) []float64 {
	list := make([]float64, n+1)
	workers := runtime.GOMAXPROCS(0)
	var group sync.WaitGroup
	for first := range workers {
		group.Go(func() {
			for i := first; i <= n; i += workers {
				list[i] = l.Below(low + (high-low)*float64(i)/float64(n)).Value
			}
		})
	}
	group.Wait()
	return list
}

// mostStems is the largest number of values that are drawn as stems.
const mostStems = 150
