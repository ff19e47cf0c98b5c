package reports

import (
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/chains"
	"breadboard/experiments/particles"
	"breadboard/reports/figure"
)

// SMCFigure draws, of one annealing, J against the number of particles by way to resample, with the limit that P^2 J tends to
// where that is known, and beside it how far the mean of log Zhat is below log(Z_T/Z_1). The axes are logarithmic. Numbers
// that are not known, infinite or zero are left out. It fails where no way to resample has two points to join.
func SMCFigure(rows []particles.Row) (*figure.Figure, error) {
	plots := []*plot.Plot{plot.New(), plot.New()}
	for i, name := range []string{"J (nats)", "log(Z_T/Z_1) - E log Zhat (nats)"} {
		plots[i].X.Label.Text, plots[i].Y.Label.Text = "number of particles P", name
		plots[i].X.Tick.Marker, plots[i].Y.Tick.Marker = figure.Decades{}, figure.Decades{}
		plots[i].Add(figure.GridLines())
	}
	measures := []func(*particles.Row) float64{
		func(r *particles.Row) float64 { return r.J },
		func(r *particles.Row) float64 { return r.LogZRatio - r.MeanLogZForward },
	}
	lines := 0
	all := smcSeries(rows)
	for i, series := range all {
		for k, p := range plots {
			var points plotter.XYs
			for j := range series {
				points = figure.AppendLog(points, series[j].Particles, measures[k](&series[j]))
			}
			line, err := figure.Curve(p, points, figure.Color(i), nil)
			if err != nil {
				return nil, err
			}
			if line != nil {
				lines++
				p.Legend.Add(smcSeriesName(&series[0]), line)
			}
		}
	}
	if lines == 0 {
		return nil, chains.NewAdvice("nothing to draw: give at least two numbers of particles for which J is known, as in {particles|particles =} 1,2")
	}
	smcLimit(plots[0], rows)
	for _, p := range plots {
		figure.Dress(p)
		p.Y.Min = math.Floor(p.Y.Min + 0.05)                             // a decade, so that the lowest tick has a label
		p.Y.Max += (0.1 + 0.1*float64(len(all)+1)) * (p.Y.Max - p.Y.Min) // room for a line of the legend each, and the limit
		p.Legend.Top = true
		p.Legend.YOffs = -vg.Points(4)
	}
	name := FileName("smc_" + rows[0].Toy.Name + "_T" + strconv.Itoa(rows[0].Distributions()))
	return sideBySide(name, plots), nil
}

// smcLimit adds the limit of J as the particles grow many, as a dashed line over the part of the axis where it is no larger
// than the largest J. It adds nothing where the limit is not known.
func smcLimit(p *plot.Plot, rows []particles.Row) {
	limit, top, most := math.NaN(), 0.0, 1
	for i := range rows {
		r := &rows[i]
		if !math.IsNaN(r.Limits.P2J) {
			limit = r.Limits.P2J
		}
		if r.Known() && !math.IsInf(r.J, 0) {
			top = max(top, r.J)
		}
		most = max(most, r.Particles)
	}
	if !(limit > 0) || math.IsInf(limit, 0) || top == 0 {
		return
	}
	first := max(1, math.Sqrt(limit/top)) // the P at which the limit is the largest J
	last := max(float64(most), 10*first)
	line := &plotter.Line{
		XYs:       plotter.XYs{{X: math.Log10(first), Y: math.Log10(limit / (first * first))}, {X: math.Log10(last), Y: math.Log10(limit / (last * last))}},
		LineStyle: draw.LineStyle{Color: color.Gray{0x40}, Width: vg.Points(1.2), Dashes: figure.Dashes()},
	}
	p.Add(line)
	p.Legend.Add("multinomial, limit "+strconv.FormatFloat(limit, 'g', 4, 64)+"/P^2", line)
}

// sideBySide returns the figure with two plots beside each other.
func sideBySide(name string, plots []*plot.Plot) *figure.Figure {
	panel, height := 9*vg.Centimeter, 8*vg.Centimeter
	return figure.New(name, vg.Length(len(plots))*panel, height, func(c draw.Canvas) {
		c.FillPolygon(color.White, figure.Corners(c.Rectangle))
		for i, p := range plots {
			left, right := vg.Length(i)*panel, vg.Length(len(plots)-1-i)*panel
			margin := 0.25 * vg.Centimeter
			p.Draw(draw.Crop(c, left+margin, -right-2*margin, margin, -margin))
		}
	})
}
