package reports

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"breadboard/chains/selector"
	"breadboard/exact/weights"
	"breadboard/experiments"
	"breadboard/experiments/evidence"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// EstimatorsReport returns the report that lists the estimators of the marginal likelihood.
func EstimatorsReport(forms []selector.Description) *Report {
	return newReport("estimators", Estimators(forms))
}

// Estimators returns the table of the estimators.
func Estimators(forms []selector.Description) *table.Table {
	return table.New([]table.Field[selector.Description]{
		{Column: table.Column{Name: "estimator", Title: "estimator"}, Of: func(f *selector.Description) any { return f.Syntax }},
		{Column: table.Column{Name: "description", Title: "description"}, Of: func(f *selector.Description) any { return f.Doc }},
		{Column: table.Column{Name: "source", Title: "source"}, Of: func(f *selector.Description) any { return f.Source }},
	}, forms)
}

// EvidenceReport returns the report of estimators of the marginal likelihood: the table, figures of their errors and of their laws, one
// of nested sampling where it is among them, and notes. It has a Fault where no law could be computed.
func EvidenceReport(result *evidence.Result) *Report {
	r := newReport("evidence", Evidence(result.Rows))
	r.add(
		Figure{Missing: "no figure of errors", File: evidenceErrors, Draw: func() (*figure.Figure, error) { return EvidenceErrors(result.Rows) }},
		Figure{Missing: "no figure of laws", File: evidenceLaws, Draw: func() (*figure.Figure, error) { return EvidenceLaws(result.Rows) }},
	)
	if len(result.Nested) > 0 {
		r.add(Figure{Missing: "no figure of nested sampling", File: evidenceNested, Draw: func() (*figure.Figure, error) { return EvidenceNested(result.Nested) }})
	}
	for _, line := range omissions(result.Omitted) {
		r.note("%s", line)
	}
	for _, line := range evidenceNotes(result.Rows) {
		r.note("%s", line)
	}
	if !slices.ContainsFunc(result.Rows, func(row evidence.Row) bool { return row.Error == "" }) {
		r.Fault = errors.New("no law could be computed; the column error says why")
	}
	return r
}

func evidenceCase(r *evidence.Row) *experiments.Case { return &r.Case }

// evidenceFields returns the columns of the study; those of the runs are there where a row has some. People see how trials were
// combined where any were.
func evidenceFields(rows []evidence.Row) []table.Field[evidence.Row] {
	combined := table.Column{Name: "combined"}
	if slices.ContainsFunc(rows, func(r evidence.Row) bool { return r.Trials > 1 }) {
		combined.Title = "combined"
	}
	fields := slices.Concat(
		caseFields(evidenceCase, "toy"),
		[]table.Field[evidence.Row]{
			{Column: table.Column{Name: "estimator", Title: "estimator"}, Of: func(r *evidence.Row) any { return r.Estimator }},
			{Column: table.Column{Name: "settings", Title: "settings"}, Of: func(r *evidence.Row) any { return r.Settings }},
			{Column: combined, Of: func(r *evidence.Row) any { return r.Combined() }},
			{Column: table.Column{Name: "work", Title: "work", Digits: 4}, Of: func(r *evidence.Row) any { return r.Work }},
			{Column: table.Column{Name: "log_z_ratio", Title: "log Z", Unit: "nats"}, Of: func(r *evidence.Row) any { return r.LogZRatio }},
			{Column: table.Column{Name: "mean", Title: "E log Zhat", Unit: "nats"}, Of: func(r *evidence.Row) any { return r.Mean }},
			{Column: table.Column{Name: "bias", Title: "bias", Unit: "nats", Digits: 4}, Of: quiet(func(r *evidence.Row) float64 { return r.Bias })},
			{Column: table.Column{Name: "sd", Title: "sd", Unit: "nats", Digits: 4}, Of: quiet(func(r *evidence.Row) float64 { return r.SD })},
			{Column: table.Column{Name: "rmse", Title: "RMSE", Unit: "nats", Digits: 4}, Of: quiet(func(r *evidence.Row) float64 { return r.RMSE })},
			{Column: table.Column{Name: "log_mean_z", Title: "log E Zhat", Unit: "nats"}, Of: func(r *evidence.Row) any { return r.LogMeanZ }},
			{Column: table.Column{Name: "p_above_1", Title: "P(> +1)", Digits: 4}, Of: pAbove1},
			{Column: table.Column{Name: "method", Title: "method"}, Of: func(r *evidence.Row) any { return r.Method }},
		})
	if slices.ContainsFunc(rows, func(r evidence.Row) bool { return r.Sample != nil }) {
		sample := []table.Field[evidence.Sample]{
			{Column: table.Column{Name: "estimate_mean", Title: "estimate", Unit: "nats"}, Of: func(s *evidence.Sample) any { return s.Mean }},
			{Column: table.Column{Name: "standard_error", Title: "+/-", Unit: "nats", Digits: 2}, Of: func(s *evidence.Sample) any { return s.StandardError }},
			{Column: table.Column{Name: "z", Title: "z", Digits: 2}, Of: func(s *evidence.Sample) any { return s.Z }},
		}
		fields = append(fields, table.Lift(sample, func(r *evidence.Row) *evidence.Sample { return r.Sample })...)
	}
	return slices.Concat(fields, []table.Field[evidence.Row]{
		{Column: table.Column{Name: "error"}, Of: func(r *evidence.Row) any { return r.Error }},
		{Column: table.Column{Name: "note"}, Of: func(r *evidence.Row) any { return strings.Join(slices.Concat(r.Notes, r.NotesAbove), "; ") }},
	}, caseFields(evidenceCase, "path", "initial", "schedule", "kernel"))
}

// pAbove1 returns the cell of P(log Zhat > log Z + 1), of which people see the digits that are known.
func pAbove1(r *evidence.Row) any {
	if math.IsNaN(r.PAbove1) {
		return r.PAbove1
	}
	known := weights.Bracket{Value: r.PAbove1, Low: r.PAbove1Low, High: r.PAbove1High}
	return table.Both{Machine: r.PAbove1, People: probability(known, 4)}
}

// quiet returns the cell of a number of which people see zero where it is nothing but rounding.
func quiet[R any](of func(*R) float64) func(*R) any {
	return func(r *R) any {
		v := of(r)
		if people := noNoise(v); people != v {
			return table.Both{Machine: v, People: people}
		}
		return v
	}
}

// Evidence returns the table of the study, one row an estimator, a setting and a number of trials.
func Evidence(rows []evidence.Row) *table.Table { return table.New(evidenceFields(rows), rows) }

// omissions returns a line for each reason why estimators were left out, with the estimators.
func omissions(omitted []evidence.Omission) (lines []string) {
	type reason struct{ toy, text string }
	var order []reason
	names := map[reason][]string{}
	for _, o := range omitted {
		why := reason{o.Toy, o.Reason.Error()}
		if names[why] == nil {
			order = append(order, why)
		}
		names[why] = append(names[why], o.Estimator)
	}
	for _, why := range order {
		lines = append(lines, fmt.Sprintf("toy %s: left out %s: %s", why.toy, strings.Join(names[why], ", "), why.text))
	}
	return lines
}

// evidenceNotes returns what the rows say beside their numbers: each text once, with the estimators and settings that it is about.
func evidenceNotes(rows []evidence.Row) (lines []string) {
	type said struct{ toy, estimator, text string }
	var order []said
	settings := map[said][]string{}
	for i := range rows {
		r := &rows[i]
		texts := r.Notes
		if r.Error != "" {
			texts = append(slices.Clone(texts), "no exact law: "+r.Error)
		}
		for _, text := range texts {
			key := said{r.Toy.Name, r.Estimator, text}
			if settings[key] == nil {
				order = append(order, key)
			}
			if setting := strings.TrimSpace(r.Settings + " " + r.Combined()); !slices.Contains(settings[key], setting) {
				settings[key] = append(settings[key], setting)
			}
		}
	}
	for _, key := range order {
		lines = append(lines, strings.TrimSpace(fmt.Sprintf("toy %s: %s %s", key.toy, key.estimator, strings.Join(settings[key], ", ")))+": "+key.text)
	}
	return lines
}
