package toys_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"breadboard/grid"
	"breadboard/grid/longtest"
	"breadboard/toys"
	"breadboard/toys/forms"
	"breadboard/toys/models"
)

// labelled returns a toy of 2x3x1 states whose axes are called as in files in the wild.
func labelled() *toys.Toy {
	return &toys.Toy{
		Name: "net", Space: grid.MustNew(2, 3, 1), G: make([]float64, 6),
		Axes: []models.Axis{{Name: "tub", Labels: []string{"yes", "no"}},
			{Name: "dose", Labels: []string{"<5", "5,0-10", ">=10"}},
			{Name: "p44/42", Labels: []string{"1.0"}}},
	}
}

// TestLabelsOfStates: a state is called by the values of its variables in the order of the axes,
// and found by them in any order.
func TestLabelsOfStates(t *testing.T) {
	toy := labelled()
	if got, want := toy.State(4), "tub=no,dose=5,0-10,p44/42=1.0"; got != want || !toy.InWords() ||
		toy.ByLabel() {
		t.Errorf("state 4 is called %s, want %s", got, want)
	}
	for x := range toy.G {
		for _, name := range []string{toy.State(x), fmt.Sprint(x),
			fmt.Sprintf("2=1,tub=%s,dose=%s", toy.Axes[0].Labels[x/3], toy.Axes[1].Labels[x%3])} {
			if got, err := toy.FindState(name); err != nil || got != x {
				t.Errorf("%s is state %d, %v; want %d", name, got, err, x)
			}
		}
	}
	inside := &toys.Toy{Space: grid.MustNew(2, 2), Axes: []models.Axis{
		{Name: "a", Labels: []string{"x", "y"}}, {Name: "a=b", Labels: []string{"c", "d"}}}}
	if x, err := inside.FindState("a=y,a=b=d"); err != nil || x != 3 {
		t.Errorf("a name that begins as another one is state %d, %v", x, err)
	}
	alone := &toys.Toy{
		Space: grid.MustNew(2),
		Axes:  []models.Axis{{Name: "state", Labels: []string{"dry", "wet"}}},
	}
	if x, err := alone.FindState("wet"); err != nil || x != 1 || alone.State(1) != "wet" {
		t.Errorf("wet is state %d, %v, called %s", x, err, alone.State(1))
	}
	for name, want := range map[string]string{
		"tub=maybe,dose=<5,p44/42=1": `unknown value of tub "maybe"; choices: yes, no`,
		"tob=yes,dose=<5,p44/42=1":   `unknown axis "tob"; did you mean tub?, or its number from 0 to 2`,
		"tub=yes,p44/42=1":           "a state has a value on each axis; give also that of dose",
		"tub=yes,tub=no":             "tub has two values; give one",
		"tub=yes,":                   `unknown axis ""`,
		"6":                          "the states are numbered from 0 to 5, or named as in tub=yes,dose=<5,p44/42=1.0",
		"":                           "numbered from 0 to 5",
	} {
		longtest.Refuses(toy.FindState(name))(t, want)
	}
}

// TestStatesByCoordinates: on a grid whose axes have no labels, states are called by their numbers,
// and found by these and by their coordinates or the values of their axes.
func TestStatesByCoordinates(t *testing.T) {
	for text, want := range map[string]int{"9": 9, "x0=1,x1=2": 9, "x1=2,x0=1.0": 9, "1=2,0=1": 9} {
		toy := longtest.Sure(forms.Targets().Parse("barrier"))
		if x, err := toy.FindState(text); err != nil || x != want || toy.State(x) != "9" {
			t.Errorf("%s is state %d of barrier, %v; want %d", text, x, err, want)
		}
	}
	toy := longtest.Sure(forms.Targets().Parse("hyper"))
	x, err := toy.FindState("eta=4,z1=1,z2=0,z3=0,z4=0,z5=0")
	if err != nil || x != 2*32+16 || toy.InWords() {
		t.Errorf("state %d of hyper, %v", x, err)
	}
	graph := longtest.Sure(forms.Targets().Parse("graph:permutations:3:random:1:0"))
	if _, _, err := graph.Assignment("x0=1"); err == nil || !strings.Contains(err.Error(), "has no axes") {
		t.Errorf("an axis of a graph: %v", err)
	}
}

// TestStatesReadBack: whatever axes and values are called, the name of each state is found again,
// unless the names themselves cannot be told apart.
func TestStatesReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[a-z0-9<>=./+:_-]{1,6}`)
		toy := &toys.Toy{Name: "drawn"}
		var sides []int
		for _, name := range rapid.SliceOfNDistinct(
			rapid.StringMatching(`[a-zA-Z<>./_-]{1,4}`),
			1,
			4,
			rapid.ID,
		).Draw(t, "names") {
			labels := rapid.SliceOfNDistinct(word, 1, 3, rapid.ID).Draw(t, "labels")
			toy.Axes, sides = append(toy.Axes, models.Axis{Name: name, Labels: labels}),
				append(sides, len(labels))
		}
		toy.Space = grid.MustNew(sides...)
		for x := range toy.Space.States() {
			if got, err := toy.FindState(toy.State(x)); err != nil || got != x {
				t.Fatalf("%s is state %d, %v; want %d", toy.State(x), got, err, x)
			}
		}
	})
}

// TestCellsReadBack: the name of cells of any magnitude is parsed to the same numbers, to the last
// bit, and to the same name.
func TestCellsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.IntRange(1, 25).Draw(t, "rows")
		cols := rapid.IntRange(1, 25).Draw(t, "cols")
		cell := rapid.OneOf(rapid.Float64(), rapid.Float64Range(-10, 10),
			rapid.SampledFrom([]float64{0, math.Copysign(0, -1), 5e-324, -1e-300, math.Inf(-1)}))
		g := rapid.SliceOfN(cell.Filter(func(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 1) }),
			rows*cols, rows*cols).Draw(t, "g")
		g[rapid.IntRange(0, len(g)-1).Draw(t, "finite")] = 1
		toy := longtest.Sure(toys.Cells(grid.MustNew(rows, cols), g))
		again, err := forms.Targets().Parse(toy.Name)
		if err != nil || !again.SameTarget(toy) || again.Name != toy.Name || again.Cells() != toy.Name {
			t.Fatalf("%s: %v, %v", toy.Name, again, err)
		}
		if strings.Contains(toy.Name, ",") {
			t.Fatalf("%s cannot stand in a list", toy.Name)
		}
		for x, v := range g {
			if math.Float64bits(again.G[x]) != math.Float64bits(v) && v != 0 ||
				math.Signbit(again.G[x]) && again.G[x] == 0 {
				t.Fatalf("cell %d is %v, and was %v", x, again.G[x], v)
			}
		}
	})
}

// TestCellsOfToys: every small plane and line has a selector of the same target, and nothing else
// has one.
func TestCellsOfToys(t *testing.T) {
	for _, text := range []string{"easy", "barrier:5x7", "random:1e300:3:25x25", "smooth:2:0:3:5",
		"schools:5x5", "mixture:1*easy+2*hard", "mine=hard",
		"random:1:0:625", "random:1:0:1"} {
		toy := longtest.Sure(forms.Targets().Parse(text))
		again, err := forms.Targets().Parse(toy.Cells())
		if err != nil || !again.SameTarget(toy) || again.Mode != nil || again.LogPrior != nil {
			t.Errorf("%s: %q, %v", text, toy.Cells(), err)
		}
	}
	for _, text := range []string{"random:1:0:1x625", "random:1:0:3x1", "random:1:0:1x1", "random:1:0:3x3x3",
		"random:1:0:25x26", "clu6",
		"graph:hypercube:2:random:1:0", "graph:path:4:random:1:0"} {
		toy := longtest.Sure(forms.Targets().Parse(text))
		if toy.Cells() != "" {
			t.Errorf("%s: %q", text, toy.Cells())
		}
	}
}

func TestCellsErrors(t *testing.T) {
	longtest.Refuses(toys.Cells(grid.MustNew(2, 2, 2), make([]float64, 8)))(t,
		"the grid 2x2x2 has 3 axes; give one that has two")
	longtest.Refuses(toys.Cells(grid.MustNew(2, 2), make([]float64, 3)))(t, "3 numbers for the 4 cells of the grid 2x2")
	longtest.Refuses(toys.Cells(grid.MustNew(25, 26), make([]float64, 650)))(t, "650 cells; at most 625")
	longtest.Refuses(toys.Cells(grid.MustNew(2, 2), []float64{0, 0, math.NaN(), 0}))(t, "row 2, column 1: NaN")
	longtest.Refuses(toys.Cells(grid.MustNew(3), []float64{0, 0, math.Inf(1)}))(t, "row 1, column 3: +Inf")
	longtest.Refuses(toys.Cells(grid.MustNew(1, 2), []float64{math.Inf(-1), math.Inf(-1)}))(t, "every cell is -inf")
	for text, want := range map[string]string{
		"cells:0" + strings.Repeat(":0",
			625): "626 cells; at most 625, as 25x25 has, stand in a selector, and larger grids in a file, " +
			"as in file:target.csv",
		"cells:" + strings.Repeat("/", 999999): "1000000 cells",
	} {
		longtest.Refuses(forms.Targets().Parse(text))(t, want)
	}
	g := []float64{1, 2}
	toy, err := toys.Cells(grid.MustNew(1, 2), g)
	g[0] = 7
	if err != nil || toy.G[0] != 1 {
		t.Errorf("the toy keeps the caller's numbers: %v, %v", toy, err)
	}
}

func FuzzParseCells(f *testing.F) {
	for _, text := range []string{
		"0:1:-2/3:-inf:0.5", "1", "/", "::/::", "-0:+1e-400/.5:1.", "nan", "1e309", "1:2/3", " 1 : 2 "} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		toy, err := forms.Targets().Parse("cells:" + text)
		if err != nil {
			return
		}
		checkParsed(t, func([]byte) (*grid.Lattice, []float64, error) { return toy.Lattice(), toy.G, nil }, nil)
		toy.Doubt = "" // of one column, which the name has as a row
		if again, err := forms.Targets().Parse(toy.Name); err != nil || !again.SameTarget(toy) ||
			again.Name != toy.Name ||
			again.Cells() != toy.Name {
			t.Errorf("%q: its name %q does not read back: %v", text, toy.Name, err)
		}
	})
}
