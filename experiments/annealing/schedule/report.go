package schedule

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/schedules"
	"breadboard/chains/selector"
	"breadboard/exact/gradient"
	"breadboard/experiments/annealing/success"
	"breadboard/experiments/curves"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/columns"
	"breadboard/reports/table"
)

// SchedulesReport returns the report that lists the schedules.
func SchedulesReport(forms []selector.Description) *reports.Report {
	return reports.New("schedules", Schedules(forms))
}

// Schedules returns the table of the schedules that a selector can name.
func Schedules(forms []selector.Description) *table.Table {
	return table.New(columns.List{
		columns.Of("selector", "schedule", "the schedule, as the command line takes it",
			func(f *selector.Description) string { return f.Syntax }),
		columns.Of("formula", "where the distributions sit", "where the distributions sit on the path",
			func(f *selector.Description) string { return f.Doc }).Prose().Answer(),
		columns.Of("source", "source", "where the schedule is from",
			func(f *selector.Description) string { return f.Source }).Prose(),
	}, forms)
}

// OptimizedReport returns the report of best schedules. If files are written, each schedule has a
// file of its betas, which the table names; pathOf returns where a file is. It is nil for no files.
func OptimizedReport(rows []OptimumRow, pathOf func(name string) string) *reports.Report {
	r := &reports.Report{}
	files := make([]string, len(rows))
	for i := range rows {
		if pathOf == nil {
			break
		}
		name := betasFile(rows, i)
		files[i] = pathOf(name)
		r.Add(reports.File{
			Name:    name,
			Content: func() ([]byte, error) { return betasCSV(rows[i].Points), nil },
		})
	}
	r.Add(reports.Table{Name: "schedule_optimize", Table: optimizedSchedules(rows, files)})
	named := map[gradient.Objective]string{
		gradient.ObjectiveSuccess: "likeliest success", gradient.ObjectiveTTS: "least TTS"}
	var cells [][]any
	for i := range rows {
		best := cmp.Or(named[rows[i].Objective], "smallest "+string(rows[i].Objective))
		for t, T := 1, rows[i].Distributions(); t <= T; t++ {
			cells = append(cells, curves.OfCase(
				&rows[i].Case,
				t,
				rows[i].Points.Beta(t, T),
				schedules.Linear{}.Beta(t, T),
				best,
			))
		}
	}
	r.Plots(curves.CaseCells(cells, "t", "beta", "linear", "objective"), columns.Plot{
		Name:  "schedule",
		Title: "The best schedule",
		Each:  curves.EachCase(),
		By:    []string{"objective"},
		Parts: []columns.Part{{
			X:      "t",
			XLabel: "number of the distribution t",
			Y:      []string{"beta"},
			Level:  []string{"linear"},
		}},
	})
	convergence(r, rows)
	for i := range rows {
		if n, of := len(rows[i].Vanished), rows[i].Distributions()-1; 2*n > of {
			r.Note("%s, T = %d: %d of %d increments vanished, so most moves are made at one temperature, "+
				"as by a plain Markov chain; the other divergences and B can be large (schedule compare shows them)",
				rows[i].Toy.Name, rows[i].Distributions(), n, of)
		}
	}
	return r
}

// betasFile returns the name of the file of the betas of one of several best schedules, with its
// kernel if they differ in that.
func betasFile(rows []OptimumRow, i int) string {
	r := &rows[i]
	name := fmt.Sprintf("schedule_%s_T%d", r.Toy.Name, r.Distributions())
	switch {
	case len(rows) == 1:
		return "schedule.csv"
	case severalKernels(rows):
		name += "_" + r.Param("kernel")
	}
	return reports.FileName(name) + ".csv"
}

// severalKernels reports whether rows differ in the kernel.
func severalKernels(rows []OptimumRow) bool {
	return slices.ContainsFunc(
		rows,
		func(r OptimumRow) bool { return r.Param("kernel") != rows[0].Param("kernel") },
	)
}

// convergence adds notes on optima that did not converge, and on the number of stages at which an
// objective has kinks. An optimum that did not converge is a fault.
func convergence(r *reports.Report, rows []OptimumRow) {
	failed := 0
	for i := range rows {
		row := &rows[i]
		if len(row.Kinks) > 0 {
			r.Note("%s: %s has no derivative at %d of the stages, because two states have the same f "+
				"there, or because the path bends",
				&row.Case,
				row.Objective, len(row.Kinks))
		}
		if !row.Converged {
			failed++
			r.Note("%s: the optimum of %s did not converge: %s", &row.Case, row.Objective, row.Reason)
		}
	}
	if failed > 0 {
		r.Fault = chains.NewFault(
			errs.New("%d of %d optima did not converge; see the notes above", failed, len(rows)),
		)
	}
}

// optimizedRow is a best schedule, with the name of the file of its betas, or empty.
type optimizedRow struct {
	*OptimumRow
	file string
}

// optimizedSchedules returns the table of best schedules; files are the names under which their
// betas are written, empty for none.
func optimizedSchedules(rows []OptimumRow, files []string) *table.Table {
	with := make([]optimizedRow, len(rows))
	for i := range rows {
		with[i] = optimizedRow{&rows[i], files[i]}
	}
	of := subject.CaseColumns((*optimizedRow).TheCase, "toy", "T", "path", "initial", "kernel")
	if severalKernels(rows) {
		of[len(of)-1] = of[len(of)-1].Titled("kernel")
	}
	return table.New(slices.Concat(of,
		columns.List{
			columns.Of("objective", "objective",
				"what is minimised; for success -log of p_end, for tts -log of p_seen",
				func(r *optimizedRow) string {
					return string(r.Objective)
				}),
			columns.Of("value", "best (nats)", "the objective on the best schedule", (*optimizedRow).Least).Answer(),
			columns.Of("linear", "linear (nats)", "the objective on the linear schedule",
				func(r *optimizedRow) number.Bounded { return r.Linear }),
			columns.Of("ratio", "linear/best", "linear / value", (*optimizedRow).Ratio).Answer().Digits(5),
		},
		successColumns(func(r *optimizedRow) *success.Row { return r.Success }),
		columns.List{
			columns.Of("gradient_norm", "gradient",
				"the norm of the gradient, by the increments that have not vanished",
				func(r *optimizedRow) float64 { return r.Gradient }).Digits(2),
			columns.Of("relative_gradient", "", "gradient_norm / value; zero at an optimum",
				func(r *optimizedRow) float64 { return r.Relative }),
			columns.Any("vanished", "vanished", columns.String,
				"the stages whose increment of beta is zero", func(r *optimizedRow) any {
					return table.Both{
						Machine: listStages(r.Vanished),
						People:  share(r.Vanished, r.Distributions()-1),
					}
				}),
			columns.Of("kinks", "", "the stages at which the objective has no derivative",
				func(r *optimizedRow) string { return listStages(r.Kinks) }),
			columns.Of("start", "from", "the schedule from which the best optimum was reached",
				func(r *optimizedRow) string { return r.Start }),
			columns.Of("gradients", "", "the number of gradients that were computed",
				func(r *optimizedRow) int { return r.Runs }),
			columns.Of("converged", "converged", "whether the optimum has converged",
				func(r *optimizedRow) bool { return r.Converged }).Answer(),
			columns.Of("file", "file", "the file with the betas of the schedule",
				func(r *optimizedRow) string { return r.file }),
			columns.Note(func(r *optimizedRow) string { return r.Reason }),
		}), with)
}

func listStages(list []int) string {
	return strings.Trim(fmt.Sprint(list), "[]")
}

// share returns the number of listed stages as text, and nil if the list is empty.
func share(list []int, of int) any {
	if len(list) == 0 {
		return nil
	}
	return fmt.Sprintf("%d of %d", len(list), of)
}

// betasCSV returns the betas of a schedule, one a line, so that they read back as themselves.
func betasCSV(s *schedules.Points) []byte {
	var b []byte
	for t := 1; t <= s.Len(); t++ {
		b = append(strconv.AppendFloat(b, s.Beta(t, s.Len()), 'g', -1, 64), '\n')
	}
	return b
}

// comparedReport returns the report that compares schedules with the best ones, with three figures.
// It has a Fault if an optimum did not converge.
func comparedReport(rows []Row) *reports.Report {
	r := reports.New("schedule_compare", comparedSchedules(rows))
	stages := columns.Plot{
		Name:  "schedule_betas",
		Title: "Inverse temperatures of each schedule",
		Parts: []columns.Part{{
			X:      "t",
			Y:      []string{"beta"},
			YLabel: "beta_{t}",
		}},
		By:     []string{"schedule"},
		Panels: []string{"of"},
		Joined: true,
		Lines:  true,
		Free:   true,
	}
	added := stages
	table := stageTable(rows)
	added.Name = "schedule_contributions"
	added.Title = "Contributions of the stages to B, by schedule"
	added.Parts = []columns.Part{{
		X:      "t",
		Y:      []string{"added"},
		YLabel: "contribution to B (nats)",
		YScale: columns.Decades,
	}}
	r.Plots(table, stages)
	r.Plots(tableOf(rows), columns.Plot{
		Name:  "schedule_convergence",
		Title: "B and J by number of distributions and schedule",
		Parts: []columns.Part{{
			X:      "T",
			XScale: columns.Decades,
			Y:      []string{"B"},
			YLabel: "B (nats)",
			YScale: columns.Decades,
			Thin:   []string{"limit"},
		}, {
			Y:      []string{"J"},
			YLabel: "J (nats)",
			YScale: columns.Decades,
		}},
		By:     []string{"schedule"},
		Panels: []string{"toy"},
		Joined: true,
		Lines:  true,
		Free:   true,
	})
	r.Plots(table, added)
	var best []OptimumRow
	for i := range rows {
		row := &rows[i]
		if row.Optimum != nil {
			best = append(best, OptimumRow{Case: row.Case, Optimum: row.Optimum})
		}
	}
	noteBest(r, rows)
	noteSchedules(r, rows)
	convergence(r, best)
	return r
}

// noteBest names, for each case, the schedules with the smallest B and J among those that are not
// optimised.
func noteBest(r *reports.Report, rows []Row) {
	for from := 0; from < len(rows); {
		first := &rows[from]
		var b, j *Row
		for ; from < len(rows) && sameButSchedule(first, &rows[from]); from++ {
			row := &rows[from]
			if row.Optimum != nil {
				continue
			}
			if b == nil || math.IsNaN(b.B.Value) || row.B.Value < b.B.Value {
				b = row
			}
			if j == nil || math.IsNaN(j.J.Value) || row.J.Value < j.J.Value {
				j = row
			}
		}
		if b != nil && !math.IsNaN(b.B.Value) && !math.IsNaN(j.J.Value) {
			of := " and J"
			if b != j {
				of = ", and " + j.Param("schedule") + " the smallest J"
			}
			r.Note("%s: of the schedules that are not optimised, %s has the smallest B%s",
				&first.Case, b.Param("schedule"), of)
		}
	}
}

// noteSchedules adds the notes of rows. A note that several schedules of one case share appears
// once.
func noteSchedules(r *reports.Report, rows []Row) {
	says := func(row *Row) string {
		if row.Optimum != nil {
			return ""
		}
		return strings.TrimPrefix(row.Note, "schedule "+row.Param("schedule")+": ")
	}
	for from := 0; from < len(rows); {
		first := &rows[from]
		note := says(&rows[from])
		var names []string
		for ; from < len(rows) && says(&rows[from]) == note && sameButSchedule(first, &rows[from]); from++ {
			names = append(names, rows[from].Param("schedule"))
		}
		if note != "" {
			r.Note("%s, schedule %s: %s", &first.Case, selector.Listed(names), note)
		}
	}
}

// sameButSchedule reports whether two rows are of one case but for its schedule.
func sameButSchedule(a, b *Row) bool {
	return !slices.ContainsFunc(subject.Names(subject.Parameters()),
		func(name string) bool { return name != "schedule" && a.Param(name) != b.Param(name) })
}

// comparedSchedules returns the table that compares schedules with the best ones.
func comparedSchedules(rows []Row) *table.Table {
	return table.New(table.Titled(Compare().Declaration.Columns, "schedule"), rows)
}

// tableOf returns the table of the study with the limits of B for large T, if B is within a factor
// of ten of them.
func tableOf(rows []Row) *table.Table {
	return table.New(append(Compare().Declaration.Columns, curves.Column("limit", func(r *Row) any {
		if tends := r.AsymptoticTB.Value / float64(r.Distributions()); tends < 10*r.B.Value {
			return tends
		}
		return nil
	})), rows)
}

// stageTable returns the table of single stages: beta,
// and the contribution of the stage to B, which is E_rev[d] - E_fwd[d] for the increment d of the
// log weight.
func stageTable(rows []Row) *table.Table {
	var cells [][]any
	for i := range rows {
		r := &rows[i]
		for at, beta := range r.Betas {
			added := any(nil)
			if at > 0 && at <= len(r.Contributions) {
				added = columns.AtLeast(1e-9, r.Contributions[at-1])
			}
			of := fmt.Sprintf("%s, T = %d", r.Toy.Name, r.Distributions())
			cells = append(cells, curves.OfCase(&r.Case, of, at+1, beta, added))
		}
	}
	return curves.CaseCells(cells, "of", "t", "beta", "added")
}

// ScheduleReport returns the report of the places of the distributions of schedules: a table of t
// and beta, and a figure. The first of two schedules is dashed.
func ScheduleReport(shapes []Shape) *reports.Report {
	r := reports.New("schedule", scheduleBetas(shapes))
	r.Plots(r.Tables()[0].Table, columns.Plot{
		Name:  "schedule",
		Title: "Inverse temperatures of the schedule",
		Parts: []columns.Part{{
			X:      "t",
			Y:      []string{"beta"},
			YLabel: "beta_{t}",
		}},
		By:     []string{"schedule"},
		Joined: true,
		Lines:  true,
	})
	return r
}

// betaRow is one stage of a schedule.
type betaRow struct {
	*Shape
	at int // its index among the stages
}

// scheduleBetas returns the table of the betas of schedules, a row for each stage.
func scheduleBetas(shapes []Shape) *table.Table {
	var rows []betaRow
	for i := range shapes {
		for at := range shapes[i].Stages {
			rows = append(rows, betaRow{&shapes[i], at})
		}
	}
	return table.New(slices.Concat(table.Titled(subject.WholeCase((*betaRow).TheCase), "schedule"),
		columns.List{
			columns.Of("t", "t", "the stage, from 1 to T", func(r *betaRow) int { return r.Stages[r.at] }),
			columns.Of("beta", "beta", "the inverse temperature of the stage",
				func(r *betaRow) float64 { return r.Betas[r.at] }),
		}), rows)
}
