package eprocess

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// flowsOf counts moves, which are numbered x states + y.
func flowsOf(draws []int, states int) []Flow {
	var out []Flow
	for x := range states {
		for y := x + 1; y < states; y++ {
			f := Flow{X: x, Y: y}
			for _, d := range draws {
				switch d {
				case x*states + y:
					f.Counts[0]++
				case y*states + x:
					f.Counts[1]++
				}
			}
			if f.Counts[0]+f.Counts[1] > 0 {
				out = append(out, f)
			}
		}
	}
	return out
}

// TestFlowsHaveMeanOne: the e-value of flows has expectation one for every law of moves in which the flow from x to y is that
// from y to x, and a law in which it is not has a larger one after enough moves.
func TestFlowsHaveMeanOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		states := rapid.IntRange(1, 3).Draw(t, "states")
		moves := make([]float64, states*states)
		total := 0.0
		for x := range states {
			for y := range x + 1 {
				v := rapid.SampledFrom([]float64{0, 1e-12, 1e-3, 0.3, 1}).Draw(t, "flow")
				if x == 0 {
					v = 1
				}
				moves[x*states+y], moves[y*states+x] = v, v
			}
		}
		for _, v := range moves {
			total += v
		}
		for i := range moves {
			moves[i] /= total
		}
		n := rapid.IntRange(0, 4).Draw(t, "moves")
		if mean := meanOf(moves, n, func(draws []int) float64 { return FlowsLogE(flowsOf(draws, states), states) }); !(math.Abs(mean-1) < 1e-12) {
			t.Fatalf("the e-value has mean %v", mean)
		}
	})
}

// TestFlowsGrow: a slight fault at every pair is found by the product, and one at a single pair by its own e-value.
func TestFlowsGrow(t *testing.T) {
	const states = 40
	var slight, single, none []Flow
	for x := range states {
		for y := x + 1; y < states; y++ {
			slight = append(slight, Flow{x, y, [2]int{5100, 4900}})
			single = append(single, Flow{x, y, [2]int{5000, 5000}})
			none = append(none, Flow{x, y, [2]int{5000, 5000}})
		}
	}
	single[7].Counts = [2]int{5500, 4500}
	if v := FlowsLogE(slight, states); v < 100 {
		t.Errorf("2%% at every pair: %v nats", v)
	}
	if v := FlowsLogE(single, states); v < 30 {
		t.Errorf("10%% at one pair: %v nats", v)
	}
	if v := FlowsLogE(none, states); v > 0 {
		t.Errorf("no fault: %v nats", v)
	}
	name := func(x int) string { return fmt.Sprint(x) }
	if s := WorstFlow(single, name); !strings.Contains(s, "5500 moves from state 0 to state 8, and 4500 back") {
		t.Error(s)
	}
	if s := WorstFlow(none, name); !strings.Contains(s, "as many") {
		t.Error(s)
	}
}
