package policy

import (
	"errors"
	"math"
	"slices"

	"breadboard/chains/number"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/columns"
	"breadboard/reports/table"
)

// report returns the report of pairs of policies, with tables in files of their outputs and
// of the contributions of the layers to B - J, and a figure of these.
func report(rows []Row) *reports.Report {
	r := reports.New("policy", table.New(Columns(), rows))
	notePolicies(r, rows, func(row *Row) (*subject.Case, string) { return &row.Case, row.Note() })
	layers := Layers(rows)
	r.Add(reports.Table{Name: "layers", Table: layers, Place: reports.InFile})
	r.Add(reports.Table{Name: "output", Table: output(rows), Place: reports.InFile})
	r.Plots(layers, columns.Plot{
		Name:  "policy_layers",
		Title: "Contributions of the layers to B - J",
		Parts: []columns.Part{{
			X:      "layer",
			Y:      []string{"forward", "reverse"},
			YLabel: "contribution to B - J (nats)",
		}},
		By:     []string{"policy"},
		Panels: []string{"toy"},
	})
	return r
}

// policyPart is a layer of a row, or a state.
type policyPart struct {
	*Row
	at int
}

// policyParts returns the table of parts of rows, those of each pair of policies once.
func policyParts(rows []Row, parts func(r *Row) int, more ...columns.Field) *table.Table {
	var all []policyPart
	for i := range rows {
		if i > 0 && rows[i].Solution == rows[i-1].Solution {
			continue
		}
		for at := range parts(&rows[i]) {
			all = append(all, policyPart{&rows[i], at})
		}
	}
	fields := subject.CaseColumns(func(p *policyPart) *subject.Case { return &p.Case }, "toy")
	fields = append(fields, columns.Of("policy",
		"policy", "the pair of policies", func(p *policyPart) string { return p.Policy() }))
	return table.New(append(fields, more...), all)
}

// Layers returns the table of the layers.
func Layers(rows []Row) *table.Table {
	return policyParts(rows, func(r *Row) int { return len(r.Layers) },
		columns.Of("layer", "layer", "the layer, from 1 on", func(p *policyPart) int { return p.at + 1 }),
		columns.Of("forward", "forward",
			"what the steps into the layer add to KL(path_fwd || path_rev) - KL(q || p)",
			func(p *policyPart) number.Bounded { return p.Layers[p.at].Forward }).Absolute().In("nats").Answer(),
		columns.Of("reverse", "reverse", "what they add to KL(path_rev || path_fwd) - KL(p || q)",
			func(p *policyPart) number.Bounded { return p.Layers[p.at].Reverse }).Absolute().In("nats").Answer())
}

// output returns the table of the outputs, state by state.
func output(rows []Row) *table.Table {
	return policyParts(rows, func(r *Row) int { return len(r.Output) },
		columns.Of("state", "state", "the state of the target",
			func(p *policyPart) string { return p.Toy.State(p.at) }),
		columns.Of("q", "q", "the probability of the state at the end of a forward path",
			func(p *policyPart) float64 { return p.Output[p.at] }).Answer(),
		columns.Of("p", "p", "the probability of the state under the target",
			func(p *policyPart) float64 { return math.Exp(p.Toy.G[p.at] - p.LogZ) }).Answer())
}

// bestReport returns the report of the parameters that training chooses.
func bestReport(rows []BestRow) *reports.Report {
	r := reports.New("policy_best", table.New(BestStudy().Declaration.Columns, rows))
	curves := Curves(rows)
	r.Add(reports.Table{Name: "curves", Table: curves, Place: reports.InFile})
	r.Plots(curves, columns.Plot{
		Name:  "policy_best",
		Title: "Objectives against the parameter, and their optima",
		Parts: []columns.Part{{
			X:      "parameter",
			XLabel: "parameter c",
			Y:      []string{"value", "least"},
			YLabel: "objective (nats; subtb: nats²)",
		}},
		Dots:   []string{"least"},
		By:     []string{"by"},
		Panels: []string{"toy", "policy"},
		Free:   true,
		Lines:  true,
		Kinds:  []string{"", "optimum"},
		Named:  true,
		Why:    errors.New("all objectives are infinite"),
	})
	notePolicies(r, rows, func(row *BestRow) (*subject.Case, string) { return &row.Case, row.Note() })
	return r
}

// curvePoint is an objective at a value of the parameter.
type curvePoint struct {
	*BestRow
	Point
}

// objective returns the objective of a point, NaN if it is infinite.
func (p *curvePoint) objective() float64 {
	if v := p.Values[p.By]; !math.IsInf(v, 1) {
		return v
	}
	return math.NaN()
}

// least returns the objective at its optimum, NaN elsewhere.
func (p *curvePoint) least() float64 {
	if p.Point.At == p.BestRow.At {
		return p.objective()
	}
	return math.NaN()
}

// Curves returns the table of J and the objectives at all values of the parameter that were
// tried.
func Curves(rows []BestRow) *table.Table {
	var all []curvePoint
	add := func(r *BestRow) {
		for _, p := range r.Curve {
			all = append(all, curvePoint{r, p})
		}
	}
	for i := range rows {
		if r := rows[i]; !slices.Contains(r.Options.By, "J") && r.By == r.Options.By[0] {
			r.By = "J"
			r.At = r.BestAt
			add(&r)
		}
		add(&rows[i])
	}
	fields := subject.CaseColumns(func(p *curvePoint) *subject.Case { return &p.Case }, "toy")
	return table.New(append(fields,
		columns.Of("policy", "policy", "the family of policies",
			func(p *curvePoint) string { return p.Param("policy") }),
		columns.Of("by", "objective", "the objective", func(p *curvePoint) string { return p.By }),
		columns.Of("parameter", "parameter", "the value of the parameter",
			func(p *curvePoint) float64 { return p.Point.At }),
		columns.Of("value",
			"value", "the objective there, in nats, or nats squared for a loss; empty if it is infinite",
			(*curvePoint).objective).OrEmpty().Answer(),
		columns.Of("least", "optimum", "the objective at the optimum; empty elsewhere", (*curvePoint).least).OrEmpty(),
	), all)
}

// twistReport returns the report of twisted SMC, with a figure of both bounds.
func twistReport(rows []TwistRow) *reports.Report {
	all := table.New(Twisted().Declaration.Columns, rows)
	r := reports.New("policy_twist", all)
	notePolicies(r, rows, func(row *TwistRow) (*subject.Case, string) { return &row.Case, row.Note() })
	r.Plots(all, columns.Plot{
		Name:  "policy_twist",
		Title: "Both bounds on log Z by number of particles",
		Parts: []columns.Part{{
			X:      "particles",
			XLabel: "number of particles P",
			XScale: columns.Decades,
			Y:      []string{"lower_bound", "upper_bound"},
			YLabel: "bound on log Z (nats)",
			Level:  []string{"log_z"},
		}},
		By:     []string{"twist", "proposal", "resample", "threshold"},
		Panels: []string{"toy", "base"},
	})
	return r
}

// notePolicies adds the notes of rows, each with the target and the policy that it is about.
func notePolicies[R any](r *reports.Report, rows []R, of func(*R) (*subject.Case, string)) {
	var lines []string
	for i := range rows {
		if c, note := of(&rows[i]); note != "" {
			line := "toy " + c.Toy.Title()
			for _, p := range c.Params {
				line += ", " + p.Name + " " + p.Value
			}
			lines = append(lines, line+": "+note)
		}
	}
	r.NotesOnce(lines)
}
