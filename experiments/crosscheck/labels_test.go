package crosscheck

import (
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/experiments/study/check"
)

// TestFindingsNameStates: where the states have labels, findings have them in place of numbers.
func TestFindingsNameStates(t *testing.T) {
	a := annealing(t, "random:2:7:3x3", 6)
	wrong := Simulations(a)[0]
	wrong.Name, wrong.Moves = "stays", chains.Always(kernels.Stay{})
	l := laws(t, a)
	for name, states := range map[string]string{"numbers": "012345678", "labels": "abcdefghi"} {
		if name == "labels" {
			l.Named(func(x int) string { return states[x : x+1] })
		}
		seen := false
		for _, r := range faults(run(t, l, wrong, BatteryOptions{Alpha: check.DefaultAlpha, Seed: 1, Draws: 1 << 10, Moves: 1 << 10})) {
			_, from, says := strings.Cut(r.Where, "from state ")
			seen = seen || says && strings.Contains(states, from[:1])
			if says && !strings.Contains(states, from[:1]) {
				t.Errorf("%s: %s", name, r.Where)
			}
		}
		if !seen {
			t.Errorf("%s: no finding says from which state", name)
		}
		if outcome, want := l.probes[0].paths[0].name(0, l.probes[0].label), "x_1 = "+states[:1]+", x_T = "; !strings.HasPrefix(outcome, want) {
			t.Errorf("%s: the first outcome of a probe is %q, want one with %q", name, outcome, want)
		}
		l.Named(nil)
	}
}
