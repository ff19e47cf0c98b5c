package figure

import (
	"math"
	"reflect"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// alignments is how often panels are laid out: each time the areas within their axes are known
// better, and the third time hardly anything moves.
const alignments = 3

// layBand lays the panels of a band out with their axes in line, each in its part of a canvas. It
// draws nothing. Panels beside or above one another that have one axis have its labels once.
func layBand(c draw.Canvas, style Style, panels [][]*Panel) (plots [][]*plot.Plot, aligned [][]draw.Canvas) {
	gap := 0.8 * style.Letters()
	across, down, c := shared(c, Label(style.Letters(), text.XCenter, text.YBottom), panels)
	tiles := draw.Tiles{Rows: len(panels), Cols: len(panels[0]), PadX: gap, PadY: gap}
	plots = make([][]*plot.Plot, len(panels))
	lay := func(i, j int, width vg.Length, data vg.Point) {
		plots[i][j] = panels[i][j].laidOut(style, width, data)
		if across != "" {
			plots[i][j].X.Label.Text = ""
		}
		if down != "" {
			plots[i][j].Y.Label.Text = ""
		}
		if j > 0 && panels[i][j-1] != nil && panels[i][j-1].Y.Label.Text == panels[i][j].Y.Label.Text {
			plots[i][j].Y.Label.Text = ""
			if sameAxis(&panels[i][j-1].Y, &panels[i][j].Y) {
				unlabelled(&plots[i][j].Y)
			}
		}
		if i+1 < len(panels) && panels[i+1][j] != nil && sameAxis(&panels[i+1][j].X, &panels[i][j].X) {
			plots[i][j].X.Label.Text = ""
			unlabelled(&plots[i][j].X)
		}
		if i > 0 && panels[i-1][j] != nil && panels[i-1][j].Title.Text == panels[i][j].Title.Text {
			plots[i][j].Title.Text = ""
		}
	}
	for i, row := range panels {
		plots[i] = make([]*plot.Plot, len(row))
		for j, p := range row {
			if p != nil {
				tile := tiles.At(c, j, i).Size()
				lay(i, j, tile.X, tile.Add(vg.Point{X: -4 * style.Letters(), Y: -4 * style.Letters()}))
			}
		}
	}
	aligned = align(plots, tiles, c)
	for range alignments - 1 {
		for i, row := range panels {
			for j, p := range row {
				if p != nil {
					lay(i, j, aligned[i][j].Size().X, plots[i][j].DataCanvas(aligned[i][j]).Size())
				}
			}
		}
		aligned = align(plots, tiles, c)
	}
	return plots, aligned
}

// shared returns the labels that the axes of all panels of several rows have, if there is room for
// them in a line, and the part of the canvas that they leave. They stand there once.
func shared(c draw.Canvas, style draw.TextStyle, panels [][]*Panel) (across, down string, rest draw.Canvas) {
	var x, y []string
	for _, p := range slices.Concat(panels...) {
		if p != nil {
			x, y = append(x, p.X.Label.Text), append(y, p.Y.Label.Text)
		}
	}
	take := func(labels []string, room vg.Length, edge *vg.Length) string {
		if len(panels) < 2 || labels[0] == "" || slices.Min(labels) != slices.Max(labels) ||
			style.Width(labels[0]) > room {
			return ""
		}
		*edge += 1.6 * style.Font.Size
		return labels[0]
	}
	rest = c
	return take(x, c.Size().X, &rest.Min.Y), take(y, c.Size().Y, &rest.Min.X), rest
}

// sameAxis reports whether two axes have one label, and the same numbers or names at the same
// places.
func sameAxis(a, b *plot.Axis) bool {
	return a.Label.Text == b.Label.Text && a.Min == b.Min && a.Max == b.Max &&
		reflect.DeepEqual(a.Tick.Marker, b.Tick.Marker)
}

// unlabelled takes the labels from the ticks of an axis. Blanks keep the ticks, and the lines
// behind the panel.
func unlabelled(a *plot.Axis) {
	ticks := slices.Clone(a.Tick.Marker.Ticks(a.Min, a.Max))
	for i := range ticks {
		ticks[i].Label = strings.Repeat(" ", min(1, len(ticks[i].Label)))
	}
	a.Tick.Marker = plot.ConstantTicks(ticks)
	a.Tick.Label.Font.Size = 0.01
	a.Tick.Label.Rotation = 0
}

// inset is what a plot takes on both sides of its area in one direction, for labels.
type inset struct{ before, after vg.Length }

// insets returns those of a plot on a canvas, from the left to the right and from the top down.
func insets(p *plot.Plot, c draw.Canvas) (across, down inset) {
	area := p.DataCanvas(c)
	return inset{area.Min.X - c.Min.X, c.Max.X - area.Max.X}, inset{
		c.Max.Y - area.Max.Y, area.Min.Y - c.Min.Y}
}

// align returns the canvases on which the areas of plots have one size and stand in rows and
// columns, which are as far apart as their labels need. What labels need depends on the canvas, so
// that it is measured again on the first result.
func align(plots [][]*plot.Plot, tiles draw.Tiles, c draw.Canvas) (out [][]draw.Canvas) {
	for j, row := range plots {
		out = append(out, make([]draw.Canvas, len(row)))
		for i := range row {
			out[j][i] = tiles.At(c, i, j)
		}
	}
	for range 2 {
		columns, rows := needs(plots, out)
		free := c.Size().Sub(vg.Point{X: vg.Length(tiles.Cols-1) * tiles.PadX, Y: vg.Length(tiles.Rows-1) * tiles.PadY})
		for _, in := range columns {
			free.X -= in.before + in.after
		}
		for _, in := range rows {
			free.Y -= in.before + in.after
		}
		size := vg.Point{X: free.X / vg.Length(tiles.Cols), Y: free.Y / vg.Length(tiles.Rows)}
		at := vg.Point{Y: c.Max.Y}
		for j, row := range plots {
			at = vg.Point{X: c.Min.X, Y: at.Y - rows[j].before - size.Y}
			for i, p := range row {
				at.X += columns[i].before
				if p != nil {
					across, down := insets(p, out[j][i])
					out[j][i].Min = at.Sub(vg.Point{X: across.before, Y: down.after})
					out[j][i].Max = at.Add(size).Add(vg.Point{X: across.after, Y: down.before})
				}
				at.X += size.X + columns[i].after + tiles.PadX
			}
			at.Y -= rows[j].after + tiles.PadY
		}
	}
	return out
}

// needs returns the largest insets of the plots in each column and in each row.
func needs(plots [][]*plot.Plot, on [][]draw.Canvas) (columns, rows []inset) {
	columns = make([]inset, len(plots[0]))
	rows = make([]inset, len(plots))
	widen := func(to *inset, by inset) {
		to.before, to.after = max(to.before, by.before), max(to.after, by.after)
	}
	for j, row := range plots {
		for i, p := range row {
			if p != nil {
				across, down := insets(p, on[j][i])
				widen(&columns[i], across)
				widen(&rows[j], down)
			}
		}
	}
	return columns, rows
}

// drawBand draws the panels of a band, whose heights may be those of that many lines.
func drawBand(c draw.Canvas, style Style, panels [][]*Panel, lines bool) {
	plots, aligned := layBand(c, style, panels)
	label := Label(style.Letters(), text.XCenter, text.YBottom)
	across, down, area := shared(c, label, panels)
	c.FillText(label, vg.Point{X: area.Center().X, Y: c.Min.Y}, across)
	label.Rotation = math.Pi / 2
	label.YAlign = text.YTop
	c.FillText(label, vg.Point{X: c.Min.X, Y: area.Center().Y}, down)
	for i, line := range aligned {
		top := c.Min.Y
		for j, canvas := range line {
			if plots[i][j] != nil {
				top = max(top, canvas.Max.Y)
			}
		}
		for j, canvas := range line {
			if plots[i][j] != nil {
				drawTitled(canvas, plots[i][j], top)
				panels[i][j].addTips(canvas, plots[i][j])
				panels[i][j].addLayout(canvas, plots[i][j], lines)
			}
		}
	}
}

// drawTitled draws a plot with its title at a height, which is that of all titles of a row. The
// title stands above the middle of the axis if there is room for it.
func drawTitled(c draw.Canvas, p *plot.Plot, top vg.Length) {
	area := p.DataCanvas(c)
	size := p.Title.TextStyle.Rectangle(p.Title.Text).Size()
	if p.Title.Text != "" {
		middle := max(min(area.Center().X, c.Max.X-size.X/2), c.Min.X+size.X/2)
		c.FillText(p.Title.TextStyle, vg.Point{X: middle, Y: top + p.Title.TextStyle.FontExtents().Descent},
			p.Title.Text)
		c.Max.Y -= size.Y + p.Title.Padding
	}
	untitled := *p
	untitled.Title.Text = ""
	untitled.Draw(c)
}
