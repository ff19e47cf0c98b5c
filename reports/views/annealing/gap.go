package annealing

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/chains"
	"breadboard/experiments"
	"breadboard/experiments/gap"
	"breadboard/reports"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// GapReport returns the report of what each stage adds to B - J, with a figure for each annealing. It has a Fault where the
// stages do not add up to the solution, which is computed by another route.
func GapReport(gaps []gap.Row) *reports.Report {
	r := &reports.Report{}
	r.Add(reports.Table{Name: "gap", Table: Gap(gaps), Machines: GapRows(gaps)})
	for i := range gaps {
		g := &gaps[i]
		r.Add(reports.Figure{Title: "The stages of the annealing: " + g.Case.String(), Missing: g.Case.String() + ": no figure", Draw: func() (*figure.Figure, error) { return StageGapFigure(g) }})
	}
	holds, failed := 0, 0
	for i := range gaps {
		g := &gaps[i]
		r.CaseNotes(&g.Case, g.Solution.Notes)
		for _, id := range g.Identities {
			if id.OK {
				holds++
				continue
			}
			failed++
			r.Note("%s: %s: %v and %v differ by %.3g, allowed %.3g", &g.Case, id.Name, id.Got, id.Want, id.Error, id.Tolerance)
		}
	}
	if failed > 0 {
		r.Fault = chains.NewFault(errors.New("an identity does not hold; see above"))
	} else {
		r.Note("all %d identities hold", holds)
	}
	return r
}

// stageRow is a line of the table of B - J for machines: a stage, or the last line, which has the divergences at the end.
type stageRow struct {
	gaps                             *gap.Row
	kind                             string
	stage                            int
	beta, forward, reverse, jeffreys float64
}

func stageFields() []table.Field[stageRow] {
	return slices.Concat(
		experiments.WholeCase(func(r *stageRow) *experiments.Case { return &r.gaps.Case }),
		[]table.Field[stageRow]{
			{Column: table.Column{Name: "kind", Type: table.String, Title: "kind", Meaning: "stage, or final for the row of the divergences at the end"}, Of: func(r *stageRow) any { return r.kind }},
			{Column: table.Column{Name: "t", Type: table.Int, Title: "t", Meaning: "the stage, from 2 to T"}, Of: func(r *stageRow) any { return r.stage }},
			{Column: table.Column{Name: "beta", Type: table.Float, Title: "beta", Meaning: "the inverse temperature of the stage"}, Of: func(r *stageRow) any { return r.beta }},
			{Column: table.Column{Name: "forward", Type: table.Float, Title: "forward", Unit: "nats", Narrow: true, Meaning: "what the stage adds to KL(path_fwd || path_rev), or in the row final KL(q || p)"}, Of: func(r *stageRow) any { return r.forward }},
			{Column: table.Column{Name: "reverse", Type: table.Float, Title: "reverse", Unit: "nats", Narrow: true, Meaning: "what the stage adds to KL(path_rev || path_fwd), or in the row final KL(p || q)"}, Of: func(r *stageRow) any { return r.reverse }},
			{Column: table.Column{Name: "jeffreys_t", Type: table.Float, Title: "Jeffreys at t", Unit: "nats", Narrow: true, Meaning: "the Jeffreys divergence between the laws of x_t in the two directions; J in the row final"}, Of: func(r *stageRow) any { return r.jeffreys }},
		})
}

// GapRows returns the table of B - J for machines. It has a row of kind "stage" for each t = 2..T, with the two brackets and
// the Jeffreys divergence between the laws of x_t, and then a row of kind "final" with KL(q||p), KL(p||q) and J in the same
// columns. So the column forward sums to KL(path_fwd || path_rev) over the rows of an annealing, and reverse sums to
// KL(path_rev || path_fwd).
func GapRows(gaps []gap.Row) *table.Table {
	var rows []stageRow
	for i := range gaps {
		g := &gaps[i]
		for _, s := range g.Stages {
			rows = append(rows, stageRow{g, "stage", s.Stage, s.Beta, s.Forward, s.Reverse, s.Jeffreys})
		}
		rows = append(rows, stageRow{g, "final", g.Distributions(), 1, g.KLQP, g.KLPQ, g.KLQP + g.KLPQ})
	}
	return table.New(stageFields(), rows)
}

// gapLines is the number of runs of stages of an annealing in the table for people.
const gapLines = 20

// spanRow is a line of the table of B - J for people: a run of stages, or a sum.
type spanRow struct {
	gaps                  *gap.Row
	stages                string
	forward, reverse      float64
	beta, share, jeffreys any // nil for sums
}

func spanFields() []table.Field[spanRow] {
	return []table.Field[spanRow]{
		{Column: table.Column{Title: "toy"}, Of: func(r *spanRow) any { return r.gaps.Toy.Name }},
		{Column: table.Column{Title: "T"}, Of: func(r *spanRow) any { return r.gaps.Distributions() }},
		{Column: table.Column{Title: "stages"}, Of: func(r *spanRow) any { return r.stages }},
		{Column: table.Column{Title: "beta", Digits: 4}, Of: func(r *spanRow) any { return r.beta }},
		{Column: table.Column{Title: "forward", Unit: "nats", Narrow: true}, Of: func(r *spanRow) any { return r.forward }},
		{Column: table.Column{Title: "reverse", Unit: "nats", Narrow: true}, Of: func(r *spanRow) any { return r.reverse }},
		{Column: table.Column{Title: "both", Unit: "nats", Narrow: true}, Of: func(r *spanRow) any { return r.forward + r.reverse }},
		{Column: table.Column{Title: "so far"}, Of: func(r *spanRow) any { return r.share }},
		{Column: table.Column{Title: "Jeffreys at t", Unit: "nats", Narrow: true}, Of: func(r *spanRow) any { return r.jeffreys }},
	}
}

// Gap returns the table of B - J for people: brackets summed over runs of stages, the share of B - J so far, and the sums
// B - J, J and B.
func Gap(gaps []gap.Row) *table.Table {
	var rows []spanRow
	for i := range gaps {
		rows = append(rows, spanRows(&gaps[i])...)
	}
	return table.New(spanFields(), rows)
}

// spanRows returns the lines of one annealing.
func spanRows(g *gap.Row) (rows []spanRow) {
	spans := g.Spans(gapLines)
	all := spans[len(spans)-1]
	for _, s := range spans {
		stages := fmt.Sprint(s.Last)
		if s.First != s.Last {
			stages = fmt.Sprintf("%d-%d", s.First, s.Last)
		}
		share := table.Percent((s.AllForward + s.AllRev) / (all.AllForward + all.AllRev))
		rows = append(rows, spanRow{g, stages, s.Forward, s.Reverse, s.BetaTo, share, s.Jeffreys})
	}
	forward, reverse := g.Sums()
	return append(rows,
		spanRow{gaps: g, stages: "B - J", forward: all.AllForward, reverse: all.AllRev},
		spanRow{gaps: g, stages: "J", forward: g.KLQP, reverse: g.KLPQ},
		spanRow{gaps: g, stages: "B", forward: forward, reverse: reverse})
}

// gapBins is the number of runs of stages that a curve of the figure has.
const gapBins = 200

// gapCurve is one curve of the figure. The function at returns the point of the curve for a run of stages.
type gapCurve struct {
	panel int
	name  string
	color int
	dash  []vg.Length
	at    func(s gap.Span) (beta, y float64)
}

func gapCurves() []gapCurve {
	perBeta := func(s gap.Span, nats float64) (float64, float64) {
		return (s.BetaFrom + s.BetaTo) / 2, math.Log10(nats / (s.BetaTo - s.BetaFrom))
	}
	return []gapCurve{
		{0, "forward", 0, nil, func(s gap.Span) (float64, float64) { return perBeta(s, s.Forward) }},
		{0, "reverse", 1, figure.Dashes(), func(s gap.Span) (float64, float64) { return perBeta(s, s.Reverse) }},
		{1, "forward", 0, nil, func(s gap.Span) (float64, float64) { return s.BetaTo, s.AllForward }},
		{1, "reverse", 1, figure.Dashes(), func(s gap.Span) (float64, float64) { return s.BetaTo, s.AllRev }},
		{1, "both", 6, nil, func(s gap.Span) (float64, float64) { return s.BetaTo, s.AllForward + s.AllRev }},
		{2, "Jeffreys; J at beta = 1", 2, nil, func(s gap.Span) (float64, float64) { return s.BetaTo, s.Jeffreys }},
	}
}

// StageGapFigure draws at which stages B exceeds J: both brackets per unit of beta, their sums so far, and the Jeffreys
// divergence between both chains' laws of x_t, all against beta. Infinite values are left out. It fails where there are no
// two finite values that a line could join.
func StageGapFigure(g *gap.Row) (*figure.Figure, error) {
	var panels []*figure.Panel
	for _, name := range []string{"nats per unit of beta", "so far (nats)", "between laws of x_{t} (nats)"} {
		panels = append(panels, figure.NewPanel("", "beta", name))
	}
	panels[0].Y.Tick.Marker = figure.Decades{}
	spans, lines := g.Spans(gapBins), 0
	for _, c := range gapCurves() {
		var points plotter.XYs
		for _, s := range spans {
			if x, y := c.at(s); !math.IsNaN(y) && !math.IsInf(y, 0) {
				points = append(points, plotter.XY{X: x, Y: y})
			}
		}
		if len(points) < 2 {
			continue
		}
		style := draw.LineStyle{Color: figure.Color(c.color), Width: vg.Points(1.5), Dashes: c.dash}
		if err := figure.AddLine(panels[c.panel], c.name, points, style); err != nil {
			return nil, err
		}
		panels[c.panel].Legend.Add(c.name, &plotter.Line{LineStyle: style})
		lines++
	}
	if lines == 0 {
		return nil, errors.New("nothing to draw: no two stages have finite brackets")
	}
	for i, p := range panels {
		p.X.Min, p.X.Max = 0, 1
		if i > 0 {
			p.Y.Min = min(0, p.Y.Min)
		}
		p.RoomAround(0, 0.04)
		if i > 0 && p.Y.Min < 0 && p.Y.Min > -0.1*p.Y.Max {
			p.Y.Min = 0
		}
	}
	return figure.SideBySide(reports.FileName(fmt.Sprintf("gap_%s_T%d", g.Toy.Name, g.Distributions())), 7.5*vg.Centimeter, 6.5*vg.Centimeter, panels...), nil
}
