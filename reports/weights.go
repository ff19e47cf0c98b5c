package reports

import (
	"errors"
	"image/color"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/exact/weights"
	"breadboard/experiments/logweights"
)

// Weights returns the table of the laws of the log weights, one row an annealing.
func Weights(rows []logweights.Row) *Table {
	t := &Table{Columns: []Column{
		{Key: "toy", Title: "toy"}, {Key: "T", Title: "T"},
		{Key: "mean_forward", Title: "mean fwd"}, {Key: "sd_forward", Title: "sd fwd", Digits: 5},
		{Key: "mean_reverse", Title: "mean rev"}, {Key: "sd_reverse", Title: "sd rev", Digits: 5},
		{Key: "p_bhat_below_J"}, {Title: "P(B-hat < J)"}, {Key: "p_bhat_below_0"}, {Title: "P(B-hat < 0)"},
		{Key: "ess_fraction", Title: "ESS", Digits: 4}, {Key: "method", Title: "method"}, {Key: "error_bound", Title: "error", Digits: 2},
		{Key: "path"}, {Key: "initial"}, {Key: "schedule"}, {Key: "kernel"}, {Key: "J"}, {Key: "B"}, {Key: "log_z_ratio"},
		{Key: "third_cumulant_forward"}, {Key: "fourth_cumulant_forward"}, {Key: "third_cumulant_reverse"}, {Key: "fourth_cumulant_reverse"},
		{Key: "renyi_half"}, {Key: "p_zero_weight"}, {Key: "p_infinite_weight"}, {Key: "crooks_residual"},
		{Key: "frequencies"}, {Key: "resolved"}, {Key: "note"},
	}}
	for i := range rows {
		r := &rows[i]
		f, v := r.Moments[0], r.Moments[1]
		t.Rows = append(t.Rows, []any{
			r.Toy.Name, r.T, f.Mean, math.Sqrt(f.Variance), v.Mean, math.Sqrt(v.Variance),
			r.BelowJ.Value, probability(r.BelowJ, 5), r.Below0.Value, probability(r.Below0, 5), r.ESSFraction, string(r.Law.Method), r.ErrorBound(),
			r.Path, r.Initial, r.Schedule, r.Kernel, r.Solution.J, r.Solution.B, r.Law.LogZRatio,
			f.Third, f.Fourth, v.Third, v.Fourth,
			r.RenyiHalf, r.Law.Forward.Zero, r.Law.Reverse.Infinite, r.Law.Crooks,
			r.Law.Frequencies, r.Law.Resolved, strings.Join(r.Notes, "; "),
		})
	}
	return t
}

// Tails returns the table of the tails beside their bound.
func Tails(tails []logweights.Tail) *Table {
	t := &Table{Columns: []Column{
		{Key: "toy", Title: "toy"}, {Key: "T", Title: "T"}, {Key: "b", Title: "b"},
		{Key: "bound", Title: "exp(-b)", Digits: 4},
		{Key: "p_forward_above"}, {Title: "P(fwd > log R + b)"}, {Key: "p_reverse_below"}, {Title: "P(rev < log R - b)"},
		{Key: "method", Title: "method"}, {Key: "error_bound", Title: "error", Digits: 2},
		{Key: "path"}, {Key: "initial"}, {Key: "schedule"}, {Key: "kernel"},
	}}
	for _, r := range tails {
		t.Rows = append(t.Rows, []any{
			r.Toy.Name, r.T, r.B, r.Bound, r.Forward.Value, probability(r.Forward, 4), r.Reverse.Value, probability(r.Reverse, 4),
			string(r.Law.Method), max(r.Forward.Error(), r.Reverse.Error()), r.Path, r.Initial, r.Schedule, r.Kernel,
		})
	}
	return t
}

// probability writes a probability for people: the digits that its bounds support, or where they support none
// what it is below.
func probability(b weights.Bracket, digits int) string {
	if known := knownDigits(b); known >= 1 {
		return people(b.Value, min(digits, known))
	}
	if b.High == 0 {
		return "0"
	}
	unit := math.Pow(10, math.Floor(math.Log10(b.High))-1)
	return "< " + people(math.Ceil(b.High/unit)*unit, 2)
}

// knownDigits returns how many significant digits of a number are worth more than the width of its bounds.
func knownDigits(b weights.Bracket) int {
	if b.Value == 0 {
		return 0
	}
	width := max(b.High-b.Low, math.Abs(b.Value)*1e-15)
	return int(math.Floor(math.Log10(math.Abs(b.Value))) - math.Ceil(math.Log10(width)) + 1)
}

// between writes a quantile for people: one number where its bounds agree in six digits, else both.
func between(b weights.Bracket) string {
	low, high := people(noNoise(b.Low), 6), people(noNoise(b.High), 6)
	if low == high {
		return low
	}
	return low + " to " + high
}

// noNoise returns zero for a number that differs from it by rounding.
func noNoise(v float64) float64 {
	if math.Abs(v) < rounding {
		return 0
	}
	return v
}

// rounding is how exact every number is.
const rounding = 1e-12

// Quantiles returns the table of the quantiles with their bounds, in nats.
func Quantiles(quantiles []logweights.Quantile) *Table {
	t := &Table{Columns: []Column{
		{Key: "toy", Title: "toy"}, {Key: "T", Title: "T"}, {Key: "q", Title: "q"},
		{Key: "forward"}, {Title: "log w fwd"}, {Key: "reverse"}, {Title: "log w rev"},
		{Key: "method", Title: "method"}, {Key: "forward_low"}, {Key: "forward_high"}, {Key: "reverse_low"}, {Key: "reverse_high"},
		{Key: "path"}, {Key: "initial"}, {Key: "schedule"}, {Key: "kernel"},
	}}
	for _, r := range quantiles {
		t.Rows = append(t.Rows, []any{
			r.Toy.Name, r.T, r.Q, r.Forward.Value, between(r.Forward), r.Reverse.Value, between(r.Reverse), string(r.Law.Method),
			r.Forward.Low, r.Forward.High, r.Reverse.Low, r.Reverse.High, r.Path, r.Initial, r.Schedule, r.Kernel,
		})
	}
	return t
}

// Samples returns the table of the bounds of many samples: for machines the bounds, for people how far they are
// from log Z_T/Z_1.
func Samples(rows []logweights.SampleRow) *Table {
	t := &Table{Columns: []Column{
		{Key: "toy", Title: "toy"}, {Key: "T", Title: "T"}, {Key: "K", Title: "K"},
		{Key: "forward_bound"}, {Key: "reverse_bound"}, {Key: "mixed_bound"}, {Key: "log_z_ratio", Title: "log R"},
		{Title: "forward, below"}, {Title: "reverse, above"}, {Title: "mixed, above"},
		{Key: "error_bound", Title: "error", Digits: 2}, {Key: "path"}, {Key: "initial"}, {Key: "schedule"}, {Key: "kernel"}, {Key: "note"},
	}}
	for i := range rows {
		r := &rows[i]
		t.Rows = append(t.Rows, []any{
			r.Toy.Name, r.T, r.K, r.Forward, r.Reverse, r.Mixed, r.LogZRatio,
			r.LogZRatio - r.Forward, r.Reverse - r.LogZRatio, r.Mixed - r.LogZRatio,
			r.Error, r.Path, r.Initial, r.Schedule, r.Kernel, r.Note,
		})
	}
	return t
}

// LawFigure draws both laws as densities, with log Z_T/Z_1, where they cross, and over the reverse one what Crooks'
// relation makes of the forward one. It fails where every weight is the same.
func LawFigure(r *logweights.Row) (*Figure, error) {
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
		h := &plotter.Histogram{Width: bins[0].High - bins[0].Low, FillColor: translucent(paletteColor(i))}
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
	z := &upright{r.Law.LogZRatio, &top, draw.LineStyle{Color: color.Black, Width: vg.Points(1.2), Dashes: dashes()}}
	p.Add(dots, z)
	p.Legend.Add("forward times w Z_1/Z_T (Crooks)", dots)
	p.Legend.Add("log Z_T/Z_1", z)
	stylePlot(p)
	p.Y.Min, p.Y.Max = 0, top*1.35 // room for the legend
	p.Legend.Top = true
	p.Legend.YOffs = -vg.Points(4)
	name := FileName("law_" + r.Toy.Name + "_T" + people(r.T, 0))
	return plotFigure(name, 13*vg.Centimeter, 8*vg.Centimeter, p), nil
}

// SamplesFigure draws how far the bounds of one annealing are from log Z_T/Z_1 against the number of samples, on
// logarithmic axes. It fails where there are not two points to join.
func SamplesFigure(rows []logweights.SampleRow) (*Figure, error) {
	p := plot.New()
	p.X.Label.Text = "number of samples K"
	p.Y.Label.Text = "distance from log Z_T/Z_1 (nats)"
	p.X.Tick.Marker, p.Y.Tick.Marker = decades{}, decades{}
	p.Add(gridLines())
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
			points = appendLog(points, rows[j].K, side.gap(&rows[j]))
		}
		var dash []vg.Length
		if i == 2 {
			dash = dashes()
		}
		line, err := curve(p, points, paletteColor(i), dash)
		if err != nil {
			return nil, err
		}
		if line != nil {
			lines++
			p.Legend.Add(side.name, line)
		}
	}
	if lines == 0 {
		return nil, errors.New("nothing to draw: give at least two numbers of samples, as in --samples 1,10,100")
	}
	stylePlot(p)
	p.Y.Min = math.Floor(p.Y.Min + 0.05)
	p.Y.Max += 0.2
	name := FileName("samples_" + rows[0].Toy.Name + "_T" + people(rows[0].T, 0))
	return plotFigure(name, 13*vg.Centimeter, 8*vg.Centimeter, p), nil
}
