package targets

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains/paths"
	"breadboard/exact/stages"
	"breadboard/grid"
	"breadboard/grid/longtest"
	"breadboard/toys"
)

// drawn returns what toys show draws of a toy.
func drawn(t *testing.T, selector string) string {
	t.Helper()
	toy := longtest.Must(toys.Parse(selector))(t)
	path := longtest.Must(paths.NewGeometric(nil, toy.G))(t)
	text := longtest.Must(drawText(toy, stages.Distribution(path, 1)))(t)
	return text
}

// TestDrawText: spaces of three axes or more are drawn as slices or marginals where these are few, else by state where the space is
// small, and else by level of g.
func TestDrawText(t *testing.T) {
	if got, want := drawn(t, "ising:2x2:1"), `x0=0 x1=0  x0=0 x1=1  x0=1 x1=0  x0=1 x1=1
+----+     +----+     +----+     +----+
|██··|     |····|     |····|     |····|
|····|     |····|     |····|     |··██|
+----+     +----+     +----+     +----+
`; !strings.HasPrefix(got, want) {
		t.Errorf("drawn\n%swant\n%s", got, want)
	}
	got := drawn(t, "random:1:0:4x4x4x4x4")
	if strings.Count(got, " down, x") != 10 || !strings.HasPrefix(got, "x1 down, x0 across  x2 down, x0 across") {
		t.Errorf("drawn\n%s", got)
	}
	for line := range strings.Lines(got) {
		if n := len([]rune(line)); n > textColumns+10 {
			t.Errorf("a line of %d characters: %s", n, line)
		}
	}
	// On a line of seven spins f is e^6 where all are equal, and e^4 where the last is not. The sum of f is 2 (2 cosh 1)^6.
	z := 2 * math.Pow(2*math.Cosh(1), 6)
	bar := strings.Repeat("█", int(math.Round(40*math.Exp(-2))))
	first := fmt.Sprintf("0,0,0,0,0,0,0  g         6  p %9.4g  %s\n0,0,0,0,0,0,1  g         4  p %9.4g  %s\n", math.Exp(6)/z, strings.Repeat("█", 40), math.Exp(4)/z, bar)
	if got := drawn(t, "ising:1x7:1"); !strings.HasPrefix(got, first) || strings.Count(got, "\n") != 128 {
		t.Errorf("drawn\n%swant\n%s", got, first)
	}
	// On the 3x3 torus with all spins equal 18 pairs are; turning one over makes four of them unequal, turning two neighbours
	// over six, and turning over a row, of which there are three, six as well.
	if got := drawn(t, "ising:3x3:0.5:torus"); !strings.HasPrefix(got, "g  9  states   2  p ") || !strings.Contains(got, "\ng  5  states  18  p ") || !strings.Contains(got, "\ng  3  states  48  p ") {
		t.Errorf("drawn\n%s", got)
	}
	if got := drawn(t, "random:1:0:2x2x2x2x2x2x2x2"); strings.Count(got, " to ") != levelBins || strings.Count(got, "\n") != levelBins {
		t.Errorf("drawn\n%s", got)
	}
}

// TestLevels: every state is in one level, with its probability, the levels go down, and a bin has the states between its ends.
func TestLevels(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.OneOf(rapid.Float64Range(-5, 5), rapid.SampledFrom([]float64{0, 1, math.Inf(-1), 1e308, -1e308}))
		g := rapid.SliceOfN(value, 1, 100).Draw(t, "g")
		p := rapid.SliceOfN(rapid.Float64Range(0, 1), len(g), len(g)).Draw(t, "p")
		different := map[float64]bool{}
		total := 0.0
		for x, v := range g {
			different[v] = true
			total += p[x]
		}
		levels := levelsOf(g, p)
		states, mass := 0, 0.0
		for _, l := range levels {
			states += l.states
			mass += l.p
		}
		if states != len(g) || math.Abs(mass-total) > 1e-12 {
			t.Fatalf("%d of %d states, with %v of %v", states, len(g), mass, total)
		}
		switch {
		case len(different) <= maxLevels && len(levels) != len(different):
			t.Fatalf("%d levels of %d values", len(levels), len(different))
		case len(different) > maxLevels && (len(levels) < levelBins || len(levels) > levelBins+1 || levels[0].states == 0 || levels[levelBins-1].states == 0):
			t.Fatalf("bins %+v", levels)
		}
	})
}

// TestLevelBins: bins hold what lies between their ends. The values 0, 1, ..., 48 fill each of 24 bins of width two with two
// values, where the upper end belongs to the bin, and the least value to the last.
func TestLevelBins(t *testing.T) {
	space := grid.MustNew(49, 1, 1)
	toy := &toys.Toy{Space: space, G: make([]float64, 49)}
	p := make([]float64, 49)
	for x := range p {
		toy.G[x], p[x] = float64(x), float64(x)
	}
	lines := strings.Split(TextLevels(toy, p), "\n")
	if first := strings.Join(strings.Fields(lines[0])[:8], " "); first != "g 46 to 48 states 2 p 95" {
		t.Errorf("the first bin is %q", first)
	}
	if last := strings.Join(strings.Fields(lines[23]), " "); last != "g 0 to 2 states 3 p 3 █" || lines[24] != "" {
		t.Errorf("the last bin is %q", last)
	}
}
