package reports

import (
	"math"
	"strings"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/chains"
	"breadboard/experiments/sandwich/compare"
	"breadboard/reports/figure"
)

// zoom is how far from the ground truth the panels reach that show the most accurate estimators, in nats.
const zoom = 40

// SandwichEstimatesFigure draws the estimates of every estimator on a model against the time that a trial takes: above those of single
// trials on average, and below those that all trials give together, all of them at the left, and near the ground truth at the right. The
// ground truth is the line at zero. It fails where there is nothing to draw.
func SandwichEstimatesFigure(series []compare.Series) (*figure.Figure, error) {
	kinds := []struct {
		title string
		of    func(compare.Point) float64
	}{
		{"single trials", func(p compare.Point) float64 { return p.Bias }},
		{"all trials combined", func(p compare.Point) float64 { return p.CombinedBias }},
	}
	var panels []*figure.Panel
	for _, kind := range kinds {
		for _, near := range []bool{false, true} {
			if near && !far(series, kind.of) {
				continue // the panel of all shows the same
			}
			title := series[0].Model + ", " + kind.title
			if near {
				title += ", zoomed"
			}
			p, err := comparePanel(series, title, "estimate less log p(y), nats", func(p compare.Point) (float64, bool) {
				v := kind.of(p)
				return v, !near || math.Abs(v) <= zoom
			})
			if err != nil {
				return nil, err
			}
			levelLine(p, series, 0)
			panels = append(panels, p)
		}
	}
	return compareFigure("sandwich_estimates_", series, panels)
}

// SandwichErrorsFigure draws the root of the mean squared error of every estimator on a model against the time that a trial takes, of
// single trials and of all trials combined, with a line at 10 nats.
func SandwichErrorsFigure(series []compare.Series) (*figure.Figure, error) {
	kinds := []struct {
		title string
		of    func(compare.Point) float64
	}{
		{"single trials", func(p compare.Point) float64 { return p.RMSE }},
		{"all trials combined", func(p compare.Point) float64 { return p.CombinedRMSE }},
	}
	var panels []*figure.Panel
	for _, kind := range kinds {
		p, err := comparePanel(series, series[0].Model+", "+kind.title, "RMSE, nats", func(p compare.Point) (float64, bool) {
			v := math.Log10(kind.of(p))
			return v, !math.IsNaN(v) && !math.IsInf(v, 0)
		})
		if err != nil {
			return nil, err
		}
		p.Y.Tick.Marker = figure.Decades{}
		levelLine(p, series, math.Log10(compare.Accurate))
		panels = append(panels, p)
	}
	return compareFigure("sandwich_errors_", series, panels)
}

// far reports whether some estimates are farther from the ground truth than panels that are zoomed reach.
func far(series []compare.Series, of func(compare.Point) float64) bool {
	for _, s := range series {
		for _, p := range s.Points {
			if math.Abs(of(p)) > zoom {
				return true
			}
		}
	}
	return false
}

// drawnSeries leaves out nested sampling with the early stop, which hides the curves of the other stop.
func drawnSeries(series []compare.Series) (out []compare.Series) {
	for _, s := range series {
		if !strings.HasSuffix(s.Estimator, compare.EarlyStop) {
			out = append(out, s)
		}
	}
	return out
}

// comparePanel returns a panel of one number of all series against time. The function says whether a point is drawn.
func comparePanel(series []compare.Series, title, label string, of func(compare.Point) (float64, bool)) (*figure.Panel, error) {
	p := figure.NewPanel(title, "time of a trial, s", label)
	p.X.Tick.Marker = figure.Decades{}
	for i, s := range series {
		var points plotter.XYs
		for _, at := range s.Points {
			if y, drawn := of(at); drawn && at.Seconds > 0 && !math.IsNaN(y) {
				points = append(points, plotter.XY{X: math.Log10(at.Seconds), Y: y})
			}
		}
		mark := compareMark(i, s)
		drawn, err := figure.Curve(p, s.Legend, points, mark)
		if err != nil {
			return nil, err
		}
		if !drawn {
			if err := figure.AddDots(p, s.Legend, points, mark.Glyph); err != nil {
				return nil, err
			}
		}
	}
	p.RoomAround(0.03, 0.05)
	return p, nil
}

// compareMark returns the mark of a series. Estimators that start at an exact draw are dashed with open shapes.
func compareMark(i int, s compare.Series) figure.Mark {
	if s.Exact {
		return figure.Full(i).Open()
	}
	return figure.Full(i)
}

// levelLine adds a line at a height over all times.
func levelLine(p *figure.Panel, series []compare.Series, y float64) {
	low, high := math.Inf(1), math.Inf(-1)
	for _, s := range series {
		for _, at := range s.Points {
			if at.Seconds > 0 {
				low, high = min(low, math.Log10(at.Seconds)), max(high, math.Log10(at.Seconds))
			}
		}
	}
	if low < high {
		figure.Guide(p, plotter.XY{X: low, Y: y}, plotter.XY{X: high, Y: y}, draw.LineStyle{Color: figure.Color(figure.NearBlack), Width: vg.Points(0.7), Dashes: figure.Dashes()})
	}
}

// compareFigure returns the figure of panels, two in a row.
func compareFigure(name string, series []compare.Series, panels []*figure.Panel) (*figure.Figure, error) {
	some := false
	for _, s := range series {
		some = some || len(s.Points) > 1
	}
	if !some {
		return nil, chains.NewAdvice("nothing to draw: no estimator has two settings; give a larger {budget}")
	}
	var legend figure.Legend
	for i, s := range series {
		legend.Add(s.Legend, compareMark(i, s))
	}
	return figure.Grid(FileName(name+series[0].Model), 2, panels, legend), nil
}
