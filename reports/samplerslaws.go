package reports

import (
	"fmt"
	"math"
	"strings"

	"breadboard/exact/averages"
	"breadboard/exact/weights"
	"breadboard/experiments/samplers"
	samplererrors "breadboard/experiments/samplers/errors"
	"breadboard/experiments/samplers/laws"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// SamplersLawsReport returns the report of the laws of what several chains make of a mean, with its figures.
func SamplersLawsReport(rows []laws.Row) *Report {
	r := newReport("samplers_laws", SamplersLaws(rows))
	r.add(
		Figure{Missing: "no figure of the laws of means", Draw: func() (*figure.Figure, error) { return SamplersMeanFigure(rows) }},
		Figure{Missing: "no figure of R-hat", Draw: func() (*figure.Figure, error) { return SamplersRHatFigure(rows) }},
		Figure{Missing: "no figure of false assurance", Draw: func() (*figure.Figure, error) { return SamplersAssuranceFigure(rows) }},
	)
	var notes []samplererrors.Note
	for i := range rows {
		if row := &rows[i]; row.TauNote != "" {
			notes = append(notes, samplererrors.Note{About: fmt.Sprintf("toy %s, kernel %s", row.Toy.Name, row.Kernel), Text: row.TauNote})
		}
	}
	r.samplersNotes(notes)
	for i := range rows {
		for _, note := range rows[i].Notes {
			r.note("%v: %s", &rows[i].Setting, note)
		}
	}
	return r
}

// SamplersLaws returns the table of the laws, a row for each kind of chain, function and number of samples.
func SamplersLaws(rows []laws.Row) *table.Table { return table.New(samplersLawsFields(), rows) }

func samplersLawsFields() []table.Field[laws.Row] {
	fields := samplersFields(func(r *laws.Row) *samplers.Setting { return &r.Setting }, "toy", "kernel", "start", "warmup", "function", "N")
	add := func(name, title string, of func(*laws.Row) any) {
		fields = append(fields, table.Field[laws.Row]{Column: table.Column{Name: name, Title: title, Digits: 4}, Of: of})
	}
	add("chains", "K", func(r *laws.Row) any { return r.Chains })
	add("ress_mean", "RESS", func(r *laws.Row) any { return r.RESS })
	add("tau", "", func(r *laws.Row) any { return r.Tau })
	add("p_success", "P(success)", successCell)
	add("bracket_low", "", func(r *laws.Row) any { return r.Success.Low })
	add("bracket_high", "", func(r *laws.Row) any { return r.Success.High })
	add("p_success_gaussian", "Gaussian", func(r *laws.Row) any { return r.GaussianSuccess })
	add("coverage_95", "coverage", func(r *laws.Row) any { return r.Coverage })
	for _, q := range ressQuantiles() {
		add("ress_"+q.name+"_low", "", func(r *laws.Row) any { return q.of(&r.RESSQuantiles).Low })
		add("ress_"+q.name+"_high", "", func(r *laws.Row) any { return q.of(&r.RESSQuantiles).High })
	}
	for _, q := range ressQuantiles() {
		add("essd_"+q.name+"_low", "", func(r *laws.Row) any { return q.of(&r.ESSDQuantiles).Low })
		add("essd_"+q.name+"_high", "", func(r *laws.Row) any { return q.of(&r.ESSDQuantiles).High })
	}
	for _, f := range rhatFields() {
		add(f.name, f.title, func(r *laws.Row) any {
			if r.RHat == nil {
				return math.NaN()
			}
			return f.of(r.RHat)
		})
	}
	add("note", "", func(r *laws.Row) any {
		notes := r.Notes
		if r.TauNote != "" {
			notes = append([]string{r.TauNote}, notes...)
		}
		return strings.Join(notes, "; ")
	})
	return fields
}

// successCell is the probability of success. Where only bounds of it are known, people see the digits on which they agree, or the bounds.
func successCell(r *laws.Row) any {
	if !math.IsNaN(r.Success.P) {
		return r.Success.P
	}
	middle := r.Success.Low + (r.Success.High-r.Success.Low)/2
	return table.Both{Machine: r.Success.P, People: probability(weights.Bracket{Value: middle, Low: r.Success.Low, High: r.Success.High}, 4)}
}

type ressQuantile struct {
	name string
	of   func(*laws.Quantiles) averages.Bracket
}

// ressQuantiles are the quantiles that machines read, by the names in their columns.
func ressQuantiles() []ressQuantile {
	return []ressQuantile{
		{"q05", func(q *laws.Quantiles) averages.Bracket { return q.Q05 }},
		{"median", func(q *laws.Quantiles) averages.Bracket { return q.Median }},
		{"q95", func(q *laws.Quantiles) averages.Bracket { return q.Q95 }},
	}
}

type rhatField struct {
	name, title string
	of          func(*laws.RHat) float64
}

// rhatFields are the probabilities of R-hat. They are NaN where the function has other values than 0 and 1.
func rhatFields() []rhatField {
	return []rhatField{
		{"p_rhat_below_1_1", "", func(h *laws.RHat) float64 { return h.BelowLoose }},
		{"p_rhat_below_1_01", "R-hat < 1.01", func(h *laws.RHat) float64 { return h.BelowStrict }},
		{"p_assured_and_wrong_1_1", "", func(h *laws.RHat) float64 { return h.BelowLooseAndWrong }},
		{"p_assured_and_wrong_1_01", "and wrong", func(h *laws.RHat) float64 { return h.BelowStrictAndWrong }},
		{"p_constant", "constant", func(h *laws.RHat) float64 { return h.Constant }},
		{"p_constant_and_wrong", "and wrong", func(h *laws.RHat) float64 { return h.ConstantAndWrong }},
		{"p_infinite", "", func(h *laws.RHat) float64 { return h.Infinite }},
		{"p_wrong", "", func(h *laws.RHat) float64 { return h.Wrong }},
	}
}
