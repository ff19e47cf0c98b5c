package marginal

import (
	"math"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"breadboard/chains"
	"breadboard/experiments/evidence"
	"breadboard/reports"
	"breadboard/reports/figure"
)

// EvidenceErrors draws, for each target, the bias of log Zhat against the work of an estimate, and beneath it the root mean squared
// error, one line an estimator, with grey lines at 1 nat. Single estimates are drawn, or combined ones where there are no others.
// Numbers that are not known or not finite are left out.
func EvidenceErrors(rows []evidence.Row) (*figure.Figure, error) {
	names := newMarks(rows)
	var biases, errors []*figure.Panel
	for _, run := range evidencePanels(rows) {
		bias, rmse, err := errorPlots(run, names)
		if err != nil {
			return nil, err
		}
		if bias != nil {
			biases, errors = append(biases, bias), append(errors, rmse)
		}
	}
	if len(biases) == 0 {
		return nil, chains.NewAdvice("nothing to draw: no bias is known and finite")
	}
	legend := names.Legend(func(l *figure.Legend) { l.Add("0 and 1 nat", &plotter.Line{LineStyle: figure.GreyLine()}) })
	return figure.Sheet{Name: evidenceErrors, Rows: [][]*figure.Panel{biases, errors}, Columns: evidenceColumns, Width: 7 * vg.Centimeter, Height: 6 * vg.Centimeter, Legend: legend, Beside: true}.Figure(), nil
}

// errorPlots returns the plots of bias and of root mean squared error of one target, and nil where no bias is known.
func errorPlots(run []evidence.Row, names *figure.Marks) (bias, rmse *figure.Panel, err error) {
	scale := figure.Signed{Unit: biasUnit}
	bias = figure.NewPanel(run[0].Toy.Name, "work", "bias of log Zhat (nats)")
	rmse = figure.NewPanel("", "work", "RMSE of log Zhat (nats)")
	bias.Y.Tick.Marker, rmse.Y.Tick.Marker = scale, figure.Decades{}
	drawn := false
	for _, series := range evidenceSeries(run) {
		above, beneath := errorPoints(series, scale)
		if len(above) == 0 {
			continue
		}
		drawn = true
		m := names.Of(series[0].Legend)
		if err := figure.AddMarked(bias, series[0].Legend, above, m); err != nil {
			return nil, nil, err
		}
		if err := figure.AddMarked(rmse, series[0].Legend, beneath, m); err != nil {
			return nil, nil, err
		}
	}
	if !drawn {
		return nil, nil, nil
	}
	for _, p := range []*figure.Panel{bias, rmse} {
		p.X.Tick.Marker = figure.Decades{}
		figure.RoomAround(p)
	}
	figure.Across(bias, scale.Of(1))
	figure.Across(bias, scale.Of(-1))
	figure.Across(bias, 0)
	figure.Across(rmse, 0)
	return bias, rmse, nil
}

// errorPoints returns the biases and the root mean squared errors of one estimator against its work, all on their scales.
func errorPoints(series []evidence.Row, scale figure.Signed) (biases, errors plotter.XYs) {
	for i := range series {
		if !(series[i].Work > 0) {
			continue
		}
		x := math.Log10(series[i].Work)
		if figure.Finite(series[i].Bias) {
			biases = append(biases, plotter.XY{X: x, Y: scale.Of(series[i].Bias)})
		}
		if v := series[i].RMSE; v > reports.Rounding && figure.Finite(v) {
			errors = append(errors, plotter.XY{X: x, Y: math.Log10(v)})
		}
	}
	return biases, errors
}
