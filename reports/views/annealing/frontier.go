package annealing

import (
	"cmp"
	"slices"

	"gonum.org/v1/plot/vg"

	"breadboard/chains"
	"breadboard/chains/selector"
	"breadboard/experiments"
	"breadboard/experiments/annealing/frontier"
	"breadboard/experiments/columns"
	"breadboard/reports"
	"breadboard/reports/figure"
	"breadboard/reports/table"
	"breadboard/reports/views/internal/curves"
)

// FrontierReport returns the report of what budgets of work are worth: the best rows of each toy and budget, why others have no answer, the command
// lines of the best, and the figure.
func FrontierReport(rows []frontier.Row) *reports.Report {
	r := reports.New("frontier", Frontier(rows))
	shown := best(rows)
	for i := range shown {
		if shown[i].Solution != nil {
			r.CaseNotes(&shown[i].Case, shown[i].Notes)
		}
	}
	if len(shown) < len(rows) {
		r.Note("of %d combinations the %d best of each toy and budget are shown; {best} 0 shows all", len(rows), rows[0].Asked.Best)
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
	r.Add(curves.Figure("The least "+objective(rows)+" against work", "no figure of the frontier", rows, frontierFigure))
	return r
}

// objective returns the name of what the rows are judged by.
func objective(rows []frontier.Row) string {
	if len(rows) == 0 {
		return string(frontier.Study().Standard.Objective)
	}
	return string(rows[0].Asked.Objective)
}

// best returns the rows that a table shows: so many of each toy and budget as was asked for, which come first.
func best(rows []frontier.Row) (shown []frontier.Row) {
	group := 0
	for i, r := range rows {
		if i > 0 && (r.Toy != rows[i-1].Toy || r.Budget != rows[i-1].Budget) {
			group = i
		}
		if n := r.Asked.Best; n == 0 || i-group < n {
			shown = append(shown, r)
		}
	}
	return shown
}

// Frontier returns the table of the best rows of each toy and budget. People see also a one-sided divergence by which they are judged.
func Frontier(rows []frontier.Row) *table.Table {
	fields := frontier.Study().Columns
	for i, f := range fields {
		if f.Title == "" && f.Name == objective(rows) {
			fields[i] = f.Titled(f.Name).Always()
		}
	}
	return table.New(fields, best(rows))
}

// again returns the note with the command line that makes a row again.
func again(r *frontier.Row) reports.Note {
	format, args := "the best of work %v on %s again: breadboard tightness", []any{table.Shortest(r.Budget), r.Toy.Title()}
	for _, p := range r.Parts() {
		if p.Name == "path" && p.Value == experiments.Default(p.Name) || p.Name == "initial" && p.Value == r.Toy.DefaultInitial() {
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

// frontierLine is a point of the figure: the best row of a budget, of all or with one kernel.
type frontierLine struct {
	*frontier.Row
	line string
}

// frontierFigure draws the least value of each budget against work on logarithmic axes, with a panel for each toy: that of each kernel, and
// that of all.
func frontierFigure(rows []frontier.Row) (*figure.Figure, error) {
	var lines []frontierLine
	kernels := []string{""}
	if len(rows) > 0 {
		kernels = append(kernels, rows[0].Asked.Kernels...)
	}
	for _, kernel := range kernels {
		seen := map[string]bool{}
		for i := range rows {
			r := &rows[i]
			key := r.Toy.Name + " " + table.Shortest(r.Budget)
			if r.Solution == nil || seen[key] || kernel != "" && r.Move != kernel {
				continue
			}
			seen[key] = true
			lines = append(lines, frontierLine{r, cmp.Or(kernel, "best of all")})
		}
	}
	name := objective(rows)
	return curves.Drawn(curves.Plot(columns.List{
		curves.Column("line", func(l *frontierLine) any { return l.line }),
		curves.Column("toy", func(l *frontierLine) any { return l.Toy.Title() }),
		curves.Column("work", func(l *frontierLine) any { return l.Budget }),
		curves.Column("value", func(l *frontierLine) any { return l.Value() }),
	}, lines, columns.Plot{
		Name: "frontier", Log: "xy", X: "work", Y: "value", By: "line", Panels: "toy", Bold: "best of all", Joined: true,
		XLabel: "work (evaluations)", YLabel: name + " (nats)",
		Why: chains.NewAdvice("nothing to draw: give at least two budgets, as in {work} 1e3,1e4"),
	}, 6*vg.Centimeter, 6*vg.Centimeter))
}
