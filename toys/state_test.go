package toys_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"breadboard/grid"
	"breadboard/grid/longtest"
	"breadboard/toys"
	"breadboard/toys/models"
)

// labelled returns a toy of 2x3x1 states whose axes are called as in files in the wild.
func labelled() *toys.Toy {
	return &toys.Toy{
		Name: "net", Space: grid.MustNew(2, 3, 1), G: make([]float64, 6),
		Axes: []models.Axis{{Name: "tub", Labels: []string{"yes", "no"}}, {Name: "dose", Labels: []string{"<5", "5,0-10", ">=10"}}, {Name: "p44/42", Labels: []string{"1.0"}}},
	}
}

// TestLabelsOfStates: a state is called by the values of its variables in the order of the axes, and found by them in any order.
func TestLabelsOfStates(t *testing.T) {
	toy := labelled()
	if got, want := toy.State(4), "tub=no,dose=5,0-10,p44/42=1.0"; got != want || !toy.InWords() || toy.ByLabel() {
		t.Errorf("state 4 is called %s, want %s", got, want)
	}
	for x := range toy.G {
		for _, name := range []string{toy.State(x), fmt.Sprint(x), fmt.Sprintf("2=1,tub=%s,dose=%s", toy.Axes[0].Labels[x/3], toy.Axes[1].Labels[x%3])} {
			if got, err := toy.FindState(name); err != nil || got != x {
				t.Errorf("%s is state %d, %v; want %d", name, got, err, x)
			}
		}
	}
	inside := &toys.Toy{Space: grid.MustNew(2, 2), Axes: []models.Axis{{Name: "a", Labels: []string{"x", "y"}}, {Name: "a=b", Labels: []string{"c", "d"}}}}
	if x, err := inside.FindState("a=y,a=b=d"); err != nil || x != 3 {
		t.Errorf("a name that begins as another one is state %d, %v", x, err)
	}
	for name, want := range map[string]string{
		"tub=maybe,dose=<5,p44/42=1": `unknown value of tub "maybe"; choices: yes, no`,
		"tob=yes,dose=<5,p44/42=1":   `unknown axis "tob"; did you mean tub? choices: tub, dose, p44/42; or its number from 0 to 2`,
		"tub=yes,p44/42=1":           "a state has a value on each axis; give also that of dose",
		"tub=yes,tub=no":             "tub has two values; give one",
		"tub=yes,":                   `unknown axis ""`,
		"6":                          "the states are numbered from 0 to 5, or named as in tub=yes,dose=<5,p44/42=1.0",
		"":                           "numbered from 0 to 5",
	} {
		if _, err := toy.FindState(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want an error with %q", name, err, want)
		}
	}
}

// TestStatesByCoordinates: on a grid whose axes have no labels, states are called by their numbers, and found by these and by their coordinates or
// the values of their axes.
func TestStatesByCoordinates(t *testing.T) {
	for text, want := range map[string]int{"9": 9, "x0=1,x1=2": 9, "x1=2,x0=1.0": 9, "1=2,0=1": 9} {
		toy := longtest.Sure(toys.Parse("barrier"))
		if x, err := toy.FindState(text); err != nil || x != want || toy.State(x) != "9" {
			t.Errorf("%s is state %d of barrier, %v; want %d", text, x, err, want)
		}
	}
	toy := longtest.Sure(toys.Parse("hyper"))
	x, err := toy.FindState("eta=4,z1=1,z2=0,z3=0,z4=0,z5=0")
	if err != nil || x != 2*32+16 || toy.InWords() {
		t.Errorf("state %d of hyper, %v", x, err)
	}
	graph := longtest.Sure(toys.Parse("graph:permutations:3:random:1:0"))
	if _, _, err := graph.Assignment("x0=1"); err == nil || !strings.Contains(err.Error(), "has no axes") {
		t.Errorf("an axis of a graph: %v", err)
	}
}

// TestStatesReadBack: whatever axes and values are called, the name of each state is found again, unless the names themselves cannot be told
// apart.
func TestStatesReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[a-z0-9<>=./+:_-]{1,6}`)
		toy := &toys.Toy{Name: "drawn"}
		var sides []int
		for _, name := range rapid.SliceOfNDistinct(rapid.StringMatching(`[a-zA-Z<>./_-]{1,4}`), 1, 4, rapid.ID).Draw(t, "names") {
			labels := rapid.SliceOfNDistinct(word, 1, 3, rapid.ID).Draw(t, "labels")
			toy.Axes, sides = append(toy.Axes, models.Axis{Name: name, Labels: labels}), append(sides, len(labels))
		}
		toy.Space = grid.MustNew(sides...)
		for x := range toy.Space.States() {
			if got, err := toy.FindState(toy.State(x)); err != nil || got != x {
				t.Fatalf("%s is state %d, %v; want %d", toy.State(x), got, err, x)
			}
		}
	})
}
