package figure

import (
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Legend names what a figure shows. It is beside the panels or below them, never over them.
type Legend struct {
	entries []entry
	heading string // of the entries that follow
}

// entry is a key with its name, or a heading, which has no keys.
type entry struct {
	name    string
	keys    []plot.Thumbnailer
	heading bool
}

// Head puts a heading above the entries that are added next, if there are any.
func (l *Legend) Head(name string) { l.heading = name }

// Add adds an entry whose picture shows all keys together. A name that is already in the legend is
// not added again.
func (l *Legend) Add(name string, keys ...plot.Thumbnailer) {
	if slices.ContainsFunc(l.entries, func(e entry) bool { return e.name == name && !e.heading }) {
		return
	}
	if l.heading != "" {
		l.entries = append(l.entries, entry{name: l.heading, heading: true})
		l.heading = ""
	}
	l.entries = append(l.entries, entry{name: name, keys: keys})
}

// Merge adds the entries of another legend.
func (l *Legend) Merge(other Legend) {
	for _, e := range other.entries {
		if e.heading {
			l.Head(e.name)
		} else {
			l.Add(e.name, e.keys...)
		}
	}
}

// setLegend is a legend laid out in columns.
type setLegend struct {
	style         draw.TextStyle
	em            vg.Length
	entries       []entry
	places        []place // of the entries: the columns and rows before each
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

// layOut lays the legend out in as many columns as there is room for, and no more than asked for. A
// heading has a row of its own.
func (l *Legend) layOut(s Style, room vg.Length, most int) setLegend {
	em := s.Letters()
	out := setLegend{
		style:   Label(s.Size(9), text.XLeft, text.YCenter),
		em:      em,
		entries: slices.Clone(l.entries),
	}
	// how many entries are below a heading
	names := vg.Length(0)
	group := 0
	largest := 0
	for i, e := range l.entries {
		group++
		if e.heading {
			group, out.width = 0, max(out.width, out.style.Width(e.name))
			continue
		}
		out.entries[i].name = Wrapped(e.name, out.style, room-(keyWidth+keyGap)*em)
		names = max(names, out.style.Width(out.entries[i].name))
		largest = max(largest, group)
	}
	out.column = names + (keyWidth+keyGap)*em
	columns := max(1, min(most, largest, int((room+columnGap*em)/(out.column+columnGap*em))))
	if largest > 0 { // no more columns than the rows need
		rows := (largest + columns - 1) / columns
		columns = (largest + rows - 1) / rows
		out.width = max(out.width, vg.Length(columns)*(out.column+columnGap*em)-columnGap*em)
	}
	at := columns
	for i, e := range out.entries {
		if e.heading || at == columns || out.entries[i-1].heading {
			out.heights = append(out.heights, 0)
			at = 0
		}
		row := len(out.heights) - 1
		out.places = append(out.places, place{at, row})
		out.heights[row] = max(out.heights[row], (rowHeight+1.1*vg.Length(strings.Count(e.name, "\n")))*em)
		at++
	}
	return out
}

// height returns the height of the whole legend.
func (l *setLegend) height() (sum vg.Length) {
	for _, h := range l.heights {
		sum += h
	}
	return sum
}

// draw draws the legend from a point down.
func (l *setLegend) draw(c draw.Canvas, at vg.Point) {
	descent := l.style.FontExtents().Descent
	row := 0
	for i, e := range l.entries {
		for ; row < l.places[i].rows; row++ {
			at.Y -= l.heights[row]
		}
		x := at.X + vg.Length(l.places[i].columns)*(l.column+columnGap*l.em)
		middle := at.Y - l.heights[row]/2
		if e.heading {
			c.FillText(l.style, vg.Point{X: x, Y: middle + descent}, e.name)
			continue
		}
		key := draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
			Min: vg.Point{X: x, Y: middle - 0.4*l.em},
			Max: vg.Point{X: x + keyWidth*l.em, Y: middle + 0.4*l.em},
		}}
		AddEntry(c, e.name, func() {
			for _, k := range e.keys {
				k.Thumbnail(&key)
			}
		})
		c.FillText(l.style, vg.Point{X: x + (keyWidth+keyGap)*l.em, Y: middle + descent}, e.name)
	}
}
