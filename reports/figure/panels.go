package figure

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// OfPanels returns the figure of several plots on white, each of about the given size, row by row; nil leaves its place empty.
func OfPanels(name string, width, height vg.Length, panels [][]*plot.Plot) *Figure {
	rows, columns := vg.Length(len(panels)), vg.Length(len(panels[0]))
	return New(name, columns*width, rows*height, func(c draw.Canvas) {
		c.FillPolygon(color.White, Corners(c.Rectangle))
		margin := 0.25 * vg.Centimeter
		DrawPanels(draw.Crop(c, margin, -margin, margin, -margin), panels)
	})
}

// DrawPanels draws plots row by row with their axes in line, on a canvas that they fill; nil leaves its place empty.
func DrawPanels(c draw.Canvas, panels [][]*plot.Plot) {
	tiles := draw.Tiles{Rows: len(panels), Cols: len(panels[0]), PadX: 0.3 * vg.Centimeter, PadY: 0.3 * vg.Centimeter}
	for i, line := range plot.Align(panels, tiles, c) {
		for j, canvas := range line {
			if panels[i][j] != nil {
				panels[i][j].Draw(canvas)
			}
		}
	}
}

// Titled sets the title of a panel.
func Titled(p *plot.Plot, title string) {
	p.Title.Text = title
	p.Title.TextStyle.Font = Sans(vg.Points(9.5))
	p.Title.Padding = vg.Points(3)
}
