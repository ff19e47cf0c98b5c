package figure

import (
	"cmp"
	"image/color"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/reports/table"
)

// Panel is one plot of a figure, with the points that are drawn in it. It is laid out when the
// figure is drawn: letters, ticks and lines of text depend on the style and on the room there is.
type Panel struct {
	*plot.Plot
	Square bool         // the units of both axes have one length
	Colors *ColorScale  // the colours of all panels of its row, which it has at its right
	Labels []PlaceLabel // beside places
	drawn  []recorded
	short  string // replaces the title where it is drawn, if it is not empty
}

// PlaceLabel is a text at a place of a panel.
type PlaceLabel struct {
	plotter.XY
	Text string
}

// recorded is a point that is drawn, a bar, or a cell with a text.
type recorded struct {
	series  string
	x, to   float64 // to is NaN for a point
	foot, y float64 // foot is the lower end of a cell
	text    string  // replaces the numbers in its tip
}

// NewPanel returns a panel without data, with pale lines behind it. Its texts may have raised and
// lowered parts, as in Z_{T}.
func NewPanel(title, x, y string) *Panel {
	p := &Panel{Plot: plot.New()}
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, y
	p.X.Tick.Marker, p.Y.Tick.Marker = ticker{}, ticker{}
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = color.Gray{0xe6}, color.Gray{0xe6}
	p.Add(grid)
	return p
}

// Add draws something, and keeps the ends of the axes.
func (p *Panel) Add(what plot.Plotter) {
	x, y := p.X, p.Y
	p.Plot.Add(what)
	p.X, p.Y = x, y
}

// record notes points that are drawn under the name of their series.
func (p *Panel) record(series string, points plotter.XYs) {
	for _, at := range points {
		p.drawn = append(p.drawn, recorded{series: series, x: at.X, to: math.NaN(), y: at.Y})
	}
}

// AddCell fills a box of a panel, from its lower left corner to its upper right one, and gives it a
// tip if the text is not empty.
func (p *Panel) AddCell(low, high plotter.XY, fill color.Color, tip string) {
	p.Add(&plotter.Polygon{
		XYs:   []plotter.XYs{{low, {X: high.X, Y: low.Y}, high, {X: low.X, Y: high.Y}}},
		Color: fill,
	})
	if tip != "" {
		p.drawn = append(p.drawn, recorded{x: low.X, to: high.X, foot: low.Y, y: high.Y, text: tip})
	}
}

// line draws a line.
func (p *Panel) line(style draw.LineStyle, points ...plotter.XY) {
	p.Add(&plotter.Line{XYs: points, LineStyle: style})
}

// countsAlong reports whether whole numbers alone are drawn along the horizontal axis, which counts
// something then.
func (p *Panel) countsAlong() bool {
	return len(p.drawn) > 0 && !slices.ContainsFunc(p.drawn,
		func(d recorded) bool { return d.x != math.Trunc(d.x) || !math.IsNaN(d.to) })
}

// dataOf returns the table of all that is drawn in panels, nil if nothing is recorded.
func dataOf(panels []*Panel) *table.Table {
	t := &table.Table{Columns: []table.Column{
		{
			Name:    "panel",
			Type:    table.String,
			Title:   "panel",
			Meaning: "the title of the panel, or its number where it has none",
		},
		{
			Name:    "series",
			Type:    table.String,
			Title:   "series",
			Meaning: "the name of the curve, the points or the bars",
		},
		{Name: "x_axis", Type: table.String, Title: "x axis", Meaning: "the label of the horizontal axis"},
		{
			Name:    "x",
			Type:    table.Float,
			Title:   "x",
			Meaning: "the number on the horizontal axis, and of a bar its lower end",
		},
		{
			Name:    "x_to",
			Type:    table.Float,
			Title:   "x to",
			Meaning: "the upper end of a bar; empty for a point",
		},
		{Name: "y_axis", Type: table.String, Title: "y axis", Meaning: "the label of the vertical axis"},
		{Name: "y", Type: table.Float, Title: "y", Meaning: "the number on the vertical axis"},
	}}
	cell := func(v float64) any {
		if math.IsNaN(v) {
			return nil
		}
		return v
	}
	for i, p := range panels {
		for _, d := range p.drawn {
			t.Rows = append(t.Rows, []any{cmp.Or(p.Title.Text, strconv.Itoa(i+1)), d.series,
				p.X.Label.Text, cell(d.x), cell(d.to), p.Y.Label.Text, cell(d.y)})
		}
	}
	if len(t.Rows) == 0 {
		return nil
	}
	return t
}

// laidOut returns a copy of the plot for a canvas of a width: with the letters of a style, texts in
// as many lines as they need, and no more labels at ticks than there is room for. The size is that
// of the area within its axes.
func (p *Panel) laidOut(s Style, width vg.Length, data vg.Point) *plot.Plot {
	q := *p.Plot
	em := s.Letters()
	q.TextHandler = handler()
	q.BackgroundColor = nil
	q.Title.TextStyle.Font, q.Title.TextStyle.Handler = Sans(s.Size(9.5)), handler()
	q.Title.Padding = 0.3 * em
	q.Title.Text = Wrapped(cmp.Or(p.short, p.Title.Text), q.Title.TextStyle, width)
	q.Legend = plot.NewLegend()
	for _, a := range []*plot.Axis{&q.X, &q.Y} {
		a.Label.TextStyle.Font, a.Label.TextStyle.Handler = Sans(em), handler()
		a.Tick.Label.Font, a.Tick.Label.Handler = Sans(s.Size(9)), handler()
		a.Label.Padding, a.Padding = 0.35*em, 0
		a.Tick.Length = 0.55 * em
	}
	if p.Square {
		unit := max((q.X.Max-q.X.Min)/float64(data.X), (q.Y.Max-q.Y.Min)/float64(data.Y))
		widen(&q.X, unit*float64(data.X))
		widen(&q.Y, unit*float64(data.Y))
	}
	// The label of the horizontal axis stands in its middle, and may reach over each end by half of
	// this.
	over := 1.2 * em
	q.X.Label.Text = Wrapped(p.X.Label.Text, q.X.Label.TextStyle, data.X+over)
	q.Y.Label.Text = Wrapped(p.Y.Label.Text, q.Y.Label.TextStyle, data.Y)
	line := 1.25 * q.Y.Tick.Label.Font.Size
	if t, is := q.X.Tick.Marker.(ticker); is {
		t.room, t.whole = data.X, p.countsAlong()
		t.size = func(label string) vg.Length { return q.X.Tick.Label.Width(label) + 0.6*em }
		q.X.Tick.Marker = t
	}
	if t, is := q.Y.Tick.Marker.(ticker); is {
		t.room = data.Y
		t.size = func(string) vg.Length { return line }
		q.Y.Tick.Marker = t
	}
	if names, are := q.X.Tick.Marker.(plot.ConstantTicks); are {
		q.X.Tick.Marker = thinNames(&q.X, names, data.X, line)
	}
	if names, are := q.Y.Tick.Marker.(plot.ConstantTicks); are {
		names = slices.Clone(names)
		for i, name := range names {
			names[i].Label = Wrapped(name.Label, q.Y.Tick.Label, 0.45*width)
		}
		q.Y.Tick.Marker = names
	}
	return &q
}

// nodeRadius is the distance of a label from its place.
const nodeRadius = 0.2 * vg.Centimeter

// drawLabels writes the labels of places on white above them, or else below. A label that would
// cover another one, or reach beyond a canvas, is left out.
func (p *Panel) drawLabels(c draw.Canvas, s Style, q *plot.Plot) {
	style := Label(s.Size(6), text.XCenter, text.YBottom)
	x, y := q.Transforms(&c)
	var taken []vg.Rectangle
	for _, label := range p.Labels {
		size := style.Rectangle(label.Text).Size()
		for _, off := range []vg.Length{nodeRadius, -nodeRadius - size.Y} {
			corner := vg.Point{X: x(label.X) - size.X/2, Y: y(label.Y) + off}
			box := vg.Rectangle{Min: corner, Max: corner.Add(size)}
			if !within(box, c.Rectangle) || slices.ContainsFunc(taken, func(r vg.Rectangle) bool {
				return box.Min.X < r.Max.X && r.Min.X < box.Max.X && box.Min.Y < r.Max.Y && r.Min.Y < box.Max.Y
			}) {
				continue
			}
			taken = append(taken, box)
			c.FillPolygon(color.White, corners(box))
			c.FillText(style, vg.Point{X: x(label.X), Y: corner.Y + style.FontExtents().Descent}, label.Text)
			break
		}
	}
}

// corners returns the corners of a box, in their order around it.
func corners(r vg.Rectangle) []vg.Point {
	return []vg.Point{r.Min, {X: r.Max.X, Y: r.Min.Y}, r.Max, {X: r.Min.X, Y: r.Max.Y}}
}

// within reports whether a box lies in another one, but for rounding. One that is not finite does
// not.
func within(box, in vg.Rectangle) bool {
	const rounding = 0.01
	return box.Min.X >= in.Min.X-rounding && box.Min.Y >= in.Min.Y-rounding &&
		box.Max.X <= in.Max.X+rounding && box.Max.Y <= in.Max.Y+rounding &&
		box.Min.X <= box.Max.X && box.Min.Y <= box.Max.Y
}

// widen makes an axis a span long, with its data in the middle.
func widen(a *plot.Axis, span float64) {
	middle := (a.Min + a.Max) / 2
	a.Min, a.Max = middle-span/2, middle+span/2
}

// thinNames returns the names along a horizontal axis of a length. They stand upright if they would
// touch, and some are left out if lines of a height have no room even then.
func thinNames(a *plot.Axis, names plot.ConstantTicks, length, line vg.Length) plot.ConstantTicks {
	near := vg.Length(math.Inf(1))
	crowded := false
	for i := 1; i < len(names); i++ {
		apart := vg.Length(a.Norm(names[i].Value)-a.Norm(names[i-1].Value)) * length
		widths := a.Tick.Label.Width(names[i].Label) + a.Tick.Label.Width(names[i-1].Label)
		crowded = crowded || apart < (widths+line)/2
		near = min(near, apart)
	}
	if !crowded {
		return names
	}
	a.Tick.Label.Rotation = math.Pi / 2
	a.Tick.Label.XAlign = text.XRight
	a.Tick.Label.YAlign = text.YCenter
	every := max(1, int(math.Ceil(float64(line/max(near, line/1000)))))
	kept := slices.Clone(names)
	for i := range kept {
		if i%every != 0 {
			kept[i].Label = ""
		}
	}
	return kept
}
