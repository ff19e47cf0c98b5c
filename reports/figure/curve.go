package figure

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// AppendLog appends the point (log10 n, log10 v) to the points of a plot whose axes show logarithms. A value that has no
// finite logarithm is left out.
func AppendLog(to plotter.XYs, n int, v float64) plotter.XYs {
	if !(v > 0) || math.IsInf(v, 1) {
		return to
	}
	return append(to, plotter.XY{X: math.Log10(float64(n)), Y: math.Log10(v)})
}

// Curve adds a line with a dot at every point to a plot, and returns the line. With fewer than two points it adds nothing and
// returns nil.
func Curve(p *plot.Plot, points plotter.XYs, c color.Color, dash []vg.Length) (*plotter.Line, error) {
	if len(points) < 2 {
		return nil, nil
	}
	line, dots, err := plotter.NewLinePoints(points)
	if err != nil {
		return nil, err
	}
	line.LineStyle = draw.LineStyle{Color: c, Width: vg.Points(1.5), Dashes: dash}
	dots.GlyphStyle = draw.GlyphStyle{Color: c, Radius: vg.Points(1.8), Shape: draw.CircleGlyph{}}
	p.Add(line, dots)
	return line, nil
}

// Key is a legend entry for a kind of line.
func Key(dash []vg.Length) *plotter.Line {
	return &plotter.Line{LineStyle: draw.LineStyle{Color: color.Gray{0x40}, Width: vg.Points(1.5), Dashes: dash}}
}

// Dashes returns the pattern of a dashed line.
func Dashes() []vg.Length { return []vg.Length{vg.Points(5), vg.Points(3)} }

// SeriesStyle returns the line style of the i-th of many series. The first ones have different colours; the next ones have
// the same colours again, dashed.
func SeriesStyle(i int) draw.LineStyle {
	style := draw.LineStyle{Color: Color(i), Width: vg.Points(1.2)}
	if i >= Colors {
		style.Dashes = []vg.Length{vg.Points(3), vg.Points(2)}
	}
	return style
}

// AddLine adds a line to a plot. With fewer than two points it adds nothing.
func AddLine(p *plot.Plot, points plotter.XYs, style draw.LineStyle) error {
	if len(points) < 2 {
		return nil
	}
	line, err := plotter.NewLine(points)
	if err != nil {
		return err
	}
	line.LineStyle = style
	p.Add(line)
	return nil
}
