package figure

import (
	"image/color"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// drawn returns how a column of a series is drawn: without a line where names stand along the axis,
// between which nothing lies, and where its points are marked to stand alone.
func (d *Drawing) drawn(part, series, column int) Mark {
	q := &d.parts[part]
	series = d.alike[series]
	m := d.mark(series, column-q.main())
	if len(d.by) == 0 && len(q.ys) == q.main()+1 &&
		slices.ContainsFunc(d.parts, func(o plotPart) bool { return len(o.ys) > o.main()+1 }) {
		m = FullIn(Color(NearBlack), 0) // another quantity than those that the legend names
	}
	switch {
	case slices.Contains(d.barred, q.ys[column]):
		m.Line.Width = vg.Points(0.8)
	case slices.Contains(d.dots, q.ys[column]):
		m.Line.Width = 0
		m.Glyph.Radius = vg.Points(2.6)
		m.Glyph.Shape = FullIn(m.Line.Color, column-q.main()).Glyph.Shape
	case q.xAxis.names != nil || q.names:
		m.Line.Width = 0
	case d.plot.Lines:
		m.Glyph.Radius = 0
		if len(d.by) > 0 && column == q.main() && !d.dashed() { // so that dashes tell apart what has no marks
			m.Line.Dashes = dashesOf(series)
		}
	}
	if d.bold(series) {
		m.Line.Width *= 1.7
	}
	return m
}

// bold reports whether the lines of a series are wide.
func (d *Drawing) bold(series int) bool {
	return d.plot.Bold != "" && series < len(d.called) && strings.HasPrefix(d.called[series], d.plot.Bold)
}

// dashed reports whether dashes tell the lines of columns apart, and so cannot tell series apart.
func (d *Drawing) dashed() bool {
	return slices.ContainsFunc(d.parts, func(q plotPart) bool {
		lines := slices.DeleteFunc(slices.Clone(q.ys[q.main():]),
			func(y int) bool { return slices.Contains(d.dots, y) || slices.Contains(d.barred, y) })
		return len(lines) > 1
	})
}

// levelStyle is that of the lines across a panel, by which others are read: greys of their own, as
// dashes tell columns apart.
func levelStyle(i int) draw.LineStyle {
	return []draw.LineStyle{{Color: color.Gray{0x60}, Width: vg.Points(1)}, {
		Color: color.Gray{0xb0},
		Width: vg.Points(2.2),
	}, {Color: color.Gray{0x78}, Width: vg.Points(0.5)}}[i%3]
}

// mark returns the mark of a column of a series: a colour for each series, and if there is one
// series for each column.
func (d *Drawing) mark(series, column int) Mark {
	if len(d.by) == 0 {
		// so that the third line does not hide the second
		series += column
		column = max(0, column-1)
	}
	m := Full(series)
	m.Line.Dashes = dashesOf(series / Colors)
	return kindMark(m, column)
}

// dashesOf returns the i-th pattern of lines, the first of which is full. Those of the first eleven
// differ also without colours.
func dashesOf(i int) []vg.Length {
	patterns := [][]vg.Length{nil, Dashes(), {1.5, 2}, {8, 2, 2, 2}, nil, {10, 2}, {3, 1.5}, {12, 2, 2, 2},
		{5, 1.5, 1.5, 1.5}, {14, 3}, {6, 1.5}}
	return patterns[i%len(patterns)]
}

// kindMark tells the columns of a series apart: the first is full, the second open with dashes, and
// so on with other dashes.
func kindMark(m Mark, column int) Mark {
	if column == 0 {
		return m
	}
	m = m.Open()
	m.Line.Dashes = dashesOf(1 + (column-1)%3)
	return m
}

// pale returns the colour of a series for areas, through which lines and other areas show.
func pale(series int) color.Color { return shade(Color(series), 0) }

// shade returns a colour for the bands of the k-th pair of columns: those of the second are darker
// than those of the first.
func shade(of color.Color, k int) color.Color {
	c := color.NRGBAModel.Convert(of).(color.NRGBA)
	c.A = []uint8{0x38, 0x70}[k%2]
	return c
}

// bandColor returns the colour of the band of the k-th pair of columns of a series: a grey behind
// bars, which are translucent areas too.
func (d *Drawing) bandColor(series, k int) color.Color {
	if d.barred != nil {
		return shade(KindGrey(), k)
	}
	return shade(Color(d.alike[series]), k)
}
