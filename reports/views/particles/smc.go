package particles

import (
	"fmt"
	"image/color"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/selector"
	"breadboard/chains/sorts"
	"breadboard/experiments/columns"
	"breadboard/experiments/particles/smc"
	"breadboard/reports"
	"breadboard/reports/figure"
	"breadboard/reports/table"
	"breadboard/reports/views/internal/curves"
)

// SMCReport returns the report of what more particles gain: its table, a figure for each annealing, and notes that say where
// an exact route is missing, where more particles are worse, and where resampling is.
func SMCReport(rows []smc.Row) *reports.Report {
	r := reports.New("smc", table.New(smc.Study().Declaration.Columns, rows))
	for _, run := range reports.ByCase(rows, (*smc.Row).TheCase) {
		r.Add(curves.About("J and the error of log Zhat against the number of particles", &run[0].Case, run, SMCFigure))
		r.CaseNotes(&run[0].Case, SMCNotes(run))
	}
	return r
}

// smcSeries returns the rows of one annealing by way to resample and threshold, each list by rising number of particles.
func smcSeries(rows []smc.Row) (series [][]smc.Row) {
	series = reports.Grouped(rows, smcSeriesName)
	for _, s := range series {
		sorts.Stable(s, func(a, b smc.Row) int { return a.Particles - b.Particles })
	}
	return series
}

// smcSeriesName returns what a way to resample is called in figures and notes.
func smcSeriesName(r *smc.Row) string {
	if r.Threshold == 0 || r.Threshold == 1 {
		return r.Resample()
	}
	return fmt.Sprintf("%s below %v", r.Resample(), r.Threshold)
}

// SMCNotes returns the notes on the rows of one annealing: those of the rows, each once with the numbers of particles that it
// is about, and what a reader may not expect.
func SMCNotes(rows []smc.Row) (notes []string) {
	for i := range rows {
		for _, n := range rows[i].Notes {
			notes = append(notes, fmt.Sprintf("%s, %s: %s", smcParticles(rows[i].Particles), smcSeriesName(&rows[i]), n))
		}
	}
	for _, s := range smcSeries(rows) {
		if n := moreIsWorse(s); n != "" {
			notes = append(notes, n)
		}
	}
	return append(notes, resamplingHurts(rows)...)
}

func smcParticles(n int) string { return selector.Count(n, "particle") }

// moreIsWorse says where J of a series rises most with the number of particles; it says nothing where J never rises.
func moreIsWorse(s []smc.Row) string {
	var low, few, many *smc.Row // low is the smallest J so far
	for i := range s {
		r := &s[i]
		if !r.Known() {
			continue
		}
		if low != nil && clearlyAbove(r.J, low.J) && (many == nil || r.J-low.J > many.J-few.J) {
			few, many = low, r
		}
		if low == nil || r.J < low.J {
			low = r
		}
	}
	if many == nil {
		return ""
	}
	return fmt.Sprintf("more particles are worse here (%s): J is %.6g with %s and %.6g with %s", smcSeriesName(many), few.J, smcParticles(few.Particles), many.J, smcParticles(many.Particles))
}

// clearlyAbove reports whether a divergence is above another by more than rounding. Where all distributions are equal J is no
// more than the square of a rounding error.
func clearlyAbove(j, other float64) bool { return j > other*(1+1e-9)+1e-28 }

// resamplingHurts compares J of runs that are never resampled with those that are, for the same number of particles. It says
// where resampling makes J larger.
func resamplingHurts(rows []smc.Row) (notes []string) {
	for i := range rows {
		r := &rows[i]
		if r.Threshold != 0 || r.Particles == 1 || !r.Known() {
			continue
		}
		var worse []string
		for k := range rows {
			if other := &rows[k]; other.Threshold > 0 && other.Particles == r.Particles && clearlyAbove(other.J, r.J) {
				worse = append(worse, fmt.Sprintf("%.6g %s", other.J, smcSeriesName(other)))
			}
		}
		if worse != nil {
			notes = append(notes, fmt.Sprintf("resampling hurts here: with %s J is %.6g where they are never resampled, and %s", smcParticles(r.Particles), r.J, strings.Join(worse, ", ")))
		}
	}
	return notes
}

// SMCFigure draws, of one annealing, J against the number of particles by way to resample, with the limit that P^2 J tends to
// where that is known, and beside it how far the mean of log Zhat is below log(Z_T/Z_1). The axes are logarithmic. Numbers
// that are not known, infinite or zero are left out. It fails where no way to resample has two points to join.
func SMCFigure(rows []smc.Row) (*figure.Figure, error) {
	fields := append(smc.Study().Declaration.Columns,
		curves.Column("series", func(r *smc.Row) any { return smcSeriesName(r) }),
		curves.Column("error", func(r *smc.Row) any { return r.LogZRatio - r.MeanLogZForward }))
	d, err := curves.Plot(fields, rows, columns.Plot{
		Name: reports.FileName("smc_" + rows[0].Toy.Name + "_T" + strconv.Itoa(rows[0].Distributions())), Log: "xy", X: "particles", Y: "J|error", By: "series",
		XLabel: "number of particles P", YLabel: "J (nats)|error of log Zhat (nats)", Joined: true,
		Why: chains.NewAdvice("nothing to draw: give at least two numbers of particles for which J is known, as in {particles|particles =} 1,2"),
	}, 9*vg.Centimeter, 7.5*vg.Centimeter)
	if err == nil {
		smcLimit(d.Sheet.Rows[0][0], rows)
	}
	return curves.Drawn(d, err)
}

// smcLimit adds the limit of J as the particles grow many, as a dashed line over the part of the axis where it is no larger
// than the largest J. It adds nothing where the limit is not known.
func smcLimit(p *figure.Panel, rows []smc.Row) {
	limit, top, most := math.NaN(), 0.0, 1
	for i := range rows {
		r := &rows[i]
		if !math.IsNaN(r.Limits.P2J) {
			limit = r.Limits.P2J
		}
		if r.Known() && !math.IsInf(r.J, 0) {
			top = max(top, r.J)
		}
		most = max(most, r.Particles)
	}
	if !(limit > 0) || math.IsInf(limit, 0) || top == 0 {
		return
	}
	first := max(1, math.Sqrt(limit/top)) // the P at which the limit is the largest J
	last := float64(most)
	if !(last > first) { // P is so small that the limit is above all that is drawn
		return
	}
	line := &plotter.Line{
		XYs:       plotter.XYs{{X: number.Log10(first), Y: number.Log10(limit / (first * first))}, {X: number.Log10(last), Y: number.Log10(limit / (last * last))}},
		LineStyle: draw.LineStyle{Color: color.Gray{0x40}, Width: vg.Points(1.2), Dashes: figure.Dashes()},
	}
	p.Add(line)
	name := "multinomial, limit " + strconv.FormatFloat(limit, 'g', 4, 64) + "/P^{2}"
	p.Record(name, line.XYs)
	p.Legend.Add(name, line)
}
