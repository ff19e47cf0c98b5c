package marginal

import (
	"math"
	"slices"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/experiments"
	"breadboard/experiments/evidence"
	"breadboard/reports"
	"breadboard/reports/figure"
)

// nestedSeries are the rows of one line of the figure of nested sampling.
type nestedSeries struct {
	ties   estimators.Ties
	volume estimators.Volume
	points plotter.XYs
}

// EvidenceNested draws, for each target, how far E log Zhat of nested sampling is from log Z: at the left against the number K of
// particles where these are drawn exactly, with ties broken by a label and strictly, and at the right against the number M of moves
// of two particles where ties leave together. Full lines are the paper's volumes, dashed ones unbiased volumes.
func EvidenceNested(rows []evidence.NestedRow) (*figure.Figure, error) {
	bias, moves := figure.Signed{Unit: biasUnit}, figure.Signed{Unit: 1}
	var plots []*figure.Panel
	for _, run := range reports.ByCase(rows, func(r *evidence.NestedRow) *experiments.Case { return &r.Case }) {
		if len(plots) >= 2*maxNestedToys {
			break
		}
		left := figure.NewPanel(run[0].Toy.Name, "particles K, exact draws", "bias of log Zhat (nats)")
		right := figure.NewPanel(run[0].Toy.Name, "moves M of 2 particles", "bias of log Zhat (nats)")
		left.X.Tick.Marker, right.X.Tick.Marker = figure.Decades{}, moves
		for _, s := range nestedLines(run, bias, moves) {
			p := left
			if s.ties == estimators.TiesTogether {
				p = right
			}
			if err := figure.AddMarked(p, s.ties.String()+", "+s.volume.String(), s.points, nestedMark(s.ties, s.volume)); err != nil {
				return nil, err
			}
		}
		for _, p := range []*figure.Panel{left, right} {
			p.Y.Tick.Marker = bias
			p.Y.Min, p.Y.Max = min(p.Y.Min, bias.Of(-biasUnit)), max(p.Y.Max, bias.Of(1))
			figure.RoomAround(p)
			figure.Across(p, 0)
			figure.Across(p, bias.Of(1))
		}
		plots = append(plots, left, right)
	}
	if len(plots) == 0 {
		return nil, chains.NewAdvice("nothing to draw: no bias of nested sampling is known")
	}
	var legend figure.Legend
	for _, ties := range []estimators.Ties{estimators.TiesLabel, estimators.TiesStrict, estimators.TiesTogether} {
		for _, volume := range []estimators.Volume{estimators.VolumePaper, estimators.VolumeUnbiased} {
			legend.Add(ties.String()+", "+volume.String(), nestedMark(ties, volume))
		}
	}
	legend.Add("0 and 1 nat", &plotter.Line{LineStyle: figure.GreyLine()})
	return figure.Grid(evidenceNested, 2, plots, legend), nil
}

// nestedLines returns the lines of a target, with their points on the scales of biases and of moves.
func nestedLines(run []evidence.NestedRow, bias, moves figure.Signed) (series []nestedSeries) {
	for i := range run {
		r := &run[i]
		at := slices.IndexFunc(series, func(s nestedSeries) bool { return s.ties == r.Ties && s.volume == r.Volume })
		if at < 0 {
			at = len(series)
			series = append(series, nestedSeries{ties: r.Ties, volume: r.Volume})
		}
		x := math.Log10(float64(r.Particles))
		if r.Ties == estimators.TiesTogether {
			x = moves.Of(float64(r.Moves))
		}
		series[at].points = append(series[at].points, plotter.XY{X: x, Y: bias.Of(r.Bias)})
	}
	return series
}

// maxNestedToys is the largest number of targets in the figure of nested sampling.
const maxNestedToys = 6

// nestedMark returns the mark of a rule for ties, by colour and shape, and of a volume, by dashes.
func nestedMark(ties estimators.Ties, volume estimators.Volume) figure.Mark {
	shapes := []draw.GlyphDrawer{draw.CircleGlyph{}, draw.PyramidGlyph{}, draw.BoxGlyph{}}
	shade := figure.Color(int(ties))
	m := figure.Mark{
		Line:  draw.LineStyle{Color: shade, Width: vg.Points(1.2)},
		Glyph: draw.GlyphStyle{Color: shade, Radius: vg.Points(2.4), Shape: shapes[ties]},
	}
	if volume == estimators.VolumeUnbiased {
		m.Line.Dashes = figure.Dashes()
	}
	return m
}
