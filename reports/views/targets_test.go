package views

import (
	"bufio"
	"bytes"
	"fmt"
	"image/color"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
	"pgregory.net/rapid"

	"breadboard/chains/paths"
	"breadboard/exact/stages"
	"breadboard/experiments/annealing/tightness"
	"breadboard/experiments/checks/kernel"
	"breadboard/grid"
	"breadboard/grid/longtest"
	"breadboard/reports"
	"breadboard/reports/figure"
	"breadboard/reports/internal/reporttest"
	"breadboard/reports/views/annealing"
	"breadboard/reports/views/checks"
	targets "breadboard/reports/views/data"
	"breadboard/toys"
	"breadboard/toys/models"
)

// TestCollageFigures draws slices and marginals in Figure 4, which says what they are.
func TestCollageFigures(t *testing.T) {
	for selector, want := range map[string]string{"random:2:7:3x4x5": "slices of fixed x", "random:2:7:2x2x2x2x2x2x2": "marginals of pairs of axes"} {
		f := longtest.Must(annealing.Figure4(tightness.Intermediate(reporttest.Solved(t, []int{10}, selector), []float64{0.5})))(t)
		if text := string(reporttest.SVG(t, f)); !strings.Contains(text, want) {
			t.Errorf("%s: nothing says %q", selector, want)
		}
	}
}

// TestPeakedTarget draws a target whose cells but for one would be black: its colours show decades.
func TestPeakedTarget(t *testing.T) {
	for selector, want := range map[string]bool{"random:20:7:3x4x5": true, "random:1:7:3x4x5": false} {
		rows := reporttest.Solved(t, []int{10}, selector)
		r := targets.ToyReport(rows[0].Toy, rows[0].Solution.Target)
		f := longtest.Must(r.Figures()[0].Draw())(t)
		if text := string(reporttest.SVG(t, f)); strings.Contains(text, "darkest") != want {
			t.Errorf("%s: the scale of colours is logarithmic: %v", selector, !want)
		}
	}
}

// kite returns a toy on a triangle with a tail, with places for its states or without.
func kite(t *testing.T, places bool) string {
	t.Helper()
	t.Chdir(t.TempDir())
	text := "ann,0,0,0\nbob,1.5,0,2\ncat,-2,1.5,1\ndan,2,3,1\neve,0.5,4,2\n"
	if !places {
		text = "ann,0\nbob,1.5\ncat,-2\ndan,2\neve,0.5\n"
	}
	for name, text := range map[string]string{"kite.csv": "ann,bob\nbob,cat\ncat,ann\ncat,dan\ndan,eve\n", "g.csv": text} {
		longtest.NoError(t, os.WriteFile(name, []byte(text), 0o644))
	}
	return "graph:kite.csv:g.csv"
}

// TestGraphFigures draws a graph with places beside a plane, and one without beside another: Figure
// 4, and the defect of a wrong kernel.
func TestGraphFigures(t *testing.T) {
	longtest.Only(t)
	here := longtest.Must(os.Getwd())(t)
	for name, places := range map[string]bool{"nodes": true, "bars": false} {
		rows := reporttest.Solved(t, []int{100}, kite(t, places), "easy", "graph:permutations:3:random:2:0")
		four := longtest.Must(annealing.Figure4(tightness.Intermediate(rows, tightness.PaperBetas())))(t)
		k := kernel.Row{Kernel: "wrong", Toy: rows[0].Toy, Defect: []float64{0.01, -0.03, 0.1, -0.09, 0.01}, DefectBeta: 0.5}
		defect := longtest.Must(checks.DefectFigure(&k))(t)
		t.Chdir(here)
		reporttest.Figure(t, "figure4_"+name, four)
		reporttest.Figure(t, "defect_"+name, defect)
	}
}

// bytesOf returns what a stream writes.
func bytesOf(s reports.Stream) []byte {
	var b bytes.Buffer
	w := bufio.NewWriter(&b)
	s(w)
	w.Flush()
	return b.Bytes()
}

// TestTargetsReadBack writes random targets as CSV and .npy and reads them as a toy.
func TestTargetsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sides := rapid.SliceOfN(rapid.IntRange(1, 4), 1, 3).Draw(t, "sides")
		toy := longtest.Must(toys.Random(rapid.Float64Range(0, 1e6).Draw(t, "sigma"), rapid.Uint32().Draw(t, "seed"), grid.MustNew(sides...)))(t)
		same(t, toy)(toys.ParseNPY(bytesOf(longtest.Must(targets.TargetNPY(toy))(t))))
		data, err := targets.TargetCSV(toy)
		if len(sides) > 2 || len(sides) == 2 && sides[0] == 1 { // which would be read back as a plane, or as one axis
			longtest.Refused(t, err, "npy")
			return
		}
		longtest.NoError(t, err)
		same(t, toy)(toys.ParseCSV(bytesOf(data)))
	})
}

// same fails unless a toy is read back as it was.
func same(t *rapid.T, toy *toys.Toy) func(*grid.Lattice, []float64, error) {
	return func(space *grid.Lattice, g []float64, err error) {
		if err != nil || space.String() != toy.Space.String() || !slices.Equal(g, toy.G) {
			t.Fatalf("%v with %v, %v, want %v with %v", space, g, err, toy.Space, toy.G)
		}
	}
}

func TestTextHeatMap(t *testing.T) {
	toy := longtest.Must(toys.Parse("barrier:5x5"))(t)
	path := longtest.Must(paths.NewGeometric(nil, toy.G))(t)
	m := longtest.Must(targets.TextHeatMap(toy, stages.Distribution(path, 1)))(t)
	want := "+----------+\n|░░░░··████|\n|░░░░··████|\n|··········|\n|░░░░··░░░░|\n|░░░░··░░░░|\n+----------+\n"
	if !strings.HasPrefix(m, want) {
		t.Errorf("%s\nwant\n%s", m, want)
	}
	for selector, want := range map[string]string{"random:1:0:2x2x2": "has 3 dimensions", "random:1:0:2x101": "is 101 columns wide"} {
		toy := longtest.Must(toys.Parse(selector))(t)
		longtest.Refuses(targets.TextHeatMap(toy, make([]float64, toy.Space.States())))(t, want)
	}
}

// TestPictures: what is too large to draw, or a grid of too many axes, is refused with the reason,
// and a lattice among the graphs is drawn as a lattice.
func TestPictures(t *testing.T) {
	for selector, want := range map[string]targets.Picture{"graph:torus:3x3:random:1:0": 0, "graph:cycle:5:random:1:0": targets.Bars,
		"graph:hypercube:6:random:1:0": targets.Bars, "easy": 0, "random:1:0:7": targets.Parts, "random:1:0:2x2x2": targets.Parts} {
		toy := longtest.Must(toys.Parse(selector))(t)
		if got, err := targets.PictureOf(toy); err != nil || got != want {
			t.Errorf("%s is drawn as %v, %v", selector, got, err)
		}
	}
	for selector, want := range map[string]string{"graph:hypercube:7:random:1:0": "at most 100 are drawn as bars",
		"random:1:0:2x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x17x1x1": "at most 20 are drawn"} {
		toy := longtest.Must(toys.Parse(selector))(t)
		longtest.Refuses(targets.PictureOf(toy))(t, want)
	}
	toy := longtest.Must(toys.Parse("graph:hypercube:11:random:1:0"))(t)
	toy.Layout = make([]toys.Place, 2048)
	longtest.Refuses(targets.PictureOf(toy))(t, "at most 2000 are drawn as a graph")
}

// discs returns the middles of the discs that are drawn for the states of a toy, whose places are
// given.
func discs(t *testing.T, places []toys.Place, box vg.Rectangle) (at []vg.Point) {
	toy := &toys.Toy{Name: "drawn", Space: longtest.Must(grid.NewAdjacency([]string{"a", "b", "c"}[:len(places)], make([][]int, len(places))))(t), Layout: places}
	var on recorder.Canvas
	grey := func(float64) color.Color { return color.Gray{0x80} }
	targets.DrawStates(draw.NewCanvas(&on, 100, 60), figure.Style{}, toy, targets.Nodes, make([]float64, len(places)), 0, 1, grey, box, true)
	for _, action := range on.Actions {
		if fill, is := action.(*recorder.Fill); is && len(fill.Path) > 10 { // else it is the ground of a name
			middle, corners := vg.Point{}, vg.Length(0)
			for _, corner := range fill.Path {
				if corner.Type == vg.MoveComp || corner.Type == vg.LineComp {
					middle, corners = middle.Add(corner.Pos), corners+1
				}
			}
			at = append(at, vg.Point{X: middle.X / corners, Y: middle.Y / corners})
		}
	}
	return at
}

// TestPlacesKeepProportions: a layout is scaled alike in both directions, whatever its size, and
// stays in its box.
func TestPlacesKeepProportions(t *testing.T) {
	box := vg.Rectangle{Max: vg.Point{X: 100, Y: 60}}
	for _, scale := range []float64{1e-100, 1, 1e100} {
		at := discs(t, []toys.Place{{X: 0, Y: 0}, {X: 3 * scale, Y: 0}, {X: 0, Y: scale}}, box)
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
	if at := discs(t, []toys.Place{{X: 5, Y: 5}}, box); math.Abs(float64(at[0].X-50)) > 1e-9 {
		t.Errorf("one state is at %v", at)
	}
}

func TestTextBars(t *testing.T) {
	toy := longtest.Must(toys.Parse("graph:path:3:random:1:0"))(t)
	got, err := targets.TextBars(toy, []float64{0.5, 0, 0.5})
	if want := "0  g     1.764  p       0.5  " + strings.Repeat("█", 40) + "\n1  g    0.4002  p         0\n2  g    0.9787  p       0.5  " +
		strings.Repeat("█", 40) + "\n"; err != nil || got != want {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
	longtest.Refuses(targets.TextBars(toy, make([]float64, 201)))(t, "as csv")
}

// TestTargetByLabel: what is written of any labels, numbers and places reads back as it was.
func TestTargetByLabel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "n")
		labels := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z0-9",;|é' -]{1,12}`).Filter(func(s string) bool { return grid.CheckLabel(s) == nil }), n,
			n, rapid.ID).Draw(t, "labels")
		g := longtest.Must(grid.NewAdjacency(labels, make([][]int, n)))(t)
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
		text := bytesOf(longtest.Must(targets.TargetCSV(toy))(t))
		logf, layout, err := toys.ParseByLabel(text, g)
		if err != nil || !slices.Equal(logf, toy.G) || !slices.Equal(layout, toy.Layout) {
			t.Fatalf("%s reads back as %v %v: %v", text, logf, layout, err)
		}
		longtest.Refuses(targets.TargetNPY(toy))(t, "has no labels")
	})
}

// TestCollage: the slices of a grid have each state once, in a place of its own; the marginals of
// its pairs of axes are those that are found the slow way, and each sums to one if the numbers do.
func TestCollage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sides := rapid.SliceOfN(rapid.IntRange(1, 4), 1, 5).Draw(t, "sides")
		l := longtest.Must(grid.New(sides...))(t)
		if len(sides) == 2 {
			return // a plane
		}
		toy := &toys.Toy{Space: l}
		v := make([]float64, l.States())
		for x := range v {
			v[x] = float64(1 + x)
		}
		shown := targets.ShownValues(toy, longtest.Must(targets.PictureOf(toy))(t), v)
		if !strings.Contains(targets.PartsNote(toy, targets.Parts), "marginals") {
			if !slices.Equal(shown, v) { // slices are in the order of the states
				t.Fatalf("the cells of %v are %v", sides, shown)
			}
			return
		}
		for i := 1; i < len(sides); i++ {
			for j := range i {
				for a := range sides[i] {
					for b := range sides[j] {
						want := 0.0
						for x := range v {
							if coords := l.Coords(x); coords[i] == a && coords[j] == b {
								want += v[x]
							}
						}
						if math.Abs(shown[0]-want) > 1e-9 {
							t.Fatalf("axes %d and %d: %v at %d,%d, want %v", i, j, shown[0], a, b, want)
						}
						shown = shown[1:]
					}
				}
			}
		}
		if len(shown) > 0 {
			t.Fatalf("%d more cells than the marginals have", len(shown))
		}
	})
}

// ofYesAndNo returns a toy on a grid with as many axes as there are names, each of two values, yes
// and no.
func ofYesAndNo(names ...string) *toys.Toy {
	toy := &toys.Toy{Name: "net"}
	var sides []int
	for _, name := range names {
		toy.Axes, sides = append(toy.Axes, models.Axis{Name: name, Labels: []string{"yes", "no"}}), append(sides, 2)
	}
	toy.Space = grid.MustNew(sides...)
	toy.G = make([]float64, toy.Space.States())
	return toy
}

// uniform returns the probabilities of a target without preferences.
func uniform(toy *toys.Toy) []float64 {
	p := make([]float64, len(toy.G))
	for x := range p {
		p[x] = 1 / float64(len(p))
	}
	return p
}

// TestLabelledDrawings: wherever a grid says row, column and coordinate, one whose axes have labels
// says the names of the axes and the labels.
func TestLabelledDrawings(t *testing.T) {
	plane, many := ofYesAndNo("tub", "lung"), ofYesAndNo("a", "b", "c", "d", "e", "f", "g", "h")
	digits := strings.Split("01234567", "")
	slices := &toys.Toy{Name: "net", Space: grid.MustNew(2, 2, 8, 8), G: make([]float64, 256),
		Axes: append(ofYesAndNo("a", "b").Axes, models.Axis{Name: "d", Labels: digits}, models.Axis{Name: "e", Labels: digits})}
	cases := []struct {
		what, text string
		want       []string
	}{
		{"a plane", shownText(t, plane, uniform(plane)), []string{"root: tub (yes, no) down, lung (yes, no) across"}},
		{"one axis", shownText(t, ofYesAndNo("tub"), []float64{0.25, 0.75}), []string{"tub=yes  g ", "tub=no   g"}},
		{"few states", shownText(t, ofYesAndNo("tub", "lung", "xray"), uniform(ofYesAndNo("tub", "lung", "xray"))), []string{"tub=yes,lung=no,xray=yes   g"}},
		{"slices", shownText(t, slices, uniform(slices)), []string{"a=yes b=no",
			"d down and e across: d (0, 1, 2, 3, 4, 5, 6, 7) down, e (0, 1, 2, 3, 4, 5, 6, 7) across"}},
		{"a figure of a plane", targets.PartsNote(plane, 0), []string{"net: tub (yes, no) down, lung (yes, no) across."}},
		{"a figure of slices", targets.PartsNote(ofYesAndNo("tub", "lung", "xray"), targets.Parts),
			[]string{"slices of fixed tub, row by row: lung (yes, no) down, xray (yes, no) across"}},
		{"a figure of an axis of many values", targets.PartsNote(&toys.Toy{Name: "many", Space: grid.MustNew(10),
			Axes: []models.Axis{{Name: "eta", Labels: strings.Split("0123456789", "")}}}, targets.Parts), []string{"eta (0, 1, 2, 3, 4, 5, 6, 7, ...) across."}},
		{"a figure of marginals", targets.PartsNote(many, targets.Parts), []string{"where x_{0} to x_{7} are a, b, c, d, e, f, g, h"}},
	}
	for _, c := range cases {
		for _, want := range c.want {
			if !strings.Contains(c.text, want) {
				t.Errorf("%s says nothing of %q:\n%s", c.what, want, c.text)
			}
		}
	}
	states := targets.ToyStates(plane, uniform(plane))
	for k, want := range map[string]any{"coordinates": nil, "label": "tub=yes,lung=no"} {
		for i, column := range states.Columns {
			if column.Name == k && states.Rows[1][i] != want {
				t.Errorf("column %s of state 1 is %v, want %v", k, states.Rows[1][i], want)
			}
		}
	}
}

// shownText returns what toys show says of a toy, behind the description.
func shownText(t *testing.T, toy *toys.Toy, p []float64) string {
	t.Helper()
	text, notes := targets.ToyReport(toy, p).Tables()[0].Plain()
	if len(notes) > 0 {
		t.Fatal(notes)
	}
	return strings.TrimPrefix(text, targets.DescribeToy(toy))
}

// drawn returns what toys show draws of a toy.
func drawn(t *testing.T, selector string) string {
	t.Helper()
	toy := longtest.Must(toys.Parse(selector))(t)
	path := longtest.Must(paths.NewGeometric(nil, toy.G))(t)
	return shownText(t, toy, stages.Distribution(path, 1))
}

// TestDrawText: spaces of three axes or more are drawn as slices or marginals if these are few,
// else by state where the space is small, and else by level of g.
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
		if n := len([]rune(line)); n > 90 {
			t.Errorf("a line of %d characters: %s", n, line)
		}
	}
	// On a line of seven spins f is e^6 if all are equal, and e^4 if the last is not. The sum of f
	// is 2 (2 cosh 1)^6.
	z := 2 * math.Pow(2*math.Cosh(1), 6)
	bar := strings.Repeat("█", int(math.Round(40*math.Exp(-2))))
	first := fmt.Sprintf("0,0,0,0,0,0,0  g         6  p %9.4g  %s\n0,0,0,0,0,0,1  g         4  p %9.4g  %s\n", math.Exp(6)/z, strings.Repeat("█", 40),
		math.Exp(4)/z, bar)
	if got := drawn(t, "ising:1x7:1"); !strings.HasPrefix(got, first) || strings.Count(got, "\n") != 128 {
		t.Errorf("drawn\n%swant\n%s", got, first)
	}
	// On the 3x3 torus with all spins equal 18 pairs are; turning one over makes four of them
	// unequal, turning two neighbours over six, and turning over a row, of which there are three,
	// six as well.
	if got := drawn(t, "ising:3x3:0.5:torus"); !strings.HasPrefix(got, "g  9  states   2  p ") || !strings.Contains(got, "\ng  5  states  18  p ") ||
		!strings.Contains(got, "\ng  3  states  48  p ") {
		t.Errorf("drawn\n%s", got)
	}
	if got := drawn(t, "random:1:0:2x2x2x2x2x2x2x2"); strings.Count(got, " to ") != levelBins || strings.Count(got, "\n") != levelBins {
		t.Errorf("drawn\n%s", got)
	}
}

const (
	maxLevels = 40 // values of g that are each printed
	levelBins = 24 // and the bins of more of them
)

// TestLevels: every state is in one level, with its probability, the levels go down, and a bin has
// the states between its ends.
func TestLevels(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.OneOf(rapid.Float64Range(-5, 5), rapid.SampledFrom([]float64{0, 1, math.Inf(-1), 1e308, -1e308}))
		g := rapid.SliceOfN(value, 1, 100).Draw(t, "g")
		p, total, different := make([]float64, len(g)), 0.0, map[float64]bool{}
		for x, v := range g {
			p[x] = float64(rapid.IntRange(max(0, 1-x), 9).Draw(t, "p")) // so that sums have few digits, and the first is above zero
			total += p[x]
			different[v] = true
		}
		var counts []int
		states, mass := 0, 0.0
		for line := range strings.Lines(targets.TextLevels(&toys.Toy{G: g}, p)) {
			var n int
			var sum float64
			_, numbers, _ := strings.Cut(line, "states")
			longtest.Must(fmt.Sscanf(numbers, "%d p %g", &n, &sum))(t)
			counts, states, mass = append(counts, n), states+n, mass+sum
		}
		if states != len(g) || mass != total {
			t.Fatalf("%d of %d states, with %v of %v", states, len(g), mass, total)
		}
		switch {
		case len(different) <= maxLevels && len(counts) != len(different):
			t.Fatalf("%d levels of %d values", len(counts), len(different))
		case len(different) > maxLevels && (len(counts) < levelBins || len(counts) > levelBins+1 || counts[0] == 0 || counts[levelBins-1] == 0):
			t.Fatalf("bins with %v states", counts)
		}
	})
}

// TestLevelBins: bins hold what lies between their ends. The values 0, 1, ..., 48 fill each of 24
// bins of width two with two values, where the upper end belongs to the bin, and the least value to
// the last.
func TestLevelBins(t *testing.T) {
	space := grid.MustNew(49, 1, 1)
	toy := &toys.Toy{Space: space, G: make([]float64, 49)}
	p := make([]float64, 49)
	for x := range p {
		toy.G[x], p[x] = float64(x), float64(x)
	}
	lines := strings.Split(targets.TextLevels(toy, p), "\n")
	if first := strings.Join(strings.Fields(lines[0])[:8], " "); first != "g 46 to 48 states 2 p 95" {
		t.Errorf("the first bin is %q", first)
	}
	if last := strings.Join(strings.Fields(lines[23]), " "); last != "g 0 to 2 states 3 p 3 █" || lines[24] != "" {
		t.Errorf("the last bin is %q", last)
	}
}
