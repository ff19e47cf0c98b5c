package reports

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
	"breadboard/reports/figure"
)

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
	for _, group := range comparisonsOf(rows) {
		if group[0].Check == check && len(orderPoints(group)) >= 2 {
			groups = append(groups, group)
		}
	}
	slices.SortStableFunc(groups, func(a, b []rank.OrderRow) int { return cmp.Compare(worstOrder(b).Ratio, worstOrder(a).Ratio) })
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
