package toys_test

import (
	"math"
	"slices"
	"testing"

	"breadboard/chains/number"
	"breadboard/grid/longtest"
	"breadboard/toys/forms"
)

// TestOfLevels: the levels of toys whose states can be listed are the values of their g, each with
// the number of states that have it.
func TestOfLevels(t *testing.T) {
	for _, text := range []string{
		"ising:4x4:0.4", "ising:3x4:-0.3:0.15", "ising:4x4:0.4:torus", "potts:3:2x3:0.7",
		"qubo:energies/testdata/gaps6.qubo:0.5", "rudy:energies/testdata/torus3x4.rud:0.3",
		"plane=ising:3x3:0.2"} {
		listed := longtest.Sure(forms.Targets().Parse(text))
		got := longtest.Sure(forms.Targets().OfLevels(t.Context(), text))
		if !got.Levels || got.Name != listed.Name || got.Target() != listed.Target() ||
			got.Space.States() != len(got.G) {
			t.Errorf("%s is %+v", text, got)
		}
		g := slices.Sorted(slices.Values(listed.G))
		for i, level := range got.MemberG() {
			n := 0
			for n < len(g) && math.Abs(g[n]-level) < 1e-12 {
				n++
			}
			if math.Abs(math.Log(float64(n))-got.Members[i]) > 1e-14 {
				t.Errorf("%s: %d states at %v, for exp(%v)", text, n, level, got.Members[i])
			}
			g = g[n:]
		}
		if len(g) > 0 || math.Abs(number.LogSumExp(got.G)-number.LogSumExp(listed.G)) > 1e-12 {
			t.Errorf("%s: no level has %v", text, g)
		}
	}
}

// TestOfLevelsRefuses what starts at a prior, what is summed out, and what is no product of
// factors.
func TestOfLevelsRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"bif:networks/testdata/asia.bif":          "starts at its prior",
		"uai:networks/testdata/grid33.uai:hide=3": "variables that are summed out",
		"uai:networks/testdata/grid33.uai":        "whole multiples of one number",
		"easy":                                    "not a product of factors",
	} {
		longtest.Refuses(forms.Targets().OfLevels(t.Context(), text))(t, want, text)
	}
}
