package reports

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"breadboard/experiments/evidence"
	"breadboard/reports/figure"
)

// The names of the figures of the study.
const (
	evidenceErrors = "evidence_errors"
	evidenceLaws   = "evidence_laws"
	evidenceNested = "evidence_nested"
)

// maxEvidenceToys is the largest number of targets in a figure, and evidenceColumns how many stand beside each other.
const (
	maxEvidenceToys = 9
	evidenceColumns = 3
)

// biasUnit is where the axis of biases turns from linear to logarithmic, in nats.
const biasUnit = 0.01

// roomAround moves the ends of the axes away from the points, so that none is on an axis. It does nothing to a plot without points.
func roomAround(p *figure.Panel) {
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		if room := 0.04*(axis.Max-axis.Min) + 0.02; finite(room) {
			axis.Min, axis.Max = axis.Min-room, axis.Max+room
		}
	}
}

// across draws a grey line across a plot, where its axis reaches so far.
func across(p *figure.Panel, y float64) {
	if !finite(p.X.Min) || y < p.Y.Min || y > p.Y.Max {
		return
	}
	p.Add(&plotter.Line{XYs: plotter.XYs{{X: p.X.Min, Y: y}, {X: p.X.Max, Y: y}}, LineStyle: greyLine()})
}

// evidencePanels returns the rows that figures draw, by target: those of one estimate, or of the smallest number of trials where there
// are none.
func evidencePanels(rows []evidence.Row) [][]evidence.Row {
	fewest := math.MaxInt
	for i := range rows {
		fewest = min(fewest, rows[i].Trials)
	}
	var single []evidence.Row
	for i := range rows {
		if rows[i].Trials == fewest {
			single = append(single, rows[i])
		}
	}
	panels := byCase(single, evidenceCase)
	return panels[:min(len(panels), maxEvidenceToys)]
}

// evidenceSeries returns the rows of a target by estimator, by rising work.
func evidenceSeries(rows []evidence.Row) (series [][]evidence.Row) {
	for i := range rows {
		at := slices.IndexFunc(series, func(s []evidence.Row) bool { return s[0].Estimator == rows[i].Estimator })
		if at < 0 {
			at = len(series)
			series = append(series, nil)
		}
		series[at] = append(series[at], rows[i])
	}
	for _, s := range series {
		slices.SortStableFunc(s, func(a, b evidence.Row) int { return cmp.Compare(a.Work, b.Work) })
	}
	return series
}
