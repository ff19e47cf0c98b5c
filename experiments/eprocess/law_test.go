package eprocess

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/number"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/grid"
	"breadboard/grid/longtest"
	"breadboard/toys"
)

// annealed returns a toy's annealing with T = 3 and the exact law of its forward log weights, by walking through all paths.
func annealed(t *testing.T, toy string) (*chains.Annealing, Law) {
	t.Helper()
	problem := longtest.Sure(toys.Parse(toy))
	path := longtest.Sure(paths.NewGeometric(nil, problem.G))
	a := longtest.Sure(chains.NewAnnealing(path, schedules.Linear{}, kernels.Metropolis{Space: problem.Space}, 3))
	n := a.States()
	half := make([]float64, n)
	a.LogF(half, 2)
	var l Law
	for x := range n {
		for _, e := range a.KernelAt(2).(chains.Rower).AppendRow(nil, half, x) {
			l.Values = append(l.Values, half[x]+problem.G[e.To]-half[e.To])
			l.P = append(l.P, e.P/float64(n))
		}
	}
	return a, l
}

// logZOf returns the log of the mean of Zhat, by the definition of Z and not from the law: log of the mean of f.
func logZOf(t *testing.T, toy string) float64 {
	problem := longtest.Sure(toys.Parse(toy))
	return number.LogMean(problem.G)
}

// TestBiasIsFound: annealed importance sampling whose estimates are 10% too high or too low is called wrong, at a chance of a false alarm of 1e-6,
// within the number of draws that DrawsToFind has from the exact law of its weights, at a chance of 1e-9 to miss it.
func TestBiasIsFound(t *testing.T) {
	longtest.NotShort(t)
	seeds := longtest.Times(4, 20)
	threshold := math.Log(1e6)
	for _, toy := range []string{"barrier", "easy"} {
		a, l := annealed(t, toy)
		logZ := logZOf(t, toy)
		largest := longtest.Sure(LargestWeight(context.Background(), a))
		for _, c := range []float64{1.1, 0.9} {
			biased := Law{slices.Clone(l.Values), l.P}
			for i := range biased.Values {
				biased.Values[i] += math.Log(c)
			}
			needed := longtest.Must(must(NewUnbiased(logZ, largest)).DrawsToFind(biased, threshold, 1e-9))(t)
			n := int(needed)
			earliest, latest := n, 0
			for seed := range seeds {
				rng := rand.New(rand.NewPCG(uint64(seed), 13))
				test := must(NewUnbiased(logZ, largest))
				for test.moments.draws < n && (test.moments.draws%16 > 0 || test.LogE() < threshold) {
					test.add(sample(biased, rng), 0)
				}
				if test.LogE() < threshold || len(test.Untested()) > 0 {
					t.Errorf("%s: a factor of %v was not found in %d draws with seed %d: log e-value %v, %s", toy, c, n, seed, test.LogE(), test.Where())
				}
				earliest, latest = min(earliest, test.moments.draws), max(latest, test.moments.draws)
			}
			t.Logf("%s: a factor of %v is found after %d to %d draws, computed: %d", toy, c, earliest, latest, n)
			if earliest < n/100 {
				t.Errorf("%s: the computed number of draws says nothing", toy)
			}
		}
	}
}

// TestFalseAlarms: right estimators are called wrong in at most a share alpha of the runs, though one looks all the time. At
// alpha = 0.01 more than 30 alarms in 1,000 runs of one claim have a probability below 1e-7 if the bound is attained.
func TestFalseAlarms(t *testing.T) {
	longtest.NotShort(t)
	const alpha, draws = 0.01, 300
	runs, most := 100, 10 // more than 10 of 100 have a probability below 1e-7 too
	if longtest.Enabled() {
		runs, most = 1000, 30
	}
	a, forward := annealed(t, "barrier")
	logZ := logZOf(t, "barrier")
	largest := longtest.Sure(LargestWeight(context.Background(), a))
	// Reverse chains have the log weight v with probability p exp(v) / Z, so that the mean of 1/Zhat is 1/Z.
	reverse := Law{forward.Values, make([]float64, len(forward.P))}
	for i, v := range forward.Values {
		reverse.P[i] = forward.P[i] * math.Exp(v-logZ)
	}
	identity := func(v float64) float64 { return v }
	meanForward, meanReverse := mean(forward, identity), mean(reverse, identity)
	for _, c := range []struct {
		law  Law
		make func() (*Test, error)
	}{
		{forward, func() (*Test, error) { return NewUnbiased(logZ, largest) }},
		{forward, func() (*Test, error) { return NewLower(logZ) }},
		{reverse, func() (*Test, error) { return NewUpper(logZ) }},
		{forward, func() (*Test, error) { return NewLowerOnAverage(meanForward, -20) }},
		{reverse, func() (*Test, error) { return NewUpperOnAverage(meanReverse, largest) }},
	} {
		alarms := 0
		var claim Claim
		for seed := range runs {
			rng := rand.New(rand.NewPCG(uint64(seed), 17))
			test := must(c.make())
			claim = test.Claim()
			for i := 1; i <= draws; i++ {
				test.add(sample(c.law, rng), 0)
				if i%5 == 0 && test.LogE() >= math.Log(1/alpha) {
					alarms++
					break
				}
			}
			if len(test.Untested()) > 0 {
				t.Fatal(test.Untested())
			}
		}
		t.Logf("%s: %d false alarms in %d runs at alpha = %v", claim, alarms, runs, alpha)
		if alarms > most {
			t.Errorf("%s: %d false alarms in %d runs at alpha = %v", claim, alarms, runs, alpha)
		}
	}
}

func largest(t interface {
	Helper()
	Fatal(...any)
}, path chains.Path, err error, T int) float64 {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	a := longtest.Sure(chains.NewAnnealing(path, schedules.Linear{}, kernels.Metropolis{Space: grid.MustNew(path.States())}, T))
	got := longtest.Sure(LargestWeight(context.Background(), a))
	return got
}

// TestLargestWeightByHand: on a geometric path from the uniform distribution it is the largest log f, constants included.
func TestLargestWeightByHand(t *testing.T) {
	for _, g := range [][]float64{{2, 0, -3, 1}, {1e12, 1e12 + 3, 1e12 - 5, 1e12}, {1e-12, 0, -1e-12, 0}, {math.Inf(-1), 4, -1e5, 0}, {0, 0, 0, 0}} {
		path, err := paths.NewGeometric(nil, g)
		want := slices.Max(g)
		if got := largest(t, path, err, 50); math.Abs(got-want) > 1e-15*math.Max(1, math.Abs(want)) {
			t.Errorf("%v: %v, want %v", g, got, want)
		}
	}
}

// TestLargestWeightOfAllPaths: no sequence of states has a larger product of increments, and one attains it. All sequences
// of x_1..x_4 on three states are walked through.
func TestLargestWeightOfAllPaths(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		log := rapid.OneOf(rapid.Float64Range(-4, 4), rapid.SampledFrom([]float64{math.Inf(-1), 0, 1e3}))
		initial, target := []float64{0}, []float64{0} // the first state is possible at both ends
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
		const T = 5
		got := largest(t, path, err, T)
		var logf [T][]float64
		for s := range T {
			logf[s] = make([]float64, 3)
			path.LogF(logf[s], chains.Place{Beta: schedules.Linear{}.Beta(s+1, T), Rest: schedules.Linear{}.Rest(s+1, T)})
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

// TestNoLargestWeight: where no chain has a weight, and where the context ends, the error says so.
func TestNoLargestWeight(t *testing.T) {
	zero := math.Inf(-1)
	path := longtest.Sure(paths.NewArithmetic([]float64{0, zero}, []float64{zero, 0}))
	a := longtest.Sure(chains.NewAnnealing(path, schedules.Linear{}, kernels.Metropolis{Space: grid.MustNew(2)}, 2))
	if v, err := LargestWeight(context.Background(), a); err == nil {
		t.Errorf("%v, where every weight is zero", v)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := LargestWeight(ctx, a); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
