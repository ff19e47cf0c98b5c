package network

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/selector"
	"breadboard/experiments/curves"
	"breadboard/reports"
	"breadboard/reports/columns"
	"breadboard/reports/table"
)

// report returns the report of the probabilities of the variables of networks, with the
// distributions of pairs if these were computed. Its notes give the evidence of each network, its
// probability, and the cost of the elimination. It has a Fault if enumeration gives another result.
// Sampled states replace the table, or are written to a file.
func report(rows []Row) *reports.Report {
	r := reports.New("network", table.New(Columns(), rows))
	plotMarginals(r, rows)
	var pairs []PairRow
	for i := range rows {
		if a := rows[i].Answer; i == 0 || rows[i-1].Answer != a {
			networkNotes(r, a)
			pairs = append(pairs, a.Pairs()...)
			if a.Posterior.Samples != nil {
				networkSamples(r, a)
			}
		}
	}
	if pairs != nil {
		r.Add(reports.Table{
			Name:  pairsTable,
			Table: table.New(pairColumns(), pairs),
			Place: reports.BesideResults,
		})
	}
	return r
}

// plotMarginals adds the figure of each network with the probabilities of the values of its
// variables, a panel for each variable: of the posterior, and of the prior if it is another one.
func plotMarginals(r *reports.Report, rows []Row) {
	var cells [][]any
	for i := range rows {
		row := &rows[i]
		if row.Posterior.Marginals == nil || row.Variable < 0 { // all variables are hidden
			continue
		}
		v := &row.Variables[row.Variable]
		prior := any(nil)
		if row.Prior != nil && row.Prior.Marginals != nil && row.Prior != row.Posterior {
			prior = row.Prior.Marginals[row.Variable][row.Value]
		}
		cells = append(cells, []any{row.Selector, v.Name, v.Labels[row.Value], row.Probability(), prior})
	}
	r.Plots(curves.Cells(cells, "network", "variable", "value", "posterior", "prior"), columns.Plot{
		Name:   "network_marginals",
		Title:  "Probabilities of the values of each variable",
		Each:   columns.Split{Varying: []string{"network"}},
		Panels: []string{"variable"},
		Parts: []columns.Part{{
			X:      "value",
			Y:      []string{"posterior", "prior"},
			YLabel: "probability",
		}},
		Bars:   []string{"posterior"},
		Free:   true,
		Across: []float64{1},
		Why:    errors.New("nothing to draw: no probability was computed"),
	})
}

// pairsTable is the name of the table of pairs of variables of networks.
const pairsTable = "network_pairs"

func networkSamples(r *reports.Report, a *Answer) {
	var text bytes.Buffer
	write := func() ([]byte, error) { err := a.WriteSamples(&text); return text.Bytes(), err }
	if a.Filed {
		r.Add(reports.File{Name: "network_samples.csv", Content: write})
	} else if content, err := write(); err == nil { // a buffer takes everything
		r.Parts = append(slices.DeleteFunc(r.Parts,
			func(p reports.Part) bool { _, is := p.(reports.Table); return is }), reports.Text(content))
	}
}

func networkNotes(r *reports.Report, a *Answer) {
	r.Note("%s: %s", a.Selector, a.Describe())
	z := "log p(evidence)"
	switch {
	case !a.Bayes:
		z = "log Z"
	case len(a.Seen()) == 0:
		r.Note("nothing has been observed, so that posterior is prior; {evidence} VARIABLE=VALUE says what has")
	}
	if !a.Bayes || len(a.Seen()) > 0 {
		r.Note("%s = %s nats", z, table.People(a.Posterior.LogZ, 12))
	}
	if len(a.Posterior.Order) > 0 {
		r.Note("elimination has width %d and takes the variables in the order %s, and by estimate %s",
			a.Posterior.Width, a.Names(a.Posterior.Order),
			selector.Bytes(int64(a.Posterior.Bytes)))
	}
	if a.Posterior.Best != nil {
		r.Note("the most probable state that the column best marks has log f = %s nats; others may be as probable",
			table.People(a.Posterior.LogBest.Value, 12))
	}
	for _, note := range a.Notes {
		r.Note("%s", note)
	}
	if a.Lack != nil {
		r.Note("no prior: %v", a.Lack)
	}
	switch c := a.Check; {
	case a.Unchecked != nil:
		r.Note("not checked by enumeration: %v", a.Unchecked)
	case c != nil && !c.Agrees():
		r.Fault = chains.NewFault(fmt.Errorf(
			"%s: enumeration of %d states differs from elimination by %.2g in a probability and by %.2g in %s",
			a.Selector,
			c.States,
			c.Worst,
			math.Abs(c.LogZ-a.Posterior.LogZ),
			z,
		))
	case c != nil:
		r.Note("enumeration of %d states agrees: probabilities to %.2g, %s to %.2g", c.States, c.Worst, z, c.Off)
	}
}
