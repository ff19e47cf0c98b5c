package mcmc

import (
	"cmp"
	"fmt"

	"breadboard/chains"
	"breadboard/experiments/columns"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/reports"
	"breadboard/reports/figure"
	"breadboard/reports/table"
	"breadboard/reports/views/internal/curves"
)

// SamplerTimesReport returns the report of the mixing and burn-in times of samplers, with a figure for each target where the rows have curves.
func SamplerTimesReport(rows []samplers.TimesRow) *reports.Report {
	r := reports.New("samplers_times", SamplerTimes(rows))
	for _, run := range reports.Grouped(rows, func(r *samplers.TimesRow) string { return r.Toy.Name }) {
		if run[0].Curve != nil {
			r.Add(curves.Figure("Mixing and burn-in on "+run[0].Toy.Name, "toy "+run[0].Toy.Name+": no figure", run, SamplerTimesFigure))
		}
	}
	var lines []string
	for i := range rows {
		row := &rows[i]
		about := row.Problem.Name()
		if row.Mixing.Note != "" {
			lines = append(lines, about+": mixing: "+row.Mixing.Note)
		}
		if row.BurnIn.Note != "" {
			lines = append(lines, about+", start "+row.Start.Name+": burn-in: "+row.BurnIn.Note)
		}
	}
	r.NotesOnce(lines)
	return r
}

// SamplerTimes returns the table of the times, a row for each kernel on a target and each start.
func SamplerTimes(rows []samplers.TimesRow) *table.Table {
	fields := samplers.Times().Declaration.Columns
	if len(rows) == 0 {
		return table.New(fields, rows)
	}
	titles := map[string]string{"mixing_mi": fmt.Sprintf("MI <= %v nats after", rows[0].MI), "burn_in_tv": fmt.Sprintf("TV <= %v after", rows[0].TV)}
	for i := range fields {
		fields[i] = fields[i].Titled(cmp.Or(titles[fields[i].Name], fields[i].Title))
	}
	return table.New(fields, rows)
}

// SamplerTimesFigure draws how chains on one target forget where they began: the mutual information of the state after k moves with the
// first, which chains on classes do not have and the start has no part in, and beside it the distance of its law from the target, a colour for each
// kernel and start, with the bounds and, as dots, the times. It fails where no row has a curve.
func SamplerTimesFigure(rows []samplers.TimesRow) (*figure.Figure, error) {
	if len(rows) == 0 || rows[0].Curve == nil {
		return nil, chains.NewAdvice("nothing to draw: the rows have no curves")
	}
	var points []forgetting
	mixed := map[string]bool{}
	for i := range rows {
		r := &rows[i]
		if !mixed[r.Kernel] {
			points = append(points, forgotten(r, 0, r.Curve.MI, r.MI, r.Mixing.Moves)...)
		}
		mixed[r.Kernel], points = true, append(points, forgotten(r, 1, r.Curve.TV, r.TV, r.BurnIn.Moves)...)
	}
	column := func(name string, part int, timed bool) columns.Field {
		return curves.Column(name, func(p *forgetting) any {
			if p.part != part || p.timed != timed {
				return nil
			}
			return p.value
		})
	}
	return curves.Tiles(columns.List{
		curves.Column("kernel", func(p *forgetting) any { return p.row.Kernel }), curves.Column("start", func(p *forgetting) any { return "from " + p.row.Start.Name }),
		curves.Column("moves", func(p *forgetting) any { return p.moves }), column("mixing", 0, false), column("the time", 0, true), column("burn-in", 1, false), column("burn-in time", 1, true),
		columns.Any("bound", "bound of MI", columns.Float, "", func(p *forgetting) any { return p.row.MI }), columns.Any("bound of TV", "bound of TV", columns.Float, "", func(p *forgetting) any { return p.row.TV }),
	}, points, columns.Plot{
		Name: reports.FileName("samplers_times_" + rows[0].Toy.Name), Log: "xy", X: "moves", Y: "mixing+the time|burn-in+burn-in time", By: "kernel+start", Level: "bound|bound of TV",
		Dots: "the time+burn-in time", Lines: true, Kinds: "by moves|the time", XLabel: "moves k", YLabel: "MI(x_{k}; x_{0}) (nats)|TV(law of x_{k}, target)",
	})
}

// forgetting is a point of the figure: a number after so many moves, or the time at which it meets its bound.
type forgetting struct {
	row          *samplers.TimesRow
	part         int // 0 is mixing, 1 is burn-in
	moves, value float64
	timed        bool
}

// shownBelowBound is how far below a bound a curve is drawn, as a factor: what is far below says nothing of the time.
const shownBelowBound = 10

// forgotten returns the points of a curve that falls with the number of moves, and the time at which it meets its bound.
func forgotten(r *samplers.TimesRow, part int, values []float64, bound, time float64) (points []forgetting) {
	for i, v := range values {
		if !(v >= bound/shownBelowBound) || !figure.Finite(v) {
			break
		}
		points = append(points, forgetting{r, part, float64(r.Curve.Moves[i]), v, false})
	}
	return append(points, forgetting{r, part, time, bound, true})
}
