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
	"breadboard/experiments/columns"
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
		{Column: table.Column{Name: "estimator", Type: table.String, Title: "estimator", Meaning: "the estimator, as on the command line in canonical form"}, Of: func(f *selector.Description) any { return f.Syntax }},
		{Column: table.Column{Name: "description", Type: table.String, Prose: true, Title: "description", Meaning: "what the estimator does"}, Of: func(f *selector.Description) any { return f.Doc }},
		{Column: table.Column{Name: "source", Type: table.String, Spare: 1, Prose: true, Title: "source", Meaning: "where the estimator is from"}, Of: func(f *selector.Description) any { return f.Source }},
	}, forms)
}

// EvidenceReport returns the report of estimators of the marginal likelihood: the table, figures of their errors and of their laws, one
// of nested sampling where it is among them, and notes. It has a Fault where no law could be computed.
func EvidenceReport(result *evidence.Result) *Report {
	r := newReport("evidence", Evidence(result.Rows))
	r.add(
		Figure{Title: "Bias and error of estimates of log Z against work", Missing: "no figure of errors", File: evidenceErrors, Draw: func() (*figure.Figure, error) { return EvidenceErrors(result.Rows) }},
		Figure{Title: "How often estimates of log Z are above the truth", Missing: "no figure of laws", File: evidenceLaws, Draw: func() (*figure.Figure, error) { return EvidenceLaws(result.Rows) }},
	)
	if len(result.Nested) > 0 {
		r.add(Figure{Title: "Bias of nested sampling by its rules for ties and volumes", Missing: "no figure of nested sampling", File: evidenceNested, Draw: func() (*figure.Figure, error) { return EvidenceNested(result.Nested) }})
	}
	for _, line := range omissions(result.Omitted) {
		r.note("%s", line)
	}
	for _, line := range evidenceNotes(result.Rows) {
		r.note("%s", line)
	}
	for _, line := range usable(result) {
		r.note("%s", line)
	}
	if !slices.ContainsFunc(result.Rows, func(row evidence.Row) bool { return row.Error == "" }) {
		r.Fault = errors.New("no law could be computed; the column error says why")
	}
	return r
}

// usable returns a line for each target: which estimator has the least error among those that real data allow.
func usable(result *evidence.Result) (lines []string) {
	for _, rows := range evidence.ByTarget(result.Rows) {
		best := evidence.Usable(rows, result.Work)
		if best == nil {
			lines = append(lines, fmt.Sprintf("toy %s: usable on real data at work %s: none of these estimators, as far as their RMSE is known", rows[0].Toy.Name, table.Shortest(result.Work)))
			continue
		}
		name := strings.Join(strings.Fields(best.Estimator+" "+best.Settings+" "+best.Combined()), " ")
		lines = append(lines, fmt.Sprintf("toy %s: usable on real data at work %s: %s, RMSE %s nats, the least of those that need no exact draw", rows[0].Toy.Name, table.Shortest(result.Work), name, table.People(best.RMSE, 2)))
	}
	return lines
}

func evidenceCase(r *evidence.Row) *experiments.Case { return &r.Case }

// evidenceFields returns the columns of the study; those of runs are empty where a row has none. People see how trials were
// combined where any were.
func evidenceFields(rows []evidence.Row) []table.Field[evidence.Row] {
	combined := table.Column{Name: "combined", Type: table.String, Meaning: "how many estimates are combined and how, as 25 arithmetic; empty for a single one"}
	if slices.ContainsFunc(rows, func(r evidence.Row) bool { return r.Trials > 1 }) {
		combined.Title = "combined"
	}
	return slices.Concat(
		experiments.CaseColumns(evidenceCase, "toy"),
		[]table.Field[evidence.Row]{
			{Column: table.Column{Name: "estimator", Type: table.String, Title: "estimator", Meaning: "the estimator, as on the command line in canonical form"}, Of: func(r *evidence.Row) any { return r.Estimator }},
			{Column: table.Column{Name: "settings", Type: table.String, Title: "settings", Meaning: "the setting that the work pays for, such as K=100 or T=51"}, Of: func(r *evidence.Row) any { return r.Settings }},
			{Column: combined, Of: func(r *evidence.Row) any { return r.Combined() }},
			{Column: table.Column{Name: "work", Type: table.Float, Spare: 1, Title: "work", Digits: 4, Meaning: "the evaluations of log f and exact draws of all trials together, on average"}, Of: func(r *evidence.Row) any { return r.Work }},
			{Column: table.Column{Name: "needs_exact_draw", Type: table.Bool, Spare: 3, Title: "needs exact draw", Meaning: "whether it takes exact draws, of the posterior or of the prior above a likelihood, which nobody has on real data"}, Of: func(r *evidence.Row) any { return r.NeedsExactDraw }},
			{Column: table.Column{Name: "bound", Type: table.String, Spare: 3, Title: "bound", Meaning: "lower where E log Zhat is at most log Z on every target, upper where it is at least log Z, none where neither is known"}, Of: func(r *evidence.Row) any { return string(r.Bound) }},
			{Column: table.Column{Name: "log_z_ratio", Type: table.Float, Title: "log Z", Unit: "nats", Meaning: "log Z, which is log(Z_T/Z_1)"}, Of: func(r *evidence.Row) any { return r.LogZRatio }},
			{Column: table.Column{Name: "mean", Type: table.Float, Title: "E log Zhat", Unit: "nats", Meaning: "E log Zhat"}, Of: func(r *evidence.Row) any { return r.Mean }},
			{Column: table.Column{Name: "bias", Type: table.Float, Title: "bias", Unit: "nats", Digits: 4, Meaning: "the mean of log Zhat less log_z_ratio"}, Of: quiet(func(r *evidence.Row) float64 { return r.Bias })},
			{Column: table.Column{Name: "sd", Type: table.Float, Title: "sd", Unit: "nats", Digits: 4, Meaning: "the standard deviation of log Zhat"}, Of: quiet(func(r *evidence.Row) float64 { return r.SD })},
			{Column: table.Column{Name: "rmse", Type: table.Float, Title: "RMSE", Unit: "nats", Digits: 4, Meaning: "the root of E (log Zhat - log Z)^2"}, Of: quiet(func(r *evidence.Row) float64 { return r.RMSE })},
			{Column: table.Column{Name: "log_mean_z", Type: table.Float, Spare: 2, Title: "log E Zhat", Unit: "nats", Meaning: "log E Zhat, of all trials combined"}, Of: func(r *evidence.Row) any { return r.LogMeanZ }},
			{Column: table.Column{Name: "p_above_1", Type: table.Float, Title: "P(> +1)", Digits: 4, Meaning: "P(log Zhat > log Z + 1) of a single estimate: the middle of what is known, whose half width note has"}, Of: pAbove1},
			{Column: table.Column{Name: "method", Type: table.String, Spare: 1, Title: "method", Meaning: "how the law is known: closed form, transform, annealing, propagation, pairs, starts, or none"}, Of: func(r *evidence.Row) any { return r.Method }},
		},
		columns.Lift(evidenceSample(), func(r *evidence.Row) *evidence.Sample { return r.Sample }),
		[]table.Field[evidence.Row]{
			{Column: table.Column{Name: "error", Type: table.String, Meaning: "why there is no exact law; empty where there is one"}, Of: func(r *evidence.Row) any { return r.Error }},
			{Column: table.Column{Name: "note", Type: table.String, Meaning: columns.MeansNote}, Of: func(r *evidence.Row) any { return strings.Join(slices.Concat(r.Notes, r.NotesAbove), "; ") }},
		}, experiments.CaseColumns(evidenceCase, "path", "initial", "schedule", "kernel"))
}

// evidenceSample returns the columns of what runs of an estimator say.
func evidenceSample() []table.Field[evidence.Sample] {
	return []table.Field[evidence.Sample]{
		{Column: table.Column{Name: "estimate_mean", Type: table.Float, Title: "estimate", Unit: "nats", Optional: true, Meaning: "the mean of log Zhat in simulated runs of the estimator; empty where none were asked for"}, Of: func(s *evidence.Sample) any { return s.Mean }},
		{Column: table.Column{Name: "standard_error", Type: table.Float, Title: "+/-", Unit: "nats", Digits: 2, Optional: true, Meaning: "the standard error of estimate_mean; empty where none were asked for"}, Of: func(s *evidence.Sample) any { return s.StandardError }},
		{Column: table.Column{Name: "z", Type: table.Float, Title: "z", Digits: 2, Optional: true, Meaning: columns.MeansZ}, Of: func(s *evidence.Sample) any { return s.Z }},
	}
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
