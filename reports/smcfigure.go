package reports

import (
	"image/color"
	"math"
	"strconv"

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
	var plots []*figure.Panel
	for _, name := range []string{"J (nats)", "error of log Zhat (nats)"} {
		p := figure.NewPanel("", "number of particles P", name)
		p.X.Tick.Marker, p.Y.Tick.Marker = figure.Decades{}, figure.Decades{}
		plots = append(plots, p)
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
			mark := figure.Full(i)
			drawn, err := figure.Curve(p, smcSeriesName(&series[0]), points, mark)
			if err != nil {
				return nil, err
			}
			if drawn {
				lines++
				p.Legend.Add(smcSeriesName(&series[0]), mark)
			}
		}
	}
	if lines == 0 {
		return nil, chains.NewAdvice("nothing to draw: give at least two numbers of particles for which J is known, as in {particles|particles =} 1,2")
	}
	smcLimit(plots[0], rows)
	for _, p := range plots {
		p.RoomAround(0.03, 0.04)
	}
	name := FileName("smc_" + rows[0].Toy.Name + "_T" + strconv.Itoa(rows[0].Distributions()))
	return figure.SideBySide(name, 9*vg.Centimeter, 7.5*vg.Centimeter, plots...), nil
}

// smcLimit adds the limit of J as the particles grow many, as a dashed line over the part of the axis where it is no larger
// than the largest J. It adds nothing where the limit is not known.
func smcLimit(p *figure.Panel, rows []particles.Row) {
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
	last := float64(most)
	if !(last > first) { // P is so small that the limit is above all that is drawn
		return
	}
	line := &plotter.Line{
		XYs:       plotter.XYs{{X: math.Log10(first), Y: math.Log10(limit / (first * first))}, {X: math.Log10(last), Y: math.Log10(limit / (last * last))}},
		LineStyle: draw.LineStyle{Color: color.Gray{0x40}, Width: vg.Points(1.2), Dashes: figure.Dashes()},
	}
	p.Add(line)
	name := "multinomial, limit " + strconv.FormatFloat(limit, 'g', 4, 64) + "/P^{2}"
	p.Record(name, line.XYs)
	p.Legend.Add(name, line)
}
