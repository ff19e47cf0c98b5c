package reports

import (
	"fmt"
	"math"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/experiments/geweke"
	"breadboard/reports/figure"
)

// gewekeColumns is the number of plots in a row of GewekeFigure.
const gewekeColumns = 4

// gewekeAlpha is the probability with which the curve of a right statistic leaves its band.
const gewekeAlpha = 0.01

// GewekeFigure draws a P-P plot of each statistic of one model: which share of the ends of the chains is at most a value, against the share
// of forward draws, at every value. Where all is right it is near the diagonal.
func GewekeFigure(row *geweke.Row) (*figure.Figure, error) {
	diagonal := draw.LineStyle{Color: plainColor(), Width: vg.Points(0.8)}
	edge := diagonal
	edge.Dashes = figure.Dashes()
	var plots []*figure.Panel
	for _, s := range row.Plots {
		p := figure.NewPanel(s.Doc, "share of forward draws", "share of chains")
		p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1, 0, 1
		band := gewekeBand(s)
		curve := make(plotter.XYs, len(s.Points))
		for i, at := range s.Points {
			curve[i] = plotter.XY{X: at.Forward, Y: at.Chains}
		}
		figure.Guide(p, plotter.XY{}, plotter.XY{X: 1, Y: 1}, diagonal)
		figure.Guide(p, plotter.XY{Y: band}, plotter.XY{X: 1 - band, Y: 1}, edge)
		figure.Guide(p, plotter.XY{X: band}, plotter.XY{X: 1, Y: 1 - band}, edge)
		if err := figure.AddLine(p, "chains", curve, figure.SeriesStyle(0)); err != nil {
			return nil, err
		}
		plots = append(plots, p)
	}
	var legend figure.Legend
	for _, key := range []struct {
		name  string
		style draw.LineStyle
	}{{"chains", figure.SeriesStyle(0)}, {"equal", diagonal}, {fmt.Sprintf("%g%% band", 100*(1-gewekeAlpha)), edge}} {
		legend.Add(key.name, &plotter.Line{LineStyle: key.style})
	}
	return figure.Tiles(FileName("geweke_"+row.Name), gewekeColumns, plots, legend), nil
}

// gewekeBand returns how far the curve of a right statistic is from the diagonal at most, but for gewekeAlpha.
//
// Source: Massart 1990, and for two samples Smirnov 1939, by the first term of the limit law.
func gewekeBand(s geweke.Shares) float64 {
	each := 1 / float64(s.Chains)
	if s.Draws > 0 {
		each += 1 / float64(s.Draws)
	}
	return math.Sqrt(-math.Log(gewekeAlpha/2) / 2 * each)
}
