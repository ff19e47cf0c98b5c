package conform

import (
	"errors"
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/chains/selector"
	"breadboard/experiments/checks/conform/hypotheses"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// The layout of the figure of the odds.
const (
	oddsNames  = 7.6 * vg.Centimeter // the room for the names
	oddsBars   = 6 * vg.Centimeter   // the length of the axis
	oddsValues = 3 * vg.Centimeter   // the room for the numbers behind the dots
	oddsLine   = 0.5 * vg.Centimeter
	oddsSpace  = 0.9 * vg.Centimeter // above the odds of a direction
	oddsFooter = 1.4 * vg.Centimeter
)

const (
	// drawnOdds is the number of hypotheses of a direction that are drawn, with the specification.
	drawnOdds = 10
	// oddsCut is the log10 of the odds relative to the likeliest hypothesis at which the axis
	// begins; smaller ones have no dot.
	oddsCut = -12.0
	// oddsTick is the distance between two ticks.
	oddsTick = 3
)

// oddsFigure draws the odds of the likeliest hypotheses of every direction against the likeliest
// one, as dots on a logarithmic scale, with the log10 of their odds against it. It fails if the
// hypotheses have not been compared.
func oddsFigure(o *Outcome) (*figure.Figure, error) {
	var sides []*Side
	for i := range o.Sides {
		if s := &o.Sides[i]; len(s.Odds) > 0 {
			sides = append(sides, s)
		}
	}
	if len(sides) == 0 {
		return nil, errors.New("the hypotheses have not been compared")
	}
	f := figure.New("conform_odds", func(s figure.Style) figure.Page { return layOdds(s, o, sides).page() })
	f.Title = "Odds of the hypotheses relative to the likeliest"
	f.Data = &table.Table{Columns: []table.Column{
		{Name: "direction", Type: table.String, Title: "direction", Meaning: "forward or reverse"},
		{
			Name:    "hypothesis",
			Type:    table.String,
			Title:   "hypothesis",
			Meaning: "what may be wrong, or the specification",
		},
		{
			Name:    "log10_odds",
			Type:    table.Float,
			Title:   "log10 odds",
			Meaning: "the base-10 logarithm of the odds relative to the likeliest hypothesis",
		},
	}}
	for _, s := range sides {
		for _, odds := range drawnHypotheses(s) {
			f.Data.Rows = append(f.Data.Rows, []any{fmt.Sprint(s.Direction), odds.Name, againstBest(odds, s.Odds[0])})
		}
	}
	return f, nil
}

// oddsLayout is the figure of the odds laid out in a style.
type oddsLayout struct {
	style  figure.Style
	o      *Outcome
	sides  []*Side
	scale  vg.Length // by how much letters are larger than in the zero Style
	names  vg.Length // the room for the names
	bars   vg.Length // the length of the axis
	values vg.Length // the room for the numbers behind the dots
}

func layOdds(s figure.Style, o *Outcome, sides []*Side) *oddsLayout {
	l := &oddsLayout{style: s, o: o, sides: sides, scale: vg.Length(s.Scale())}
	l.names = oddsNames * l.scale
	l.bars = oddsBars * l.scale
	l.values = oddsValues * l.scale
	if s.Width > 0 {
		l.values = min(l.values, 0.3*s.Width)
		l.names = min(l.names, 0.4*s.Width)
		l.bars = s.Width - l.names - l.values
	}
	return l
}

// page returns the size of the figure, and how it is drawn.
func (l *oddsLayout) page() figure.Page {
	height := oddsFooter * l.scale
	for _, s := range l.sides {
		height += oddsSpace * l.scale
		for _, odds := range drawnHypotheses(s) {
			height += l.lineHeight(odds)
		}
	}
	return figure.Page{Width: l.names + l.bars + l.values, Height: height, Draw: func(c draw.Canvas) {
		c.FillPolygon(color.White, figure.Corners(c.Rectangle))
		l.drawAxis(c)
		top := c.Max.Y
		for _, s := range l.sides {
			top = l.drawSide(c, s, top)
		}
	}}
}

func (l *oddsLayout) nameText(odds hypotheses.Odds) (draw.TextStyle, string) {
	style := figure.Label(l.style.Size(8.5), text.XRight, text.YCenter)
	return style, figure.Wrapped(odds.Name, style, l.names-0.3*vg.Centimeter)
}

// lineHeight returns the height of the line of a hypothesis.
func (l *oddsLayout) lineHeight(odds hypotheses.Odds) vg.Length {
	style, name := l.nameText(odds)
	return max(oddsLine*l.scale, style.Height(name)+0.1*vg.Centimeter)
}

// drawnHypotheses returns the first hypotheses of a direction under which the chains are possible,
// and the specification.
func drawnHypotheses(s *Side) []hypotheses.Odds {
	var out []hypotheses.Odds
	for i, odds := range s.Odds {
		possible := !math.IsInf(againstBest(odds, s.Odds[0]), -1)
		if i < drawnOdds && possible || odds.Name == hypotheses.Specification {
			out = append(out, odds)
		}
	}
	return out
}

// againstBest returns the log10 of the odds of a hypothesis against the likeliest one, given all
// chains.
func againstBest(odds, best hypotheses.Odds) float64 {
	return (odds.LogPosterior - best.LogPosterior) / math.Ln10
}

// drawSide draws the odds of one direction below a height, and returns the height at which they
// end.
func (l *oddsLayout) drawSide(c draw.Canvas, s *Side, top vg.Length) vg.Length {
	left := c.Min.X + l.names
	c.FillText(figure.Label(l.style.Size(9.5), text.XLeft, text.YBottom),
		vg.Point{X: left, Y: top - (oddsSpace-0.15*vg.Centimeter)*l.scale},
		fmt.Sprintf("%s, %s", s.Direction, selector.Count(s.Chains, "chain")))
	y := top - oddsSpace*l.scale
	foot := y
	for _, odds := range drawnHypotheses(s) {
		foot -= l.lineHeight(odds)
	}
	for v := oddsCut; v <= 0; v += oddsTick {
		x := left + l.bars*vg.Length(1-v/oddsCut)
		c.StrokeLine2(draw.LineStyle{Color: color.Gray{0xe6}, Width: vg.Points(0.5)}, x, foot, x, y)
	}
	for _, odds := range drawnHypotheses(s) {
		v := againstBest(odds, s.Odds[0])
		line := l.lineHeight(odds)
		length := l.bars * vg.Length(1-max(v, oddsCut)/oddsCut)
		y -= line
		middle := y + line/2
		style, name := l.nameText(odds)
		c.FillText(style, vg.Point{X: left - 0.15*vg.Centimeter, Y: middle + style.FontExtents().Descent}, name)
		at := vg.Point{X: left + length, Y: middle}
		if v < oddsCut {
			at = drawCutMark(c, at)
		} else {
			c.DrawGlyph(draw.GlyphStyle{
				Color:  oddsColor(l.o, odds),
				Radius: vg.Points(3),
				Shape:  draw.CircleGlyph{},
			}, at)
			at.X += 0.2 * vg.Centimeter
		}
		number := figure.Label(l.style.Size(8), text.XLeft, text.YCenter)
		c.FillText(number, vg.Point{X: at.X, Y: at.Y + number.FontExtents().Descent},
			figure.Wrapped(oddsText(v, odds.Posterior), number, c.Max.X-at.X))
	}
	c.StrokeLine2(draw.LineStyle{Color: color.Black, Width: vg.Points(0.8)}, left, y, left, top-oddsSpace*l.scale)
	figure.AddArea(c, vg.Rectangle{
		Min: vg.Point{X: left, Y: y},
		Max: vg.Point{X: left + l.bars, Y: top - oddsSpace*l.scale},
	}, s.Direction.String(), false)
	return y
}

// drawCutMark draws an arrow head to the left, for what the axis does not reach, and returns where
// to write behind it.
func drawCutMark(c draw.Canvas, at vg.Point) vg.Point {
	size := 0.09 * vg.Centimeter
	c.FillPolygon(color.Gray{0x60}, []vg.Point{
		{X: at.X, Y: at.Y}, {X: at.X + 1.6*size, Y: at.Y + size}, {X: at.X + 1.6*size, Y: at.Y - size}})
	return vg.Point{X: at.X + 3*size, Y: at.Y}
}

// oddsColor returns the colour of a dot: that of the specification, that of a fault if the chains
// refuse the hypothesis, and otherwise grey.
func oddsColor(o *Outcome, odds hypotheses.Odds) color.Color {
	switch {
	case odds.Name == hypotheses.Specification:
		return rightColor()
	case refuses(o, odds.LogE):
		return faultColor()
	}
	return figure.KindGrey()
}

func oddsText(v, posterior float64) string {
	switch {
	case math.IsInf(v, -1):
		return "impossible"
	case v < oddsCut:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.1f (posterior %.2g)", v, posterior)
}

// drawAxis draws the axis of the odds at the foot of the figure.
func (l *oddsLayout) drawAxis(c draw.Canvas) {
	left := c.Min.X + l.names
	foot := c.Min.Y + oddsFooter*l.scale
	labels := 0
	for v := oddsCut; v <= 0; v += oddsTick {
		labels++
		x := left + l.bars*vg.Length(1-v/oddsCut)
		c.FillText(figure.Label(l.style.Size(8.5), text.XCenter, text.YTop),
			vg.Point{X: x, Y: foot - 0.12*vg.Centimeter*l.scale}, fmt.Sprint(v))
	}
	c.FillText(figure.Label(l.style.Size(9.5), text.XCenter, text.YTop),
		vg.Point{X: left + l.bars/2, Y: foot - 0.6*vg.Centimeter*l.scale},
		"log_{10} odds relative to the likeliest")
	figure.AddScale(c, labels)
}
