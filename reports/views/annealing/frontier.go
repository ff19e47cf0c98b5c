package annealing

import (
	"cmp"
	"slices"

	"breadboard/chains/selector"
	"breadboard/experiments/annealing/frontier"
	"breadboard/experiments/columns"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/table"
)

// FrontierReport returns the report of frontiers: the best rows of each toy and budget, the reasons
// why others have no answer, the command lines of the best, and the figure.
func FrontierReport(rows []frontier.Row) *reports.Report {
	r := reports.New("frontier", Frontier(rows))
	shown := best(rows)
	for i := range shown {
		if shown[i].Solution != nil {
			r.CaseNotes(&shown[i].Case, shown[i].Notes)
		}
	}
	if len(shown) < len(rows) {
		r.Note("the table shows the %[2]d best of %[1]d combinations for each toy and budget; {rows} 0 shows all", len(rows), rows[0].Options.Best)
	}
	var reasons []string
	for i := range rows {
		row := &rows[i]
		if row.Why != nil && !slices.Contains(reasons, row.Why.Error()) {
			reasons = append(reasons, row.Why.Error())
			r.Note("toy %s, kernel %s, schedule %s: %w", row.Toy.Title(), row.Param("kernel"), row.Schedule, row.Why)
		}
	}
	for _, toy := range reports.Grouped(rows, func(r *frontier.Row) string { return r.Toy.Name }) {
		least := toy[0]
		for _, row := range toy {
			if row.Solution != nil && (least.Solution == nil || row.Budget > least.Budget) {
				least = row
			}
		}
		if least.Solution != nil {
			r.Add(again(&least))
		}
	}
	least := objective(rows)
	r.Plots(table.New(frontier.Study().Declaration.Columns, frontierPoints(rows)), columns.Plot{
		Name: "frontier", Title: "The smallest " + least + " by budget", Log: "xy", X: "budget", Y: least, By: "move", Panels: "toy", Bold: "best of all", Joined: true,
		XLabel: "budget (evaluations)", YLabel: least + " (nats)",
	})
	return r
}

// objective returns the name of the objective of the rows.
func objective(rows []frontier.Row) string {
	if len(rows) == 0 {
		return string(frontier.Study().Standard.Objective)
	}
	return string(rows[0].Options.Objective)
}

// best returns the rows that a table shows: the first ones of each toy and budget.
func best(rows []frontier.Row) (shown []frontier.Row) {
	group := 0
	for i, r := range rows {
		if i > 0 && (r.Toy != rows[i-1].Toy || r.Budget != rows[i-1].Budget) {
			group = i
		}
		if n := r.Options.Best; n == 0 || i-group < n {
			shown = append(shown, r)
		}
	}
	return shown
}

// Frontier returns the table of the best rows of each toy and budget. People also see a one-sided
// divergence if it is the objective.
func Frontier(rows []frontier.Row) *table.Table {
	fields := frontier.Study().Declaration.Columns
	for i, f := range fields {
		if f.Title == "" && f.Name == objective(rows) {
			fields[i] = f.Titled(f.Name).Answer()
		}
	}
	return table.New(fields, best(rows))
}

// again returns the note with the command line that reproduces a row.
func again(r *frontier.Row) reports.Note {
	format, args := "to reproduce the best row of budget %v on %s: breadboard tightness", []any{table.Shortest(r.Budget), r.Toy.Title()}
	for _, p := range r.Parts() {
		if p.Name == "path" && p.Value == subject.Default(p.Name) || p.Name == "initial" && p.Value == r.Toy.DefaultInitial() {
			continue
		}
		value := p.Value
		if p.Name == "toy" {
			value = selector.InList(value)
		}
		format += " {" + p.Name + "} %s"
		args = append(args, selector.ShellQuote(value))
	}
	return reports.NewNote(format, args...)
}

// frontierPoints returns the smallest value of each budget: over all kernels, and for each of them.
func frontierPoints(rows []frontier.Row) (points []frontier.Row) {
	kernels := []string{""}
	if len(rows) > 0 {
		kernels = append(kernels, rows[0].Options.Kernels...)
	}
	for _, kernel := range kernels {
		seen := map[string]bool{}
		for _, r := range rows {
			key := r.Toy.Name + " " + table.Shortest(r.Budget)
			if r.Solution != nil && !seen[key] && (kernel == "" || r.Move == kernel) {
				seen[key] = true
				r.Move = cmp.Or(kernel, "best of all")
				points = append(points, r)
			}
		}
	}
	return points
}
