package conform

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"sort"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"breadboard/chains"
	"breadboard/experiments/checks/annealed"
	"breadboard/experiments/draws"
	"breadboard/experiments/verdicts"
	"breadboard/grid/longtest"
)

// TestGuarantees simulates deviations of the sizes that a pass claims to exclude: one state's
// probability is moved, log weights fall below a level with another probability, and the
// distribution of log w is tilted. They are found in 99% of the runs, up to chance of less than
// 1e-6, and at half of the deviation in clearly fewer. The seeds are fixed.
func TestGuarantees(t *testing.T) {
	longtest.Only(t)
	l := smallLaws(t)
	const n, alpha = 2000, DefaultAlpha
	runs := longtest.Times(20, 30)
	least := runs - mostAlarms(runs, 0.01)
	rows := longtest.Times(30_000, 100_000)
	tried := map[string]int{}
	for _, d := range directions {
		right := many(t, l.task, d, rows, 11)
		cut := &draws.Batch{Rows: n, XFirst: right.XFirst[:n], XLast: right.XLast[:n], LogW: right.LogW[:n]}
		out := checked(t, l, input(d, source(cut, short)), Options{Alpha: alpha})
		for _, g := range out.Sides[0].Guarantees {
			if g.Draws != n || !(g.Low < g.Right && g.Right < g.High) {
				t.Errorf("%+v", g)
			}
			threshold := result(t, out, g.Test).LogThreshold
			if strings.HasPrefix(g.Quantity, "P(x_") { // the test averages over the 12 states, which costs log 12 nats
				if low, high := verdicts.Detectable(g.Right, n, threshold+math.Log(12)); g.Low != low || g.High != high {
					t.Errorf("%s: from %v and %v on, want %v and %v", g.Quantity, g.Low, g.High, low, high)
				}
			}
			for _, end := range []float64{g.Low, g.High} {
				if math.IsInf(end, 0) {
					continue
				}
				for _, part := range []float64{1, 0.5} {
					what := fmt.Sprintf("%s, %s from %.4g to %.4g", g.Test, g.Quantity, g.Right, g.Right+part*(end-g.Right))
					deviation := deviating(t, right, g, g.Right+part*(end-g.Right))
					found := 0
					for seed := range runs {
						if foundBy(t, l, d, g.Test, deviation(rand.New(newSource(uint64(seed))), n)) >= threshold {
							found++
						}
					}
					tried[strings.Fields(g.Quantity)[0]]++
					if part == 1 && found < least || part < 1 && found > runs*9/10 {
						t.Errorf("%s, %v of the way: found in %d of %d", what, part, found, runs)
					}
				}
			}
		}
	}
	for _, what := range []string{"P(x_1", "P(x_T", "P(log", "E[log"} {
		if tried[what] == 0 {
			t.Errorf("no guarantee about %s...: %v", what, tried)
		}
	}
}

// foundBy returns the log e-value of a test after some chains.
func foundBy(t *testing.T, l *Laws, d chains.Direction, test string, b *draws.Batch) float64 {
	t.Helper()
	laws := longtest.Must(l.ofChains(context.Background()))(t)
	tally := annealed.NewTally(laws, d, annealed.Columns{First: b.XFirst != nil, Last: b.XLast != nil, LogW: b.LogW != nil})
	tally.Add(b.XFirst, b.XLast, b.LogW)
	for _, named := range tally.Tests() {
		if named.Name == test {
			logE, _ := named.Value()
			return logE
		}
	}
	t.Fatalf("there is no test %q", test)
	return 0
}

// deviating returns a function that draws chains whose quantity has another value, from many right
// ones.
func deviating(t *testing.T, right *draws.Batch, g Guarantee, value float64) func(rng *rand.Rand, n int) *draws.Batch {
	t.Helper()
	var state int
	var level float64
	weights := make([]float64, right.Rows)
	switch {
	case scans(g.Quantity, "P(x_1 = %d)", &state):
		event(weights, value, func(i int) bool { return int(right.XFirst[i]) == state })
	case scans(g.Quantity, "P(x_T = %d)", &state):
		event(weights, value, func(i int) bool { return int(right.XLast[i]) == state })
	case scans(g.Quantity, "P(log w < %g)", &level):
		event(weights, value, func(i int) bool { return right.LogW[i] < level })
	case g.Quantity == "E[log w]":
		tilt(weights, right.LogW, value)
	default:
		t.Fatalf("a guarantee about %s", g.Quantity)
	}
	draw, ofWeights := resampling(weights), strings.Contains(g.Quantity, "log w")
	return func(rng *rand.Rand, n int) *draws.Batch {
		b := &draws.Batch{Rows: n}
		for _, i := range draw(rng, n) {
			if ofWeights {
				b.LogW = append(b.LogW, right.LogW[i])
			} else {
				b.XFirst, b.XLast = append(b.XFirst, right.XFirst[i]), append(b.XLast, right.XLast[i])
			}
		}
		return b
	}
}

func scans(text, format string, into any) bool {
	n, err := fmt.Sscanf(text, format, into)
	return n == 1 && err == nil
}

// event gives weights with which an event has a probability.
func event(weights []float64, p float64, is func(i int) bool) {
	inside := 0
	for i := range weights {
		if is(i) {
			inside++
		}
	}
	for i := range weights {
		if weights[i] = (1 - p) / float64(len(weights)-inside); is(i) {
			weights[i] = p / float64(inside)
		}
	}
}

// tilt gives the weights exp(theta log w) with which log w has a mean.
func tilt(weights, logW []float64, mean float64) {
	at := func(theta float64) float64 {
		total, sum := 0.0, 0.0
		for i, v := range logW {
			weights[i] = math.Exp(theta * v)
			total += weights[i]
			sum += weights[i] * v
		}
		return sum / total
	}
	low, high := -5.0, 5.0
	for range 60 {
		if middle := (low + high) / 2; at(middle) < mean {
			low = middle
		} else {
			high = middle
		}
	}
	at(low)
}

// resampling returns a function that draws n indices with probabilities in proportion to weights.
func resampling(weights []float64) func(rng *rand.Rand, n int) []int {
	sums := floats.CumSum(make([]float64, len(weights)), weights)
	total := sums[len(sums)-1]
	return func(rng *rand.Rand, n int) []int {
		out := make([]int, n)
		for k := range out {
			out[k] = min(len(weights)-1, sort.SearchFloat64s(sums, rng.Float64()*total))
		}
		return out
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

// TestGuaranteesOfBounds: the probability of being below a level is known within bounds, which are
// wider for log weights with few digits. There is a promise for every level all the same, and what
// it says is found lies outside of the bounds.
func TestGuaranteesOfBounds(t *testing.T) {
	longtest.Only(t)
	l := usualLaws(t)
	right := many(t, l.task, chains.Forward, 3000, 5)
	for name, s := range map[string]draws.Source{"in full": source(right, short), "two decimals": asText(t, l, right, short, "%.2f")} {
		promises := 0
		for _, g := range checked(t, l, input(chains.Forward, s), Options{}).Sides[0].Guarantees {
			if g.Test != "forward distribution of log w" {
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
