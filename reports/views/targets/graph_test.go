package targets

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	"pgregory.net/rapid"

	"breadboard/grid/graphs"
	"breadboard/grid/longtest"
	"breadboard/toys"
)

// TestPictures: what is too large to draw, or a grid of too many axes, is refused with the reason, and a lattice among
// the graphs is drawn as a lattice.
func TestPictures(t *testing.T) {
	for selector, want := range map[string]Picture{"graph:torus:3x3:random:1:0": cells, "graph:cycle:5:random:1:0": Bars, "graph:hypercube:6:random:1:0": Bars, "easy": cells, "random:1:0:7": Parts, "random:1:0:2x2x2": Parts} {
		toy := longtest.Must(toys.Parse(selector))(t)
		if got, err := PictureOf(toy); err != nil || got != want {
			t.Errorf("%s is drawn as %v, %v", selector, got, err)
		}
	}
	for selector, want := range map[string]string{"graph:hypercube:7:random:1:0": "at most 100 are drawn as bars", "random:1:0:2x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x17x1x1": "at most 20 are drawn"} {
		toy := longtest.Must(toys.Parse(selector))(t)
		if _, err := PictureOf(toy); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", selector, err, want)
		}
	}
	toy := longtest.Must(toys.Parse("graph:hypercube:11:random:1:0"))(t)
	toy.Layout = make([]toys.Place, 2048)
	if _, err := PictureOf(toy); err == nil || !strings.Contains(err.Error(), "at most 2000 are drawn as a graph") {
		t.Error(err)
	}
}

// TestPlacesKeepProportions: a layout is scaled alike in both directions, whatever its size, and stays in its box.
func TestPlacesKeepProportions(t *testing.T) {
	box := vg.Rectangle{Max: vg.Point{X: 100, Y: 60}}
	for _, scale := range []float64{1e-100, 1, 1e100} {
		at := places([]toys.Place{{X: 0, Y: 0}, {X: 3 * scale, Y: 0}, {X: 0, Y: scale}}, box)
		wide, high := float64(at[1].X-at[0].X), float64(at[2].Y-at[0].Y)
		if math.Abs(wide-3*high) > 1e-9 || !(wide > 0) {
			t.Errorf("scale %v: %v by %v", scale, wide, high)
		}
		for _, p := range at {
			if p.X < box.Min.X || p.X > box.Max.X || p.Y < box.Min.Y || p.Y > box.Max.Y {
				t.Errorf("scale %v: %v is outside", scale, p)
			}
		}
	}
	if at := places([]toys.Place{{X: 5, Y: 5}}, box); math.IsNaN(float64(at[0].X)) || at[0].X != 50 {
		t.Errorf("one state is at %v", at)
	}
}

func TestTextBars(t *testing.T) {
	toy := longtest.Must(toys.Parse("graph:path:3:random:1:0"))(t)
	got, err := TextBars(toy, []float64{0.5, 0, 0.5})
	if want := "0  g     1.764  p       0.5  " + strings.Repeat("█", 40) + "\n1  g    0.4002  p         0\n2  g    0.9787  p       0.5  " + strings.Repeat("█", 40) + "\n"; err != nil || got != want {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
	if _, err := TextBars(toy, make([]float64, 201)); err == nil || !strings.Contains(err.Error(), "as csv") {
		t.Error(err)
	}
}

// TestTargetByLabel: what is written of any labels, numbers and places reads back as it was.
func TestTargetByLabel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "n")
		labels := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z0-9",;|é' -]{1,12}`).Filter(func(s string) bool { return graphs.CheckLabel(s) == nil }), n, n, rapid.ID).Draw(t, "labels")
		g := longtest.Must(graphs.NewAdjacency(labels, make([][]int, n)))(t)
		toy := &toys.Toy{Name: "drawn", Space: g, G: make([]float64, n)}
		number := rapid.OneOf(rapid.Float64Range(-1e12, 1e12), rapid.Float64Range(-1e-12, 1e-12))
		for x := range toy.G {
			toy.G[x] = number.Draw(t, "g")
		}
		if n > 1 && rapid.Bool().Draw(t, "zero") {
			toy.G[0] = math.Inf(-1)
		}
		if rapid.Bool().Draw(t, "places") {
			for range n {
				toy.Layout = append(toy.Layout, toys.Place{X: number.Draw(t, "x"), Y: number.Draw(t, "y")})
			}
		}
		text := longtest.Must(TargetCSV(toy))(t)
		logf, layout, err := toys.ParseByLabel(text, g)
		if err != nil || !slices.Equal(logf, toy.G) || !slices.Equal(layout, toy.Layout) {
			t.Fatalf("%s reads back as %v %v: %v", text, logf, layout, err)
		}
		if _, err := TargetNPY(toy); err == nil {
			t.Fatal("a graph is written as .npy")
		}
	})
}
