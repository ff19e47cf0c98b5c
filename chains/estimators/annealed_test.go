package estimators_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/grid"
)

// TestAnnealedIsUnbiased: the weight forward has the mean Z, and one over that in reverse 1/Z times the prior probability of what a
// chain in reverse may come from. The mean of log w is the sum over all paths.
func TestAnnealedIsUnbiased(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawModel(t, rapid.IntRange(2, 3).Draw(t, "T"), true)
		places := estimators.Places(m.annealing)
		forward := must(estimators.NewAnnealed(m, places))
		reverse := must(estimators.NewReverseAnnealed(m, places))
		sameAs(t, "forward", expected(forward, func(l float64) float64 { return math.Exp(l - m.logZ) }), 1)
		// Paths forward of positive weight are those in reverse.
		zero := expected(forward, func(l float64) float64 {
			if math.IsInf(l, -1) {
				return 1
			}
			return 0
		})
		sameAs(t, "reverse", expected(reverse, func(l float64) float64 { return math.Exp(m.logZ - l) }), 1-zero)
		sameAs(t, "log w", expected(reverse, func(l float64) float64 { return l - m.logZ }), reverseMean(forward, m.logZ))
	})
}

// TestAnnealedOnZeros: where the prior is zero and the posterior is not, a chain in reverse has an infinite weight, and no NaN. On a path
// of power means f_b is positive there as soon as b is, and later steps are finite.
func TestAnnealedOnZeros(t *testing.T) {
	inf := math.Inf(1)
	m := finite([]float64{0, -inf, 0, 0}, []float64{1, 2, 0, -inf})
	places := []chains.Place{chains.At(0), chains.At(0.5), chains.At(1)}
	reverse := must(estimators.NewReverseAnnealed(m, places))
	infinite := expected(reverse, func(l float64) float64 {
		if math.IsInf(l, 1) {
			return 1
		}
		return 0
	})
	if want := math.Exp(2) / (math.E + math.Exp(2) + 1); math.Abs(infinite-want) > 1e-14 {
		t.Errorf("the weight is infinite with probability %v, want %v", infinite, want)
	}
	path := must(paths.NewArithmetic([]float64{0, -inf, 0}, []float64{-inf, 0, 1}))
	a := must(chains.NewAnnealing(path, schedules.Linear{}, kernels.Metropolis{Space: grid.MustNew(3)}, 4))
	of := must(estimators.NewFinite(a))
	forward := must(estimators.NewAnnealed(of, estimators.Places(a)))
	back := must(estimators.NewReverseAnnealed(of, estimators.Places(a)))
	finite := expected(back, func(l float64) float64 {
		if math.IsInf(l, 1) {
			return 0
		}
		return 1
	})
	sameAs(t, "E w on the path of arithmetic means", expected(forward, math.Exp), finite*(1+math.E)/2)
	if !(finite > 0.5 && finite < 0.99) {
		t.Errorf("the weight in reverse is finite with probability %v", finite)
	}
}

// TestSampledWithoutAllocations: a run allocates nothing once the tables of all places are there.
func TestSampledWithoutAllocations(t *testing.T) {
	m := finite([]float64{0, 1, 0, 1}, []float64{1, 2, 0, 3})
	places := []chains.Place{chains.At(0), chains.At(0.25), chains.At(0.5), chains.At(1)}
	c := chains.Chooser(chains.NewSampler(rand.NewPCG(1, 2)))
	data := growing(3)
	for name, e := range map[string]estimators.Estimator[chains.Chooser]{
		"harmonic":    must(estimators.NewHarmonicChain(m, 10)),
		"Chib":        must(estimators.NewChibChain(m, 3, 0, 10)),
		"CMS":         must(estimators.NewMurraySalakhutdinov(m, 3, 0, 10, estimators.StartUniform)),
		"AIS":         must(estimators.NewAnnealed(m, places)),
		"reverse AIS": must(estimators.NewReverseAnnealed(m, places)),
		"SMC":         must(estimators.NewSequential(data, estimators.ProposePosterior, 3)),
		"reverse SMC": must(estimators.NewReverseSequential(data, estimators.ProposePrior, 3)),
	} {
		e.Estimate(c)
		if got := testing.AllocsPerRun(100, func() { e.Estimate(c) }); got > 0 {
			t.Errorf("%s: %v allocations a run", name, got)
		}
	}
}

// TestScheduledAnnealing: places that are computed on the way give the very weights of places that are kept, and a schedule that cannot
// have so many is refused.
func TestScheduledAnnealing(t *testing.T) {
	m := finite([]float64{0, 0, 0, 0}, []float64{1, 2, 0, -3})
	schedule, T := schedules.Sigmoid{Delta: 4}, 17
	var places []chains.Place
	for i := 1; i <= T; i++ {
		places = append(places, chains.Place{Beta: schedule.Beta(i, T), Rest: schedule.Rest(i, T)})
	}
	kept := map[chains.Direction]func() (*estimators.Annealed[chains.Chooser, int], error){
		chains.Forward: func() (*estimators.Annealed[chains.Chooser, int], error) { return estimators.NewAnnealed(m, places) },
		chains.Reverse: func() (*estimators.Annealed[chains.Chooser, int], error) {
			return estimators.NewReverseAnnealed(m, places)
		},
	}
	for d, make := range kept {
		want := must(make())
		got := must(estimators.NewScheduledAnnealing(m, schedule, T, d))
		if got.Work() != want.Work() {
			t.Errorf("%v: work %v, want %v", d, got.Work(), want.Work())
		}
		for seed := range uint64(20) {
			g, w := got.Estimate(chains.NewSampler(rand.NewPCG(seed, 1))), want.Estimate(chains.NewSampler(rand.NewPCG(seed, 1)))
			if g != w {
				t.Errorf("%v, seed %d: %v, want %v", d, seed, g, w)
			}
		}
	}
	if _, err := estimators.NewScheduledAnnealing(m, schedule, 1, chains.Forward); err == nil {
		t.Error("one distribution is no annealing, and was accepted")
	}
}
