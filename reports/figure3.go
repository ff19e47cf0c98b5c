package reports

import (
	"errors"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/experiments/tightness"
)

// Figure3 draws J (solid) and B (dashed) against T on logarithmic axes, one colour a toy, as Figure 3 of
// Grosse, Ancha and Roy 2016. Values that are infinite or zero are left out. It fails where no toy has two
// points to join.
func Figure3(rows []tightness.Row) (*Figure, error) {
	p := plot.New()
	p.X.Label.Text = "number of distributions T"
	p.Y.Label.Text = "Jeffreys divergence (nats)"
	p.X.Tick.Marker, p.Y.Tick.Marker = decades{}, decades{}
	p.Add(gridLines())
	lines := 0
	for i, name := range toyNames(rows) {
		var j, b plotter.XYs
		for _, r := range rows {
			if r.Toy.Name == name {
				j, b = appendLog(j, r.T, r.J), appendLog(b, r.T, r.B)
			}
		}
		solid, err := curve(p, j, paletteColor(i), nil)
		if err != nil {
			return nil, err
		}
		if _, err := curve(p, b, paletteColor(i), dashes()); err != nil {
			return nil, err
		}
		if solid != nil {
			lines++
			p.Legend.Add(name, solid)
		}
	}
	if lines == 0 {
		return nil, errors.New("nothing to draw: give at least two numbers of distributions, as in -T 10,100,1000")
	}
	p.Legend.Add("J, exact", key(nil))
	p.Legend.Add("B, the bound", key(dashes()))
	stylePlot(p)
	p.Y.Min = math.Floor(p.Y.Min + 0.05) // a decade, so that the lowest tick has a label
	p.Y.Max += 0.2
	return plotFigure("figure3", 13*vg.Centimeter, 9.5*vg.Centimeter, p), nil
}

func toyNames(rows []tightness.Row) []string {
	var names []string
	seen := map[string]bool{}
	for _, r := range rows {
		if !seen[r.Toy.Name] {
			seen[r.Toy.Name] = true
			names = append(names, r.Toy.Name)
		}
	}
	return names
}

func appendLog(to plotter.XYs, T int, v float64) plotter.XYs {
	if !(v > 0) || math.IsInf(v, 1) {
		return to
	}
	return append(to, plotter.XY{X: math.Log10(float64(T)), Y: math.Log10(v)})
}

// curve adds a line with a dot at every exact value, and returns it; nil where there are not two points.
func curve(p *plot.Plot, points plotter.XYs, c color.Color, dash []vg.Length) (*plotter.Line, error) {
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

// key is a legend entry for a kind of line.
func key(dash []vg.Length) *plotter.Line {
	return &plotter.Line{LineStyle: draw.LineStyle{Color: color.Gray{0x40}, Width: vg.Points(1.5), Dashes: dash}}
}

func dashes() []vg.Length { return []vg.Length{vg.Points(5), vg.Points(3)} }

func gridLines() *plotter.Grid {
	g := plotter.NewGrid()
	g.Vertical.Color, g.Horizontal.Color = color.Gray{0xe6}, color.Gray{0xe6}
	return g
}

// stylePlot sets the typeface and spacing that all plots share.
func stylePlot(p *plot.Plot) {
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Label.TextStyle.Font = sans(vg.Points(10))
		a.Tick.Label.Font = sans(vg.Points(9))
		a.Label.Padding = vg.Points(4)
		a.Padding = 0
	}
	p.Legend.TextStyle.Font = sans(vg.Points(9))
	p.Legend.Left = true
	p.Legend.XOffs, p.Legend.YOffs = vg.Points(8), vg.Points(8)
	p.Legend.ThumbnailWidth = vg.Points(26)
	p.Legend.Padding = vg.Points(2)
}
