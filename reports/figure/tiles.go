package figure

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
)

// These lengths are the layout of tiled plots.
const (
	tileWidth   = 7 * vg.Centimeter
	tileHeight  = 6 * vg.Centimeter
	legendWidth = 3.4 * vg.Centimeter
)

// Tiles draws plots in a grid, one row after another, with one legend for all of them at the
// right. Where a plot is nil its place stays empty.
func Tiles(name string, columns int, plots []*plot.Plot, legend plot.Legend) *Figure {
	return tiles(name, columns, plots, legend, legendWidth, 0)
}

// TilesBeside does what Tiles does, for a legend that may be long or wide: the figure has room for all of it.
func TilesBeside(name string, columns int, plots []*plot.Plot, legend plot.Legend) *Figure {
	size := sizeOf(legend)
	return tiles(name, columns, plots, legend, max(legendWidth, size.X+0.5*vg.Centimeter), size.Y+1.5*vg.Centimeter)
}

// OfPlotBeside returns the figure of a plot of about the given size on white, with a legend at its right, for which there is room.
func OfPlotBeside(name string, width, height vg.Length, p *plot.Plot, legend plot.Legend) *Figure {
	const margin = 0.25 * vg.Centimeter
	size := sizeOf(legend)
	return New(name, width+size.X+2*margin, max(height, size.Y+6*margin), func(c draw.Canvas) {
		c.FillPolygon(color.White, Corners(c.Rectangle))
		p.Draw(draw.Crop(c, margin, -size.X-4*margin, margin, -margin))
		legend.Draw(draw.Crop(c, width, 0, margin, -margin))
	})
}

// sizeOf returns the room that a legend takes.
func sizeOf(legend plot.Legend) vg.Point {
	const ample = 100 * vg.Centimeter
	return legend.Rectangle(draw.NewCanvas(&recorder.Canvas{}, ample, ample)).Size()
}

// tiles draws plots in a grid beside a legend of a width, on a figure of at least some height.
func tiles(name string, columns int, plots []*plot.Plot, legend plot.Legend, legendWidth, least vg.Length) *Figure {
	rows := (len(plots) + columns - 1) / columns
	f := &Figure{Name: name, width: vg.Length(columns)*tileWidth + legendWidth, height: max(least, vg.Length(rows)*tileHeight)}
	f.draw = func(c draw.Canvas) {
		c.FillPolygon(color.White, Corners(c.Rectangle))
		margin := 0.25 * vg.Centimeter
		for i, p := range plots {
			if p == nil {
				continue
			}
			left, top := vg.Length(i%columns)*tileWidth, c.Max.Y-vg.Length(i/columns)*tileHeight
			p.Draw(draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
				Min: vg.Point{X: c.Min.X + left + margin, Y: top - tileHeight + margin},
				Max: vg.Point{X: c.Min.X + left + tileWidth - margin, Y: top - margin},
			}})
		}
		legend.Draw(draw.Crop(c, f.width-legendWidth, 0, margin, -margin))
	}
	return f
}

// Tile returns an empty plot of a grid.
func Tile(title, x, y string) *plot.Plot {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, y
	p.Title.TextStyle.Font = Sans(vg.Points(10))
	p.Title.Padding = vg.Points(3)
	p.Add(GridLines())
	Dress(p)
	return p
}

// SideLegend returns an empty legend for the right of a grid.
func SideLegend() plot.Legend {
	l := plot.NewLegend()
	l.TextStyle.Font = Sans(vg.Points(9))
	l.TextStyle.Handler = Label(vg.Points(9), draw.XLeft, draw.YTop).Handler
	l.Top, l.Left = true, true
	l.ThumbnailWidth = vg.Points(26)
	l.Padding = vg.Points(2)
	l.YOffs = -0.5 * vg.Centimeter
	return l
}
