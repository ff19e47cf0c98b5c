package reports

import (
	"errors"
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/experiments/conform"
	"breadboard/experiments/conform/hypotheses"
	"breadboard/reports/figure"
)

// The layout of the figure of the odds.
const (
	oddsNames  = 7.6 * vg.Centimeter // the room for the names
	oddsBars   = 6 * vg.Centimeter   // the length of a bar of odds one
	oddsValues = 3 * vg.Centimeter   // the room for the numbers behind the bars
	oddsLine   = 0.5 * vg.Centimeter
	oddsSpace  = 0.9 * vg.Centimeter // above the bars of a direction
	oddsFooter = 1.4 * vg.Centimeter
)

const (
	// drawnOdds is the number of hypotheses of a direction that are drawn, with the specification.
	drawnOdds = 10
	// oddsCut is the log10 of the odds against the likeliest hypothesis at which bars begin; smaller ones have none.
	oddsCut = -12.0
	// oddsTick is the distance between two ticks.
	oddsTick = 3
)

// OddsFigure draws the odds of the likeliest hypotheses of every direction against the likeliest one, as bars on a
// logarithmic scale, with the log10 of their odds against it. It fails where the hypotheses have not been compared.
func OddsFigure(o *conform.Outcome) (*figure.Figure, error) {
	var sides []*conform.Side
	height := oddsFooter
	for i := range o.Sides {
		if s := &o.Sides[i]; len(s.Odds) > 0 {
			sides = append(sides, s)
			height += oddsSpace + vg.Length(len(drawnHypotheses(s)))*oddsLine
		}
	}
	if len(sides) == 0 {
		return nil, errors.New("the hypotheses have not been compared")
	}
	return figure.New("conform_odds", oddsNames+oddsBars+oddsValues, height, func(c draw.Canvas) {
		c.FillPolygon(color.White, figure.Corners(c.Rectangle))
		drawOddsAxis(c)
		top := c.Max.Y
		for _, s := range sides {
			top = drawOddsOf(c, o, s, top)
		}
	}), nil
}

// drawnHypotheses returns the first hypotheses of a direction under which the chains are possible, and the specification.
func drawnHypotheses(s *conform.Side) []hypotheses.Odds {
	var out []hypotheses.Odds
	for i, odds := range s.Odds {
		possible := !math.IsInf(againstBest(odds, s.Odds[0]), -1)
		if i < drawnOdds && possible || odds.Name == hypotheses.Specification {
			out = append(out, odds)
		}
	}
	return out
}

// againstBest returns the log10 of the odds of a hypothesis against the likeliest one.
func againstBest(odds, best hypotheses.Odds) float64 {
	if odds.Name == best.Name {
		return 0
	}
	if finite(best.LogOdds) && !math.IsNaN(odds.LogOdds) {
		return (odds.LogOdds - best.LogOdds) / math.Ln10
	}
	return math.Log10(odds.Posterior / best.Posterior) // the specification is impossible, and nothing is known beside it
}

// drawOddsOf draws the bars of one direction below a height, and returns the height at which they end.
func drawOddsOf(c draw.Canvas, o *conform.Outcome, s *conform.Side, top vg.Length) vg.Length {
	left := c.Min.X + oddsNames
	c.FillText(figure.Label(vg.Points(9.5), text.XLeft, text.YBottom), vg.Point{X: left, Y: top - oddsSpace + 0.15*vg.Centimeter},
		fmt.Sprintf("%s, %s", s.Direction, counted(s.Chains, "chain")))
	y := top - oddsSpace
	drawOddsGrid(c, left, y-vg.Length(len(drawnHypotheses(s)))*oddsLine, y)
	for _, odds := range drawnHypotheses(s) {
		v := againstBest(odds, s.Odds[0])
		length := oddsBars * vg.Length(1-max(v, oddsCut)/oddsCut)
		y -= oddsLine
		middle := y + oddsLine/2
		bar := vg.Rectangle{Min: vg.Point{X: left, Y: y + 0.15*oddsLine}, Max: vg.Point{X: left + length, Y: y + 0.85*oddsLine}}
		if length > 0 {
			c.FillPolygon(oddsColor(o, odds), figure.Corners(bar))
		}
		c.FillText(figure.Label(vg.Points(8.5), text.XRight, text.YCenter), vg.Point{X: left - 0.15*vg.Centimeter, Y: middle}, odds.Name)
		at := vg.Point{X: bar.Max.X + 0.12*vg.Centimeter, Y: middle}
		if v < oddsCut {
			at = drawCutMark(c, at)
		}
		c.FillText(figure.Label(vg.Points(8), text.XLeft, text.YCenter), at, oddsText(v, odds.Posterior))
	}
	c.StrokeLine2(draw.LineStyle{Color: color.Black, Width: vg.Points(0.8)}, left, y, left, top-oddsSpace)
	return y
}

// drawCutMark draws an arrow head to the left, for what the axis does not reach, and returns where to write behind it.
func drawCutMark(c draw.Canvas, at vg.Point) vg.Point {
	size := 0.09 * vg.Centimeter
	c.FillPolygon(color.Gray{0x60}, []vg.Point{{X: at.X, Y: at.Y}, {X: at.X + 1.6*size, Y: at.Y + size}, {X: at.X + 1.6*size, Y: at.Y - size}})
	return vg.Point{X: at.X + 3*size, Y: at.Y}
}

// oddsColor returns the colour of a bar: that of the specification, that of a fault where the chains refuse the hypothesis,
// and otherwise grey.
func oddsColor(o *conform.Outcome, odds hypotheses.Odds) color.Color {
	switch {
	case odds.Name == hypotheses.Specification:
		return rightColor()
	case refuses(o, odds.LogE):
		return faultColor()
	}
	return plainColor()
}

// oddsText writes odds.
func oddsText(v, posterior float64) string {
	switch {
	case math.IsInf(v, -1):
		return "impossible"
	case v < oddsCut:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.1f (posterior %.2g)", v, posterior)
}

// drawOddsGrid draws the pale lines behind the bars of a direction.
func drawOddsGrid(c draw.Canvas, left, low, high vg.Length) {
	for v := oddsCut; v <= 0; v += oddsTick {
		x := left + oddsBars*vg.Length(1-v/oddsCut)
		c.StrokeLine2(draw.LineStyle{Color: color.Gray{0xe6}, Width: vg.Points(0.5)}, x, low, x, high)
	}
}

// drawOddsAxis draws the axis of the odds at the foot of the figure.
func drawOddsAxis(c draw.Canvas) {
	left, foot := c.Min.X+oddsNames, c.Min.Y+oddsFooter
	for v := oddsCut; v <= 0; v += oddsTick {
		x := left + oddsBars*vg.Length(1-v/oddsCut)
		c.FillText(figure.Label(vg.Points(8.5), text.XCenter, text.YTop), vg.Point{X: x, Y: foot - 0.12*vg.Centimeter}, fmt.Sprint(v))
	}
	c.FillText(figure.Label(vg.Points(9.5), text.XCenter, text.YTop), vg.Point{X: left + oddsBars/2, Y: foot - 0.6*vg.Centimeter}, "log10 odds against the likeliest")
}
