package reports

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/experiments/gap"
	"breadboard/reports/figure"
)

// gapBins is the number of runs of stages that a curve of the figure has.
const gapBins = 200

// gapCurve is one curve of the figure. The function at returns the point of the curve for a run of stages.
type gapCurve struct {
	panel int
	name  string
	color int
	dash  []vg.Length
	at    func(s gap.Span) (beta, y float64)
}

func gapCurves() []gapCurve {
	perBeta := func(s gap.Span, nats float64) (float64, float64) {
		return (s.BetaFrom + s.BetaTo) / 2, math.Log10(nats / (s.BetaTo - s.BetaFrom))
	}
	return []gapCurve{
		{0, "forward", 0, nil, func(s gap.Span) (float64, float64) { return perBeta(s, s.Forward) }},
		{0, "reverse", 1, figure.Dashes(), func(s gap.Span) (float64, float64) { return perBeta(s, s.Reverse) }},
		{1, "forward", 0, nil, func(s gap.Span) (float64, float64) { return s.BetaTo, s.AllForward }},
		{1, "reverse", 1, figure.Dashes(), func(s gap.Span) (float64, float64) { return s.BetaTo, s.AllRev }},
		{1, "both", 6, nil, func(s gap.Span) (float64, float64) { return s.BetaTo, s.AllForward + s.AllRev }},
		{2, "Jeffreys; J at beta = 1", 2, nil, func(s gap.Span) (float64, float64) { return s.BetaTo, s.Jeffreys }},
	}
}

// StageGapFigure draws at which stages B exceeds J: both brackets per unit of beta, their sums so far, and the Jeffreys
// divergence between both chains' laws of x_t, all against beta. Infinite values are left out. It fails where there are no
// two finite values that a line could join.
func StageGapFigure(g *gap.Row) (*figure.Figure, error) {
	var panels []*figure.Panel
	for _, name := range []string{"nats per unit of beta", "so far (nats)", "between laws of x_{t} (nats)"} {
		panels = append(panels, figure.NewPanel("", "beta", name))
	}
	panels[0].Y.Tick.Marker = figure.Decades{}
	spans, lines := g.Spans(gapBins), 0
	for _, c := range gapCurves() {
		var points plotter.XYs
		for _, s := range spans {
			if x, y := c.at(s); !math.IsNaN(y) && !math.IsInf(y, 0) {
				points = append(points, plotter.XY{X: x, Y: y})
			}
		}
		if len(points) < 2 {
			continue
		}
		style := draw.LineStyle{Color: figure.Color(c.color), Width: vg.Points(1.5), Dashes: c.dash}
		if err := figure.AddLine(panels[c.panel], c.name, points, style); err != nil {
			return nil, err
		}
		panels[c.panel].Legend.Add(c.name, &plotter.Line{LineStyle: style})
		lines++
	}
	if lines == 0 {
		return nil, errors.New("nothing to draw: no two stages have finite brackets")
	}
	for i, p := range panels {
		p.X.Min, p.X.Max = 0, 1
		if i > 0 {
			p.Y.Min = min(0, p.Y.Min)
		}
		p.RoomAround(0, 0.04)
		if i > 0 && p.Y.Min < 0 && p.Y.Min > -0.1*p.Y.Max {
			p.Y.Min = 0
		}
	}
	return figure.SideBySide(FileName(fmt.Sprintf("gap_%s_T%d", g.Toy.Name, g.Distributions())), 7.5*vg.Centimeter, 6.5*vg.Centimeter, panels...), nil
}
