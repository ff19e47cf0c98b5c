package estimators_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/grid"
)

// finite returns the model of an annealing on a line, with zeros in both ends.
func finite(initial, target []float64) *estimators.Finite {
	path := must(paths.NewGeometric(initial, target))
	a := must(chains.NewAnnealing(path, schedules.Linear{}, kernels.Metropolis{Space: grid.MustNew(len(target))}, 3))
	return must(estimators.NewFinite(a))
}

// TestFiniteLikelihood: the likelihood is f_b/f_0, and zero and infinite where one of the two is zero; the joint density of a
// state is log f_T less log Z_1.
func TestFiniteLikelihood(t *testing.T) {
	inf := math.Inf(1)
	initial, target := []float64{0.5, -inf, 1, 0}, []float64{2, 3, -inf, 1e-3}
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
}

// TestFiniteWithin: moves above a floor never leave the states above it, and stay where no neighbour is above it.
func TestFiniteWithin(t *testing.T) {
	m := finite(nil, []float64{1, 2, 0, 3})
	c := chains.NewSampler(rand.NewPCG(1, 1))
	seen := map[int]bool{}
	for x, i := 1, 0; i < 1000; i++ {
		x = m.Within(c, 0.5, x)
		seen[x] = true
	}
	if len(seen) != 2 || !seen[0] || !seen[1] {
		t.Errorf("moves above the floor 0.5 from state 1 came to %v, want states 0 and 1", seen)
	}
	if y := m.Within(c, 2.5, 3); y != 3 {
		t.Errorf("a move above the floor 2.5 came from state 3 to %d", y)
	}
}

// TestFiniteTransition: log T_T(y|x) adds up to one over y, and a state that cannot be reached has -Inf.
func TestFiniteTransition(t *testing.T) {
	m := finite(nil, []float64{1, 2, 0, 3})
	for x := range m.States() {
		total := 0.0
		for y := range m.States() {
			total += math.Exp(m.LogTransition(x, y))
		}
		if math.Abs(total-1) > 1e-15 {
			t.Errorf("row %d adds up to %v", x, total)
		}
	}
	if l := m.LogTransition(0, 3); !math.IsInf(l, -1) {
		t.Errorf("log T(3|0) = %v", l)
	}
}

// TestLikeliest: of states that are equally likely but for rounding the first one is taken.
func TestLikeliest(t *testing.T) {
	for want, target := range [][]float64{{2, 2 + 1e-13, 1}, {2, 2 + 1e-11, 1}} {
		if x := finite(nil, target).Likeliest(); x != want {
			t.Errorf("the likeliest of %v is %d, want %d", target, x, want)
		}
	}
}
