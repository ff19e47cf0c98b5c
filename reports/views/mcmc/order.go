package mcmc

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/chains"
	"breadboard/experiments/samplers/rank"
	"breadboard/reports"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// SamplersOrderReport returns the report of orders of averages: for people a row for each comparison in the limit and one at the number of
// samples that is worst for it, for machines a row for every number. It has a Fault where a theorem is violated. Kernels that no theorem puts
// in an order are in its notes.
func SamplersOrderReport(all []rank.OrderRow) *reports.Report {
	var rows []rank.OrderRow
	var omitted []string
	for _, r := range all {
		if r.Verdict == rank.NoOrder {
			omitted = append(omitted, fmt.Sprintf("toy %s: %s and %s are not in Peskun's order: %s", r.Comparison.First.Toy.Name, r.Comparison.First.Kernel, r.Comparison.Second.Kernel, r.Note))
		} else {
			rows = append(rows, r)
		}
	}
	r := &reports.Report{Fault: rank.Fault(rows)}
	r.Add(reports.Table{Name: "samplers_order", Table: SamplersOrder(worstOrders(rows)), Machines: SamplersOrder(rows)})
	for _, check := range []rank.Check{rank.Peskun, rank.Thinning} {
		if slices.ContainsFunc(rows, func(r rank.OrderRow) bool { return r.Check == check }) {
			r.Add(reports.Figure{Title: "Ratios of mean squared errors, check " + string(check), Missing: "no figure of " + string(check), Draw: func() (*figure.Figure, error) { return SamplersOrderFigure(check, rows) }})
		}
	}
	for _, line := range append(orderSummary(rows), omitted...) {
		r.Note("%s", line)
	}
	return r
}

// SamplersOrder returns the table of comparisons.
func SamplersOrder(rows []rank.OrderRow) *table.Table { return table.New(rank.Order().Columns, rows) }

// ComparisonsOf splits rows into those of each comparison.
func ComparisonsOf(rows []rank.OrderRow) (groups [][]rank.OrderRow) {
	for begin := 0; begin < len(rows); {
		end := begin
		for end < len(rows) && rows[end].Comparison == rows[begin].Comparison {
			end++
		}
		groups, begin = append(groups, rows[begin:end]), end
	}
	return groups
}

// WorstOrder returns the row with a number of samples that has the largest ratio, the first of them, and nil where there is none. One
// sample has the same error under every kernel, and is passed over where there are other numbers.
func WorstOrder(rows []rank.OrderRow) (worst *rank.OrderRow) {
	for i := range rows {
		r := &rows[i]
		if !r.Limit() && (worst == nil || r.Ratio > worst.Ratio || worst.N == 1 && r.Check == rank.Peskun) {
			worst = r
		}
	}
	return worst
}

// worstOrders returns of each comparison the limit, the worst number of samples, and whatever violates a theorem.
func worstOrders(rows []rank.OrderRow) (out []rank.OrderRow) {
	for _, group := range ComparisonsOf(rows) {
		worst := WorstOrder(group)
		for i := range group {
			if r := &group[i]; r.Limit() || r == worst || r.Verdict == rank.Faulty {
				out = append(out, *r)
			}
		}
	}
	return out
}

// orderSummary says in a line for each check how many comparisons hold, and where Peskun's order fails.
func orderSummary(rows []rank.OrderRow) (lines []string) {
	for _, check := range []rank.Check{rank.Peskun, rank.Lazy, rank.Thinning} {
		comparisons, failing, faulty, unknown, least, most := 0, 0, 0, 0, int64(0), int64(0)
		for _, group := range ComparisonsOf(rows) {
			if group[0].Check != check {
				continue
			}
			comparisons++
			fails := false
			for i := range group {
				switch r := &group[i]; r.Verdict {
				case rank.Faulty:
					faulty++
				case rank.Unknown:
					unknown++
				case rank.Fails:
					fails = true
					if least == 0 || r.N < least {
						least = r.N
					}
					most = max(most, r.N)
				}
			}
			if fails {
				failing++
			}
		}
		switch {
		case comparisons == 0:
			continue
		case faulty > 0:
			lines = append(lines, fmt.Sprintf("%s: %s, %s against a theorem", check, reports.CountOf(comparisons, "comparison"), reports.CountOf(faulty, "row")))
		case failing > 0:
			hold, fail := "hold", "fail"
			if comparisons-unknown == 1 {
				hold = "holds"
			}
			if failing == 1 {
				fail = "fails"
			}
			lines = append(lines, fmt.Sprintf("%s: %s %s in the limit; %d of them %s at %s, which is no fault, as the theorem is one of limits%s",
				check, reports.CountOf(comparisons-unknown, "comparison"), hold, failing, fail, samplesFrom(least, most), withoutLimit(unknown)))
		default:
			lines = append(lines, fmt.Sprintf("%s: %s, no fault found%s", check, reports.CountOf(comparisons, "comparison"), withoutLimit(unknown)))
		}
	}
	return lines
}

// samplesFrom names the numbers of samples from the least to the most.
func samplesFrom(least, most int64) string {
	if least == most {
		return fmt.Sprintf("N = %d", least)
	}
	return fmt.Sprintf("numbers of samples from %d to %d", least, most)
}

// withoutLimit says how many comparisons have a reducible kernel, so that there is nothing to compare in the limit.
func withoutLimit(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("; %d without a limit, as a kernel is reducible", n)
}

// orderCurves is the largest number of comparisons that a figure shows.
const orderCurves = 6

// SamplersOrderFigure draws, for the checks Peskun and Thinning, the ratio of two mean squared errors against the number of samples, with
// the line one above which the order fails. It shows the comparisons with the largest ratios. It fails where no comparison of the check
// has two numbers of samples.
func SamplersOrderFigure(check rank.Check, rows []rank.OrderRow) (*figure.Figure, error) {
	groups := worstComparisons(rows, check)
	if len(groups) == 0 {
		return nil, chains.NewAdvice("nothing to draw: give at least two numbers of samples, as in {N} 1,10,100")
	}
	title, samples, name := "Peskun's order", "number of samples N", func(r *rank.OrderRow) string {
		return fmt.Sprintf("%s, %s: %s / %s", r.Comparison.First.Toy.Name, r.Function.Name, r.Comparison.First.Kernel, r.Comparison.Second.Kernel)
	}
	if check == rank.Thinning {
		title, samples, name = "All samples beside those that are kept", "number of samples that are kept, N", func(r *rank.OrderRow) string {
			return fmt.Sprintf("%s, %s: %s, one of %d", r.Comparison.First.Toy.Name, r.Function.Name, r.Comparison.First.Kernel, r.Thin)
		}
	}
	var legend figure.Legend
	for i, group := range groups {
		legend.Add(name(&group[0]), &plotter.Line{LineStyle: figure.SeriesStyle(i)})
	}
	legend.Add("the same error", &plotter.Line{LineStyle: sameError()})
	p, err := orderPanel(title, samples, groups, name)
	if err != nil {
		return nil, err
	}
	room := max(0.05*(p.Y.Max-p.Y.Min), 1e-9)
	p.Y.Min, p.Y.Max = p.Y.Min-room, p.Y.Max+room
	plots := []*figure.Panel{p}
	if last, excess := orderFailures(groups); excess > 0 {
		near, err := orderPanel("Where it fails", samples, groups, name)
		if err != nil {
			return nil, err
		}
		near.Y.Min, near.Y.Max = 1-1.5*excess, 1+1.2*excess
		near.X.Max = min(near.X.Max, math.Log10(float64(last))+0.5)
		plots = append(plots, near)
	}
	return figure.Sheet{
		Name: "samplers_order_" + string(check), Rows: [][]*figure.Panel{plots}, Width: 11 * vg.Centimeter, Height: 8 * vg.Centimeter, Least: 20, Legend: legend,
	}.Figure(), nil
}

// sameError is the style of the line one.
func sameError() draw.LineStyle {
	return draw.LineStyle{Color: color.Gray{0x40}, Width: vg.Points(1), Dashes: figure.Dashes()}
}

// orderPanel draws the ratios of comparisons against the number of samples, and the line one.
func orderPanel(title, samples string, groups [][]rank.OrderRow, name func(*rank.OrderRow) string) (*figure.Panel, error) {
	p := figure.NewPanel(title, samples, "ratio of mean squared errors")
	p.X.Tick.Marker = figure.Decades{}
	low, high := math.Inf(1), math.Inf(-1)
	for i, group := range groups {
		points := orderPoints(group)
		low, high = min(low, points[0].X), max(high, points[len(points)-1].X)
		if err := figure.AddLine(p, name(&group[0]), points, figure.SeriesStyle(i)); err != nil {
			return nil, err
		}
	}
	figure.Guide(p, plotter.XY{X: low, Y: 1}, plotter.XY{X: high, Y: 1}, sameError())
	return p, nil
}

// orderFailures returns the largest number of samples at which an order fails, and the largest excess of a ratio above one there.
func orderFailures(groups [][]rank.OrderRow) (last int64, excess float64) {
	for _, group := range groups {
		for i := range group {
			if r := &group[i]; !r.Limit() && (r.Verdict == rank.Fails || r.Verdict == rank.Faulty) {
				last, excess = max(last, r.N), max(excess, r.Ratio-1)
			}
		}
	}
	return last, excess
}

// worstComparisons returns the comparisons of a check that have two finite numbers of samples, those with the largest ratios first, and no
// more than a figure shows.
func worstComparisons(rows []rank.OrderRow, check rank.Check) (groups [][]rank.OrderRow) {
	for _, group := range ComparisonsOf(rows) {
		if group[0].Check == check && len(orderPoints(group)) >= 2 {
			groups = append(groups, group)
		}
	}
	slices.SortStableFunc(groups, func(a, b []rank.OrderRow) int { return cmp.Compare(WorstOrder(b).Ratio, WorstOrder(a).Ratio) })
	return groups[:min(len(groups), orderCurves)]
}

// orderPoints returns the ratios of a comparison by the logarithm of the number of samples.
func orderPoints(group []rank.OrderRow) (points plotter.XYs) {
	for i := range group {
		if r := &group[i]; !r.Limit() && !math.IsNaN(r.Ratio) && !math.IsInf(r.Ratio, 0) {
			points = append(points, plotter.XY{X: math.Log10(float64(r.N)), Y: r.Ratio})
		}
	}
	return points
}
