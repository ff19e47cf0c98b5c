package figure

import (
	"image/color"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// FillCells fills a box with cells of equal size, rows from the top, in colours that a function gives. Neighbours of one colour are one
// shape, and each shape reaches a little under those that are drawn after it at its right and below, so that no viewer shows seams.
func FillCells(c draw.Canvas, box vg.Rectangle, rows, columns int, shade func(row, column int) color.Color) {
	width, height := box.Size().X/vg.Length(columns), box.Size().Y/vg.Length(rows)
	under := min(vg.Points(0.6), width/2, height/2)
	for i := range rows {
		for from := 0; from < columns; {
			until := from + 1
			for until < columns && shade(i, until) == shade(i, from) {
				until++
			}
			cell := vg.Rectangle{
				Min: vg.Point{X: box.Min.X + width*vg.Length(from), Y: box.Max.Y - height*vg.Length(i+1)},
				Max: vg.Point{X: box.Min.X + width*vg.Length(until), Y: box.Max.Y - height*vg.Length(i)},
			}
			if until < columns {
				cell.Max.X += under
			}
			if i < rows-1 {
				cell.Min.Y -= under
			}
			c.FillPolygon(shade(i, from), Corners(cell))
			from = until
		}
	}
}

// Corners returns the corners of a box, in their order around it.
func Corners(r vg.Rectangle) []vg.Point {
	return []vg.Point{r.Min, {X: r.Max.X, Y: r.Min.Y}, r.Max, {X: r.Min.X, Y: r.Max.Y}}
}

// ColourBar draws a scale of colours from low to high upwards in a box, with labels at round numbers at its right. The function at says
// where a number stands, from 0 to 1, and the function back which number stands at a place.
func ColourBar(c draw.Canvas, s Style, box vg.Rectangle, low, high float64, at, back func(float64) float64, shade func(float64) color.Color) {
	const steps = 64
	FillCells(c, box, steps, 1, func(row, _ int) color.Color { return shade(back((steps - 0.5 - float64(row)) / steps)) })
	style := Label(s.Size(7.5), draw.XLeft, draw.YCenter)
	last, labels := box.Min.Y-box.Size().Y, 0
	for _, t := range (Linear{}).Ticks(low, high) {
		y := box.Min.Y + box.Size().Y*vg.Length(at(t.Value))
		if t.Label == "" || y < last+style.Font.Size {
			continue
		}
		last, labels = y, labels+1
		c.StrokeLine2(draw.LineStyle{Color: color.Black, Width: vg.Points(0.5)}, box.Max.X, y, box.Max.X+0.05*vg.Centimeter, y)
		c.FillText(style, vg.Point{X: box.Max.X + 0.12*vg.Centimeter, Y: y + style.FontExtents().Descent}, t.Label)
	}
	AddScale(c, labels)
}
