package evidence

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/plot/plotter"

	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/experiments/curves"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/columns"
	"breadboard/reports/table"
)

// maxEvidenceToys is the largest number of targets in a figure.
const maxEvidenceToys = 9

// evidencePanels returns the rows that figures draw, by target: those of single estimates, or of
// the smallest number of trials if there are none.
func evidencePanels(rows []Row) [][]Row {
	fewest := math.MaxInt
	for i := range rows {
		fewest = min(fewest, rows[i].Trials)
	}
	single := slices.DeleteFunc(slices.Clone(rows), func(r Row) bool { return r.Trials != fewest })
	panels := subject.ByCase(single, (*Row).TheCase)
	return panels[:min(len(panels), maxEvidenceToys)]
}

// plotErrors adds the figure of the root mean squared error of log Zhat and of the size of its bias
// against the work of an estimate, a panel for each estimator with lines for each target, and a
// grey line at 1 nat. A bias above log Z and one below it have marks of their own. Single estimates
// are drawn, or combined ones if there are no others. Unknown and infinite numbers, and those that
// are rounding, are omitted.
func plotErrors(r *reports.Report, rows []Row) {
	shown := func(name string, of func(r *Row) float64) columns.Field {
		return curves.Column(name, func(r *Row) any {
			if v := of(r); v > reports.Rounding {
				return v
			}
			return nil
		})
	}
	r.Plots(table.New(append(Study().Declaration.Columns,
		shown("shown_rmse", func(r *Row) float64 { return r.RMSE }),
		shown("too high by", func(r *Row) float64 { return r.Bias }),
		shown("too low by", func(r *Row) float64 { return -r.Bias })),
		slices.Concat(evidencePanels(rows)...)), columns.Plot{
		Name:  "evidence_errors",
		Title: "Bias and error of estimates of log Z by work",
		Parts: []columns.Part{{
			X:      "work",
			XLabel: "work (evaluations)",
			XScale: columns.Decades,
			Y:      []string{"shown_rmse", "too high by", "too low by"},
			YLabel: "error of log Zhat (nats)",
			YScale: columns.Decades,
		}},
		By:       []string{"toy"},
		Panels:   []string{"estimator"},
		Kinds:    []string{"RMSE", "mean is too high by", "mean is too low by"},
		Across:   []float64{1},
		AcrossIs: "1 nat",
		Why:      errs.New("nothing to draw: no bias is known and finite"),
	})
}

// plotLaws adds the figure of the probability that an estimate is above log Z by more than b nats,
// a panel for each estimator at its largest work with a line for each target. The line across is
// exp(-b), which no unbiased estimate of Z exceeds (Markov's inequality).
func plotLaws(r *reports.Report, rows []Row) {
	var cells [][]any
	for _, run := range evidencePanels(rows) {
		for _, series := range reports.Grouped(run, func(r *Row) string { return r.Estimator }) {
			most := slices.MaxFunc(series, func(a, b Row) int { return cmp.Compare(a.Work, b.Work) })
			for _, t := range tailPoints(&most) {
				cells = append(cells, []any{most.Param("toy"), most.Estimator, t.X, t.Y, nil})
			}
			for _, b := range []float64{0, -number.Log(leastTail)} {
				cells = append(cells, []any{most.Param("toy"), most.Estimator, b, nil, math.Exp(-b)})
			}
		}
	}
	r.Plots(curves.Cells(cells, "toy", "estimator", "b", "p", "exp(-b)"), columns.Plot{
		Name:  "evidence_laws",
		Title: "How often estimates exceed log Z",
		Parts: []columns.Part{{
			X:      "b",
			XLabel: "distance b above log Z (nats)",
			Y:      []string{"p"},
			YLabel: "P(log Zhat > log Z + b)",
			YScale: columns.Decades,
			Level:  []string{"exp(-b)"},
		}},
		By:     []string{"toy"},
		Panels: []string{"estimator"},
		Beyond: []string{"exp(-b)"},
		Joined: true,
		Lines:  true,
		Why:    errs.New("nothing to draw: no distribution of an estimate is known"),
	})
}

// tailPoints returns the points of a distribution that a figure shows: those known within a factor
// of two. If the first point that is too small follows, the line ends at the bottom.
func tailPoints(r *Row) (points plotter.XYs) {
	for _, t := range r.Tail {
		p := t.Low + (t.High-t.Low)/2
		switch {
		case p < leastTail:
			return append(points, plotter.XY{X: t.Nats, Y: leastTail})
		case t.High <= 2*t.Low:
			points = append(points, plotter.XY{X: t.Nats, Y: p})
		}
	}
	return points
}
