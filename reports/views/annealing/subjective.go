package annealing

import (
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/chains"
	"breadboard/experiments"
	"breadboard/experiments/subjective"
	"breadboard/reports"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// SubjectiveReport returns the report of subjective divergences, with a figure for each annealing. Its notes say from how many
// moves on each reference gives a bound.
func SubjectiveReport(runs []subjective.Row) *reports.Report {
	r := reports.New("subjective", Subjective(runs))
	for _, run := range reports.ByCase(runs, func(r *subjective.Row) *experiments.Case { return &r.Case }) {
		r.CaseNotes(&run[0].Case, run[0].Solution.Notes)
		r.Add(reports.Figure{Title: "Subjective divergence against the moves of the reference: " + run[0].Case.String(), Missing: run[0].Case.String() + ": no figure", Draw: func() (*figure.Figure, error) { return SubjectiveFigure(run) }})
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
		switch {
		case r.BoundFrom < 0:
			notes = append(notes, fmt.Sprintf("%s, reference %s: no bound on J up to S = %d", &r.Case, r.Reference, last))
		case r.BoundFrom == 0:
			notes = append(notes, fmt.Sprintf("%s, reference %s: a bound on J from S = 0 to %d", &r.Case, r.Reference, last))
		default:
			notes = append(notes, fmt.Sprintf("%s, reference %s: a bound on J from S = %d to %d", &r.Case, r.Reference, r.BoundFrom, last))
		}
	}
	return notes
}

// atZero is the place of zero moves on an axis that shows the logarithm of the number of moves.
const atZero = -0.6

// movesAxis makes the ticks of an axis of log10 of the number of moves, with one more tick for zero moves.
type movesAxis struct{}

// Ticks implements plot.Ticker.
func (movesAxis) Ticks(low, high float64) []plot.Tick {
	return append([]plot.Tick{{Value: atZero, Label: "0"}}, figure.Decades{}.Ticks(max(low, 0), high)...)
}

// Value returns the number of moves at a place of the axis.
func (movesAxis) Value(at float64) float64 {
	if at == atZero {
		return 0
	}
	return figure.Decades{}.Value(at)
}

// SubjectiveFigure draws the value against the number of moves, a curve for each of the runs of one annealing, between
// J and B, with a mark from which number of moves on the value bounds J. It fails where no run has two finite values.
func SubjectiveFigure(runs []subjective.Row) (*figure.Figure, error) {
	p := figure.NewPanel("", "moves from the reference to the start of the reverse chain", "nats")
	p.X.Tick.Marker = movesAxis{}
	lines := 0
	for i := range runs {
		name, mark, points := "from "+runs[i].Reference, figure.Full(i), movesCurve(&runs[i])
		if len(points) < 2 {
			continue
		}
		if err := figure.AddLine(p, name, points, mark.Line); err != nil {
			return nil, err
		}
		lines++
		p.Legend.Add(name, &plotter.Line{LineStyle: mark.Line})
		if err := markBound(p, &runs[i], mark); err != nil {
			return nil, err
		}
	}
	if lines == 0 {
		return nil, chains.NewAdvice("nothing to draw: give a number of moves above 0, as in {moves} 0,10,100")
	}
	addLevel(p, "J", runs[0].Solution.J, figure.Dashes())
	addLevel(p, "B", runs[0].Solution.B, nil)
	p.RoomAround(0.03, 0.05)
	name := reports.FileName(fmt.Sprintf("subjective_%s_T%d", runs[0].Toy.Name, runs[0].Distributions()))
	return figure.Alone(name, 13*vg.Centimeter, 9*vg.Centimeter, p), nil
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

// placeOf returns where a number of moves stands on the axis.
func placeOf(moves int) float64 {
	if moves == 0 {
		return atZero
	}
	return math.Log10(float64(moves))
}

// markBound marks the number of moves from which on the value of a run bounds J, where it is not a bound from the start, and says it.
func markBound(p *figure.Panel, r *subjective.Row, mark figure.Mark) error {
	if r.BoundFrom <= 0 {
		return nil
	}
	mark.Line.Width = 0
	name := "bounds J from S = " + strconv.Itoa(r.BoundFrom)
	p.Legend.Add(name, mark)
	return figure.AddDots(p, name, plotter.XYs{{X: placeOf(r.BoundFrom), Y: r.Solution.J}}, mark.Glyph)
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
