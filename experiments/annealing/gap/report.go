package gap

import (
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/experiments/curves"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/columns"
	"breadboard/reports/table"
)

// Report returns the report of the contribution of each stage to B - J, with a figure for each
// annealing: both brackets per unit of beta, their cumulative sums, and the Jeffreys divergence
// between the distributions of x_t in the two directions, all against beta. It has a Fault if the
// stages do not add up to the independently computed solution.
func Report(gaps []Row) *reports.Report {
	r := &reports.Report{
		Parts: []reports.Part{reports.Table{Name: "gap", Table: Table(gaps), Machines: StageTable(gaps)}}}
	var cells [][]any
	for i := range gaps {
		for _, s := range gaps[i].Spans(gapBins) {
			each := s.BetaTo - s.BetaFrom
			cells = append(cells, curves.OfCase(&gaps[i].Case, (s.BetaFrom+s.BetaTo)/2, s.BetaTo,
				s.Forward/each, s.Reverse/each, s.AllForward, s.AllRev,
				s.AllForward+s.AllRev, s.Jeffreys))
		}
	}
	r.Plots(curves.CaseCells(cells, "middle", "beta", "forward", "reverse", "all forward", "all reverse",
		"both", "Jeffreys"), columns.Plot{
		Name:  "gap",
		Title: "Contributions of the stages to B - J",
		Each:  curves.EachCase(),
		Parts: []columns.Part{{
			X:      "middle",
			XLabel: "beta",
			Y:      []string{"forward", "reverse"},
			YLabel: "nats per unit of beta",
			YScale: columns.Decades,
		}, {
			X:      "beta",
			XLabel: "beta",
			Y:      []string{"all forward", "all reverse", "both"},
			YLabel: "cumulative (nats)",
		}, {
			X:      "beta",
			XLabel: "beta",
			Y:      []string{"Jeffreys"},
			YLabel: "Jeffreys divergence at t (nats)",
		}},
		Kinds:  []string{"forward", "reverse", "both"},
		Joined: true,
		Lines:  true,
	})
	holds := 0
	failed := 0
	for i := range gaps {
		g := &gaps[i]
		r.CaseNotes(&g.Case, g.Solution.Notes)
		for _, id := range g.Identities {
			if id.OK {
				holds++
				continue
			}
			failed++
			r.Note("%s: %s: %v and %v differ by %.3g, allowed %.3g", &g.Case, id.Name, id.Got, id.Want,
				id.Error, id.Tolerance)
		}
	}
	if failed > 0 {
		r.Fault = chains.NewFault(errs.New("an identity does not hold; see above"))
	} else {
		r.Note("all %d identities hold", holds)
	}
	return r
}

// stageRow is a line of the table of B - J for machines: a stage, or the last line, with the
// divergences at the end.
type stageRow struct {
	gaps                       *Row
	kind                       string
	stage                      int
	beta                       float64
	forward, reverse, jeffreys number.Bounded
}

// LeftOut returns the notes of the row (see columns.Noted).
func (r *stageRow) LeftOut() string { return r.gaps.LeftOut() }

// StageTable returns the table of B - J for machines. It has a row of kind "stage" for each t =
// 2..T, with the two brackets and the Jeffreys divergence between the distributions of x_t, and
// then a row of kind "final" with KL(q||p), KL(p||q) and J in the same columns. Over the rows of an
// annealing the column forward sums to KL(path_fwd || path_rev), and reverse to KL(path_rev ||
// path_fwd).
func StageTable(gaps []Row) *table.Table {
	var rows []stageRow
	for i := range gaps {
		g := &gaps[i]
		of := g.Solution.Divergence
		for _, s := range g.Stages {
			rows = append(rows,
				stageRow{g, "stage", s.Stage, s.Beta, of(s.Forward, 1), of(s.Reverse, 1), of(s.Jeffreys, 2)})
		}
		rows = append(rows,
			stageRow{g, "final", g.Distributions(), 1, of(g.KLQP, 1), of(g.KLPQ, 1), of(g.KLQP+g.KLPQ, 2)})
	}
	return table.New(slices.Concat(subject.WholeCase(func(r *stageRow) *subject.Case { return &r.gaps.Case }),
		columns.List{
			columns.Of("kind", "kind", "stage, or final for the row of the divergences at the end",
				func(r *stageRow) string { return r.kind }),
			columns.Of("t", "t", "the stage, from 2 to T", func(r *stageRow) int { return r.stage }),
			columns.Of("beta", "beta", "the inverse temperature of the stage",
				func(r *stageRow) float64 { return r.beta }),
			columns.Of("forward", "forward (nats)",
				"the contribution of the stage to KL(path_fwd || path_rev); in the row final KL(q || p)",
				func(r *stageRow) number.Bounded { return r.forward }).Answer(),
			columns.Of("reverse", "reverse (nats)",
				"the contribution of the stage to KL(path_rev || path_fwd); in the row final KL(p || q)",
				func(r *stageRow) number.Bounded { return r.reverse }).Answer(),
			columns.Of("jeffreys_t", "Jeffreys at t (nats)",
				"the Jeffreys divergence between the distributions of x_t in the two directions; J in the row final",
				func(r *stageRow) number.Bounded {
					return r.jeffreys
				}),
		}), rows)
}

// spanRow is a line of the table of B - J for people: a group of stages, or a sum.
type spanRow struct {
	gaps                       *Row
	stages                     string
	forward, reverse, jeffreys number.Bounded // jeffreys is NaN for sums
	beta, share                any            // nil for sums
}

// Table returns the table of B - J for people: brackets summed over groups of stages, the
// cumulative fraction of B - J, and the sums B - J, J and B.
func Table(gaps []Row) *table.Table {
	var rows []spanRow
	for i := range gaps {
		rows = append(rows, spanRows(&gaps[i])...)
	}
	return table.New(columns.List{
		columns.ForPeople("toy", func(r *spanRow) any { return r.gaps.Toy.Name }),
		columns.ForPeople("T", func(r *spanRow) any { return r.gaps.Distributions() }),
		columns.ForPeople("stages", func(r *spanRow) any { return r.stages }),
		columns.ForPeople("beta", func(r *spanRow) any { return r.beta }).Digits(4),
		columns.Of("", "forward (nats)", "", func(r *spanRow) number.Bounded { return r.forward }).Answer(),
		columns.Of("", "reverse (nats)", "", func(r *spanRow) number.Bounded { return r.reverse }).Answer(),
		columns.Of("", "both (nats)", "",
			func(r *spanRow) number.Bounded { return r.forward.Plus(r.reverse) }).Answer(),
		columns.ForPeople("cumulative", func(r *spanRow) any { return r.share }),
		columns.Of("", "Jeffreys at t (nats)", "", func(r *spanRow) number.Bounded { return r.jeffreys }),
	}, rows)
}

func spanRows(g *Row) (rows []spanRow) {
	of := g.Solution.Divergence
	spans := g.Spans(lines)
	all := spans[len(spans)-1]
	for _, s := range spans {
		share := table.Percent((s.AllForward + s.AllRev) / (all.AllForward + all.AllRev))
		n := s.Last - s.First + 1
		rows = append(
			rows,
			spanRow{g, s.Stages(), of(s.Forward, n), of(s.Reverse, n), of(s.Jeffreys, 2), s.BetaTo, share},
		)
	}
	sum := func(name string, forward, reverse float64, terms int) {
		rows = append(rows, spanRow{
			gaps:     g,
			stages:   name,
			forward:  of(forward, terms),
			reverse:  of(reverse, terms),
			jeffreys: number.Exactly(math.NaN()),
		})
	}
	forward, reverse := g.Sums()
	sum("B - J", all.AllForward, all.AllRev, len(g.Stages))
	sum("J", g.KLQP, g.KLPQ, 1)
	sum("B", forward, reverse, len(g.Stages)+1)
	return rows
}

// gapBins is the number of groups of stages on a curve of the figure.
const gapBins = 200
