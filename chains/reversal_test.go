package chains_test

import (
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/grid"
)

// embedded has all of Barker's methods, but is somebody else's type.
type embedded struct{ chains.Barker }

func TestOfLibrary(t *testing.T) {
	l := grid.MustNew(3, 3)
	plain, mine := chains.Barker{Space: l}, embedded{chains.Barker{Space: l}}
	mixed := func(parts ...chains.Kernel) chains.Kernel {
		k, err := chains.Mixture([]float64{1, 2}, parts)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	for _, selector := range []string{
		"metropolis", "moore", "barker", "jump:0.1", "independence", "heatbath", "heatbath-axis:0", "heatbath-scan", "suwa-todo",
		"suwa-todo-axis:1", "stay", "lazy:0.5", "repeat:3", "compose:barker+suwa-todo", "palindrome:moore+heatbath", "mixture:1*barker+2*suwa-todo",
	} {
		k, err := chains.ParseKernel(selector, l)
		if err != nil {
			t.Fatal(err)
		}
		if _, said := chains.ReversalOf(k); !chains.OfLibrary(k) || !said {
			t.Errorf("%s is not of the library, or does not know its reversal", selector)
		}
		if r, _ := chains.ReversalOf(k); !chains.OfLibrary(r) {
			t.Errorf("the reversal of %s is not of the library", selector)
		}
	}
	for name, k := range map[string]chains.Kernel{
		"embedded": mine, "pointer": &plain, "composed": chains.Compose(plain, mine), "mixed": mixed(plain, mine), "lazy": chains.Lazy(0.5, mine),
		"repeated": chains.Repeat(2, mine), "palindrome": chains.Palindrome(plain, mine), "deep": chains.Lazy(0.1, chains.Compose(plain, mixed(plain, mine))),
		"literal sequence": chains.Sequence{Parts: []chains.Kernel{plain}}, "literal mixture": chains.Mix{Parts: []chains.Kernel{plain}, Weights: []float64{1}},
	} {
		if chains.OfLibrary(k) {
			t.Errorf("%s: taken for one of the library", name)
		}
	}
	for name, k := range map[string]chains.Kernel{"embedded": mine, "composed": chains.Compose(plain, mine), "mixed": mixed(plain, mine)} {
		if _, said := chains.ReversalOf(k); said {
			t.Errorf("%s: a reversal that nobody has said", name)
		}
	}
	if _, err := small(t, barker, 4).WithReversals(nil); err == nil {
		t.Error("no reversals for three stages are accepted")
	}
}

// TestRowsWithoutReversal: where nobody knows the time reversal, that is what is missing, and not rows.
func TestRowsWithoutReversal(t *testing.T) {
	path, err := chains.NewGeometric(nil, waves(9))
	if err != nil {
		t.Fatal(err)
	}
	a, err := chains.NewAnnealing(path, chains.Linear{}, embedded{chains.Barker{Space: grid.MustNew(3, 3)}}, 3)
	if err != nil {
		t.Fatal(err)
	}
	_, rows := chains.SimulateRows(a, chains.Reverse, chains.NewStream(1, "", 0), 2, nil)
	_, counts := chains.SimulateCounts(a, chains.Reverse, chains.NewStream(1, "", 0), 2, nil)
	for _, err := range []error{rows, counts} {
		if err == nil || !strings.Contains(err.Error(), "exact.WithReversal") || strings.Contains(err.Error(), "closed form") {
			t.Errorf("error %v", err)
		}
	}
}
