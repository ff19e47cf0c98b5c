package reports

import (
	"cmp"
	"fmt"
	"slices"

	"breadboard/experiments/samplers"

	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// SamplerTimesReport returns the report of the mixing and burn-in times of samplers, with a figure for each target where the rows have
// curves.
func SamplerTimesReport(rows []samplers.TimesRow) *Report {
	r := newReport("samplers_times", SamplerTimes(rows))
	for _, run := range grouped(rows, func(r *samplers.TimesRow) string { return r.Toy.Name }) {
		if run[0].Curve != nil {
			r.add(Figure{
				Title:   "Mixing and burn-in on " + run[0].Toy.Name,
				Missing: "toy " + run[0].Toy.Name + ": no figure",
				Draw:    func() (*figure.Figure, error) { return SamplerTimesFigure(run) },
			})
		}
	}
	var said []string
	say := func(line string) {
		if !slices.Contains(said, line) {
			said = append(said, line)
			r.note("%s", line)
		}
	}
	for i := range rows {
		row := &rows[i]
		about := row.Problem.Name()
		if row.Mixing.Note != "" {
			say(about + ": mixing: " + row.Mixing.Note)
		}
		if row.BurnIn.Note != "" {
			say(about + ", start " + row.Start.Name + ": burn-in: " + row.BurnIn.Note)
		}
	}
	return r
}

// SamplerTimes returns the table of the times, a row for each kernel on a target and each start.
func SamplerTimes(rows []samplers.TimesRow) *table.Table {
	fields := samplers.Times().Columns
	if len(rows) == 0 {
		return table.New(fields, rows)
	}
	titles := map[string]string{"mixing_mi": fmt.Sprintf("MI <= %v nats after", rows[0].MI), "burn_in_tv": fmt.Sprintf("TV <= %v after", rows[0].TV)}
	for i := range fields {
		fields[i].Title = cmp.Or(titles[fields[i].Name], fields[i].Title)
	}
	return table.New(fields, rows)
}
