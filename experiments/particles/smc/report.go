package smc

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"breadboard/chains/selector"
	"breadboard/experiments/curves"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/columns"
	"breadboard/reports/table"
)

// report returns the report of what more particles gain: its table, a figure for each annealing,
// and notes on numbers without an exact method, on more particles that increase J, and on
// resampling that does.
func report(rows []Row) *reports.Report {
	r := reports.New("smc", table.New(Study().Declaration.Columns, rows))
	var cells [][]any
	for _, run := range subject.ByCase(rows, (*Row).TheCase) {
		r.CaseNotes(&run[0].Case, Notes(run))
		if run[0].Case.HMM() != nil {
			r.Note("toy %[1]s: this anneals whole paths of the hidden Markov model. "+
				"Its particle filter has its exact bias by breadboard evidence {toy} %[1]s {estimator} "+
				"pf:2:systematic, "+
				"estimates in a file are tested by breadboard conform estimates FILE {toy} %[1]s, "+
				"and assert_unbiased follows a filter of your own in Python (breadboard help validate)",
				run[0].Case.Toy.Name)
		}
		limit := math.NaN()
		top := 0.0
		most := 1.0
		for i := range run {
			s := &run[i]
			if !math.IsNaN(s.Limits.P2J.Value) {
				limit = s.Limits.P2J.Value
			}
			if s.Known() && !math.IsInf(s.J, 0) {
				top = max(top, s.J)
			}
			most = max(most, float64(s.Particles))
			cells = append(cells, curves.OfCase(
				&s.Case,
				smcSeriesName(s),
				s.Particles,
				s.J,
				nil,
				s.LogZRatio-s.MeanLogZForward,
			))
		}
		if first := max(1, math.Sqrt(limit/top)); most > first {
			// from where the limit is at most the largest J
			for _, particles := range []float64{first, most} {
				cells = append(cells, curves.OfCase(
					&run[0].Case,
					smcSeriesName(&run[0]),
					particles,
					nil,
					limit/(particles*particles),
					nil,
				))
			}
		}
	}
	r.Plots(curves.CaseCells(cells, "resampling", "particles", "J", "multinomial, limit", "error"), columns.Plot{
		Name:  "smc",
		Title: "J and the error of log Zhat by number of particles",
		Each:  curves.EachCase(),
		Parts: []columns.Part{{
			X:      "particles",
			XLabel: "number of particles P",
			XScale: columns.Decades,
			Y:      []string{"J"},
			YLabel: "J (nats)",
			YScale: columns.Decades,
			Level:  []string{"multinomial, limit"},
		}, {
			Y:      []string{"error"},
			YLabel: "error of log Zhat (nats)",
			YScale: columns.Decades,
		}},
		By:     []string{"resampling"},
		Joined: true,
	})
	return r
}

// smcSeries returns the rows of one annealing by resampling scheme and threshold, each list by
// ascending number of particles.
func smcSeries(rows []Row) (series [][]Row) {
	series = reports.Grouped(rows, smcSeriesName)
	for _, s := range series {
		slices.SortStableFunc(s, func(a, b Row) int { return a.Particles - b.Particles })
	}
	return series
}

// smcSeriesName returns the name of a resampling scheme with its threshold in figures and notes.
func smcSeriesName(r *Row) string {
	if r.Threshold == 0 || r.Threshold == 1 {
		return r.Resample()
	}
	return fmt.Sprintf("%s below %v", r.Resample(), r.Threshold)
}

// Notes returns the notes on the rows of one annealing: those of the rows, each once with the
// numbers of particles that it concerns, and unexpected results.
func Notes(rows []Row) (notes []string) {
	for i := range rows {
		for _, n := range rows[i].Notes {
			notes = append(
				notes,
				fmt.Sprintf("%s, %s: %s", selector.Count(rows[i].Particles, "particle"), smcSeriesName(&rows[i]), n),
			)
		}
	}
	for _, s := range smcSeries(rows) {
		if n := moreIsWorse(s); n != "" {
			notes = append(notes, n)
		}
	}
	return append(notes, resamplingHurts(rows)...)
}

// moreIsWorse returns a note on the largest increase of J in a series with the number of particles;
// it is empty if J never increases.
func moreIsWorse(s []Row) string {
	var low, few, many *Row // low is the smallest J so far
	for i := range s {
		r := &s[i]
		if !r.Known() {
			continue
		}
		if low != nil && clearlyAbove(r.J, low.J) && (many == nil || r.J-low.J > many.J-few.J) {
			few = low
			many = r
		}
		if low == nil || r.J < low.J {
			low = r
		}
	}
	if many == nil {
		return ""
	}
	return fmt.Sprintf("more particles increase J (%s): it is %.6g with %s and %.6g with %s",
		smcSeriesName(many), few.J, selector.Count(few.Particles, "particle"),
		many.J, selector.Count(many.Particles, "particle"))
}

// clearlyAbove reports whether a divergence is above another by more than rounding. If all
// distributions are equal, J is at most the square of a rounding error.
func clearlyAbove(j, other float64) bool { return j > other*(1+1e-9)+1e-28 }

// resamplingHurts compares J of runs that are never resampled with J of those that are, for the
// same number of particles, and notes where resampling increases J.
func resamplingHurts(rows []Row) (notes []string) {
	for i := range rows {
		r := &rows[i]
		if r.Threshold != 0 || r.Particles == 1 || !r.Known() {
			continue
		}
		var worse []string
		for k := range rows {
			if other := &rows[k]; other.Threshold > 0 && other.Particles == r.Particles &&
				clearlyAbove(other.J, r.J) {
				worse = append(worse, fmt.Sprintf("%.6g %s", other.J, smcSeriesName(other)))
			}
		}
		if worse != nil {
			notes = append(notes,
				fmt.Sprintf("resampling increases J: with %s it is %.6g if they are never resampled, and %s",
					selector.Count(r.Particles, "particle"), r.J,
					strings.Join(worse, ", ")))
		}
	}
	return notes
}
