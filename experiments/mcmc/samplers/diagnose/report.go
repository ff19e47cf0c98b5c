package diagnose

import (
	"math"
	"slices"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
	"breadboard/experiments/curves"
	"breadboard/experiments/draws/files"
	"breadboard/reports"
	"breadboard/reports/columns"
	"breadboard/reports/table"
)

// report returns the report of the diagnostics of chains, with a figure for each
// target and function: the effective sample size of a simulated chain with
// what the exact expectations give, the exact RESS and the line ESS = N; and below it the distance
// of R-hat from one, with the usual limit of 0.01. Values that are zero or infinite are left out.
func report(rows []Row) *reports.Report {
	type row = Row
	r := reports.New("samplers_diagnose", table.New(Study().Declaration.Columns, rows))
	expected := func(name string, of func(*row) float64) columns.Field {
		return curves.Column(name, func(r *row) any {
			if r.Expected == nil {
				return nil
			}
			return of(r)
		})
	}
	r.Plots(table.New(columns.List{
		curves.Column("toy", func(r *row) any { return r.Toy.Name }),
		curves.Column("function", func(r *row) any { return r.Function.Name }),
		curves.Column("kernel", func(r *row) any { return r.Kernel }),
		curves.Column("start", func(r *row) any { return "from " + r.Start.Name }),
		curves.Column("N", func(r *row) any { return float64(r.N) }),
		curves.Column("simulated", func(r *row) any { return r.ESSChain }),
		expected("of the exact means", func(r *row) float64 { return r.Expected.ESSSingle }),
		curves.Column("exact RESS", func(r *row) any { return r.RESSMean }),
		curves.Column("simulated R-hat", func(r *row) any { return math.Abs(r.RHatBasic - 1) }),
		expected("R-hat of the exact means", func(r *row) float64 { return math.Abs(r.Expected.RHat - 1) }),
		curves.Column("ESS = N", func(r *row) any { return float64(r.N) }),
		curves.Column("R-hat = 1.01", func(*row) any { return 0.01 }),
	}, rows), columns.Plot{
		Name:  "samplers_diagnose",
		Title: "Diagnostics against the number of samples",
		Each:  columns.Split{Always: []string{"toy", "function"}},
		Parts: []columns.Part{{
			X:      "N",
			XLabel: "samples N",
			XScale: columns.Decades,
			Y:      []string{"simulated", "of the exact means", "exact RESS"},
			YLabel: "ESS of one chain",
			YScale: columns.Decades,
			Level:  []string{"ESS = N"},
		}, {
			Y:      []string{"simulated R-hat", "R-hat of the exact means"},
			YLabel: "distance of R-hat from 1",
			YScale: columns.Decades,
			Level:  []string{"R-hat = 1.01"},
		}},
		By:     []string{"start"},
		Panels: []string{"kernel"},
		Dots:   []string{"simulated", "simulated R-hat"},
	})
	diagnoseNotes(r, rows)
	return r
}

// mostDiagnoseNotes is the number of rows whose notes are shown with the messages. The column of
// notes has them all.
const mostDiagnoseNotes = 10

// diagnoseNotes adds the notes of the first rows that have some.
func diagnoseNotes(r *reports.Report, rows []Row) {
	noted := 0
	for i := range rows {
		if len(rows[i].Notes) == 0 {
			continue
		}
		noted++
		if noted > mostDiagnoseNotes {
			continue
		}
		name := rows[i].Setting.String()
		for _, note := range rows[i].Notes {
			r.Add(reports.Note{Advice: errs.New("%s: %w", name, note), About: note.Column})
		}
	}
	if noted > mostDiagnoseNotes {
		r.Note("%d more rows have notes; they stand in the column note of {format} json",
			noted-mostDiagnoseNotes)
	}
}

// retitled gives fields the titles of their names; those without one are for machines alone.
func retitled(fields columns.List, titles map[string]string) columns.List {
	for i := range fields {
		fields[i] = fields[i].Titled(titles[fields[i].Name])
	}
	return fields
}

// variablesFile is the name of the table of the variables of external draws.
const variablesFile = "samplers_variables"

// VariablesTable returns the table of the diagnostics of variables. People see the exact numbers
// if a target is given.
func VariablesTable(rows []Variable) *table.Table {
	fields := VariableFields()
	titles := map[string]string{
		"variable": "variable", "mean": "mean", "mcse_mean": "MCSE", "sd": "sd", "ess_basic": "ESS (whole)",
		"ess_bulk": "ESS bulk", "ess_tail": "ESS tail",
		"rhat_basic": "R-hat (whole)", "rhat_split": "R-hat (split)", "rhat_rank": "R-hat (rank)",
		"geweke": "Geweke",
	}
	if slices.ContainsFunc(rows, func(v Variable) bool { return v.Truth != nil }) {
		titles["exact_mean"], titles["mean_error"], titles["exact_sd"] = "exact mean",
			"error/MCSE", "exact sd"
	}
	if slices.ContainsFunc(rows, func(v Variable) bool { return v.Truth != nil && v.SD == 0 }) {
		// these claim no standard error
		titles["mean_error_sd"] = "error/sd"
	}
	return table.New(retitled(fields, titles), rows)
}

// VariablesReport returns the report of the diagnostics of external draws, with figures of those
// that have mixed the least. A note on several variables comes once.
func VariablesReport(rows []Variable, d *files.Draws) *reports.Report {
	r := reports.New(variablesFile, VariablesTable(rows))
	plotDraws(r, rows, d)
	r.Note("%s of %s in each", selector.Count(rows[0].Chains, "chain"), selector.Count(rows[0].N, "draw"))
	var order []Note
	about := map[string][]string{}
	for i := range rows {
		for _, note := range rows[i].Notes {
			text := note.Error()
			if about[text] == nil {
				order = append(order, note)
			}
			about[text] = append(about[text], rows[i].Name)
		}
	}
	for _, note := range order {
		said := note.Advice
		switch names := about[note.Error()]; {
		case len(names) == len(rows):
		case len(names) > mostDiagnoseNotes:
			said = errs.New("%s and %d more: %w", strings.Join(names[:mostDiagnoseNotes], ", "),
				len(names)-mostDiagnoseNotes, note)
		default:
			said = errs.New("%s: %w", strings.Join(names, ", "), note)
		}
		r.Add(reports.Note{Advice: said, About: note.Column, Input: note.Input})
	}
	return r
}
