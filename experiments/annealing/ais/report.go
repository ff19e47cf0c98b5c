package ais

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/numpy"
	"breadboard/experiments/curves"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/columns"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// Report returns the report of runs of chains: estimates beside exact values, and for each run
// the figure of its log weights and two files of them. If runs have failed, the report's Fault is
// the error of one of them, a chains.Fault before any other error. Errors in cells name options in
// the given words.
func Report(runs []Row, words errs.Words) *reports.Report {
	r := reports.New("ais", Table(runs, words))
	for i := range runs {
		run := &runs[i]
		if run.Err != nil {
			r.Fault = Graver(r.Fault, fmt.Errorf("%s: %w", &run.Case, run.Err))
			continue
		}
		name := reports.FileName("log_weights_" + run.Param("toy") + "_T" + strconv.Itoa(run.Distributions()))
		plot, data := Histograms("sandwich_"+run.Param("toy")+"_T"+table.People(run.Distributions(), 0),
			fmt.Sprintf("Sampled log weights of both directions: %s", &run.Case),
			sides(run), "exact mean", run.Exact.LogZRatio, "log Z_{T}/Z_{1}")
		r.PlotLater(plot, data)
		r.Add(reports.File{
			Name:    name + ".npy",
			Content: func() ([]byte, error) { return logWeightsNPY(run), nil },
		},
			reports.File{
				Name:    name + ".csv",
				Content: func() ([]byte, error) { return logWeightsCSV(run), nil },
			})
		r.CaseNotes(&run.Case, run.Exact.Notes)
		if run.Classes > 0 {
			r.Note("%s: the exact answers were computed on %d classes of the %d states; the kernel treats "+
				"the members of a class alike",
				&run.Case,
				run.Classes, run.Toy.Space.States())
		}
		for _, q := range run.Quantities {
			if q.Note != "" {
				r.Note("%s: %s: %s", &run.Case, q.Name, q.Note)
			}
		}
	}
	return r
}

// Graver returns one of two errors of the cases of a study: the chains.Fault if only one is, and
// otherwise the first.
func Graver(first, second error) error {
	if first == nil || !chains.IsFault(first) && chains.IsFault(second) {
		return second
	}
	return first
}

// estimateRow is one estimate of a run, or a failed run without estimates.
type estimateRow struct {
	run  *Row
	q    *Quantity // nil if the run has failed
	note string
}

// LeftOut returns the notes of the row (see columns.Noted).
func (r *estimateRow) LeftOut() string { return r.run.LeftOut() }

// Table returns the table of estimates beside exact values, one row a quantity. Errors name options
// in the given words.
func Table(runs []Row, words errs.Words) *table.Table {
	return table.New(estimateFields(), estimates(runs, words))
}

func estimates(runs []Row, words errs.Words) (rows []estimateRow) {
	for i := range runs {
		run := &runs[i]
		if run.Err != nil {
			rows = append(rows, estimateRow{run, nil, errs.InWords(run.Err, words)})
		}
		for k := range run.Quantities {
			rows = append(rows, estimateRow{run, &run.Quantities[k], run.Quantities[k].Note})
		}
	}
	return rows
}

func estimateFields() columns.List {
	return slices.Concat(subject.WholeCase(func(r *estimateRow) *subject.Case { return &r.run.Case }),
		columns.List{columns.Any("quantity", "quantity", columns.String,
			"what is estimated; failed if the run failed (see note)", func(r *estimateRow) any {
				switch {
				case r.q == nil:
					return "failed"
				case r.q.Name == "bar":
					return columns.Both{Machine: r.q.Name, People: "BAR (Bennett)"}
				}
				return r.q.Name
			})},
		columns.List{
			columns.Of("exact", "exact", "the exact value of the quantity; empty if there are too many states",
				func(r *estimateRow) number.Bounded {
					if r.q == nil {
						return number.Exactly(math.NaN())
					}
					return r.run.Bound(r.q)
				}).Answer(),
		},
		columns.Lift(columns.List{
			columns.Of("estimate", "estimate", "the estimate of the chains; empty if there are too few of them",
				func(q *Quantity) float64 { return q.Estimate }).OrEmpty().Answer(),
			columns.Of("estimate_se", "se", "the standard error of estimate; empty if it has none",
				func(q *Quantity) float64 { return q.StandardError }).OrEmpty().Answer().Digits(2),
			columns.Any("se_from", "from", columns.String,
				"what gives the standard error: sample or exact", errorFrom),
			columns.Any("bias", "bias", columns.Float,
				"the bias of the estimate, to first order; empty if it has none",
				func(q *Quantity) any { return biasCell(q.Bias) }).Digits(2),
			columns.Of("z", "z", columns.MeansZ+
				"; empty if there is none, and for J_plugin, whose bias is often larger than the error",
				(*Quantity).Z).OrEmpty().Answer().Digits(2),
		}, func(r *estimateRow) *Quantity { return r.q }),
		columns.List{
			columns.Of("chains", "chains", "the number of chains in each direction",
				func(r *estimateRow) int { return r.run.Chains }),
			columns.Of("seed", "", "the seed of all random numbers",
				func(r *estimateRow) uint64 { return r.run.Seed }),
			columns.Note(func(r *estimateRow) string { return r.note }),
		})
}

// errorFrom tells whether a standard error comes from the sample or from the exact distribution.
func errorFrom(q *Quantity) any {
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

// Side is the log weights of one direction.
type Side struct {
	Name string
	LogW []float64
	Mean float64 // where its line is drawn; NaN if there is none
}

// sides returns forward, and reverse if there are reverse chains.
func sides(r *Row) []Side {
	all := []Side{{"forward", r.Forward.LogW, r.Exact.MeanLogWForward}}
	if r.Reverse != nil {
		all = append(all, Side{"reverse", r.Reverse.LogW, r.Exact.MeanLogWReverse})
	}
	return all
}

// logWeightsNPY returns the log weights of a run as a NumPy array with a column for each direction.
func logWeightsNPY(r *Row) []byte {
	all := sides(r)
	values := make([]float64, 0, len(all)*len(r.Forward.LogW))
	for i := range r.Forward.LogW {
		for _, s := range all {
			values = append(values, s.LogW[i])
		}
	}
	return numpy.Floats(values, len(r.Forward.LogW), len(all))
}

// logWeightsCSV returns the log weights of a run as CSV with a column for each direction.
func logWeightsCSV(r *Row) []byte {
	var b bytes.Buffer
	for i := -1; i < len(r.Forward.LogW); i++ {
		for k, s := range sides(r) {
			if k > 0 {
				b.WriteByte(',')
			}
			if i < 0 {
				b.WriteString(s.Name)
			} else {
				b.WriteString(table.Shortest(s.LogW[i]))
			}
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// Histograms returns the figure of the log weights of both directions, with upright lines at the
// mean of each direction and at log Z, which have these names, and its table. A small number of
// distinct values has bins without width.
func Histograms(name, title string, sides []Side, mean string, logZ float64,
	line string) (columns.Plot, func() *table.Table) {
	p := columns.Plot{
		Name:  name,
		Title: title,
		Parts: []columns.Part{{
			X:      "from",
			XLabel: "log w (nats)",
			Until:  "to",
			Y:      []string{"share"},
			YLabel: "share of chains",
		}},
		Bars:    []string{"share"},
		By:      []string{"direction"},
		Upright: []string{line, mean},
		Why:     errors.New("nothing to draw: no log weight is finite"),
	}
	return p, func() *table.Table {
		return curves.Cells(shares(sides, logZ), "direction", "from", "to", "share", mean, line)
	}
}

// shares returns the fractions of log weights in the bins of the histograms.
func shares(sides []Side, logZ float64) (cells [][]any) {
	low, high := math.Inf(1), math.Inf(-1)
	var both []float64
	for _, s := range sides {
		for _, l := range s.LogW {
			if !math.IsInf(l, 0) {
				low, high = min(low, l), max(high, l)
			}
		}
		both = append(both, s.LogW...)
	}
	if low == high {
		low, high = low-0.5, high+0.5
	}
	few := figure.Distinct(both, min(maxStems, len(both)/5)) // otherwise hardly two chains share a value
	var from, width float64
	var bins int
	if few == nil && low < high {
		from, width, bins = sandwichBins(both, low, high)
	}
	for _, side := range sides {
		var bars []figure.Bar
		if few == nil {
			bars = figure.Histogram(side.LogW, from, from+width*float64(bins), bins)
		} else {
			for _, at := range figure.Distinct(side.LogW, maxStems) {
				bars = append(bars, figure.Bar{From: at.X, To: at.X, Height: at.Y})
			}
		}
		for _, b := range bars {
			cells = append(cells, []any{side.Name, b.From, b.To, b.Height, side.Mean, logZ})
		}
	}
	return cells
}

const (
	// maxStems is the largest number of values of log w that are drawn as stems.
	maxStems = 100
	// sandwichBars is the approximate number of bars of a histogram.
	sandwichBars = 60
)

// sandwichBins returns the lower end, the width and the number of the bins of a histogram. If the
// log weights lie near a lattice, each bin has the same number of lattice points.
func sandwichBins(sample []float64, low, high float64) (from, width float64, bins int) {
	masses := make([]float64, len(sample))
	for i := range masses {
		masses[i] = 1
	}
	if lattice, found := figure.NearLattice(sample, masses); found {
		return lattice.Edges(low, high, sandwichBars)
	}
	return low, (high - low) / sandwichBars, sandwichBars
}

// RunningPlot returns the figure of how estimates approach their exact values while chains
// accumulate, and its table: each estimate with its standard error against the number of chains in
// either direction, on a logarithmic axis, and its exact value as a dotted line. The rows are those
// of one seed in the order in which they became known. It needs at least two rows.
func RunningPlot(rows []Row) (*table.Table, columns.Plot) {
	parts := map[string]string{"mean_log_w_forward": "log weights", "mean_log_w_reverse": "log weights",
		"bar": "log weights", "B": "the bound B"}
	drawn := slices.DeleteFunc(
		estimates(rows, nil),
		func(r estimateRow) bool { return r.q == nil || parts[r.q.Name] == "" },
	)
	p := columns.Plot{
		Parts: []columns.Part{{
			X:      "chains",
			XLabel: "number of chains",
			XScale: columns.Decades,
			Y:      []string{"estimate"},
			YLabel: "estimate (nats)",
			Errors: "estimate_se",
			Thin:   []string{"exact"},
		}},
		By:     []string{"quantity"},
		Panels: []string{"part"},
		Joined: true,
		Free:   true,
		Why:    errors.New("nothing to draw: this needs estimates at two numbers of chains"),
	}
	if len(rows) > 0 {
		p.Name = reports.FileName(fmt.Sprintf("running_%s_T%d", rows[0].Param("toy"), rows[0].Distributions()))
	}
	return table.New(append(estimateFields(),
		curves.Column("part", func(r *estimateRow) any { return parts[r.q.Name] })), drawn), p
}
