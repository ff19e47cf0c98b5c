package reports

import (
	"image/color"
	"slices"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/experiments/evidence"
	"breadboard/reports/figure"
)

// marks gives each estimator a mark, by its place among all of them, so that it has the same one in every figure.
type marks struct {
	all  []string // the names in the order of the rows
	used []string // those that have been asked for
}

// newMarks returns the marks of the estimators of some rows.
func newMarks(rows []evidence.Row) *marks {
	m := &marks{}
	for i := range rows {
		if !slices.Contains(m.all, rows[i].Legend) {
			m.all = append(m.all, rows[i].Legend)
		}
	}
	return m
}

// of returns the mark of an estimator.
func (m *marks) of(name string) figure.Mark {
	if !slices.Contains(m.used, name) {
		m.used = append(m.used, name)
	}
	i := slices.Index(m.all, name)
	shapes := []draw.GlyphDrawer{
		draw.CircleGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{}, draw.RingGlyph{}, draw.SquareGlyph{}, draw.TriangleGlyph{}, draw.CrossGlyph{}, draw.PlusGlyph{},
	}
	dashes := [][]vg.Length{nil, {vg.Points(5), vg.Points(2)}, {vg.Points(1.5), vg.Points(2)}}
	shade := figure.Color(i)
	return figure.Mark{
		Line:  draw.LineStyle{Color: shade, Width: vg.Points(1.2), Dashes: dashes[i/figure.Colors%len(dashes)]},
		Glyph: draw.GlyphStyle{Color: shade, Radius: vg.Points(2.4), Shape: shapes[i%len(shapes)]},
	}
}

// legend returns the legend of the estimators that have been asked for, in the order of the rows.
func (m *marks) legend(more func(*figure.Legend)) figure.Legend {
	var l figure.Legend
	for _, name := range m.all {
		if slices.Contains(m.used, name) {
			l.Add(name, m.of(name))
		}
	}
	more(&l)
	return l
}

// dots returns the legend of figures that have points and no lines.
func (m *marks) dots(more func(*figure.Legend)) figure.Legend {
	var l figure.Legend
	for _, name := range m.all {
		if slices.Contains(m.used, name) {
			l.Add(name, figure.Mark{Glyph: m.of(name).Glyph})
		}
	}
	more(&l)
	return l
}

// addMarked draws points and the line through them.
func addMarked(p *figure.Panel, name string, points plotter.XYs, m figure.Mark) error {
	if len(points) == 0 {
		return nil
	}
	if err := figure.AddLine(p, name, points, m.Line); err != nil {
		return err
	}
	if len(points) == 1 {
		p.Record(name, points)
	}
	p.Add(&plotter.Scatter{XYs: points, GlyphStyle: m.Glyph})
	return nil
}

// greyLine is the style of lines that one reads others by.
func greyLine() draw.LineStyle { return draw.LineStyle{Color: color.Gray{0x90}, Width: vg.Points(1.5)} }
