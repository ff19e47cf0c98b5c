package show

import (
	"fmt"
	"image/color"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/chains/errs"
	"breadboard/grid"
	"breadboard/reports/figure"
	"breadboard/reports/table"
	"breadboard/toys"
)

// Picture is the kind of drawing in which figures show a number for each state.
type Picture int

const (
	Cells Picture = iota // the cells of a plane, one for each state
	nodes                // the nodes and edges of a graph whose states have places
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
		return 0, errs.New("toy %s has %d states on no plane; at most %d are drawn as bars",
			toy.Name, n, maxBars)
	case toy.Layout != nil && n > maxNodes:
		return 0, errs.New("toy %s has %d states; at most %d are drawn as a graph", toy.Name, n, maxNodes)
	case toy.Layout != nil:
		return nodes, nil
	case n > maxBars:
		return 0,
			errs.New("toy %s has %d states; at most %d are drawn as bars; with coordinates in its file "+
				"(label,g,x,y) it is drawn as a graph of up to %d",
				toy.Name, n, maxBars, maxNodes)
	}
	return Bars, nil
}

const (
	// labelled is the largest number of states whose labels are drawn beside the nodes.
	labelled = 24
	// maxNode is the largest radius of a node; many are smaller.
	maxNode = 0.17 * vg.Centimeter
	// longName is the number of characters of a label for which there is room.
	longName = 12
	// maxTippedCells is the largest number of cells of a plane that say their numbers. Smaller
	// cells are hardly pointed at.
	maxTippedCells = 100
	// maxListed is the largest number of values of an axis that are listed beside a figure.
	maxListed = 8
)

// StateMap shows one number for each state of a toy.
type StateMap struct {
	Toy       *toys.Toy
	Picture   Picture // how the toy is drawn, see PictureOf
	Values    []float64
	Low, High float64                   // the ends of the scale
	Log       bool                      // whether the scale is logarithmic
	At        func(float64) float64     // the place of a number on the scale, from 0 to 1
	Color     func(float64) color.Color // of a place
	Heading   string                    // stands above the states; may be empty
	Caption   string                    // says what the numbers are; behind it stands which states its cells are
}

// Scale returns the scale of the colours, which bars do not need.
func (m *StateMap) Scale() *figure.ColorScale {
	if m.Picture == Bars {
		return nil
	}
	return &figure.ColorScale{Low: m.Low, High: m.High, Log: m.Log, At: m.At, Color: m.Color}
}

// Ratio returns the height of a panel with a picture of a toy by its width. A panel of cells is as
// high as the cells are, but neither flat nor much higher than wide.
func (m *StateMap) Ratio() float64 {
	plane := m.Toy.Plane()
	if m.Picture != Cells {
		return 1
	}
	return max(0.4, min(1.6, float64(plane.Side(0))/float64(plane.Side(1))))
}

// Height returns the height of a panel of bars.
func (m *StateMap) Height() vg.Length { return (1.2 + 0.42*vg.Length(len(m.Values))) * vg.Centimeter }

// Sheet returns the figure of the map alone.
func (m *StateMap) Sheet() *figure.Sheet {
	p := m.Panel()
	p.Title.Text = m.Heading
	p.Colors = m.Scale()
	s := &figure.Sheet{
		Rows:    [][]*figure.Panel{{p}},
		Width:   8 * vg.Centimeter,
		Ratio:   vg.Length(m.Ratio()),
		Caption: strings.TrimSpace(m.Caption + m.Note()),
	}
	switch {
	case m.Picture == Bars:
		s.Ratio, s.Lines, s.Height = 0, true, m.Height()
	case m.Picture == Cells && !m.Toy.Labelled():
		s.Caption += " x_{0} down, x_{1} across."
	}
	return s
}

// Panel returns the panel of the map.
func (m *StateMap) Panel() *figure.Panel {
	p := figure.NewPanel("", "", "")
	switch m.Picture {
	case Cells:
		m.drawCells(p)
	case nodes:
		m.drawNodes(p)
	case Bars:
		m.drawBars(p)
	}
	return p
}

func (m *StateMap) shade(x int) color.Color { return m.Color(m.At(m.Values[x])) }

// drawBars draws a bar for each state, the first at the top, from zero to its number.
func (m *StateMap) drawBars(p *figure.Panel) {
	p.X.Min, p.X.Max = min(0, m.Low), m.High
	p.Y.Min, p.Y.Max = -0.6, float64(len(m.Values))-0.4
	p.Y.Scale = plot.InvertedScale{Normalizer: plot.LinearScale{}}
	var names plot.ConstantTicks
	for x, v := range m.Values {
		name := m.Toy.State(x)
		names = append(names, plot.Tick{Value: float64(x), Label: figure.Shorten(name, longName)})
		p.AddCell(plotter.XY{X: min(0, v), Y: float64(x) + 0.35}, plotter.XY{X: max(0, v), Y: float64(x) - 0.35},
			m.shade(x), name+": "+table.People(v, 0))
	}
	p.Y.Tick.Marker = names
	p.Y.Tick.LineStyle.Width = 0
}

// drawNodes draws a graph whose states have places: a line for each edge and a disc for each state
// in its colour. Few states have their labels beside them.
func (m *StateMap) drawNodes(p *figure.Panel) {
	low, high := m.Toy.Layout[0], m.Toy.Layout[0]
	for _, at := range m.Toy.Layout {
		low, high = toys.Place{X: min(low.X, at.X), Y: min(low.Y, at.Y)},
			toys.Place{X: max(high.X, at.X), Y: max(high.Y, at.Y)}
	}
	around := 0.15 * max(high.X-low.X, high.Y-low.Y)
	if around == 0 {
		around = 1
	}
	p.X.Min, p.X.Max = low.X-around, high.X+around
	p.Y.Min, p.Y.Max = low.Y-around, high.Y+around
	p.Square = true
	p.HideAxes()
	edges := draw.LineStyle{Color: color.Gray{0xa0}, Width: vg.Points(0.5)}
	at := make(plotter.XYs, len(m.Values))
	for x, place := range m.Toy.Layout {
		at[x] = plotter.XY(place)
	}
	for x := range at {
		for y := range grid.Neighbours(m.Toy.Space, x) {
			if x < y {
				p.Add(&plotter.Line{XYs: plotter.XYs{at[x], at[y]}, LineStyle: edges})
			}
		}
	}
	radius := min(maxNode, 1.2*vg.Centimeter/vg.Length(math.Sqrt(float64(len(at)))))
	rim := draw.GlyphStyle{Color: color.Gray{0x40}, Radius: radius + vg.Points(0.4), Shape: draw.CircleGlyph{}}
	p.Add(&plotter.Scatter{XYs: at, GlyphStyle: rim})
	p.Add(&plotter.Scatter{XYs: at, GlyphStyleFunc: func(x int) draw.GlyphStyle {
		return draw.GlyphStyle{Color: m.shade(x), Radius: radius, Shape: draw.CircleGlyph{}}
	}})
	if len(at) <= labelled {
		for x := range at {
			p.Labels = append(p.Labels, figure.PlaceLabel{XY: at[x], Text: figure.Shorten(m.Toy.State(x), longName)})
		}
	}
}

// drawCells draws a cell for each state of a plane, with the values of its rows and columns. Cells
// reach a little under those drawn after them, so that no viewer shows seams.
func (m *StateMap) drawCells(p *figure.Panel) {
	rows, cols := m.Toy.Plane().Side(0), m.Toy.Plane().Side(1)
	p.X.Min, p.X.Max = -0.5, float64(cols)-0.5
	p.Y.Min, p.Y.Max = -0.5, float64(rows)-0.5
	p.Y.Scale = plot.InvertedScale{Normalizer: plot.LinearScale{}}
	p.Square = true
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.LineStyle.Width, a.Tick.LineStyle.Width = 0, 0
	}
	p.X.Tick.Marker, p.Y.Tick.Marker = m.axisNames(1), m.axisNames(0)
	for x, v := range m.Values {
		tip := ""
		if len(m.Values) <= maxTippedCells {
			tip = fmt.Sprintf("row %d, column %d", x/cols, x%cols)
			if m.Toy.Labelled() {
				tip = m.Toy.Label(x)
			}
			tip += ": " + table.People(v, 0)
		}
		at := plotter.XY{X: float64(x % cols), Y: float64(x / cols)}
		const under = 0.04
		low := plotter.XY{X: at.X - 0.5, Y: min(p.Y.Max, at.Y+0.5+under)}
		p.AddCell(low, plotter.XY{X: min(p.X.Max, at.X+0.5+under), Y: at.Y - 0.5}, m.shade(x), tip)
	}
}

// axisNames returns the values of an axis of a plane as ticks.
func (m *StateMap) axisNames(axis int) (names plot.ConstantTicks) {
	for at := range m.Toy.Plane().Side(axis) {
		name := figure.Shorten(m.Toy.Variables()[axis].WriteValue(at), longName)
		names = append(names, plot.Tick{Value: float64(at), Label: name})
	}
	return names
}

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

// Note says which values the cells of a plane have, and nothing if these have no labels.
func (m *StateMap) Note() string {
	if m.Picture != Cells || !m.Toy.Labelled() {
		return ""
	}
	return m.Toy.Name + orderOf(m.Toy) + "."
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
