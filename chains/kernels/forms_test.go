package kernels_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/chainstest"
	"breadboard/chains/kernels"
	"breadboard/chains/selector/selectortest"
	"breadboard/chains/simulate"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

func kernelName(k chains.Kernel) string { return fmt.Sprint(k) }

func sameKernel(a, b chains.Kernel) bool { return reflect.DeepEqual(a, b) }

func TestKernelForms(t *testing.T) {
	selectortest.Run(t, selectortest.Check[kernels.Env, chains.Kernel]{
		Set:  kernels.Forms(),
		Env:  kernels.Env{Space: grid.MustNew(3, 3), Forms: kernels.Forms()},
		Name: kernelName, Same: sameKernel,
	})
}

// TestNamesOfDeepAndHeavyKernels: the name of a kernel is parsed back also if it says a metropolis
// that the selector left out at the deepest level, and if a weight is written with an exponent.
func TestNamesOfDeepAndHeavyKernels(t *testing.T) {
	space := grid.MustNew(2, 2)
	for _, text := range []string{
		strings.Repeat("lazy:0.5:", 16) + "lazy:0.5", "mixture:1000000*metropolis+1e21*barker+1E+7*stay",
		"compose:jump:1e-05+lazy:1e-5:moore",
	} {
		k := longtest.Must(kernels.Parse(text, space))(t)
		if again, err := kernels.Parse(kernelName(k), space); err != nil || !sameKernel(k, again) {
			t.Errorf("%s calls itself %s, which is %v (%v)", text, k, again, err)
		}
	}
	for text, want := range map[string]string{
		strings.Repeat("lazy:0.5:", 17) + "lazy:0.5": "nested", "compose:moore+": "unknown kernel",
		"compose:+":             "unknown kernel",
		"mixture:1e+metropolis": "as in 0.5*",
	} {
		longtest.Refuses(kernels.Parse(text, space))(t, want, text)
	}
}

func FuzzParseKernel(f *testing.F) {
	for _, form := range kernels.Forms().Listing.Syntaxes() {
		f.Add(form)
	}
	f.Add("lazy:0.5:mixture:1*heatbath+2*repeat:3:moore")
	space := grid.MustNew(2, 3)
	f.Fuzz(func(t *testing.T, selector string) {
		k, err := kernels.Parse(selector, space)
		if err != nil {
			return
		}
		if again, err := kernels.Parse(kernelName(k), space); err != nil || !sameKernel(k, again) {
			t.Errorf("%q calls itself %q, which is %v (%v)", selector, k, again, err)
		}
		if !chains.OfLibrary(k) {
			t.Errorf("%q is not of the library", selector)
		}
		if y := k.Move(
			chains.NewSampler(simulate.NewStream(1, "", 0)),
			[]float64{0, 1, 2, 3, 2, 1},
			3,
		); y < 0 || y > 5 {
			t.Errorf("%q moves to state %d", selector, y)
		}
	})
}

// unpriced is a kernel that does not say what its moves cost.
type unpriced struct{ chains.Kernel }

// TestEvaluations: a proposal is one evaluation, even if it leaves the space; a line of a grid
// takes all its other states; and combinations take what their parts take, as often as they move by
// them.
func TestEvaluations(t *testing.T) {
	space := grid.MustNew(3, 7)
	for selector, want := range map[string]float64{
		"metropolis": 1, "barker": 1, "moore": 1, "independence": 1, "exact": 20,
		"heatbath": 4, "suwa-todo": 4, "heatbath-axis:0": 2, "heatbath-axis:1": 6, "heatbath-scan": 8,
		"lazy:0.25:metropolis": 0.75, "repeat:3:heatbath-scan": 24, "compose:metropolis+heatbath-scan": 9,
		"balanced:sqrt": 2 * (2./3 + 6./7), "balanced:min:flip": 8, "gradient": 2, "tabu:3": 24,
		"delayed-rejection":                     2,
		"palindrome:metropolis+heatbath-axis:0": 4, "mixture:1*metropolis+3*heatbath-axis:0": 1.75,
	} {
		k, err := kernels.Parse(selector, space)
		if err != nil {
			t.Errorf("%s: %v", selector, err)
			continue
		}
		if got, said := chains.Evaluations(k); !said || math.Abs(got-want) > 1e-15 {
			t.Errorf("%s asks for log f %v times (%v), want %v", selector, got, said, want)
		}
		if _, said := chains.Evaluations(kernels.Lazy(0.5, unpriced{k})); said {
			t.Errorf("%s inside a kernel that does not say what it costs has a cost", selector)
		}
	}
}

// selectors has every form of the library on a plane, combinations that are reversible and others
// that are not, and whether each is its own time reversal by construction.
func selectors() map[string]bool {
	return map[string]bool{
		"metropolis": true, "moore": true, "flip": true, "barker": true, "jump:0.05": true,
		"independence": true, "exact": true, "heatbath": true,
		"heatbath-axis:0": true, "heatbath-scan": false, "suwa-todo": false, "suwa-todo-axis:1": false,
		"stay":          true,
		"balanced:sqrt": true, "balanced:barker:flip": true, "balanced:min": true, "gradient": true,
		"tabu:3": true, "delayed-rejection": true,
		"lazy:0.5": true, "lazy:0.25:suwa-todo": false, "repeat:3:metropolis": true,
		"repeat:2:heatbath-scan":      false,
		"compose:metropolis+heatbath": false, "palindrome:metropolis+heatbath-axis:0": true,
		"palindrome:metropolis+suwa-todo": false, "mixture:1*metropolis+3*heatbath-scan": false,
		"mixture:1*barker+3*heatbath": true,
	}
}

// TestRows: the rows of every kernel are those of its Move, enumerated, and the flows between all
// pairs of states are even if the kernel declares that it is reversible, and uneven somewhere if it
// is not. What the form of a kernel says is what the kernel declares.
func TestRows(t *testing.T) {
	space := grid.MustNew(3, 4)
	rng := rand.New(rand.NewPCG(1, 2))
	logf := make([]float64, space.States())
	for x := range logf {
		// if a state has half of a line, Suwa and Todo's flows are balanced too
		logf[x] = 0.2 * rng.NormFloat64()
	}
	all := selectors()
	for _, f := range kernels.Forms().Listing.All() {
		all[f.Example] = f.Reversible
	}
	for selector, want := range all {
		k := longtest.Sure(kernels.Parse(selector, space))
		if got := kernels.Reversible(k); got != want || !chains.OfLibrary(k) {
			t.Errorf("%s: Reversible is %v", selector, got)
		}
		worst := 0.0
		rows := make([]map[int]float64, len(logf))
		for x := range logf {
			rows[x] = chainstest.Row(k.(chains.Rower), logf, x)
		}
		for x := range logf {
			for y, p := range rows[x] {
				worst = max(worst, math.Abs(math.Exp(logf[x])*p-math.Exp(logf[y])*rows[y][x]))
			}
		}
		if even := worst < 1e-12; even != want {
			t.Errorf("%s: flows differ by %g", selector, worst)
		}
		moved := longtest.Must(walkOfKernels(k, logf, 5))(t)
		for y, p := range moved {
			if math.Abs(p-rows[5][y]) > 1e-14 {
				t.Errorf("%s: from 5 to %d with %v, by moves with %v", selector, y, rows[5][y], p)
			}
		}
	}
	if kernels.Reversible(stranger{}) {
		t.Error("a kernel that is not of the library is said to be reversible")
	}
}

// stranger is a kernel that is not of the library.
type stranger struct{}

func (stranger) Move(_ chains.Chooser, _ []float64, x int) int { return x }

// TestWords: every kernel of the library has words, and so have their parts and their time
// reversals.
func TestWords(t *testing.T) {
	space := grid.MustNew(3, 4)
	for selector := range selectors() {
		k := longtest.Sure(kernels.Parse(selector, space))
		back, _ := chains.ReversalOf(k)
		for _, k := range []chains.Kernel{k, back} {
			if text := kernels.Words(k); len(text) < len("Stay at x.") ||
				strings.Contains(text, "by its matrix") || strings.Contains(text, "%!") {
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
		"balanced:sqrt":                         "Give each of the neighbours y of x",
		"balanced:min:flip":                     "(5 of them), the weight min(1, ",
		"tabu:3:barker":                         "make 3 steps",
		"jump:0.05":                             "With probability 0.05",
		"repeat:3:metropolis":                   "made 3 times",
		"palindrome:metropolis+heatbath-axis:0": "\n- 3. `metropolis` once more",
		"lazy:0.25:suwa-todo": "\n- probability 0.75, `suwa-todo`: Draw one of these " +
			"kernels, with the probability in front of it, and make one move by it:\n  - probability 0.5",
	} {
		k := longtest.Sure(kernels.Parse(selector, space))
		if text := kernels.Words(k); !strings.Contains(text, want) {
			t.Errorf("%s: no %q in %q", selector, want, text)
		}
	}
}
