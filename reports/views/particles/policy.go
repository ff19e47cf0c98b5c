package particles

import (
	"breadboard/experiments"
	"breadboard/experiments/columns"
	"breadboard/experiments/particles/policy"
	"breadboard/reports"
	"breadboard/reports/table"
)

// PolicyReport returns the report of pairs of policies, with a table in a file and a figure of the
// contributions of the layers to B - J.
func PolicyReport(rows []policy.Row) *reports.Report {
	r := reports.New("policy", table.New(policy.Columns(), rows))
	var lines []string
	for i := range rows {
		if note := rows[i].Note(); note != "" {
			lines = append(lines, "toy "+rows[i].Toy.Title()+", policy "+rows[i].Policy()+": "+note)
		}
	}
	r.NotesOnce(lines)
	layers := PolicyLayers(rows)
	r.Add(reports.Table{Name: "layers", Table: layers, Place: reports.InFile})
	r.Plots(layers, columns.Plot{
		Name: "policy_layers", Title: "Contributions of the layers to B - J", X: "layer", Y: "forward+reverse", By: "policy", Panels: "toy", Log: "none",
		YLabel: "contribution to B - J (nats)",
	})
	return r
}

// policyLayer is a layer of a row.
type policyLayer struct {
	*policy.Row
	layer int
}

// PolicyLayers returns the table of the layers, each pair of policies once.
func PolicyLayers(rows []policy.Row) *table.Table {
	var all []policyLayer
	for i := range rows {
		if i > 0 && rows[i].Solution == rows[i-1].Solution {
			continue
		}
		for layer := range rows[i].Layers {
			all = append(all, policyLayer{&rows[i], layer})
		}
	}
	return table.New(append(experiments.CaseColumns(func(l *policyLayer) *experiments.Case { return &l.Case }, "toy"), columns.List{
		columns.Of("policy", "policy", "the pair of policies", func(l *policyLayer) string { return l.Policy() }),
		columns.Of("layer", "layer", "the layer, from 1 on", func(l *policyLayer) int { return l.layer + 1 }),
		columns.Of("forward", "forward", "what the steps into the layer add to KL(path_fwd || path_rev) - KL(q || p)", func(l *policyLayer) float64 { return l.Layers[l.layer].Forward }).In("nats").Answer(),
		columns.Of("reverse", "reverse", "what they add to KL(path_rev || path_fwd) - KL(p || q)", func(l *policyLayer) float64 { return l.Layers[l.layer].Reverse }).In("nats").Answer(),
	}...), all)
}

// PolicyBestReport returns the report of what training chooses.
func PolicyBestReport(rows []policy.BestRow) *reports.Report {
	r := reports.New("policy_best", table.New(policy.Best().Declaration.Columns, rows))
	var lines []string
	for i := range rows {
		if note := rows[i].Note(); note != "" {
			lines = append(lines, "toy "+rows[i].Toy.Title()+", policy "+rows[i].Param("policy")+": "+note)
		}
	}
	r.NotesOnce(lines)
	return r
}
