package kernels_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/grid"
)

// selectors has every form of the library on a plane, combinations that are reversible and others that are not, and
// whether each is its own time reversal by construction.
func selectors() map[string]bool {
	return map[string]bool{
		"metropolis": true, "moore": true, "flip": true, "barker": true, "jump:0.05": true, "independence": true, "heatbath": true,
		"heatbath-axis:0": true, "heatbath-scan": false, "suwa-todo": false, "suwa-todo-axis:1": false, "stay": true,
		"lazy:0.5": true, "lazy:0.25:suwa-todo": false, "repeat:3:metropolis": true, "repeat:2:heatbath-scan": false,
		"compose:metropolis+heatbath": false, "palindrome:metropolis+heatbath-axis:0": true,
		"palindrome:metropolis+suwa-todo": false, "mixture:1*metropolis+3*heatbath-scan": false, "mixture:1*barker+3*heatbath": true,
	}
}

// row returns the row of a state as probabilities by state.
func row(k chains.Kernel, logf []float64, x int) []float64 {
	p := make([]float64, len(logf))
	for _, e := range k.(chains.Rower).AppendRow(nil, logf, x) {
		p[e.To] += e.P
	}
	return p
}

// TestReversible: the flows between all pairs of states are even where a kernel is said to be reversible, and uneven
// somewhere where it is not.
func TestReversible(t *testing.T) {
	space := grid.MustNew(3, 4)
	rng := rand.New(rand.NewPCG(1, 2))
	logf := make([]float64, space.States())
	for x := range logf {
		logf[x] = 2 * rng.NormFloat64()
	}
	for selector, want := range selectors() {
		k := must(kernels.Parse(selector, space))
		if got := kernels.Reversible(k); got != want {
			t.Errorf("%s: Reversible is %v", selector, got)
		}
		worst := 0.0
		for x := range logf {
			for y, p := range row(k, logf, x) {
				worst = max(worst, math.Abs(math.Exp(logf[x])*p-math.Exp(logf[y])*row(k, logf, y)[x]))
			}
		}
		if even := worst < 1e-12; even != want {
			t.Errorf("%s: flows differ by %g", selector, worst)
		}
	}
	if kernels.Reversible(stranger{}) {
		t.Error("a kernel that is not of the library is said to be reversible")
	}
}

// stranger is a kernel that is not of the library.
type stranger struct{}

func (stranger) Move(_ chains.Chooser, _ []float64, x int) int { return x }

// TestWords: every kernel of the library has words, and so have their parts and their time reversals.
func TestWords(t *testing.T) {
	space := grid.MustNew(3, 4)
	for selector := range selectors() {
		k := must(kernels.Parse(selector, space))
		back, _ := chains.ReversalOf(k)
		for _, k := range []chains.Kernel{k, back} {
			if text := kernels.Words(k); len(text) < len("Stay at x.") || strings.Contains(text, "by its matrix") || strings.Contains(text, "%!") {
				t.Errorf("%v: words %q", k, text)
			}
		}
	}
	if text := kernels.Words(stranger{}); text != "" {
		t.Errorf("a kernel that is not of the library has the words %q", text)
	}
	for selector, want := range map[string]string{
		"moore":                                 "one of the 8 points",
		"flip":                                  "one of the 2 axes",
		"jump:0.05":                             "With probability 0.05",
		"repeat:3:metropolis":                   "made 3 times",
		"palindrome:metropolis+heatbath-axis:0": "\n- 3. `metropolis` once more",
		"lazy:0.25:suwa-todo":                   "\n- probability 0.75, `suwa-todo`: Draw one of these kernels, with the probability in front of it, and make one move by it:\n  - probability 0.5",
	} {
		k := must(kernels.Parse(selector, space))
		if text := kernels.Words(k); !strings.Contains(text, want) {
			t.Errorf("%s: no %q in %q", selector, want, text)
		}
	}
}
