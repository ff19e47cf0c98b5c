package reports

import (
	"fmt"
	"slices"
	"strings"

	"breadboard/experiments"
	"breadboard/experiments/particles"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// SMCReport returns the report of what more particles gain: its table, a figure for each annealing, and notes that say where
// an exact route is missing, where more particles are worse, and where resampling is.
func SMCReport(rows []particles.Row) *Report {
	r := newReport("smc", SMC(rows))
	for _, run := range byCase(rows, smcCase) {
		r.add(Figure{Title: "J and the error of log Zhat against the number of particles: " + run[0].Case.String(), Missing: run[0].Case.String() + ": no figure", Draw: func() (*figure.Figure, error) { return SMCFigure(run) }})
		for _, text := range smcNotes(run) {
			r.note("%s: %s", &run[0].Case, text)
		}
	}
	return r
}

func smcCase(r *particles.Row) *experiments.Case { return &r.Case }

// SMC returns the table of the study, one row for each annealing, number of particles and way to resample.
func SMC(rows []particles.Row) *table.Table { return table.New(particles.Study().Columns, rows) }

// smcSeries returns the rows of one annealing by way to resample and threshold, each list by rising number of particles.
func smcSeries(rows []particles.Row) (series [][]particles.Row) {
	places := map[string]int{}
	for _, r := range rows {
		name := smcSeriesName(&r)
		i, there := places[name]
		if !there {
			i = len(series)
			places[name], series = i, append(series, nil)
		}
		series[i] = append(series[i], r)
	}
	for _, s := range series {
		slices.SortStableFunc(s, func(a, b particles.Row) int { return a.Particles - b.Particles })
	}
	return series
}

// smcSeriesName returns what a way to resample is called in figures and notes.
func smcSeriesName(r *particles.Row) string {
	if r.Threshold == 0 || r.Threshold == 1 {
		return r.Resample()
	}
	return fmt.Sprintf("%s below %v", r.Resample(), r.Threshold)
}

// smcNotes returns the notes on the rows of one annealing: those of the rows, each once with the numbers of particles that it
// is about, and what a reader may not expect.
func smcNotes(rows []particles.Row) (notes []string) {
	for i := range rows {
		for _, n := range rows[i].Notes {
			notes = append(notes, fmt.Sprintf("%s, %s: %s", smcParticles(rows[i].Particles), smcSeriesName(&rows[i]), n))
		}
	}
	series := smcSeries(rows)
	for _, s := range series {
		if n := moreIsWorse(s); n != "" {
			notes = append(notes, n)
		}
	}
	return append(notes, resamplingHurts(rows)...)
}

func smcParticles(n int) string {
	if n == 1 {
		return "1 particle"
	}
	return fmt.Sprintf("%d particles", n)
}

// moreIsWorse says where J of a series rises most with the number of particles; it says nothing where J never rises.
func moreIsWorse(s []particles.Row) string {
	var low, few, many *particles.Row // low is the smallest J so far
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
func resamplingHurts(rows []particles.Row) (notes []string) {
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
