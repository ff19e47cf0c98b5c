package catalogue

import (
	"bufio"
	"bytes"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains/paths"
	"breadboard/exact/stages"
	"breadboard/experiments/annealing/tightness"
	"breadboard/experiments/checks/kernel"
	"breadboard/experiments/data/show"
	"breadboard/experiments/forms"
	"breadboard/grid"
	"breadboard/grid/longtest"
	"breadboard/reports"
	"breadboard/toys"
	"breadboard/toys/models"
)

// TestPeakedTarget draws a target whose cells but for one would be black: its colours show decades.
func TestPeakedTarget(t *testing.T) {
	for selector, want := range map[string]bool{"random:20:7:8x8": true, "random:1:7:8x8": false} {
		rows := solvedRows(t, []int{10}, selector)
		r := show.ToyReport(rows[0].Toy, rows[0].Solution.Target)
		f := longtest.Must(r.Figures()[0].Draw())(t)
		if text := string(encodeSVG(t, f)); strings.Contains(text, "darkest") != want {
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
	for name, text := range map[string]string{
		"kite.csv": "ann,bob\nbob,cat\ncat,ann\ncat,dan\ndan,eve\n", "g.csv": text} {
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
		rows := solvedRows(t, []int{100}, kite(t, places), "easy", "graph:permutations:3:random:2:0")
		four := longtest.Must(tightness.DistributionMaps(tightness.Intermediate(rows, tightness.PaperBetas())))(t)
		k := kernel.Row{
			Kernel:     "wrong",
			Toy:        rows[0].Toy,
			Defect:     []float64{0.01, -0.03, 0.1, -0.09, 0.01},
			DefectBeta: 0.5,
		}
		defect := longtest.Must(kernel.DefectFigure(&k))(t)
		t.Chdir(here)
		checkFigure(t, "distributions_"+name, four)
		checkFigure(t, "defect_"+name, defect)
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
		toy := longtest.Must(toys.Random(rapid.Float64Range(0, 1e6).Draw(t, "sigma"),
			rapid.Uint32().Draw(t, "seed"), grid.MustNew(sides...)))(t)
		same(t, toy)(toys.ParseNPY(bytesOf(longtest.Must(show.TargetNPY(toy))(t))))
		data, err := show.TargetCSV(toy)
		if len(sides) > 2 || len(sides) == 2 && sides[0] == 1 {
			// which would be read back as a plane, or as one axis
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
	toy := longtest.Must(forms.All().Parse("barrier:5x5"))(t)
	path := longtest.Must(paths.NewGeometric(nil, toy.G))(t)
	m := longtest.Must(show.TextHeatMap(toy, stages.Distribution(path, 1)))(t)
	want :=
		"+----------+\n|░░░░··████|\n|░░░░··████|\n|··········|\n|░░░░··░░░░|\n|░░░░··░░░░|\n+----------+\n"
	if !strings.HasPrefix(m, want) {
		t.Errorf("%s\nwant\n%s", m, want)
	}
	for selector, want := range map[string]string{
		"random:1:0:2x2x2": "has 3 dimensions", "random:1:0:2x101": "is 101 columns wide"} {
		toy := longtest.Must(forms.All().Parse(selector))(t)
		longtest.Refuses(show.TextHeatMap(toy, make([]float64, toy.Space.States())))(t, want)
	}
}

// TestPictures: what is too large to draw, or a grid of too many axes, is refused with the reason,
// and a lattice among the graphs is drawn as a lattice.
func TestPictures(t *testing.T) {
	for selector, want := range map[string]show.Picture{
		"graph:torus:3x3:random:1:0": 0, "graph:cycle:5:random:1:0": show.Bars,
		"graph:hypercube:6:random:1:0": show.Bars, "easy": 0, "random:1:0:7": show.Bars,
		"random:1:0:2x2x2": show.Bars} {
		toy := longtest.Must(forms.All().Parse(selector))(t)
		if got, err := show.PictureOf(toy); err != nil || got != want {
			t.Errorf("%s is drawn as %v, %v", selector, got, err)
		}
	}
	for selector, want := range map[string]string{
		"graph:hypercube:7:random:1:0": "at most 100 are drawn as bars",
		"random:1:0:5x5x5":             "at most 100 are drawn as bars"} {
		toy := longtest.Must(forms.All().Parse(selector))(t)
		longtest.Refuses(show.PictureOf(toy))(t, want)
	}
	toy := longtest.Must(forms.All().Parse("graph:hypercube:11:random:1:0"))(t)
	toy.Layout = make([]toys.Place, 2048)
	longtest.Refuses(show.PictureOf(toy))(t, "at most 2000 are drawn as a graph")
}

// TestTargetByLabel: what is written of any labels, numbers and places reads back as it was.
func TestTargetByLabel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "n")
		labels := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z0-9",;|é' -]{1,12}`).Filter(
			func(s string) bool { return grid.CheckLabel(s) == nil },
		), n,
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
		text := bytesOf(longtest.Must(show.TargetCSV(toy))(t))
		logf, layout, err := toys.LogF().ParseByLabel(text, g)
		if err != nil || !slices.Equal(logf, toy.G) || !slices.Equal(layout, toy.Layout) {
			t.Fatalf("%s reads back as %v %v: %v", text, logf, layout, err)
		}
		longtest.Refuses(show.TargetNPY(toy))(t, "has no labels")
	})
}

// ofYesAndNo returns a toy on a grid with as many axes as there are names, each of two values, yes
// and no.
func ofYesAndNo(names ...string) *toys.Toy {
	toy := &toys.Toy{Name: "net"}
	var sides []int
	for _, name := range names {
		toy.Axes, sides = append(toy.Axes, models.Axis{Name: name, Labels: []string{"yes", "no"}}),
			append(sides, 2)
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
	plane := ofYesAndNo("tub", "lung")
	cases := []struct {
		what, text string
		want       []string
	}{
		{"a plane", shownText(t, plane, uniform(plane)),
			[]string{"root: tub (yes, no) down, lung (yes, no) across"}},
		{"one axis", shownText(t, ofYesAndNo("tub"), []float64{0.25, 0.75}),
			[]string{"tub=yes  g ", "tub=no   g"}},
		{"few states", shownText(t, ofYesAndNo("tub", "lung", "xray"),
			uniform(ofYesAndNo("tub", "lung", "xray"))), []string{"tub=yes,lung=no,xray=yes   g"}},
		{"a figure of a plane", (&show.StateMap{Toy: plane}).Note(),
			[]string{"net: tub (yes, no) down, lung (yes, no) across."}},
	}
	for _, c := range cases {
		for _, want := range c.want {
			if !strings.Contains(c.text, want) {
				t.Errorf("%s says nothing of %q:\n%s", c.what, want, c.text)
			}
		}
	}
	states := show.ToyStates(plane, uniform(plane))
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
	text, notes := show.ToyReport(toy, p).Tables()[0].Plain()
	if len(notes) > 0 {
		t.Fatal(notes)
	}
	return strings.TrimPrefix(text, show.DescribeToy(toy))
}
