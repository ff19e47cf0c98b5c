package reports

import (
	"fmt"
	"slices"

	"breadboard/chains"
	"breadboard/experiments"
	"breadboard/experiments/aide"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// AIDEReport returns the report of AIDE on annealings: the table, a figure of its mean and standard deviation against the number
// of meta-inference runs, and notes. The faulty variant, where the first trace is left out, has a note that says so.
func AIDEReport(rows []aide.Row) *Report {
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
	if slices.ContainsFunc(rows, func(r aide.Row) bool { return r.WithoutFirstTrace }) {
		r.note("these are not AIDE: the trace with which a run came to its output is left out. The mean of this variant can be " +
			"below J, and none of its values bounds anything")
	}
	return r
}

func aideCase(r *aide.Row) *experiments.Case { return &r.Case }

// AIDE returns the table of AIDE, one row a pair of algorithms, an annealing and a number of meta-inference runs on each side. People see
// the number of the gold's meta-inference runs where it is not the same in all rows.
func AIDE(rows []aide.Row) *table.Table {
	fields := aide.Study().Columns
	if !slices.ContainsFunc(rows, func(r aide.Row) bool { return r.GoldMeta != rows[0].GoldMeta }) {
		fields[slices.IndexFunc(fields, func(f table.Field[aide.Row]) bool { return f.Name == "gold_meta" })].Title = ""
	}
	return table.New(fields, rows)
}

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
