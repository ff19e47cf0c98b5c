package toys_test

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/grid"
	"breadboard/grid/longtest"
	"breadboard/toys"
	"breadboard/toys/forms"
)

// TestMixtureOfGraphs: parts on graphs that have the same number of states and other labels or
// neighbours are refused.
func TestMixtureOfGraphs(t *testing.T) {
	t.Chdir(written(t,
		map[string]string{"line.csv": "a,b\nb,c\n", "other.csv": "a,b\na,c\n", "renamed.csv": "a,b\nb,d\n"}))
	text := func(second string) string {
		return "mixture:1*graph:line.csv:random:1:0+1*graph:" + second + ":random:1:1"
	}
	toy := parsed(t, text("line.csv"))
	if !toy.ByLabel() || toy.State(2) != "c" {
		t.Errorf("its third state is %s", toy.State(2))
	}
	for _, second := range []string{"other.csv", "renamed.csv", "path:3", "complete:3"} {
		longtest.Refuses(forms.Targets().Parse(text(second)))(t, "the parts of a mixture are on one space", second)
	}
	longtest.Refuses(forms.Targets().Parse("mixture:1*random:1:0:3+1*graph:path:3:random:1:0"))(t, "one space")
}

// TestMixtureIsAverage: the probabilities of a mixture are the weighted averages of those of its
// parts, whatever constants are added to their log f and whatever unit the weights have, and if
// some are zero.
func TestMixtureIsAverage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(t, "states")
		k := rapid.IntRange(1, 4).Draw(t, "parts")
		unit := rapid.SampledFrom([]float64{1, 1e-300, 1e300}).Draw(t, "unit")
		space := grid.MustNew(n)
		var parts []toys.Component
		want := make([]float64, n)
		total := 0.0
		for range k {
			shift := rapid.SampledFrom([]float64{0, 1e5, -1e5}).Draw(t, "shift")
			g := make([]float64, n)
			for x := range g {
				g[x] = rapid.SampledFrom([]float64{0, 1, -2, 300, -300, math.Inf(-1)}).Draw(t, "g")
			}
			g[rapid.IntRange(0, n-1).Draw(t, "mass")] = 0.5
			p := append([]float64(nil), g...)
			chains.Normalize(p)
			w := rapid.SampledFrom([]float64{1, 3, 0.25, 1e-6}).Draw(t, "weight")
			for x := range p {
				want[x] += w * p[x]
				g[x] += shift
			}
			total += w
			parts = append(parts, toys.Component{Weight: w * unit, Toy: &toys.Toy{Name: "part", Space: space, G: g}})
		}
		toy := longtest.Sure(toys.Mixture(parts...))
		for x, g := range toy.G {
			if p := want[x] / total; (p == 0) != math.IsInf(g, -1) || math.Abs(math.Exp(g)-p) > 1e-12*p {
				t.Fatalf("state %d has %v, want %v", x, math.Exp(g), p)
			}
		}
	})
}

// TestSmoothIsTheInitial: the target is where an annealing from smoothed:PASSES to the random
// target starts.
func TestSmoothIsTheInitial(t *testing.T) {
	for _, passes := range []string{"0", "1", "3"} {
		random := parsed(t, "random:10:3:4x5")
		smooth := parsed(t, "smooth:10:3:"+passes+":4x5")
		initial := longtest.Sure(forms.Targets().ParseInitial(t.Context(), "smoothed:"+passes, random))
		path := longtest.Sure(forms.Targets().ParsePath("geometric", initial.Ends, random))
		start := make([]float64, len(smooth.G))
		path.LogF(start, chains.At(0))
		for x := range start {
			if d := start[x] - start[0] - (smooth.G[x] - smooth.G[0]); math.Abs(d) > 1e-13 {
				t.Errorf("%s passes: state %d differs by %v", passes, x, d)
			}
		}
	}
}

// TestNested: a selector with too many others within it is refused as it stands, by all that look
// into it before it is parsed.
func TestNested(t *testing.T) {
	for _, level := range []string{"quotient:neighbours:", "quotient:a+b:", "quotient:neighbours:1e+3:",
		"mixture:0.5*quotient:neighbours:"} {
		text := strings.Repeat(level, 20_000) + "file:secret.csv"
		if allocated := testing.AllocsPerRun(1, func() {
			if _, err := forms.Targets().Parse(text); err == nil || len(err.Error()) > 300 {
				t.Errorf("%s: %v", level, err)
			}
			if all := forms.Targets(); all.NamesFile(text) || len(all.FilesOf(text)) > 0 ||
				all.DemandOf(text).Passes > 0 {
				t.Errorf("%s: it is looked into", level)
			}
		}); allocated > 20_000 {
			t.Errorf("%s: %v allocations", level, allocated)
		}
	}
}
