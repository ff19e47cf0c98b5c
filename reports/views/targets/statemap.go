package targets

import (
	"image/color"
	"strings"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/reports/figure"
	"breadboard/toys"
)

// StateMap is a figure of one number for each state of a toy, with a scale of its colours and a caption below.
type StateMap struct {
	Toy       *toys.Toy
	Picture   Picture // how the toy is drawn, see PictureOf
	Values    []float64
	Low, High float64 // the ends of the scale
	Shade     func(float64) color.Color
	Heading   string // stands above the states; may be empty
	Caption   string // says what the numbers are; behind it stands what the parts of the picture are
	Letters   float64
}

// Page lays the figure out in a style. Letters is the size of those of the caption, in points of the zero Style.
func (m StateMap) Page(s figure.Style) figure.Page {
	em := s.Letters()
	names, beside, margin := vg.Length(0), 4.5*em, 0.8*em
	if m.Picture == Bars {
		names, beside = BarNames*vg.Length(s.Scale()), 0
	}
	size := 6 * vg.Centimeter * vg.Length(s.Scale())
	if s.Width > 0 {
		size = s.Width - 2*margin - names - beside
	}
	height, width := HeightOf(m.Toy, m.Picture, size, s.Scale()), size+2*margin+names+beside
	title, note := figure.Label(s.Size(9), text.XLeft, text.YTop), figure.Label(s.Size(m.Letters), text.XLeft, text.YTop)
	heading := figure.Wrapped(m.Heading, title, width-2*margin)
	caption := figure.Wrapped(strings.TrimSpace(m.Caption+PartsNote(m.Toy, m.Picture)), note, width-2*margin)
	above, below := vg.Length(0), note.Height(caption)+0.5*em
	if m.Heading != "" {
		above = title.Height(heading) + 0.5*em
	}
	return figure.Page{Width: width, Height: 2*margin + above + height + below, Draw: func(c draw.Canvas) {
		c.FillPolygon(color.White, figure.Corners(c.Rectangle))
		left, top := c.Min.X+margin, c.Max.Y-margin
		if m.Heading != "" {
			c.FillText(title, vg.Point{X: left, Y: top + title.FontExtents().Descent}, heading)
		}
		box := vg.Rectangle{Min: vg.Point{X: left + names, Y: top - above - height}, Max: vg.Point{X: left + names + size, Y: top - above}}
		DrawStates(c, s, m.Toy, m.Picture, m.Values, m.Low, m.High, m.Shade, box, true)
		if beside > 0 {
			scale := vg.Rectangle{Min: vg.Point{X: box.Max.X + 0.8*em, Y: box.Min.Y}, Max: vg.Point{X: box.Max.X + 1.6*em, Y: box.Max.Y}}
			place := func(v float64) float64 { return (v - m.Low) / (m.High - m.Low) }
			figure.ColourBar(c, s, scale, m.Low, m.High, place, func(at float64) float64 { return m.Low + at*(m.High-m.Low) }, m.Shade)
		}
		c.FillText(note, vg.Point{X: left, Y: box.Min.Y - 0.5*em}, caption)
	}}
}
