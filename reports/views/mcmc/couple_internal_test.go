package mcmc

import (
	"image/color"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"

	"breadboard/grid"
	_ "breadboard/grid/longtest" // whose flags every test package knows
)

// TestMapIsTheRightWayUp: the first row of states is at the top, where its ticks say it is, and
// ticks are at the coordinates of states alone.
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
