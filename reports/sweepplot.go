package reports

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/chains/selector"
	"breadboard/experiments/sweep"
)

// SweepPlot says what to draw of a sweep: a measure against a parameter, a line for each combination of the series
// and a panel for each value of the facet.
type SweepPlot struct {
	X      string              // a parameter
	Y      string              // one of SweepMeasures
	Series []string            // parameters; nil is every other that varies
	Facet  string              // a parameter; "" is one panel
	Where  map[string][]string // rows to draw: the values that a parameter may have
}

// SweepMeasures returns the names of what can be drawn.
func SweepMeasures() []string {
	var names []string
	for _, q := range measures() {
		names = append(names, q.key)
	}
	return names
}

// Most of what can be told apart in one figure.
const (
	maxSeries = 28
	maxPanels = 36
)

// Figure draws the plot. An axis is logarithmic where its numbers are positive and span a factor of ten or more. It
// also returns notes about what could not be drawn: cells that failed, numbers that are not finite. It fails on
// unknown names, where a parameter varies along a line, and where nothing is left.
func (o SweepPlot) Figure(m *sweep.Merged) (*Figure, []string, error) {
	d := &sweepDrawing{SweepPlot: o}
	if err := d.choose(m); err != nil {
		return nil, nil, err
	}
	if err := d.collect(); err != nil {
		return nil, nil, err
	}
	return d.figure(), d.notes, nil
}

// sweepDrawing is a SweepPlot at work.
type sweepDrawing struct {
	SweepPlot
	measure measure
	rows    []sweep.Row
	notes   []string
	x, y    sweepAxis
	series  []string // labels
	facets  []string
	points  map[[2]int]plotter.XYs // by panel and series
}

// sweepAxis turns values into places on an axis.
type sweepAxis struct {
	label    string
	log      bool
	names    []string           // of the places 0, 1, ... of values that are no numbers
	places   map[string]float64 // of the values of a parameter
	min, max float64
}

// choose checks the names, and takes the rows to draw.
func (d *sweepDrawing) choose(m *sweep.Merged) error {
	i := slices.IndexFunc(measures(), func(q measure) bool { return q.key == d.Y })
	if i < 0 {
		return selector.UnknownError("measure", d.Y, SweepMeasures())
	}
	d.measure = measures()[i]
	for _, name := range append(append([]string{d.X}, d.Series...), d.Facet) {
		if name != "" && !slices.Contains(sweep.Parameters(), name) {
			return selector.UnknownError("parameter", name, sweep.Parameters())
		}
	}
	for name, values := range d.Where {
		if !slices.Contains(sweep.Parameters(), name) {
			return selector.UnknownError("parameter", name, sweep.Parameters())
		}
		for _, v := range values {
			if known := m.Sweep.Values(name); !slices.Contains(known, v) {
				return selector.UnknownError(name, v, known)
			}
		}
	}
	failed := 0
	for _, r := range m.Rows {
		switch {
		case !d.wanted(r):
		case r.Error != "":
			failed++
		default:
			d.rows = append(d.rows, r)
		}
	}
	if failed > 0 {
		d.notes = append(d.notes, fmt.Sprintf("left out %d cells that failed", failed))
	}
	return d.chooseSeries()
}

func (d *sweepDrawing) wanted(r sweep.Row) bool {
	for name, values := range d.Where {
		if !slices.Contains(values, r.Cell.Get(name)) {
			return false
		}
	}
	return true
}

// chooseSeries takes every parameter that varies, or finds that those asked for are not enough.
func (d *sweepDrawing) chooseSeries() error {
	asked := d.Series != nil
	for _, name := range sweepOrder() {
		if name == d.X || name == d.Facet || slices.Contains(d.Series, name) || len(d.values(name)) < 2 {
			continue
		}
		if asked {
			return fmt.Errorf("%s takes %d values along a line; add it to --series or --facet, or fix it, as in --where %s=%s", name, len(d.values(name)), name, d.values(name)[0])
		}
		d.Series = append(d.Series, name)
	}
	return nil
}

// values returns the values of a parameter over the rows, in their order.
func (d *sweepDrawing) values(name string) []string {
	var out []string
	seen := map[string]bool{}
	for _, r := range d.rows {
		if v := r.Cell.Get(name); !seen[v] {
			seen[v] = true
			out = append(out, v)
		}
	}
	return out
}

// collect places every point.
func (d *sweepDrawing) collect() error {
	d.x = parameterAxis(d.X, d.values(d.X))
	var finite []sweep.Row
	var values []float64
	for _, r := range d.rows {
		if v := d.measure.of(&r); !math.IsInf(v, 0) && !math.IsNaN(v) {
			finite, values = append(finite, r), append(values, v)
		}
	}
	if lost := len(d.rows) - len(finite); lost > 0 {
		d.notes = append(d.notes, fmt.Sprintf("left out %d cells whose %s is not finite", lost, d.Y))
	}
	if d.rows = finite; len(finite) == 0 {
		return fmt.Errorf("nothing to draw: no cell has a finite %s", d.Y)
	}
	d.y = numberAxis(d.measure.axis(), values)
	d.points = map[[2]int]plotter.XYs{}
	for i, r := range finite {
		at := [2]int{indexOf(&d.facets, r.Cell.Get(d.Facet)), indexOf(&d.series, d.seriesName(r.Cell))}
		d.points[at] = append(d.points[at], plotter.XY{X: d.x.places[r.Cell.Get(d.X)], Y: d.y.place(values[i])})
	}
	if len(d.series) > maxSeries {
		return fmt.Errorf("%d lines cannot be told apart; choose some with --where, or make panels with --facet", len(d.series))
	}
	if len(d.facets) > maxPanels {
		return fmt.Errorf("%d panels are too many; choose some with --where", len(d.facets))
	}
	for at := range d.points {
		slices.SortFunc(d.points[at], func(a, b plotter.XY) int { return int(math.Copysign(1, a.X-b.X)) })
	}
	return nil
}

func (d *sweepDrawing) seriesName(c sweep.Cell) string {
	var parts []string
	for _, name := range d.Series {
		v := c.Get(name)
		if name == "T" {
			v = "T = " + v
		}
		parts = append(parts, v)
	}
	return strings.Join(parts, ", ")
}

// indexOf returns the place of a name in a list, and adds it where it is not there.
func indexOf(list *[]string, name string) int {
	if i := slices.Index(*list, name); i >= 0 {
		return i
	}
	*list = append(*list, name)
	return len(*list) - 1
}

// axis returns the label of the measure, with what it is counted in.
func (q measure) axis() string {
	switch q.key {
	case "B_over_J", "J", "B":
		return q.title
	case "relative_gap", "relative_gap_rounded", "dominant_mode_mass":
		return strings.ReplaceAll(q.key, "_", " ")
	case "kl_q_p":
		return "KL(q||p) (nats)"
	case "kl_p_q":
		return "KL(p||q) (nats)"
	}
	return strings.ReplaceAll(q.key, "_", " ") + " (nats)"
}

// parameterAxis places the values of a parameter: by number where they are numbers, or selectors with one name and
// a number behind it, as in power:2; else one beside the other.
func parameterAxis(name string, values []string) sweepAxis {
	var numbers []float64
	prefix := ""
	for i, v := range values {
		head, argument, has := strings.Cut(v, ":")
		if name == "T" {
			head, argument, has = "", v, true
		}
		n, err := strconv.ParseFloat(argument, 64)
		if err != nil || !has || i > 0 && head != prefix {
			numbers = nil
			break
		}
		prefix = head
		numbers = append(numbers, n)
	}
	a := sweepAxis{label: name, places: map[string]float64{}}
	if numbers == nil {
		for i, v := range values {
			a.places[v] = float64(i)
		}
		a.names, a.min, a.max = values, -0.3, float64(len(values))-0.7
		return a
	}
	label := strings.TrimSpace(name + " " + prefix)
	if name == "T" {
		label = "number of distributions T"
	}
	a = numberAxis(label, numbers)
	a.places = map[string]float64{}
	for i, v := range values {
		a.places[v] = a.place(numbers[i])
	}
	return a
}

// numberAxis returns the axis of numbers, logarithmic where that is sensible.
func numberAxis(label string, values []float64) sweepAxis {
	low, high := slices.Min(values), slices.Max(values)
	a := sweepAxis{label: label, log: low > 0 && high >= 10*low}
	a.min, a.max = a.place(low), a.place(high)
	pad := 0.04 * (a.max - a.min)
	if size := math.Max(math.Abs(a.min), math.Abs(a.max)); pad <= sameDigits*size {
		pad = math.Max(size/2, sameDigits) // one number, but for rounding
	}
	a.min, a.max = a.min-pad, a.max+pad
	return a
}

// sameDigits is how near to one another numbers are that an axis shows as one.
const sameDigits = 1e-9

func (a sweepAxis) place(v float64) float64 {
	if a.log {
		return math.Log10(v)
	}
	return v
}

// style sets up the axis of a plot.
func (a sweepAxis) style(axis *plot.Axis) {
	axis.Label.Text, axis.Min, axis.Max = a.label, a.min, a.max
	switch {
	case a.names != nil:
		ticks := make([]plot.Tick, len(a.names))
		for i, name := range a.names {
			ticks[i] = plot.Tick{Value: float64(i), Label: shorten(name)}
		}
		axis.Tick.Marker = plot.ConstantTicks(ticks)
	case a.log:
		axis.Tick.Marker = decades{}
	}
}

// shorten cuts a name that would not fit.
func shorten(name string) string {
	const most = 32
	if r := []rune(name); len(r) > most {
		return string(r[:most-3]) + "..."
	}
	return name
}

// figure draws the panels, and the names of the series beside them.
func (d *sweepDrawing) figure() *Figure {
	columns := int(math.Ceil(math.Sqrt(float64(len(d.facets)))))
	rows := (len(d.facets) + columns - 1) / columns
	size := vg.Point{X: 11 * vg.Centimeter, Y: 8.5 * vg.Centimeter}
	if len(d.facets) > 1 {
		size = vg.Point{X: 8 * vg.Centimeter, Y: 6.5 * vg.Centimeter}
	}
	legend := d.legendWidth()
	height := max(float64(size.Y)*float64(rows), float64(vg.Points(14))*float64(len(d.series)+2))
	f := &Figure{
		Name:  FileName("sweep_" + d.Y + "_" + d.X),
		width: size.X*vg.Length(columns) + legend, height: vg.Length(height),
	}
	f.draw = func(c draw.Canvas) {
		c.FillPolygon(color.White, corners(c.Rectangle))
		tiles := draw.Tiles{Rows: rows, Cols: columns, PadX: 0.3 * vg.Centimeter, PadY: 0.3 * vg.Centimeter}
		panels := make([][]*plot.Plot, rows)
		for i := range panels {
			panels[i] = make([]*plot.Plot, columns)
			for j := range panels[i] {
				if k := i*columns + j; k < len(d.facets) {
					panels[i][j] = d.panel(k)
				}
			}
		}
		margin := 0.25 * vg.Centimeter
		area := draw.Crop(c, margin, -legend-margin, margin, -margin)
		for i, line := range plot.Align(panels, tiles, area) {
			for j, canvas := range line {
				if panels[i][j] != nil {
					panels[i][j].Draw(canvas)
				}
			}
		}
		d.drawLegend(draw.Crop(c, c.Max.X-c.Min.X-legend, 0, 0, 0))
	}
	return f
}

// panel returns the plot of one facet.
func (d *sweepDrawing) panel(k int) *plot.Plot {
	p := plot.New()
	p.Add(gridLines())
	for i := range d.series {
		points := d.points[[2]int{k, i}]
		if len(points) == 0 {
			continue
		}
		line, dots, err := plotter.NewLinePoints(points)
		if err != nil {
			panic(err) // every number is finite
		}
		line.LineStyle, dots.GlyphStyle = seriesLine(i), seriesDot(i)
		if d.x.names == nil { // else nothing lies between the points
			p.Add(line)
		}
		p.Add(dots)
	}
	stylePlot(p)
	d.x.style(&p.X)
	d.y.style(&p.Y)
	if d.x.names != nil && len(strings.Join(d.x.names, "")) > 36 {
		p.X.Tick.Label.Rotation = math.Pi / 6
		p.X.Tick.Label.XAlign, p.X.Tick.Label.YAlign = text.XRight, text.YCenter
	}
	if d.Facet != "" {
		p.Title.Text = d.Facet + " = " + shorten(d.facets[k])
		p.Title.TextStyle.Font = sans(vg.Points(9.5))
		p.Title.Padding = vg.Points(3)
	}
	return p
}

func seriesLine(i int) draw.LineStyle {
	patterns := [][]vg.Length{nil, dashes(), {vg.Points(1.5), vg.Points(2)}, {vg.Points(8), vg.Points(2), vg.Points(2), vg.Points(2)}}
	return draw.LineStyle{Color: paletteColor(i), Width: vg.Points(1.5), Dashes: patterns[i/paletteSize%len(patterns)]}
}

func seriesDot(i int) draw.GlyphStyle {
	shapes := []draw.GlyphDrawer{draw.CircleGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{}, draw.TriangleGlyph{}}
	return draw.GlyphStyle{Color: paletteColor(i), Radius: vg.Points(1.8), Shape: shapes[i/paletteSize%len(shapes)]}
}

// legendWidth returns the room for the names of the series: none where there is one without a name.
func (d *sweepDrawing) legendWidth() vg.Length {
	if len(d.Series) == 0 {
		return 0
	}
	style := label(vg.Points(9), text.XLeft, text.YCenter)
	width := vg.Length(0)
	for _, name := range append(slices.Clone(d.series), strings.Join(d.Series, ", ")) {
		width = max(width, style.Width(shorten(name)))
	}
	return width + vg.Points(44)
}

func (d *sweepDrawing) drawLegend(c draw.Canvas) {
	if len(d.Series) == 0 {
		return
	}
	style := label(vg.Points(9), text.XLeft, text.YCenter)
	x, y := c.Min.X+vg.Points(6), c.Max.Y-vg.Points(16)
	c.FillText(style, vg.Point{X: x, Y: y}, shorten(strings.Join(d.Series, ", ")))
	for i, name := range d.series {
		y -= vg.Points(14)
		if d.x.names == nil {
			c.StrokeLine2(seriesLine(i), x, y, x+vg.Points(26), y)
		}
		c.DrawGlyph(seriesDot(i), vg.Point{X: x + vg.Points(13), Y: y})
		c.FillText(style, vg.Point{X: x + vg.Points(32), Y: y}, shorten(name))
	}
}
