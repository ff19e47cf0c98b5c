package mcmc

import (
	"cmp"
	"image/color"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
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

// samplersBoxesFigure draws box plots of NESS and of the efficiency RESS/N of the mean by kernel,
// the best kernel first: of all targets, and beside them of those with RESS of at least 12 only, as
// the paper's Figure 2 has them. It fails if there are fewer than two targets.
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
			if !slices.ContainsFunc(rows, func(r rank.Row) bool { return r.Scores[rank.Mean].RESS >= samplers.SuccessRESS }) {
				break
			}
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
	for column := range measures { // the targets below are among those above
		low, high := panels[0][column].X.Min, panels[0][column].X.Max
		room := 0.03 * (high - low)
		for _, row := range panels {
			row[column].X.Min, row[column].X.Max = low-room, high+room
		}
	}
	height := 2*vg.Centimeter + vg.Length(len(kernels))*0.55*vg.Centimeter
	return figure.Sheet{Name: "samplers_rank_boxes", Rows: panels, Width: 9.5 * vg.Centimeter, Height: height, Least: 24, Lines: true,
		Caption: "Boxes: the quartiles and the median over targets. Whiskers: the farthest values within 1.5 times the length of the box."}.Figure(), nil
}

func kernelsByRank(rows []rank.Row) (names []string) {
	for _, s := range rank.Standings(rows) {
		names = append(names, s.Kernel)
	}
	return names
}

// boxes returns a plot with a horizontal box for each kernel, the first at the top, on a
// logarithmic axis.
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

// SamplersRankFigure draws a map of log10 NESS of the mean: a row for each target and a column for
// each kernel, the best kernel first. The best on each target has a dot. It fails if there are
// fewer than two kernels.
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
	at := func(row, column int) *rank.Row {
		i := slices.IndexFunc(examples[row], func(r *rank.Row) bool { return r.Kernel == kernels[column] })
		if i < 0 {
			return nil
		}
		return examples[row][i]
	}
	m := figure.TileMap{
		Name: "samplers_rank_map", Rows: exampleNames(examples), Columns: kernels, Low: low, High: high, Width: 1.1 * vg.Centimeter,
		Height: 0.5 * vg.Centimeter, Slanted: true, Scale: "NESS",
		Shade: func(v float64) color.Color { return colors((v - low) / (high - low)) },
		Value: func(row, column int) float64 {
			if r := at(row, column); r != nil {
				return max(number.Log10(r.Scores[rank.Mean].NESS), -math.MaxFloat64)
			}
			return math.NaN()
		},
		Ticks: plot.TickerFunc(func(_, _ float64) []plot.Tick {
			ticks := figure.Decades{}.Ticks(low, high)
			if len(ticks) > 0 && ticks[0].Value == low && high-low == mapDecades && ticks[0].Label != "" {
				ticks[0].Label = "< " + ticks[0].Label
			}
			return ticks
		}),
		Cell: func(c draw.Canvas, _ figure.Style, row, column int, box vg.Rectangle) {
			best := slices.MinFunc(examples[row], func(a, b *rank.Row) int { return cmp.Compare(a.Scores[rank.Mean].Rank, b.Scores[rank.Mean].Rank) })
			if r := at(row, column); r != nil && r.Scores[rank.Mean].Rank == best.Scores[rank.Mean].Rank {
				bestDot(c, vg.Point{X: (box.Min.X + box.Max.X) / 2, Y: (box.Min.Y + box.Max.Y) / 2}, box.Size().Y)
			}
		},
		Key: func(c draw.Canvas, s figure.Style, at vg.Point) { bestDot(c, at, 0.5*vg.Centimeter) }, KeyName: "best",
	}
	if len(examples) > 30 {
		m.Height = 0.27 * vg.Centimeter
	}
	f := m.Figure()
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

// mapDecades is the largest number of decades that the colours show. All that is less has the
// darkest.
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

// bestDot marks the best, in the map and beside its scale: a black dot with a white edge, which is
// seen on all colours.
func bestDot(c draw.Canvas, centre vg.Point, room vg.Length) {
	radius := min(vg.Points(2.2), room/4)
	c.DrawGlyph(draw.GlyphStyle{Color: color.White, Radius: 1.5 * radius, Shape: draw.CircleGlyph{}}, centre)
	c.DrawGlyph(draw.GlyphStyle{Color: color.Black, Radius: radius, Shape: draw.CircleGlyph{}}, centre)
}

// exampleNames returns what examples are called, with their starts and functions if there are
// several.
func exampleNames(examples [][]*rank.Row) (names []string) {
	several := func(of func(*rank.Row) string) bool {
		return slices.ContainsFunc(examples, func(e []*rank.Row) bool { return of(e[0]) != of(examples[0][0]) })
	}
	start, function := func(r *rank.Row) string { return r.Start.Name }, func(r *rank.Row) string { return r.Function.Name }
	for _, e := range examples {
		name := e[0].Toy.Name
		for _, of := range []func(*rank.Row) string{start, function} {
			if several(of) {
				name += ", " + of(e[0])
			}
		}
		names = append(names, name)
	}
	return figure.ShortNames(names, maxExampleName)
}

// maxExampleName is the length of the longest name for which there is room.
const maxExampleName = 48
