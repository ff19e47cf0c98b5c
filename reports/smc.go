package reports

import (
	"fmt"
	"slices"
	"strings"

	"breadboard/experiments"
	"breadboard/experiments/ais"
	"breadboard/experiments/columns"
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

// smcFields returns the columns of the study: for machines all, for people those of the exact numbers, or where systems were
// simulated the estimates beside them.
func smcFields() []table.Field[particles.Row] {
	return slices.Concat(
		experiments.WholeCase(smcCase),
		[]table.Field[particles.Row]{
			{Column: table.Column{Name: "particles", Type: table.Int, Title: "particles", Meaning: "the number P of particles"}, Of: func(r *particles.Row) any { return r.Particles }},
			{Column: table.Column{Name: "resample", Type: table.String, Title: "resample", Meaning: "the resampling scheme; never for a threshold of 0"}, Of: func(r *particles.Row) any { return r.Resample() }},
			{Column: table.Column{Name: "threshold", Type: table.Float, Spare: 1, Title: "threshold", Meaning: "particles are resampled where their effective sample size is below this share of P; 1 is at every stage, and 0 is never"}, Of: func(r *particles.Row) any { return r.Threshold }},
			{Column: table.Column{Name: "J", Type: table.Float, Title: "J", Unit: "nats", Meaning: "the Jeffreys divergence of the law of the chosen particle from the target; NaN where method is none"}, Of: func(r *particles.Row) any { return r.J }},
			{Column: table.Column{Name: "kl_q_p", Type: table.Float, Unit: "nats", Meaning: "KL of the law of the chosen particle from the target"}, Of: func(r *particles.Row) any { return r.KLQP }},
			{Column: table.Column{Name: "kl_p_q", Type: table.Float, Unit: "nats", Meaning: "KL of the target from the law of the chosen particle"}, Of: func(r *particles.Row) any { return r.KLPQ }},
			{Column: table.Column{Name: "mean_log_z_forward", Type: table.Float, Spare: 2, Title: "E log Z fwd", Unit: "nats", Meaning: "the mean of log Zhat of runs"}, Of: func(r *particles.Row) any { return r.MeanLogZForward }},
			{Column: table.Column{Name: "mean_log_z_conditional", Type: table.Float, Spare: 2, Title: "E log Z cond.", Unit: "nats", Meaning: "the mean of log Zhat of conditional runs, which hold a draw of the target"}, Of: func(r *particles.Row) any { return r.MeanLogZConditional }},
			{Column: table.Column{Name: "B", Type: table.Float, Title: "B", Unit: "nats", Meaning: "the bound on J, which is mean_log_z_conditional - mean_log_z_forward; NaN where method is none"}, Of: func(r *particles.Row) any { return r.B }},
			{Column: table.Column{Name: "log_z_ratio", Type: table.Float, Unit: "nats", Meaning: columns.MeansLogZRatio}, Of: func(r *particles.Row) any { return r.LogZRatio }},
			{Column: table.Column{Name: "relative_variance", Type: table.Float, Spare: 1, Title: "rel. variance", Meaning: "E[Zhat^2]/Z^2 - 1"}, Of: func(r *particles.Row) any { return r.RelativeVariance }},
			{Column: table.Column{Name: "limit_P_relative_variance", Type: table.Float, Meaning: "what particles times relative_variance tends to as the number of particles grows"}, Of: func(r *particles.Row) any { return r.Limits.P }},
			{Column: table.Column{Name: "limit_P2_J", Type: table.Float, Unit: "nats", Meaning: "what particles^2 J tends to as the number of particles grows"}, Of: func(r *particles.Row) any { return r.Limits.P2J }},
			{Column: table.Column{Name: "extinct", Type: table.Float, Meaning: "the probability that the weights of all particles become zero"}, Of: func(r *particles.Row) any { return r.Extinct }},
			{Column: table.Column{Name: "method", Type: table.String, Spare: 1, Title: "method", Meaning: "how the numbers are known: annealing, pairs, triples, quadruples, counts, integral, enumeration, or none"}, Of: func(r *particles.Row) any { return string(r.Method) }},
			{Column: table.Column{Name: "note", Type: table.String, Meaning: columns.MeansNote}, Of: func(r *particles.Row) any { return strings.Join(r.Notes, "; ") }},
		},
		columns.Lift(smcEstimates(), func(r *particles.Row) *particles.Estimates { return r.Estimates }))
}

// smcEstimates returns the columns of what simulated systems say.
func smcEstimates() (fields []table.Field[particles.Estimates]) {
	add := func(name, short, unit string, of func(*particles.Estimates) ais.Estimate) {
		value := table.Column{Name: "estimate_" + name, Type: table.Float, Unit: unit, Narrow: true, Optional: true, Meaning: "what simulated systems give for " + name + "; empty where none were asked for"}
		spread := table.Column{Name: "standard_error_" + name, Type: table.Float, Unit: unit, Narrow: true, Optional: true, Digits: 2, Meaning: "the standard error of estimate_" + name}
		if short != "" {
			value.Title, spread.Title = "estimate, "+short, "std. error, "+short
		}
		fields = append(fields,
			table.Field[particles.Estimates]{Column: value, Of: func(e *particles.Estimates) any { return of(e).Value }},
			table.Field[particles.Estimates]{Column: spread, Of: func(e *particles.Estimates) any { return of(e).StandardError }})
	}
	add("mean_log_z_forward", "fwd", "nats", func(e *particles.Estimates) ais.Estimate { return e.MeanLogZForward })
	add("mean_log_z_conditional", "cond.", "nats", func(e *particles.Estimates) ais.Estimate { return e.MeanLogZConditional })
	add("B", "", "nats", func(e *particles.Estimates) ais.Estimate { return e.B })
	add("relative_variance", "", "", func(e *particles.Estimates) ais.Estimate { return e.RelativeVariance })
	add("extinct", "", "", func(e *particles.Estimates) ais.Estimate { return e.Extinct })
	return fields
}

// SMC returns the table of the study, one row for each annealing, number of particles and way to resample.
func SMC(rows []particles.Row) *table.Table { return table.New(smcFields(), rows) }

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
