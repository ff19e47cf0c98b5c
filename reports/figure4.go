package reports

import (
	"errors"
	"fmt"
	"image/color"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot/palette"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/experiments/tightness"
	"breadboard/grid"
	"breadboard/reports/figure"
	"breadboard/toys"
)

// These lengths are the layout of Figure 4.
const (
	panelSize   = 2.3 * vg.Centimeter
	panelGap    = 0.25 * vg.Centimeter
	rowLabel    = 0.8 * vg.Centimeter
	barGap      = 0.3 * vg.Centimeter
	barWidth    = 0.25 * vg.Centimeter
	barLabel    = 1.2 * vg.Centimeter
	headerSpace = 0.7 * vg.Centimeter
	footerSpace = 0.9 * vg.Centimeter
)

// Figure4 draws, one row a toy, distributions on the way, the target and the exact law of the sampler's
// output as heat maps, as Figure 4 of Grosse, Ancha and Roy 2016. A graph is drawn as nodes where its states have places, and
// otherwise as bars. The colour depends on the square root of the probability, from 0 to the largest probability of the row;
// the bar at the right shows the scale. Figure4 fails on grids that are not planes, and on graphs that are too large to draw.
func Figure4(rows []tightness.Intermediates) (*figure.Figure, error) {
	if len(rows) == 0 {
		return nil, errors.New("nothing to draw: give at least one toy")
	}
	l := figure4Layout{left: rowLabel, panel: panelSize}
	tall := vg.Length(0) // the height of all rows together, beyond the smallest height for each
	for _, r := range rows {
		p, err := pictureOf(r.Toy)
		if err != nil {
			return nil, err
		}
		switch p {
		case nodes:
			l.panel = nodesSize
		case bars:
			l.left = rowLabel + barNames
		}
		l.pictures = append(l.pictures, p)
	}
	for i, r := range rows {
		l.below = append(l.below, tall)
		tall += heightOf(r.Toy, l.pictures[i], l.panel) - l.panel
	}
	colors, err := figure.Viridis()
	if err != nil {
		return nil, err
	}
	columns := vg.Length(len(rows[0].P) + 2)
	width := l.left + columns*(l.panel+panelGap) + barGap + barWidth + barLabel
	height := headerSpace + vg.Length(len(rows))*(l.panel+panelGap) + tall + footerSpace
	return figure.New("figure4", width, height, func(c draw.Canvas) {
		c.FillPolygon(color.White, figure.Corners(c.Rectangle))
		l.drawHeader(c, &rows[0])
		for i := range rows {
			top := c.Max.Y - headerSpace - vg.Length(i)*(l.panel+panelGap) - l.below[i]
			l.drawRow(c, &rows[i], l.pictures[i], colors, top)
		}
		caption := "Probability, one colour scale a row, from 0 to the row's largest; colours are even in its square root."
		c.FillText(figure.Label(vg.Points(7.5), text.XLeft, text.YBottom), vg.Point{X: c.Min.X + rowLabel, Y: c.Min.Y + 0.3*vg.Centimeter}, caption)
	}), nil
}

// panels returns the heat maps of a row, left to right.
func panels(r *tightness.Intermediates) [][]float64 {
	return append(slices.Clone(r.P), r.Target, r.Output)
}

// figure4Layout holds the places of the panels, and how they are drawn.
type figure4Layout struct {
	left, panel vg.Length   // the space at the left of the first panel, and the width of a panel
	pictures    []picture   // the kind of picture in each row
	below       []vg.Length // how much lower each row starts than if all rows had the smallest height
}

func (l *figure4Layout) panelLeft(c draw.Canvas, i int) vg.Length {
	return c.Min.X + l.left + vg.Length(i)*(l.panel+panelGap)
}

func (l *figure4Layout) drawHeader(c draw.Canvas, r *tightness.Intermediates) {
	var titles []string // these are ASCII, because the PDF has no other letters
	for _, b := range r.Betas {
		titles = append(titles, "beta = "+strconv.FormatFloat(b, 'g', -1, 64))
	}
	titles = append(titles, "target", fmt.Sprintf("AIS, T = %d", r.Distributions()))
	for i, title := range titles {
		at := vg.Point{X: l.panelLeft(c, i) + l.panel/2, Y: c.Max.Y - headerSpace + 0.15*vg.Centimeter}
		c.FillText(figure.Label(vg.Points(9), text.XCenter, text.YBottom), at, title)
	}
}

func (l *figure4Layout) drawRow(c draw.Canvas, r *tightness.Intermediates, p picture, colors palette.ColorMap, top vg.Length) {
	height := heightOf(r.Toy, p, l.panel)
	name := figure.Label(vg.Points(9), text.XCenter, text.YCenter)
	name.Rotation = math.Pi / 2
	c.FillText(name, vg.Point{X: c.Min.X + rowLabel/2, Y: top - height/2}, rowName(r.Toy.Name))
	high := 0.0
	for _, p := range panels(r) {
		high = max(high, slices.Max(p))
	}
	shade := func(p float64) color.Color {
		at, err := colors.At(math.Sqrt(min(1, p/high)))
		if err != nil {
			panic(err) // the square root of a number from 0 to 1 is within the colour map
		}
		return at
	}
	right := vg.Length(0)
	for i, v := range panels(r) {
		left := l.panelLeft(c, i)
		box := vg.Rectangle{Min: vg.Point{X: left, Y: top - height}, Max: vg.Point{X: left + l.panel, Y: top}}
		drawStates(c, r.Toy, p, v, 0, high, shade, box, i == 0)
		right = box.Max.X
	}
	drawBar(c, shade, high, vg.Rectangle{
		Min: vg.Point{X: right + barGap, Y: top - l.panel},
		Max: vg.Point{X: right + barGap + barWidth, Y: top},
	})
}

// rowName returns the short name of a toy that stands beside its row. Where the toy is from files it is the last part of the
// path of the last file.
func rowName(name string) string {
	if files := toys.FilesOf(name); len(files) > 0 {
		name = filepath.Base(files[len(files)-1])
	} else {
		name = strings.ToUpper(name)
		if graph, is := strings.CutPrefix(name, "GRAPH:"); is {
			name, _, _ = strings.Cut(graph, ":RANDOM:")
		}
	}
	if short := []rune(name); len(short) > 14 {
		name = string(short[:13]) + "."
	}
	return name
}

// drawCells fills a box with the cells of a plane, row 0 at the top. The edge of each cell is drawn in its own colour, so
// that no seams show.
func drawCells(c draw.Canvas, space *grid.Lattice, p []float64, shade func(float64) color.Color, box vg.Rectangle) {
	rows, cols := space.Side(0), space.Side(1)
	size := min(box.Size().X/vg.Length(cols), box.Size().Y/vg.Length(rows))
	left := box.Min.X + (box.Size().X-size*vg.Length(cols))/2
	top := box.Max.Y - (box.Size().Y-size*vg.Length(rows))/2
	for x, v := range p {
		cell := vg.Rectangle{
			Min: vg.Point{X: left + size*vg.Length(x%cols), Y: top - size*vg.Length(x/cols+1)},
			Max: vg.Point{X: left + size*vg.Length(x%cols+1), Y: top - size*vg.Length(x/cols)},
		}
		figure.FillCell(c, shade(v), cell)
	}
}

// drawBar draws the colour scale of a row, with its largest value, a quarter of it, and zero.
func drawBar(c draw.Canvas, shade func(float64) color.Color, high float64, box vg.Rectangle) {
	const steps = 64
	height := box.Size().Y
	for i := range steps {
		at := (float64(i) + 0.5) / steps
		figure.FillCell(c, shade(high*at*at), vg.Rectangle{
			Min: vg.Point{X: box.Min.X, Y: box.Min.Y + height*vg.Length(i)/steps},
			Max: vg.Point{X: box.Max.X, Y: box.Min.Y + height*vg.Length(i+1)/steps},
		})
	}
	for _, at := range []struct {
		share float64
		y     text.YAlignment
	}{{0, text.YBottom}, {0.5, text.YCenter}, {1, text.YTop}} {
		v := strconv.FormatFloat(high*at.share*at.share, 'g', 2, 64)
		c.FillText(figure.Label(vg.Points(7.5), text.XLeft, at.y), vg.Point{X: box.Max.X + 0.12*vg.Centimeter, Y: box.Min.Y + height*vg.Length(at.share)}, v)
	}
}
