package mcmc

import (
	"errors"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/chains"
	"breadboard/exact/meeting"
	"breadboard/experiments/couple"
	"breadboard/grid"
	"breadboard/reports"
	"breadboard/reports/figure"
)

// CoupleLoosenessFigure draws how many times the distance its bound is against the number of moves: a panel for each lag, a line for each coupling.
func CoupleLoosenessFigure(rows []couple.Row) (*figure.Figure, error) {
	var panels []*figure.Panel
	var legend figure.Legend
	for _, run := range reports.Grouped(rows, func(r *couple.Row) string { return fmt.Sprint(r.Lag) }) {
		p := figure.NewLogPanel(fmt.Sprintf("lag L = %d", run[0].Lag), "moves t + 1", "d/TV")
		for i, coupling := range reports.Grouped(run, func(r *couple.Row) string { return r.Coupling }) {
			style := draw.LineStyle{Color: figure.Color(i), Width: vg.Points(1.4)}
			points := coupleCurve(coupling[0].Curve, 1e-3, func(c *meeting.Point) float64 {
				if c.TV < leastShown {
					return math.NaN()
				}
				return c.Bound / c.TV
			})
			if err := figure.AddLine(p, coupling[0].Coupling, points, style); err != nil {
				return nil, err
			}
			legend.Add(coupling[0].Coupling, &plotter.Line{LineStyle: style})
		}
		p.Y.Min = min(p.Y.Min, 0)
		figure.RoomAround(p)
		figure.Across(p, 0)
		panels = append(panels, p)
	}
	return figure.Grid(coupleFile("couple_looseness", &rows[0])+"_"+reports.FileName(rows[0].Start.Name), min(3, len(panels)), panels, legend), nil
}

// coupleFile begins the name of a file with what a row is about.
func coupleFile(kind string, r *couple.Row) string {
	return reports.FileName(fmt.Sprintf("%s_%s_%s", kind, r.Toy.Name, r.Kernel))
}

// latenessLevels is the number of colours of a map, of which each stands for as wide a range as the others.
const latenessLevels = 6

// CoupleMapFigure draws for each coupling from where a chain takes long to meet one at the mode: the states of a plane, each in the colour of its mean
// number of moves. It fails where the states are no plane.
func CoupleMapFigure(rows []couple.Row) (*figure.Figure, error) {
	plane, is := rows[0].Toy.Space.(*grid.Lattice)
	if !is || plane.Dims() != 2 {
		return nil, errors.New("the states are not those of a plane")
	}
	colours, err := figure.Viridis()
	if err != nil {
		return nil, err
	}
	var values []float64
	for i := range rows {
		values = append(values, rows[i].FromMode...)
	}
	values = slices.DeleteFunc(values, func(v float64) bool { return !figure.Finite(v) })
	highest := slices.Max(values)
	if highest == 0 {
		return nil, errors.New("no chain is sure to meet one at the mode")
	}
	level := func(v float64) float64 { return min(math.Floor(v/highest*latenessLevels), latenessLevels-1) }
	shade := func(v float64) color.Color {
		if math.IsInf(v, 1) {
			return color.Black
		}
		at, err := colours.At(1 - level(v)/(latenessLevels-1))
		if err != nil {
			panic(err) // the place is within the colour map
		}
		return at
	}
	legend := figure.Legend{Title: "mean moves until they meet, up to"}
	for l := range latenessLevels {
		end := highest * float64(l+1) / latenessLevels
		if slices.ContainsFunc(values, func(v float64) bool { return level(v) == float64(l) }) {
			legend.Add(strconv.FormatFloat(end, 'g', 3, 64), figure.Swatch{Color: shade(end - highest/latenessLevels/2)})
		}
	}
	if slices.ContainsFunc(rows, func(r couple.Row) bool { return slices.Contains(r.FromMode, math.Inf(1)) }) {
		legend.Add("they may never meet", figure.Swatch{Color: shade(math.Inf(1))})
	}
	var panels []*figure.Panel
	for i := range rows {
		if rows[i].FromMode == nil {
			continue
		}
		p := figure.NewPanel(rows[i].Coupling, "x_{1}", "x_{0}")
		m := &stateMap{plane: plane, values: rows[i].FromMode, shade: shade}
		p.Add(m)
		for x, v := range m.values {
			p.Record(strconv.FormatFloat(v, 'g', 6, 64), plotter.XYs{{X: float64(plane.Coord(x, 1)), Y: float64(plane.Coord(x, 0))}})
		}
		panels = append(panels, p)
	}
	return figure.Grid(coupleFile("couple_map", &rows[0]), min(3, len(panels)), panels, legend), nil
}

// stateMap draws the states of a plane as cells, the first coordinate downwards. One that may never meet is black.
type stateMap struct {
	plane  *grid.Lattice
	values []float64
	shade  func(v float64) color.Color
}

// Plot implements plot.Plotter.
func (m *stateMap) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	low, high := plotter.XY{X: -0.5, Y: -0.5}, plotter.XY{X: float64(m.plane.Side(1)) - 0.5, Y: float64(m.plane.Side(0)) - 0.5}
	box := vg.Rectangle{Min: vg.Point{X: x(low.X), Y: y(low.Y)}, Max: vg.Point{X: x(high.X), Y: y(high.Y)}}
	figure.FillCells(c, box, m.plane.Side(0), m.plane.Side(1), func(row, column int) color.Color {
		return m.shade(m.values[(m.plane.Side(0)-1-row)*m.plane.Side(1)+column])
	})
}

// DataRange implements plot.DataRanger.
func (m *stateMap) DataRange() (xmin, xmax, ymin, ymax float64) {
	return -0.5, float64(m.plane.Side(1)) - 0.5, -0.5, float64(m.plane.Side(0)) - 0.5
}

// CoupleBestFigure draws the mean meeting time of each coupling, with a line at that of the best: a panel for each target, kernel and start.
func CoupleBestFigure(rows []couple.BestRow) (*figure.Figure, error) {
	var panels []*figure.Panel
	most := 0
	for _, run := range reports.Grouped(rows, func(r *couple.BestRow) string { return r.Name() + r.Start.Name }) {
		p := figure.NewPanel(fmt.Sprintf("%s, %s, start %s", run[0].Toy.Name, run[0].Kernel, run[0].Start.Name), "E tau over that of the best coupling", "")
		var ticks plot.ConstantTicks
		var points plotter.XYs
		for i := range run {
			at := float64(len(run) - 1 - i)
			ticks = append(ticks, plot.Tick{Value: at, Label: run[i].Coupling})
			if v := run[i].MeanTau / run[i].BestMean; figure.Finite(v) {
				points = append(points, plotter.XY{X: v, Y: at})
				p.Record(run[i].Coupling, plotter.XYs{{X: v, Y: at}})
			}
		}
		if len(points) == 0 {
			continue
		}
		p.Add(&plotter.Scatter{XYs: points, GlyphStyle: figure.Full(0).Glyph})
		p.Y.Tick.Marker = ticks
		p.X.Min = min(p.X.Min, 1)
		figure.RoomAround(p)
		p.Y.Min, p.Y.Max = -0.6, float64(len(run))-0.4
		figure.Guide(p, plotter.XY{X: 1, Y: p.Y.Min}, plotter.XY{X: 1, Y: p.Y.Max}, figure.GreyLine())
		panels, most = append(panels, p), max(most, len(run))
	}
	if len(panels) == 0 {
		return nil, chains.NewAdvice("nothing to draw: of no coupling all chains meet")
	}
	height := 2*vg.Centimeter + vg.Length(most)*0.5*vg.Centimeter
	return figure.Sheet{Name: "couple_best", Rows: [][]*figure.Panel{panels}, Columns: 2, Width: 9 * vg.Centimeter, Height: height, Least: 24, Lines: true}.Figure(), nil
}

// CoupleLossFigure draws the loss of the unbiased estimator against k, a line for each lag, with the k that is often advised and the best one.
func CoupleLossFigure(rows []couple.UnbiasedRow) (*figure.Figure, error) {
	p := figure.NewPanel("", "k", "loss")
	p.Y.Tick.Marker = figure.Decades{}
	var legend figure.Legend
	advised, best := draw.GlyphStyle{Color: color.Black, Radius: vg.Points(3), Shape: figure.OpenGlyph{Of: draw.BoxGlyph{}}}, draw.GlyphStyle{Color: color.Black, Radius: vg.Points(3), Shape: draw.CircleGlyph{}}
	for i, run := range reports.Grouped(rows, func(r *couple.UnbiasedRow) string { return fmt.Sprint(r.Lag) }) {
		name, style := fmt.Sprintf("lag L = %d", run[0].Lag), draw.LineStyle{Color: figure.Color(i), Width: vg.Points(1.4)}
		var points plotter.XYs
		for _, u := range run[0].Every {
			if v := math.Log10(u.Loss); figure.Finite(v) {
				points = append(points, plotter.XY{X: float64(u.K), Y: v})
			}
		}
		if err := figure.AddLine(p, name, points, style); err != nil {
			return nil, err
		}
		legend.Add(name, &plotter.Line{LineStyle: style})
		for _, r := range run {
			mark := map[string]draw.GlyphStyle{couple.BestK: best, couple.QuantileK: advised}
			if glyph, is := mark[r.Rule]; is && figure.Finite(r.Loss) {
				if err := figure.AddDots(p, name+", k = "+r.Rule, plotter.XYs{{X: float64(r.Unbiased.K), Y: math.Log10(r.Loss)}}, glyph); err != nil {
					return nil, err
				}
			}
		}
	}
	for _, mark := range []struct {
		rule, name string
		glyph      draw.GlyphStyle
	}{{couple.QuantileK, "k at the 99% quantile, as is often advised", advised}, {couple.BestK, "the best k", best}} {
		if slices.ContainsFunc(rows, func(r couple.UnbiasedRow) bool { return r.Rule == mark.rule }) {
			legend.Add(mark.name, &plotter.Scatter{GlyphStyle: mark.glyph})
		}
	}
	p.Y.Min = min(p.Y.Min, 0)
	figure.RoomAround(p)
	figure.Across(p, 0)
	legend.Add("one long chain", &plotter.Line{LineStyle: figure.GreyLine()})
	r := &rows[0]
	name := reports.FileName(fmt.Sprintf("couple_loss_%s_%s_%s_%s_%s_m%d", r.Toy.Name, r.Kernel, r.Start.Name, r.Function.Name, r.Coupling, r.M))
	return figure.Grid(name, 1, []*figure.Panel{p}, legend), nil
}
