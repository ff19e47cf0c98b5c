package annealing

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot/plotter"

	"breadboard/chains"
	"breadboard/chains/schedules"
	"breadboard/chains/selector"
	"breadboard/experiments"
	tuning "breadboard/experiments/annealing/schedule"
	"breadboard/experiments/annealing/tightness"
	"breadboard/experiments/columns"
	"breadboard/reports"
	"breadboard/reports/figure"
	"breadboard/reports/table"
	"breadboard/reports/views/internal/curves"
)

// SchedulesReport returns the report that lists the schedules.
func SchedulesReport(forms []selector.Description) *reports.Report {
	return reports.New("schedules", Schedules(forms))
}

// Schedules returns the table of the schedules that a selector can name.
func Schedules(forms []selector.Description) *table.Table {
	return table.New(columns.List{
		columns.Of("selector", "schedule", "the schedule, as the command line takes it", func(f *selector.Description) string { return f.Syntax }),
		columns.Of("formula", "where the distributions sit", "where on the path the distributions sit", func(f *selector.Description) string { return f.Doc }).Prose(),
		columns.Of("source", "source", "where the schedule is from", func(f *selector.Description) string { return f.Source }).Spare(1).Prose(),
	}, forms)
}

// OptimizedReport returns the report of best schedules. Where files are written, folder is their folder: the betas of each
// schedule are written to a file, which the table names. An empty folder stands for no files.
func OptimizedReport(rows []tuning.OptimumRow, folder string) *reports.Report {
	r := &reports.Report{}
	files := make([]string, len(rows))
	for i := range rows {
		if folder == "" {
			break
		}
		name := betasFile(&rows[i], len(rows))
		files[i] = filepath.Join(folder, name)
		r.Add(reports.File{Name: name, Content: func() ([]byte, error) { return betasCSV(rows[i].Points), nil }})
	}
	r.Add(reports.Table{Name: "schedule_optimize", Table: OptimizedSchedules(rows, files)})
	for i := range rows {
		r.Add(curves.About("The best schedule", &rows[i].Case, &rows[i], optimizedFigure))
	}
	convergence(r, rows)
	return r
}

// optimizedFigure draws the betas of a best schedule and of the linear one.
func optimizedFigure(r *tuning.OptimumRow) (*figure.Figure, error) {
	T := r.Distributions()
	p := figure.NewPanel("", "number of the distribution t", "beta")
	var best, linear plotter.XYs
	for t := 1; t <= T; t++ {
		best = append(best, plotter.XY{X: float64(t), Y: r.Points.Beta(t, T)})
		linear = append(linear, plotter.XY{X: float64(t), Y: schedules.Linear{}.Beta(t, T)})
	}
	var legend figure.Legend
	var pen curves.Pen
	level := figure.GreyLine()
	legend.Add("linear", curves.Key(level))
	pen.Line(p, "linear", linear, level)
	mark := figure.Full(0)
	legend.Add("smallest "+string(r.Objective), mark)
	pen.Marked(p, "smallest "+string(r.Objective), best, mark)
	p.RoomAround(0.03, 0.05)
	name := reports.FileName(fmt.Sprintf("schedule_%s_T%d", r.Toy.Name, T))
	return pen.Done(figure.Grid(name, 1, []*figure.Panel{p}, legend))
}

// betasFile returns the name of the file of the betas of one of several best schedules.
func betasFile(r *tuning.OptimumRow, of int) string {
	if of > 1 {
		return reports.FileName(fmt.Sprintf("schedule_%s_T%d", r.Toy.Name, r.Distributions())) + ".csv"
	}
	return "schedule.csv"
}

// convergence adds notes that say which optima did not converge, and at how many stages an objective has kinks. An optimum
// that did not converge is a fault.
func convergence(r *reports.Report, rows []tuning.OptimumRow) {
	failed := 0
	for i := range rows {
		row := &rows[i]
		if len(row.Kinks) > 0 {
			r.Note("%s: %s has no derivative at %d of the stages, where two states have the same f or the path bends", &row.Case, row.Objective, len(row.Kinks))
		}
		if !row.Converged {
			failed++
			r.Note("%s: the optimum of %s did not converge: %s", &row.Case, row.Objective, row.Reason)
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

// OptimizedSchedules returns the table of best schedules; files are the names under which their betas are written, empty for none.
func OptimizedSchedules(rows []tuning.OptimumRow, files []string) *table.Table {
	with := make([]optimizedRow, len(rows))
	for i := range rows {
		with[i] = optimizedRow{&rows[i], files[i]}
	}
	return table.New(slices.Concat(
		experiments.CaseColumns((*optimizedRow).TheCase, "toy", "T", "path", "initial", "kernel"),
		columns.List{
			columns.Of("objective", "objective", "what is made small: B, J or another objective", func(r *optimizedRow) string { return string(r.Objective) }),
			columns.Of("value", "best (nats)", "the objective on the best schedule", func(r *optimizedRow) float64 { return r.Value }).Answer(),
			columns.Of("linear", "linear (nats)", "the objective on the linear schedule", func(r *optimizedRow) float64 { return r.Linear }),
			columns.Of("ratio", "linear/best", "linear over value", (*optimizedRow).Ratio).Answer().Digits(5),
			columns.Of("gradient_norm", "gradient", "the norm of the gradient at the schedule, over the increments that have not vanished", func(r *optimizedRow) float64 { return r.Gradient }).Spare(2).Digits(2),
			columns.Of("relative_gradient", "", "the norm of the gradient over the value, which is zero at an optimum", func(r *optimizedRow) float64 { return r.Relative }),
			columns.Any("vanished", "vanished", columns.String, "the stages whose increment of beta is zero, separated by blanks", func(r *optimizedRow) any {
				return table.Both{Machine: listStages(r.Vanished), People: share(r.Vanished, r.Distributions()-1)}
			}).Spare(2),
			columns.Of("kinks", "", "the stages at which the objective has no derivative, separated by blanks", func(r *optimizedRow) string { return listStages(r.Kinks) }),
			columns.Of("start", "from", "the schedule from which the best optimum was reached", func(r *optimizedRow) string { return r.Start }).Spare(1),
			columns.Of("gradients", "", "how many gradients were computed", func(r *optimizedRow) int { return r.Runs }),
			columns.Of("converged", "converged", "whether the optimum has converged", func(r *optimizedRow) bool { return r.Converged }).Answer(),
			columns.Of("file", "file", "the path of the file with the betas of the schedule; empty where no files are written", func(r *optimizedRow) string { return r.file }).Spare(1),
			columns.Note(func(r *optimizedRow) string { return r.Reason }),
		}), with)
}

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

// betasCSV returns the betas of a schedule, one a line, so that they read back as themselves.
func betasCSV(s *schedules.Points) []byte {
	var b []byte
	for t := 1; t <= s.Len(); t++ {
		b = append(strconv.AppendFloat(b, s.Beta(t, s.Len()), 'g', -1, 64), '\n')
	}
	return b
}

// ComparedReport returns the report that compares schedules with the best ones, with three figures. It has a Fault where an
// optimum did not converge.
func ComparedReport(rows []tuning.Row) *reports.Report {
	r := reports.New("schedule_compare", ComparedSchedules(rows))
	r.Add(
		curves.Figure("Inverse temperatures of each schedule", "no figure of the schedules", rows, BetasFigure),
		curves.Figure("B and J against the number of distributions, by schedule", "no figure of convergence", rows, ConvergenceFigure),
		curves.Figure("What each stage adds to B, by schedule", "no figure of the stages", rows, ContributionsFigure),
	)
	var best []tuning.OptimumRow
	for i := range rows {
		row := &rows[i]
		if row.Optimum != nil {
			best = append(best, tuning.OptimumRow{Case: row.Case, Optimum: row.Optimum})
		}
	}
	noteSchedules(r, rows)
	convergence(r, best)
	return r
}

// noteSchedules adds the notes of rows, where several schedules of one case have the same one only once.
func noteSchedules(r *reports.Report, rows []tuning.Row) {
	says := func(row *tuning.Row) string {
		if row.Optimum != nil {
			return ""
		}
		return strings.TrimPrefix(row.Note, "schedule "+row.Param("schedule")+": ")
	}
	for from := 0; from < len(rows); {
		first, note := &rows[from], says(&rows[from])
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
func sameButSchedule(a, b *tuning.Row) bool {
	return !slices.ContainsFunc(experiments.Names(experiments.Parameters()), func(name string) bool { return name != "schedule" && a.Param(name) != b.Param(name) })
}

// ComparedSchedules returns the table that compares schedules with the best ones.
func ComparedSchedules(rows []tuning.Row) *table.Table {
	fields := table.Titled(tuning.Compare().Columns, "schedule")
	for i := range fields {
		if fields[i].Name == "schedule" {
			fields[i] = fields[i].Spare(0) // a row is of a schedule, however narrow the table
		}
	}
	return table.New(fields, rows)
}

// detailed returns the stages of the rows at the paper's T, or at the first T that has betas.
func detailed(rows []tuning.Row) (stages []stageOf) {
	T := 0
	for _, r := range rows {
		if r.Betas != nil && (T == 0 || r.Distributions() == tightness.PaperT) {
			T = r.Distributions()
		}
	}
	for i := range rows {
		for at := range rows[i].Betas {
			if rows[i].Distributions() == T {
				stages = append(stages, stageOf{&rows[i], at})
			}
		}
	}
	return stages
}

// stageOf is a stage of a schedule.
type stageOf struct {
	*tuning.Row
	at int // from 0 on
}

// added returns what the stage adds to B: E_rev[d] - E_fwd[d], where d is the increment of the log weight. It is NaN where that is not positive.
func (r *stageOf) added() float64 {
	if r.at == 0 || r.at > len(r.Contributions) || !(r.Contributions[r.at-1] > 1e-9) {
		return math.NaN()
	}
	return r.Contributions[r.at-1]
}

// stagesFigure draws a number of single stages for every schedule, one tile a toy, at T = 100 where that is among the rows.
func stagesFigure(name, label, log string, rows []tuning.Row, of func(*stageOf) float64) (*figure.Figure, error) {
	return curves.Tiles(append(columns.Lift(tuning.Compare().Columns, func(r *stageOf) *tuning.Row { return r.Row }),
		curves.Column("t", func(r *stageOf) any { return r.at + 1 }),
		curves.Column("of", func(r *stageOf) any { return fmt.Sprintf("%s, T = %d", r.Toy.Name, r.Distributions()) }),
		curves.Column("y", func(r *stageOf) any { return of(r) })), detailed(rows), columns.Plot{
		Name: name, Log: log, X: "t", Y: "y", By: "schedule", Panels: "of", YLabel: label, Joined: true, Lines: true, Bold: "optimal:",
		Why: errors.New("nothing to draw of single stages: no T is small enough, or f has zeros"),
	})
}

// BetasFigure draws beta against t for every schedule.
func BetasFigure(rows []tuning.Row) (*figure.Figure, error) {
	return stagesFigure("schedule_betas", "beta_{t}", "none", rows, func(r *stageOf) float64 { return r.Betas[r.at] })
}

// ContributionsFigure draws what each stage adds to B against the stage. It shows on which part of the path the bound arises.
func ContributionsFigure(rows []tuning.Row) (*figure.Figure, error) {
	return stagesFigure("schedule_contributions", "added to B (nats)", "y", rows, (*stageOf).added)
}

// ConvergenceFigure draws B, above, and J, below, against T on logarithmic axes, one column a toy and one line a schedule; thin lines show the limits
// of B for large T, where B is within a factor of ten of them. It fails where there are fewer than two values of T.
func ConvergenceFigure(rows []tuning.Row) (*figure.Figure, error) {
	return curves.Tiles(append(tuning.Compare().Columns, curves.Column("limit", func(r *tuning.Row) any {
		if tends := r.AsymptoticTB / float64(r.Distributions()); tends < 10*r.B.Value {
			return tends
		}
		return nil
	})), rows, columns.Plot{
		Name: "schedule_convergence", Log: "xy", X: "T", Y: "B|J", Thin: "limit|", By: "schedule", Panels: "toy", Joined: true, Lines: true, Bold: "optimal:",
		YLabel: "B, dotted: its limit (nats)|J (nats)", Why: chains.NewAdvice("nothing to draw against T: give at least two numbers of distributions, as in {T|T =} 10,100"),
	})
}

// ScheduleReport returns the report of where the distributions of schedules sit: a table of t and beta, and a figure. Of two schedules
// the first, which is the one before, is dashed.
func ScheduleReport(shapes []tuning.Shape) *reports.Report {
	r := reports.New("schedule", scheduleBetas(shapes))
	r.Add(curves.Figure("Inverse temperatures of the schedule", "no figure of the schedule", shapes, ShapesFigure))
	return r
}

// betaRow is one stage of a schedule.
type betaRow struct {
	*tuning.Shape
	at int // the place among its stages
}

// scheduleBetas returns the table of the betas of schedules, a row for each stage.
func scheduleBetas(shapes []tuning.Shape) *table.Table {
	var rows []betaRow
	for i := range shapes {
		for at := range shapes[i].Stages {
			rows = append(rows, betaRow{&shapes[i], at})
		}
	}
	return table.New(slices.Concat(
		table.Titled(experiments.WholeCase((*betaRow).TheCase), "schedule"),
		columns.List{
			columns.Of("t", "t", "the stage, from 1 to T", func(r *betaRow) int { return r.Stages[r.at] }),
			columns.Of("beta", "beta", "the inverse temperature of the stage", func(r *betaRow) float64 { return r.Betas[r.at] }),
		}), rows)
}

// ShapesFigure draws beta against t, one line for each schedule. It fails where there is none.
func ShapesFigure(shapes []tuning.Shape) (*figure.Figure, error) {
	return curves.Drawn(figure.Draw(scheduleBetas(shapes), columns.Plot{
		Name: "schedule", Log: "none", X: "t", Y: "beta", By: "schedule", YLabel: "beta_{t}", Joined: true, Lines: true, Why: errors.New("nothing to draw: there is no schedule"),
	}))
}
