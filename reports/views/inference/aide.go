// Package inference answers: what does a study of approximate inference show? It turns the rows of AIDE, and of the studies made of it,
// into reports. It computes nothing that a study has not.
package inference

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/chains"
	"breadboard/experiments"
	"breadboard/experiments/aide"
	"breadboard/reports"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// AIDEReport returns the report of AIDE on annealings: the table, a figure of its mean and standard deviation against the number
// of meta-inference runs, and notes. The faulty variant, where the first trace is left out, has a note that says so.
func AIDEReport(rows []aide.Row) *reports.Report {
	r := reports.New("aide", AIDE(rows))
	r.Add(reports.Figure{Title: "AIDE against the number of meta-inference runs", Missing: "no figure of AIDE", File: "aide", Draw: func() (*figure.Figure, error) { return AIDEFigure(rows) }})
	var lines []string // which may be the same for every number of runs
	for i := range rows {
		for _, n := range rows[i].Notes {
			lines = append(lines, fmt.Sprintf("%s: %s", &rows[i].Case, n))
		}
	}
	r.NotesOnce(lines)
	if slices.ContainsFunc(rows, func(r aide.Row) bool { return r.WithoutFirstTrace }) {
		r.Note("these are not AIDE: the trace with which a run came to its output is left out. The mean of this variant can be " +
			"below J, and none of its values bounds anything")
	}
	return r
}

func aideCase(r *aide.Row) *experiments.Case { return &r.Case }

// AIDE returns the table of AIDE, one row a pair of algorithms, an annealing and a number of meta-inference runs on each side. People see
// the number of the gold's meta-inference runs where it is not the same in all rows.
func AIDE(rows []aide.Row) *table.Table {
	fields := aide.Study().Columns
	if !slices.ContainsFunc(rows, func(r aide.Row) bool { return r.GoldMeta != rows[0].GoldMeta }) {
		fields[slices.IndexFunc(fields, func(f table.Field[aide.Row]) bool { return f.Name == "gold_meta" })].Title = ""
	}
	return table.New(fields, rows)
}

// AIDEFigure draws the mean of AIDE, with a band of one standard deviation on each side, against the number M of the target's
// meta-inference runs, and J as a dashed line. There is one panel a toy and T, for the first number of the gold's runs. It fails
// where no annealing has two finite means.
func AIDEFigure(rows []aide.Row) (*figure.Figure, error) {
	var panels []bandPanel
	for _, run := range reports.ByCase(rows, aideCase) {
		p := bandPanel{title: fmt.Sprintf("%s, T = %d", run[0].Toy.Name, run[0].Distributions()), floor: run[0].J}
		for i := range run {
			if run[i].GoldMeta == run[0].GoldMeta {
				p.add(run[i].Meta, run[i].Mean, run[i].SD)
			}
		}
		if len(p.n) >= 2 && len(panels) < maxBandPanels {
			panels = append(panels, p)
		}
	}
	if len(panels) == 0 {
		return nil, chains.NewAdvice("nothing to draw: give at least two numbers of runs for which the mean is finite, as in {meta} 1,10,100")
	}
	return bandFigure("aide", "meta-inference runs M", "AIDE (nats)", panels)
}

// maxBandPanels is the largest number of panels of a figure, so that it stays readable.
const maxBandPanels = 12

// bandPanel is a panel with a mean and a band of one standard deviation, against a number on a logarithmic axis, above the
// floor that the mean comes down to.
type bandPanel struct {
	title    string
	floor    float64
	n        []int
	mean, sd []float64
}

// add adds a point, unless its mean cannot be drawn.
func (b *bandPanel) add(n int, mean, sd float64) {
	if figure.Finite(mean) && !slices.Contains(b.n, n) {
		b.n, b.mean, b.sd = append(b.n, n), append(b.mean, mean), append(b.sd, sd)
	}
}

// bandFigure draws panels in rows of three, with one legend.
func bandFigure(name, x, y string, panels []bandPanel) (*figure.Figure, error) {
	var legend figure.Legend
	line := draw.LineStyle{Color: figure.Color(0), Width: vg.Points(1.5)}
	floor := draw.LineStyle{Color: color.Black, Width: vg.Points(1), Dashes: figure.Dashes()}
	legend.Add("mean", figure.Full(0))
	legend.Add("one sd", figure.Swatch{Color: figure.Translucent(figure.Color(0))})
	legend.Add("J", &plotter.Line{LineStyle: floor})
	var plots []*figure.Panel
	for i := range panels {
		p, err := panels[i].plot(x, y, line, floor)
		if err != nil {
			return nil, err
		}
		plots = append(plots, p)
	}
	return figure.Tiles(name, min(3, len(plots)), plots, legend), nil
}

// plot draws one panel.
func (b *bandPanel) plot(x, y string, line, floor draw.LineStyle) (*figure.Panel, error) {
	p := figure.NewPanel(b.title, x, y)
	p.X.Tick.Marker = figure.Decades{}
	order := make([]int, len(b.n))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return b.n[i] - b.n[j] })
	var mean, band plotter.XYs
	for _, i := range order {
		mean = append(mean, plotter.XY{X: math.Log10(float64(b.n[i])), Y: b.mean[i]})
	}
	for k, i := range order {
		if figure.Finite(b.sd[i]) {
			band = append(band, plotter.XY{X: mean[k].X, Y: b.mean[i] + b.sd[i]})
		}
	}
	for k, i := range slices.Backward(order) {
		if figure.Finite(b.sd[i]) {
			band = append(band, plotter.XY{X: mean[k].X, Y: b.mean[i] - b.sd[i]})
		}
	}
	if len(band) > 0 {
		area, err := plotter.NewPolygon(band)
		if err != nil {
			return nil, err
		}
		area.Color, area.LineStyle.Width = figure.Translucent(line.Color), 0
		p.Add(area)
		p.Record("one sd", band)
	}
	if figure.Finite(b.floor) {
		ends := plotter.XYs{{X: mean[0].X, Y: b.floor}, {X: mean[len(mean)-1].X, Y: b.floor}}
		if err := figure.AddLine(p, "J", ends, floor); err != nil {
			return nil, err
		}
	}
	_, err := figure.Curve(p, "mean", mean, figure.Full(0))
	p.RoomAround(0.03, 0.04)
	return p, err
}
