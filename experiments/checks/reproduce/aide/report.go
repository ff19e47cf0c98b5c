package aide

import (
	"fmt"
	"math"
	"slices"
	"strings"

	algorithms "breadboard/experiments/particles/aide"

	"breadboard/experiments/curves"
	"breadboard/reports"
	"breadboard/reports/columns"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// report returns the report of a study of AIDE: its table, the figure of J, AIDE and the
// error of the log marginal likelihood by number of particles, and that of the marginals if there
// are some.
func report(rows []Row) *reports.Report {
	study := rows[0].Study
	s := rows[0].Posterior
	r := reports.New("aide_"+study, Table(rows))
	plotAIDEStudy(r, rows)
	if len(s.Marginals) > 0 {
		r.Plots(marginals(rows), columns.Plot{
			Name:  "aide_" + study + "_marginals",
			Title: "Marginals of the output and of the posterior",
			Parts: []columns.Part{{
				X:      "t",
				Y:      []string{"p", "posterior"},
				YLabel: "probability",
			}},
			By:     []string{"state"},
			Panels: []string{"of"},
			Kinds:  []string{"of the output", "of the posterior"},
			Joined: true,
			Lines:  true,
		})
	}
	switch {
	case s.Probe != "" && math.IsNaN(s.Exact):
		r.Note("probe is %s", s.Probe)
	case s.Probe != "":
		r.Note("probe is %s; for the posterior it is %s", s.Probe, table.People(s.Exact, 6))
	}
	if s.Gold != "" {
		r.Note("the gold standard is %s, since the posterior has too many outputs to enumerate; J and log "+
			"Z are not known",
			s.Gold)
	}
	var lines []string // they are the same for every number of meta-inference runs
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

// countedAs names what the number of an algorithm counts.
func countedAs(r *Row) string {
	if r.Algorithm == "mh" {
		return "steps"
	}
	return "particles"
}

// seriesName names the algorithm of a row, without the number of its particles, and the gold
// standard if that is not the posterior.
func seriesName(r *Row) string {
	name := r.Algorithm
	if r.Rejuvenate {
		name += ", rejuvenated"
	}
	if r.Gold != string(algorithms.Exact) && r.Gold != r.Posterior.Gold {
		name += ", gold " + r.Gold
	}
	return name
}

// Table returns the table of a study, one row per algorithm, number of particles and
// number of meta-inference runs. People do not see columns that the study does not have.
func Table(rows []Row) *table.Table {
	has := map[string]func(Row) bool{
		"probe":      func(r Row) bool { return r.Posterior.Probe != "" },
		"rejuvenate": func(r Row) bool { return r.Rejuvenate },
		"gold": func(r Row) bool {
			return r.Gold != string(algorithms.Exact) && r.Gold != r.Posterior.Gold
		},
	}
	fields := Study().Declaration.Columns
	for i := range fields {
		if f := &fields[i]; has[f.Name] != nil && !slices.ContainsFunc(rows, has[f.Name]) {
			*f = f.Titled("")
		}
	}
	return table.New(fields, rows)
}

// plotAIDEStudy adds the figure with a column for each algorithm: J and AIDE for each number of
// meta-inference runs, below it the error of the log marginal likelihood, and the probe if there is
// one, all by number of particles. Sampled numbers have a bar of one standard error to each side.
// It shows the algorithms with results for at least two numbers of particles.
func plotAIDEStudy(r *reports.Report, rows []Row) {
	var cells [][]any
	for _, same := range reports.Grouped(rows, seriesName) {
		solved := slices.DeleteFunc(same, func(r Row) bool {
			return !figure.Finite(r.J) && !figure.Finite(r.Mean) && !figure.Finite(r.Probe)
		})
		if !slices.ContainsFunc(solved, func(r Row) bool { return r.Particles != solved[0].Particles }) {
			continue
		}
		for i := range solved {
			row := &solved[i]
			at := []any{seriesName(row), row.Particles, "M = " + table.People(row.Meta, 0), row.Mean, nil,
				nil, nil, nil, nil, nil, nil}
			if row.Meta == rows[0].Meta { // the others do not depend on the number of meta-inference runs
				at[4], at[5], at[6], at[7] = -row.LMLError, row.Probe, row.J, row.Posterior.Exact
			}
			if row.Method == MethodSampled {
				at[8], at[9], at[10] = row.MeanError, row.LMLStandardError, row.ProbeError
			}
			cells = append(cells, at)
		}
	}
	s := rows[0].Posterior
	p := columns.Plot{
		Name:  "aide_" + rows[0].Study,
		Title: "AIDE of the algorithms of the study " + rows[0].Study,
		Parts: []columns.Part{{
			X:      "particles",
			XLabel: "particles, or steps",
			XScale: columns.Decades,
			Y:      []string{"AIDE"},
			YLabel: "AIDE (nats; bars: 1 s.e. if sampled)",
			YScale: columns.Decades,
			Errors: "AIDE error",
			Level:  []string{"J"},
		}, {
			Y:      []string{"lml"},
			YLabel: "log Z - E log Zhat (nats)",
			YScale: columns.Decades,
			Errors: "lml error",
		}},
		By:     []string{"meta-inference runs"},
		Panels: []string{"of"},
		Free:   true,
	}
	if s.Probe != "" {
		p.Parts = append(p.Parts, columns.Part{
			Y:      []string{"probe"},
			YLabel: probeTitle(s),
			Errors: "probe error",
			Level:  []string{"of the posterior"},
		})
	}
	r.Plots(curves.Cells(cells, "of", "particles", "meta-inference runs", "AIDE", "lml", "probe",
		"J", "of the posterior", "AIDE error", "lml error",
		"probe error"), p)
}

// probeTitle names the probe, shortly enough for an axis.
func probeTitle(s *Posterior) string {
	title, _, _ := strings.Cut(strings.TrimPrefix(s.Probe, "the "), ",")
	return title
}

// marginals returns the distribution of each part of the output of every algorithm and that of the
// posterior: the probabilities of each state but the first.
func marginals(rows []Row) *table.Table {
	var cells [][]any
	for i := range rows {
		for t, p := range rows[i].Marginals {
			for state := 1; state < len(p); state++ {
				of := fmt.Sprintf("%s, %d", rows[i].Algorithm, rows[i].Particles)
				name := fmt.Sprintf("P(x_{t} = %d)", state)
				cells = append(cells, []any{of, name, t + 1, p[state], rows[i].Posterior.Marginals[t][state]})
			}
		}
	}
	return curves.Cells(cells, "of", "state", "t", "p", "posterior")
}
