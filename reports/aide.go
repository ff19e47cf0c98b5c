package reports

import (
	"fmt"
	"slices"
	"strings"

	"breadboard/chains"
	"breadboard/experiments"
	"breadboard/experiments/aide"
	"breadboard/experiments/columns"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// AIDEReport returns the report of AIDE on annealings: the table, a figure of its mean and standard deviation against the number
// of meta-inference runs, and notes. The faulty variant, where the first trace is left out, has a note that says so.
func AIDEReport(rows []aide.Row, withoutFirstTrace bool) *Report {
	r := newReport("aide", AIDE(rows))
	r.add(Figure{Title: "AIDE against the number of meta-inference runs", Missing: "no figure of AIDE", File: "aide", Draw: func() (*figure.Figure, error) { return AIDEFigure(rows) }})
	said := map[string]bool{}
	for i := range rows {
		for _, n := range rows[i].Notes {
			if line := fmt.Sprintf("%s: %s", &rows[i].Case, n); !said[line] { // a note may be the same for every number of runs
				said[line] = true
				r.note("%s", line)
			}
		}
	}
	if withoutFirstTrace {
		r.note("these are not AIDE: the trace with which a run came to its output is left out. The mean of this variant can be " +
			"below J, and none of its values bounds anything")
	}
	return r
}

func aideCase(r *aide.Row) *experiments.Case { return &r.Case }

// aideFields returns the columns of AIDE; those of runs of the estimator are empty where a row has none.
func aideFields(rows []aide.Row) []table.Field[aide.Row] {
	return slices.Concat(
		experiments.WholeCase(aideCase),
		[]table.Field[aide.Row]{
			{Column: table.Column{Name: "target", Type: table.String, Title: "target", Meaning: "the algorithm that is judged"}, Of: func(r *aide.Row) any { return r.Target }},
			{Column: table.Column{Name: "gold", Type: table.String, Title: "gold", Meaning: "the algorithm that stands for the gold standard"}, Of: func(r *aide.Row) any { return r.Gold }},
			{Column: table.Column{Name: "meta", Type: table.Int, Title: "meta", Meaning: "the number of meta-inference runs for an output of the target algorithm"}, Of: func(r *aide.Row) any { return r.Meta }},
			{Column: table.Column{Name: "gold_meta", Type: table.Int, Title: goldMetaTitle(rows), Meaning: "the number of meta-inference runs for an output of the gold standard"}, Of: func(r *aide.Row) any { return r.GoldMeta }},
			{Column: table.Column{Name: "J", Type: table.Float, Title: "J", Unit: "nats", Meaning: "the Jeffreys divergence of target and gold"}, Of: func(r *aide.Row) any { return r.J }},
			{Column: table.Column{Name: "mean", Type: table.Float, Title: "AIDE", Unit: "nats", Meaning: "the mean of one estimate of AIDE"}, Of: func(r *aide.Row) any { return r.Mean }},
			{Column: table.Column{Name: "sd", Type: table.Float, Title: "sd", Unit: "nats", Meaning: "the standard deviation of one estimate"}, Of: func(r *aide.Row) any { return r.SD }},
			{Column: table.Column{Name: "bias", Type: table.Float, Title: "bias", Unit: "nats", Digits: 4, Meaning: "mean - J"}, Of: func(r *aide.Row) any { return r.Bias }},
			{Column: table.Column{Name: "upper_half", Type: table.Float, Unit: "nats", Meaning: "what the target's traces add to the mean where all are from meta-inference"}, Of: func(r *aide.Row) any { return r.UpperHalf }},
			{Column: table.Column{Name: "lower_half", Type: table.Float, Unit: "nats", Meaning: "what the target's traces add to the mean where the first is from the run itself"}, Of: func(r *aide.Row) any { return r.LowerHalf }},
			{Column: table.Column{Name: "kl_q_p_lower", Type: table.Float, Unit: "nats", Meaning: "a lower bound on the KL of the target algorithm from the gold standard"}, Of: func(r *aide.Row) any { return r.KLQPLower }},
			{Column: table.Column{Name: "kl_q_p_upper", Type: table.Float, Unit: "nats", Meaning: "an upper bound on the KL of the target algorithm from the gold standard"}, Of: func(r *aide.Row) any { return r.KLQPUpper }},
			{Column: table.Column{Name: "kl_p_q_upper", Type: table.Float, Unit: "nats", Meaning: "an upper bound on the KL of the gold standard from the target algorithm"}, Of: func(r *aide.Row) any { return r.KLPQUpper }},
			{Column: table.Column{Name: "method", Type: table.String, Title: "method", Meaning: "how the laws of the log weights are known"}, Of: func(r *aide.Row) any { return r.Method }},
		},
		columns.Lift(aideSample(), func(r *aide.Row) *aide.Sample { return r.Sample }),
		[]table.Field[aide.Row]{
			{Column: table.Column{Name: "note", Type: table.String, Meaning: columns.MeansNote}, Of: func(r *aide.Row) any { return strings.Join(r.Notes, "; ") }},
		})
}

// aideSample returns the columns of what runs of the estimator say.
func aideSample() []table.Field[aide.Sample] {
	return []table.Field[aide.Sample]{
		{Column: table.Column{Name: "estimate", Type: table.Float, Title: "estimate", Unit: "nats", Optional: true, Meaning: "the mean of the estimates of runs; empty where none were asked for"}, Of: func(s *aide.Sample) any { return s.Estimate }},
		{Column: table.Column{Name: "standard_error", Type: table.Float, Title: "+/-", Unit: "nats", Digits: 2, Optional: true, Meaning: "the standard error of estimate"}, Of: func(s *aide.Sample) any { return s.StandardError }},
		{Column: table.Column{Name: "z", Type: table.Float, Title: "z", Digits: 2, Optional: true, Meaning: columns.MeansZ}, Of: func(s *aide.Sample) any { return s.Z }},
	}
}

// goldMetaTitle returns the heading of the number of the gold's meta-inference runs: none where that is the same in all rows.
func goldMetaTitle(rows []aide.Row) string {
	for i := range rows {
		if rows[i].GoldMeta != rows[0].GoldMeta {
			return "gold meta"
		}
	}
	return ""
}

// AIDE returns the table of AIDE, one row a pair of algorithms, an annealing and a number of meta-inference runs on each side.
func AIDE(rows []aide.Row) *table.Table { return table.New(aideFields(rows), rows) }

// AIDEFigure draws the mean of AIDE, with a band of one standard deviation on each side, against the number M of the target's
// meta-inference runs, and J as a dashed line. There is one panel a toy and T, for the first number of the gold's runs. It fails
// where no annealing has two finite means.
func AIDEFigure(rows []aide.Row) (*figure.Figure, error) {
	var panels []bandPanel
	for _, run := range byCase(rows, aideCase) {
		p := bandPanel{title: fmt.Sprintf("%s, T = %d", run[0].Toy.Name, run[0].Distributions()), floor: run[0].J}
		for i := range run {
			if run[i].GoldMeta == run[0].GoldMeta {
				p.add(run[i].Meta, run[i].Mean, run[i].SD)
			}
		}
		if len(p.n) >= 2 && len(panels) < maxBandPanels {
			panels = append(panels, p)
		}
	}
	if len(panels) == 0 {
		return nil, chains.NewAdvice("nothing to draw: give at least two numbers of runs for which the mean is finite, as in {meta} 1,10,100")
	}
	return bandFigure("aide", "meta-inference runs M", "AIDE (nats)", panels)
}
