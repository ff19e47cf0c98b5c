package figure

import (
	"image/color"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// FillCell fills a box with a colour. The edge is stroked in the same colour, so that no seams show between cells.
func FillCell(c draw.Canvas, shade color.Color, box vg.Rectangle) {
	around := Corners(box)
	c.FillPolygon(shade, around)
	c.StrokeLines(draw.LineStyle{Color: shade, Width: vg.Points(0.5)}, append(around, around[0]))
}

// Corners returns the corners of a box, in their order around it.
func Corners(r vg.Rectangle) []vg.Point {
	return []vg.Point{r.Min, {X: r.Max.X, Y: r.Min.Y}, r.Max, {X: r.Min.X, Y: r.Max.Y}}
}
