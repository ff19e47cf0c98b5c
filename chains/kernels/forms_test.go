package kernels_test

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/internal/chainstest"
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
		Set: kernels.Forms(), Env: kernels.Env{Space: grid.MustNew(3, 3)}, Name: kernelName, Same: sameKernel,
	})
}

// TestKernelsAreWhatTheirFormsSay: the example of every form is of the library, has rows, and its flows between the
// states are balanced where the form says that it is reversible, and are not where it does not.
func TestKernelsAreWhatTheirFormsSay(t *testing.T) {
	space, logf := grid.MustNew(3, 3), chainstest.Waves(9)
	for x := range logf {
		logf[x] /= 10 // nearly flat: where one state has half of a line, Suwa and Todo's flows are balanced too
	}
	for _, f := range kernels.Forms().All() {
		k := longtest.Sure(kernels.Parse(f.Example, space))
		if !chains.OfLibrary(k) {
			t.Errorf("%s is not of the library", f.Example)
		}
		rows, ok := k.(chains.Rower)
		if !ok {
			t.Fatalf("%s has no rows", f.Example)
		}
		worst := 0.0
		for x := range logf {
			for y, p := range chainstest.Row(rows, logf, x) {
				worst = max(worst, math.Abs(math.Exp(logf[x])*p-math.Exp(logf[y])*chainstest.Row(rows, logf, y)[x]))
			}
		}
		if balanced := worst < 1e-14; balanced != f.Reversible || !balanced && worst < 1e-3 {
			t.Errorf("%s: reversible %v, and flows differ by %v", f.Example, f.Reversible, worst)
		}
	}
}

// TestKernelsWithoutArguments: where a kernel needs arguments and none are given, the error says which, with an example.
func TestKernelsWithoutArguments(t *testing.T) {
	for _, f := range kernels.Forms().All() {
		_, err := kernels.Parse(f.Name(), grid.MustNew(3, 3))
		if needs := strings.HasPrefix(f.Syntax, f.Name()+":"); needs && (err == nil || !strings.Contains(err.Error(), ": give ") || !strings.HasSuffix(err.Error(), "as in "+f.Example)) {
			t.Errorf("%s: %v", f.Name(), err)
		}
	}
}

// TestNamesOfDeepAndHeavyKernels: the name of a kernel is parsed back also where it says a metropolis that the selector
// left out at the deepest level, and where a weight is written with an exponent.
func TestNamesOfDeepAndHeavyKernels(t *testing.T) {
	space := grid.MustNew(2, 2)
	for _, text := range []string{
		strings.Repeat("lazy:0.5:", 16) + "lazy:0.5", "mixture:1000000*metropolis+1e21*barker+1E+7*stay", "compose:jump:1e-05+lazy:1e-5:moore",
	} {
		k, err := kernels.Parse(text, space)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if again, err := kernels.Parse(kernelName(k), space); err != nil || !sameKernel(k, again) {
			t.Errorf("%s calls itself %s, which is %v (%v)", text, k, again, err)
		}
	}
	for _, text := range []string{strings.Repeat("lazy:0.5:", 17) + "lazy:0.5", "compose:moore+", "compose:+", "mixture:1e+metropolis"} {
		if k, err := kernels.Parse(text, space); err == nil {
			t.Errorf("%s is %v", text, k)
		}
	}
}

// TestLongKernels: the work of parsing grows with the length of the selector and no faster; each of these takes
// milliseconds, and would take hours where it was squared.
func TestLongKernels(t *testing.T) {
	longtest.NotShort(t)
	space := grid.MustNew(2, 2)
	for what, text := range map[string]string{
		"a part after another": "compose:stay" + strings.Repeat("+stay", 20_000),
		"depth":                strings.Repeat("lazy:0.5:", 20_000),
		"a long name":          strings.Repeat("metropolis", 50_000),
		"many joints":          "mixture:" + strings.Repeat("+", 100_000),
		"colons":               "repeat:1" + strings.Repeat(":", 100_000),
	} {
		k, err := kernels.Parse(text, space)
		if (err == nil) != (what == "a part after another") {
			t.Errorf("%s: %T, error of %d characters", what, k, len(fmt.Sprint(err)))
		}
		if err != nil && len(err.Error()) > 40*len(text)+1000 {
			t.Errorf("%s: an error of %d characters", what, len(err.Error()))
		}
	}
}

func FuzzParseKernel(f *testing.F) {
	for _, form := range kernels.Forms().Syntaxes() {
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
		if y := k.Move(chains.NewSampler(simulate.NewStream(1, "", 0)), []float64{0, 1, 2, 3, 2, 1}, 3); y < 0 || y > 5 {
			t.Errorf("%q moves to state %d", selector, y)
		}
	})
}
