package annealed

import (
	"context"
	"math"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/chains/simulate"
	"breadboard/exact/stages"
	"breadboard/exact/weights"
	"breadboard/experiments/forms"
	"breadboard/experiments/verdicts"
	"breadboard/grid/longtest"
	"breadboard/reports/check"
)

// running returns the tests of chains of an annealing, and chains of it in both directions.
func running(t *testing.T, toy string,
	T, k int) (r *Running, a *chains.Annealing, forward, reverse *simulate.Batch) {
	t.Helper()
	a = annealing(t, toy, T)
	l := longtest.Must(NewEndLaws(context.Background(), a))(t)
	r = longtest.Must(NewRunning(l, check.DefaultAlpha))(t)
	batch := func(d chains.Direction) *simulate.Batch {
		b := longtest.Must(simulate.Rows(a, d, simulate.ChainStream(1, "running", d, 0), k, nil))(t)
		return b
	}
	return r, a, batch(chains.Forward), batch(chains.Reverse)
}

func annealing(t testing.TB, selector string, T int) *chains.Annealing {
	t.Helper()
	toy := longtest.Sure(forms.All().Parse(selector))
	path := longtest.Sure(paths.NewGeometric(nil, toy.G))
	return longtest.Sure(chains.NewAnnealing(path, schedules.Linear{}, kernels.Metropolis{Space: toy.Space}, T))
}

func laws(t testing.TB, a *chains.Annealing) *ChainLaws {
	t.Helper()
	return longtest.Sure(NewChainLaws(context.Background(), a))
}

// firstChains takes the first n chains off a batch.
func firstChains(b *simulate.Batch, n int) *simulate.Batch {
	head := &simulate.Batch{First: b.First[:n], Last: b.Last[:n], LogW: b.LogW[:n]}
	b.First = b.First[n:]
	b.Last = b.Last[n:]
	b.LogW = b.LogW[n:]
	return head
}

// TestRunningEValues computes e-values on the way by hand: of the histogram of x_T against its
// exact distribution, and of the sum of log w against its moments. Right chains are not found at
// fault.
func TestRunningEValues(t *testing.T) {
	r, a, forward, reverse := running(t, "easy", 12, 4000)
	m := longtest.Sure(stages.Marginals(context.Background(), a, []int{12}))
	k := longtest.Sure(weights.CGF(context.Background(), a, chains.Reverse, verdicts.Powers()))
	counts := make([]int, a.States())
	sum := 0.0
	drawn := 0
	for _, n := range []int{1, 1, 3, 95, 900, 3000} {
		f := firstChains(forward, n)
		v := firstChains(reverse, n)
		for i := range n {
			counts[f.Last[i]]++
			sum += v.LogW[i]
		}
		drawn += n
		r.Add(f, v)
		want := map[string]float64{
			"forward x_T":   verdicts.CountsLogE(counts, m[0].Forward),
			"reverse log w": verdicts.WeightsLogE(sum, drawn, verdicts.Powers(), k),
		}
		// since all tests together raise a false alarm at most so often
		found := 0
		threshold := float64(len(r.EValues())) / check.DefaultAlpha
		for _, e := range r.EValues() {
			if e.Threshold != threshold {
				t.Errorf("a fault of %s has %v, want %v", e.Test, e.Threshold, threshold)
			}
			if e.Draws != drawn || e.Fault {
				t.Errorf("after %d chains: %+v", drawn, e)
			}
			if v, is := want[e.Test]; is {
				found++
				if math.Abs(e.LogE-v) > 1e-9*(1+math.Abs(v)) {
					t.Errorf("after %d chains %s has log e-value %v, want %v", drawn, e.Test, e.LogE, v)
				}
			}
		}
		if found != len(want) {
			t.Errorf("%d of %d tests are there", found, len(want))
		}
	}
}

// TestRunningFindsFaults: log weights that are too small by 0.1 are found, and a fault that has
// been found stays, though later chains make it look less.
func TestRunningFindsFaults(t *testing.T) {
	r, _, forward, reverse := running(t, "easy", 12, 40_000)
	wrong := firstChains(forward, 20_000)
	for i := range wrong.LogW {
		wrong.LogW[i] -= 0.1
	}
	fault := func() (found *Result) {
		for _, e := range r.EValues() {
			if e.Fault {
				if e.Test != "forward log w" {
					t.Errorf("%+v", e)
				}
				found = &e
			}
		}
		return found
	}
	r.Add(wrong, firstChains(reverse, 20_000))
	if f := fault(); f == nil || !strings.Contains(f.Where, "of 20000 chains") ||
		f.LogE < math.Log(f.Threshold) {
		t.Errorf("the fault is %+v", f)
	}
	for i := range forward.LogW {
		forward.LogW[i] += 0.1
	}
	r.Add(forward, reverse)
	if f := fault(); f == nil || !strings.Contains(f.Where, "of 20000 chains") ||
		f.LogE > math.Log(f.Threshold) || f.Draws != 40_000 {
		t.Errorf("later the fault is %+v", f)
	}
}

// TestEndLawsAreThoseOfChainLaws: what the light distributions have is what the whole ones have;
// tallies of them lack only what needs more.
func TestEndLawsAreThoseOfChainLaws(t *testing.T) {
	ctx := context.Background()
	a := annealing(t, "barrier", 6)
	light := longtest.Sure(NewEndLaws(ctx, a))
	whole := longtest.Sure(NewChainLaws(ctx, a))
	for _, d := range []chains.Direction{chains.Forward, chains.Reverse} {
		all := Columns{First: true, Last: true, LogW: true}
		values := map[string]float64{}
		b := chainsAtRandom(whole, d, 1000, 3)
		few := NewTally(light, d, all)
		many := NewTally(whole, d, all)
		few.Add(b.First, b.Last, b.LogW)
		many.Add(b.First, b.Last, b.LogW)
		for _, test := range many.Tests() {
			values[test.Name], _ = test.Value()
		}
		tests := few.Tests()
		for _, test := range tests {
			if logE, _ := test.Value(); logE != values[test.Name] && !strings.HasSuffix(test.Name, " log w") {
				// which has other exponents
				t.Errorf("%s: %v, want %v", test.Name, logE, values[test.Name])
			}
		}
		if len(tests) != 8 || len(values) != 12 {
			t.Errorf("%d tests with the light distributions and %d with the whole ones", len(tests), len(values))
		}
	}
}

func TestRunningRefuses(t *testing.T) {
	l := longtest.Sure(NewEndLaws(context.Background(), annealing(t, "easy", 3)))
	for _, alpha := range []float64{0, 1, -1, math.NaN()} {
		if _, err := NewRunning(l, alpha); err == nil {
			t.Errorf("alpha %v is accepted", alpha)
		}
	}
}

// TestNaNIsAFault: no comparison holds for an e-value that is not a number, so that it would pass.
func TestNaNIsAFault(t *testing.T) {
	w := &verdicts.Watch{
		Value: func() (float64, func() string) { return math.NaN(), func() string { return "here" } }}
	w.Look(1)
	var r Result
	r.updateResult(w)
	if !r.Fault || !strings.Contains(r.Where, "NaN") || !strings.Contains(r.Where, "here") {
		t.Errorf("%+v", r)
	}
}

// TestJointLaw: the joint distribution of both ends has the distributions of the ends as its
// margins.
func TestJointLaw(t *testing.T) {
	longtest.Only(t)
	l := laws(t, annealing(t, "random:2:1:3x3", 6))
	for d, law := range l.ends {
		first, last := make([]float64, 9), make([]float64, 9)
		for at, p := range law {
			first[at/9] += p
			last[at%9] += p
		}
		for x := range 9 {
			if math.Abs(first[x]-l.first[d][x]) > 1e-14 || math.Abs(last[x]-l.last[d][x]) > 1e-14 {
				t.Errorf("%v, state %d: %v and %v, want %v and %v", d, x, first[x], last[x], l.first[d][x],
					l.last[d][x])
			}
		}
	}
	if l.skipped != nil {
		t.Errorf("skipped %v", l.skipped)
	}
}

// TestAveragedNamesTheWorst: of several tests on the same draws the e-values are averaged, and the
// largest says where.
func TestAveragedNamesTheWorst(t *testing.T) {
	say := func(logE float64, where string) func() (float64, func() string) {
		return func() (float64, func() string) { return logE, func() string { return where } }
	}
	for want, tests := range map[string][]func() (float64, func() string){
		"one":   {say(3, "one"), say(1, "two"), say(2, "three")},
		"two":   {say(-3, "one"), say(5, "two"), say(2, "three")},
		"three": {say(0, "one"), say(1, "two"), say(2, "three")},
	} {
		logE, where := averaged(tests...)()
		mean := 0.0
		for _, test := range tests {
			v, _ := test()
			mean += math.Exp(v) / 3
		}
		if where() != want || !(math.Abs(math.Exp(logE)/mean-1) < 1e-12) {
			t.Errorf("%s and %v, want %s and %v", where(), math.Exp(logE), want, mean)
		}
	}
}

// TestLawsAreKnownWellEnough: if the distribution of log w is inverted its probabilities are
// known to about five over its 4096 frequencies: less than the 3e-3 that 10^5 chains can tell apart
// at two standard errors of a half.
func TestLawsAreKnownWellEnough(t *testing.T) {
	longtest.Only(t)
	l := laws(t, annealing(t, "easy", 60))
	for d := range l.levels {
		if len(l.levels[d]) == 0 {
			t.Fatalf("direction %d has no levels", d)
		}
		worst := 0.0
		for _, level := range l.levels[d] {
			worst = max(worst, level.P.Error())
		}
		if !(worst < 1.5e-3) {
			t.Errorf("direction %d: a probability is known to %v", d, worst)
		}
	}
}
