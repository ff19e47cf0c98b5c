package temper

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"breadboard/experiments/curves"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/columns"
	"breadboard/reports/table"
)

// report returns the report of round trips, with a figure for each ladder and scheme. It has
// the density of rejections along the path with the rungs of the ladder on it, whose area between
// two rungs is about their rejection rate, and the round-trip rate against the number of moves
// between swaps, with the formula for perfect exploration above it.
func report(rows []Row) *reports.Report {
	r := reports.New("temper", table.New(Columns(), rows))
	var cells [][]any
	for i := range rows {
		r.CaseNotes(&rows[i].Case, rows[i].Notes())
		row := &rows[i]
		if i > 0 && &rows[i-1].Rejections[0] == &row.Rejections[0] {
			continue
		}
		add := func(more ...any) {
			cells = append(cells, curves.OfCase(&row.Case, append([]any{fmt.Sprint(row.Scheme)}, more...)...))
		}
		for _, at := range row.Local {
			add(at.X, at.Y, nil)
		}
		for _, beta := range row.Betas {
			if row.Local != nil {
				add(beta, nil, onCurve(row.Local, beta))
			}
		}
	}
	r.Plots(curves.CaseCells(cells, "scheme", "beta", "rejections per unit of beta", "rungs"),
		columns.Plot{
			Name:  "temper",
			Title: "Rejections",
			Each: columns.Split{
				Always:  []string{"toy", "T", "kernel", "scheme"},
				Varying: []string{"path", "initial", "schedule"},
			},
			Parts: []columns.Part{{
				X:      "beta",
				Y:      []string{"rejections per unit of beta", "rungs"},
				YLabel: "rejections per unit of beta",
			}},
			Dots:  []string{"rungs"},
			Lines: true,
		})
	return r
}

// onCurve returns a curve, whose places are at equal distances from 0 to 1, at that nearest to a
// beta.
func onCurve(curve []Point, beta float64) float64 {
	return curve[int(math.Round(beta*float64(len(curve)-1)))].Y
}

// ladderReport returns the report of the best ladders, with a figure for each target: the
// ladders as marks on the density of rejections along the path, and if there is one inner beta the
// rate and the variance against it, with the ladders marked.
func ladderReport(rows []LadderRow) *reports.Report {
	r := reports.New("temper_ladder", table.New(ladderColumns(), rows))
	var cells [][]any
	for _, run := range subject.ByCase(rows, (*LadderRow).TheCase) {
		var notes []string
		for i := range run {
			for _, note := range run[i].Notes() {
				if !slices.Contains(notes, note) {
					notes = append(notes, note)
				}
			}
		}
		r.CaseNotes(&run[0].Case, notes)
		add := func(of string, more ...any) {
			cells = append(cells, curves.OfCase(
				&run[0].Case,
				append([]any{fmt.Sprint(run[0].Scheme), run[0].Function, of}, more...)...,
			))
		}
		for _, at := range run[0].Local {
			add("all", at.X, at.Y, nil, nil, nil, nil, nil, nil)
		}
		for i := range run[0].Curve {
			if m := &run[0].Curve[i]; shownBetween(run, m.Inner) {
				add("all", nil, nil, nil, m.Inner, m.Rate.Float(), nil, m.Variance.Float(), nil)
			}
		}
		for i := range run {
			if run[0].Local == nil {
				break
			}
			for _, beta := range run[i].InnerBetas() {
				add(run[i].Criterion, beta, nil, onCurve(run[0].Local, beta), nil, nil, nil, nil, nil)
			}
			if run[0].Curve != nil {
				add(run[i].Criterion, nil, nil, nil, run[i].Inner, nil, run[i].Rate.Float(), nil,
					run[i].Variance.Float())
			}
		}
	}
	r.Plots(curves.CaseCells(cells, "scheme", "function", "ladder", "beta", "rejections per unit of beta",
		"ladders", "inner beta", "round trips a scan",
		"rate of ladders", "variance", "variance of ladders"), columns.Plot{
		Name:  "temper_ladder",
		Title: "Four ladders",
		Each: columns.Split{
			Always:  []string{"toy", "T", "kernel", "scheme", "function"},
			Varying: []string{"path", "initial", "schedule"},
		},
		By: []string{"ladder"},
		Parts: []columns.Part{{
			X:      "beta",
			Y:      []string{"rejections per unit of beta", "ladders"},
			YLabel: "rejections per unit of beta",
		}, {
			X:      "inner beta",
			Y:      []string{"round trips a scan", "rate of ladders"},
			YLabel: "round trips a scan",
		}, {
			X:      "inner beta",
			Y:      []string{"variance", "variance of ladders"},
			YLabel: "variance of the function",
		}},
		Lines: true,
		Dots:  []string{"ladders", "rate of ladders", "variance of ladders"},
		Kinds: []string{"", ""},
	})
	return r
}

// shownBetween reports whether an inner beta is near those of the ladders. Far from them variances
// are so large that nothing else could be read.
func shownBetween(rows []LadderRow, beta float64) bool {
	low, high := 1.0, 0.0
	for i := range rows {
		for _, inner := range rows[i].InnerBetas() {
			low, high = min(low, inner), max(high, inner)
		}
	}
	return beta >= low/2 && beta <= (1+high)/2
}

// stonesReport returns the report of estimates of log Z, with a figure for each ladder and
// scheme, and a note if the truth is not between the forward and the reverse estimate. The figure
// has the mean logarithms of both estimates against the number of recorded scans, around the truth.
// For ladders that are too large these are the means for independent draws, which do not depend on
// a start.
func stonesReport(rows []StoneRow) *reports.Report {
	r := reports.New("temper_z", table.New(stoneColumns(), rows))
	about := func(r *StoneRow) string { return fmt.Sprintf("%s, %s", &r.Case, r.Scheme) }
	var cells [][]any
	for _, run := range reports.Grouped(rows, about) {
		large := slices.ContainsFunc(run, func(r StoneRow) bool { return r.TooLarge != "" })
		for i := range run {
			row := &run[i]
			start := run[i].Start
			of := &run[i].Estimated
			if large {
				start = "perfect exploration"
				of = &row.Ideal
			}
			if !large || row.Start == run[0].Start {
				cells = append(cells, curves.OfCase(
					&row.Case,
					fmt.Sprint(row.Scheme),
					start,
					row.Scans,
					of.LogForward,
					of.LogReverse,
				))
			}
		}
	}
	r.Plots(curves.CaseCells(cells, "scheme", "start", "R", "forward", "reverse"), columns.Plot{
		Name:  "temper_z",
		Title: "Forward and reverse estimates of log Z",
		Each:  columns.Split{Always: []string{"toy", "T", "kernel", "scheme"}, Varying: []string{"path", "initial", "schedule"}},
		By:    []string{"start"},
		Parts: []columns.Part{{
			X:      "R",
			XLabel: "recorded scans R",
			XScale: columns.Decades,
			Y:      []string{"forward", "reverse"},
			YLabel: "log estimate - log Z (nats)",
		}},
		Across:   []float64{0},
		AcrossIs: "the truth",
	})
	for _, run := range reports.Grouped(
		rows,
		func(r *StoneRow) string { return about(r) + ", start " + r.Start },
	) {
		var turned []string
		for i := range run {
			if run[i].TooLarge == "" && !run[i].Sandwiched() {
				turned = append(turned, strconv.Itoa(run[i].Scans))
			}
		}
		if at := slices.IndexFunc(run, func(r StoneRow) bool { return r.TooLarge != "" }); at >= 0 {
			r.Note("%s, start %s: %s; from a stationary start one scan is known from the rungs alone",
				about(&run[0]), run[0].Start, run[at].TooLarge)
		}
		if turned != nil {
			r.Note("%s, start %s: at R = %s the truth is not between the forward and the reverse "+
				"estimate; only scans from stationarity bound it",
				about(&run[0]), run[0].Start, strings.Join(turned, ", "))
		}
	}
	return r
}

// leastCompared is the least distance that the figure of the comparison shows.
const leastCompared = 1e-8

// compareReport returns the report of the comparison of tempering with annealing, with a
// figure for each ladder and scheme: total variation and J of the cold chain, of annealing and of a
// plain chain against moves, with marks where tempering overtakes for good.
func compareReport(rows []CompareRow) *reports.Report {
	r := reports.New("temper_compare", table.New(compareColumns(), rows))
	samplers := []string{"tempering", "annealing", "annealing, one move a scan", "plain chain"}
	of := []func(c *Compared, sampler int) float64{
		func(c *Compared, i int) float64 {
			return []float64{c.Cold.TV.Float(), c.AIS.TV.Float(), c.Single.TV.Float(), c.Plain.TV.Float()}[i]
		},
		func(c *Compared, i int) float64 {
			return []float64{c.Cold.J, c.AIS.J.Float(), c.Single.J.Float(), c.Plain.J}[i]
		},
	}
	var cells, marked [][]any
	for i := range rows {
		row := &rows[i]
		for sampler, name := range samplers {
			for k := range row.Curve {
				c := &row.Curve[k]
				at := curves.OfCase(&row.Case, fmt.Sprint(row.Scheme), name, c.Moves)
				marks := curves.OfCase(&row.Case, fmt.Sprint(row.Scheme), "tempering overtakes", c.Moves)
				for _, number := range of {
					v := columns.AtLeast(leastCompared, number(c, sampler))
					mark := any(nil)
					scans, crosses := crossing(
						row.Curve,
						func(c *Compared) float64 { return number(c, sampler) },
						func(c *Compared) float64 { return number(c, 0) },
					)
					if sampler > 0 && crosses && c.Scans == scans && k > 0 {
						mark = v
					}
					at, marks = append(at, v, nil), append(marks, nil, mark)
				}
				cells, marked = append(cells, at), append(marked, marks)
			}
		}
	}
	cells = append(cells, marked...)
	r.Plots(curves.CaseCells(cells, "scheme", "sampler", "moves", "TV", "TV, overtaken", "J", "J, overtaken"),
		columns.Plot{
			Name:  "temper_compare",
			Title: "Tempering, annealing and a plain chain",
			Each:  columns.Split{Always: []string{"toy", "T", "kernel", "scheme"}, Varying: []string{"path", "initial", "schedule"}},
			By:    []string{"sampler"},
			Parts: []columns.Part{{
				X:      "moves",
				XScale: columns.Decades,
				Y:      []string{"TV", "TV, overtaken"},
				YLabel: "TV",
				YScale: columns.Decades,
			}, {
				Y:      []string{"J", "J, overtaken"},
				YLabel: "J (nats)",
				YScale: columns.Decades,
			}},
			Lines: true,
			Dots:  []string{"TV, overtaken", "J, overtaken"},
			Kinds: []string{"", ""},
		})
	return r
}
