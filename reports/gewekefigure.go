package reports

import (
	"fmt"
	"math"
	"sort"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"breadboard/experiments/geweke"
	"breadboard/reports/figure"
)

// gewekeColumns is the number of plots in a row of GewekeFigure.
const gewekeColumns = 3

// gewekeAlpha is the probability with which the curve of a right statistic leaves its band.
const gewekeAlpha = 0.01

// GewekeFigure draws a P-P plot of each statistic of one model: the share of the chains' ends that are at most a value against the share of
// forward draws, at every value. Where all is right it is near the diagonal.
func GewekeFigure(row *geweke.Row) (*figure.Figure, error) {
	var plots []*plot.Plot
	legend := figure.SideLegend()
	for i, s := range row.Samples {
		p := figure.Tile(s.Doc, "forward draws", "chains")
		p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1, 0, 1
		band := gewekeBand(len(s.Forward), len(s.Chain))
		for k, line := range []plotter.XYs{{{X: 0, Y: 0}, {X: 1, Y: 1}}, {{X: 0, Y: band}, {X: 1 - band, Y: 1}}, {{X: band, Y: 0}, {X: 1, Y: 1 - band}}} {
			l, err := figure.Curve(p, line, plainColor(), map[bool][]vg.Length{true: figure.Dashes()}[k > 0])
			if err != nil {
				return nil, err
			}
			if i == 0 && k < 2 {
				legend.Add([]string{"equal", fmt.Sprintf("%g%% band", 100*(1-gewekeAlpha))}[k], l)
			}
		}
		l, err := figure.Curve(p, gewekeCurve(s), figure.Color(0), nil)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			legend.Add("chains", l)
		}
		plots = append(plots, p)
	}
	return figure.Tiles(FileName("geweke_"+row.Toy.Name), gewekeColumns, plots, legend), nil
}

// gewekeBand returns how far two empirical distribution functions of so many draws of one law are apart at most, but for gewekeAlpha.
//
// Source: Smirnov 1939, by the first term of the limit law.
func gewekeBand(n, m int) float64 {
	return math.Sqrt(-math.Log(gewekeAlpha/2) / 2 * (1/float64(n) + 1/float64(m)))
}

// gewekeCurve returns the shares of both samples that are at most each of their values.
func gewekeCurve(s geweke.Sample) plotter.XYs {
	out := plotter.XYs{{X: 0, Y: 0}}
	for _, sample := range [][]float64{s.Forward, s.Chain} {
		for i, v := range sample {
			if i > 0 && v == sample[i-1] {
				continue
			}
			out = append(out, plotter.XY{X: shareUpTo(s.Forward, v), Y: shareUpTo(s.Chain, v)})
		}
	}
	sort.Slice(out, func(i, j int) bool {
		if out[i].X != out[j].X {
			return out[i].X < out[j].X
		}
		return out[i].Y < out[j].Y
	})
	return out
}

// shareUpTo returns the share of the numbers, which ascend, that are at most v.
func shareUpTo(ascending []float64, v float64) float64 {
	return float64(sort.Search(len(ascending), func(i int) bool { return ascending[i] > v })) / float64(len(ascending))
}
