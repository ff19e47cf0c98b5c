// Package particles answers: what does a study of particles show? It turns the rows of SMC, of AIDE, and of the studies made of it,
// into reports. It computes nothing that a study has not.
package particles

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"

	"breadboard/chains"
	"breadboard/experiments/columns"
	"breadboard/experiments/particles/aide"
	"breadboard/reports"
	"breadboard/reports/figure"
	"breadboard/reports/table"
	"breadboard/reports/views/internal/curves"
)

// AIDEReport returns the report of AIDE on annealings: the table, a figure of its mean and standard deviation against the number
// of meta-inference runs, and notes. The faulty variant, where the first trace is left out, has a note that says so.
func AIDEReport(rows []aide.Row) *reports.Report {
	r := reports.New("aide", AIDE(rows))
	r.Add(curves.Filed("aide", "AIDE against the number of meta-inference runs", "no figure of AIDE", rows, AIDEFigure))
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

// AIDE returns the table of AIDE, one row a pair of algorithms, an annealing and a number of meta-inference runs on each side. People see
// the number of the gold's meta-inference runs where it is not the same in all rows.
func AIDE(rows []aide.Row) *table.Table {
	fields := aide.Study().Declaration.Columns
	if !slices.ContainsFunc(rows, func(r aide.Row) bool { return r.GoldMeta != rows[0].GoldMeta }) {
		f := &fields[slices.IndexFunc(fields, func(f table.Field) bool { return f.Name == "gold_meta" })]
		*f = f.Titled("")
	}
	return table.New(fields, rows)
}

// AIDEFigure draws the mean of AIDE, with a band of one standard deviation on each side, against the number M of the target's
// meta-inference runs, and J as a dashed line. There is one panel a toy and T, for the first number of the gold's runs. It fails
// where no annealing has two finite means.
func AIDEFigure(rows []aide.Row) (*figure.Figure, error) {
	drawn := map[string]bool{} // each M once
	rows = slices.DeleteFunc(slices.Clone(rows), func(r aide.Row) bool {
		key := fmt.Sprint(&r.Case, r.Meta)
		skip := drawn[key] || r.GoldMeta != rows[0].GoldMeta
		drawn[key] = true
		return skip
	})
	return curves.Tiles(append(aide.Study().Declaration.Columns, curves.Column("of", func(r *aide.Row) any { return fmt.Sprintf("%s, T = %d", r.Toy.Name, r.Distributions()) })), rows, columns.Plot{
		Name: "aide", Log: "x", X: "meta", Y: "mean", Spread: "sd", Level: "J", Panels: "of", XLabel: "meta-inference runs M", YLabel: "AIDE (nats)", Kinds: "mean", Named: true, Joined: true,
		Why: chains.NewAdvice("nothing to draw: give at least two numbers of runs for which the mean is finite, as in {meta} 1,10,100"),
	})
}

// AIDEStudyReport returns the report of a study of AIDE: its table, the figure of J, AIDE and the error of the log marginal
// likelihood against the number of particles, and that of the marginals where there are some.
func AIDEStudyReport(rows []aide.ComparisonRow) *reports.Report {
	study, s := rows[0].Study, rows[0].Posterior
	r := reports.New("aide_"+study, AIDEStudy(rows))
	r.Add(curves.Filed("aide_"+study, "AIDE of the algorithms of the study "+study, "no figure of "+study, rows, AIDEStudyFigure))
	if len(s.Marginals) > 0 {
		r.Add(curves.Filed("aide_"+study+"_marginals", "Marginals of the output beside those of the posterior", "no figure of the marginals", rows, MarginalsFigure))
	}
	switch {
	case s.Probe != "" && math.IsNaN(s.Exact):
		r.Note("probe is %s", s.Probe)
	case s.Probe != "":
		r.Note("probe is %s; of the posterior it is %s", s.Probe, table.People(s.Exact, 6))
	}
	if s.Gold != "" {
		r.Note("the gold standard is %s, since the posterior has too many outputs to be counted; J and log Z are not known", s.Gold)
	}
	var lines []string // which are the same for every number of meta-inference runs
	for i := range rows {
		name := seriesName(&rows[i])
		if n := rows[i].Particles; n > 0 {
			name += fmt.Sprintf(", %s %d", countedAs(&rows[i]), n)
		}
		for _, n := range rows[i].Notes {
			lines = append(lines, name+": "+n)
		}
	}
	r.NotesOnce(lines)
	return r
}

// countedAs says what the number of an algorithm counts.
func countedAs(r *aide.ComparisonRow) string {
	if r.Algorithm == "mh" {
		return "moves"
	}
	return "particles"
}

// seriesName names the algorithm of a row, without the number of its particles, and the gold standard where that is not the posterior.
func seriesName(r *aide.ComparisonRow) string {
	name := r.Algorithm
	if r.Rejuvenate {
		name += ", rejuvenated"
	}
	if r.Gold != string(aide.Exact) && r.Gold != r.Posterior.Gold {
		name += ", gold " + r.Gold
	}
	return name
}

// AIDEStudy returns the table of a study, one row an algorithm, a number of particles and a number of meta-inference runs. People see no
// column of what the study has not.
func AIDEStudy(rows []aide.ComparisonRow) *table.Table {
	has := map[string]func(aide.ComparisonRow) bool{
		"probe":      func(r aide.ComparisonRow) bool { return r.Posterior.Probe != "" },
		"rejuvenate": func(r aide.ComparisonRow) bool { return r.Rejuvenate },
		"gold":       func(r aide.ComparisonRow) bool { return r.Gold != string(aide.Exact) && r.Gold != r.Posterior.Gold },
	}
	fields := aide.Comparisons().Declaration.Columns
	for i := range fields {
		if f := &fields[i]; has[f.Name] != nil && !slices.ContainsFunc(rows, has[f.Name]) {
			*f = f.Titled("")
		}
	}
	return table.New(fields, rows)
}

// AIDEStudyFigure draws, in one column an algorithm, J and AIDE for each number of meta-inference runs, below it the error of the
// log marginal likelihood, and the probe where there is one, all against the number of particles. What is sampled has a bar of one standard error to
// each side. It fails where no algorithm has results for two numbers of particles.
func AIDEStudyFigure(rows []aide.ComparisonRow) (*figure.Figure, error) {
	type row = aide.ComparisonRow
	several := map[string]bool{}
	for _, same := range reports.Grouped(rows, seriesName) {
		solved := slices.DeleteFunc(slices.Clone(same), func(r row) bool { return !figure.Finite(r.J) && !figure.Finite(r.Mean) && !figure.Finite(r.Probe) })
		several[seriesName(&same[0])] = slices.ContainsFunc(solved, func(r row) bool { return r.Particles != solved[0].Particles })
	}
	once := func(name string, of func(*row) float64) columns.Field { // of the first number of meta-inference runs, on which it does not depend
		return curves.Column(name, func(r *row) any {
			if r.Meta != rows[0].Meta {
				return nil
			}
			return of(r)
		})
	}
	bar := func(name string, of func(*row) float64) columns.Field {
		return curves.Column(name, func(r *row) any {
			if r.Method != aide.SampledComparison {
				return nil
			}
			return of(r)
		})
	}
	s := rows[0].Posterior
	p := columns.Plot{
		Name: "aide_" + rows[0].Study, Log: "xy|xy|x", X: "particles", Y: "AIDE|lml", Errors: "AIDE error|lml error|probe error", Level: "J||of the posterior", By: "meta", Panels: "of",
		XLabel: "particles, or moves", YLabel: "nats, bars: 1 s.e. where sampled|log Z - E log Zhat (nats)|" + probeTitle(s),
		Why: chains.NewAdvice("nothing to draw: no algorithm has results for two numbers of particles"),
	}
	if s.Probe != "" {
		p.Y += "|probe"
	}
	d, err := curves.Plot(columns.List{
		curves.Column("of", func(r *row) any { return seriesName(r) }), curves.Column("particles", func(r *row) any { return r.Particles }),
		curves.Column("meta", func(r *row) any { return "M = " + table.People(r.Meta, 0) }),
		curves.Column("AIDE", func(r *row) any { return r.Mean }), once("lml", func(r *row) float64 { return -r.LMLError }), once("probe", func(r *row) float64 { return r.Probe }),
		bar("AIDE error", func(r *row) float64 { return r.MeanError }), bar("lml error", func(r *row) float64 { return r.LMLStandardError }),
		bar("probe error", func(r *row) float64 { return r.ProbeError }),
		once("J", func(r *row) float64 { return r.J }), once("of the posterior", func(r *row) float64 { return r.Posterior.Exact }),
	}, slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return !several[seriesName(&r)] }), p, 7*vg.Centimeter, 6*vg.Centimeter)
	if err == nil {
		d.Sheet.Columns = 0
	}
	return curves.Drawn(d, err)
}

// probeTitle says what the probe is, in the few words that an axis has room for.
func probeTitle(s *aide.Posterior) string {
	title, _, _ := strings.Cut(strings.TrimPrefix(s.Probe, "the "), ",")
	return title
}

// MarginalsFigure draws the law of each part of the output of every algorithm beside that of the posterior, one panel an algorithm.
// Lines are the probabilities of each state but the first, against the part.
func MarginalsFigure(rows []aide.ComparisonRow) (*figure.Figure, error) {
	type at struct {
		*aide.ComparisonRow
		t, state int
	}
	var parts []at
	for i := range rows {
		for t, p := range rows[i].Marginals {
			for state := 1; state < len(p); state++ {
				parts = append(parts, at{&rows[i], t, state})
			}
		}
	}
	return curves.Tiles(columns.List{
		curves.Column("of", func(r *at) any { return fmt.Sprintf("%s, %d", r.Algorithm, r.Particles) }),
		curves.Column("state", func(r *at) any { return fmt.Sprintf("P(x_{t} = %d)", r.state) }),
		curves.Column("t", func(r *at) any { return r.t + 1 }),
		curves.Column("p", func(r *at) any { return r.Marginals[r.t][r.state] }),
		curves.Column("posterior", func(r *at) any { return r.Posterior.Marginals[r.t][r.state] }),
	}, parts, columns.Plot{
		Name: "aide_" + rows[0].Study + "_marginals", Log: "none", X: "t", Y: "p+posterior", By: "state", Panels: "of", YLabel: "probability", Kinds: "of the output|of the posterior", Joined: true, Lines: true,
		Why: chains.NewAdvice("nothing to draw: there is no algorithm beside the posterior, or outputs have one part"),
	})
}
