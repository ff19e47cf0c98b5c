package figure

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// GridLines returns the pale lines behind a plot.
func GridLines() *plotter.Grid {
	g := plotter.NewGrid()
	g.Vertical.Color, g.Horizontal.Color = color.Gray{0xe6}, color.Gray{0xe6}
	return g
}

// Dress sets the typeface and spacing that all plots share.
func Dress(p *plot.Plot) {
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Label.TextStyle.Font = Sans(vg.Points(10))
		a.Tick.Label.Font = Sans(vg.Points(9))
		a.Label.Padding = vg.Points(4)
		a.Padding = 0
	}
	p.Legend.TextStyle.Font = Sans(vg.Points(9))
	p.Legend.Left = true
	p.Legend.XOffs, p.Legend.YOffs = vg.Points(8), vg.Points(8)
	p.Legend.ThumbnailWidth = vg.Points(26)
	p.Legend.Padding = vg.Points(2)
}
