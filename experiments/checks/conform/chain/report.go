package chain

import (
	"errors"
	"fmt"

	"breadboard/chains"
	"breadboard/chains/selector"
	"breadboard/experiments/checks/conform/draws"
	"breadboard/experiments/curves"
	"breadboard/reports"
	"breadboard/reports/check"
	"breadboard/reports/columns"
	"breadboard/reports/table"
)

// Report returns the report of the test of external Markov chains. Without a kernel it
// never reports a fault: it has an error if the draws do not represent the target. With one it has
// a Fault if the moves are wrong, and an error if they are right and the draws do not represent the
// target, if strict.
func Report(o *Outcome, strict bool) *reports.Report {
	r := &reports.Report{}
	fields := Columns()
	subject := fmt.Sprintf("%s, %s of %s, %s", o.Source, selector.Count(o.Draws, "draw"),
		selector.Count(o.Chains, "chain"), o.Toy)
	represents := "open: " + o.Undecided
	switch {
	case o.Represents:
		represents = "yes, as far as that many draws show"
	case o.Fault != "" && o.Lacks == "":
		represents = "open: the moves are wrong"
	case o.Undecided == "":
		represents = "no"
		if o.Lacks == "" { // else the findings say it
			represents += after(": ", o.Mixing)
		}
	}
	summary := func(paint func(string) string) string {
		text := subject + "\n"
		if o.Kernel != "" {
			text += fmt.Sprintf("are the moves those of %s? %s\n", o.Kernel, paint(string(o.Findings[0].Verdict)))
		}
		return text + "do the draws represent the target? " + represents + "\n"
	}
	r.Add(reports.Table{
		Name:    "conform_chain",
		Table:   table.New(fields, o.Findings),
		Brief:   table.New(fields, check.Unsettled(o.Findings)),
		Summary: summary,
	})
	r.Checked = check.JUnitCases(fields, o.Findings)
	draws.ExplainAll(r.Checked, o.Fault)
	r.Add(reports.Table{
		Name:  "means",
		Place: reports.BesideResults,
		Table: table.New(MeanColumns(), o.Means),
	})
	plotMeans(r, o.Means)
	notMixed := "the moves are right; the draws do not represent the target" + after(": ", o.Mixing) +
		after("; ", o.Lacks)
	switch {
	case o.Fault != "":
		r.Fault = chains.NewFault(errors.New("fault in the moves: " + o.Fault))
	case o.Open:
		r.Fault = chains.NewFault(errors.New("open whether the moves are right: " + o.Excluded))
	case o.Represents:
		if o.Mixing+o.Lacks != "" {
			r.Note("the draws represent the target%s%s", after("; ", o.Mixing),
				after("; what such a chain may show by chance, or if it began: ", o.Lacks))
		}
	case o.Undecided != "":
		r.Fault = chains.NewFault(errors.New("open whether the draws represent the target: " + o.Undecided))
	case o.Kernel == "":
		r.Fault = chains.NewFault(errors.New("these draws do not represent the target: " + o.Lacks +
			"; without the kernel it cannot be told whether the sampler is wrong or has not mixed"))
	case strict:
		r.Fault = chains.NewFault(errors.New(notMixed))
	default:
		r.Note("%s", notMixed)
	}
	if o.Kernel != "" && o.Fault == "" && !o.Open {
		r.NoteAt(reports.WithResults, "moves: %s", o.Excluded)
	}
	return r
}

// plotMeans adds the figure of the errors of the means of draws, in standard deviations of the
// target, with two standard errors by batch means on either side, and around zero twice the exact
// error of such chains if the kernel is known.
func plotMeans(r *reports.Report, means []Mean) {
	var cells [][]any
	for i := range means {
		m := &means[i]
		cells = append(cells,
			[]any{m.Function, (m.Draws - m.Exact) / m.SD, 2 * m.Batches / m.SD, -2 * m.Error, 2 * m.Error})
	}
	r.Plots(curves.Cells(cells, "function", "mean of the draws", "error", "low", "high"), columns.Plot{
		Name:  "conform_chain_means",
		Title: "Means of the draws less those of the target",
		Parts: []columns.Part{{
			X:      "function",
			Y:      []string{"mean of the draws"},
			YLabel: "error of the mean (sd of the target)",
			Errors: "error",
			Band:   []string{"low", "high"},
		}},
		BandIs:   []string{"twice the exact error of such chains"},
		Kinds:    []string{"mean of the draws, 2 SE"},
		Across:   []float64{0},
		AcrossIs: "the target",
	})
}

// after returns a text behind another one, if there is one.
func after(before, text string) string {
	if text == "" {
		return ""
	}
	return before + text
}
