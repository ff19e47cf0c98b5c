package reports

import (
	"fmt"
	"math"
	"strings"

	"breadboard/exact/averages"
	"breadboard/exact/weights"
	"breadboard/experiments/columns"
	"breadboard/experiments/samplers"

	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// SamplersLawsReport returns the report of the laws of what several chains make of a mean, with its figures.
func SamplersLawsReport(rows []samplers.LawsRow) *Report {
	r := newReport("samplers_laws", SamplersLaws(rows))
	r.add(
		Figure{Title: "Law of the mean of a chain", Missing: "no figure of the laws of means", Draw: func() (*figure.Figure, error) { return SamplersMeanFigure(rows) }},
		Figure{Title: "Law of R-hat", Missing: "no figure of R-hat", Draw: func() (*figure.Figure, error) { return SamplersRHatFigure(rows) }},
		Figure{Title: "How often R-hat assures what is wrong", Missing: "no figure of false assurance", Draw: func() (*figure.Figure, error) { return SamplersAssuranceFigure(rows) }},
	)
	var notes []samplers.Note
	for i := range rows {
		if row := &rows[i]; row.TauNote != "" {
			notes = append(notes, samplers.Note{About: fmt.Sprintf("toy %s, kernel %s", row.Toy.Name, row.Kernel), Text: row.TauNote})
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
func SamplersLaws(rows []samplers.LawsRow) *table.Table { return table.New(samplersLawsFields(), rows) }

func samplersLawsFields() []table.Field[samplers.LawsRow] {
	fields := samplers.SettingColumns(func(r *samplers.LawsRow) *samplers.Setting { return &r.Setting }, "toy", "kernel", "start", "warmup", "function", "N")
	add := func(name string, kind table.Type, title, meaning string, of func(*samplers.LawsRow) any) {
		fields = append(fields, table.Field[samplers.LawsRow]{Column: table.Column{Name: name, Type: kind, Title: title, Digits: 4, Meaning: meaning}, Of: of})
	}
	add("chains", table.Int, "K", "the number of chains", func(r *samplers.LawsRow) any { return r.Chains })
	add("ress_mean", table.Float, "RESS", "the exact real effective sample size of the mean of one chain", func(r *samplers.LawsRow) any { return r.RESS })
	add("tau", table.Float, "", "N over the real effective sample size in the long run; NaN for a reducible chain", func(r *samplers.LawsRow) any { return r.Tau })
	add("p_success", table.Float, "P(success)", "the probability that the real effective sample size of all chains is enough; NaN where only bracket_low and bracket_high are known", successCell)
	add("bracket_low", table.Float, "", "a lower bound on p_success", func(r *samplers.LawsRow) any { return r.Success.Low })
	add("bracket_high", table.Float, "", "an upper bound on p_success", func(r *samplers.LawsRow) any { return r.Success.High })
	add("p_success_gaussian", table.Float, "Gaussian", "what Gaussian errors of the same mean square give for p_success", func(r *samplers.LawsRow) any { return r.GaussianSuccess })
	add("coverage_95", table.Float, "coverage", "the coverage of the nominal 95% interval around the mean of one chain; NaN without tau", func(r *samplers.LawsRow) any { return r.Coverage })
	for _, q := range ressQuantiles() {
		add("ress_"+q.name+"_low", table.Float, "", "a lower bound on "+q.meaning+" of the real effective sample size of all chains", func(r *samplers.LawsRow) any { return q.of(&r.RESSQuantiles).Low })
		add("ress_"+q.name+"_high", table.Float, "", "an upper bound on "+q.meaning+" of the real effective sample size of all chains", func(r *samplers.LawsRow) any { return q.of(&r.RESSQuantiles).High })
	}
	for _, q := range ressQuantiles() {
		add("essd_"+q.name+"_low", table.Float, "", "a lower bound on "+q.meaning+" of the ESS deviation", func(r *samplers.LawsRow) any { return q.of(&r.ESSDQuantiles).Low })
		add("essd_"+q.name+"_high", table.Float, "", "an upper bound on "+q.meaning+" of the ESS deviation", func(r *samplers.LawsRow) any { return q.of(&r.ESSDQuantiles).High })
	}
	for _, f := range rhatFields() {
		add(f.name, table.Float, f.title, f.meaning+"; NaN where the function has other values than 0 and 1", func(r *samplers.LawsRow) any {
			if r.RHat == nil {
				return math.NaN()
			}
			return f.of(r.RHat)
		})
	}
	add("note", table.String, "", columns.MeansNote, func(r *samplers.LawsRow) any {
		notes := r.Notes
		if r.TauNote != "" {
			notes = append([]string{r.TauNote}, notes...)
		}
		return strings.Join(notes, "; ")
	})
	return fields
}

// successCell is the probability of success. Where only bounds of it are known, people see the digits on which they agree, or the bounds.
func successCell(r *samplers.LawsRow) any {
	if !math.IsNaN(r.Success.P) {
		return r.Success.P
	}
	middle := r.Success.Low + (r.Success.High-r.Success.Low)/2
	return table.Both{Machine: r.Success.P, People: probability(weights.Bracket{Value: middle, Low: r.Success.Low, High: r.Success.High}, 4)}
}

type ressQuantile struct {
	name, meaning string
	of            func(*samplers.Quantiles) averages.Bracket
}

// ressQuantiles are the quantiles that machines read, by the names in their columns.
func ressQuantiles() []ressQuantile {
	return []ressQuantile{
		{"q05", "the 5% quantile", func(q *samplers.Quantiles) averages.Bracket { return q.Q05 }},
		{"median", "the median", func(q *samplers.Quantiles) averages.Bracket { return q.Median }},
		{"q95", "the 95% quantile", func(q *samplers.Quantiles) averages.Bracket { return q.Q95 }},
	}
}

type rhatField struct {
	name, title, meaning string
	of                   func(*samplers.RHat) float64
}

// rhatFields are the probabilities of R-hat. They are NaN where the function has other values than 0 and 1.
func rhatFields() []rhatField {
	return []rhatField{
		{"p_rhat_below_1_1", "", "the probability that R-hat is below 1.1", func(h *samplers.RHat) float64 { return h.BelowLoose }},
		{"p_rhat_below_1_01", "R-hat < 1.01", "the probability that R-hat is below 1.01", func(h *samplers.RHat) float64 { return h.BelowStrict }},
		{"p_assured_and_wrong_1_1", "", "the probability that R-hat is below 1.1 and the pooled mean is wrong", func(h *samplers.RHat) float64 { return h.BelowLooseAndWrong }},
		{"p_assured_and_wrong_1_01", "and wrong", "the probability that R-hat is below 1.01 and the pooled mean is wrong", func(h *samplers.RHat) float64 { return h.BelowStrictAndWrong }},
		{"p_constant", "constant", "the probability that all chains are constant and equal, so that there is no R-hat", func(h *samplers.RHat) float64 { return h.Constant }},
		{"p_constant_and_wrong", "and wrong", "the probability that all chains are constant and equal, and the pooled mean is wrong", func(h *samplers.RHat) float64 { return h.ConstantAndWrong }},
		{"p_infinite", "", "the probability that all chains are constant and not all equal", func(h *samplers.RHat) float64 { return h.Infinite }},
		{"p_wrong", "", "the probability that the pooled mean is wrong, whatever R-hat is", func(h *samplers.RHat) float64 { return h.Wrong }},
	}
}
