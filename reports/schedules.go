package reports

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains"
	"breadboard/chains/schedules"
	"breadboard/chains/selector"
	"breadboard/experiments"
	"breadboard/experiments/columns"
	"breadboard/experiments/tuning"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// SchedulesReport returns the report that lists the schedules.
func SchedulesReport(forms []selector.Description) *Report {
	return newReport("schedules", Schedules(forms))
}

// Schedules returns the table of the schedules that a selector can name.
func Schedules(forms []selector.Description) *table.Table {
	return table.New([]table.Field[selector.Description]{
		{Column: table.Column{Name: "selector", Type: table.String, Title: "schedule", Meaning: "the schedule, as the command line takes it"}, Of: func(f *selector.Description) any { return f.Syntax }},
		{Column: table.Column{Name: "formula", Type: table.String, Prose: true, Title: "where the distributions sit", Meaning: "where on the path the distributions sit"}, Of: func(f *selector.Description) any { return f.Doc }},
		{Column: table.Column{Name: "source", Type: table.String, Spare: 1, Prose: true, Title: "source", Meaning: "where the schedule is from"}, Of: func(f *selector.Description) any { return f.Source }},
	}, forms)
}

// OptimizedReport returns the report of best schedules. Where files are written, folder is their folder: the betas of each
// schedule are written to a file, which the table names. An empty folder stands for no files.
func OptimizedReport(rows []tuning.OptimumRow, folder string) *Report {
	r := &Report{}
	files := make([]string, len(rows))
	for i := range rows {
		if folder == "" {
			break
		}
		name := betasFile(&rows[i], len(rows))
		files[i] = filepath.Join(folder, name)
		r.add(File{Name: name, Content: func() ([]byte, error) { return BetasCSV(rows[i].Points), nil }})
	}
	r.add(Table{Name: "schedule_optimize", Table: OptimizedSchedules(rows, files)})
	r.convergence(rows)
	return r
}

// betasFile returns the name of the file of the betas of one of several best schedules.
func betasFile(r *tuning.OptimumRow, of int) string {
	if of > 1 {
		return FileName(fmt.Sprintf("schedule_%s_T%d", r.Toy.Name, r.Distributions())) + ".csv"
	}
	return "schedule.csv"
}

// convergence adds notes that say which optima did not converge, and at how many stages an objective has kinks. An optimum
// that did not converge is a fault.
func (r *Report) convergence(rows []tuning.OptimumRow) {
	failed := 0
	for i := range rows {
		row := &rows[i]
		if len(row.Kinks) > 0 {
			r.note("%s: %s has no derivative at %d of the stages, where two states have the same f or the path bends", &row.Case, row.Objective, len(row.Kinks))
		}
		if !row.Converged {
			failed++
			r.note("%s: the optimum of %s did not converge: %s", &row.Case, row.Objective, row.Reason)
		}
	}
	if failed > 0 {
		r.Fault = chains.NewFault(fmt.Errorf("%d of %d optima did not converge; the notes above say why", failed, len(rows)))
	}
}

// optimizedRow is a best schedule, with the name of the file of its betas, which is empty for none.
type optimizedRow struct {
	*tuning.OptimumRow
	file string
}

func optimizedFields() []table.Field[optimizedRow] {
	return slices.Concat(
		experiments.CaseColumns(func(r *optimizedRow) *experiments.Case { return &r.Case }, "toy", "T", "path", "initial", "kernel"),
		[]table.Field[optimizedRow]{
			{Column: table.Column{Name: "objective", Type: table.String, Title: "objective", Meaning: "what is made small: B, J or another objective"}, Of: func(r *optimizedRow) any { return string(r.Objective) }},
			{Column: table.Column{Name: "value", Type: table.Float, Title: "best", Unit: "nats", Meaning: "the objective on the best schedule"}, Of: func(r *optimizedRow) any { return r.Value }},
			{Column: table.Column{Name: "linear", Type: table.Float, Title: "linear", Unit: "nats", Meaning: "the objective on the linear schedule"}, Of: func(r *optimizedRow) any { return r.Linear }},
			{Column: table.Column{Name: "ratio", Type: table.Float, Title: "linear/best", Digits: 5, Meaning: "linear over value"}, Of: func(r *optimizedRow) any { return r.Ratio() }},
			{Column: table.Column{Name: "gradient_norm", Type: table.Float, Spare: 2, Title: "gradient", Digits: 2, Meaning: "the norm of the gradient at the schedule, over the increments that have not vanished"}, Of: func(r *optimizedRow) any { return r.Gradient }},
			{Column: table.Column{Name: "relative_gradient", Type: table.Float, Meaning: "the norm of the gradient over the value, which is zero at an optimum"}, Of: func(r *optimizedRow) any { return r.Relative }},
			{Column: table.Column{Name: "vanished", Type: table.String, Spare: 2, Title: "vanished", Meaning: "the stages whose increment of beta is zero, separated by blanks"}, Of: func(r *optimizedRow) any {
				return table.Both{Machine: listStages(r.Vanished), People: share(r.Vanished, r.Distributions()-1)}
			}},
			{Column: table.Column{Name: "kinks", Type: table.String, Meaning: "the stages at which the objective has no derivative, separated by blanks"}, Of: func(r *optimizedRow) any { return listStages(r.Kinks) }},
			{Column: table.Column{Name: "start", Type: table.String, Spare: 1, Title: "from", Meaning: "the schedule from which the best optimum was reached"}, Of: func(r *optimizedRow) any { return r.Start }},
			{Column: table.Column{Name: "gradients", Type: table.Int, Meaning: "how many gradients were computed"}, Of: func(r *optimizedRow) any { return r.Runs }},
			{Column: table.Column{Name: "converged", Type: table.Bool, Title: "converged", Meaning: "whether the optimum has converged"}, Of: func(r *optimizedRow) any { return r.Converged }},
			{Column: table.Column{Name: "file", Type: table.String, Title: "file", Meaning: "the path of the file with the betas of the schedule; empty where no files are written"}, Of: func(r *optimizedRow) any { return r.file }},
			{Column: table.Column{Name: "note", Type: table.String, Meaning: columns.MeansNote}, Of: func(r *optimizedRow) any { return r.Reason }},
		})
}

// OptimizedSchedules returns the table of best schedules; files are the names under which their betas are written,
// empty for none.
func OptimizedSchedules(rows []tuning.OptimumRow, files []string) *table.Table {
	with := make([]optimizedRow, len(rows))
	for i := range rows {
		with[i] = optimizedRow{&rows[i], files[i]}
	}
	return table.New(optimizedFields(), with)
}

// listStages writes a list of stages as text.
func listStages(list []int) string {
	return strings.Trim(fmt.Sprint(list), "[]")
}

// share says how many of the stages are in a list, and returns nil where none is.
func share(list []int, of int) any {
	if len(list) == 0 {
		return nil
	}
	return fmt.Sprintf("%d of %d", len(list), of)
}

// BetasCSV returns the betas of a schedule, one a line, so that they read back as themselves.
func BetasCSV(s *schedules.Points) []byte {
	var b []byte
	for t := 1; t <= s.Len(); t++ {
		b = append(strconv.AppendFloat(b, s.Beta(t, s.Len()), 'g', -1, 64), '\n')
	}
	return b
}

// ComparedReport returns the report that compares schedules with the best ones, with three figures. It has a Fault where an
// optimum did not converge.
func ComparedReport(rows []tuning.Row) *Report {
	r := newReport("schedule_compare", ComparedSchedules(rows))
	r.add(
		Figure{Title: "Inverse temperatures of each schedule", Missing: "no figure of the schedules", Draw: func() (*figure.Figure, error) { return BetasFigure(rows) }},
		Figure{Title: "B and J against the number of distributions, by schedule", Missing: "no figure of convergence", Draw: func() (*figure.Figure, error) { return ConvergenceFigure(rows) }},
		Figure{Title: "What each stage adds to B, by schedule", Missing: "no figure of the stages", Draw: func() (*figure.Figure, error) { return ContributionsFigure(rows) }},
	)
	var best []tuning.OptimumRow
	for i := range rows {
		row := &rows[i]
		if row.Optimum != nil {
			best = append(best, tuning.OptimumRow{Case: row.Case, Optimum: row.Optimum})
		} else if row.Note != "" {
			r.note("%s, schedule %s: %s", &row.Case, row.Param("schedule"), row.Note)
		}
	}
	r.convergence(best)
	return r
}

// ComparedSchedules returns the table that compares schedules with the best ones.
func ComparedSchedules(rows []tuning.Row) *table.Table {
	return table.New(table.Titled(tuning.Compare().Columns, "schedule"), rows)
}
