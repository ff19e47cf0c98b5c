package show

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/chains/number"
	"breadboard/grid"
	"breadboard/reports/figure"
	"breadboard/reports/table"
	"breadboard/toys"
)

// Picture is the kind of drawing in which figures show a number for each state.
type Picture int

const (
	Cells Picture = iota // the cells of a plane, one for each state
	Nodes                // the nodes and edges of a graph whose states have places
	Bars                 // a bar for each state, with its label
)

// maxBars is the largest number of states that are drawn as bars, and maxNodes the largest number
// that are drawn as nodes.
const (
	maxBars  = 100
	maxNodes = 2000
)

// PictureOf returns how a toy is drawn: a plane as cells, a graph as nodes if its states have
// places and otherwise as bars, and a grid that is not a plane as slices or marginals. It fails if
// there are too many states or axes.
func PictureOf(toy *toys.Toy) (Picture, error) {
	n := toy.Space.States()
	switch {
	case toy.Plane() != nil:
		return Cells, nil
	case !toy.ByLabel() && n > maxBars:
		return 0, fmt.Errorf("toy %s has %d states that are no plane; at most %d are drawn as bars",
			toy.Name, n, maxBars)
	case toy.Layout != nil && n > maxNodes:
		return 0, fmt.Errorf("toy %s has %d states; at most %d are drawn as a graph", toy.Name, n, maxNodes)
	case toy.Layout != nil:
		return Nodes, nil
	case n > maxBars:
		return 0,
			fmt.Errorf("toy %s has %d states; at most %d are drawn as bars; with coordinates in its file "+
				"(label,g,x,y) it is drawn as a graph of up to %d",
				toy.Name, n, maxBars, maxNodes)
	}
	return Bars, nil
}

// These lengths are the layout of states that are drawn as bars or nodes.
const (
	barStep   = 0.3 * vg.Centimeter // the distance from one bar to the next
	barAxis   = 0.4 * vg.Centimeter // the space below the bars, for the ends of their scale
	BarNames  = 1.7 * vg.Centimeter // the space at the left of the bars, for labels
	NodesSize = 3.6 * vg.Centimeter // the side of a panel with a graph
	maxNode   = 0.17 * vg.Centimeter
	// labelled is the largest number of states whose labels are drawn beside the nodes.
	labelled = 24
	longName = 12 // the number of characters of a label for which there is room
)

// HeightOf returns the height of a panel with a picture of a toy, given its width and the factor by
// which letters are larger than those of the zero Style. A panel of cells is as high as the cells
// are, but neither flat nor much higher than wide.
func HeightOf(toy *toys.Toy, p Picture, width vg.Length, letters float64) vg.Length {
	switch p {
	case Nodes:
		return width
	case Bars:
		return (barStep*vg.Length(toy.Space.States()) + barAxis) * vg.Length(letters)
	}
	plane := toy.Plane()
	return width * vg.Length(max(flattest, min(highest, float64(plane.Side(0))/float64(plane.Side(1)))))
}

// The least and the largest height of a panel of cells, by its width.
const (
	flattest = 0.4
	highest  = 1.6
)

// CellsNote says which values the cells of a plane have, and nothing if these have no labels.
func CellsNote(toy *toys.Toy, p Picture) string {
	if p == Cells && toy.Labelled() {
		return toy.Name + orderOf(toy) + "."
	}
	return ""
}

// DrawStates draws the numbers of all states of a map into a box. With names, bars have their
// labels at the left of the box.
func (m *StateMap) DrawStates(c draw.Canvas, s figure.Style, box vg.Rectangle, names bool) {
	figure.AddArea(c, box, m.Toy.Name, m.Picture == Cells)
	switch m.Picture {
	case Cells:
		drawCells(c, m.Toy, m.Values, m.Shade, box)
	case Nodes:
		m.drawNodes(c, s, box)
	case Bars:
		m.drawBars(c, s, box, names)
	}
}

// drawBars draws a bar for each state, the first at the top, from zero to its number, and the ends
// of the scale below.
func (m *StateMap) drawBars(c draw.Canvas, s figure.Style, box vg.Rectangle, names bool) {
	low := m.Low
	high := m.High
	at := func(v float64) vg.Length { return box.Min.X + box.Size().X*vg.Length((v-low)/(high-low)) }
	grey := draw.LineStyle{Color: color.Gray{0xb0}, Width: vg.Points(0.5)}
	barStep := barStep * vg.Length(s.Scale())
	bottom := box.Max.Y - barStep*vg.Length(len(m.Values))
	for x, value := range m.Values {
		top := box.Max.Y - barStep*vg.Length(x)
		from, to := min(at(0), at(value)), max(at(0), at(value))
		c.FillPolygon(m.Shade(value), figure.Corners(vg.Rectangle{
			Min: vg.Point{X: from, Y: top - 0.85*barStep},
			Max: vg.Point{X: to, Y: top - 0.15*barStep},
		}))
		figure.AddTip(c, figure.Tip{
			Text: m.Toy.State(x) + ": " + table.People(value, 0),
			Box: vg.Rectangle{
				Min: vg.Point{X: box.Min.X, Y: top - 0.85*barStep},
				Max: vg.Point{X: box.Max.X, Y: top - 0.15*barStep},
			},
		})
		if names {
			middle := vg.Point{X: box.Min.X - 0.1*vg.Centimeter, Y: top - barStep/2}
			c.FillText(figure.Label(s.Size(7), text.XRight, text.YCenter), middle, shortName(m.Toy.State(x)))
		}
	}
	c.StrokeLines(grey, []vg.Point{{X: at(0), Y: box.Max.Y}, {X: at(0), Y: bottom}})
	c.StrokeLines(grey, []vg.Point{{X: box.Min.X, Y: bottom}, {X: box.Max.X, Y: bottom}})
	drawBarScale(c, s, low, high, at, bottom)
}

// drawBarScale writes round numbers below bars: the first and the last that there is room for, and
// zero.
func drawBarScale(c draw.Canvas, s figure.Style, low, high float64, at func(float64) vg.Length,
	bottom vg.Length) {
	var labels []plot.Tick
	for _, t := range (figure.Linear{}).Ticks(low, high) {
		if t.Label != "" {
			labels = append(labels, t)
		}
	}
	style := figure.Label(s.Size(6.5), text.XLeft, text.YTop)
	last := math.Inf(-1)
	for i, t := range labels {
		if i > 0 && i < len(labels)-1 && t.Value != 0 {
			continue
		}
		x := at(t.Value)
		width := style.Width(t.Label)
		left := x - width/2
		switch { // the labels of neighbouring panels do not touch
		case i == 0 && left < at(low):
			left = at(low)
		case left+width > at(high):
			left = at(high) - width
		}
		if float64(left) < last {
			continue
		}
		last = float64(left + width + vg.Points(2))
		c.StrokeLine2(draw.LineStyle{Color: color.Gray{0xb0}, Width: vg.Points(0.5)}, x, bottom,
			x, bottom-0.06*vg.Centimeter)
		c.FillText(style, vg.Point{X: left, Y: bottom - 0.06*vg.Centimeter}, t.Label)
	}
}

// shortName shortens a label for which there is no room, and replaces characters that the PDF does
// not have.
func shortName(name string) string {
	letters := []rune(name)
	for i, r := range letters {
		if r > '~' {
			letters[i] = '?'
		}
	}
	if len(letters) > longName {
		letters = append(letters[:longName-1], '.')
	}
	return string(letters)
}

// drawNodes draws a graph whose states have places: a line for each edge and a disc for each state
// in its colour. Few states have their labels beside them.
func (m *StateMap) drawNodes(c draw.Canvas, s figure.Style, box vg.Rectangle) {
	toy := m.Toy
	at := places(toy.Layout, box)
	edges := draw.LineStyle{Color: color.Gray{0xa0}, Width: vg.Points(0.5)}
	for x := range at {
		for y := range grid.Neighbours(toy.Space, x) {
			if x < y {
				c.StrokeLines(edges, []vg.Point{at[x], at[y]})
			}
		}
	}
	radius := min(maxNode, box.Size().X/vg.Length(3*math.Sqrt(float64(len(at)))))
	if len(at) <= labelled {
		var taken []vg.Rectangle
		for _, p := range at {
			taken = append(taken, vg.Rectangle{
				Min: vg.Point{X: p.X - radius, Y: p.Y - radius},
				Max: vg.Point{X: p.X + radius, Y: p.Y + radius},
			})
		}
		for x, p := range at {
			if where, found := roomForName(s, shortName(toy.State(x)), p, radius, box, taken); found {
				drawName(c, s, shortName(toy.State(x)), where)
				taken = append(taken, where)
			}
		}
	}
	for x, p := range at {
		disc := circle(p, radius)
		c.FillPolygon(m.Shade(m.Values[x]), disc)
		c.StrokeLines(draw.LineStyle{Color: color.Gray{0x40}, Width: vg.Points(0.4)}, append(disc, disc[0]))
	}
}

func nameStyle(s figure.Style) draw.TextStyle {
	return figure.Label(s.Size(6), text.XCenter, text.YBottom)
}

// roomForName returns where a label stands near its node: above it, or else below, at the right or
// at the left, where it covers neither a node nor another label and stays within a box. A label
// that has room nowhere is not found, and left out.
func roomForName(s figure.Style, name string, at vg.Point, radius vg.Length, box vg.Rectangle,
	taken []vg.Rectangle) (where vg.Rectangle, found bool) {
	style := nameStyle(s)
	half := vg.Point{X: style.Width(name) / 2, Y: style.Height(name) / 2}
	off := radius + vg.Points(1)
	for _, middle := range []vg.Point{
		{X: at.X, Y: at.Y + off + half.Y}, {X: at.X, Y: at.Y - off - half.Y},
		{X: at.X + off + half.X, Y: at.Y}, {X: at.X - off - half.X, Y: at.Y},
	} {
		where = vg.Rectangle{Min: middle.Sub(half), Max: middle.Add(half)}
		// Labels may reach into the gap between panels by a little.
		over := PanelGap / 2
		if where.Min.X < box.Min.X-over || where.Max.X > box.Max.X+over || where.Min.Y < box.Min.Y ||
			where.Max.Y > box.Max.Y {
			continue
		}
		if !slices.ContainsFunc(taken, func(r vg.Rectangle) bool {
			return where.Min.X < r.Max.X && r.Min.X < where.Max.X && where.Min.Y < r.Max.Y &&
				r.Min.Y < where.Max.Y
		}) {
			return where, true
		}
	}
	return where, false
}

// drawName writes a label into a place, on white, so that edges do not cross it.
func drawName(c draw.Canvas, s figure.Style, name string, where vg.Rectangle) {
	c.FillPolygon(color.White, figure.Corners(where))
	c.FillText(nameStyle(s), vg.Point{X: (where.Min.X + where.Max.X) / 2, Y: where.Min.Y}, name)
}

func circle(middle vg.Point, radius vg.Length) []vg.Point {
	const corners = 24
	points := make([]vg.Point, corners)
	for i := range points {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / corners)
		points[i] = vg.Point{X: middle.X + radius*vg.Length(cos), Y: middle.Y + radius*vg.Length(sin)}
	}
	return points
}

// places fits a layout into a box, with room for discs and labels, and keeps its proportions.
func places(layout []toys.Place, box vg.Rectangle) []vg.Point {
	side := maxNode + 0.25*vg.Centimeter
	above := maxNode + 0.3*vg.Centimeter
	low, high := layout[0], layout[0]
	for _, p := range layout {
		low, high = toys.Place{X: min(low.X, p.X), Y: min(low.Y, p.Y)},
			toys.Place{X: max(high.X, p.X), Y: max(high.Y, p.Y)}
	}
	width, height := box.Size().X-2*side, box.Size().Y-maxNode-above
	scale := math.Inf(1) // it stays infinite where all places are the same
	if high.X > low.X {
		scale = float64(width) / (high.X - low.X)
	}
	if high.Y > low.Y {
		scale = min(scale, float64(height)/(high.Y-low.Y))
	}
	out := make([]vg.Point, len(layout))
	for i, p := range layout {
		out[i] = vg.Point{X: box.Min.X + side + width/2, Y: box.Min.Y + maxNode + height/2}
		if !math.IsInf(scale, 1) {
			out[i].X += vg.Length(scale * (p.X - (low.X+high.X)/2))
			out[i].Y += vg.Length(scale * (p.Y - (low.Y+high.Y)/2))
		}
	}
	return out
}

func drawCells(c draw.Canvas, toy *toys.Toy, p []float64, shade func(float64) color.Color, box vg.Rectangle) {
	rows, cols := toy.Plane().Side(0), toy.Plane().Side(1)
	fitted, size := cellsIn(toy.Plane(), box)
	figure.FillCells(c, fitted, rows, cols, func(row, column int) color.Color { return shade(p[row*cols+column]) })
	if rows*cols > maxTippedCells {
		return
	}
	for x, v := range p {
		corner := vg.Point{X: fitted.Min.X + size*vg.Length(x%cols), Y: fitted.Max.Y - size*vg.Length(x/cols+1)}
		name := fmt.Sprintf("row %d, column %d", x/cols, x%cols)
		if toy.Labelled() {
			name = toy.Label(x)
		}
		figure.AddTip(c, figure.Tip{
			Text: name + ": " + table.People(v, 0),
			Box:  vg.Rectangle{Min: corner, Max: corner.Add(vg.Point{X: size, Y: size})},
		})
	}
}

// maxTippedCells is the largest number of cells of a plane that say their numbers. Smaller cells
// are hardly pointed at.
const maxTippedCells = 100

// PanelGap is the space between the panels of a row in the zero Style.
const PanelGap = 0.25 * vg.Centimeter

// maxListed is the largest number of values of an axis that are listed beside a figure.
const maxListed = 8

// valuesOf returns the name of an axis with its values in their order: "lung (yes, no)".
func valuesOf(toy *toys.Toy, axis int) string {
	side := toy.Lattice().Side(axis)
	var texts []string
	for at := range min(side, maxListed) {
		texts = append(texts, toy.Axes[axis].WriteValue(at))
	}
	if side > maxListed {
		texts = append(texts, "...")
	}
	return toy.Axes[axis].Name + " (" + strings.Join(texts, ", ") + ")"
}

// orderOf says which values the cells of heat maps have whose rows and columns are the last two
// axes of a toy. It says nothing if the values have no labels.
func orderOf(toy *toys.Toy) string {
	if !toy.Labelled() {
		return ""
	}
	last := len(toy.Axes) - 1
	across := ": " + valuesOf(toy, last) + " across"
	if last == 0 {
		return across
	}
	return ": " + valuesOf(toy, last-1) + " down," + across[1:]
}

// StateMap is a figure of one number for each state of a toy, with a scale of its colours and a
// caption below.
type StateMap struct {
	Toy       *toys.Toy
	Picture   Picture // how the toy is drawn, see PictureOf
	Values    []float64
	Low, High float64 // the ends of the scale
	Decades   bool    // whether the scale is logarithmic
	Shade     func(float64) color.Color
	Heading   string // stands above the states; may be empty
	Caption   string // says what the numbers are; behind it stands which states its cells are
}

// Page lays the figure out in a style.
func (m StateMap) Page(s figure.Style) figure.Page {
	em := s.Letters()
	names := vg.Length(0)
	beside := 4.5 * em
	margin := 0.8 * em
	if m.Picture == Bars {
		names = BarNames * vg.Length(s.Scale())
		beside = 0
	}
	ticks := figure.Label(s.Size(9), text.XRight, text.YCenter)
	foot := vg.Length(0) // the height of the ticks below the cells
	if m.Picture == Cells {
		for _, value := range m.axisValues(0) {
			names = max(names, ticks.Width(value)+0.4*em)
		}
		foot = ticks.Font.Size + 0.4*em
	}
	size := 6 * vg.Centimeter * vg.Length(s.Scale())
	if s.Width > 0 {
		size = s.Width - 2*margin - names - beside
	}
	height := HeightOf(m.Toy, m.Picture, size, s.Scale())
	width := size + 2*margin + names + beside
	title := figure.Label(s.Size(9), text.XLeft, text.YTop)
	note := figure.Label(s.Size(9), text.XLeft, text.YTop)
	heading := figure.Wrapped(m.Heading, title, width-2*margin)
	parts := CellsNote(m.Toy, m.Picture)
	if m.Picture == Cells && parts == "" {
		parts = "x_{0} down, x_{1} across."
	}
	caption := figure.Wrapped(strings.TrimSpace(m.Caption+parts), note, width-2*margin)
	above, below := vg.Length(0), foot+note.Height(caption)+0.5*em
	if m.Heading != "" {
		above = title.Height(heading) + 0.5*em
	}
	return figure.Page{Width: width, Height: 2*margin + above + height + below, Draw: func(c draw.Canvas) {
		c.FillPolygon(color.White, figure.Corners(c.Rectangle))
		left, top := c.Min.X+margin, c.Max.Y-margin
		if m.Heading != "" {
			c.FillText(title, vg.Point{X: left, Y: top + title.FontExtents().Descent}, heading)
		}
		box := vg.Rectangle{
			Min: vg.Point{X: left + names, Y: top - above - height},
			Max: vg.Point{X: left + names + size, Y: top - above},
		}
		m.DrawStates(c, s, box, true)
		if m.Picture == Cells {
			m.drawTicks(c, ticks, box)
		}
		if beside > 0 {
			scale := vg.Rectangle{
				Min: vg.Point{X: box.Max.X + 0.8*em, Y: box.Min.Y},
				Max: vg.Point{X: box.Max.X + 1.6*em, Y: box.Max.Y},
			}
			low := m.Low
			high := m.High
			ticks := plot.Ticker(figure.Linear{})
			value := func(v float64) float64 { return v }
			if m.Decades {
				low, high, ticks, value = number.Log10(low), number.Log10(high), figure.Decades{},
					figure.Decades{}.Value
			}
			place := func(v float64) float64 { return (v - low) / (high - low) }
			figure.ColourScale{
				Low:   low,
				High:  high,
				Ticks: ticks,
				At:    place,
				Back:  func(at float64) float64 { return value(low + at*(high-low)) },
				Shade: m.Shade, Letters: 9,
			}.Draw(c, s, scale)
		}
		c.FillText(note, vg.Point{X: left, Y: box.Min.Y - foot - 0.5*em}, caption)
	}}
}

// axisValues returns the values of an axis of a plane, as short texts.
func (m *StateMap) axisValues(axis int) []string {
	texts := make([]string, m.Toy.Plane().Side(axis))
	for at := range texts {
		texts[at] = shortName(m.Toy.Variables()[axis].WriteValue(at))
	}
	return texts
}

// drawTicks writes the values of the rows at the left of the cells in a box, and those of the
// columns below: each, or those between which there is room.
func (m *StateMap) drawTicks(c draw.Canvas, style draw.TextStyle, box vg.Rectangle) {
	cells, size := cellsIn(m.Toy.Plane(), box)
	gap := style.Font.Size / 3
	down := m.axisValues(0)
	step := int(math.Ceil(float64(style.Font.Size / size)))
	for at := 0; at < len(down); at += step {
		y := cells.Max.Y - size*(vg.Length(at)+0.5)
		c.FillText(style, vg.Point{X: cells.Min.X - gap, Y: y + style.FontExtents().Descent}, down[at])
	}
	style.XAlign, style.YAlign = text.XCenter, text.YTop
	across := m.axisValues(1)
	widest := vg.Length(0)
	for _, value := range across {
		widest = max(widest, style.Width(value))
	}
	step = int(math.Ceil(float64((widest + gap) / size)))
	for at := 0; at < len(across); at += step {
		x := cells.Min.X + size*(vg.Length(at)+0.5)
		c.FillText(style, vg.Point{X: x, Y: cells.Min.Y - gap}, across[at])
	}
}

// cellsIn returns the box of the cells of a plane, in the middle of another box, and their side.
func cellsIn(plane *grid.Lattice, box vg.Rectangle) (cells vg.Rectangle, size vg.Length) {
	rows, cols := vg.Length(plane.Side(0)), vg.Length(plane.Side(1))
	size = min(box.Size().X/cols, box.Size().Y/rows)
	half := vg.Point{X: size * cols / 2, Y: size * rows / 2}
	middle := box.Min.Add(box.Max).Scale(0.5)
	return vg.Rectangle{Min: middle.Sub(half), Max: middle.Add(half)}, size
}
