package tightness

import (
	"errors"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/experiments/curves"
	"breadboard/experiments/data/show"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// These lengths are the layout of the figure in the zero Style.
const (
	panelSize = 2.6 * vg.Centimeter
	rowLabel  = 0.8 * vg.Centimeter
	barGap    = 0.3 * vg.Centimeter
	barWidth  = 0.25 * vg.Centimeter
	barLabel  = 1.2 * vg.Centimeter
	// leastPanel is the smallest width of a panel; if a figure is too narrow for a whole row, the
	// row has two lines or more.
	leastPanel = vg.Inch
)

// DistributionMaps draws a row of heat maps for each toy: distributions on the path, the target and
// the exact distribution of the sampler's output, like Figure 4 of Grosse, Ancha and Roy (2016). A
// graph is drawn as nodes if its states have places, and otherwise as bars. A grid with more than
// two axes is drawn as slices, or as the marginals of pairs of axes if there are many slices. The
// colour depends on the square root of the probability, from 0 to the largest probability of the
// row; the bar at the right shows the scale. DistributionMaps fails on graphs that are too large to
// draw.
func DistributionMaps(rows []Intermediates) (*figure.Figure, error) {
	if len(rows) == 0 {
		return nil, errors.New("nothing to draw: give at least one toy")
	}
	var pictures []show.Picture
	for _, r := range rows {
		p, err := show.PictureOf(r.Toy)
		if err != nil {
			return nil, err
		}
		pictures = append(pictures, p)
	}
	colors, err := curves.Shades()
	if err != nil {
		return nil, err
	}
	f := figure.New("distributions", func(s figure.Style) figure.Page {
		return layFigure4(s, rows, pictures, colors).page()
	})
	f.Title = "Probabilities of the states at some betas, in the target, and in the sampler's output"
	f.Data = &table.Table{Columns: []table.Column{
		{Name: "toy", Type: table.String, Title: "toy", Meaning: "the target"},
		{
			Name:    "distribution",
			Type:    table.String,
			Title:   "distribution",
			Meaning: "which distribution: at a beta, the target, or the output",
		},
		{Name: "state", Type: table.String, Title: "state", Meaning: "the state"},
		{Name: "p", Type: table.Float, Title: "p", Meaning: "the probability of the state"},
	}}
	for i := range rows {
		titles := panelTitles(&rows[i])
		for k, p := range panels(&rows[i]) {
			for x, v := range p {
				f.Data.Rows = append(f.Data.Rows, []any{rows[i].Toy.Name, titles[k], rows[i].Toy.State(x), v})
			}
		}
	}
	return f, nil
}

func panels(r *Intermediates) [][]float64 {
	return append(slices.Clone(r.P), r.Target, r.Output)
}

func panelTitles(r *Intermediates) (titles []string) {
	for _, b := range r.Betas { // the letters are ASCII, because the PDF has no Greek ones
		titles = append(titles, "beta = "+strconv.FormatFloat(b, 'g', -1, 64))
	}
	return append(titles, "target", fmt.Sprintf("AIS, T = %d", r.Distributions()))
}

// distributionsLayout is the figure laid out in a style.
type distributionsLayout struct {
	style    figure.Style
	rows     []Intermediates
	pictures []show.Picture
	colors   func(float64) color.Color
	scale    vg.Length // the ratio of lengths that depend on letters to those of the zero Style
	left     vg.Length // the space at the left of the first panel
	panel    vg.Length // the width of a panel
	line     int       // the number of panels in a line
}

func layFigure4(s figure.Style, rows []Intermediates, pictures []show.Picture,
	colors func(float64) color.Color) *distributionsLayout {
	l := &distributionsLayout{
		style:    s,
		rows:     rows,
		pictures: pictures,
		colors:   colors,
		scale:    vg.Length(s.Scale()),
		line:     len(panels(&rows[0])),
	}
	l.left = rowLabel * l.scale
	l.panel = panelSize * l.scale
	least := figure.LeastCells
	for _, p := range pictures {
		if p != show.Cells {
			least = leastPanel
		}
		switch p {
		case show.Nodes:
			l.panel = show.NodesSize * l.scale
		case show.Bars:
			l.left = (rowLabel + show.BarNames) * l.scale
		}
	}
	l.panel = max(l.panel, least)
	if s.Width > 0 {
		all := l.line
		for lines := 1; lines <= all; lines++ {
			l.line = (all + lines - 1) / lines
			l.panel = (s.Width-l.left-l.right())/vg.Length(l.line) - show.PanelGap*l.scale
			if l.panel >= least {
				break
			}
		}
	}
	return l
}

// right returns the space at the right of the panels, for the scale of colours.
func (l *distributionsLayout) right() vg.Length { return (barGap + barWidth + barLabel) * l.scale }

// lines returns the index of the first panel of each line of a row.
func (l *distributionsLayout) lines() (first []int) {
	for i := 0; i < len(panels(&l.rows[0])); i += l.line {
		first = append(first, i)
	}
	return first
}

// heading returns the style of headings, and the headings of a line, broken if they are wider than
// a panel.
func (l *distributionsLayout) heading(first int) (style draw.TextStyle, titles []string, height vg.Length) {
	style = figure.Label(l.style.Size(9), text.XCenter, text.YBottom)
	all := panelTitles(&l.rows[0])
	for _, t := range all[first:min(len(all), first+l.line)] {
		t = figure.Wrapped(t, style, l.panel+0.5*show.PanelGap*l.scale)
		titles, height = append(titles, t), max(height, style.Height(t))
	}
	return style, titles, height + 0.15*vg.Centimeter*l.scale
}

// caption explains the colours and the parts of grids.
func (l *distributionsLayout) caption() string {
	text := "Probability: one colour scale per row, from 0 to the largest of the row; colours are linear " +
		"in its square root."
	for i := range l.rows {
		if note := show.CellsNote(l.rows[i].Toy, l.pictures[i]); note != "" {
			text += " " + note
		}
	}
	return text
}

// page returns the size of the figure, and a function that draws it. If a row has several lines,
// each line of all rows stands together.
func (l *distributionsLayout) page() figure.Page {
	gap := show.PanelGap * l.scale
	margin := 0.3 * vg.Centimeter * l.scale
	width := l.left + vg.Length(l.line)*(l.panel+gap) + l.right()
	small := figure.Label(l.style.Size(7.5), text.XLeft, text.YTop)
	caption := figure.Wrapped(l.caption(), small, width-2*margin)
	height := 2*margin + small.Height(caption)
	for _, first := range l.lines() {
		_, _, heading := l.heading(first)
		height += heading
		for i := range l.rows {
			height += show.HeightOf(l.rows[i].Toy, l.pictures[i], l.panel, l.style.Scale()) + gap
		}
	}
	return figure.Page{Width: width, Height: height, Draw: func(c draw.Canvas) {
		c.FillPolygon(color.White, figure.Corners(c.Rectangle))
		top := c.Max.Y - margin
		for _, first := range l.lines() {
			style, titles, heading := l.heading(first)
			top -= heading
			for i, title := range titles {
				c.FillText(style,
					vg.Point{X: l.panelLeft(c, i) + l.panel/2, Y: top + 0.15*vg.Centimeter*l.scale}, title)
			}
			for i := range l.rows {
				l.drawRow(c, i, first, top)
				top -= show.HeightOf(l.rows[i].Toy, l.pictures[i], l.panel, l.style.Scale()) + gap
			}
		}
		c.FillText(small, vg.Point{X: c.Min.X + margin, Y: c.Min.Y + margin + small.Height(caption)}, caption)
	}}
}

func (l *distributionsLayout) panelLeft(c draw.Canvas, i int) vg.Length {
	return c.Min.X + l.left + vg.Length(i)*(l.panel+show.PanelGap*l.scale)
}

// drawRow draws a line of the i-th row, from one of its panels on.
func (l *distributionsLayout) drawRow(c draw.Canvas, i, first int, top vg.Length) {
	r := &l.rows[i]
	p := l.pictures[i]
	height := show.HeightOf(r.Toy, p, l.panel, l.style.Scale())
	label, name := l.rowLabel(r.Toy.Name, height)
	c.FillText(name, vg.Point{X: c.Min.X + rowLabel*l.scale/2, Y: top - height/2}, label)
	high := 0.0
	for _, v := range panels(r) {
		high = max(high, slices.Max(v))
	}
	shade := func(p float64) color.Color { return l.colors(math.Sqrt(p / high)) }
	all := panels(r)
	for k, v := range all[first:min(len(all), first+l.line)] {
		left := l.panelLeft(c, k)
		box := vg.Rectangle{Min: vg.Point{X: left, Y: top - height}, Max: vg.Point{X: left + l.panel, Y: top}}
		states := show.StateMap{Toy: r.Toy, Picture: p, Values: v, High: high, Shade: shade}
		states.DrawStates(c, l.style, box, k == 0)
	}
	if first > 0 { // the scale of the row is beside its first line
		return
	}
	right := l.panelLeft(c, l.line) - show.PanelGap*l.scale + barGap*l.scale
	bar := vg.Rectangle{
		Min: vg.Point{X: right, Y: top - min(height, 2*l.panel)},
		Max: vg.Point{X: right + barWidth*l.scale, Y: top},
	}
	root := func(v float64) float64 { return math.Sqrt(v / high) }
	figure.ColourScale{
		High:  high,
		Ticks: figure.Linear{},
		At:    root,
		Back:  func(at float64) float64 { return high * at * at },
		Shade: shade, Letters: 7.5,
	}.Draw(c, l.style, bar)
}

// rowLabel returns the name of a toy that fits beside a row of a height: in smaller letters if it
// is too long, then level, then in two lines, and cut if that is not enough.
func (l *distributionsLayout) rowLabel(toy string, height vg.Length) (label string, style draw.TextStyle) {
	name := show.RowName(toy)
	style = figure.Label(l.style.Size(9), text.XCenter, text.YCenter)
	style.Rotation = math.Pi / 2
	room := height + show.PanelGap*l.scale/2
	for size := 9.0; style.Width(name) > room && size > 7.5; size -= 0.5 {
		style.Font = figure.Sans(l.style.Size(size))
	}
	if style.Width(name) > room {
		level := style
		level.Rotation = 0
		level.Font = figure.Sans(l.style.Size(6))
		if level.Width(name) <= rowLabel*l.scale {
			return name, level
		}
	}
	lines := strings.SplitN(figure.Wrapped(name, style, room), "\n", 2)
	for i, line := range lines {
		lines[i] = figure.CutTo(strings.ReplaceAll(line, "\n", ""), style, room)
	}
	return strings.Join(lines, "\n"), style
}
