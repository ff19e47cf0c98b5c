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
	"breadboard/grid/longtest"
)

// TestAnnealedIsUnbiased: the weight forward has the mean Z, and one over that in reverse 1/Z times
// the prior probability of what a chain in reverse may come from. The mean of log w is the sum over
// all paths.
func TestAnnealedIsUnbiased(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawModel(t, rapid.IntRange(2, 3).Draw(t, "T"), true)
		places := estimators.Places(m.annealing)
		forward := longtest.Sure(estimators.NewAnnealed(m, places))
		reverse := longtest.Sure(estimators.NewReverseAnnealed(m, places))
		sameAs(t, "forward", expected(forward, func(l float64) float64 { return math.Exp(l - m.logZ) }), 1)
		// Paths forward of positive weight are those in reverse.
		zero := expected(forward, func(l float64) float64 {
			if math.IsInf(l, -1) {
				return 1
			}
			return 0
		})
		sameAs(t, "reverse", expected(reverse, func(l float64) float64 { return math.Exp(m.logZ - l) }), 1-zero)
		sameAs(t, "log w", expected(reverse, func(l float64) float64 { return l - m.logZ }),
			reverseMean(forward, m.logZ))
	})
}

// TestAnnealedOnZeros: if the prior is zero and the posterior is not, a chain in reverse has an
// infinite weight, and no NaN.
func TestAnnealedOnZeros(t *testing.T) {
	inf := math.Inf(1)
	m := finite([]float64{0, -inf, 0, 0}, []float64{1, 2, 0, -inf})
	places := []chains.Place{chains.At(0), chains.At(0.5), chains.At(1)}
	reverse := longtest.Sure(estimators.NewReverseAnnealed(m, places))
	infinite := expected(reverse, func(l float64) float64 {
		if math.IsInf(l, 1) {
			return 1
		}
		return 0
	})
	if want := math.Exp(2) / (math.E + math.Exp(2) + 1); math.Abs(infinite-want) > 1e-14 {
		t.Errorf("the weight is infinite with probability %v, want %v", infinite, want)
	}
}

// TestScheduledAnnealing: places that are computed on the way give the very weights of places that
// are kept.
func TestScheduledAnnealing(t *testing.T) {
	m := finite(nil, []float64{1, 2, 0, -3})
	schedule := schedules.Sigmoid{Delta: 4}
	T := 17
	var places []chains.Place
	for i := 1; i <= T; i++ {
		places = append(places, chains.Place{Beta: schedule.Beta(i, T), Rest: schedule.Rest(i, T)})
	}
	for d, want := range map[chains.Direction]*estimators.Annealed[chains.Chooser, int]{
		chains.Forward: longtest.Sure(estimators.NewAnnealed(m, places)),
		chains.Reverse: longtest.Sure(estimators.NewReverseAnnealed(m, places)),
	} {
		got := longtest.Sure(estimators.NewScheduledAnnealing(m, schedule, T, d))
		for seed := range uint64(20) {
			g := got.Estimate(chains.NewSampler(rand.NewPCG(seed, 1)))
			w := want.Estimate(chains.NewSampler(rand.NewPCG(seed, 1)))
			if g != w || got.Work() != want.Work() {
				t.Errorf("%v, seed %d: %v, want %v", d, seed, g, w)
			}
		}
	}
}

// finite returns the model of an annealing on a line, with zeros in both ends.
func finite(initial, target []float64) *estimators.Finite {
	path := longtest.Sure(paths.NewGeometric(initial, target))
	a := longtest.Sure(chains.NewAnnealing(
		path,
		schedules.Linear{},
		kernels.Metropolis{Space: grid.MustNew(len(target))},
		3,
	))
	return longtest.Sure(estimators.NewFinite(a))
}

// TestFiniteLikelihood: the likelihood is f_b/f_0, and zero and infinite if one of the two is zero;
// the joint density of a state is log f_T less log Z_1.
func TestFiniteLikelihood(t *testing.T) {
	inf := math.Inf(1)
	initial := []float64{0.5, -inf, 1, 0}
	target := []float64{2, 3, -inf, 1e-3}
	m := finite(initial, target)
	logZ1 := math.Log(math.Exp(0.5) + math.E + 1)
	for x, want := range []float64{1.5, inf, -inf, 1e-3} {
		if got := m.LogLikelihood(chains.At(1), x); got != want && math.Abs(got-want) > 1e-15 {
			t.Errorf("log L(%d) = %v, want %v", x, got, want)
		}
		if got, want := m.LogPosterior(x), target[x]-logZ1; got != want && math.Abs(got-want) > 1e-14 {
			t.Errorf("log joint density of %d = %v, want %v", x, got, want)
		}
	}
	if got := m.LogLikelihood(chains.At(0.25), 0); math.Abs(got-0.375) > 1e-15 {
		t.Errorf("log likelihood at b = 0.25: %v, want 0.375", got)
	}
	if got := m.LogLikelihood(chains.At(0.25), 1); got != -inf {
		t.Errorf("log likelihood at b = 0.25 where the prior is zero: %v", got)
	}
	if got := m.LogTransition(0, 3); got != -inf {
		t.Errorf("log T(3|0) = %v, out of reach", got)
	}
}
