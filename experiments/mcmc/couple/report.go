package couple

import (
	"cmp"
	"fmt"
	"slices"

	"breadboard/experiments/curves"
	"breadboard/reports"
	"breadboard/reports/columns"
	"breadboard/reports/table"
)

// report returns the report of coupled chains, with a figure of the bounds for each target,
// kernel and start. For each lag it has the distance of the distribution after t moves from the
// target, the sum D of distances that bounds it with the best coupling of that lag, and the bounds
// d of the couplings above them. The triangle inequality loses the difference of the first two, and
// a coupling that of its bound and D. If both are known they are shaded, the second for the first
// coupling. Another figure has the ratio of bound to distance.
func report(rows []Row) *reports.Report {
	all := reports.Table{Name: "couple", Table: table.New(Columns(), rows)}
	if best := tightest(rows); len(best) < len(rows) {
		all.Brief = table.New(Columns(), best)
	}
	r := &reports.Report{Parts: []reports.Part{all}}
	var lines []string
	var cells [][]any
	first := map[string]bool{} // of the couplings of a target, kernel, start and lag
	for i := range rows {
		row := &rows[i]
		about := fmt.Sprint(row.Name(), row.Start.Name, row.Lag)
		for _, c := range row.Curve {
			at := []any{row.Toy.Name, row.Kernel, row.Start.Name, row.Lag, row.Coupling, c.T + 1,
				columns.AtLeast(leastShown, c.Bound), nil, nil, nil}
			if !first[about] {
				at[7], at[8] = columns.AtLeast(leastShown, c.TV), columns.AtLeast(leastShown, c.LagTV)
			}
			if c.TV >= leastShown {
				at[9] = columns.AtLeast(leastLoose, c.Bound/c.TV)
			}
			cells = append(cells, at)
		}
		first[about] = first[about] || row.Curve != nil
	}
	if cells != nil {
		t := curves.Cells(cells, "toy", "kernel", "start", "lag L", "coupling", "moves", "d", "TV",
			"D", "d/TV")
		bounds := columns.Plot{
			Name:   "couple",
			Title:  "Distance and its bound",
			Each:   columns.Split{Always: []string{"toy", "kernel", "start"}},
			Panels: []string{"lag L"},
			By:     []string{"coupling"},
			Parts: []columns.Part{{
				X:      "moves",
				XLabel: "number of moves t + 1",
				XScale: columns.Decades,
				Y:      []string{"d"},
				YLabel: "TV, D and d",
				YScale: columns.Decades,
				Level:  []string{"D", "TV"},
			}},
			Joined:   true,
			Lines:    true,
			Free:     true,
			Across:   []float64{rows[0].Within},
			AcrossIs: "limit of the mixing time",
		}
		loose := bounds
		loose.Name = "couple_looseness"
		loose.Title = "How many times the distance its bound is"
		loose.Parts = []columns.Part{{
			X:      "moves",
			XLabel: "number of moves t + 1",
			XScale: columns.Decades,
			Y:      []string{"d/TV"},
			YLabel: "d/TV",
			YScale: columns.Decades,
		}}
		loose.Across = []float64{1}
		loose.AcrossIs = "TV"
		r.Plots(t, bounds, loose)
	}
	for _, run := range reports.Grouped(
		rows,
		func(r *Row) string { return r.Name() + ", start " + r.Start.Name },
	) {
		for i := range run {
			for _, note := range run[i].Notes() {
				lines = append(lines, fmt.Sprintf("%s, start %s, coupling %s: %s",
					run[i].Name(), run[i].Start.Name, run[i].Coupling, note))
			}
		}
	}
	r.NotesOnce(lines)
	return r
}

// tightest returns the rows of each target that people see first: those of the five couplings of a
// kernel with the smallest bounds on the mixing time.
func tightest(rows []Row) (best []Row) {
	for _, target := range reports.Grouped(rows, func(r *Row) string { return r.Toy.Name }) {
		cases := reports.Grouped(target, func(r *Row) string {
			return fmt.Sprint(r.Kernel, " ", r.Start.Name, " ", r.Coupling, " ", r.Lag)
		})
		slices.SortStableFunc(cases, func(a, b []Row) int { // in this order a NaN comes last
			return cmp.Compare(-b[0].Bound.Moves, -a[0].Bound.Moves)
		})
		best = append(best, slices.Concat(cases[:min(5, len(cases))]...)...)
	}
	return best
}

// leastShown is the least distance that figures of couplings show.
const leastShown = 1e-4

// unbiasedReport returns the report of the unbiased estimator, with a figure of its loss
// against k for each target, kernel, start, function, coupling and m: a line for each lag, with the
// k that is often advised and the best one.
func unbiasedReport(rows []UnbiasedRow) *reports.Report {
	r := reports.New("couple_unbiased", table.New(unbiasedColumns(), rows))
	var lines []string
	var cells [][]any
	for i := range rows {
		row := &rows[i]
		if row.Note != "" {
			lines = append(lines, fmt.Sprintf("%s, start %s, coupling %s: %s",
				row.Name(), row.Start.Name, row.Coupling, row.Note))
		}
		add := func(k int, more ...any) {
			cells = append(cells, append([]any{row.Toy.Name, row.Kernel, row.Start.Name, row.Function.Name,
				row.Coupling, row.M, row.Lag, k}, more...))
		}
		for _, u := range row.Every {
			add(u.K, u.Loss.Float(), nil, nil)
		}
		switch row.Rule {
		case quantileK:
			add(row.K, nil, row.Loss.Float(), nil)
		case bestK:
			add(row.K, nil, nil, row.Loss.Float())
		}
	}
	r.NotesOnce(lines)
	r.Plots(curves.Cells(cells, "toy", "kernel", "start", "function", "coupling", "m", "lag L", "k", "loss",
		"k at the 99% quantile, as is often advised", "the best k"), columns.Plot{
		Name:  "couple_loss",
		Title: "Cost of the unbiased estimator",
		Each:  columns.Split{Always: []string{"toy", "kernel", "start", "function", "coupling", "m"}},
		By:    []string{"lag L"},
		Parts: []columns.Part{{
			X:      "k",
			XLabel: "first move k that is averaged",
			Y:      []string{"loss", "k at the 99% quantile, as is often advised", "the best k"},
			YLabel: "cost times variance (one long chain: 1)",
			YScale: columns.Decades,
		}},
		Dots:     []string{"k at the 99% quantile, as is often advised", "the best k"},
		Lines:    true,
		Kinds:    []string{"", "k at the 99% quantile, as is often advised", "the best k"},
		Across:   []float64{1},
		AcrossIs: "one long chain",
	})
	return r
}

// bestReport returns the report of couplings beside the best one.
func bestReport(rows []BestRow) *reports.Report {
	r := reports.New("couple_best", table.New(bestColumns(), rows))
	var lines []string
	for i := range rows {
		if rows[i].Note != "" {
			lines = append(lines, fmt.Sprintf("%s, coupling %s: %s", rows[i].Name(), rows[i].Coupling, rows[i].Note))
		}
	}
	r.NotesOnce(lines)
	r.Plots(r.Tables()[0].Table, columns.Plot{
		Name:  "couple_best",
		Title: "Mean meeting times of couplings",
		Parts: []columns.Part{{
			X:      "over_best",
			XLabel: "mean meeting time over that of the best coupling",
			Y:      []string{"coupling"},
		}},
		Panels:   []string{"toy", "kernel", "start"},
		Free:     true,
		Across:   []float64{1},
		AcrossIs: "the best coupling",
	})
	return r
}

// leastLoose is the least ratio of a bound to the distance that a figure shows.
const leastLoose = 1e-3
