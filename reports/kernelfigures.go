package reports

import (
	"errors"
	"fmt"
	"image/color"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/palette/moreland"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/experiments/kernelcheck"
	"breadboard/reports/figure"
)

// GapFigure draws the spectral gap against beta on a logarithmic axis, one line a toy. It fails where no toy has
// two gaps to join.
func GapFigure(checks []kernelcheck.Row) (*figure.Figure, error) {
	p := plot.New()
	p.X.Label.Text = "inverse temperature beta"
	p.Y.Label.Text = "spectral gap"
	p.Y.Tick.Marker = figure.Decades{}
	p.Add(figure.GridLines())
	lines := 0
	for i, k := range checks {
		var points plotter.XYs
		for j, gap := range k.SpectralGaps {
			if gap > 1e-15 {
				points = append(points, plotter.XY{X: k.Betas[j], Y: math.Log10(gap)})
			}
		}
		line, err := figure.Curve(p, points, figure.Color(i), nil)
		if err != nil {
			return nil, err
		}
		if line != nil {
			lines++
			p.Legend.Add(k.Toy.Name, line)
		}
	}
	if lines == 0 {
		return nil, errors.New("nothing to draw: no toy has a spectral gap at two betas")
	}
	figure.Dress(p)
	p.Y.Min, p.Y.Max = math.Floor(p.Y.Min+0.05), math.Max(p.Y.Max+0.1, math.Floor(p.Y.Min+0.05)+1)
	return figure.OfPlot("spectral_gap", 11*vg.Centimeter, 8*vg.Centimeter, p), nil
}

// smallestDefect is the violation of invariance below which a figure would show nothing but rounding.
const smallestDefect = 1e-12

// DefectFigure draws at which states a kernel fails to leave the distribution invariant: (p T)(x) - p(x) of every state x,
// at the beta where this is largest, blue where a state loses mass and red where it gains mass. It fails on grids that are
// not planes, on graphs that are too large to draw, and where there is no defect.
func DefectFigure(k *kernelcheck.Row) (*figure.Figure, error) {
	p, err := pictureOf(k.Toy)
	if err != nil {
		return nil, err
	}
	high := 0.0
	for _, v := range k.Defect {
		high = max(high, math.Abs(v))
	}
	if high < smallestDefect {
		return nil, fmt.Errorf("toy %s: no defect to draw", k.Toy.Name)
	}
	colors := moreland.SmoothBlueRed()
	colors.SetMin(-1)
	colors.SetMax(1)
	shade := func(v float64) color.Color {
		c, err := colors.At(max(-1, min(1, v/high)))
		if err != nil {
			panic(err) // the number is from -1 to 1, which is the range of the colour map
		}
		return c
	}
	size, names := 6*vg.Centimeter, vg.Length(0)
	height := size
	if p == bars {
		names, height = barNames, heightOf(k.Toy, p, 0)
	}
	return figure.New(FileName("defect_"+k.Toy.Name), size+1*vg.Centimeter+names, height+2*vg.Centimeter, func(c draw.Canvas) {
		c.FillPolygon(color.White, figure.Corners(c.Rectangle))
		left, bottom := c.Min.X+0.5*vg.Centimeter, c.Min.Y+0.9*vg.Centimeter
		c.FillText(figure.Label(vg.Points(9), text.XLeft, text.YBottom), vg.Point{X: left, Y: bottom + height + 0.2*vg.Centimeter},
			fmt.Sprintf("%s on %s, beta = %g", k.Kernel, strings.ToUpper(rowName(k.Toy.Name)), k.DefectBeta))
		box := vg.Rectangle{Min: vg.Point{X: left + names, Y: bottom}, Max: vg.Point{X: left + names + size, Y: bottom + height}}
		drawStates(c, k.Toy, p, k.Defect, -high, high, shade, box, true)
		c.FillText(figure.Label(vg.Points(7.5), text.XLeft, text.YBottom), vg.Point{X: left, Y: c.Min.Y + 0.3*vg.Centimeter},
			fmt.Sprintf("(pT)(x) - p(x), from %.2g (blue) to %.2g (red)", -high, high))
	}), nil
}
