package reports

import (
	"fmt"
	"slices"
	"strings"

	"breadboard/chains"
	"breadboard/experiments"
	"breadboard/experiments/aide"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// AIDEReport returns the report of AIDE on annealings: the table, a figure of its mean and standard deviation against the number
// of meta-inference runs, and notes. The faulty variant, where the first trace is left out, has a note that says so.
func AIDEReport(rows []aide.Row, withoutFirstTrace bool) *Report {
	r := newReport("aide", AIDE(rows))
	r.add(Figure{Missing: "no figure of AIDE", File: "aide", Draw: func() (*figure.Figure, error) { return AIDEFigure(rows) }})
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

// aideFields returns the columns of AIDE; those of the runs are there where a row has some.
func aideFields(rows []aide.Row) []table.Field[aide.Row] {
	fields := slices.Concat(
		wholeCase(aideCase),
		[]table.Field[aide.Row]{
			{Column: table.Column{Name: "target", Title: "target"}, Of: func(r *aide.Row) any { return r.Target }},
			{Column: table.Column{Name: "gold", Title: "gold"}, Of: func(r *aide.Row) any { return r.Gold }},
			{Column: table.Column{Name: "meta", Title: "meta"}, Of: func(r *aide.Row) any { return r.Meta }},
			{Column: table.Column{Name: "gold_meta", Title: goldMetaTitle(rows)}, Of: func(r *aide.Row) any { return r.GoldMeta }},
			{Column: table.Column{Name: "J", Title: "J", Unit: "nats"}, Of: func(r *aide.Row) any { return r.J }},
			{Column: table.Column{Name: "mean", Title: "AIDE", Unit: "nats"}, Of: func(r *aide.Row) any { return r.Mean }},
			{Column: table.Column{Name: "sd", Title: "sd", Unit: "nats"}, Of: func(r *aide.Row) any { return r.SD }},
			{Column: table.Column{Name: "bias", Title: "bias", Unit: "nats", Digits: 4}, Of: func(r *aide.Row) any { return r.Bias }},
			{Column: table.Column{Name: "upper_half", Unit: "nats"}, Of: func(r *aide.Row) any { return r.UpperHalf }},
			{Column: table.Column{Name: "lower_half", Unit: "nats"}, Of: func(r *aide.Row) any { return r.LowerHalf }},
			{Column: table.Column{Name: "kl_q_p_lower", Unit: "nats"}, Of: func(r *aide.Row) any { return r.KLQPLower }},
			{Column: table.Column{Name: "kl_q_p_upper", Unit: "nats"}, Of: func(r *aide.Row) any { return r.KLQPUpper }},
			{Column: table.Column{Name: "kl_p_q_upper", Unit: "nats"}, Of: func(r *aide.Row) any { return r.KLPQUpper }},
			{Column: table.Column{Name: "method", Title: "method"}, Of: func(r *aide.Row) any { return r.Method }},
		})
	if slices.ContainsFunc(rows, func(r aide.Row) bool { return r.Sample != nil }) {
		sample := []table.Field[aide.Sample]{
			{Column: table.Column{Name: "estimate", Title: "estimate", Unit: "nats"}, Of: func(s *aide.Sample) any { return s.Estimate }},
			{Column: table.Column{Name: "standard_error", Title: "+/-", Unit: "nats", Digits: 2}, Of: func(s *aide.Sample) any { return s.StandardError }},
			{Column: table.Column{Name: "z", Title: "z", Digits: 2}, Of: func(s *aide.Sample) any { return s.Z }},
		}
		fields = append(fields, table.Lift(sample, func(r *aide.Row) *aide.Sample { return r.Sample })...)
	}
	return append(fields, table.Field[aide.Row]{
		Column: table.Column{Name: "note"}, Of: func(r *aide.Row) any { return strings.Join(r.Notes, "; ") },
	})
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
