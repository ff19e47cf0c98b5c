package checks

import (
	"cmp"
	"errors"
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/chains/number"
	"breadboard/chains/selector"
	"breadboard/experiments/checks/conform"
	"breadboard/reports"
	"breadboard/reports/figure"
	"breadboard/reports/table"
	"breadboard/reports/views/internal/curves"
)

func conformFigures(r *reports.Report, o *conform.Outcome) {
	r.Add(
		curves.Filed("conform_law", "Log weights that were sent, and their exact law", "no figure of the law of log w", o, ConformLawFigure),
		curves.Filed("conform_evidence", "Evidence of each test against the number of draws", "no figure of e-values", o, EvidenceFigure),
		curves.Filed("conform_odds", "Odds of the ways to get it wrong", "no figure of the odds", o, OddsFigure),
		curves.Filed("conform_pit", "Probability integral transforms of what was sent", "no figure of probability integral transforms", o, PITFigure),
	)
}

// The colours of what is right and of what is a fault.
func rightColor() color.Color { return figure.Color(0) }
func faultColor() color.Color { return figure.Color(1) }
func plainColor() color.Color { return color.Gray{0xa0} }

// ConformLawFigure draws the log weights that were sent as bars, with the exact law over them, a panel a direction. It fails
// where there are no log weights.
func ConformLawFigure(o *conform.Outcome) (*figure.Figure, error) {
	var panels []*figure.Panel
	for i := range o.Sides {
		if s := &o.Sides[i]; s.LogW != nil {
			p, err := lawPanel(s)
			if err != nil {
				return nil, err
			}
			panels = append(panels, p)
		}
	}
	if len(panels) == 0 {
		return nil, errors.New("there are no log weights")
	}
	return figure.Sheet{Name: "conform_law", Rows: [][]*figure.Panel{panels}, Width: 9 * vg.Centimeter, Height: 7 * vg.Centimeter, Least: 16}.Figure(), nil
}

func lawPanel(s *conform.Side) (*figure.Panel, error) {
	h := s.LogW
	sent := &figure.Bars{Fill: figure.Translucent(rightColor())}
	exact := &plotter.Line{LineStyle: draw.LineStyle{Color: color.Black, Width: vg.Points(0.9)}}
	total, top := float64(max(1, h.Total())), 0.0
	from, until := drawnCells(h)
	for k := from; k < until; k++ {
		low, high := h.Edges[k-1], h.Edges[k]
		density := float64(h.Counts[k]) / total / (high - low)
		sent.Bars = append(sent.Bars, figure.Bar{From: low, To: high, Height: density})
		want := h.P[k] / (high - low)
		exact.XYs = append(exact.XYs, plotter.XY{X: low, Y: want}, plotter.XY{X: high, Y: want})
		top = max(top, density, want)
	}
	p := figure.NewPanel(fmt.Sprintf("%s, %s", s.Direction, selector.Count(s.Chains, "chain")), "log w (nats)", "probability per nat")
	if s.Shift != 0 {
		p.X.Label.Text = "log w less " + table.People(s.Shift, 6) + " (nats)"
	}
	figure.AddBars(p, "sent", sent)
	p.Add(exact)
	p.Record("exact law", exact.XYs)
	p.Legend.Add("sent"+beyond(h), sent)
	p.Legend.Add("exact law", exact)
	p.Y.Min, p.Y.Max = 0, top*1.08
	return p, nil
}

// drawnCells returns the cells from the first to before the last that are not empty, the open ends left aside: those with
// values, and those that have more than a tail of the law.
func drawnCells(h *conform.Histogram) (from, until int) {
	const tail = 1e-4
	from, until = 1, len(h.Edges)
	empty := func(k int) bool { return h.Counts[k] == 0 && h.P[k] < tail }
	for from < until-1 && empty(from) {
		from++
	}
	for from < until-1 && empty(until-1) {
		until--
	}
	return from, until
}

// beyond says which share of the values lies beyond the cells that are drawn, where it is more than that of the tails.
func beyond(h *conform.Histogram) string {
	text, total := "", float64(max(1, h.Total()))
	for _, end := range []struct {
		cell int
		side string
	}{{0, "left"}, {len(h.Counts) - 1, "right"}} {
		if share := float64(h.Counts[end.cell]) / total; share >= 0.01 {
			text += fmt.Sprintf(", %.0f%% further to the %s", 100*share, end.side)
		}
	}
	return text
}

// PITFigure draws the probability integral transform of every column, and below it the empirical distribution function less
// the exact one, as users of simulation-based calibration expect. It fails where there are no such columns.
//
// Source: Talts, Betancourt, Simpson, Vehtari and Gelman 2018; Saeilynoja, Buerkner and Vehtari 2022.
func PITFigure(o *conform.Outcome) (*figure.Figure, error) {
	columns := 0
	for i := range o.Sides {
		columns = max(columns, len(o.Sides[i].Histograms))
	}
	if columns == 0 {
		return nil, errors.New("there are no chains with ends or log weights")
	}
	var panels [][]*figure.Panel
	for i := range o.Sides {
		s := &o.Sides[i]
		above, below := make([]*figure.Panel, columns), make([]*figure.Panel, columns)
		for k, h := range s.Histograms {
			above[k], below[k] = pitPanel(h), differencePanel(h)
			above[k].Title.Text = fmt.Sprintf("%s, %s", s.Direction, h.Name)
		}
		if len(s.Histograms) > 0 {
			panels = append(panels, above, below)
		}
	}
	return figure.Sheet{Name: "conform_pit", Rows: panels, Width: 6.5 * vg.Centimeter, Height: 4.8 * vg.Centimeter}.Figure(), nil
}

const (
	// pitParts is the number of bars of a PIT histogram.
	pitParts = 20
	// pitAlpha is the probability with which a right bar leaves its band, and a right curve its envelope.
	pitAlpha = 0.01
)

// pitPanel draws the PIT histogram of a column over the band of its bars. A bar has height one where it is right.
func pitPanel(h *conform.Histogram) *figure.Panel {
	low, high := h.PITBand(pitParts, pitAlpha)
	right, wrong := &figure.Bars{Fill: figure.Translucent(rightColor())}, &figure.Bars{Fill: figure.Translucent(faultColor())}
	right.Edge = draw.LineStyle{Color: rightColor(), Width: vg.Points(0.5)}
	wrong.Edge = draw.LineStyle{Color: faultColor(), Width: vg.Points(0.5)}
	var floor, ceiling plotter.XYs
	top := 0.0
	for k, share := range h.PIT(pitParts) {
		to := right
		if share < low[k] || share > high[k] {
			to = wrong
		}
		from, until := float64(k)/pitParts, float64(k+1)/pitParts
		to.Bars = append(to.Bars, figure.Bar{From: from, To: until, Height: share * pitParts})
		floor = append(floor, plotter.XY{X: from, Y: low[k] * pitParts}, plotter.XY{X: until, Y: low[k] * pitParts})
		ceiling = append(ceiling, plotter.XY{X: from, Y: high[k] * pitParts}, plotter.XY{X: until, Y: high[k] * pitParts})
		top = max(top, share, high[k])
	}
	p := figure.NewPanel("", "PIT", "density")
	p.Add(figure.Band(floor, ceiling))
	p.Legend.Add(fmt.Sprintf("where %g%% of right ones are", 100*(1-pitAlpha)), figure.Swatch{Color: color.Gray{0xe2}})
	for i, b := range []*figure.Bars{right, wrong} {
		if name := []string{"sent", "sent, outside"}[i]; len(b.Bars) > 0 {
			figure.AddBars(p, name, b)
			p.Legend.Add(name, b)
		}
	}
	p.X.Min, p.X.Max = 0, 1
	p.Y.Min, p.Y.Max = 0, top*pitParts*1.1
	return p
}

// differencePanel draws the empirical distribution function of a column less the exact one, in its envelope.
func differencePanel(h *conform.Histogram) *figure.Panel {
	curve, low, high := plotter.XYs{{}}, plotter.XYs{{}}, plotter.XYs{{}}
	for _, d := range h.Differences(pitAlpha) {
		curve = append(curve, plotter.XY{X: d.P, Y: d.Value})
		low, high = append(low, plotter.XY{X: d.P, Y: d.Low}), append(high, plotter.XY{X: d.P, Y: d.High})
	}
	end := plotter.XY{X: 1}
	curve, low, high = append(curve, end), append(low, end), append(high, end)
	style := draw.LineStyle{Color: rightColor(), Width: vg.Points(1.2)}
	for i, at := range curve {
		if at.Y < low[i].Y || at.Y > high[i].Y {
			style.Color = faultColor()
		}
	}
	p := figure.NewPanel("", "exact distribution function", "sent less exact")
	p.Add(figure.Band(low, high), &plotter.Line{XYs: curve, LineStyle: style})
	p.Record("sent", curve)
	p.X.Min, p.X.Max = 0, 1
	return p
}

const (
	// namedTests is the number of tests that the figure of the e-values names.
	namedTests = 8
	// evidenceTop is how many times the threshold the axis of the e-values reaches: a fault is certain at one.
	evidenceTop = 3
	// beforeDraws is how far, in decades, no draws stand before the first look.
	beforeDraws = 0.6
)

// EvidenceFigure draws the e-value of every test against the number of draws, on logarithmic axes. Those that end highest are
// named. Each begins at one, before the first draw. It fails where no test was looked at.
func EvidenceFigure(o *conform.Outcome) (*figure.Figure, error) {
	var tests []conform.Result // faults first, the largest e-value first
	least, most, begin := math.Inf(1), math.Inf(-1), math.Inf(1)
	for _, r := range o.Results {
		if len(r.Looks) > 0 && r.Draws > 0 {
			tests = append(tests, r)
			least, most = min(least, r.Log10Threshold()), max(most, r.Log10Threshold())
			begin = min(begin, number.Log10(float64(max(1, r.Looks[0].Draws)))-beforeDraws)
		}
	}
	if len(tests) == 0 {
		return nil, errors.New("no test was looked at")
	}
	rank := map[bool]int{true: 0, false: 1} // of faults and of passes
	slices.SortStableFunc(tests, func(a, b conform.Result) int {
		return cmp.Or(cmp.Compare(rank[a.Fault], rank[b.Fault]), cmp.Compare(b.LogE, a.LogE))
	})
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
	for i, r := range tests[:min(namedTests, len(tests))] { // with the e-values that they end at
		p.Legend.Add(fmt.Sprintf("%s: %.1f", r.Test, r.Log10E()), curves.Key(evidenceStyle(tests, i)))
	}
	addThresholds(p, least, most)
	p.X.Tick.Marker = curves.ZeroAxis{Zero: begin, First: math.Inf(-1)}
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

// evidencePoints returns the curve of a test from no draws on. It ends where it leaves the axis at the top.
func evidencePoints(r conform.Result, begin, top float64) plotter.XYs {
	points := plotter.XYs{{X: begin}}
	for _, look := range r.Looks {
		last := points[len(points)-1]
		x, y := number.Log10(float64(max(1, look.Draws))), look.LogE/math.Ln10
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

// evidenceStyle returns the style of the i-th test: those that are named have patterns of their own, and faults the colour of faults.
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

// addThresholds draws the e-values from which on a test finds a fault: the least, and the largest where they differ.
func addThresholds(p *figure.Panel, least, most float64) {
	style := draw.LineStyle{Color: color.Black, Width: vg.Points(1), Dashes: figure.Dashes()}
	for _, y := range slices.Compact([]float64{least, most}) {
		figure.Guide(p, plotter.XY{X: p.X.Min, Y: y}, plotter.XY{X: p.X.Max, Y: y}, style)
	}
	p.Legend.Add("a fault from here on", curves.Key(style))
}
