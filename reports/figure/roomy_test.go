package figure

import (
	"math"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"pgregory.net/rapid"
)

// TestRoomy: labels do not touch, and where an axis has room for three labels of a logarithmic scale it has three.
func TestRoomy(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		low := rapid.Float64Range(-12, 12).Draw(t, "low")
		high := low + rapid.Float64Range(0.1, 12).Draw(t, "span")
		room := vg.Length(rapid.Float64Range(20, 400).Draw(t, "room"))
		tickers := []plot.Ticker{Decades{}, Linear{}, Signed{Unit: 0.01}}
		r := &roomy{of: rapid.SampledFrom(tickers).Draw(t, "ticker"), room: room, size: func(string) vg.Length { return 10 }}
		ticks := r.Ticks(low, high)
		if got := labelled(ticks); len(got) > 1 && r.touch(got, low, high) {
			t.Errorf("%T from %g to %g: labels touch: %v", r.of, low, high, got)
		}
		for i := 1; i < len(ticks); i++ {
			if apart := vg.Length((ticks[i].Value - ticks[i-1].Value) / (high - low)); ticks[i].Label == "" && ticks[i-1].Label == "" && apart*room < leastTickGap*0.99 && math.Round(ticks[i].Value) != ticks[i].Value {
				t.Errorf("%T from %g to %g: ticks %g pt apart", r.of, low, high, float64(apart*room))
			}
		}
	})
	for _, span := range [][2]float64{{0.8, 2.7}, {0.3, 2.3}, {-2.6, -0.3}, {-9.5, 0.4}, {0.67, 1.22}} {
		r := &roomy{of: Decades{}, room: 66, size: func(string) vg.Length { return 16 }}
		if got := labelled(r.Ticks(span[0], span[1])); len(got) < leastLabels {
			t.Errorf("from 10^%g to 10^%g there are the labels %v alone", span[0], span[1], got)
		}
	}
}

// TestWrapped: an equation stays together where it has room.
func TestWrapped(t *testing.T) {
	style := Label(10, text.XLeft, text.YTop)
	for _, c := range []struct {
		text string
		room string // as wide as this
		want string
	}{
		{"uniform, N = 100", "uniform, N =", "uniform,\nN = 100"},
		{"number of samples N", "number of samples", "number of\nsamples N"},
		{"beta = 0.25", "beta =", "beta =\n0.25"},
		{"AIS, T = 10", "T = 100", "AIS,\nT = 10"},
	} {
		if got := Wrapped(c.text, style, style.Width(c.room)+0.1); got != c.want {
			t.Errorf("%q became %q, want %q", c.text, got, c.want)
		}
	}
}

// TestSimplified: no point of a line is further from the simplified line than is seen, and a line with many points needs few.
func TestSimplified(t *testing.T) {
	line := make(plotter.XYs, 5000)
	for i := range line {
		x := float64(i) / 4999
		line[i] = plotter.XY{X: 1e6 * x, Y: 1e-9 * math.Sin(6*x)}
	}
	few := simplified(line)
	if len(few) > 200 || few[0] != line[0] || few[len(few)-1] != line[4999] {
		t.Fatalf("%d points", len(few))
	}
	k := 0
	for _, at := range line {
		for few[k+1].X < at.X {
			k++
		}
		a, b := few[k], few[k+1]
		if d := toSegment((at.X-a.X)/1e6, (at.Y-a.Y)/2e-9, (b.X-a.X)/1e6, (b.Y-a.Y)/2e-9); d > seen*1.01 {
			t.Fatalf("the point %v is %g from the line", at, d)
		}
	}
}

// TestHole: the lower right corner of a sheet that panels do not fill is found, also where it is a place without a panel.
func TestHole(t *testing.T) {
	p := NewPanel("", "", "")
	for _, c := range []struct {
		rows    [][]*Panel
		columns int
		want    place
	}{
		{[][]*Panel{{p, p, p}}, 2, place{1, 1}},
		{[][]*Panel{{p, p, p, p}}, 2, place{0, 1}},
		{[][]*Panel{{p, p, p}, {p, p, p}}, 2, place{1, 2}},
		{[][]*Panel{{p, p}, {p, nil}}, 2, place{1, 1}},
		{[][]*Panel{{p, p, p}}, 3, place{0, 1}},
	} {
		s := Sheet{Rows: c.rows}
		if got := s.hole(c.columns); got != c.want {
			t.Errorf("%d columns: the hole is %v, want %v", c.columns, got, c.want)
		}
	}
}

// TestUpright: slanted names that would touch are turned upright, and some are left out where there is no room even then.
func TestUpright(t *testing.T) {
	for _, c := range []struct {
		length  vg.Length
		upright bool
		labels  int
	}{{600, false, 10}, {120, true, 10}, {60, true, 5}} {
		p := NewPanel("", "", "")
		var names plot.ConstantTicks
		for i := range 10 {
			names = append(names, plot.Tick{Value: float64(i), Label: "name"})
		}
		p.X.Tick.Marker, p.X.Min, p.X.Max = names, 0, 9
		p.X.Tick.Label.Font.Size = 9
		p.Slanted()
		upright(&p.X, names, c.length, 30)
		if got := p.X.Tick.Label.Rotation == math.Pi/2; got != c.upright {
			t.Errorf("on an axis of %g pt upright is %t", float64(c.length), got)
		}
		if got := len(labelled(p.X.Tick.Marker.Ticks(0, 9))); got != c.labels {
			t.Errorf("on an axis of %g pt there are %d names, want %d", float64(c.length), got, c.labels)
		}
		if len(labelled(names)) != 10 {
			t.Error("the names of the panel have changed")
		}
	}
}
