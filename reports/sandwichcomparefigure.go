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

// SandwichEstimatesFigure draws the estimates of every estimator on a model against the time that a trial takes: those of single trials on
// average, and those that all trials give together. The axis is linear within a nat of the ground truth, which is the line at zero, and
// logarithmic beyond, so that estimates that are far off leave room for the others. It fails where there is nothing to draw.
func SandwichEstimatesFigure(series []compare.Series) (*figure.Figure, error) {
	scale := figure.Signed{Unit: 1}
	kinds := []struct {
		title string
		of    func(compare.Point) float64
	}{
		{"single trials", func(p compare.Point) float64 { return p.Bias }},
		{"all trials combined", func(p compare.Point) float64 { return p.CombinedBias }},
	}
	var panels []*figure.Panel
	for _, kind := range kinds {
		p, err := comparePanel(series, series[0].Model+", "+kind.title, "estimate less log p(y), nats", func(p compare.Point) float64 { return scale.Of(kind.of(p)) })
		if err != nil {
			return nil, err
		}
		p.Y.Tick.Marker = scale
		levelLine(p, series, 0)
		panels = append(panels, p)
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
		p, err := comparePanel(series, series[0].Model+", "+kind.title, "RMSE, nats", func(p compare.Point) float64 { return math.Log10(kind.of(p)) })
		if err != nil {
			return nil, err
		}
		p.Y.Tick.Marker = figure.Decades{}
		levelLine(p, series, math.Log10(compare.Accurate))
		panels = append(panels, p)
	}
	return compareFigure("sandwich_errors_", series, panels)
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
func comparePanel(series []compare.Series, title, label string, of func(compare.Point) float64) (*figure.Panel, error) {
	p := figure.NewPanel(title, "time of a trial, s", label)
	p.X.Tick.Marker = figure.Decades{}
	for i, s := range series {
		var points plotter.XYs
		for _, at := range s.Points {
			if y := of(at); at.Seconds > 0 && finite(y) {
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
