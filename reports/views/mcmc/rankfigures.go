package mcmc

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

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/experiments/mcmc/samplers/rank"
	"breadboard/reports/figure"
	"breadboard/reports/table"
	"breadboard/reports/views/internal/curves"
)

// samplersBoxesFigure draws box plots of NESS and of the efficiency RESS/N of the mean by kernel, the best kernel first: of all targets, and beside
// them of those with RESS of at least 12 only, as the paper's Figure 2 has them. It fails where there are fewer than two targets.
func samplersBoxesFigure(rows []rank.Row) (*figure.Figure, error) {
	if len(rank.Examples(rows)) < 2 {
		return nil, chains.NewAdvice("nothing to draw: give at least two targets, as in {corpus} small")
	}
	kernels := kernelsByRank(rows)
	measures := []struct {
		label string
		of    func(*rank.Row) float64
	}{
		{"NESS of the mean", func(r *rank.Row) float64 { return r.Scores[rank.Mean].NESS }},
		{"efficiency RESS/N of the mean", func(r *rank.Row) float64 { return r.Scores[rank.Mean].RESS / float64(r.N) }},
	}
	var panels [][]*figure.Panel
	for _, succeeded := range []bool{false, true} {
		title, line := "all targets", []*figure.Panel{}
		if succeeded {
			title = "RESS of at least " + strconv.Itoa(samplers.SuccessRESS)
		}
		for _, m := range measures {
			p, err := boxes(rows, kernels, succeeded, m.of)
			if err != nil {
				return nil, err
			}
			p.Title.Text = title
			p.X.Label.Text = m.label
			line = append(line, p)
		}
		panels = append(panels, line)
	}
	for column := range measures { // the same range above and below
		above, below := &panels[0][column].X, &panels[1][column].X
		low, high := min(above.Min, below.Min), max(above.Max, below.Max)
		room := 0.03 * (high - low)
		for _, x := range []*plot.Axis{above, below} {
			x.Min, x.Max = low-room, high+room
		}
	}
	height := 2*vg.Centimeter + vg.Length(len(kernels))*0.55*vg.Centimeter
	return figure.Sheet{Name: "samplers_rank_boxes", Rows: panels, Width: 9.5 * vg.Centimeter, Height: height, Least: 24, Lines: true}.Figure(), nil
}

func kernelsByRank(rows []rank.Row) (names []string) {
	for _, s := range rank.Standings(rows) {
		names = append(names, s.Kernel)
	}
	return names
}

// boxes returns a plot with a horizontal box for each kernel, the first at the top, on a logarithmic axis.
func boxes(rows []rank.Row, kernels []string, succeeded bool, of func(*rank.Row) float64) (*figure.Panel, error) {
	p := figure.NewPanel("", "", "")
	p.X.Tick.Marker = figure.Decades{}
	var ticks plot.ConstantTicks
	for k, kernel := range kernels {
		at := float64(len(kernels) - 1 - k)
		ticks = append(ticks, plot.Tick{Value: at, Label: kernel})
		var values plotter.Values
		for i := range rows {
			if r := &rows[i]; r.Kernel == kernel && (!succeeded || r.Scores[rank.Mean].RESS >= samplers.SuccessRESS) {
				if v := number.Log10(of(r)); figure.Finite(v) {
					values = append(values, v)
				}
			}
		}
		if len(values) == 0 {
			continue
		}
		box, err := plotter.NewBoxPlot(vg.Points(9), at, values)
		if err != nil {
			return nil, err
		}
		box.Horizontal = true
		box.FillColor = figure.Translucent(figure.Color(0))
		box.MedianStyle = draw.LineStyle{Color: figure.Color(1), Width: vg.Points(1.8)}
		box.BoxStyle.Width, box.WhiskerStyle.Width, box.WhiskerStyle.Dashes = vg.Points(0.7), vg.Points(0.7), nil
		box.GlyphStyle = draw.GlyphStyle{Color: figure.Color(0), Radius: vg.Points(1.6), Shape: draw.CircleGlyph{}}
		p.Add(box)
		for _, v := range values {
			p.Record(kernel, plotter.XYs{{X: v, Y: at}})
		}
	}
	p.Y.Tick.Marker = ticks
	p.Y.Min, p.Y.Max = -0.6, float64(len(kernels))-0.4
	return p, nil
}

// SamplersRankFigure draws a map of log10 NESS of the mean: a row for each target and a column for each kernel, the best kernel first.
// The best on each target has a dot. It fails where there are fewer than two kernels.
func SamplersRankFigure(rows []rank.Row) (*figure.Figure, error) {
	kernels := kernelsByRank(rows)
	if len(kernels) < 2 {
		return nil, chains.NewAdvice("nothing to draw: give at least two kernels, as in {kernel} metropolis,heatbath")
	}
	colors, err := curves.Shades()
	if err != nil {
		return nil, err
	}
	examples := rank.Examples(rows)
	low, high := nessDecades(rows)
	f := figure.New("samplers_rank_map", func(s figure.Style) figure.Page {
		shade := func(v float64) color.Color { return colors((v - low) / (high - low)) }
		m := &rankMap{style: s, examples: examples, kernels: kernels, low: low, high: high, shade: shade}
		return m.page()
	})
	f.Title = "Independent draws of which a chain's mean is worth, by kernel and example"
	f.Data = &table.Table{Columns: []table.Column{
		{Name: "toy", Type: table.String, Title: "toy", Meaning: "the target"},
		{Name: "start", Type: table.String, Title: "start", Meaning: "where chains start"},
		{Name: "function", Type: table.String, Title: "function", Meaning: "whose mean is estimated"},
		{Name: "kernel", Type: table.String, Title: "kernel", Meaning: "the kernel"},
		{Name: "ness", Type: table.Float, Title: "NESS", Meaning: "the effective sample size of the mean for a unit of work"},
	}}
	for _, example := range examples {
		for _, r := range example {
			f.Data.Rows = append(f.Data.Rows, []any{r.Toy.Name, r.Start.Name, r.Function.Name, r.Kernel, r.Scores[rank.Mean].NESS})
		}
	}
	return f, nil
}

// mapDecades is the largest number of decades that the colours show. All that is less has the darkest.
const mapDecades = 5

// nessDecades returns the range of log10 NESS in whole decades.
func nessDecades(rows []rank.Row) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for i := range rows {
		if v := number.Log10(rows[i].Scores[rank.Mean].NESS); figure.Finite(v) {
			low, high = min(low, math.Floor(v)), max(high, math.Ceil(v))
		}
	}
	return max(low, high-mapDecades), max(high, low+1)
}

// The layout of the map in the zero Style.
const (
	mapCell  = 1.1 * vg.Centimeter
	mapRight = 2.4 * vg.Centimeter // for the scale of colours
)

// rankMap draws a cell for each kernel on each target.
type rankMap struct {
	style      figure.Style
	examples   [][]*rank.Row
	kernels    []string
	low, high  float64
	shade      func(float64) color.Color
	cell       vg.Length // the width of a cell
	cellHeight vg.Length
	left, top  vg.Length // for the names of the targets and of the kernels
}

// page returns the size of the map, and how it is drawn.
func (m *rankMap) page() figure.Page {
	scale := vg.Length(m.style.Scale())
	m.cell, m.cellHeight = mapCell*scale, 0.5*vg.Centimeter*scale
	if len(m.examples) > 30 {
		m.cellHeight = 0.27 * vg.Centimeter * scale
	}
	for _, example := range m.examples {
		m.left = max(m.left, m.label().Width(m.name(example[0]))+0.4*vg.Centimeter)
	}
	right := mapRight * scale
	if m.style.Width > 0 {
		m.left = min(m.left, 0.45*m.style.Width)
		m.cell = (m.style.Width - m.left - right) / vg.Length(len(m.kernels))
	}
	m.top = 0
	for _, kernel := range m.kernels {
		m.top = max(m.top, m.kernelLabel().Width(kernel))
	}
	m.top = vg.Length(math.Sin(slant))*m.top + 2*m.kernelLabel().Font.Size
	width := m.left + vg.Length(len(m.kernels))*m.cell + right
	height := m.top + vg.Length(len(m.examples))*m.cellHeight + 0.4*vg.Centimeter
	return figure.Page{Width: width, Height: max(height, m.top+4.6*vg.Centimeter*scale), Draw: m.draw}
}

// slant is the angle of the names of kernels.
const slant = math.Pi / 3

func (m *rankMap) kernelLabel() draw.TextStyle {
	label := figure.Label(min(m.style.Size(8.5), max(m.style.Size(5), 0.9*m.cell)), text.XLeft, text.YCenter)
	label.Rotation = slant
	return label
}

func (m *rankMap) label() draw.TextStyle {
	return figure.Label(min(m.style.Size(8.5), 0.9*m.cellHeight), text.XRight, text.YCenter)
}

func (m *rankMap) draw(c draw.Canvas) {
	c.FillPolygon(color.White, figure.Corners(c.Rectangle))
	top := c.Max.Y - m.top
	for k, kernel := range m.kernels {
		c.FillText(m.kernelLabel(), vg.Point{X: c.Min.X + m.left + (vg.Length(k)+0.5)*m.cell, Y: top + 0.15*vg.Centimeter}, kernel)
	}
	for i, example := range m.examples {
		middle := top - (vg.Length(i)+0.5)*m.cellHeight
		c.FillText(m.label(), vg.Point{X: c.Min.X + m.left - 0.15*vg.Centimeter, Y: middle + m.label().FontExtents().Descent}, figure.CutTo(m.name(example[0]), m.label(), m.left-0.2*vg.Centimeter))
		shades := make([]float64, len(m.kernels))
		for k := range shades {
			shades[k] = math.NaN()
		}
		for _, r := range example {
			shades[slices.Index(m.kernels, r.Kernel)] = number.Log10(r.Scores[rank.Mean].NESS)
		}
		line := vg.Rectangle{
			Min: vg.Point{X: c.Min.X + m.left, Y: middle - m.cellHeight/2},
			Max: vg.Point{X: c.Min.X + m.left + vg.Length(len(m.kernels))*m.cell, Y: middle + m.cellHeight/2},
		}
		if i < len(m.examples)-1 {
			line.Min.Y -= vg.Points(0.5) // under the next line, so that no seams show
		}
		figure.FillCells(c, line, 1, len(m.kernels), func(_, k int) color.Color {
			if math.IsNaN(shades[k]) {
				return color.White
			}
			return m.shade(shades[k])
		})
	}
	for i, example := range m.examples {
		middle := top - (vg.Length(i)+0.5)*m.cellHeight
		best := slices.MinFunc(example, func(a, b *rank.Row) int { return cmp.Compare(a.Scores[rank.Mean].Rank, b.Scores[rank.Mean].Rank) })
		for _, r := range example {
			if r.Scores[rank.Mean].Rank == best.Scores[rank.Mean].Rank {
				k := vg.Length(slices.Index(m.kernels, r.Kernel))
				m.dot(c, vg.Point{X: c.Min.X + m.left + (k+0.5)*m.cell, Y: middle})
			}
		}
	}
	foot := top - vg.Length(len(m.examples))*m.cellHeight
	figure.AddArea(c, vg.Rectangle{Min: vg.Point{X: c.Min.X + m.left, Y: foot}, Max: vg.Point{X: c.Min.X + m.left + vg.Length(len(m.kernels))*m.cell, Y: top}}, "NESS")
	scale := vg.Length(m.style.Scale())
	m.scale(c, vg.Rectangle{
		Min: vg.Point{X: c.Max.X - 1.9*vg.Centimeter*scale, Y: top - 3*vg.Centimeter*scale},
		Max: vg.Point{X: c.Max.X - 1.55*vg.Centimeter*scale, Y: top},
	})
}

// dot marks the best, in the map and beside its scale: a black dot with a white edge, which is seen on all colours.
func (m *rankMap) dot(c draw.Canvas, centre vg.Point) {
	radius := min(vg.Points(2.2), m.cellHeight/4)
	c.DrawGlyph(draw.GlyphStyle{Color: color.White, Radius: 1.5 * radius, Shape: draw.CircleGlyph{}}, centre)
	c.DrawGlyph(draw.GlyphStyle{Color: color.Black, Radius: radius, Shape: draw.CircleGlyph{}}, centre)
}

func (m *rankMap) name(r *rank.Row) string {
	same := func(of func(*rank.Row) string) bool {
		return !slices.ContainsFunc(m.examples, func(e []*rank.Row) bool { return of(e[0]) != of(m.examples[0][0]) })
	}
	name := r.Toy.Name
	if !same(func(r *rank.Row) string { return r.Start.Name }) {
		name += ", " + r.Start.Name
	}
	if !same(func(r *rank.Row) string { return r.Function.Name }) {
		name += ", " + r.Function.Name
	}
	if short := []rune(name); len(short) > maxExampleName {
		name = string(short[:maxExampleName-3]) + "..."
	}
	return name
}

// maxExampleName is the length of the longest name for which there is room.
const maxExampleName = 48

// scale draws the colours with a label at each decade.
func (m *rankMap) scale(c draw.Canvas, box vg.Rectangle) {
	const steps = 64
	height := box.Size().Y
	figure.FillCells(c, box, steps, 1, func(row, _ int) color.Color { return m.shade(m.high - (m.high-m.low)*(float64(row)+0.5)/steps) })
	label := figure.Label(m.style.Size(8), text.XLeft, text.YCenter)
	descent := label.FontExtents().Descent
	labels := 0
	for _, tick := range (figure.Decades{}).Ticks(m.low, m.high) {
		if tick.Label != "" {
			labels++
			if tick.Value == m.low && m.high-m.low == mapDecades {
				tick.Label = "< " + tick.Label
			}
			at := vg.Length((tick.Value - m.low) / (m.high - m.low))
			c.FillText(label, vg.Point{X: box.Max.X + 0.12*vg.Centimeter, Y: box.Min.Y + height*at + descent}, tick.Label)
		}
	}
	figure.AddScale(c, labels)
	c.FillText(figure.Label(m.style.Size(8.5), text.XLeft, text.YBottom), vg.Point{X: box.Min.X, Y: box.Max.Y + 0.6*m.style.Letters()}, "NESS")
	mark := vg.Point{X: (box.Min.X + box.Max.X) / 2, Y: box.Min.Y - 0.5*vg.Centimeter}
	figure.AddEntry(c, "best", func() { m.dot(c, mark) })
	c.FillText(label, vg.Point{X: box.Max.X + 0.12*vg.Centimeter, Y: mark.Y + descent}, "best")
}
