package aide

import (
	"fmt"
	"slices"

	"breadboard/experiments/curves"
	"breadboard/reports"
	"breadboard/reports/columns"
	"breadboard/reports/table"
)

// report returns the report of AIDE on annealings: the table, a figure of its mean and standard
// deviation against the number of meta-inference runs, and notes. The faulty variant without the
// first trace has a note.
func report(rows []Row) *reports.Report {
	r := reports.New("aide", Table(rows))
	drawn := map[string]bool{} // each M once
	ends := append(Study().Declaration.Columns,
		curves.Column("low", func(r *Row) any { return r.Mean - r.SD }),
		curves.Column("high", func(r *Row) any { return r.Mean + r.SD }))
	r.Plots(table.New(ends, slices.DeleteFunc(slices.Clone(rows), func(r Row) bool {
		key := fmt.Sprint(&r.Case, r.Meta)
		skip := drawn[key] || r.GoldMeta != rows[0].GoldMeta
		drawn[key] = true
		return skip
	})), columns.Plot{
		Name:  "aide",
		Title: "AIDE by number of meta-inference runs",
		Parts: []columns.Part{{
			X:      "meta",
			XLabel: "meta-inference runs M",
			XScale: columns.Decades,
			Y:      []string{"mean"},
			YLabel: "AIDE (nats)",
			Band:   []string{"low", "high"},
			Level:  []string{"J"},
		}},
		BandIs: []string{"± 1 sd"},
		Panels: []string{"toy", "T"},
		Kinds:  []string{"mean"},
		Named:  true,
		Joined: true,
		Free:   true,
	})
	var lines []string // they may be the same for every number of runs
	for i := range rows {
		for _, n := range rows[i].Notes {
			lines = append(lines, fmt.Sprintf("%s: %s", &rows[i].Case, n))
		}
	}
	r.NotesOnce(lines)
	if slices.ContainsFunc(rows, func(r Row) bool { return r.WithoutFirstTrace }) {
		r.Note("these numbers are not AIDE: they omit the trace of the run that made the output. The mean " +
			"of this variant can be " +
			"below J, and its values bound nothing")
	}
	return r
}

// Table returns the table of Table, one row per pair of algorithms, annealing and number of
// meta-inference runs on each side. People see the number for the gold standard if it differs
// between rows.
func Table(rows []Row) *table.Table {
	fields := Study().Declaration.Columns
	if !slices.ContainsFunc(rows, func(r Row) bool { return r.GoldMeta != rows[0].GoldMeta }) {
		f := &fields[slices.IndexFunc(fields, func(f table.Field) bool { return f.Name == "gold_meta" })]
		*f = f.Titled("")
	}
	return table.New(fields, rows)
}
