package kernel_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	kernelcheck "breadboard/experiments/checks/kernel"
	"breadboard/experiments/checks/planted"
	"breadboard/experiments/forms"
	"breadboard/grid"
	"breadboard/grid/longtest"
	"breadboard/reports/check"
	"breadboard/toys"
)

// namedMistake returns where the finding that names a mistake stands, and "" if there is none.
func namedMistake(t *testing.T, toy *toys.Toy, k chains.Kernel) string {
	t.Helper()
	row := &kernelcheck.Row{Kernel: "test", Toy: toy, Betas: []float64{0, 0.5, 1}}
	longtest.NoError(t, row.Examine(context.Background(), k, 0))
	for _, f := range row.Findings {
		if f.Name == "mistake" {
			if f.Verdict != check.Fault || !math.IsNaN(f.Value) {
				t.Errorf("%T: %+v", k, f)
			}
			return f.Where
		}
	}
	return ""
}

// TestMistakesAreNamed: each planted mistake is called by its name, alone, with what mends it.
func TestMistakesAreNamed(t *testing.T) {
	for _, selector := range []string{
		"random:2:5:3x3", "prob:" + written(t, "0.1,0,0.2,0.05\n0.02,0.3,0.25,0.08\n")} {
		toy := longtest.Must(forms.All().Parse(selector))(t)
		space := toy.Space.(*grid.Lattice)
		by := func(rule string) kernels.Informed { return kernels.Informed{Space: space, Rule: rule} }
		values := kernels.OtherValues{Lattice: space}
		for _, bug := range []struct {
			kernel     chains.Kernel
			name, cure string
		}{
			{planted.AlwaysAccepted{Space: space}, "those of Metropolis without an acceptance",
				"; accept y with"},
			{planted.TurnedRatio{Space: space}, "those of Metropolis with the inverse acceptance ratio",
				"min(1, f(y)/f(x))"},
			{planted.Redrawn{Space: space},
				"those of Metropolis that redraws a proposal until it is inside the space",
				"number of neighbours of x over that of y"},
			{planted.UntilAccepted{Space: space},
				"those of Metropolis that redraws proposals until one is accepted",
				"count a rejected proposal"},
			{planted.Skewed{Space: space}, "those of Metropolis that proposes the first direction twice",
				"q(x|y)/q(y|x)"},
			{planted.ShortDelayed{Space: space}, "those of delayed rejection with a second stage",
				"(1 - a(y2,y1))"},
			{planted.AlwaysAccepted{Space: values},
				"other values of an axis: Metropolis without an acceptance", "; accept y with"},
			{planted.RoundedEnds{Space: space}, "two end values are half as likely", "rounding down"},
			{planted.UntilAccepted{Space: values},
				"other values of an axis: Metropolis that redraws proposals until one is accepted: a " +
					"locally balanced proposal with g(t) = min(1, t)",
				"Z(x)/Z(y)"},
			{planted.Informed{Of: by("sqrt")}, "locally balanced proposals with sqrt, accepted always",
				"leaves f(x) Z(x) invariant instead of f(x): accept with min(1, Z(x)/Z(y))"},
			{planted.Informed{Of: by("barker"), Ratio: 1},
				"locally balanced proposals with barker, accepted with min(1, f(y)/f(x)) alone",
				"accept with min(1, Z(x)/Z(y))"},
			{planted.Informed{Of: by("min"), Constants: -1},
				"locally balanced proposals with min, accepted with min(1, Z(y)/Z(x))", "inverted"},
			{planted.Informed{Of: by("sqrt"), Squared: true, Constants: 1},
				"g(t) = t is not a balancing function", "S is the sum of f over the neighbours"},
			{planted.Informed{Of: by("slope")}, "Gibbs with gradients, accepted always", "q(x|y)"},
			{planted.Informed{Of: by("slope"), Constants: 1},
				"Gibbs with gradients accepted with min(1, Z(x)/Z(y))", "q(x|y)"},
		} {
			if got := namedMistake(t, toy, bug.kernel); !strings.Contains(got, bug.name) ||
				!strings.Contains(got, bug.cure) || strings.Contains(got, "also those") {
				t.Errorf("%s, %s: named %q", selector, bug.name, got)
			}
		}
	}
}

// TestMistakesOfClustersAreNamed on models of spins.
func TestMistakesOfClustersAreNamed(t *testing.T) {
	for _, bug := range []struct {
		toy, kernel string
		as          func(logf []float64) []float64
		name        string
	}{
		{"ising:2x2:0.6", "swendsen-wang", planted.Times(0.5), "swendsen-wang whose bonds have half"},
		{"ising:2x3:-0.4", "wolff", planted.Times(0.5), "wolff whose bonds have half"},
		{"potts:3:1x3:0.7", "wolff", planted.Times(2), "wolff whose bonds have twice"},
		{"potts:3:2x2:0.7", "swendsen-wang", planted.Times(2), "swendsen-wang whose bonds have twice"},
		{"ising:2x2:0.6:0.2", "swendsen-wang", planted.Even, "swendsen-wang that ignore the field"},
		{"ising:1x4:0.6:-0.2", "wolff", planted.Even, "wolff that ignore the field"},
	} {
		if bug.toy != "ising:2x2:0.6" && bug.toy != "ising:1x4:0.6:-0.2" && !longtest.Enabled() {
			continue // each asks for all mistakes of two kernels
		}
		toy := longtest.Must(forms.All().Parse(bug.toy))(t)
		k := longtest.Must(kernels.Parse(bug.kernel, toy.Space))(t).(chains.Rower)
		if got := namedMistake(t, toy, planted.Misread{
			Kernel: k,
			As:     bug.as,
		}); !strings.Contains(got, bug.name) || strings.Contains(got, "also those") {
			t.Errorf("%s on %s: named %q", bug.name, bug.toy, got)
		}
		if got := namedMistake(t, toy, hidden{k}); got != "" {
			t.Errorf("%s on %s: named %q", bug.kernel, bug.toy, got)
		}
	}
}

// TestOnlyMistakesAreNamed: no right kernel has a mistake, not even on a flat target, where many
// have their rows; nor has one that is wrong in a way that is not known. Where mistakes have the
// same rows, all are named.
func TestOnlyMistakesAreNamed(t *testing.T) {
	for _, selector := range []string{"random:0:5:3x3", "random:2:5:2x3", "random:350:1:3x3"} {
		toy := longtest.Must(forms.All().Parse(selector))(t)
		for _, kernel := range []string{"metropolis", "barker", "flip", "balanced:sqrt", "balanced:min:flip",
			"gradient", "tabu:2", "delayed-rejection", "heatbath"} {
			k := longtest.Must(kernels.Parse(kernel, toy.Space))(t)
			if got := namedMistake(t, toy, hidden{k}); got != "" {
				t.Errorf("%s on %s: named %q", kernel, selector, got)
			}
		}
		if got := namedMistake(t, toy, kernels.Compose(
			hidden{kernels.Stay{}},
			planted.Rounded{Space: toy.Space, Grain: 0.07},
		)); got != "" {
			t.Errorf("a kernel with a bug of its own on %s: named %q", selector, got)
		}
	}
	flat := longtest.Must(forms.All().Parse("random:0:5:3x3"))(t)
	if got := namedMistake(t, flat,
		planted.Redrawn{Space: flat.Space}); !strings.Contains(got, "until it is inside the space") ||
		!strings.Contains(got, "on this target they are also those of Metropolis that redraws proposals until") {
		t.Errorf("drawing again on a flat target: %q", got)
	}
}

// written returns the path of a file with a text.
func written(t *testing.T, text string) string {
	t.Helper()
	path := longtest.File(t, "f.csv", text)
	return path
}
