package reports

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/chains"
	"breadboard/experiments/samplers"
	"breadboard/reports/figure"
)

// errorsColumns is how many kernels stand beside each other in a figure.
const errorsColumns = 4

// samplerErrorsFigures returns the figures of one target and function, with no more than errorsColumns kernels in each.
func samplerErrorsFigures(rows []samplers.ErrorsRow) (figures []Figure) {
	name := FileName(fmt.Sprintf("samplers_errors_%s_%s", rows[0].Toy.Name, rows[0].Function.Name))
	about := fmt.Sprintf("toy %s, function %s", rows[0].Toy.Name, rows[0].Function.Name)
	groups := slices.Collect(slices.Chunk(byKernel(rows), errorsColumns))
	for i, group := range groups {
		file := name
		if len(groups) > 1 {
			file = fmt.Sprintf("%s_%d", name, i+1)
		}
		figures = append(figures, Figure{Missing: about + ": no figure", Draw: func() (*figure.Figure, error) {
			return SamplerErrorsFigure(file, slices.Concat(group...))
		}})
	}
	return figures
}

func byKernel(rows []samplers.ErrorsRow) [][]samplers.ErrorsRow {
	return grouped(rows, func(r *samplers.ErrorsRow) string { return r.Kernel })
}

// startsOf splits rows into those of each start, by rising numbers of samples.
func startsOf(rows []samplers.ErrorsRow) [][]samplers.ErrorsRow {
	starts := grouped(rows, func(r *samplers.ErrorsRow) string { return r.Start.Name })
	for _, s := range starts {
		slices.SortStableFunc(s, func(a, b samplers.ErrorsRow) int { return int(max(-1, min(1, a.N-b.N))) })
	}
	return starts
}

// SamplerErrorsFigure draws RESS of the mean on one target and function against the number of samples N, a panel for each kernel and a
// line for each start, with N/tau and the line RESS = N of independent draws; and below, for each start that is not the target, how much
// of the mean squared error is mixing, that of chains from the target, and how much burn-in, what the start adds. It fails where there
// are fewer than two numbers of samples.
func SamplerErrorsFigure(name string, rows []samplers.ErrorsRow) (*figure.Figure, error) {
	kernels := byKernel(rows)
	starts := startsOf(kernels[0])
	if len(starts[0]) < 2 {
		return nil, chains.NewAdvice("give at least two numbers of samples, as in {N} 1,10,100")
	}
	above := make([]*figure.Panel, len(kernels))
	low, high := ressRange(rows)
	for i, run := range kernels {
		p, err := ressPlot(run, low, high)
		if err != nil {
			return nil, err
		}
		above[i] = p
	}
	plots, bars := above, false
	for s := range starts {
		if starts[s][0].Start.Name == "target" {
			continue
		}
		line := make([]*figure.Panel, len(kernels))
		for i, run := range kernels {
			line[i], bars = sharesPlot(startsOf(run)[s]), true
		}
		plots = append(plots, line...)
	}
	return figure.Grid(name, len(kernels), plots, errorsLegend(starts, bars)), nil
}

// ressRange returns the range of the axis that all panels share, in log10.
func ressRange(rows []samplers.ErrorsRow) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for i := range rows {
		for _, v := range []float64{rows[i].RESSMean(), float64(rows[i].N)} {
			if at := math.Log10(v); finite(at) {
				low, high = min(low, at), max(high, at)
			}
		}
	}
	room := 0.04 * (high - low)
	return low - room, high + room
}

// startMark is how the line of the i-th start looks.
func startMark(i int) figure.Mark {
	shapes := []draw.GlyphDrawer{draw.CircleGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{}, draw.RingGlyph{}, draw.SquareGlyph{}, draw.TriangleGlyph{}}
	shade := figure.Color(i)
	return figure.Mark{
		Line:  draw.LineStyle{Color: shade, Width: vg.Points(1.4)},
		Glyph: draw.GlyphStyle{Color: shade, Radius: vg.Points(2.4), Shape: shapes[i%len(shapes)]},
	}
}

// tauLine is the style of N/tau.
func tauLine() draw.LineStyle {
	return draw.LineStyle{Color: color.Black, Width: vg.Points(1), Dashes: figure.Dashes()}
}

// ressPlot draws RESS of one kernel.
func ressPlot(rows []samplers.ErrorsRow, low, high float64) (*figure.Panel, error) {
	p := figure.NewPanel(rows[0].Toy.Name+", "+rows[0].Kernel, "number of samples N", "RESS of the mean of "+rows[0].Function.Name)
	p.X.Tick.Marker, p.Y.Tick.Marker = figure.Decades{}, figure.Decades{}
	starts := startsOf(rows)
	from, to := math.Log10(float64(starts[0][0].N)), math.Log10(float64(starts[0][len(starts[0])-1].N))
	figure.Guide(p, plotter.XY{X: from, Y: from}, plotter.XY{X: to, Y: to}, greyLine())
	if tau := math.Log10(rows[0].Tau); finite(tau) { // a line that the axis cuts off where it is too low
		if begin := max(from, low+tau); begin < to {
			figure.Guide(p, plotter.XY{X: begin, Y: begin - tau}, plotter.XY{X: to, Y: to - tau}, tauLine())
		}
	}
	for i, s := range starts {
		points := logPoints(s, func(r *samplers.ErrorsRow) float64 { return float64(r.N) }, (*samplers.ErrorsRow).RESSMean)
		if err := addMarked(p, "from "+s[0].Start.Name, points, startMark(i)); err != nil {
			return nil, err
		}
	}
	room := 0.03 * (to - from)
	p.X.Min, p.X.Max = from-room, to+room
	p.Y.Min, p.Y.Max = low, high
	return p, nil
}

// The colours of the parts of an error.
func mixingShade() color.Color { return color.RGBA{0x7f, 0xb2, 0xd5, 0xff} }
func burnInShade() color.Color { return color.RGBA{0xd5, 0x5e, 0x00, 0xff} }
func sparedShade() color.Color { return color.RGBA{0xe3, 0xee, 0xf6, 0xff} }

// sharesPlot draws how the mean squared error of chains from one start is made up, a bar for each number of samples. A bar is one high:
// the error, or where chains from the target have more, theirs.
func sharesPlot(rows []samplers.ErrorsRow) *figure.Panel {
	p := figure.NewPanel("", "number of samples N", "MSE from "+rows[0].Start.Name)
	p.X.Tick.Marker = figure.Decades{}
	bars := &shares{}
	for i := range rows {
		mixing, total := rows[i].MSEStationary, rows[i].MSE
		if most := max(mixing, total); most > 0 {
			bars.at = append(bars.at, math.Log10(float64(rows[i].N)))
			bars.mixing = append(bars.mixing, min(mixing, total)/most)
			bars.burnIn = append(bars.burnIn, total >= mixing)
		}
	}
	p.Add(bars)
	for i, at := range bars.at {
		rest := "spared by the start"
		if bars.burnIn[i] {
			rest = "burn-in"
		}
		p.Record("mixing", plotter.XYs{{X: at, Y: bars.mixing[i]}})
		p.Record(rest, plotter.XYs{{X: at, Y: 1 - bars.mixing[i]}})
	}
	p.Y.Min, p.Y.Max = 0, 1
	return p
}

// shares are bars of height one that are split in two.
type shares struct {
	at, mixing []float64
	burnIn     []bool // whether the rest of a bar is burn-in; else it is what the start spares
}

// half returns half the width of a bar.
func (s *shares) half() float64 {
	least := math.Inf(1)
	for i := 1; i < len(s.at); i++ {
		least = min(least, s.at[i]-s.at[i-1])
	}
	if math.IsInf(least, 1) {
		return 0.35
	}
	return 0.35 * least
}

// Plot implements plot.Plotter.
func (s *shares) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	half := s.half()
	for i, at := range s.at {
		rest := sparedShade()
		if s.burnIn[i] {
			rest = burnInShade()
		}
		box := func(to float64, shade color.Color) {
			if to > 0 {
				c.FillPolygon(shade, figure.Corners(vg.Rectangle{Min: vg.Point{X: x(at - half), Y: y(0)}, Max: vg.Point{X: x(at + half), Y: y(to)}}))
			}
		}
		if s.mixing[i] < 1 {
			box(1, rest) // the whole bar, part of which the next one covers
		}
		box(s.mixing[i], mixingShade())
	}
}

// DataRange implements plot.DataRanger.
func (s *shares) DataRange() (xmin, xmax, ymin, ymax float64) {
	if len(s.at) == 0 {
		return 0, 1, 0, 1
	}
	return s.at[0] - s.half(), s.at[len(s.at)-1] + s.half(), 0, 1
}

// errorsLegend returns the legend of the figure.
func errorsLegend(starts [][]samplers.ErrorsRow, bars bool) figure.Legend {
	var l figure.Legend
	for i, s := range starts {
		l.Add("from "+s[0].Start.Name, startMark(i))
	}
	l.Add("N/tau", &plotter.Line{LineStyle: tauLine()})
	l.Add("RESS = N", &plotter.Line{LineStyle: greyLine()})
	if bars {
		l.Add("mixing", figure.Swatch{Color: mixingShade()})
		l.Add("burn-in", figure.Swatch{Color: burnInShade()})
		l.Add("spared by the start", figure.Swatch{Color: sparedShade()})
	}
	return l
}
