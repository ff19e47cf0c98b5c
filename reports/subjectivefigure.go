package reports

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/chains"
	"breadboard/experiments/subjective"
	"breadboard/reports/figure"
)

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
// J and B. It fails where no run has two finite values.
func SubjectiveFigure(runs []subjective.Row) (*figure.Figure, error) {
	p := figure.NewPanel("", "moves from the reference to the start of the reverse chain", "nats")
	p.X.Tick.Marker = movesAxis{}
	lines := 0
	for i := range runs {
		name, mark := "from "+runs[i].Reference, figure.Full(i)
		drawn, err := figure.Curve(p, name, movesCurve(&runs[i]), mark)
		if err != nil {
			return nil, err
		}
		if drawn {
			lines++
			p.Legend.Add(name, mark)
		}
	}
	if lines == 0 {
		return nil, chains.NewAdvice("nothing to draw: give at least two numbers of moves, as in {moves} 0,10,100")
	}
	addLevel(p, "J", runs[0].Solution.J, figure.Dashes())
	addLevel(p, "B", runs[0].Solution.B, nil)
	p.RoomAround(0.03, 0.05)
	name := FileName(fmt.Sprintf("subjective_%s_T%d", runs[0].Toy.Name, runs[0].Distributions()))
	return figure.Alone(name, 13*vg.Centimeter, 9*vg.Centimeter, p), nil
}

// movesCurve returns the finite values of a run by the number of moves.
func movesCurve(r *subjective.Row) plotter.XYs {
	var points plotter.XYs
	for _, at := range r.Points {
		x := atZero
		if at.Moves > 0 {
			x = math.Log10(float64(at.Moves))
		}
		if !math.IsInf(at.Value, 0) {
			points = append(points, plotter.XY{X: x, Y: at.Value})
		}
	}
	slices.SortFunc(points, func(a, b plotter.XY) int { return cmp.Compare(a.X, b.X) })
	return points
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
