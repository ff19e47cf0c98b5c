package reports

import (
	"errors"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/chains"
	"breadboard/experiments/logweights"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// LawFigure draws both laws as densities, with a line at log Z_T/Z_1, where they cross. Over the reverse law it draws the law
// that Crooks' relation gives from the forward one; the two agree. It fails where every weight is the same.
func LawFigure(r *logweights.Row) (*figure.Figure, error) {
	bins := r.Density()
	if len(bins) == 0 {
		return nil, errors.New("nothing to draw: every weight is the same")
	}
	p := plot.New()
	p.X.Label.Text = "log w (nats)"
	p.Y.Label.Text = "probability per nat"
	top := 0.0
	for i, side := range []struct {
		name string
		of   func(logweights.Bin) float64
	}{
		{"forward", func(b logweights.Bin) float64 { return b.Forward }},
		{"reverse", func(b logweights.Bin) float64 { return b.Reverse }},
	} {
		h := &plotter.Histogram{Width: bins[0].High - bins[0].Low, FillColor: figure.Translucent(figure.Color(i))}
		for _, b := range bins {
			h.Bins = append(h.Bins, plotter.HistogramBin{Min: b.Low, Max: b.High, Weight: side.of(b)})
			top = max(top, side.of(b))
		}
		p.Add(h)
		p.Legend.Add(side.name, h)
	}
	var crooks plotter.XYs
	for _, b := range bins {
		crooks = append(crooks, plotter.XY{X: (b.Low + b.High) / 2, Y: b.Crooks})
	}
	dots, err := plotter.NewScatter(crooks)
	if err != nil {
		return nil, err
	}
	dots.GlyphStyle = draw.GlyphStyle{Color: color.Gray{0x20}, Radius: vg.Points(1), Shape: draw.CircleGlyph{}}
	z := &figure.Upright{X: r.Law.LogZRatio, Top: &top, Style: draw.LineStyle{Color: color.Black, Width: vg.Points(1.2), Dashes: figure.Dashes()}}
	p.Add(dots, z)
	p.Legend.Add("forward times w Z_1/Z_T (Crooks)", dots)
	p.Legend.Add("log Z_T/Z_1", z)
	figure.Dress(p)
	p.Y.Min, p.Y.Max = 0, top*1.35 // room for the legend
	p.Legend.Top = true
	p.Legend.YOffs = -vg.Points(4)
	name := FileName("law_" + r.Toy.Name + "_T" + table.People(r.Distributions(), 0))
	return figure.OfPlot(name, 13*vg.Centimeter, 8*vg.Centimeter, p), nil
}

// SamplesFigure draws how far the bounds of one annealing are from log Z_T/Z_1 against the number of samples, on
// logarithmic axes. It fails where there are fewer than two points.
func SamplesFigure(rows []logweights.SampleRow) (*figure.Figure, error) {
	p := plot.New()
	p.X.Label.Text = "number of samples K"
	p.Y.Label.Text = "distance from log Z_T/Z_1 (nats)"
	p.X.Tick.Marker, p.Y.Tick.Marker = figure.Decades{}, figure.Decades{}
	p.Add(figure.GridLines())
	lines := 0
	for i, side := range []struct {
		name string
		gap  func(*logweights.SampleRow) float64
	}{
		{"forward, below", func(r *logweights.SampleRow) float64 { return r.LogZRatio - r.Forward }},
		{"reverse, above", func(r *logweights.SampleRow) float64 { return r.Reverse - r.LogZRatio }},
		{"one reverse and K-1 forward, above", func(r *logweights.SampleRow) float64 { return r.Mixed - r.LogZRatio }},
	} {
		var points plotter.XYs
		for j := range rows {
			points = figure.AppendLog(points, rows[j].K, side.gap(&rows[j]))
		}
		var dash []vg.Length
		if i == 2 {
			dash = figure.Dashes()
		}
		line, err := figure.Curve(p, points, figure.Color(i), dash)
		if err != nil {
			return nil, err
		}
		if line != nil {
			lines++
			p.Legend.Add(side.name, line)
		}
	}
	if lines == 0 {
		return nil, chains.NewAdvice("nothing to draw: give at least two numbers of samples, as in {samples} 1,10,100")
	}
	figure.Dress(p)
	p.Y.Min = math.Floor(p.Y.Min + 0.05)
	p.Y.Max += 0.2
	name := FileName("samples_" + rows[0].Toy.Name + "_T" + table.People(rows[0].Distributions(), 0))
	return figure.OfPlot(name, 13*vg.Centimeter, 8*vg.Centimeter, p), nil
}
