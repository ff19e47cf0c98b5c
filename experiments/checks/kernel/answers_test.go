package kernel_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	kernelcheck "breadboard/experiments/checks/kernel"
	"breadboard/grid"
	"breadboard/grid/longtest"
	"breadboard/reports/check"
	"breadboard/toys"
)

// alongLine returns Metropolis on a line whose proposals are one of the neighbours, accepted at a
// power of f, with the proposals' probability of its number of neighbours or, if even, of two.
func alongLine(g []float64, power float64, even bool) chains.Kernel {
	return chains.NewTabulated("line", len(g), func(x int) (row []chains.Entry) {
		stay := 1.0
		ways := 2.0
		if (x == 0 || x == len(g)-1) && !even {
			ways = 1
		}
		for _, y := range []int{x - 1, x + 1} {
			if y >= 0 && y < len(g) {
				p := min(1, math.Exp(power*(g[y]-g[x]))) / ways
				row = append(row, chains.Entry{To: y, P: p})
				stay = stay - p
			}
		}
		return append(row, chains.Entry{To: x, P: max(0, stay)})
	})
}

// TestAnswers: the report on a wrong kernel names the distribution that it leaves invariant, and a
// cause only if that holds at all states; a kernel that goes round in cycles or does not join all
// states leaves the target invariant and does not sample it.
func TestAnswers(t *testing.T) {
	g := []float64{0, 1, -0.5, 0.3, 2, -1}
	flat := make([]float64, 4)
	turn := func(step int) chains.Kernel {
		return chains.NewTabulated("cycle",
			4, func(x int) []chains.Entry { return []chains.Entry{{To: (x + step) % 4, P: 1}} })
	}
	sides := chains.NewTabulated("sides",
		4, func(x int) []chains.Entry { return []chains.Entry{{To: x &^ 1, P: 0.5}, {To: x | 1, P: 0.5}} })
	to := func(end func(x int) int) chains.Kernel {
		return chains.NewTabulated("end", 4, func(x int) []chains.Entry { return []chains.Entry{{To: end(x), P: 1}} })
	}
	yes := [3]string{"yes", "yes", "yes"}
	for name, c := range map[string]struct {
		g      []float64
		kernel chains.Kernel
		want   [3]string // how the answers begin
		says   string    // of what the kernel leaves invariant
	}{
		"right":      {g, kernels.Metropolis{Space: grid.MustNew(6)}, yes, ""},
		"right line": {g, alongLine(g, 1, true), yes, ""},
		"neighbours": {g, alongLine(g, 1, false), [3]string{"no; it leaves another", "yes", "no"},
			"f(x) times the number of states to which a move can go from x"},
		"power": {g, alongLine(g, 0.3, true), [3]string{"no; it leaves another", "yes", "no"},
			"f(x)^0.3, as at 0.3 times"},
		"no f": {g, alongLine(g, 0, true), [3]string{"no; it leaves another", "yes", "no"},
			"the uniform distribution, as if log f were not used"},
		"both": {
			g, alongLine(g, 0.3, false), [3]string{"no; it leaves another", "yes", "no"}, "from the target"},
		"cycle": {flat, turn(1), [3]string{"yes", "yes", "averages over many moves do"}, ""},
		"sides": {flat, sides, [3]string{"yes", "no: 2 classes", "no: a chain never leaves"}, ""},
		"absorbed": {flat, to(func(int) int { return 2 }),
			[3]string{"no; it leaves another", "no: it does not return to 3 states", "no"},
			"total variation of 0.75"},
		"two ends": {
			flat, to(func(x int) int { return x &^ 1 }), [3]string{"no; several", "no: several", "no"}, ""},
	} {
		toy := &toys.Toy{Name: name, Space: grid.MustNew(len(c.g)), G: c.g}
		k := &kernelcheck.Row{Kernel: "test", Toy: toy, Betas: []float64{1}}
		longtest.NoError(t, k.Examine(t.Context(), c.kernel, 0))
		got := kernelcheck.Answers([]kernelcheck.Row{*k})
		for i, a := range got {
			if !strings.HasPrefix(a.Says, c.want[i]) || a.Yes != (a.Says == "yes") {
				t.Errorf("%s: %s %s", name, a.Asks, a.Says)
			}
		}
		if !strings.Contains(got[0].Says, c.says) ||
			name == "both" && !strings.HasSuffix(got[0].Says, c.says) {
			t.Errorf("%s: %s", name, got[0].Says)
		}
		if _, apart := k.Reducible(); apart != (name == "sides") ||
			(k.Other != nil) != strings.HasPrefix(c.want[0], "no") {
			t.Errorf("%s: %+v", name, k.Other)
		}
	}
}

// remembering is a kernel on a line without a target that moves more rarely after a state with a
// larger number.
type remembering struct{ before, last int }

func (k *remembering) Move(c chains.Chooser, logf []float64, x int) int {
	if x != k.last {
		k.before = k.last
		k.last = x
	}
	p := 0.25
	if k.before > x && x > 0 {
		p = 0.125
	}
	y := x + []int{1, -1, 0}[c.Choose([]float64{p, p, 1 - 2*p})]
	return max(0, min(y, len(logf)-1))
}

// TestRowsInAnotherOrder: rows that depend on the states that were asked about before are a fault,
// though in the order of the states they are those of a right kernel.
func TestRowsInAnotherOrder(t *testing.T) {
	k := &kernelcheck.Row{
		Kernel: "test",
		Toy:    &toys.Toy{Name: "line", Space: grid.MustNew(6), G: make([]float64, 6)},
		Betas:  []float64{1},
	}
	longtest.NoError(t, k.Examine(t.Context(), &remembering{}, 0))
	if i := slices.IndexFunc(k.Findings, func(f kernelcheck.Finding) bool { return f.Verdict == check.Fault }); i < 0 ||
		k.Findings[i].Name != "order" {
		t.Errorf("%+v", k.Findings)
	}
}
