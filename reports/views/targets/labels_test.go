package targets

import (
	"strings"
	"testing"

	"breadboard/grid"
	"breadboard/toys"
	"breadboard/toys/models"
)

// ofYesAndNo returns a toy on a grid with as many axes as there are names, each of two values, yes and no.
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

// TestLabelledDrawings: wherever a grid says row, column and coordinate, one whose axes have labels says the names of the axes and the labels.
func TestLabelledDrawings(t *testing.T) {
	plane, many := ofYesAndNo("tub", "lung"), ofYesAndNo("a", "b", "c", "d", "e", "f", "g", "h")
	cases := []struct {
		what, text string
		want       []string
	}{
		{"a plane", textOf(drawText(plane, uniform(plane))), []string{"root: tub (yes, no) down, lung (yes, no) across"}},
		{"one axis", textOf(drawText(ofYesAndNo("tub"), []float64{0.25, 0.75})), []string{"tub=yes  g ", "tub=no   g"}},
		{"few states", textOf(drawText(ofYesAndNo("tub", "lung", "xray"), uniform(ofYesAndNo("tub", "lung", "xray")))), []string{"tub=yes,lung=no,xray=yes   g"}},
		{"marginals", textOf(textMaps(ofYesAndNo("a", "b", "c", "d", "e"), uniform(ofYesAndNo("a", "b", "c", "d", "e")))), []string{"a=yes b=no c=yes", "d down and e across: d (yes, no) down, e (yes, no) across"}},
		{"a figure of a plane", PartsNote(plane, cells), []string{"net: tub (yes, no) down, lung (yes, no) across."}},
		{"a figure of slices", PartsNote(ofYesAndNo("tub", "lung", "xray"), Parts), []string{"slices of fixed tub, row by row: lung (yes, no) down, xray (yes, no) across"}},
		{"a figure of marginals", PartsNote(many, Parts), []string{"where x_{0} to x_{7} are a, b, c, d, e, f, g, h"}},
	}
	for _, c := range cases {
		for _, want := range c.want {
			if !strings.Contains(c.text, want) {
				t.Errorf("%s says nothing of %q:\n%s", c.what, want, c.text)
			}
		}
	}
	states := ToyStates(plane, uniform(plane))
	for k, want := range map[string]any{"coordinates": nil, "label": "tub=yes,lung=no"} {
		for i, column := range states.Columns {
			if column.Name == k && states.Rows[1][i] != want {
				t.Errorf("column %s of state 1 is %v, want %v", k, states.Rows[1][i], want)
			}
		}
	}
}

// textOf returns the text of a drawing.
func textOf[E any](text string, _ E) string { return text }

// TestValuesOf: many values of an axis are not all listed.
func TestValuesOf(t *testing.T) {
	toy := &toys.Toy{Space: grid.MustNew(20), Axes: []models.Axis{{Name: "eta"}}}
	if got, want := valuesOf(toy, 0), "eta (0, 1, 2, 3, 4, 5, 6, 7, ...)"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
