package figure

import (
	"image/color"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// legend names what a figure shows. It is beside the panels or below them, never over them.
type legend []entry

// entry is a key with its name, or a heading, which has no key.
type entry struct {
	name string
	key  plot.Thumbnailer
}

// add adds an entry below a heading, which may be empty. A name that is already in the legend is
// not added again.
func (l *legend) add(heading, name string, key plot.Thumbnailer) {
	has := func(e entry) bool {
		return slices.ContainsFunc(*l, func(o entry) bool { return o.name == e.name && (o.key == nil) == (e.key == nil) })
	}
	if head := (entry{name: heading}); heading != "" && !has(head) {
		*l = append(*l, head)
	}
	if e := (entry{name, key}); !has(e) {
		*l = append(*l, e)
	}
}

// The parts of an entry, in the size of letters.
const (
	keyWidth  = 2.6
	keyGap    = 0.6
	entryGap  = 1.6
	rowHeight = 1.45
)

// setLegend is a legend laid out, with the places of its entries from its upper left corner.
type setLegend struct {
	legend
	style         draw.TextStyle
	places        []vg.Point
	width, height vg.Length
}

// layOut lays the legend out below one another, or if it flows beside each other as far as there is
// room. A heading begins a line.
func (l legend) layOut(s Style, room vg.Length, flows bool) setLegend {
	em := s.Letters()
	out := setLegend{legend: slices.Clone(l), style: Label(s.Size(9), text.XLeft, text.YCenter)}
	at := vg.Point{}
	row := vg.Length(0) // the height of the row
	for i := range out.legend {
		e := &out.legend[i]
		key := vg.Length(0)
		if e.key != nil {
			key = (keyWidth + keyGap) * em
		}
		e.name = Wrapped(e.name, out.style, room-key)
		width := key + out.style.Width(e.name)
		if i > 0 && (!flows || e.key == nil || at.X+width > room) {
			at = vg.Point{Y: at.Y - row}
			row = 0
		}
		row = max(row, (rowHeight+1.1*vg.Length(strings.Count(e.name, "\n")))*em)
		out.places = append(out.places, at)
		out.width = max(out.width, at.X+width)
		out.height = row - at.Y
		at.X += width + entryGap*em
	}
	return out
}

// draw draws the legend from its upper left corner.
func (l *setLegend) draw(c draw.Canvas, em vg.Length, corner vg.Point) {
	for i, e := range l.legend {
		at := corner.Add(l.places[i])
		at.Y -= rowHeight * em / 2
		if e.key != nil {
			key := draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
				Min: vg.Point{X: at.X, Y: at.Y - 0.4*em},
				Max: vg.Point{X: at.X + keyWidth*em, Y: at.Y + 0.4*em},
			}}
			e.key.Thumbnail(&key)
			at.X += (keyWidth + keyGap) * em
		}
		style := l.style
		if strings.Contains(e.name, "\n") { // the key is beside the first line
			style.YAlign = text.YTop
			at.Y += 0.5 * style.Font.Size
		}
		c.FillText(style, at.Add(vg.Point{Y: style.FontExtents().Descent}), e.name)
	}
}

// ColorScale is the scale of the colours of a row of panels, with labels at round numbers.
type ColorScale struct {
	Low, High float64
	Log       bool                      // the labels are powers of ten
	At        func(float64) float64     // the place of a number, from 0 to 1
	Color     func(float64) color.Color // the colour at a place
}

// scaleWidth is the width of a scale with its labels, in the size of letters.
const scaleWidth = 4.5

// draw draws the scale upwards at the right of a box.
func (o *ColorScale) draw(c draw.Canvas, s Style, box vg.Rectangle) {
	const steps = 64
	em := s.Letters()
	left, right := box.Max.X+0.8*em, box.Max.X+1.6*em
	step := box.Size().Y / steps
	for i := range steps {
		low := box.Min.Y + step*vg.Length(i)
		c.FillPolygon(o.Color((float64(i)+0.5)/steps), corners(vg.Rectangle{
			Min: vg.Point{X: left, Y: low},
			Max: vg.Point{X: right, Y: min(box.Max.Y, low+2*step)}, // under the next, so that no viewer shows seams
		}))
	}
	style := Label(s.Size(9), text.XLeft, text.YCenter)
	last := box.Min.Y - box.Size().Y
	for _, t := range (ticker{scale: scale{log: o.Log}}).Ticks(o.Low, o.High) {
		y := box.Min.Y + box.Size().Y*vg.Length(o.At(t.Value))
		c.StrokeLine2(draw.LineStyle{Color: color.Black, Width: vg.Points(0.5)}, right, y, right+0.15*em, y)
		if t.Label != "" && y >= last+style.Font.Size {
			c.FillText(style, vg.Point{X: right + 0.35*em, Y: y + style.FontExtents().Descent}, t.Label)
			last = y
		}
	}
}
