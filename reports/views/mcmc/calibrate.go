package mcmc

import (
	"cmp"
	"fmt"
	"image/color"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/chains"
	"breadboard/chains/diagnostics"
	"breadboard/chains/number"
	"breadboard/experiments/columns"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/experiments/mcmc/samplers/diagnose"
	"breadboard/reports"
	"breadboard/reports/figure"
	"breadboard/reports/table"
	"breadboard/reports/views/internal/curves"
)

// The names of the tables of the calibration of diagnostics, the first of which its figure has too.
const (
	SamplersCalibrateFile       = "samplers_calibrate"
	SamplersCalibrateSharesFile = "samplers_calibrate_shares"
	SamplersCalibratePointsFile = "samplers_calibrate_points"
)

// SamplersCalibrateReport returns the report of what diagnostics predict of K chains, of which there are some: how often each is wrong, how RESS lies to the region
// in which it would be if the effective sample size were right, and the numbers of every setting, which are for files.
func SamplersCalibrateReport(rows []diagnose.CalibrateRow) *reports.Report {
	chains := rows[0].Chains
	r := reports.New(SamplersCalibrateFile, SamplersCalibrate(diagnose.Judge(rows, chains), chains))
	shares := diagnose.Count(rows, chains)
	r.Add(
		reports.Table{Name: SamplersCalibrateSharesFile, Place: reports.BesideResults, Table: SamplersCalibrateShares(shares, chains)},
		reports.Table{Name: SamplersCalibratePointsFile, Place: reports.InFile, Table: table.New(diagnose.Calibrate().Columns, rows)},
		curves.Filed(SamplersCalibrateFile, "Real effective sample size against what chains say of it", "no figure of calibration", rows, samplersCalibrateFigure),
	)
	for _, line := range samplersCalibrateNotes(rows, chains) {
		r.Note("%s", line)
	}
	return r
}

// kindText says of what chains numbers are, as "exact" or "8 simulated".
func kindText(k diagnose.Kind, chains int) string {
	if k == diagnose.Drawn {
		return fmt.Sprintf("%d simulated", chains)
	}
	return string(k)
}

// SamplersCalibrate returns the table of the errors of diagnostics.
func SamplersCalibrate(errors []diagnose.Errors, chains int) *table.Table {
	type row = diagnose.Errors
	return table.New(columns.List{
		columns.Of("diagnostic", "diagnostic", "the diagnostic whose alarms are counted", func(e *row) string { return e.Name }),
		columns.Of("limit", "limit", "what the diagnostic asks of chains", func(e *row) string { return e.Limit }),
		columns.Of("chains", "chains", "the chains that are looked at: exact for exact expectations, or so many that are simulated", func(e *row) string { return kindText(e.Kind, chains) }),
		columns.Of("good", "good", "the number of settings whose chains are good, which is a RESS of the mean of at least 12", func(e *row) int { return e.Good }),
		columns.Of("alarms_though_good", "alarms", "on how many of the good settings the diagnostic gives an alarm", func(e *row) int { return e.TypeI }),
		columns.Any("type_1", "type I", columns.Float, "alarms_though_good over good; empty where there are none", func(e *row) any { return rate(e.TypeIRate(), e.Good) }).Answer(),
		columns.Of("failing", "failing", "the number of settings whose chains are not good", func(e *row) int { return e.Failing }),
		columns.Of("quiet_though_failing", "no alarm", "on how many of the failing settings the diagnostic gives no alarm", func(e *row) int { return e.TypeII }),
		columns.Any("type_2", "type II", columns.Float, "quiet_though_failing over failing; empty where there are none", func(e *row) any { return rate(e.TypeIIRate(), e.Failing) }).Answer(),
	}, errors)
}

// rate returns the cell of a share of a number of settings, which is empty where there are none.
func rate(v float64, settings int) any {
	if settings == 0 {
		return nil
	}
	return table.Both{Machine: v, People: table.Percent(v)}
}

// SamplersCalibrateShares returns the table of how RESS lies to the region of Eq. 9.
func SamplersCalibrateShares(shares []diagnose.Shares, chains int) *table.Table {
	type row = diagnose.Shares
	low, high := diagnostics.Region(chains, diagnose.Level)
	return table.New(columns.List{
		columns.Of("estimate", "RESS of", "what the real effective sample size is of: the mean, the variance, or the distribution by the Cramer-von Mises distance (distribution) or that of Kolmogorov and Smirnov (KS)", func(s *row) string { return s.Estimate }),
		columns.Of("chains", "chains", "the chains that are looked at: exact for exact expectations, or so many that are simulated", func(s *row) string { return kindText(s.Kind, chains) }),
		columns.Of("settings", "settings", "in how many settings the real effective sample size is known", (*row).Settings),
		columns.Of("region_low", "", "the lower end of the 95% region of Eq. 9, in units of the ESS", func(*row) float64 { return low }),
		columns.Of("region_high", "", "the upper end of the 95% region of Eq. 9, in units of the ESS", func(*row) float64 { return high }),
		columns.Any("below", "below the region", columns.Float, "the share of the settings whose RESS lies below the region", func(s *row) any { return rate(s.BelowRate(), s.Settings()) }).Answer(),
		columns.Any("within", "within", columns.Float, "the share of the settings whose RESS lies within the region", func(s *row) any { return rate(s.WithinRate(), s.Settings()) }).Answer(),
		columns.Any("above", "above", columns.Float, "the share of the settings whose RESS lies above the region", func(s *row) any { return rate(s.AboveRate(), s.Settings()) }).Answer(),
	}, shares)
}

// samplersCalibrateNotes says what the tables show, and what they leave out.
func samplersCalibrateNotes(rows []diagnose.CalibrateRow, chains int) (lines []string) {
	low, high := diagnostics.Region(chains, diagnose.Level)
	lines = append(lines, fmt.Sprintf("the region is %s to %s times the ESS; of %d chains that are as good as their ESS says, %.3g%% have an RESS below it (Eq. 9)",
		table.People(low, 4), table.People(high, 4), chains, 100*(1-diagnose.Level)/2),
		fmt.Sprintf("chains are good where the RESS of their mean is at least %d", samplers.SuccessRESS))
	for _, s := range diagnose.Count(rows, chains) {
		if s.Settings() < len(rows) {
			lines = append(lines, fmt.Sprintf("%s, %s chains: %d settings without an RESS or an ESS, or with bounds that do not decide, are left out of the shares", s.Estimate, kindText(s.Kind, chains), len(rows)-s.Settings()))
		}
	}
	return lines
}

// samplersCalibrateFigure draws RESS against ESS on logarithmic axes: a row for each estimate, with the exact expectations on the left and
// simulated chains on the right, one colour a kernel, the diagonal and the region of Eq. 9. Numbers that are not finite are left out.
func samplersCalibrateFigure(rows []diagnose.CalibrateRow) (*figure.Figure, error) {
	low, high := diagnostics.Region(rows[0].Chains, diagnose.Level)
	names := &figure.Marks{Names: reports.Names(rows, func(r *diagnose.CalibrateRow) string { return r.Kernel })}
	var plots []*figure.Panel
	var pen curves.Pen
	for _, e := range diagnose.Estimates() {
		for _, k := range diagnose.Kinds(rows) {
			of := "exact"
			if k == diagnose.Drawn {
				of = fmt.Sprintf("K = %d simulated chains", rows[0].Chains)
			}
			p := figure.NewPanel(e.Name+", "+of, "ESS of a chain", "RESS of "+e.Name)
			addCalibration(&pen, p, rows, e, k, names)
			plots = append(plots, p)
		}
	}
	if !oneScale(plots) {
		return nil, cmp.Or[error](pen.Err, chains.NewAdvice("nothing to draw: no ESS and RESS are finite"))
	}
	diagonal, edge := figure.GreyLine(), figure.GreyLine()
	diagonal.Dashes, edge.Dashes = figure.Dashes(), []vg.Length{vg.Points(1.5), vg.Points(2)}
	diagonal.Color, edge.Color = color.Black, color.Black
	diagonal.Width, edge.Width = vg.Points(0.8), vg.Points(0.8)
	for _, p := range plots {
		addSlope(p, 0, diagonal)
		addSlope(p, number.Log10(low), edge)
		addSlope(p, number.Log10(high), edge)
	}
	legend := names.Dots(func(l *figure.Legend) {
		l.Add("RESS = ESS", curves.Key(diagonal))
		l.Add("95% region", curves.Key(edge))
	})
	return pen.Done(figure.Grid(SamplersCalibrateFile, len(diagnose.Kinds(rows)), plots, legend))
}

// addCalibration adds the points of one estimate and kind, those of each kernel in its colour.
func addCalibration(pen *curves.Pen, p *figure.Panel, rows []diagnose.CalibrateRow, e diagnose.Estimate, k diagnose.Kind, names *figure.Marks) {
	for _, same := range reports.Grouped(rows, func(r *diagnose.CalibrateRow) string { return r.Kernel }) {
		points := curves.Points(same, func(r *diagnose.CalibrateRow) float64 { return number.Log10(r.Scores(k).ESS) }, func(r *diagnose.CalibrateRow) float64 {
			low, high := e.RESS(r.Scores(k))
			return (number.Log10(low) + number.Log10(high)) / 2 // the middle of bounds
		})
		if len(points) == 0 {
			continue
		}
		glyph := names.Of(same[0].Kernel).Glyph
		glyph.Radius, glyph.Color = vg.Points(1.8), figure.Translucent(glyph.Color)
		pen.Dots(p, same[0].Kernel, points, glyph)
	}
}

// oneScale gives all plots the same two axes. It reports whether there is anything on them.
func oneScale(plots []*figure.Panel) bool {
	for _, of := range []func(*figure.Panel) *plot.Axis{func(p *figure.Panel) *plot.Axis { return &p.X }, func(p *figure.Panel) *plot.Axis { return &p.Y }} {
		low, high := curves.SameRange(plots, of)
		if !figure.Finite(low) || !figure.Finite(high) {
			return false
		}
		room := 0.04*(high-low) + 0.05
		for _, p := range plots {
			a := of(p)
			a.Min, a.Max, a.Tick.Marker = low-room, high+room, figure.Decades{}
		}
	}
	return true
}

// addSlope adds the part of the line y = x + by that lies on a plot.
func addSlope(p *figure.Panel, by float64, style draw.LineStyle) {
	from, to := max(p.X.Min, p.Y.Min-by), min(p.X.Max, p.Y.Max-by)
	if from < to {
		p.Add(&plotter.Line{XYs: plotter.XYs{{X: from, Y: from + by}, {X: to, Y: to + by}}, LineStyle: style})
	}
}

// samplersMetaFile is the name of the table and of the figure of the meta-analysis.
const samplersMetaFile = "samplers_meta"

// SamplersMetaReport returns the report of how well diagnostics predict, together, how far the mean of a chain is off. Its table is as Table 2
// of Turner and Neal 2017.
func SamplersMetaReport(rows []diagnose.MetaRow) *reports.Report {
	r, from := reports.New(samplersMetaFile, table.New(diagnose.Meta().Columns, rows)), rows[0].From
	r.Add(curves.Filed(samplersMetaFile, "How well each method predicts the real effective sample size", "no figure of the features", rows, samplersMetaFigure))
	r.Note("%d points of %d targets; each of %d splits holds out %d targets; standard errors and p-values are of the difference from GP over the splits, "+
		"which share targets, so that p is too small rather than too large", from.Points, from.Targets, from.Repeats, from.Held)
	if from.Repeats == 1 {
		r.Note("one split has no standard errors and no p-values; give {repeats} 10")
	}
	for _, o := range from.Omitted {
		r.Note("left out %v", o)
	}
	if len(from.Constant) > 0 {
		r.Note("the same at every point, so that nothing can be learned from it: %s", strings.Join(from.Constant, ", "))
	}
	return r
}

// samplersMetaFigure draws the mean squared error of each method and beside it its negative log density less that of the Gaussian process
// of all features, with bars of one standard error of the difference from that process on either side. A dashed line marks the process.
func samplersMetaFigure(rows []diagnose.MetaRow) (*figure.Figure, error) {
	var panels []*figure.Panel
	for _, axis := range []struct {
		label     string
		of, error func(*diagnose.MetaRow) float64
	}{
		{"MSE of " + rows[0].Label.Column(), func(r *diagnose.MetaRow) float64 { return r.MSE }, func(r *diagnose.MetaRow) float64 { return r.MSEError }},
		{"NLL relative to GP (nats)", func(r *diagnose.MetaRow) float64 { return r.NLL }, func(r *diagnose.MetaRow) float64 { return r.NLLError }},
	} {
		p := figure.NewPanel("", axis.label, "")
		if err := addMethods(p, rows, axis.of, axis.error); err != nil {
			return nil, err
		}
		panels = append(panels, p)
	}
	height := 2.5*vg.Centimeter + vg.Length(len(rows))*0.55*vg.Centimeter
	return figure.Sheet{Name: samplersMetaFile, Rows: [][]*figure.Panel{panels}, Width: 9 * vg.Centimeter, Height: height, Least: 24, Lines: true}.Figure(), nil
}

// barPoints are points with bars.
type barPoints struct {
	plotter.XYs
	plotter.XErrors
}

// addMethods adds a point with a bar for each method, the first one at the top.
func addMethods(p *figure.Panel, rows []diagnose.MetaRow, of, error func(*diagnose.MetaRow) float64) error {
	var points plotter.XYs
	var bars barPoints
	var ticks plot.ConstantTicks
	for i := range rows {
		at := plotter.XY{X: of(&rows[i]), Y: -float64(i)}
		points = append(points, at)
		ticks = append(ticks, plot.Tick{Value: at.Y, Label: rows[i].Method})
		if e := error(&rows[i]); e > 0 {
			bars.XYs, bars.XErrors = append(bars.XYs, at), append(bars.XErrors, struct{ Low, High float64 }{e, e})
		}
	}
	dots, err := plotter.NewScatter(points)
	if err != nil {
		return err
	}
	shade := figure.Color(0)
	dots.GlyphStyle = draw.GlyphStyle{Color: shade, Radius: vg.Points(2.8), Shape: draw.CircleGlyph{}}
	process := figure.GreyLine()
	process.Dashes, process.Width = figure.Dashes(), vg.Points(0.8)
	low, high := -float64(len(rows))+0.4, 0.6
	p.Add(&plotter.Line{XYs: plotter.XYs{{X: points[0].X, Y: low}, {X: points[0].X, Y: high}}, LineStyle: process})
	if len(bars.XYs) > 0 {
		drawn, err := plotter.NewXErrorBars(bars)
		if err != nil {
			return err
		}
		drawn.LineStyle = draw.LineStyle{Color: shade, Width: vg.Points(1.2)}
		drawn.CapWidth = vg.Points(6)
		p.Add(drawn)
	}
	p.Add(dots)
	for i, at := range points {
		p.Record(rows[i].Method, plotter.XYs{at})
	}
	figure.RoomAround(p)
	p.Y.Min, p.Y.Max, p.Y.Tick.Marker = low, high, ticks
	return nil
}
