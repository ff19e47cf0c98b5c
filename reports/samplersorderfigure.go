package reports

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"breadboard/chains"
	"breadboard/experiments/samplers/order"
	"breadboard/reports/figure"
)

// orderCurves is the largest number of comparisons that a panel shows: those with the largest ratios.
const orderCurves = 6

// SamplersOrderFigure draws the ratio of two mean squared errors against the number of samples: in one panel the kernels of Peskun's order,
// and in another one thinning. It shows the comparisons with the largest ratios, each with the line one, above which an order fails. It
// fails where no comparison has two numbers of samples.
func SamplersOrderFigure(rows []order.Row) (*figure.Figure, error) {
	var panels []*plot.Plot
	for _, panel := range []struct {
		check order.Check
		label string
		name  func(*order.Row) string
	}{
		{order.Peskun, "error of the kernel that moves more / of the other", func(r *order.Row) string {
			return fmt.Sprintf("%s, %s: %s / %s", r.Comparison.First.Toy.Name, r.Function.Name, r.Comparison.First.Kernel, r.Comparison.Second.Kernel)
		}},
		{order.Thinning, "error of all samples / of those that are kept", func(r *order.Row) string {
			return fmt.Sprintf("%s, %s: %s, one of %d", r.Comparison.First.Toy.Name, r.Function.Name, r.Comparison.First.Kernel, r.Thin)
		}},
	} {
		groups := worstComparisons(rows, panel.check)
		if len(groups) == 0 {
			continue
		}
		p := plot.New()
		p.X.Label.Text, p.Y.Label.Text = "number of samples N", panel.label
		if panel.check == order.Thinning {
			p.X.Label.Text = "number of samples that are kept, N"
		}
		p.X.Tick.Marker = figure.Decades{}
		p.Add(figure.GridLines())
		if err := addOrders(p, groups, panel.name); err != nil {
			return nil, err
		}
		panels = append(panels, p)
	}
	if len(panels) == 0 {
		return nil, chains.NewAdvice("nothing to draw: give at least two numbers of samples, as in {N} 1,10,100")
	}
	return sideBySide("samplers_order", panels), nil
}

// worstComparisons returns the comparisons of a check that have two numbers of samples, those with the largest ratios first, and no more
// than a panel shows.
func worstComparisons(rows []order.Row, check order.Check) (groups [][]order.Row) {
	for _, group := range comparisonsOf(rows) {
		if group[0].Check == check && len(group) > 2 && !math.IsNaN(worstOrder(group).Ratio) {
			groups = append(groups, group)
		}
	}
	slices.SortStableFunc(groups, func(a, b [][]order.Row) int { return 0 })
	return groups[:min(len(groups), orderCurves)]
}

// addOrders adds the curves of comparisons, and the line one, to a panel.
func addOrders(p *plot.Plot, groups [][]order.Row, name func(*order.Row) string) error {
	low, high := math.Inf(1), 0.0
	for i, group := range groups {
		var points plotter.XYs
		for j := range group {
			if r := &group[j]; !r.Limit() {
				points = append(points, plotter.XY{X: math.Log10(float64(r.N)), Y: r.Ratio})
				low, high = min(low, points[len(points)-1].X), max(high, points[len(points)-1].X)
			}
		}
		line, err := figure.Curve(p, points, figure.Color(i), nil)
		if err != nil {
			return err
		}
		if line != nil {
			p.Legend.Add(name(&group[0]), line)
		}
	}
	one, err := figure.Curve(p, plotter.XYs{{X: low, Y: 1}, {X: high, Y: 1}}, figure.Color(len(groups)), figure.Dashes())
	if err != nil {
		return err
	}
	p.Legend.Add("the same error", one)
	figure.Style(p)
	room := 0.07 * float64(len(groups)+2) * (p.Y.Max - p.Y.Min)
	p.Legend.Top, p.Legend.Left = true, false
	p.Y.Max += room
	return nil
}
