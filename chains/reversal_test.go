package chains_test

import (
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/internal/chainstest"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/chains/simulate"
	"breadboard/grid"
)

// embedded has all of Barker's methods, but is somebody else's type.
type embedded struct{ kernels.Barker }

func TestOfLibrary(t *testing.T) {
	l := grid.MustNew(3, 3)
	plain, mine := kernels.Barker{Space: l}, embedded{kernels.Barker{Space: l}}
	mixed := func(parts ...chains.Kernel) chains.Kernel {
		k := must(kernels.Mixture([]float64{1, 2}, parts))
		return k
	}
	for _, selector := range []string{
		"metropolis", "moore", "flip", "barker", "jump:0.1", "independence", "heatbath", "heatbath-axis:0", "heatbath-scan", "suwa-todo",
		"suwa-todo-axis:1", "stay", "lazy:0.5", "repeat:3", "compose:barker+suwa-todo", "palindrome:moore+heatbath", "mixture:1*barker+2*suwa-todo",
	} {
		k := must(kernels.Parse(selector, l))
		if _, said := chains.ReversalOf(k); !chains.OfLibrary(k) || !said {
			t.Errorf("%s is not of the library, or does not know its reversal", selector)
		}
		if r, _ := chains.ReversalOf(k); !chains.OfLibrary(r) {
			t.Errorf("the reversal of %s is not of the library", selector)
		}
	}
	for name, k := range map[string]chains.Kernel{
		"embedded": mine, "pointer": &plain, "composed": kernels.Compose(plain, mine), "mixed": mixed(plain, mine), "lazy": kernels.Lazy(0.5, mine),
		"repeated": kernels.Repeat(2, mine), "palindrome": kernels.Palindrome(plain, mine), "deep": kernels.Lazy(0.1, kernels.Compose(plain, mixed(plain, mine))),
		"literal sequence": kernels.Sequence{Parts: []chains.Kernel{plain}}, "literal mixture": kernels.Mix{Parts: []chains.Kernel{plain}, Weights: []float64{1}},
	} {
		if chains.OfLibrary(k) {
			t.Errorf("%s: taken for one of the library", name)
		}
	}
	for name, k := range map[string]chains.Kernel{"embedded": mine, "composed": kernels.Compose(plain, mine), "mixed": mixed(plain, mine)} {
		if _, said := chains.ReversalOf(k); said {
			t.Errorf("%s: a reversal that nobody has said", name)
		}
	}
	if _, err := chainstest.Small(t, func(l *grid.Lattice) chains.Kernel { return kernels.Barker{Space: l} }, 4).WithReversals(nil); err == nil {
		t.Error("no reversals for three stages are accepted")
	}
}

// TestRowsWithoutReversal: where nobody knows the time reversal, that is what is missing, and not rows.
func TestRowsWithoutReversal(t *testing.T) {
	path := must(paths.NewGeometric(nil, chainstest.Waves(9)))
	a := must(chains.NewAnnealing(path, schedules.Linear{}, embedded{kernels.Barker{Space: grid.MustNew(3, 3)}}, 3))
	_, rows := simulate.Rows(a, chains.Reverse, simulate.NewStream(1, "", 0), 2, nil)
	_, counts := simulate.Counts(a, chains.Reverse, simulate.NewStream(1, "", 0), 2, nil)
	for _, err := range []error{rows, counts} {
		if err == nil || !strings.Contains(err.Error(), "exact.WithReversal") || strings.Contains(err.Error(), "closed form") {
			t.Errorf("error %v", err)
		}
	}
}
