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

	"breadboard/reports/table"
)

// Panel is one plot of a figure, with its entries of the figure's legend and the points that are
// drawn in it. It is laid out when the figure is drawn: letters, ticks and lines of text depend on
// the style and on the room there is.
type Panel struct {
	*plot.Plot
	Legend Legend
	drawn  []recorded
	short  string // replaces the title where it is drawn, if it is not empty
}

// recorded is a point that is drawn, or a bar.
type recorded struct {
	series string
	x, to  float64 // to is NaN for a point
	y      float64
}

// NewPanel returns a panel without data, with pale lines behind it. Its texts may have raised and
// lowered parts, as in Z_{T}.
func NewPanel(title, x, y string) *Panel {
	p := &Panel{Plot: plot.New()}
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, y
	p.X.Tick.Marker, p.Y.Tick.Marker = Linear{}, Linear{}
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = color.Gray{0xe6}, color.Gray{0xe6}
	p.Add(grid)
	return p
}

// Record notes points that are drawn, in the places of the axes, under the name of their series.
func (p *Panel) Record(series string, points plotter.XYs) {
	for _, at := range points {
		p.drawn = append(p.drawn, recorded{series: series, x: at.X, to: math.NaN(), y: at.Y})
	}
}

// countsAlong reports whether whole numbers alone are drawn along the horizontal axis, which counts
// something then.
func (p *Panel) countsAlong() bool {
	return len(p.drawn) > 0 && !slices.ContainsFunc(p.drawn, func(d recorded) bool {
		v, is := displayed(&p.X, d.x).(float64)
		return !is || v != math.Trunc(v) || !math.IsNaN(d.to)
	})
}

// recordBars notes bars that are drawn.
func (p *Panel) recordBars(series string, bars []Bar) {
	for _, b := range bars {
		p.drawn = append(p.drawn, recorded{series: series, x: b.From, to: b.To, y: b.Height})
	}
}

// scale is an axis on which a number stands at another place than itself.
type scale interface{ Value(at float64) float64 }

// dataDigits is the number of digits of numbers that are found again from their places on a scale.
const dataDigits = 12

// displayed returns the number that stands at a place of an axis.
func displayed(a *plot.Axis, at float64) any {
	s, is := a.Tick.Marker.(scale)
	switch {
	case math.IsNaN(at):
		return nil
	case !is:
		return at
	}
	return withDigits(s.Value(at))
}

// withDigits returns a number with dataDigits.
func withDigits(v float64) float64 {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', dataDigits, 64), 64)
	if err != nil { // beyond the range of numbers
		return v
	}
	return rounded
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
	for i, p := range panels {
		name := p.Title.Text
		if name == "" {
			name = strconv.Itoa(i + 1)
		}
		for _, d := range p.drawn {
			t.Rows = append(t.Rows, []any{name, d.series, p.X.Label.Text, displayed(&p.X, d.x),
				displayed(&p.X, d.to), p.Y.Label.Text, displayed(&p.Y, d.y)})
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
	// The label of the horizontal axis stands in its middle, and may reach over each end by half of
	// this.
	over := 1.2 * em
	q.X.Label.Text = Wrapped(p.X.Label.Text, q.X.Label.TextStyle, data.X+over)
	q.Y.Label.Text = Wrapped(p.Y.Label.Text, q.Y.Label.TextStyle, data.Y)
	if _, names := q.X.Tick.Marker.(plot.ConstantTicks); !names {
		axis := &roomy{of: p.X.Tick.Marker, room: data.X, size: func(label string) vg.Length {
			return q.X.Tick.Label.Width(label) + 0.6*em
		}}
		if p.countsAlong() {
			axis.value = func(at float64) float64 { return displayed(&p.X, at).(float64) }
		}
		q.X.Tick.Marker = axis
	}
	if names, are := q.X.Tick.Marker.(plot.ConstantTicks); are && crowded(&q.X, names, data.X) {
		turned(&q.X)
		upright(&q.X, names, data.X, width-data.X)
	}
	if _, names := q.Y.Tick.Marker.(plot.ConstantTicks); !names {
		height := q.Y.Tick.Label.Font.Size * 1.25
		q.Y.Tick.Marker = &roomy{
			of:   p.Y.Tick.Marker,
			room: data.Y,
			size: func(string) vg.Length { return height },
		}
	}
	return &q
}

// upright turns slanted names upright where they stand so near one another on an axis of a length
// that they would touch, or if the first would reach beyond the room at the left of the axis. It
// leaves some out if they would touch even then.
func upright(a *plot.Axis, names []plot.Tick, length, left vg.Length) {
	near := math.Inf(1)
	for i := 1; i < len(names); i++ {
		near = min(near, names[i].Value-names[i-1].Value)
	}
	apart := vg.Length(near/(a.Max-a.Min)) * length
	line := 1.1 * a.Tick.Label.Font.Size
	beyond := false
	for _, t := range names {
		reach := a.Tick.Label.Width(t.Label) * vg.Length(math.Cos(a.Tick.Label.Rotation))
		beyond = beyond || reach > left+vg.Length(a.Norm(t.Value))*length
	}
	if !beyond && !(apart < line/vg.Length(math.Sin(a.Tick.Label.Rotation))) {
		return
	}
	a.Tick.Label.Rotation = math.Pi / 2
	every := max(1, int(math.Ceil(float64(line/max(apart, 1e-3*line)))))
	kept := append(plot.ConstantTicks(nil), names...)
	for i := range kept {
		if i%every != 0 {
			kept[i].Label = ""
		}
	}
	a.Tick.Marker = kept
}

// crowded reports whether names beside each other touch on an axis of a length.
func crowded(a *plot.Axis, names []plot.Tick, length vg.Length) bool {
	end := vg.Length(math.Inf(-1))
	for _, t := range names {
		at := vg.Length(a.Norm(t.Value)) * length
		half := a.Tick.Label.Width(t.Label) / 2
		if at-half < end {
			return true
		}
		end = at + half + a.Tick.Label.Font.Size/2
	}
	return false
}

// turned turns the labels of the horizontal axis, so that long names have room.
func turned(a *plot.Axis) {
	a.Tick.Label.Rotation = math.Pi / 6
	a.Tick.Label.XAlign = text.XRight
	a.Tick.Label.YAlign = text.YCenter
}

const (
	// manyPoints is the number of points from which a line is simplified.
	manyPoints = 200
	// seen is the least distance that is seen, in the width and the height of a line.
	seen = 1.0 / 2000
)

// simplified returns the points of a line but for those whose absence is not seen: the line through
// the others is as near to them as a part of its width and height. A line with a thousand steps
// else makes most of the bytes of a figure. It takes the order of n log n operations for most
// lines, and n^2 at worst.
//
// Source: Ramer 1972; Douglas and Peucker 1973.
func simplified(points plotter.XYs) plotter.XYs {
	if len(points) < manyPoints {
		return points
	}
	xmin, xmax, ymin, ymax := plotter.XYRange(points)
	width, height := xmax-xmin, ymax-ymin
	if math.IsInf(width, 0) || math.IsInf(height, 0) {
		return points // the line is so large that no distance can be computed
	}
	scaled := func(i int) (x, y float64) {
		if width > 0 {
			x = (points[i].X - xmin) / width
		}
		if height > 0 {
			y = (points[i].Y - ymin) / height
		}
		return x, y
	}
	kept := make([]bool, len(points))
	kept[0], kept[len(points)-1] = true, true
	for parts := [][2]int{{0, len(points) - 1}}; len(parts) > 0; {
		from, to := parts[len(parts)-1][0], parts[len(parts)-1][1]
		parts = parts[:len(parts)-1]
		ax, ay := scaled(from)
		bx, by := scaled(to)
		far := seen
		at := -1
		for i := from + 1; i < to; i++ {
			x, y := scaled(i)
			if d := toSegment(x-ax, y-ay, bx-ax, by-ay); d > far {
				far = d
				at = i
			}
		}
		if at > 0 {
			kept[at] = true
			parts = append(parts, [2]int{from, at}, [2]int{at, to})
		}
	}
	var out plotter.XYs
	for i, is := range kept {
		if is {
			out = append(out, points[i])
		}
	}
	return out
}

// toSegment returns the distance of a point from the straight line between zero and an end.
func toSegment(x, y, endX, endY float64) float64 {
	along := 0.0
	if square := endX*endX + endY*endY; square > 0 {
		along = max(0, min(1, (x*endX+y*endY)/square))
	}
	return math.Hypot(x-along*endX, y-along*endY)
}
