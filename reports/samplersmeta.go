package reports

import (
	"math"
	"strings"

	"breadboard/experiments/samplers/diagnose"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// samplersMeta is the name of the table and of the figure of the meta-analysis.
const samplersMeta = "samplers_meta"

// SamplersMetaReport returns the report of how well diagnostics foretell, together, how far the mean of a chain is off.
func SamplersMetaReport(result *diagnose.Result) *Report {
	r := newReport(samplersMeta, SamplersMeta(result.Rows))
	r.add(Figure{Title: "How well each method predicts the real effective sample size", Missing: "no figure of the features", File: samplersMeta, Draw: func() (*figure.Figure, error) { return SamplersMetaFigure(result) }})
	r.note("%d points of %d targets; each of %d splits holds out %d targets; standard errors and p-values are of the difference from GP over the splits, "+
		"which share targets, so that p is too small rather than too large", result.Points, result.Targets, result.Repeats, result.Held)
	if result.Repeats == 1 {
		r.note("one split has no standard errors and no p-values; give {repeats} 10")
	}
	for _, o := range result.Omitted {
		r.note("left out %v", o)
	}
	if len(result.Constant) > 0 {
		r.note("the same at every point, so that nothing can be learned from it: %s", strings.Join(result.Constant, ", "))
	}
	return r
}

// SamplersMeta returns the table of the meta-analysis, as Table 2 of Turner and Neal 2017.
func SamplersMeta(rows []diagnose.MetaRow) *table.Table {
	number := func(name, title, unit string, digits int, meaning string, of func(*diagnose.MetaRow) float64) table.Field[diagnose.MetaRow] {
		return table.Field[diagnose.MetaRow]{Column: table.Column{Name: name, Type: table.Float, Title: title, Unit: unit, Digits: digits, Meaning: meaning}, Of: func(r *diagnose.MetaRow) any {
			if math.IsNaN(of(r)) {
				return nil
			}
			return of(r)
		}}
	}
	return table.New([]table.Field[diagnose.MetaRow]{
		{Column: table.Column{Name: "method", Type: table.String, Title: "method", Meaning: "the regression that foretells"}, Of: func(r *diagnose.MetaRow) any { return r.Method }},
		{Column: table.Column{Name: "label", Type: table.String, Title: "label", Meaning: "what is foretold: exact is log(ESS/RESS), and essd the ESS deviation"}, Of: func(r *diagnose.MetaRow) any {
			return table.Both{Machine: string(r.Label), People: r.Label.Column()}
		}},
		number("mse", "MSE", "", 4, "the mean squared error on targets that were held out", func(r *diagnose.MetaRow) float64 { return r.MSE }),
		number("mse_se", "+/- of MSE", "", 2, "the standard error over the splits of the difference of mse from that of GP; empty for GP itself and for a single split", func(r *diagnose.MetaRow) float64 { return r.MSEError }),
		number("p_mse", "p of MSE", "", 2, "the p-value of a paired t-test of that difference", func(r *diagnose.MetaRow) float64 { return r.MSEP }),
		number("nll", "NLL", "nats", 4, "the mean negative log density on targets that were held out, less that of GP", func(r *diagnose.MetaRow) float64 { return r.NLL }),
		number("nll_se", "+/- of NLL", "nats", 2, "the standard error over the splits of nll; empty for GP itself and for a single split", func(r *diagnose.MetaRow) float64 { return r.NLLError }),
		number("p_nll", "p of NLL", "", 2, "the p-value of a paired t-test of nll", func(r *diagnose.MetaRow) float64 { return r.NLLP }),
	}, rows)
}
