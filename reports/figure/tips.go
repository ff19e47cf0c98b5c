package figure

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/reports/table"
)

// Tip is a place of a figure with a text that a reader sees who points at it.
type Tip struct {
	Text string
	Box  vg.Rectangle // the bar or the cell at which the text is shown; a point is a box without a size
}

const (
	// maxTips bounds the tips of a figure, so that its file stays small: each takes about a hundred bytes.
	maxTips = 800
	// tipsApart is the least distance of two tips of one series. What stands nearer cannot be pointed at.
	tipsApart = vg.Length(2)
)

// AddTip adds a tip to the figure that is being drawn on a canvas. It does nothing where the figure is drawn for a format without tips.
func AddTip(c draw.Canvas, tip Tip) {
	if k := inkOf(c); k != nil && k.tips != nil {
		*k.tips = append(*k.tips, tip)
	}
}

// inkOf returns the ink of a figure's canvas, or of a part of it, which holds the canvas that it is a part of; nil for another canvas.
func inkOf(c draw.Canvas) *ink {
	for {
		switch on := c.Canvas.(type) {
		case *ink:
			return on
		case draw.Canvas:
			c = on
		default:
			return nil
		}
	}
}

// addTips adds tips for what is drawn in a panel, which has been drawn on a canvas as the given plot.
func (p *Panel) addTips(c draw.Canvas, as *plot.Plot) {
	inside := as.DataCanvas(c)
	x, y := as.Transforms(&inside)
	last := map[string]vg.Point{}
	for _, d := range p.drawn {
		box := vg.Rectangle{Min: vg.Point{X: x(d.x), Y: y(d.y)}, Max: vg.Point{X: x(d.x), Y: y(d.y)}}
		if !math.IsNaN(d.to) {
			box = vg.Rectangle{Min: vg.Point{X: x(d.x), Y: inside.Min.Y}, Max: vg.Point{X: x(d.to), Y: min(box.Max.Y, inside.Max.Y)}}
		}
		if !inBox(box, inside.Rectangle) {
			continue
		}
		if before, is := last[d.series]; is && math.Hypot(float64(box.Max.X-before.X), float64(box.Max.Y-before.Y)) < float64(tipsApart) {
			continue
		}
		last[d.series] = box.Max
		AddTip(c, Tip{Text: p.tipText(&d), Box: box})
	}
}

// inBox reports whether a box lies in another one, but for rounding. One that is not finite does not.
func inBox(box, in vg.Rectangle) bool {
	const rounding = 0.01
	return box.Min.X >= in.Min.X-rounding && box.Min.Y >= in.Min.Y-rounding && box.Max.X <= in.Max.X+rounding && box.Max.Y <= in.Max.Y+rounding &&
		box.Min.X <= box.Max.X && box.Min.Y <= box.Max.Y
}

// tipText says what is drawn: the series, and the numbers on both axes with the digits of tables for people.
func (p *Panel) tipText(d *recorded) string {
	across := nameOf(p.X.Label.Text, "x") + " " + shown(&p.X, d.x)
	if from, to := shown(&p.X, d.x), shown(&p.X, d.to); !math.IsNaN(d.to) && from != to { // both ends of a bar at a name have the name
		across += " to " + to
	}
	text := across + ", " + nameOf(p.Y.Label.Text, "y") + " " + shown(&p.Y, d.y)
	if d.series != "" {
		text = Plain(d.series) + ": " + text
	}
	return text
}

// nameOf returns the label of an axis as plain text, or another name where it has none.
func nameOf(label, otherwise string) string {
	if label = Plain(label); label == "" {
		return otherwise
	}
	return label
}

// shown writes the number that stands at a place of an axis, or the name that stands there.
func shown(a *plot.Axis, at float64) string {
	if names, are := a.Tick.Marker.(plot.ConstantTicks); are {
		for _, t := range names {
			if t.Label != "" && math.Abs(t.Value-at) < 0.5 {
				return Plain(t.Label)
			}
		}
	}
	return table.People(number(a, at), 0)
}

// Plain returns a text of a figure in one line, with x^2 and x_t for what is raised and lowered in it.
func Plain(s string) string {
	var b strings.Builder
	for _, part := range partsOf(strings.ReplaceAll(s, "\n", " ")) {
		switch part.shift {
		case raised:
			b.WriteString("^")
		case lowered:
			b.WriteString("_")
		}
		b.WriteString(part.text)
	}
	return table.People(b.String(), 0) // without characters that XML forbids
}

// thinned returns at most so many tips, at equal distances in their order.
func thinned(tips []Tip, most int) []Tip {
	if len(tips) <= most {
		return tips
	}
	out := make([]Tip, most)
	for i := range out {
		out[i] = tips[i*len(tips)/most]
	}
	return out
}

// titleOf says what panels show, in a line: their titles, and what stands on their axes. Axes that panels share are named once.
func titleOf(panels []*Panel) string {
	var titles, axes []string
	add := func(to *[]string, text string) {
		for _, known := range *to {
			if text == known {
				return
			}
		}
		if text != "" {
			*to = append(*to, text)
		}
	}
	for _, p := range panels {
		add(&titles, Plain(p.Title.Text))
		if x, y := Plain(p.X.Label.Text), Plain(p.Y.Label.Text); x != "" && y != "" {
			add(&axes, y+" against "+x)
		} else {
			add(&axes, x+y)
		}
	}
	const most = 8
	if len(titles) > most {
		titles = append(titles[:most:most], fmt.Sprintf("and %d more", len(titles)-most))
	}
	switch t, a := strings.Join(titles, ", "), strings.Join(axes, ", "); {
	case t == "":
		return a
	case a == "":
		return t
	default:
		return t + ": " + a
	}
}
