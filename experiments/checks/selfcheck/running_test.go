package selfcheck

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/chains/simulate"
	"breadboard/exact/stages"
	"breadboard/exact/weights"
	"breadboard/experiments/checks/eprocess"
	"breadboard/experiments/study/check"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// running returns the tests of chains of an annealing, and chains of it in both directions.
func running(t *testing.T, toy string, T, k int) (r *Running, a *chains.Annealing, forward, reverse *simulate.Batch) {
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

// firstChains takes the first n chains off a batch.
func firstChains(b *simulate.Batch, n int) *simulate.Batch {
	head := &simulate.Batch{First: b.First[:n], Last: b.Last[:n], LogW: b.LogW[:n]}
	b.First, b.Last, b.LogW = b.First[n:], b.Last[n:], b.LogW[n:]
	return head
}

// TestRunningEValues computes e-values on the way by hand: of the histogram of x_T against its exact law, and of the sum of log w
// against its moments. Right chains are not found at fault.
func TestRunningEValues(t *testing.T) {
	r, a, forward, reverse := running(t, "easy", 12, 4000)
	m := longtest.Sure(stages.Marginals(context.Background(), a, []int{12}))
	k := longtest.Sure(weights.CGF(context.Background(), a, chains.Reverse, eprocess.Powers()))
	counts, sum, drawn := make([]int, a.States()), 0.0, 0
	for _, n := range []int{1, 1, 3, 95, 900, 3000} {
		f, v := firstChains(forward, n), firstChains(reverse, n)
		for i := range n {
			counts[f.Last[i]]++
			sum += v.LogW[i]
		}
		drawn += n
		r.Add(f, v)
		want := map[string]float64{
			"forward x_T":   eprocess.CountsLogE(counts, m[0].Forward),
			"reverse log w": eprocess.WeightsLogE(sum, drawn, eprocess.Powers(), k),
		}
		found, threshold := 0, float64(len(r.EValues()))/check.DefaultAlpha // since all tests together raise a false alarm at most so often
		for _, e := range r.EValues() {
			if e.Threshold != threshold {
				t.Errorf("a fault of %s has %v, want %v", e.Test, e.Threshold, threshold)
			}
			if e.Draws != drawn || e.Fault {
				t.Errorf("after %d chains: %+v", drawn, e)
			}
			if v, is := want[e.Test]; is {
				if found++; math.Abs(e.LogE-v) > 1e-9*(1+math.Abs(v)) {
					t.Errorf("after %d chains %s has log e-value %v, want %v", drawn, e.Test, e.LogE, v)
				}
			}
		}
		if found != len(want) {
			t.Errorf("%d of %d tests are there", found, len(want))
		}
	}
}

// TestRunningFindsFaults: log weights that are too small by 0.1 are found, and a fault that has been found stays, though later chains
// make it look less.
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
	if f := fault(); f == nil || !strings.Contains(f.Where, "of 20000 chains") || f.LogE < math.Log(f.Threshold) {
		t.Errorf("the fault is %+v", f)
	}
	for i := range forward.LogW {
		forward.LogW[i] += 0.1
	}
	r.Add(forward, reverse)
	if f := fault(); f == nil || !strings.Contains(f.Where, "of 20000 chains") || f.LogE > math.Log(f.Threshold) || f.Draws != 40_000 {
		t.Errorf("later the fault is %+v", f)
	}
}

// TestEndLawsAreThoseOfChainLaws: what the light laws have is what the whole ones have; tallies of them lack only what needs more.
func TestEndLawsAreThoseOfChainLaws(t *testing.T) {
	ctx, a := context.Background(), annealing(t, "barrier", 6)
	light := longtest.Sure(NewEndLaws(ctx, a))
	whole := longtest.Sure(NewChainLaws(ctx, a))
	for _, d := range []chains.Direction{chains.Forward, chains.Reverse} {
		all := Columns{First: true, Last: true, LogW: true}
		values := map[string]float64{}
		b := chainsAtRandom(whole, d, 1000, 3)
		few, many := NewTally(light, d, all), NewTally(whole, d, all)
		few.Add(b.First, b.Last, b.LogW)
		many.Add(b.First, b.Last, b.LogW)
		for _, test := range many.Tests() {
			values[test.Name], _ = test.Value()
		}
		tests := few.Tests()
		for _, test := range tests {
			if logE, _ := test.Value(); logE != values[test.Name] && !strings.HasSuffix(test.Name, " log w") { // which has other exponents
				t.Errorf("%s: %v, want %v", test.Name, logE, values[test.Name])
			}
		}
		if len(tests) != 8 || len(values) != 12 {
			t.Errorf("%d tests with the light laws and %d with the whole ones", len(tests), len(values))
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

// TestNaNIsAFault: no comparison holds for an e-value that is no number, so that it would pass.
func TestNaNIsAFault(t *testing.T) {
	p := &test{
		Result: Result{Threshold: 10}, budget: 1,
		draw:  func(context.Context, int) error { return nil },
		value: func() (float64, func() string) { return math.NaN(), func() string { return "here" } },
	}
	if p.advance(context.Background(), 1); !p.Fault || !strings.Contains(p.Where, "NaN") || !strings.Contains(p.Where, "here") {
		t.Errorf("%+v", p.Result)
	}
}

// TestRanksOfTheImpossible: counts at states that no chain can be at are a fault, however few.
func TestRanksOfTheImpossible(t *testing.T) {
	p := make([]float64, 9)
	for x := range 8 {
		p[x] = 1.0 / 8
	}
	r := newRanks("x_T", p, middleCounts, rand.New(rand.NewPCG(1, 2)))
	counts := make([]int, 9)
	counts[0], counts[8] = middleCounts-1, 1
	if r.add(counts); !math.IsInf(first(r.value()), 1) {
		t.Errorf("log e = %v", first(r.value()))
	}
}

func first(v float64, _ func() string) float64 { return v }

// TestDivergence compares with numbers that are known: KL((1/2, 1/2) || (1/4, 3/4)) = log(4/3)/2, and to the second
// order in d, KL((1/2+d, 1/2-d) || (1/2, 1/2)) = 2 d^2.
func TestDivergence(t *testing.T) {
	if kl := divergence([]float64{0.5, 0.5}, []float64{0.25, 0.75}); math.Abs(kl-math.Log(4.0/3)/2) > 1e-15 {
		t.Errorf("KL = %v", kl)
	}
	const d = 0x1p-20
	if kl := divergence([]float64{0.5 + d, 0.5 - d}, []float64{0.5, 0.5}); math.Abs(kl/(2*d*d)-1) > 1e-3 {
		t.Errorf("KL = %v, want %v", kl, 2*d*d)
	}
}

// TestJointLaw: the joint law of both ends has the laws of the ends as its margins.
func TestJointLaw(t *testing.T) {
	longtest.NotShort(t)
	l := laws(t, annealing(t, "random:2:1:3x3", 6))
	for d, law := range l.ends {
		first, last := make([]float64, 9), make([]float64, 9)
		for at, p := range law {
			first[at/9] += p
			last[at%9] += p
		}
		for x := range 9 {
			if math.Abs(first[x]-l.first[d][x]) > 1e-14 || math.Abs(last[x]-l.last[d][x]) > 1e-14 {
				t.Errorf("%v, state %d: %v and %v, want %v and %v", d, x, first[x], last[x], l.first[d][x], l.last[d][x])
			}
		}
	}
	if len(l.ends) != 2 || l.skipped != nil {
		t.Errorf("%d joint laws, skipped %v", len(l.ends), l.skipped)
	}
}

// TestNeeds: of the planted kernels only the acceptance in 32 bits needs more moves than can be made.
func TestNeeds(t *testing.T) {
	longtest.NotShort(t)
	a := annealing(t, "easy", 12)
	l := laws(t, a)
	for _, m := range Mutants(a, a.Kernel().(kernels.Metropolis).Space.(*grid.Lattice)) {
		if m.wrong == nil || m.Harmless || m.Annealing != a {
			continue
		}
		needs := longtest.Must(m.needs(context.Background(), l, check.DefaultAlpha))(t)
		t.Logf("%s: %.3g", m.Name, needs)
		if (needs > VisibleMoves) != (m.Name == "32-bit acceptance uniform") || needs < 1 {
			t.Errorf("%s needs %.3g moves", m.Name, needs)
		}
	}
}

// TestShorterProbe: where three distributions have too many paths, two are tested; what cannot be is said.
func TestShorterProbe(t *testing.T) {
	longtest.NotShort(t)
	of := annealing(t, "random:1:0:11x10", 4)
	kernel := longtest.Sure(kernels.Parse("independence", grid.MustNew(11, 10)))
	a := longtest.Sure(chains.NewAnnealing(of.Path(), schedules.Linear{}, kernel, 4))
	l := laws(t, a)
	if len(l.probes) != 2 || l.probes[0].a.Distributions() != 2 || l.skipped != nil {
		t.Errorf("%d probes, skipped %v", len(l.probes), l.skipped)
	}
	if l := laws(t, annealing(t, "random:1:0:33x8", 3)); len(l.skipped) == 0 || !strings.Contains(l.skipped[0], "264 states are more than 256") {
		t.Errorf("skipped %v", l.skipped)
	}
}

// TestSpoiledChains: a constant that is dropped is seen, and so is that the last state of every 256th
// chain is its first, which here the joint law of both ends shows first.
func TestSpoiledChains(t *testing.T) {
	longtest.NotShort(t)
	g := []float64{1000, 1001, 1002, 1000.5, math.Inf(-1), 1000, 999, 1001, 1000}
	path := longtest.Sure(paths.NewGeometric(nil, g))
	raised := longtest.Sure(chains.NewAnnealing(path, schedules.Linear{}, kernels.Metropolis{Space: grid.MustNew(3, 3)}, 5))
	for _, c := range []struct {
		name  string
		a     *chains.Annealing
		draws int
		spoil func(b *simulate.Batch)
	}{
		{"constant dropped", raised, 1 << 12, func(b *simulate.Batch) {
			for i := range b.LogW {
				b.LogW[i] -= 1000
			}
		}},
		{"every 256th chain ends where it began", annealing(t, "easy", 12), 1 << 19, func(b *simulate.Batch) {
			for i := 255; i < len(b.First); i += 256 {
				b.Last[i] = b.First[i]
			}
		}},
	} {
		l := longtest.Must(lawsOf(context.Background(), c.a, nil))(t)
		for _, s := range Simulations(l.a) {
			if f := faults(run(t, l, s, BatteryOptions{Alpha: check.DefaultAlpha, Seed: 1, Draws: 1 << 12, Moves: 1 << 12})); f != nil {
				t.Errorf("%s: right code: %v", c.name, f)
			}
		}
		right := Simulations(l.a)[1]
		s := Simulation{Name: c.name, Chains: func(ctx context.Context, a *chains.Annealing, d chains.Direction, b Block, k int) (*simulate.Batch, error) {
			out, err := right.Chains(ctx, a, d, b, k)
			if err == nil {
				c.spoil(out)
			}
			return out, err
		}}
		found := faults(run(t, l, s, BatteryOptions{Alpha: check.DefaultAlpha, Seed: 1, Draws: c.draws, Moves: 1 << 10}))
		t.Log(c.name, found)
		if len(found) == 0 {
			t.Errorf("%s is not seen", c.name)
		}
	}
}
