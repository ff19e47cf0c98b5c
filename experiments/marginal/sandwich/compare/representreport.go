package compare

import (
	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/experiments/curves"
	"breadboard/experiments/marginal/sandwich"
	"breadboard/reports"
	"breadboard/reports/columns"
	"breadboard/reports/table"
)

// representReport returns the report of annealing in the representations of a model, with a
// figure. It has a Fault if the bounds of two of them on log p(y) contradict each other.
func representReport(rows []RepresentationRow) *reports.Report {
	whole := RepresentationWhole(rows)
	list := Representations().Declaration.Columns
	r := &reports.Report{Parts: []reports.Part{sandwich.InBrief(sandwichRepresentFile, rows, whole, list)}}
	r.Begin(columns.Sentence{
		Least: "B",
		Text:  "{model}: {representation} has the smallest B, {B} nats with T = {T}",
	}, list, whole)
	most := whole[0].Datasets
	one := curves.Column("data set", func(r *RepresentationRow) any {
		if r.Datasets < most {
			return r.Data
		}
		return nil
	})
	r.Plots(table.New(append(list, one), rows), columns.Plot{
		Name:  sandwichRepresentFile,
		Title: "B by representation of the model",
		Parts: []columns.Part{{
			X:      "T",
			XLabel: "number of distributions T",
			XScale: columns.Decades,
			Y:      []string{"B"},
			YLabel: "B (nats)",
			YScale: columns.Decades,
			Errors: "B_se",
		}, {
			X:      "seconds",
			XLabel: "time of a chain (s)",
			XScale: columns.Decades,
			Y:      []string{"B"},
			YLabel: "B (nats)",
			YScale: columns.Decades,
			Errors: "B_se",
		}},
		By:      []string{"representation"},
		Members: []string{"data set"},
		Joined:  true,
	})
	below := 0
	for i := range rows {
		if !(rows[i].B > 0) {
			below++
		}
	}
	if below > 0 {
		r.Note("%d of %d values of B are not positive and are missing on the logarithmic axes of the figure",
			below, len(rows))
	}
	found, least := RepresentationContradictions(rows)
	for _, f := range found {
		r.Note("%s", f)
	}
	if len(found) > 0 {
		r.Fault = chains.NewFault(errs.New(
			"the bounds of two representations contradict each other: they are not of the same model, or " +
				"one of the samplers is wrong; see above",
		))
		return r
	}
	r.Note("no difference is shown; a lower end %.3g nats above an upper end would be one, since p(y) is "+
		"the same in all representations",
		least)
	return r
}

// sandwichRepresentFile is the name of the table and of its figure.
const sandwichRepresentFile = "sandwich_represent"
