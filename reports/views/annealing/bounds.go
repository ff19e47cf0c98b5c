package annealing

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/experiments"
	"breadboard/experiments/annealing/gap"
	"breadboard/experiments/annealing/subjective"
	"breadboard/reports"
	"breadboard/reports/figure"
	"breadboard/reports/table"
	"breadboard/reports/views/internal/curves"
)

// GapReport returns the report of what each stage adds to B - J, with a figure for each annealing. It has a Fault where the
// stages do not add up to the solution, which is computed by another route.
func GapReport(gaps []gap.Row) *reports.Report {
	r := &reports.Report{Parts: []reports.Part{reports.Table{Name: "gap", Table: Gap(gaps), Machines: GapRows(gaps)}}}
	for i := range gaps {
		r.Add(curves.About("The stages of the annealing", &gaps[i].Case, &gaps[i], StageGapFigure))
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

// LeftOut says what no number of the row has (see columns.Noted).
func (r *stageRow) LeftOut() string { return r.gaps.LeftOut() }

// GapRows returns the table of B - J for machines. It has a row of kind "stage" for each t = 2..T, with the two brackets and the Jeffreys
// divergence between the laws of x_t, and then a row of kind "final" with KL(q||p), KL(p||q) and J in the same columns. So the column forward sums
// to KL(path_fwd || path_rev) over the rows of an annealing, and reverse sums to KL(path_rev || path_fwd).
func GapRows(gaps []gap.Row) *table.Table {
	var rows []stageRow
	for i := range gaps {
		g := &gaps[i]
		for _, s := range g.Stages {
			rows = append(rows, stageRow{g, "stage", s.Stage, s.Beta, s.Forward, s.Reverse, s.Jeffreys})
		}
		rows = append(rows, stageRow{g, "final", g.Distributions(), 1, g.KLQP, g.KLPQ, g.KLQP + g.KLPQ})
	}
	return table.New(slices.Concat(
		experiments.WholeCase(func(r *stageRow) *experiments.Case { return &r.gaps.Case }),
		[]table.Field[stageRow]{
			{Column: table.Column{Name: "kind", Type: table.String, Title: "kind", Meaning: "stage, or final for the row of the divergences at the end"}, Of: func(r *stageRow) any { return r.kind }},
			{Column: table.Column{Name: "t", Type: table.Int, Title: "t", Meaning: "the stage, from 2 to T"}, Of: func(r *stageRow) any { return r.stage }},
			{Column: table.Column{Name: "beta", Type: table.Float, Title: "beta", Meaning: "the inverse temperature of the stage"}, Of: func(r *stageRow) any { return r.beta }},
			{Column: table.Column{Name: "forward", Type: table.Float, Title: "forward", Unit: "nats", Narrow: true, Meaning: "what the stage adds to KL(path_fwd || path_rev), or in the row final KL(q || p)"}, Of: func(r *stageRow) any { return r.forward }},
			{Column: table.Column{Name: "reverse", Type: table.Float, Title: "reverse", Unit: "nats", Narrow: true, Meaning: "what the stage adds to KL(path_rev || path_fwd), or in the row final KL(p || q)"}, Of: func(r *stageRow) any { return r.reverse }},
			{Column: table.Column{Name: "jeffreys_t", Type: table.Float, Title: "Jeffreys at t", Unit: "nats", Narrow: true, Meaning: "the Jeffreys divergence between the laws of x_t in the two directions; J in the row final"}, Of: func(r *stageRow) any { return r.jeffreys }},
		}), rows)
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

// Gap returns the table of B - J for people: brackets summed over runs of stages, the share of B - J so far, and the sums B - J, J and B.
func Gap(gaps []gap.Row) *table.Table {
	var rows []spanRow
	for i := range gaps {
		rows = append(rows, spanRows(&gaps[i])...)
	}
	return table.New([]table.Field[spanRow]{
		{Column: table.Column{Title: "toy"}, Of: func(r *spanRow) any { return r.gaps.Toy.Name }},
		{Column: table.Column{Title: "T"}, Of: func(r *spanRow) any { return r.gaps.Distributions() }},
		{Column: table.Column{Title: "stages"}, Of: func(r *spanRow) any { return r.stages }},
		{Column: table.Column{Title: "beta", Digits: 4}, Of: func(r *spanRow) any { return r.beta }},
		{Column: table.Column{Title: "forward", Unit: "nats", Narrow: true}, Of: func(r *spanRow) any { return r.forward }},
		{Column: table.Column{Title: "reverse", Unit: "nats", Narrow: true}, Of: func(r *spanRow) any { return r.reverse }},
		{Column: table.Column{Title: "both", Unit: "nats", Narrow: true}, Of: func(r *spanRow) any { return r.forward + r.reverse }},
		{Column: table.Column{Title: "so far"}, Of: func(r *spanRow) any { return r.share }},
		{Column: table.Column{Title: "Jeffreys at t", Unit: "nats", Narrow: true}, Of: func(r *spanRow) any { return r.jeffreys }},
	}, rows)
}

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
		return (s.BetaFrom + s.BetaTo) / 2, number.Log10(nats / (s.BetaTo - s.BetaFrom))
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

// StageGapFigure draws at which stages B exceeds J: both brackets per unit of beta, their sums so far, and the Jeffreys divergence between both
// chains' laws of x_t, all against beta. Infinite values are left out. It fails where there are no two finite values that a line could join.
func StageGapFigure(g *gap.Row) (*figure.Figure, error) {
	var panels []*figure.Panel
	for _, name := range []string{"nats per unit of beta", "so far (nats)", "between laws of x_{t} (nats)"} {
		panels = append(panels, figure.NewPanel("", "beta", name))
	}
	panels[0].Y.Tick.Marker = figure.Decades{}
	var pen curves.Pen
	spans, lines := g.Spans(gapBins), 0
	for _, c := range gapCurves() {
		var points plotter.XYs
		for _, s := range spans {
			if x, y := c.at(s); figure.Finite(y) {
				points = append(points, plotter.XY{X: x, Y: y})
			}
		}
		if len(points) < 2 {
			continue
		}
		style := draw.LineStyle{Color: figure.Color(c.color), Width: vg.Points(1.5), Dashes: c.dash}
		pen.Line(panels[c.panel], c.name, points, style)
		panels[c.panel].Legend.Add(c.name, curves.Key(style))
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
	return pen.Done(figure.SideBySide(reports.FileName(fmt.Sprintf("gap_%s_T%d", g.Toy.Name, g.Distributions())), 7.5*vg.Centimeter, 6.5*vg.Centimeter, panels...))
}

// SubjectiveReport returns the report of subjective divergences, with a figure for each annealing. Its notes say from how many
// moves on each reference gives a bound.
func SubjectiveReport(runs []subjective.Row) *reports.Report {
	r := reports.New("subjective", Subjective(runs))
	for _, run := range reports.ByCase(runs, func(r *subjective.Row) *experiments.Case { return &r.Case }) {
		r.CaseNotes(&run[0].Case, run[0].Solution.Notes)
		r.Add(curves.About("Subjective divergence against the moves of the reference", &run[0].Case, run, SubjectiveFigure))
	}
	for _, n := range SubjectiveNotes(runs) {
		r.Note("%s", n)
	}
	return r
}

// Subjective returns the table of subjective divergences, a row for each number of moves.
func Subjective(runs []subjective.Row) *table.Table {
	var rows []subjective.Moved
	for i := range runs {
		for _, p := range runs[i].Points {
			rows = append(rows, subjective.Moved{Run: &runs[i], SubjectivePoint: p})
		}
	}
	return table.New(subjective.Columns(), rows)
}

// SubjectiveNotes returns notes that say from how many moves on each reference gives a bound.
func SubjectiveNotes(runs []subjective.Row) []string {
	var notes []string
	for i := range runs {
		r := &runs[i]
		last := 0
		for _, p := range r.Points {
			last = max(last, p.Moves)
		}
		bound := fmt.Sprintf("a bound on J from S = %d to %d", r.BoundFrom, last)
		if r.BoundFrom < 0 {
			bound = fmt.Sprintf("no bound on J up to S = %d", last)
		}
		notes = append(notes, fmt.Sprintf("%s, reference %s: %s", &r.Case, r.Reference, bound))
	}
	return notes
}

// atZero is the place of zero moves on an axis that shows the logarithm of the number of moves.
const atZero = -0.6

// SubjectiveFigure draws the value against the number of moves, a curve for each of the runs of one annealing, between
// J and B, with a mark from which number of moves on the value bounds J. It fails where no run has two finite values.
func SubjectiveFigure(runs []subjective.Row) (*figure.Figure, error) {
	p := figure.NewPanel("", "moves from the reference to the start of the reverse chain", "nats")
	p.X.Tick.Marker = curves.ZeroAxis{Zero: atZero}
	var pen curves.Pen
	lines := 0
	for i := range runs {
		name, mark, points := "from "+runs[i].Reference, figure.Full(i), movesCurve(&runs[i])
		if len(points) < 2 {
			continue
		}
		lines++
		pen.Line(p, name, points, mark.Line)
		p.Legend.Add(name, curves.Key(mark.Line))
		if from := runs[i].BoundFrom; from > 0 { // else it is a bound from the start, or never
			mark.Line.Width = 0
			name := "bounds J from S = " + strconv.Itoa(from)
			p.Legend.Add(name, mark)
			pen.Dots(p, name, plotter.XYs{{X: placeOf(from), Y: runs[i].Solution.J}}, mark.Glyph)
		}
	}
	if lines == 0 {
		return nil, chains.NewAdvice("nothing to draw: give a number of moves above 0, as in {moves} 0,10,100")
	}
	addLevel(p, "J", runs[0].Solution.J, figure.Dashes())
	addLevel(p, "B", runs[0].Solution.B, nil)
	p.RoomAround(0.03, 0.05)
	name := reports.FileName(fmt.Sprintf("subjective_%s_T%d", runs[0].Toy.Name, runs[0].Distributions()))
	return pen.Done(figure.Alone(name, 13*vg.Centimeter, 9*vg.Centimeter, p))
}

// movesCurve returns the finite values of a run by the number of moves.
func movesCurve(r *subjective.Row) plotter.XYs {
	var points plotter.XYs
	for _, at := range r.Curve {
		if !math.IsInf(at.Value, 0) {
			points = append(points, plotter.XY{X: placeOf(at.Moves), Y: at.Value})
		}
	}
	return points
}

func placeOf(moves int) float64 {
	if moves == 0 {
		return atZero
	}
	return number.Log10(float64(moves))
}

// addLevel adds a line across the plot at y, where that is finite.
func addLevel(p *figure.Panel, name string, y float64, dash []vg.Length) {
	if math.IsInf(y, 0) {
		return
	}
	line := &plotter.Line{
		XYs:       plotter.XYs{{X: p.X.Min, Y: y}, {X: p.X.Max, Y: y}},
		LineStyle: draw.LineStyle{Color: figure.Color(6), Width: vg.Points(1), Dashes: dash},
	}
	p.Add(line)
	p.Legend.Add(name, line)
}
