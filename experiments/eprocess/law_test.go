package eprocess

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/number"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"

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

// TestBiasIsFound: annealed importance sampling whose estimates are 10% too high or too low is called wrong, at a chance
// of a false alarm of 1e-6, within the number of draws that DrawsToFind has from the exact law of its weights, at a chance of
// 1e-9 to miss it.
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
