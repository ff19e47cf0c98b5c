package checks

import (
	"errors"
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/experiments/conform"
	"breadboard/reports/figure"
)

const (
	// namedTests is the number of tests that the figure of the e-values names.
	namedTests = 8
	// evidenceTop is how many times the threshold the axis of the e-values reaches: a fault is certain at one.
	evidenceTop = 3
	// beforeDraws is how far, in decades, no draws stand before the first look.
	beforeDraws = 0.6
)

// drawsAxis makes the ticks of an axis of log10 of the number of draws, with one more tick for none.
type drawsAxis struct{ zero float64 }

// Ticks implements plot.Ticker.
func (a drawsAxis) Ticks(low, high float64) []plot.Tick {
	ticks := []plot.Tick{{Value: a.zero, Label: "0"}}
	for _, t := range (figure.Decades{}).Ticks(low, high) {
		if t.Value > a.zero+beforeDraws/2 {
			ticks = append(ticks, t)
		}
	}
	return ticks
}

// Value returns the number of draws at a place of the axis.
func (a drawsAxis) Value(at float64) float64 {
	if at == a.zero {
		return 0
	}
	return figure.Decades{}.Value(at)
}

// EvidenceFigure draws the e-value of every test against the number of draws, on logarithmic axes. Those that end highest are
// named. Each begins at one, before the first draw. It fails where no test was looked at.
func EvidenceFigure(o *conform.Outcome) (*figure.Figure, error) {
	var tests []conform.Result // faults first, the largest e-value first
	least, most, begin := math.Inf(1), math.Inf(-1), math.Inf(1)
	for _, r := range o.Results {
		if len(r.Looks) > 0 && r.Draws > 0 {
			tests = append(tests, r)
			least, most = min(least, r.Log10Threshold()), max(most, r.Log10Threshold())
			begin = min(begin, math.Log10(float64(max(1, r.Looks[0].Draws)))-beforeDraws)
		}
	}
	if len(tests) == 0 {
		return nil, errors.New("no test was looked at")
	}
	slices.SortStableFunc(tests, orderOfEvidence)
	p := figure.NewPanel("", "draws", "log_{10} of the e-value")
	top, bottom := evidenceRange(tests, most), -1.0
	for i := len(tests) - 1; i >= 0; i-- { // the largest above the others
		points := evidencePoints(tests[i], begin, top)
		for _, at := range points {
			bottom = min(bottom, at.Y)
		}
		p.Add(&plotter.Line{XYs: points, LineStyle: evidenceStyle(tests, i)})
		p.Record(tests[i].Test, points)
	}
	addNames(p, tests)
	addThresholds(p, least, most)
	p.X.Tick.Marker = drawsAxis{begin}
	p.Y.Min = max(bottom-0.5, -top)
	p.Y.Max = top + 0.04*(top-p.Y.Min)
	p.RoomAround(0.01, 0) // so that the axis does not hide what rises with the first draw
	return figure.Alone("conform_evidence", 14*vg.Centimeter, 9*vg.Centimeter, p), nil
}

// evidenceRange returns the largest log10 e-value that is drawn, with some room above a threshold that none reaches.
func evidenceRange(tests []conform.Result, threshold float64) float64 {
	top := 1.15 * threshold
	for _, r := range tests {
		for _, look := range r.Looks {
			if y := look.LogE / math.Ln10; !(y <= top) { // also where it is NaN
				top = min(y, evidenceTop*threshold)
			}
		}
	}
	if math.IsNaN(top) {
		return evidenceTop * threshold
	}
	return top
}

// orderOfEvidence puts faults first, and among faults and among passes the largest e-value.
func orderOfEvidence(a, b conform.Result) int {
	switch {
	case a.Fault != b.Fault && a.Fault, a.Fault == b.Fault && a.LogE > b.LogE:
		return -1
	case a.Fault != b.Fault || a.LogE < b.LogE:
		return 1
	}
	return 0
}

// evidencePoints returns the curve of a test from no draws on. It ends where it leaves the axis at the top.
func evidencePoints(r conform.Result, begin, top float64) plotter.XYs {
	points := plotter.XYs{{X: begin}}
	for _, look := range r.Looks {
		last := points[len(points)-1]
		x, y := math.Log10(float64(max(1, look.Draws))), look.LogE/math.Ln10
		if y <= top {
			points = append(points, plotter.XY{X: x, Y: max(y, -top)})
			continue
		}
		if figure.Finite(y) { // where the line to it crosses the top
			x = last.X + (x-last.X)*(top-last.Y)/(y-last.Y)
		}
		return append(points, plotter.XY{X: x, Y: top})
	}
	return points
}

// evidenceStyle returns the style of the i-th test: those that are named have patterns of their own, and faults the colour
// of faults.
func evidenceStyle(tests []conform.Result, i int) draw.LineStyle {
	style := draw.LineStyle{Color: color.Gray{0xb8}, Width: vg.Points(0.6)}
	if tests[i].Fault {
		style.Color = faultColor()
	} else if i < namedTests {
		style.Color = []color.Color{figure.Color(0), figure.Color(2), figure.Color(5), figure.Color(6)}[i%4]
	}
	if i < namedTests {
		style.Width = vg.Points(1.3)
		patterns := [][]vg.Length{nil, figure.Dashes(), {vg.Points(1.5), vg.Points(2)}, {vg.Points(8), vg.Points(2), vg.Points(2), vg.Points(2)}}
		style.Dashes = patterns[i%len(patterns)]
		if !tests[i].Fault {
			style.Dashes = patterns[i/len(patterns)%len(patterns)]
		}
	}
	return style
}

// addNames names the first tests, with the e-values that they end at.
func addNames(p *figure.Panel, tests []conform.Result) {
	for i, r := range tests[:min(namedTests, len(tests))] {
		p.Legend.Add(fmt.Sprintf("%s: %.1f", r.Test, r.Log10E()), &plotter.Line{LineStyle: evidenceStyle(tests, i)})
	}
}

// addThresholds draws the e-values from which on a test finds a fault: the least, and the largest where they differ.
func addThresholds(p *figure.Panel, least, most float64) {
	style := draw.LineStyle{Color: color.Black, Width: vg.Points(1), Dashes: figure.Dashes()}
	levels := []float64{least, most}
	if least == most {
		levels = levels[:1]
	}
	for i, y := range levels {
		line := &plotter.Line{XYs: plotter.XYs{{X: p.X.Min, Y: y}, {X: p.X.Max, Y: y}}, LineStyle: style}
		p.Add(line)
		if i == 0 {
			p.Legend.Add("a fault from here on", line)
		}
	}
}
