package figure

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Marks gives each series a mark, by its place among all names, so that it has the same one in every
type Marks struct {
	Names []string // those of all series, in the order of legends
	used  []string // those that have been asked for
}

// Of returns the mark of a series.
func (m *Marks) Of(name string) Mark {
	if !slices.Contains(m.used, name) {
		m.used = append(m.used, name)
	}
	i := slices.Index(m.Names, name)
	shapes := []draw.GlyphDrawer{
		draw.CircleGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{}, draw.RingGlyph{}, draw.SquareGlyph{}, draw.TriangleGlyph{}, draw.CrossGlyph{}, draw.PlusGlyph{},
	}
	dashes := [][]vg.Length{nil, {vg.Points(5), vg.Points(2)}, {vg.Points(1.5), vg.Points(2)}}
	shade := Color(i)
	return Mark{
		Line:  draw.LineStyle{Color: shade, Width: vg.Points(1.2), Dashes: dashes[i/Colors%len(dashes)]},
		Glyph: draw.GlyphStyle{Color: shade, Radius: vg.Points(2.4), Shape: shapes[i%len(shapes)]},
	}
}

// Legend returns the legend of the series that have been asked for, in the order of the names.
func (m *Marks) Legend(more func(*Legend)) Legend {
	var l Legend
	for _, name := range m.Names {
		if slices.Contains(m.used, name) {
			l.Add(name, m.Of(name))
		}
	}
	more(&l)
	return l
}

// Dots returns the legend of figures that have points and no lines.
func (m *Marks) Dots(more func(*Legend)) Legend {
	var l Legend
	for _, name := range m.Names {
		if slices.Contains(m.used, name) {
			l.Add(name, Mark{Glyph: m.Of(name).Glyph})
		}
	}
	more(&l)
	return l
}

// AddMarked draws points and the line through them.
func AddMarked(p *Panel, name string, points plotter.XYs, m Mark) error {
	if len(points) == 0 {
		return nil
	}
	if err := AddLine(p, name, points, m.Line); err != nil {
		return err
	}
	if len(points) == 1 {
		p.Record(name, points)
	}
	p.Add(&plotter.Scatter{XYs: points, GlyphStyle: m.Glyph})
	return nil
}

// GreyLine returns the style of lines that one reads others by.
func GreyLine() draw.LineStyle { return draw.LineStyle{Color: color.Gray{0x90}, Width: vg.Points(1.5)} }

// Band is the grey area between two curves.
func Band(low, high plotter.XYs) *plotter.Polygon {
	around := append(plotter.XYs{}, low...)
	for i := len(high) - 1; i >= 0; i-- {
		around = append(around, high[i])
	}
	return &plotter.Polygon{XYs: []plotter.XYs{around}, Color: color.Gray{0xe2}}
}

// Finite reports whether a number is neither infinite nor NaN.
func Finite(v float64) bool { return !math.IsInf(v, 0) && !math.IsNaN(v) }

// RoomAround moves the ends of the axes away from the points, so that none is on an axis. It does nothing to a plot without points.
func RoomAround(p *Panel) {
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		if room := 0.04*(axis.Max-axis.Min) + 0.02; Finite(room) {
			axis.Min, axis.Max = axis.Min-room, axis.Max+room
		}
	}
}

// Across draws a grey line across a plot, where its axis reaches so far.
func Across(p *Panel, y float64) {
	if !Finite(p.X.Min) || y < p.Y.Min || y > p.Y.Max {
		return
	}
	p.Add(&plotter.Line{XYs: plotter.XYs{{X: p.X.Min, Y: y}, {X: p.X.Max, Y: y}}, LineStyle: GreyLine()})
}

// CutTo cuts a name that is longer than there is room for.
func CutTo(name string, style draw.TextStyle, room vg.Length) string {
	letters := []rune(name)
	for n := len(letters) - 1; n > 0 && style.Width(name) > room; n-- {
		name = string(letters[:n]) + "."
	}
	return name
}

// LogPoints returns the points of rows on logarithmic axes. Those whose logarithms are not finite are left out.
func LogPoints[R any](rows []R, x, y func(*R) float64) plotter.XYs {
	var points plotter.XYs
	for i := range rows {
		if u, v := math.Log10(x(&rows[i])), math.Log10(y(&rows[i])); !math.IsNaN(v) && !math.IsInf(v, 0) {
			points = append(points, plotter.XY{X: u, Y: v})
		}
	}
	return points
}
