package conform

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"breadboard/chains"
	"breadboard/experiments/draws"
	"breadboard/experiments/verdicts"
	"breadboard/grid/longtest"
)

// TestGuarantees: what a pass excludes is what verdicts says of an event with the threshold of its
// test, which averages over the 12 states or over all levels, and what LeastTilts says of the mean.
// The probability of being below a level is known within bounds, which are wider for log weights
// with few digits, and what is excluded lies outside of them.
func TestGuarantees(t *testing.T) {
	longtest.Only(t)
	l := smallLaws(t)
	const n = 2000
	for _, d := range directions {
		right := many(t, l.task, d, n, 11)
		laws := longtest.Must(l.ofChains(t.Context()))(t)
		for name, s := range map[string]draws.Source{
			"in full": source(right, short), "two decimals": asText(t, l, right, short, "%.2f")} {
			out := checked(t, l, input(d, s), Options{})
			levels := l.chain.Levels(d)
			tried := map[string]int{}
			for _, g := range out.Sides[0].Guarantees {
				threshold := result(t, out, g.Test).LogThreshold
				low := 0.0
				high := 0.0
				kind := strings.Fields(g.Quantity)[0]
				switch kind {
				case "P(x_1", "P(x_T":
					low, high = verdicts.Detectable(g.Right, n, threshold+math.Log(12))
				case "P(log":
					p := levels[tried[kind]].P
					low, high = verdicts.DetectableLevel(p, n, threshold+math.Log(float64(len(levels))))
					if !(g.Low < p.Low && p.Low <= g.Right && g.Right <= p.High && p.High < g.High) {
						t.Errorf("%s: %+v, where the bounds are %+v", name, g, p)
					}
				case "E[log":
					down, up, err := LeastTilts(t.Context(), laws, d, n, threshold)
					longtest.NoError(t, err)
					low, high = down.Mean, up.Mean
				}
				tried[kind]++
				if g.Draws != n || !(g.Low < g.Right && g.Right < g.High) ||
					name == "in full" && (math.Abs(low-g.Low) > 1e-12 || math.Abs(high-g.High) > 1e-12) {
					t.Errorf("%s, %v: %+v, want from %v and %v on", name, d, g, low, high)
				}
			}
			if tried["P(x_1"] != 1 || tried["P(x_T"] != 1 || tried["E[log"] != 1 ||
				tried["P(log"] != len(levels) {
				t.Errorf("%s, %v: there are guarantees of %v", name, d, tried)
			}
		}
	}
}

// TestCertainState: if a single state is possible nothing is promised of the probabilities of
// states, since nothing tests them.
func TestCertainState(t *testing.T) {
	none := math.Inf(-1)
	l := lawsOfFile(t, []float64{none, none, none, none, none, none, 1, none, none, none, none, none}, nil, 3)
	right := drawn(t, l.task, chains.Reverse, 1000, 5)
	out := checked(t, l, input(chains.Reverse, source(right, short)), Options{})
	passes(t, "a single state", out)
	for _, g := range out.Sides[0].Guarantees {
		if g.Quantity == "" || g.Draws != 1000 || strings.Contains(g.Test, "states") {
			t.Errorf("%+v", g)
		}
	}
}

// TestGuaranteesOfFinite: chains with a weight of zero are no draws of the mean of log w.
func TestGuaranteesOfFinite(t *testing.T) {
	none := math.Inf(-1)
	l := lawsOfFile(t, []float64{0, 1, none, 2, 0.5, none, 1, -1, 0, 0.3, 0.7, none}, nil, 4)
	right := many(t, l.task, chains.Forward, 3000, 5)
	finite := floats.Count(func(v float64) bool { return !math.IsInf(v, 0) }, right.LogW)
	promised := false
	for _, g := range checked(t, l, input(chains.Forward, source(right, short)), Options{}).Sides[0].Guarantees {
		if g.Quantity == "E[log w]" {
			promised = true
			if g.Draws != finite || finite > 2900 {
				t.Errorf("%d draws, of %d chains with a finite log weight", g.Draws, finite)
			}
		}
	}
	if !promised {
		t.Error("nothing is promised of E[log w]")
	}
}
