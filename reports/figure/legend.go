package figure

import (
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Legend names what a figure shows. It stands beside the panels or below them, never over them.
type Legend struct {
	Title   string
	entries []entry
}

type entry struct {
	name string
	keys []plot.Thumbnailer
}

// Add adds an entry whose picture is that of all keys together. A name that is there already is not added again.
func (l *Legend) Add(name string, keys ...plot.Thumbnailer) {
	if !slices.ContainsFunc(l.entries, func(e entry) bool { return e.name == name }) {
		l.entries = append(l.entries, entry{name, keys})
	}
}

// Merge adds the entries of another legend.
func (l *Legend) Merge(other Legend) {
	for _, e := range other.entries {
		l.Add(e.name, e.keys...)
	}
}

// setLegend is a legend laid out in columns.
type setLegend struct {
	style         draw.TextStyle
	em            vg.Length
	title         string
	names         []string
	keys          [][]plot.Thumbnailer
	columns       int
	width, column vg.Length
	heights       []vg.Length // of the rows
}

// The parts of an entry, in the size of letters.
const (
	keyWidth  = 2.6
	keyGap    = 0.6
	columnGap = 1.6
	rowHeight = 1.45
)

// set lays the legend out in as many columns as there is room for, and no more than asked for.
func (l *Legend) set(s Style, room vg.Length, most int) setLegend {
	em := s.Letters()
	out := setLegend{style: Label(s.Size(9), text.XLeft, text.YCenter), em: em, title: l.Title}
	names := vg.Length(0)
	for _, e := range l.entries {
		name := Wrapped(e.name, out.style, room-(keyWidth+keyGap)*em)
		out.names, out.keys = append(out.names, name), append(out.keys, e.keys)
		names = max(names, out.style.Width(name))
	}
	out.column = names + (keyWidth+keyGap)*em
	out.columns = max(1, min(most, len(l.entries), int((room+columnGap*em)/(out.column+columnGap*em))))
	if n := len(l.entries); n > 0 { // no more columns than the rows need
		rows := (n + out.columns - 1) / out.columns
		out.columns = (n + rows - 1) / rows
	}
	out.width = vg.Length(out.columns)*(out.column+columnGap*em) - columnGap*em
	if l.Title != "" {
		out.width = max(out.width, out.style.Width(l.Title))
	}
	for from := 0; from < len(out.names); from += out.columns {
		lines := 1
		for _, name := range out.names[from:min(len(out.names), from+out.columns)] {
			lines = max(lines, 1+strings.Count(name, "\n"))
		}
		out.heights = append(out.heights, (rowHeight+1.1*vg.Length(lines-1))*em)
	}
	return out
}

// height returns the height of the whole legend.
func (l *setLegend) height() (sum vg.Length) {
	if l.title != "" {
		sum = rowHeight * l.em
	}
	for _, h := range l.heights {
		sum += h
	}
	return sum
}

// draw draws the legend from a point down.
func (l *setLegend) draw(c draw.Canvas, at vg.Point) {
	descent := l.style.FontExtents().Descent
	if l.title != "" {
		c.FillText(l.style, vg.Point{X: at.X, Y: at.Y - rowHeight*l.em/2 + descent}, l.title)
		at.Y -= rowHeight * l.em
	}
	for i, name := range l.names {
		row, column := i/l.columns, i%l.columns
		if column == 0 && row > 0 {
			at.Y -= l.heights[row-1]
		}
		x, middle := at.X+vg.Length(column)*(l.column+columnGap*l.em), at.Y-l.heights[row]/2
		key := draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
			Min: vg.Point{X: x, Y: middle - 0.4*l.em}, Max: vg.Point{X: x + keyWidth*l.em, Y: middle + 0.4*l.em},
		}}
		AddEntry(c, name, func() {
			for _, k := range l.keys[i] {
				k.Thumbnail(&key)
			}
		})
		c.FillText(l.style, vg.Point{X: x + (keyWidth+keyGap)*l.em, Y: middle + descent}, name)
	}
}
