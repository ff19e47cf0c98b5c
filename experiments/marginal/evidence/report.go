package evidence

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
	"breadboard/exact/weights"
	"breadboard/reports"
	"breadboard/reports/columns"
	"breadboard/reports/table"
)

// report returns the report of estimators of the marginal likelihood: the table, figures of
// their errors and distributions, a figure of nested sampling if it is among them, and notes. It
// has a Fault if no distribution could be computed.
func report(rows []Row) *reports.Report {
	r := reports.New("evidence", Table(rows))
	if above := aboves(rows); len(above) > 0 {
		r.Add(reports.Table{Name: "evidence_above", Table: aboveTable(above), Place: reports.BesideResults})
	}
	plotErrors(r, rows)
	plotLaws(r, rows)
	for _, list := range ByTarget(rows) {
		for _, line := range omissions(&list[0]) {
			r.Note("%s", line)
		}
	}
	for _, line := range evidenceNotes(rows) {
		r.Note("%s", line)
	}
	for _, list := range ByTarget(rows) {
		r.Note("%s", usableNote(list))
	}
	if !slices.ContainsFunc(rows, func(row Row) bool { return row.Error == "" }) {
		r.Fault = errs.New(
			"no distribution could be computed; see the column error, or give {chains} 1000, which " +
				"estimates the numbers from runs",
		)
	}
	return r
}

// usableNote names the estimator with the smallest error on a target among those that can be used
// on real data.
func usableNote(rows []Row) string {
	work := rows[0].Shared.Work
	about := fmt.Sprintf("toy %s: usable on real data at work %s: ", rows[0].Param("toy"), table.People(work, 6))
	best := Usable(rows, work)
	if best == nil {
		return about + "none of the estimators with a known RMSE"
	}
	return about + fmt.Sprintf("%s, RMSE %s nats, the smallest of those that need no exact draw%s",
		called(best), table.People(best.RMSE, 2),
		notCompared(rows, work))
}

// called returns the name of the estimator of a row with its setting.
func called(r *Row) string {
	return strings.Join(strings.Fields(r.Estimator+" "+r.Settings+" "+r.Combined()), " ")
}

// notCompared lists the rows that may be used at a work but whose RMSE is not known.
func notCompared(rows []Row, work float64) string {
	var names []string
	for i := range rows {
		if r := &rows[i]; !r.NeedsExactDraw && r.Work <= work*(1+1e-9) && math.IsNaN(r.RMSE) {
			names = append(names, called(r))
		}
	}
	if names == nil {
		return ""
	}
	return fmt.Sprintf("; not compared, since its RMSE is not known: %s", selector.Listed(names))
}

func pAbove1(r *Row) any {
	if math.IsNaN(r.PAbove1) {
		return r.PAbove1
	}
	known := weights.Bracket{Value: r.PAbove1, Low: r.PAbove1Low, High: r.PAbove1High}
	return table.Both{Machine: r.PAbove1, People: reports.Probability(known, 4)}
}

// Table returns the table of the study, one row per estimator, setting and number of trials.
// People see how trials were combined, if any were.
func Table(rows []Row) *table.Table {
	fields := Study().Declaration.Columns
	for i := range fields {
		switch f := &fields[i]; f.Name {
		case "combined":
			if !slices.ContainsFunc(rows, func(r Row) bool { return r.Trials > 1 }) {
				*f = f.Titled("")
			}
		case "p_above_1":
			f.Of = columns.Cells(pAbove1)
		}
	}
	return table.New(fields, rows)
}

// aboveRow is one of the requested probabilities of a row of the study.
type aboveRow struct {
	*Row
	Above
}

func aboves(rows []Row) (list []aboveRow) {
	for i := range rows {
		for _, a := range rows[i].Above {
			list = append(list, aboveRow{&rows[i], a})
		}
	}
	return list
}

// aboveTable returns the table of the probabilities that estimates are far above the truth.
func aboveTable(rows []aboveRow) *table.Table {
	fields := columns.Lift(slices.DeleteFunc(Study().Declaration.Columns, func(f table.Field) bool {
		return !slices.Contains([]string{"toy", "estimator", "settings", "combined", "work", "bound"}, f.Name)
	}), func(r *aboveRow) *Row { return r.Row })
	number := func(name, title string, digits int, meaning string, of func(*aboveRow) float64) {
		fields = append(fields, columns.Of(name, title, meaning, of).Digits(digits))
	}
	number("b", "b", 0, "the distance above log Z, in nats", func(r *aboveRow) float64 { return r.Nats })
	fields = append(fields, columns.Any("p_above", "P(> +b)", columns.Float,
		"P(log Zhat > log Z + b): the middle of its known bounds", func(r *aboveRow) any {
			middle := r.Low + (r.High-r.Low)/2
			if math.IsNaN(middle) {
				return middle
			}
			return table.Both{
				Machine: middle,
				People:  reports.Probability(weights.Bracket{Value: middle, Low: r.Low, High: r.High}, 4),
			}
		}).Digits(4))
	number("p_above_low", "", 0, "a lower bound on p_above", func(r *aboveRow) float64 { return r.Low })
	number("p_above_high", "", 0, "an upper bound on p_above", func(r *aboveRow) float64 { return r.High })
	number("markov", "exp(-b)", 4, "exp(-b), a bound on p_above if E Zhat is at most Z",
		func(r *aboveRow) float64 { return math.Exp(-r.Nats) })
	fields = append(fields, columns.Of("note",
		"", "why p_above is not known; empty if it is", func(r *aboveRow) string { return r.Note }))
	return table.New(fields, rows)
}

// omissions returns a line for each reason why estimators were omitted on the target of a row, with
// the estimators.
func omissions(r *Row) (lines []string) {
	for _, same := range reports.Grouped(
		r.Shared.Omitted,
		func(o *Omission) string { return o.Reason.Error() },
	) {
		var names []string
		for _, o := range same {
			names = append(names, o.Estimator)
		}
		lines = append(lines,
			fmt.Sprintf("toy %s: omitted %s: %v", r.Param("toy"), strings.Join(names, ", "), same[0].Reason))
	}
	return lines
}

// evidenceNotes returns the notes of the rows, each text once, with the estimators and settings
// that it concerns.
func evidenceNotes(rows []Row) (lines []string) {
	type remark struct{ toy, estimator, text string }
	var order []remark
	settings := map[remark][]string{}
	for i := range rows {
		r := &rows[i]
		texts := r.Notes
		if r.Error != "" {
			texts = append(slices.Clone(texts), "no exact distribution: "+r.Error)
		}
		for _, text := range texts {
			key := remark{r.Param("toy"), r.Estimator, text}
			if !slices.Contains(order, key) {
				order = append(order, key)
			}
			if setting := strings.TrimSpace(r.Settings + " " + r.Combined()); r.Settings != "" &&
				!slices.Contains(settings[key], setting) {
				settings[key] = append(settings[key], setting)
			}
		}
	}
	for _, key := range order {
		lines = append(lines, strings.TrimSpace(fmt.Sprintf("toy %s: %s %s",
			key.toy, key.estimator, strings.Join(settings[key], ", ")))+": "+key.text)
	}
	return lines
}
