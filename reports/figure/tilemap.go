package figure

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// TileMap is a table of numbers as cells in colours, with names beside and above them, and the
// scale of the colours at the right.
type TileMap struct {
	Name          string // of the file
	Rows, Columns []string
	Value         func(row, column int) float64 // a cell is white if it is not finite
	Low, High     float64                       // the ends of the scale
	Shade         func(v float64) color.Color
	Width, Height vg.Length // of a cell in the zero Style
	Slanted       bool      // whether the names above are
	Beside, Above string    // what the names are; may be empty
	Scale         string    // what the numbers are
	Ticks         plot.Ticker
	Cell          func(on draw.Canvas, s Style, row, column int, box vg.Rectangle) // draws what stands in a cell
	Key           func(on draw.Canvas, s Style, at vg.Point)                       // draws a mark that cells have, below the scale; may be nil
	KeyName       string
}

// slant is the angle of names above a map, if they are slanted.
const slant = math.Pi / 3

// Figure returns the figure of the map.
func (m TileMap) Figure() *Figure {
	return New(m.Name, func(s Style) Page {
		l := tileLayout{TileMap: m, style: s, unit: vg.Centimeter * vg.Length(s.Scale())}
		return l.page()
	})
}

// tileLayout is a map laid out in a style.
type tileLayout struct {
	TileMap
	style         Style
	unit          vg.Length // a centimeter in the zero Style
	left, top     vg.Length // for the names
	above, beside draw.TextStyle
}

// page returns the size of the map, and how it is drawn.
func (l *tileLayout) page() Page {
	scale := vg.Length(l.style.Scale())
	l.Width, l.Height = l.Width*scale, l.Height*scale
	l.beside = Label(min(l.style.Size(9), 0.9*l.Height), text.XRight, text.YCenter)
	for _, name := range l.Rows {
		l.left = max(l.left, l.beside.Width(name)+0.4*l.unit)
	}
	if l.Beside != "" {
		l.left += 0.7 * l.unit
	}
	right := 2.6 * l.unit
	if l.style.Width > 0 {
		l.left = min(l.left, 0.45*l.style.Width)
		l.Width = (l.style.Width - l.left - right) / vg.Length(len(l.Columns))
	}
	l.above, l.top = Label(l.style.Size(9), text.XCenter, text.YCenter), 1.5*l.unit
	if l.Slanted {
		l.above = Label(min(l.style.Size(8.5), max(l.style.Size(5), 0.9*l.Width)), text.XLeft, text.YCenter)
		l.top = 0
		for _, name := range l.Columns {
			l.top = max(l.top, vg.Length(math.Sin(slant))*l.above.Width(name))
		}
		l.top += 2 * l.above.Font.Size
		l.above.Rotation = slant
	}
	height := vg.Length(len(l.Rows))*l.Height + 0.4*l.unit
	if l.Key != nil {
		height = max(height, 4.6*l.unit)
	}
	return Page{Width: l.left + vg.Length(len(l.Columns))*l.Width + right, Height: l.top + height, Draw: l.draw}
}

// box returns where a cell is, below and at the right of a corner.
func (l *tileLayout) box(corner vg.Point, row, column int) vg.Rectangle {
	at := vg.Point{X: corner.X + vg.Length(column)*l.Width, Y: corner.Y - vg.Length(row+1)*l.Height}
	return vg.Rectangle{Min: at, Max: at.Add(vg.Point{X: l.Width, Y: l.Height})}
}

func (l *tileLayout) draw(c draw.Canvas) {
	c.FillPolygon(color.White, Corners(c.Rectangle))
	corner := vg.Point{X: c.Min.X + l.left, Y: c.Max.Y - l.top}
	all := vg.Rectangle{Min: l.box(corner, len(l.Rows)-1, 0).Min, Max: l.box(corner, 0, len(l.Columns)-1).Max}
	AddArea(c, all, l.Scale, false)
	FillCells(c, all, len(l.Rows), len(l.Columns), func(row, column int) color.Color {
		if v := l.Value(row, column); Finite(v) {
			return l.Shade(v)
		}
		return color.White
	})
	for i, name := range l.Rows {
		at := l.box(corner, i, 0)
		c.FillText(l.beside, vg.Point{X: corner.X - 0.15*l.unit, Y: (at.Min.Y+at.Max.Y)/2 + l.beside.FontExtents().Descent}, CutTo(name, l.beside, l.left-0.2*l.unit))
		for k := range l.Columns {
			l.Cell(c, l.style, i, k, l.box(corner, i, k))
		}
	}
	for k, name := range l.Columns {
		at := vg.Point{X: corner.X + (vg.Length(k)+0.5)*l.Width, Y: corner.Y + 0.15*l.unit}
		if !l.Slanted {
			name, at.Y = CutTo(name, l.above, l.Width), corner.Y+0.4*l.unit
		}
		c.FillText(l.above, at, name)
	}
	title := l.above
	c.FillText(title, vg.Point{X: (all.Min.X + all.Max.X) / 2, Y: corner.Y + l.unit}, l.Above)
	title.Rotation = math.Pi / 2
	c.FillText(title, vg.Point{X: c.Min.X + 0.4*l.unit, Y: (all.Min.Y + all.Max.Y) / 2}, l.Beside)
	l.scale(c, vg.Rectangle{Min: vg.Point{X: all.Max.X + 0.5*l.unit, Y: all.Min.Y}, Max: vg.Point{X: all.Max.X + 0.8*l.unit, Y: all.Max.Y}})
}

// scale draws the scale of the colours, and below it the mark that some cells have.
func (l *tileLayout) scale(c draw.Canvas, bar vg.Rectangle) {
	if l.Key != nil {
		bar.Min.Y = bar.Max.Y - 3*l.unit
	}
	place := func(v float64) float64 { return (v - l.Low) / (l.High - l.Low) }
	ColourBar(c, l.style, bar, l.Low, l.High, l.Ticks, place, func(at float64) float64 { return l.Low + at*(l.High-l.Low) }, l.Shade)
	c.FillText(Label(l.style.Size(8.5), text.XLeft, text.YBottom), vg.Point{X: bar.Min.X, Y: bar.Max.Y + 0.2*l.unit}, l.Scale)
	if l.Key != nil {
		mark, name := vg.Point{X: (bar.Min.X + bar.Max.X) / 2, Y: bar.Min.Y - 0.5*l.unit}, Label(l.style.Size(8), text.XLeft, text.YCenter)
		AddEntry(c, l.KeyName, func() { l.Key(c, l.style, mark) })
		c.FillText(name, vg.Point{X: bar.Max.X + 0.12*l.unit, Y: mark.Y + name.FontExtents().Descent}, l.KeyName)
	}
}
