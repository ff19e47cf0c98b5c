package annealing

import (
	"errors"
	"fmt"
	"image/color"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/schedules"
	"breadboard/chains/selector"
	"breadboard/experiments"
	tuning "breadboard/experiments/annealing/schedule"
	"breadboard/experiments/annealing/tightness"
	"breadboard/experiments/columns"
	"breadboard/reports"
	"breadboard/reports/figure"
	"breadboard/reports/table"
	"breadboard/reports/views/data"
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
	convergence(r, rows)
	return r
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
			columns.Of("value", "best (nats)", "the objective on the best schedule", func(r *optimizedRow) float64 { return r.Value }),
			columns.Of("linear", "linear (nats)", "the objective on the linear schedule", func(r *optimizedRow) float64 { return r.Linear }),
			columns.Of("ratio", "linear/best", "linear over value", (*optimizedRow).Ratio).Digits(5),
			columns.Of("gradient_norm", "gradient", "the norm of the gradient at the schedule, over the increments that have not vanished", func(r *optimizedRow) float64 { return r.Gradient }).Spare(2).Digits(2),
			columns.Of("relative_gradient", "", "the norm of the gradient over the value, which is zero at an optimum", func(r *optimizedRow) float64 { return r.Relative }),
			columns.Any("vanished", "vanished", columns.String, "the stages whose increment of beta is zero, separated by blanks", func(r *optimizedRow) any {
				return table.Both{Machine: listStages(r.Vanished), People: share(r.Vanished, r.Distributions()-1)}
			}).Spare(2),
			columns.Of("kinks", "", "the stages at which the objective has no derivative, separated by blanks", func(r *optimizedRow) string { return listStages(r.Kinks) }),
			columns.Of("start", "from", "the schedule from which the best optimum was reached", func(r *optimizedRow) string { return r.Start }).Spare(1),
			columns.Of("gradients", "", "how many gradients were computed", func(r *optimizedRow) int { return r.Runs }),
			columns.Of("converged", "converged", "whether the optimum has converged", func(r *optimizedRow) bool { return r.Converged }),
			columns.Of("file", "file", "the path of the file with the betas of the schedule; empty where no files are written", func(r *optimizedRow) string { return r.file }),
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
		} else if row.Note != "" {
			r.Note("%s, schedule %s: %s", &row.Case, row.Param("schedule"), row.Note)
		}
	}
	convergence(r, best)
	return r
}

// ComparedSchedules returns the table that compares schedules with the best ones.
func ComparedSchedules(rows []tuning.Row) *table.Table {
	return table.New(table.Titled(tuning.Compare().Columns, "schedule"), rows)
}

// scheduleSeries are the names of toys and schedules, in the order in which they come.
type scheduleSeries struct{ toys, names []string }

func newScheduleSeries(rows []tuning.Row) scheduleSeries {
	return scheduleSeries{
		toys:  reports.Names(rows, func(r *tuning.Row) string { return r.Toy.Name }),
		names: reports.Names(rows, func(r *tuning.Row) string { return r.Param("schedule") }),
	}
}

// style returns the line style of a schedule: wide for the best ones, black for that of B, and figure.SeriesStyle for the others. No
// two have the same colour.
func (s scheduleSeries) style(name string) draw.LineStyle {
	if name == "optimal:B" {
		return draw.LineStyle{Color: color.Black, Width: vg.Points(2)}
	}
	i := slices.Index(s.names, name)
	if i >= figure.NearBlack { // it could not be told from the line of optimal:B
		i++
	}
	style := figure.SeriesStyle(i)
	if strings.HasPrefix(name, "optimal:") {
		style.Width, style.Dashes = vg.Points(2), figure.Dashes()
	}
	return style
}

// legend names the schedules of which some panel has a line.
func (s scheduleSeries) legend(panels []*figure.Panel) figure.Legend {
	var l figure.Legend
	for _, name := range s.names {
		if figure.Shown(panels, name) {
			l.Add(name, curves.Key(s.style(name)))
		}
	}
	return l
}

// detailed returns the rows at the paper's T, or at the first T that has betas.
func detailed(rows []tuning.Row) []tuning.Row {
	T := 0
	for _, r := range rows {
		if r.Betas != nil && (T == 0 || r.Distributions() == tightness.PaperT) {
			T = r.Distributions()
		}
	}
	return slices.DeleteFunc(slices.Clone(rows), func(r tuning.Row) bool { return r.Distributions() != T || r.Betas == nil })
}

// perToy draws one tile for each toy, with a line through the points of each row.
func perToy(rows []tuning.Row, make func(toy string) *figure.Panel, points func(*tuning.Row) plotter.XYs) (plots []*figure.Panel, legend figure.Legend, err error) {
	if len(rows) == 0 {
		return nil, legend, errors.New("nothing to draw of single stages: no T is small enough")
	}
	var pen curves.Pen
	s := newScheduleSeries(rows)
	for _, toy := range s.toys {
		p := make(toy)
		for i := range rows {
			if r := &rows[i]; r.Toy.Name == toy {
				name := r.Param("schedule")
				pen.Line(p, name, points(r), s.style(name))
			}
		}
		plots = append(plots, p)
	}
	return plots, s.legend(plots), pen.Err
}

// BetasFigure draws beta against t for every schedule, one tile a toy, at T = 100 where that is among the rows.
func BetasFigure(rows []tuning.Row) (*figure.Figure, error) {
	rows = detailed(rows)
	plots, legend, err := perToy(rows, func(toy string) *figure.Panel {
		return figure.NewPanel(fmt.Sprintf("%s, T = %d", toy, rows[0].Distributions()), "t", "beta_{t}")
	}, func(r *tuning.Row) (out plotter.XYs) {
		for i, b := range r.Betas {
			out = append(out, plotter.XY{X: float64(i + 1), Y: b})
		}
		return out
	})
	if err != nil {
		return nil, err
	}
	return figure.Sheet{
		Name: "schedule_betas", Rows: [][]*figure.Panel{plots}, Width: 8 * vg.Centimeter, Height: 7.5 * vg.Centimeter, Least: 22, Legend: legend, Beside: true,
	}.Figure(), nil
}

// ContributionsFigure draws what each stage adds to B against the stage, on a logarithmic axis. It shows on which part of the path the bound
// arises. A stage adds E_rev[d] - E_fwd[d], where d is the increment of the log weight; terms that are not positive are left out.
func ContributionsFigure(rows []tuning.Row) (*figure.Figure, error) {
	rows = detailed(rows)
	plots, legend, err := perToy(rows, func(toy string) *figure.Panel {
		p := figure.NewPanel(fmt.Sprintf("%s, T = %d", toy, rows[0].Distributions()), "stage t", "added to B (nats)")
		p.Y.Tick.Marker = figure.Decades{}
		return p
	}, func(r *tuning.Row) (out plotter.XYs) {
		for i, v := range r.Contributions {
			if v > 1e-9 {
				out = append(out, plotter.XY{X: float64(i + 2), Y: number.Log10(v)})
			}
		}
		return out
	})
	if err != nil {
		return nil, err
	}
	for _, p := range plots {
		p.RoomAround(0.02, 0.04)
	}
	return figure.Tiles("schedule_contributions", len(plots), plots, legend), nil
}

// ConvergenceFigure draws B, above, and J, below, against T on logarithmic axes, one column a toy and one line a
// schedule; thin lines show the limits of B for large T. It fails where there are fewer than two values of T.
func ConvergenceFigure(rows []tuning.Row) (*figure.Figure, error) {
	s := newScheduleSeries(rows)
	var upper, lower []*figure.Panel
	var pen curves.Pen
	lines := 0
	for _, toy := range s.toys {
		b, j := figure.NewLogPanel(toy, "T", "B (nats)"), figure.NewLogPanel(toy, "T", "J (nats)")
		for _, name := range s.names {
			bs, js, limits := convergencePoints(rows, toy, name)
			style := s.style(name)
			pen.Line(b, name, bs, style)
			pen.Line(b, name+limitOf, limits, limitStyle(style.Color))
			pen.Line(j, name, js, style)
			lines += max(0, len(bs)-1)
		}
		b.RoomAround(0.02, 0.04)
		j.RoomAround(0.02, 0.04)
		upper, lower = append(upper, b), append(lower, j)
	}
	if lines == 0 {
		return nil, chains.NewAdvice("nothing to draw against T: give at least two numbers of distributions, as in {T|T =} 10,100")
	}
	legend := s.legend(slices.Concat(upper, lower))
	if slices.ContainsFunc(s.names, func(name string) bool { return figure.Shown(upper, name+limitOf) }) {
		legend.Add("limits of B", curves.Key(limitStyle(figure.KindGrey())))
	}
	return pen.Done(figure.Grid("schedule_convergence", len(upper), append(upper, lower...), legend))
}

// limitOf ends the name of the line of a schedule's limit.
const limitOf = ", limit"

func limitStyle(c color.Color) draw.LineStyle {
	return draw.LineStyle{Color: c, Width: vg.Points(0.5), Dashes: []vg.Length{vg.Points(1), vg.Points(2)}}
}

// convergencePoints returns B, J and the limit of B of one schedule on one toy. The limit is drawn where B is within a factor of ten of it.
func convergencePoints(rows []tuning.Row, toy, schedule string) (b, j, limit plotter.XYs) {
	for _, r := range rows {
		if r.Toy.Name != toy || r.Param("schedule") != schedule {
			continue
		}
		b, j = figure.AppendLog(b, r.Distributions(), r.B), figure.AppendLog(j, r.Distributions(), r.J)
		if tends := r.AsymptoticTB / float64(r.Distributions()); tends < 10*r.B {
			limit = figure.AppendLog(limit, r.Distributions(), tends)
		}
	}
	return b, j, limit
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
	if len(shapes) == 0 {
		return nil, errors.New("nothing to draw: there is no schedule")
	}
	p := figure.NewPanel("", "t", "beta_{t}")
	var pen curves.Pen
	for i, s := range shapes {
		var points plotter.XYs
		for k, t := range s.Stages {
			points = append(points, plotter.XY{X: float64(t), Y: s.Betas[k]})
		}
		style := figure.SeriesStyle(i)
		if i == 0 && len(shapes) == 2 {
			style.Dashes = figure.Dashes()
		}
		name := data.RowName(s.Param("schedule"))
		pen.Line(p, name, points, style)
		p.Legend.Add(name, curves.Key(style))
	}
	p.RoomAround(0.02, 0.04)
	return pen.Done(figure.Alone("schedule", 11*vg.Centimeter, 8*vg.Centimeter, p))
}
