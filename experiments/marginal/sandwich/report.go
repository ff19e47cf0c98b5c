package sandwich

import (
	"cmp"
	"slices"

	"breadboard/chains/errs"
	"breadboard/experiments/curves"
	"breadboard/reports"
	"breadboard/reports/columns"
	"breadboard/reports/table"
)

// report returns the report of the ends that bracket log p(y) of simulated data, with a
// figure for each model.
func report(rows []Row) *reports.Report {
	whole := slices.DeleteFunc(slices.Clone(rows), func(r Row) bool { return r.Data != 0 })
	r := &reports.Report{
		Parts: []reports.Part{InBrief("sandwich", rows, whole, Study().Declaration.Columns)}}
	for _, model := range reports.Grouped(rows, func(r *Row) string { return r.Model }) {
		if model[0].Forward {
			continue // the figure shows distances from log p(y), which is unknown
		}
		plotSandwich(r, model)
	}
	for _, note := range Findings(rows) {
		r.Note("%s", note)
	}
	return r
}

// InBrief returns the table of rows of single data sets and of all of them together. People see the
// latter, whole, if there are any.
func InBrief[R any](name string, rows, whole []R, fields columns.List) reports.Table {
	t := reports.Table{Name: name, Table: table.New(fields, rows)}
	if len(whole) > 0 && len(whole) < len(rows) {
		t.Brief = table.New(fields, whole)
	}
	return t
}

// plotSandwich adds the figure of the distances of the ends from the ground truth, for each
// algorithm against its setting: those of each data set as thin lines, and their means as thick
// ones. Without a ground truth, the middle of the ends of the longest annealing replaces it.
func plotSandwich(r *reports.Report, rows []Row) {
	type at struct {
		algorithm        string
		knob, data       int // data is 0 for the mean
		forward, reverse float64
	}
	middle := middles(rows)
	var points []at
	for _, r := range rows {
		if r.Data == 0 {
			continue
		}
		// M may be zero, but the axis is logarithmic
		one := at{
			r.Algorithm, cmp.Or(r.T, r.Scans+1), r.Data, r.Lower - middle[r.Data], r.Upper - middle[r.Data]}
		points = append(points, one)
		k := slices.IndexFunc(points,
			func(p at) bool { return p.algorithm == one.algorithm && p.knob == one.knob && p.data == 0 })
		if k < 0 {
			k, points = len(points), append(points, at{algorithm: one.algorithm, knob: one.knob})
		}
		points[k].forward += one.forward / float64(len(middle))
		points[k].reverse += one.reverse / float64(len(middle))
	}
	along := func(name, algorithm string) columns.Field {
		return curves.Column(name, func(p *at) any {
			if p.algorithm == algorithm {
				return p.knob
			}
			return nil
		})
	}
	r.Plots(table.New(columns.List{
		along("T", "ais"),
		along("M + 1", "smc"),
		curves.Column("data set", func(p *at) any {
			if p.data > 0 {
				return p.data
			}
			return nil
		}),
		curves.Column("forward", func(p *at) any { return p.forward }),
		curves.Column("reverse", func(p *at) any { return p.reverse }),
	}, points), columns.Plot{
		Name:  "sandwich_" + rows[0].Model,
		Title: "Bounds on log p(y), model " + rows[0].Model,
		Parts: []columns.Part{{
			X:      "T",
			XLabel: "number of distributions T",
			XScale: columns.Decades,
			Y:      []string{"forward", "reverse"},
			YLabel: "log weight of AIS - log p(y) (nats)",
		}, {
			X:      "M + 1",
			XLabel: "scans M + 1 after a datum",
			XScale: columns.Decades,
			Y:      []string{"forward", "reverse"},
			YLabel: "log weight of SMC - log p(y) (nats)",
		}},
		Members:  []string{"data set"},
		Across:   []float64{0},
		AcrossIs: "log p(y)",
		Joined:   true,
		Free:     true,
		Kinds:    []string{"forward, mean", "reverse, mean"},
		Why:      errs.New("nothing to draw: give at least two settings, as in {T} 100,1000 or {scans} 1,10"),
	})
}

// middles returns the replacement for log p(y) of each data set: the middle of the ends of the
// longest annealing, or over all algorithms without annealing.
func middles(rows []Row) map[int]float64 {
	longest := 0
	for _, r := range rows {
		longest = max(longest, r.T)
	}
	out := map[int]float64{}
	for _, r := range rows {
		if r.Data > 0 && r.T == longest {
			out[r.Data] = (r.Lower + r.Upper) / 2
		}
	}
	return out
}
