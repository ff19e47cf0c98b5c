package data

import (
	"fmt"
	"image/color"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/chains/number"
	"breadboard/grid"
	"breadboard/reports/figure"
	"breadboard/toys"
)

const (
	// maxSlices is the largest number of slices of a grid that are drawn beside each other; of a
	// grid with more, marginals are drawn.
	maxSlices = 16
	// maxMarginalAxes is the largest number of axes of which all pairs are drawn.
	maxMarginalAxes = 20
)

// collage is how a grid that is no plane is drawn: as heat maps of parts of it. The parts are
// slices, in which all axes but the last two have fixed coordinates, or if there are too many of
// these the marginals of every pair of axes.
type collage struct {
	space         *grid.Lattice
	rows, columns int
	tiles         []tile // row by row; one without rows is an empty place
	what          string // says what the tiles are
	marginals     bool
}

// tile is one heat map of a collage.
type tile struct {
	name          string
	down, across  int // the axes of the marginal of a pair of them
	rows, columns int
	first, states int                           // the states that count in the tile are that many from the first on
	place         func(x int) (row, column int) // where a state counts
}

// collageOf returns how the grid of a toy is drawn. It fails if there are too many axes.
func collageOf(toy *toys.Toy) (*collage, error) {
	l := toy.Lattice()
	d := l.Dims()
	slices := 1
	for k := range d - 2 {
		if slices <= maxSlices { // the product of many sides may be beyond the range of numbers
			slices *= l.Side(k)
		}
	}
	switch {
	case d == 1:
		return &collage{space: l, rows: 1, columns: 1, tiles: []tile{sliceOf(toy, 0)}, what: "the states in their order" + orderOf(toy)}, nil
	case slices <= maxSlices:
		return slicesOf(toy, slices), nil
	case d > maxMarginalAxes:
		return nil, fmt.Errorf("it has %d dimensions; at most %d are drawn", d, maxMarginalAxes)
	}
	return marginalsOf(toy), nil
}

// knownCollage returns how a grid is drawn that PictureOf has not refused.
func knownCollage(toy *toys.Toy) *collage {
	c, err := collageOf(toy)
	if err != nil {
		panic(err)
	}
	return c
}

func axisName(toy *toys.Toy, axis int) string {
	if len(toy.Axes) > 0 {
		return toy.Axes[axis].Name
	}
	return fmt.Sprintf("x_{%d}", axis)
}

// maxListed is the largest number of values of an axis that are listed beside a figure.
const maxListed = 8

// valuesOf returns the name of an axis with its values in their order: "lung (yes, no)".
func valuesOf(toy *toys.Toy, axis int) string {
	side := toy.Lattice().Side(axis)
	var texts []string
	for at := range min(side, maxListed) {
		texts = append(texts, toy.Axes[axis].Text(at))
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

func slicesOf(toy *toys.Toy, n int) *collage {
	l := toy.Lattice()
	c := &collage{space: l, columns: int(math.Ceil(math.Sqrt(float64(n))))}
	if l.Dims() == 4 {
		c.columns = l.Side(1)
	}
	c.rows = (n + c.columns - 1) / c.columns
	for first := 0; first < l.States(); first += l.States() / n {
		c.tiles = append(c.tiles, sliceOf(toy, first))
	}
	names := make([]string, l.Dims()-2)
	for k := range names {
		names[k] = axisName(toy, k)
	}
	c.what = fmt.Sprintf("slices of fixed %s, row by row", strings.Join(names, ", ")) + orderOf(toy)
	return c
}

// sliceOf returns the slice that begins with a state.
func sliceOf(toy *toys.Toy, first int) tile {
	l := toy.Lattice()
	d := l.Dims()
	t := tile{first: first, rows: 1, columns: l.Side(d - 1)}
	if d > 1 {
		t.rows = l.Side(d - 2)
	}
	var fixed []string
	for k := range d - 2 {
		fixed = append(fixed, toy.Variables()[k].Text(l.Coord(first, k)))
	}
	t.name = strings.Join(fixed, ",")
	t.states = t.rows * t.columns
	t.place = func(x int) (row, column int) { return (x - first) / t.columns, (x - first) % t.columns }
	return t
}

// marginalsOf returns the marginals of all pairs of axes, a row for each second axis and a column
// for each first one.
func marginalsOf(toy *toys.Toy) *collage {
	l := toy.Lattice()
	d := l.Dims()
	c := &collage{space: l, rows: d - 1, columns: d - 1, marginals: true,
		what: "marginals of pairs of axes, x_{i} down and x_{j} across, in rows i and columns j < i"}
	if len(toy.Axes) > 0 {
		names := make([]string, d)
		for k := range names {
			names[k] = axisName(toy, k)
		}
		c.what += fmt.Sprintf(", where x_{0} to x_{%d} are %s", d-1, strings.Join(names, ", "))
	}
	for i := 1; i < d; i++ {
		for j := range d - 1 {
			t := tile{}
			if j < i {
				t = tile{down: i, across: j, rows: l.Side(i), columns: l.Side(j), states: l.States(), place: func(x int) (row, column int) {
					return l.Coord(x, i), l.Coord(x, j)
				}}
			}
			c.tiles = append(c.tiles, t)
		}
	}
	return c
}

func (t *tile) values(v []float64) []float64 {
	out := make([]float64, t.rows*t.columns)
	for x := t.first; x < t.first+t.states; x++ {
		row, column := t.place(x)
		out[row*t.columns+column] += v[x]
	}
	return out
}

// aspect returns the height of the collage by its width, if all cells are squares.
func (c *collage) aspect() float64 {
	rows, columns := c.largest()
	return float64(c.rows*rows) / float64(c.columns*columns)
}

// largest returns the size of the largest tile in cells.
func (c *collage) largest() (rows, columns int) {
	for i := range c.tiles {
		rows, columns = max(rows, c.tiles[i].rows), max(columns, c.tiles[i].columns)
	}
	return rows, columns
}

// draw draws the tiles into a box. Slices have the coordinates that are fixed above them if there
// is room.
func (c *collage) draw(on draw.Canvas, s figure.Style, v []float64, shade func(float64) color.Color, box vg.Rectangle) {
	rows, columns := c.largest()
	width, height := box.Size().X/vg.Length(c.columns), box.Size().Y/vg.Length(c.rows)
	gap := min(width, height) * 0.08
	name := figure.Label(s.Size(6), text.XCenter, text.YBottom)
	named := name.Font.Size < 0.3*height && !c.marginals && len(c.tiles) > 1
	above := vg.Length(0)
	if named {
		above = name.Font.Size * 1.1
	}
	size := min((width-2*gap)/vg.Length(columns), (height-2*gap-above)/vg.Length(rows))
	for i := range c.tiles {
		t := &c.tiles[i]
		if t.rows == 0 {
			continue
		}
		middle := vg.Point{X: box.Min.X + width*(vg.Length(i%c.columns)+0.5), Y: box.Max.Y - height*(vg.Length(i/c.columns)+0.5) - above/2}
		half := vg.Point{X: size * vg.Length(t.columns) / 2, Y: size * vg.Length(t.rows) / 2}
		values := t.values(v)
		figure.FillCells(on, vg.Rectangle{Min: middle.Sub(half), Max: middle.Add(half)}, t.rows, t.columns, func(row, column int) color.Color {
			return shade(values[row*t.columns+column])
		})
		if named && name.Width(t.name) < width {
			on.FillText(name, vg.Point{X: middle.X, Y: middle.Y + half.Y + 0.25*name.Font.Size}, t.name)
		}
	}
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
	Caption   string // says what the numbers are; behind it stands what the parts of the picture are
	Letters   float64
}

// Page lays the figure out in a style. Letters is the size of those of the caption, in points of
// the zero Style.
func (m StateMap) Page(s figure.Style) figure.Page {
	em := s.Letters()
	names, beside, margin := vg.Length(0), 4.5*em, 0.8*em
	if m.Picture == Bars {
		names, beside = BarNames*vg.Length(s.Scale()), 0
	}
	size := 6 * vg.Centimeter * vg.Length(s.Scale())
	if s.Width > 0 {
		size = s.Width - 2*margin - names - beside
	}
	height, width := HeightOf(m.Toy, m.Picture, size, s.Scale()), size+2*margin+names+beside
	title, note := figure.Label(s.Size(9), text.XLeft, text.YTop), figure.Label(s.Size(m.Letters), text.XLeft, text.YTop)
	heading := figure.Wrapped(m.Heading, title, width-2*margin)
	parts := PartsNote(m.Toy, m.Picture)
	if m.Picture == Cells && parts == "" {
		parts = "x_{0} down, x_{1} across."
	}
	caption := figure.Wrapped(strings.TrimSpace(m.Caption+parts), note, width-2*margin)
	above, below := vg.Length(0), note.Height(caption)+0.5*em
	if m.Heading != "" {
		above = title.Height(heading) + 0.5*em
	}
	return figure.Page{Width: width, Height: 2*margin + above + height + below, Draw: func(c draw.Canvas) {
		c.FillPolygon(color.White, figure.Corners(c.Rectangle))
		left, top := c.Min.X+margin, c.Max.Y-margin
		if m.Heading != "" {
			c.FillText(title, vg.Point{X: left, Y: top + title.FontExtents().Descent}, heading)
		}
		box := vg.Rectangle{Min: vg.Point{X: left + names, Y: top - above - height}, Max: vg.Point{X: left + names + size, Y: top - above}}
		DrawStates(c, s, m.Toy, m.Picture, m.Values, m.Low, m.High, m.Shade, box, true)
		if beside > 0 {
			scale := vg.Rectangle{Min: vg.Point{X: box.Max.X + 0.8*em, Y: box.Min.Y}, Max: vg.Point{X: box.Max.X + 1.6*em, Y: box.Max.Y}}
			low, high, ticks, value := m.Low, m.High, plot.Ticker(figure.Linear{}), func(v float64) float64 { return v }
			if m.Decades {
				low, high, ticks, value = number.Log10(low), number.Log10(high), figure.Decades{}, figure.Decades{}.Value
			}
			place := func(v float64) float64 { return (v - low) / (high - low) }
			figure.ColourBar(c, s, scale, low, high, ticks, place, func(at float64) float64 { return value(low + at*(high-low)) }, m.Shade)
		}
		c.FillText(note, vg.Point{X: left, Y: box.Min.Y - 0.5*em}, caption)
	}}
}
