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
	"breadboard/chains/number"
	"breadboard/exact/meeting"
	"breadboard/experiments/columns"
	"breadboard/experiments/mcmc/couple"
	"breadboard/grid"
	"breadboard/reports"
	"breadboard/reports/figure"
	"breadboard/reports/table"
	"breadboard/reports/views/internal/curves"
)

// CoupleReport returns the report of coupled chains, with a figure of the bounds for each target, kernel and start.
func CoupleReport(rows []couple.Row) *reports.Report {
	r := reports.New("couple", table.New(couple.Columns(), rows))
	var lines []string
	subject := func(r *couple.Row) string { return r.Name() + ", start " + r.Start.Name }
	for _, run := range reports.Grouped(rows, subject) {
		about := subject(&run[0])
		if slices.ContainsFunc(run, func(r couple.Row) bool { return r.Curve != nil }) {
			r.Add(curves.About("Distance and its bound", about, run, coupleFigure),
				curves.Figure("How many times the distance its bound is: "+about, about+": no figure of d/TV", run, coupleLoosenessFigure))
		}
		if name := run[0].Name(); slices.ContainsFunc(run, func(r couple.Row) bool { return r.FromMode != nil }) {
			r.Add(curves.Figure("From where chains meet one at the mode late: "+name, name+": no map of meeting times", run, coupleMapFigure))
		}
		for i := range run {
			for _, note := range run[i].Notes() {
				lines = append(lines, fmt.Sprintf("%s, coupling %s: %s", about, run[i].Coupling, note))
			}
		}
	}
	r.NotesOnce(lines)
	return r
}

// coupleFigure draws, for each lag, the distance of the law after t moves from the target, the sum of distances that bounds it with the best
// coupling of that lag, and the bounds of the couplings above them. What is between the first two is what the triangle inequality loses, and up to
// a bound what its coupling loses; both are shaded where they are known, this for the first coupling. It fails where there is nothing to draw.
func coupleFigure(rows []couple.Row) (*figure.Figure, error) {
	var panels []*figure.Panel
	var couplings figure.Legend
	var pen curves.Pen
	tv := draw.LineStyle{Color: figure.KindGrey(), Width: vg.Points(2)}
	lagged := draw.LineStyle{Color: figure.KindGrey(), Width: vg.Points(1.5), Dashes: figure.Dashes()}
	triangle, coupled := figure.Swatch{Color: color.Gray{0xd0}}, figure.Swatch{Color: figure.Translucent(figure.Color(0))}
	triangleLost, couplingLost := false, ""
	for _, run := range reports.Grouped(rows, func(r *couple.Row) string { return fmt.Sprint(r.Lag) }) {
		p := figure.NewLogPanel(fmt.Sprintf("lag L = %d", run[0].Lag), "moves t + 1", "distance and bounds")
		first := true
		for i, coupling := range reports.Grouped(run, func(r *couple.Row) string { return r.Coupling }) {
			curve := coupling[0].Curve
			if curve == nil { // it has failed
				continue
			}
			distance, sum := func(c *meeting.Point) float64 { return c.TV }, func(c *meeting.Point) float64 { return c.LagTV }
			bound := func(c *meeting.Point) float64 { return c.Bound }
			if first {
				triangleLost = addBand(p, curve, distance, sum, triangle) || triangleLost
				if addBand(p, curve, sum, bound, coupled) {
					couplingLost = coupling[0].Coupling
				}
				coupleLine(&pen, p, "TV", coupleCurve(curve, leastShown, distance), tv)
				coupleLine(&pen, p, "D", coupleCurve(curve, leastShown, sum), lagged)
				first = false
			}
			style := draw.LineStyle{Color: figure.Color(i), Width: vg.Points(1.4)}
			if coupleLine(&pen, p, coupling[0].Coupling, coupleCurve(curve, leastShown, bound), style) {
				couplings.Add("d, coupling "+coupling[0].Coupling, curves.Key(style))
			}
		}
		if figure.Finite(p.X.Min) { // something is drawn
			limit := number.Log10(run[0].Within)
			p.Y.Min, p.Y.Max = min(p.Y.Min, limit), max(p.Y.Max, limit)
			figure.RoomAround(p)
			figure.Across(p, limit)
			panels = append(panels, p)
		}
	}
	if len(panels) == 0 {
		return nil, fmt.Errorf("all that is known is below %v, or at one number of moves", leastShown)
	}
	var legend figure.Legend
	for _, e := range []struct {
		shown bool
		name  string
		key   plot.Thumbnailer
	}{
		{figure.Shown(panels, "TV"), "TV", curves.Key(tv)},
		{figure.Shown(panels, "D"), "D, by the best coupling with this lag", curves.Key(lagged)},
		{triangleLost, "what the triangle inequality loses", triangle},
		{couplingLost != "", "what coupling " + couplingLost + " loses", coupled},
	} {
		if e.shown {
			legend.Add(e.name, e.key)
		}
	}
	legend.Merge(couplings)
	legend.Add("limit of the mixing time", curves.Key(figure.GreyLine()))
	name := reports.FileName(fmt.Sprintf("couple_%s_%s_%s", rows[0].Toy.Name, rows[0].Kernel, rows[0].Start.Name))
	return pen.Done(figure.Grid(name, min(3, len(panels)), panels, legend))
}

// leastShown is the least distance that figures of couplings show.
const leastShown = 1e-4

// coupleCurve returns one quantity of a curve on logarithmic axes, from t = 0 at 1 on, as far as it is not below a limit.
func coupleCurve(curve []meeting.Point, least float64, of func(*meeting.Point) float64) (points plotter.XYs) {
	for i := range curve {
		if v := of(&curve[i]); v >= least && figure.Finite(v) {
			points = append(points, plotter.XY{X: number.Log10(float64(curve[i].T + 1)), Y: number.Log10(v)})
		}
	}
	return points
}

// coupleLine draws a line of two points or more, and reports whether it has.
func coupleLine(pen *curves.Pen, p *figure.Panel, name string, points plotter.XYs, style draw.LineStyle) bool {
	if len(points) < 2 {
		return false
	}
	pen.Line(p, name, points, style)
	return true
}

// addBand shades what is between two quantities of a curve, as far as both are known and the higher one is shown, and reports whether it has. Where
// the lower one is below the least that is shown the band goes on above that.
func addBand(p *figure.Panel, curve []meeting.Point, low, high func(*meeting.Point) float64, shade figure.Swatch) bool {
	known := slices.DeleteFunc(slices.Clone(curve), func(c meeting.Point) bool { return !figure.Finite(low(&c)) || !(high(&c) >= leastShown) })
	above := coupleCurve(known, leastShown, high)
	if len(above) < 2 {
		return false
	}
	band := figure.Band(coupleCurve(known, leastShown, func(c *meeting.Point) float64 { return max(leastShown, low(c)) }), above)
	band.Color, band.LineStyle.Width = shade.Color, 0
	p.Add(band)
	return true
}

// CoupleUnbiasedReport returns the report of the unbiased estimator, with a figure of its loss for each target, kernel, start, function,
// coupling and m.
func CoupleUnbiasedReport(rows []couple.UnbiasedRow) *reports.Report {
	r := reports.New("couple_unbiased", table.New(couple.UnbiasedColumns(), rows))
	about := func(r *couple.UnbiasedRow) string {
		return fmt.Sprintf("%s, start %s, %s, coupling %s, m = %d", r.Name(), r.Start.Name, r.Function.Name, r.Coupling, r.M)
	}
	var lines []string
	for i := range rows {
		if rows[i].Note != "" {
			lines = append(lines, fmt.Sprintf("%s, start %s, coupling %s: %s", rows[i].Name(), rows[i].Start.Name, rows[i].Coupling, rows[i].Note))
		}
	}
	r.NotesOnce(lines)
	for _, run := range reports.Grouped(rows, about) {
		if run[0].Every != nil {
			r.Add(curves.About("Loss of the unbiased estimator", about(&run[0]), run, coupleLossFigure))
		}
	}
	return r
}

// CoupleBestReport returns the report of couplings beside the best one.
func CoupleBestReport(rows []couple.BestRow) *reports.Report {
	r := reports.New("couple_best", table.New(couple.BestColumns(), rows))
	var lines []string
	for i := range rows {
		if rows[i].Note != "" {
			lines = append(lines, fmt.Sprintf("%s, coupling %s: %s", rows[i].Name(), rows[i].Coupling, rows[i].Note))
		}
	}
	r.NotesOnce(lines)
	r.Add(curves.Figure("Mean meeting times of couplings", "no figure of couplings", rows, coupleBestFigure))
	return r
}

// coupleLoosenessFigure draws how many times the distance its bound is against the number of moves: a panel for each lag, a line for each coupling.
func coupleLoosenessFigure(rows []couple.Row) (*figure.Figure, error) {
	type at struct {
		*couple.Row
		meeting.Point
	}
	var points []at
	for i := range rows {
		for _, c := range rows[i].Curve {
			if c.TV >= leastShown && c.Bound >= leastLoose*c.TV {
				points = append(points, at{&rows[i], c})
			}
		}
	}
	return curves.Tiles(columns.List{
		curves.Column("lag L", func(r *at) any { return r.Lag }),
		curves.Column("coupling", func(r *at) any { return r.Coupling }),
		curves.Column("moves", func(r *at) any { return r.T + 1 }),
		curves.Column("loose", func(r *at) any { return r.Point.Bound / r.TV }),
	}, points, columns.Plot{
		Name: coupleFile("couple_looseness", &rows[0]) + "_" + reports.FileName(rows[0].Start.Name), Log: "xy", X: "moves", Y: "loose", By: "coupling", Panels: "lag L", Across: []float64{1},
		XLabel: "moves t + 1", YLabel: "bound d over TV", Joined: true, Lines: true, Why: fmt.Errorf("d/TV is known at no two numbers of moves at which TV is %v or more", leastShown),
	})
}

// leastLoose is the least ratio of a bound to the distance that a figure shows.
const leastLoose = 1e-3

// coupleFile begins the name of a file with what a row is about.
func coupleFile(kind string, r *couple.Row) string {
	return reports.FileName(fmt.Sprintf("%s_%s_%s", kind, r.Toy.Name, r.Kernel))
}

// latenessLevels is the number of colours of a map, of which each stands for as wide a range as the others.
const latenessLevels = 6

// coupleMapFigure draws for each coupling from where a chain takes long to meet one at the mode: the states of a plane, each in the colour of its mean
// number of moves. It fails where the states are no plane.
func coupleMapFigure(rows []couple.Row) (*figure.Figure, error) {
	plane, is := rows[0].Toy.Space.(*grid.Lattice)
	if !is || plane.Dims() != 2 {
		return nil, errors.New("the states are not those of a plane")
	}
	colours, err := curves.Shades()
	if err != nil {
		return nil, err
	}
	var values []float64
	for i := range rows {
		values = append(values, rows[i].FromMode...)
	}
	values = slices.DeleteFunc(values, func(v float64) bool { return !figure.Finite(v) })
	if len(values) == 0 || slices.Max(values) == 0 {
		return nil, errors.New("no chain is sure to meet one at the mode")
	}
	highest := slices.Max(values)
	level := func(v float64) float64 { return min(math.Floor(v/highest*latenessLevels), latenessLevels-1) }
	shade := func(v float64) color.Color {
		if math.IsInf(v, 1) {
			return color.Gray{0xc8} // no shade of the others
		}
		return colours(level(v) / (latenessLevels - 1))
	}
	legend := figure.Legend{Title: "mean moves until they meet, up to"}
	for l := range latenessLevels {
		end := highest * float64(l+1) / latenessLevels
		if slices.ContainsFunc(values, func(v float64) bool { return level(v) == float64(l) }) {
			legend.Add(strconv.FormatFloat(end, 'g', 3, 64), figure.Swatch{Color: shade(end - highest/latenessLevels/2)})
		}
	}
	if slices.ContainsFunc(rows, func(r couple.Row) bool { return slices.Contains(r.FromMode, math.Inf(1)) }) {
		legend.Add("never, or over 1.8e308", figure.Swatch{Color: shade(math.Inf(1))})
	}
	var panels []*figure.Panel
	for i := range rows {
		if rows[i].FromMode == nil {
			continue
		}
		p := figure.NewPanel(rows[i].Coupling, "x_{1}", "x_{0}")
		m := &stateMap{plane: plane, values: rows[i].FromMode, shade: shade}
		p.Add(m)
		p.X.Tick.Marker, p.Y.Tick.Marker = coordinates(plane.Side(1), func(x int) int { return x }), coordinates(plane.Side(0), m.height)
		for x, v := range m.values {
			p.Record(strconv.FormatFloat(v, 'g', 6, 64), plotter.XYs{{X: float64(plane.Coord(x, 1)), Y: float64(plane.Coord(x, 0))}})
		}
		panels = append(panels, p)
	}
	return figure.Grid(coupleFile("couple_map", &rows[0]), min(3, len(panels)), panels, legend), nil
}

// stateMap draws the states of a plane as cells, the first coordinate downwards, as tables and other maps have them. One that may never meet is grey.
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
		return m.shade(m.values[row*m.plane.Side(1)+column])
	})
}

// height returns the place of a row on the vertical axis.
func (m *stateMap) height(row int) int { return m.plane.Side(0) - 1 - row }

// coordinates returns the ticks of an axis at some coordinates, each at its place: at all of few, and else at some twelve.
func coordinates(side int, place func(coordinate int) int) (ticks plot.ConstantTicks) {
	for at := 0; at < side; at += 1 + (side-1)/12 {
		ticks = append(ticks, plot.Tick{Value: float64(place(at)), Label: strconv.Itoa(at)})
	}
	return ticks
}

// DataRange implements plot.DataRanger.
func (m *stateMap) DataRange() (xmin, xmax, ymin, ymax float64) {
	return -0.5, float64(m.plane.Side(1)) - 0.5, -0.5, float64(m.plane.Side(0)) - 0.5
}

// coupleBestFigure draws the mean meeting time of each coupling, with a line at that of the best: a panel for each target, kernel and start.
func coupleBestFigure(rows []couple.BestRow) (*figure.Figure, error) {
	var panels []*figure.Panel
	most := 0
	for _, run := range reports.Grouped(rows, func(r *couple.BestRow) string { return r.Name() + r.Start.Name }) {
		p := figure.NewPanel(fmt.Sprintf("%s, %s, start %s", run[0].Toy.Name, run[0].Kernel, run[0].Start.Name), "E tau over that of the best coupling", "")
		var ticks plot.ConstantTicks
		var points plotter.XYs
		for i := range run {
			at := float64(len(run) - 1 - i)
			ticks = append(ticks, plot.Tick{Value: at, Label: run[i].Coupling})
			if v := run[i].MeanTau.Float() / run[i].BestMean.Float(); figure.Finite(v) {
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

// coupleLossFigure draws the loss of the unbiased estimator against k, a line for each lag, with the k that is often advised and the best one.
func coupleLossFigure(rows []couple.UnbiasedRow) (*figure.Figure, error) {
	type at struct {
		*couple.UnbiasedRow
		k    int
		loss float64
		rule string
	}
	var losses []at
	for i := range rows {
		r := &rows[i]
		losses = append(losses, at{r, r.K, r.Loss.Float(), r.Rule})
		for _, u := range r.Every {
			losses = append(losses, at{r, u.K, u.Loss.Float(), ""})
		}
	}
	by := func(name, rule string) columns.Field {
		return curves.Column(name, func(r *at) any {
			if r.rule != rule {
				return nil
			}
			return r.loss
		})
	}
	r := &rows[0]
	return curves.Tiles(columns.List{
		curves.Column("lag L", func(r *at) any { return r.Lag }), curves.Column("k", func(r *at) any { return r.k }),
		by("loss", ""), by("k at the 99% quantile, as is often advised", couple.QuantileK), by("the best k", couple.BestK),
	}, losses, columns.Plot{
		Name: reports.FileName(fmt.Sprintf("couple_loss_%s_%s_%s_%s_%s_m%d", r.Toy.Name, r.Kernel, r.Start.Name, r.Function.Name, r.Coupling, r.M)), Log: "y", X: "k",
		Y: "loss+k at the 99% quantile, as is often advised+the best k", Lines: true, Dots: "k at the 99% quantile, as is often advised+the best k", By: "lag L", YLabel: "moves, in those of one long chain",
		Across: []float64{1}, AcrossIs: "one long chain",
	})
}
