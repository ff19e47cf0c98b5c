package reports

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/chains"
	"breadboard/experiments/samplers/order"
	"breadboard/reports/figure"
)

// orderCurves is the largest number of comparisons that a figure shows.
const orderCurves = 6

// SamplersOrderFigure draws, for the checks Peskun and Thinning, the ratio of two mean squared errors against the number of samples, with
// the line one above which the order fails. It shows the comparisons with the largest ratios. It fails where no comparison of the check
// has two numbers of samples.
func SamplersOrderFigure(check order.Check, rows []order.Row) (*figure.Figure, error) {
	groups := worstComparisons(rows, check)
	if len(groups) == 0 {
		return nil, chains.NewAdvice("nothing to draw: give at least two numbers of samples, as in {N} 1,10,100")
	}
	title, samples, name := "Peskun's order", "number of samples N", func(r *order.Row) string {
		return fmt.Sprintf("%s, %s: %s / %s", r.Comparison.First.Toy.Name, r.Function.Name, r.Comparison.First.Kernel, r.Comparison.Second.Kernel)
	}
	if check == order.Thinning {
		title, samples, name = "All samples beside those that are kept", "number of samples that are kept, N", func(r *order.Row) string {
			return fmt.Sprintf("%s, %s: %s, one of %d", r.Comparison.First.Toy.Name, r.Function.Name, r.Comparison.First.Kernel, r.Thin)
		}
	}
	legend := figure.SideLegend()
	for i, group := range groups {
		legend.Add(name(&group[0]), &plotter.Line{LineStyle: figure.SeriesStyle(i)})
	}
	legend.Add("the same error", &plotter.Line{LineStyle: sameError()})
	p, err := orderPanel(title, samples, groups)
	if err != nil {
		return nil, err
	}
	room := max(0.05*(p.Y.Max-p.Y.Min), 1e-9)
	p.Y.Min, p.Y.Max = p.Y.Min-room, p.Y.Max+room
	plots := []*plot.Plot{p}
	if last, excess := orderFailures(groups); excess > 0 {
		near, err := orderPanel("Where it fails", samples, groups)
		if err != nil {
			return nil, err
		}
		near.Y.Min, near.Y.Max = 1-1.5*excess, 1+1.2*excess
		near.Y.Tick.Marker = aroundOne{excess}
		near.X.Max = min(near.X.Max, math.Log10(float64(last))+0.5)
		plots = append(plots, near)
	}
	return overLegend("samplers_order_"+string(check), plots, legend, len(groups)+1), nil
}

// sameError is the style of the line one.
func sameError() draw.LineStyle {
	return draw.LineStyle{Color: color.Gray{0x40}, Width: vg.Points(1), Dashes: figure.Dashes()}
}

// orderPanel draws the ratios of comparisons against the number of samples, and the line one.
func orderPanel(title, samples string, groups [][]order.Row) (*plot.Plot, error) {
	p := figure.Tile(title, samples, "ratio of mean squared errors")
	p.X.Tick.Marker, p.Y.Tick.Marker = figure.Decades{}, preciseTicks{}
	low, high := math.Inf(1), math.Inf(-1)
	for i, group := range groups {
		points := orderPoints(group)
		low, high = min(low, points[0].X), max(high, points[len(points)-1].X)
		if err := figure.AddLine(p, points, figure.SeriesStyle(i)); err != nil {
			return nil, err
		}
	}
	return p, figure.AddLine(p, plotter.XYs{{X: low, Y: 1}, {X: high, Y: 1}}, sameError())
}

// orderFailures returns the largest number of samples at which an order fails, and the largest excess of a ratio above one there.
func orderFailures(groups [][]order.Row) (last int64, excess float64) {
	for _, group := range groups {
		for i := range group {
			if r := &group[i]; !r.Limit() && (r.Verdict == order.Fails || r.Verdict == order.Faulty) {
				last, excess = max(last, r.N), max(excess, r.Ratio-1)
			}
		}
	}
	return last, excess
}

// overLegend returns the figure of plots side by side with a legend of so many lines below them, which may be long.
func overLegend(name string, plots []*plot.Plot, legend plot.Legend, lines int) *figure.Figure {
	const height, margin = 8 * vg.Centimeter, 0.25 * vg.Centimeter
	width := 13 * vg.Centimeter
	if len(plots) > 1 {
		width = vg.Length(len(plots)) * 10 * vg.Centimeter
	}
	below := vg.Length(lines)*0.42*vg.Centimeter + 3*margin
	legend.YOffs = 0
	return figure.New(name, width, height+below, func(c draw.Canvas) {
		c.FillPolygon(color.White, figure.Corners(c.Rectangle))
		each := width / vg.Length(len(plots))
		for i, p := range plots {
			left := vg.Length(i) * each
			p.Draw(draw.Crop(c, left+margin, left+each-width-2*margin, below, -margin))
		}
		legend.Draw(draw.Crop(c, 2*margin, -margin, margin, -height-margin))
	})
}

// aroundOne are the ticks of an axis on which one is the middle, at whole multiples of the number of one digit below the excess.
type aroundOne struct{ excess float64 }

// Ticks implements plot.Ticker.
func (t aroundOne) Ticks(low, high float64) (ticks []plot.Tick) {
	step := math.Pow(10, math.Floor(math.Log10(t.excess)))
	if t.excess > 4*step {
		step *= 2
	}
	for k := math.Ceil((low - 1) / step); 1+k*step <= high; k++ {
		ticks = append(ticks, plot.Tick{Value: 1 + k*step, Label: strconv.FormatFloat(1+k*step, 'g', 10, 64)})
	}
	return ticks
}

// preciseTicks are the ticks of a linear axis, whose labels have all digits of numbers that are near one.
type preciseTicks struct{}

// Ticks implements plot.Ticker.
func (preciseTicks) Ticks(low, high float64) []plot.Tick {
	ticks := plot.DefaultTicks{}.Ticks(low, high)
	for i, t := range ticks {
		if !t.IsMinor() {
			ticks[i].Label = strconv.FormatFloat(t.Value, 'g', 10, 64)
		}
	}
	return ticks
}

// worstComparisons returns the comparisons of a check that have two finite numbers of samples, those with the largest ratios first, and no
// more than a figure shows.
func worstComparisons(rows []order.Row, check order.Check) (groups [][]order.Row) {
	for _, group := range comparisonsOf(rows) {
		if group[0].Check == check && len(orderPoints(group)) >= 2 {
			groups = append(groups, group)
		}
	}
	slices.SortStableFunc(groups, func(a, b []order.Row) int { return cmp.Compare(worstOrder(b).Ratio, worstOrder(a).Ratio) })
	return groups[:min(len(groups), orderCurves)]
}

// orderPoints returns the ratios of a comparison by the logarithm of the number of samples.
func orderPoints(group []order.Row) (points plotter.XYs) {
	for i := range group {
		if r := &group[i]; !r.Limit() && !math.IsNaN(r.Ratio) && !math.IsInf(r.Ratio, 0) {
			points = append(points, plotter.XY{X: math.Log10(float64(r.N)), Y: r.Ratio})
		}
	}
	return points
}
