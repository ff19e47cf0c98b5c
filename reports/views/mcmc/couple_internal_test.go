package mcmc

import (
	"image/color"
	"math"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"

	"breadboard/exact/meeting"
	"breadboard/experiments/mcmc/couple"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/grid"
	"breadboard/grid/longtest"
	"breadboard/reports/figure"
	"breadboard/toys"
)

// TestMapIsTheRightWayUp: the first row of states is at the top, where its ticks say it is, and ticks are at the coordinates of states alone.
func TestMapIsTheRightWayUp(t *testing.T) {
	plane := grid.MustNew(2, 3)
	p := plot.New()
	m := &stateMap{plane: plane, values: []float64{0, 1, 2, 3, 4, 5}, shade: func(v float64) color.Color { return color.Gray{uint8(v)} }}
	p.Add(m)
	var drawn recorder.Canvas
	m.Plot(draw.NewCanvas(&drawn, 30*vg.Centimeter, 20*vg.Centimeter), p)
	var shade color.Color
	tops := map[color.Color]vg.Length{}
	for _, a := range drawn.Actions {
		switch a := a.(type) {
		case *recorder.SetColor:
			shade = a.Color
		case *recorder.Fill:
			for _, at := range a.Path {
				tops[shade] = max(tops[shade], at.Pos.Y)
			}
		}
	}
	if len(tops) != 6 || tops[color.Gray{0}] != tops[color.Gray{2}] || !(tops[color.Gray{0}] > tops[color.Gray{3}]+5*vg.Centimeter) {
		t.Errorf("the tops of the states are at %v", tops)
	}
	for at, tick := range coordinates(2, m.height) {
		if want := []plot.Tick{{Value: 1, Label: "0"}, {Value: 0, Label: "1"}}[at]; tick != want {
			t.Errorf("tick %d is %+v, for %+v", at, tick, want)
		}
	}
	if ticks := coordinates(16, func(x int) int { return x }); len(ticks) != 8 || ticks[1].Label != "2" {
		t.Errorf("%v", ticks)
	}
}

// TestOnlyWhatIsKnownIsDrawn: where D is not known there is no band beside it, and it is not in the legend; what is drawn is.
func TestOnlyWhatIsKnownIsDrawn(t *testing.T) {
	curve := func(d, lagged float64) (c []meeting.Point) {
		for at := range int64(4) {
			c = append(c, meeting.Point{T: at, TV: 0.5, LagTV: lagged, Bound: d})
		}
		return c
	}
	p := figure.NewLogPanel("", "", "")
	distance, sum, bound := func(c *meeting.Point) float64 { return c.TV }, func(c *meeting.Point) float64 { return c.LagTV }, func(c *meeting.Point) float64 { return c.Bound }
	nan := math.NaN()
	for name, c := range map[string]struct {
		curve     []meeting.Point
		low, high func(*meeting.Point) float64
		drawn     bool
	}{
		"all is known":            {curve(3, 0.6), sum, bound, true},
		"no D beneath d":          {curve(3, nan), sum, bound, false},
		"no D above TV":           {curve(3, nan), distance, sum, false},
		"no d above D":            {curve(math.Inf(1), 0.6), sum, bound, false},
		"D below what is shown":   {curve(3, 1e-9), sum, bound, true},
		"all below what is shown": {curve(1e-8, 1e-9), sum, bound, false},
	} {
		if drawn := addBand(p, c.curve, c.low, c.high, figure.Swatch{Color: color.Black}); drawn != c.drawn {
			t.Errorf("%s: drawn %v", name, drawn)
		}
	}
	toy := longtest.Must(toys.Parse("cells:0:0"))(t)
	row := couple.Row{Setting: samplers.Setting{Problem: &samplers.Problem{Toy: toy}}, Coupling: "rows", Lag: 1, Within: 0.25}
	row.Curve = curve(0, 0)
	for i := range row.Curve {
		row.Curve[i].TV = 0
	}
	if _, err := coupleFigure([]couple.Row{row}); err == nil {
		t.Error("a figure of nothing is drawn")
	}
}
