package figure

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg/draw"
)

// Upright is a vertical line at x, a little higher than Top, which may still grow while the plot is made.
type Upright struct {
	X     float64
	Top   *float64
	Style draw.LineStyle
}

// Plot implements plot.Plotter.
func (u *Upright) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	c.StrokeLine2(u.Style, x(u.X), c.Min.Y, x(u.X), y(*u.Top*1.05))
}

// Thumbnail implements plot.Thumbnailer.
func (u *Upright) Thumbnail(c *draw.Canvas) {
	y := c.Center().Y
	c.StrokeLine2(u.Style, c.Min.X, y, c.Max.X, y)
}

// DataRange implements plot.DataRanger.
func (u *Upright) DataRange() (xmin, xmax, ymin, ymax float64) { return u.X, u.X, 0, *u.Top }
