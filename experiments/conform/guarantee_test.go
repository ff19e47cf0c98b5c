package conform

import (
	"math"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/experiments/conform/samples"
)

// TestCertainState: where a single state is possible nothing is promised of the probabilities of states, for there is no test of
// which it could be said.
func TestCertainState(t *testing.T) {
	none := math.Inf(-1)
	l := lawsOfFile(t, []float64{none, none, none, none, none, none, 1, none, none, none, none, none}, nil, 3)
	right := drawn(t, l.task, chains.Reverse, 1000, 5)
	out := check(t, l, input(chains.Reverse, source(right, short)), Options{})
	passes(t, "a single state", out)
	for _, g := range out.Sides[0].Guarantees {
		if g.Quantity == "" || g.Draws != 1000 || strings.Contains(g.Test, "states") {
			t.Errorf("%+v", g)
		}
	}
}

// TestGuaranteesOfBounds: the probability of being below a level is known within bounds, which are wider for log weights with few
// digits. There is a promise for every level all the same, and what it says is found lies outside of the bounds.
func TestGuaranteesOfBounds(t *testing.T) {
	l := easyLaws(t)
	right := many(t, l.task, chains.Forward, 3000, 5)
	for name, s := range map[string]samples.Source{"in full": source(right, short), "two decimals": asText(t, l, right, short, "%.2f")} {
		promises := 0
		for _, g := range check(t, l, input(chains.Forward, s), Options{}).Sides[0].Guarantees {
			if g.Test != "forward law of log w" {
				continue
			}
			bounds := l.chain.Levels(chains.Forward)[promises].P
			if promises++; !(g.Low < bounds.Low && bounds.Low <= g.Right && g.Right <= bounds.High && bounds.High < g.High) {
				t.Errorf("%s: %+v, where the bounds are %+v", name, g, bounds)
			}
		}
		if promises != len(l.chain.Levels(chains.Forward)) {
			t.Errorf("%s: %d promises", name, promises)
		}
	}
}
