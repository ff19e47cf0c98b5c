package kerneltest_test

import (
	"slices"
	"strings"
	"testing"

	"breadboard/chains/kernels"
	"breadboard/experiments/checks/kerneltest"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// spaces have corners, edges and middles, sides of one, two and three states, and edges that are
// joined.
func spaces(t *testing.T) map[string]*grid.Lattice {
	t.Helper()
	torus := longtest.Must(grid.NewWrapped([]int{3, 4}, []bool{true, true}))(t)
	return map[string]*grid.Lattice{"plane": grid.MustNew(3, 3), "line": grid.MustNew(1, 5),
		"cube": grid.MustNew(2, 2, 2), "torus": torus,
		"state": grid.MustNew(1)}
}

// library returns selectors of every kernel of the library: each form with values for its
// arguments, and combinations of kernels that are not reversible.
func library() []string {
	return []string{
		"metropolis", "moore", "flip", "barker", "jump:0.05", "jump:0", "jump:1", "independence", "exact",
		"heatbath", "heatbath-axis:0", "heatbath-scan", "suwa-todo",
		"balanced:sqrt", "balanced:barker:flip", "balanced:min", "gradient", "tabu:2", "tabu:3:barker",
		"delayed-rejection",
		"suwa-todo-axis:0", "heatbath-zigzag", "block:1x1", "swendsen-wang", "wolff", "stay", "lazy:0.5",
		"lazy:0.25:suwa-todo", "repeat:3:metropolis",
		"compose:metropolis+heatbath", "compose:suwa-todo-axis:0+barker",
		"palindrome:metropolis+heatbath-axis:0", "mixture:1*metropolis+3*heatbath-scan",
		"mixture:0.5*barker+0.5*jump:0.1", "lazy:0.1:compose:moore+barker",
	}
}

func TestTheLibraryConforms(t *testing.T) {
	longtest.Only(t)
	for _, selector := range library() {
		t.Run(selector, func(t *testing.T) {
			for name, space := range spaces(t) {
				if !tried(selector, name) {
					continue
				}
				k := longtest.Must(kernels.Parse(selector, space))(t)
				for _, err := range kerneltest.Check(k, space) {
					t.Errorf("on a %s: %v", name, err)
				}
			}
		})
	}
}

// tried reports whether a kernel is tried on a space. What is special to a space shows in the
// kernels that take no argument.
func tried(selector, space string) bool {
	simple := !strings.Contains(selector, ":")
	switch {
	case longtest.More():
		return space == "plane" || space == "line" || !strings.Contains(selector, "+")
	case !longtest.Enabled():
		return simple && space == "line"
	}
	return simple && space != "line" || space == "plane"
}

// TestTheLibraryConformsOnGraphs: kernels that need no axes, on graphs with an isolated state,
// leaves, several parts, a direction that leads nowhere, and many neighbours.
func TestTheLibraryConformsOnGraphs(t *testing.T) {
	longtest.Only(t) // it checks every kernel
	parts := longtest.Must(grid.ParseEdges([]byte("a,b\nb,c\nb,d\nc,d\ne,f\ng,\n")))(t)
	complete := longtest.Must(grid.NewComplete(5))(t)
	permutations := longtest.Must(grid.NewPermutations(3))(t)
	for _, space := range []grid.Graph{parts, complete, permutations} {
		for _, selector := range []string{"metropolis", "barker", "jump:0.05", "independence",
			"balanced:sqrt", "balanced:barker", "balanced:min",
			"delayed-rejection", "lazy:0.1:compose:barker+jump:0.3", "palindrome:metropolis+barker"} {
			if !longtest.More() && space != grid.Graph(parts) && selector != "metropolis" {
				continue // the first graph has all that is special
			}
			k := longtest.Must(kernels.Parse(selector, space))(t)
			for _, err := range kerneltest.Check(k, space) {
				t.Errorf("on %v: %v", space, err)
			}
		}
	}
}

// TestEveryFormIsTested: the list above has every form of the library.
func TestEveryFormIsTested(t *testing.T) {
	for _, form := range kernels.Forms().Listing.Syntaxes() {
		name, _, _ := strings.Cut(form, ":")
		if !slices.ContainsFunc(library(),
			func(selector string) bool { return selector == name || strings.HasPrefix(selector, name+":") }) {
			t.Errorf("no kernel of the form %s is tested", form)
		}
	}
}
