package reports

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"breadboard/exact/averages"
	"breadboard/experiments/columns"
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
	return table.New(samplerTimesFields(rows), rows)
}

func samplerTimesFields(rows []samplers.TimesRow) []table.Field[samplers.TimesRow] {
	of := func(r *samplers.TimesRow) *samplers.Setting { return &r.Setting }
	mixing, burnIn := "mixing", "burn-in"
	if len(rows) > 0 {
		mixing, burnIn = fmt.Sprintf("MI <= %v nats after", rows[0].MI), fmt.Sprintf("TV <= %v after", rows[0].TV)
	}
	return slices.Concat(
		samplers.SettingColumns(of, "toy", "kernel", "start"),
		[]table.Field[samplers.TimesRow]{
			{Column: table.Column{Name: "mixing_mi", Type: table.Float, Title: mixing, Unit: "moves", Narrow: true, Meaning: "the least k for which the mutual information of x_k and x_0, drawn from the target, is at most mi; +Inf where there is none, and NaN where it could not be found"}, Of: func(r *samplers.TimesRow) any { return movesCell(r.Mixing) }},
			{Column: table.Column{Name: "burn_in_tv", Type: table.Float, Title: burnIn, Unit: "moves", Narrow: true, Meaning: "the least number of moves after which the total variation distance of the law of a chain with this start from the target is at most tv; +Inf where there is none, and NaN where it could not be found"}, Of: func(r *samplers.TimesRow) any { return movesCell(r.BurnIn) }},
			{Column: table.Column{Name: "mixing_error", Type: table.Float, Unit: "moves", Meaning: "about how far rounding may have put mixing_mi off"}, Of: func(r *samplers.TimesRow) any { return r.Mixing.Error }},
			{Column: table.Column{Name: "burn_in_error", Type: table.Float, Unit: "moves", Meaning: "about how far rounding may have put burn_in_tv off"}, Of: func(r *samplers.TimesRow) any { return r.BurnIn.Error }},
			{Column: table.Column{Name: "mi", Type: table.Float, Unit: "nats", Meaning: "the limit on the mutual information for mixing_mi"}, Of: func(r *samplers.TimesRow) any { return r.MI }},
			{Column: table.Column{Name: "tv", Type: table.Float, Meaning: "the limit on the total variation distance for burn_in_tv"}, Of: func(r *samplers.TimesRow) any { return r.TV }},
			{Column: table.Column{Name: "note", Type: table.String, Meaning: columns.MeansNote}, Of: func(r *samplers.TimesRow) any {
				return strings.Join(slices.DeleteFunc([]string{r.Mixing.Note, r.BurnIn.Note}, func(n string) bool { return n == "" }), "; ")
			}},
		},
		samplers.SettingColumns(of, "warmup"),
	)
}

// movesCell returns the cell of a number of moves. It is a float64, since it may be infinite; people see all its digits, and "never".
func movesCell(t averages.Time) any {
	if math.IsInf(t.Moves, 1) {
		return table.Both{Machine: t.Moves, People: "never"}
	}
	return table.Both{Machine: t.Moves, People: fmt.Sprintf("%.0f", t.Moves)}
}
