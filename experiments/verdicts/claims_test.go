package verdicts

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact/weights"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// TestLargestWeightOfAllPaths: no sequence of states has a larger product of increments, and one
// attains it. All sequences of x_1..x_4 on three states are walked through.
func TestLargestWeightOfAllPaths(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		log := rapid.OneOf(rapid.Float64Range(-4, 4), rapid.SampledFrom([]float64{math.Inf(-1), 0, 1e3}))
		// the first state is possible at both ends
		initial := []float64{0}
		target := []float64{0}
		for range 2 {
			initial = append(initial, log.Draw(t, "initial"))
			target = append(target, log.Draw(t, "target"))
		}
		var path chains.Path
		var err error
		if rapid.Bool().Draw(t, "arithmetic") {
			path, err = paths.NewArithmetic(initial, target)
		} else {
			path, err = paths.NewGeometric(initial, target)
		}
		longtest.NoError(t, err)
		const T = 5
		a := longtest.Sure(chains.NewAnnealing(path, schedules.Linear{}, kernels.Metropolis{Space: grid.MustNew(3)}, T))
		got := longtest.Sure(LargestWeight(context.Background(), a))
		var logf [T][]float64
		for s := range T {
			logf[s] = make([]float64, 3)
			path.LogF(logf[s],
				chains.Place{Beta: schedules.Linear{}.Beta(s+1, T), Rest: schedules.Linear{}.Rest(s+1, T)})
		}
		want := math.Inf(-1)
		for code := range 81 {
			total := 0.0
			for s, rest := 1, code; s < T; s, rest = s+1, rest/3 {
				if x := rest % 3; math.IsInf(logf[s-1][x], -1) {
					total = math.Inf(-1) // no chain is there
				} else {
					total += logf[s][x] - logf[s-1][x]
				}
			}
			want = max(want, total)
		}
		if math.Abs(got-want) > 1e-11 { // values of up to 1e3 are subtracted here, and not there
			t.Errorf("%v, want %v", got, want)
		}
	})
}

// TestNoLargestWeight: if no chain has a weight, and if the context ends, the error says so. A
// constant in log f is in the largest weight.
func TestNoLargestWeight(t *testing.T) {
	far := longtest.Sure(paths.NewGeometric(nil, []float64{1e12, 1e12 + 3, 1e12 - 5, 1e12}))
	on := longtest.Sure(chains.NewAnnealing(far, schedules.Linear{}, kernels.Metropolis{Space: grid.MustNew(4)}, 50))
	if got := longtest.Sure(LargestWeight(context.Background(), on)); math.Abs(got-1e12-3) > 1e-3 {
		t.Errorf("%v, want 1e12 + 3", got)
	}
	zero := math.Inf(-1)
	path := longtest.Sure(paths.NewArithmetic([]float64{0, zero}, []float64{zero, 0}))
	a := longtest.Sure(chains.NewAnnealing(path, schedules.Linear{}, kernels.Metropolis{Space: grid.MustNew(2)}, 2))
	longtest.Refuses(LargestWeight(context.Background(), a))(t, "zero")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := LargestWeight(ctx, a); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// certainly is a probability that is known.
func certainly(p float64) weights.Bracket { return weights.Bracket{Low: p, Value: p, High: p} }

// TestLawExpectationOne: if estimates have the distribution, the e-value of its events and its
// mean has expectation one after any number of draws, and at most one if the probabilities are
// known within bounds.
func TestLawExpectationOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l, draws := drawEstimates(t)
		logZ := rapid.Float64Range(-3, 3).Draw(t, "log Z")
		width := rapid.SampledFrom([]float64{0, 0.05}).Draw(t, "width")
		var events []Event
		for _, x := range []float64{-3.1, 0.1, 2.7} {
			p := mean(l, func(v float64) float64 {
				if v <= x {
					return 1
				}
				return 0
			})
			bounds := weights.Bracket{
				Low:   max(0, p-width/3),
				Value: min(1, max(0, p+width/6)),
				High:  min(1, p+width),
			}
			events = append(events, Event{"log Zhat <= x", math.Inf(-1), x - logZ, bounds})
		}
		logMean := math.Log(mean(l, math.Exp)) - logZ
		e := expectation(t, l, func() (*Test, error) { return NewLaw("law:any", logZ, events, logMean) }, draws)
		if e > 1+1e-9 || width == 0 && e < 1-1e-9 {
			t.Errorf("the e-value has expectation %v after %d draws of %+v", e, draws, l)
		}
	})
}

// TestEventsPlain: if numbers are exact an event counts as package verdicts has it, and if they are
// not the e-value is the least over all that they may be.
func TestEventsPlain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SampledFrom([]float64{0.03, 0.5, 0.9}).Draw(t, "p")
		width := rapid.SampledFrom([]float64{0, 0.1, 1}).Draw(t, "width")
		bounds := weights.Bracket{Low: max(0, p-width), Value: p, High: min(1, p+width)}
		e := newEvents([]Event{{"it", -1, 1, bounds}})
		in := 0
		open := 0
		n := rapid.IntRange(1, 60).Draw(t, "n")
		for range n {
			v := rapid.Float64Range(-2, 2).Draw(t, "v")
			off := rapid.SampledFrom([]float64{0, 0.3, 3}).Draw(t, "off")
			low, high := v-off, v+off
			e.Add(low, high)
			switch {
			case -1 <= low && high <= 1:
				in++
			case low <= 1 && high >= -1:
				open++
			}
		}
		least := math.Inf(1)
		for more := range open + 1 {
			least = min(least, LevelsLogE([]int{in + more}, n, []Level{{P: bounds}}))
		}
		if got := e.LogE(); math.Abs(got-least) > 1e-9 {
			t.Errorf("log e-value %v, want %v with %d of %d, and %d open", got, least, in, n, open)
		}
	})
}

// TestCertainEvents: what never happens is a fault at once, with the number of the first, and what
// is left open by rounding is none.
func TestCertainEvents(t *testing.T) {
	made := func(values ...float64) *Test {
		test := must(NewWithin("within:0.05", 3, 0.05, 1))
		longtest.NoError(t, test.AddRounded(values, func(float64) float64 { return 0.01 }))
		return test
	}
	if test := made(3, 2.95, 3.055, 2.945); test.LogE() != 0 || test.Idle() {
		t.Errorf("log e-value %v", test.LogE())
	}
	for _, bad := range []float64{3.061, 2.9, math.Inf(1), math.Inf(-1)} {
		test := made(3, 3, bad, bad)
		if want := "log Zhat is within 0.05 nats of log Z: 2 of 4 estimates, 4 expected; the first " +
			"impossible one is estimate 2"; !math.IsInf(test.LogE(),
			1) || test.Where() != want {
			t.Errorf("%v: log e-value %v, %s", bad, test.LogE(), test.Where())
		}
	}
}

// TestScores: a standard error of zero is right or wrong for certain, and what is no standard error
// is refused.
func TestScores(t *testing.T) {
	test := must(NewCalibrated("calibrated", 3, 0))
	none := func(float64) float64 { return 0 }
	longtest.Refused(t, test.Add([]float64{3}), "standard errors")
	for _, se := range []float64{-1, math.NaN(), math.Inf(1)} {
		longtest.Refused(t, test.AddWithErrors([]float64{3}, []float64{se}, none), "finite number from 0 on", se)
	}
	longtest.NoError(t, test.AddWithErrors([]float64{3, 4, math.Inf(-1), 3.4}, []float64{0, 0, 1, 0.5}, none))
	if s := test.Summary(); s.Draws != 4 || math.Abs(s.MeanScore-0.8) > 1e-12 || math.IsNaN(test.LogE()) {
		t.Errorf("%+v, log e-value %v", s, test.LogE())
	}
	if got, want := test.events.in, []int{1, 1, 1, 2, 2, 0, 1, 1, 1}; !slices.Equal(got, want) ||
		test.events.open[0] != 1 {
		t.Errorf("z scores are counted as %v, want %v, and %v are open", got, want, test.events.open)
	}
}

// TestDeviations: a probability that should be found is found, and no nearer one.
func TestDeviations(t *testing.T) {
	const draws, threshold = 2000, 10.0
	event := func() *Test { return must(NewWithin("within:1:0.9", 0, 1, 0.9)) }
	test := event()
	for range draws {
		test.addEstimate(0, 0)
	}
	d := test.Deviations(threshold)
	if len(d) != 1 || !(d[0].Low > 0.8 && d[0].Low < 0.9) || !math.IsInf(d[0].High, 1) ||
		d[0].Draws != draws {
		t.Fatalf("%+v", d)
	}
	// At the end of what is found the sum over all counts has the probability to be found.
	power := 0.0
	for in, p := range binomial(draws, d[0].Low) {
		if LevelsLogE([]int{in}, draws, []Level{{P: certainly(0.9)}}) >= threshold {
			power += p
		}
	}
	if math.Abs(power-DetectionProbability) > 1e-9 {
		t.Errorf("a probability of %v is found with probability %v", d[0].Low, power)
	}
	// Of two events each needs an e-value twice as large, and so does a distribution beside its
	// mean.
	twice := newEvents([]Event{test.events.list[0], test.events.list[0]})
	for range draws {
		twice.Add(0, 0)
	}
	law := must(NewLaw("law", 0, test.events.list, 0))
	for range draws {
		law.addEstimate(0, 0)
	}
	for what, other := range map[string][]Deviation{
		"two events": twice.deviations(threshold), "a distribution with a mean": law.Deviations(threshold)} {
		if want := test.events.deviations(threshold + math.Ln2); other[0].Low != want[0].Low ||
			!(other[0].Low < d[0].Low) {
			t.Errorf("of %s %v is found, want %v", what, other[0].Low, want[0].Low)
		}
	}
	if must(NewLower(0)).Deviations(threshold) != nil {
		t.Error("a claim about a mean has events")
	}
}

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

// TestFlowsHaveMeanOne: the e-value of flows has expectation one for every distribution of moves in
// which the flow from x to y is that from y to x, and a distribution in which it is not has a
// larger one after enough moves.
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
		if mean := meanOf(moves, n, func(draws []int) float64 {
			return FlowsLogE(flowsOf(draws, states), states)
		}); !(math.Abs(mean-1) < 1e-12) {
			t.Fatalf("the e-value has mean %v", mean)
		}
	})
}

// TestFlowsGrow: a slight fault at every pair is found by the product, and one at a single pair by
// its own e-value.
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
	if s := WorstFlow(none, name); !strings.Contains(s, "equally many") {
		t.Error(s)
	}
}

// TestFarScores: the mean of z scores and of their squares are compared with those of standard
// normal ones, unless the claim has a slack.
func TestFarScores(t *testing.T) {
	const n = 10_000
	for _, c := range []struct {
		slack, shift, scale float64
		want                string
	}{
		{0, 0.048, 1, ""}, {0, 0.052, 1, "the mean of the z scores is off by 5.2 "},
		{0, -0.052, 1, "the mean of the z scores is off by -5.2 "},
		{0, 0, 1.033, ""}, {0, 0, 1.04, "the mean of the squares of the z scores is off by 5.62 "},
		{0, 0, 0.96, "the mean of the squares of the z scores is off by -5.7 "},
		{0.1, 0.052, 1.04, ""},
	} {
		test := longtest.Must(NewCalibrated("calibrated", 3, c.slack))(t)
		for i := range n { // quantiles, whose squares have the mean 0.9998
			z := c.shift + c.scale*math.Sqrt2*math.Erfinv(float64(2*i+1)/n-1)
			longtest.NoError(t, test.AddWithErrors([]float64{3 + z}, []float64{1}, func(float64) float64 { return 0 }))
		}
		if got := test.FarScores(); !strings.HasPrefix(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%+v: %s", c, got)
		}
	}
	few := longtest.Must(NewCalibrated("calibrated", 3, 0))(t)
	longtest.NoError(t, few.AddWithErrors([]float64{5.5, 0.5}, []float64{1, 1}, func(float64) float64 { return 0 }))
	if got := few.FarScores(); got != "" { // the squares are 5.25 of their standard deviations off
		t.Error(got)
	}
}

// TestShown: the distance from a claim by hand, on the sides where it is wrong alone.
func TestShown(t *testing.T) {
	logs := []float64{-1, 1, 2} // on average 2/3, with the standard error sqrt(7)/3
	mean := (math.Exp(-1) + math.Exp(1) + math.Exp(2)) / 3
	deviation := 0.0
	for _, v := range logs {
		deviation += (math.Exp(v) - mean) * (math.Exp(v) - mean) / 6
	}
	far := math.Log(mean) / (math.Sqrt(deviation) / mean)
	within := longtest.Must(NewWithin("within", 0, 0.5, 0.9))(t)
	for name, c := range map[string]struct {
		test *Test
		want Shown
	}{
		"unbiased":    {longtest.Must(NewUnbiased(0, math.Inf(1)))(t), Shown{Errors: far, High: true}},
		"lower":       {longtest.Must(NewLower(0))(t), Shown{Errors: far, High: true}},
		"lower still": {longtest.Must(NewLower(9))(t), Shown{}},
		"lower on average": {
			longtest.Must(NewLowerOnAverage(0, -9))(t), Shown{Errors: 2 / math.Sqrt(7), High: true}},
		"upper on average": {longtest.Must(NewUpperOnAverage(0, 9))(t), Shown{}},
		"within": {
			within, Shown{Errors: 0.9 / math.Sqrt(0.9*0.1/3), Event: "log Zhat is within 0.5 nats of log Z"}},
	} {
		longtest.NoError(t, c.test.Add(logs))
		got := c.test.Shown()
		if math.Abs(got.Errors-c.want.Errors) > 1e-12 || got.High != c.want.High ||
			got.Event != c.want.Event {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
	one := longtest.Must(NewUnbiased(0, math.Inf(1)))(t)
	longtest.NoError(t, one.Add([]float64{0})) // which is log Z
	if got := one.Shown(); !math.IsNaN(got.Errors) {
		t.Error(got)
	}
}

// TestEndOfRange: an estimate that is beyond the end of the range by its last digit is not beyond
// it.
func TestEndOfRange(t *testing.T) {
	for _, c := range []struct {
		v    float64
		idle bool
	}{{math.Nextafter(1.5, 2), false}, {1.5 + 1e-9, true}} {
		test := longtest.Must(NewUpperOnAverage(0, 1.5))(t)
		longtest.NoError(t, test.Add([]float64{c.v}))
		if test.Idle() != c.idle {
			t.Errorf("%v: %v", c.v, test.Untested())
		}
	}
}
