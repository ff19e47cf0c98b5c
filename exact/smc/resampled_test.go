package smc_test

import (
	"math"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/particle"
	"breadboard/chains/schedules"
	"breadboard/exact/internal/exacttest"
	"breadboard/exact/smc"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// resampled returns the side of particles that are resampled at every stage, which must be there.
func resampled(t *testing.T, a *chains.Annealing, particles int, scheme particle.Scheme) *smc.Transformed {
	t.Helper()
	s, err := smc.NewResampled(t.Context(), a, smc.Setting{Particles: particles, Scheme: scheme, Threshold: 1}, 1)
	if err != nil || s == nil {
		t.Fatalf("%d particles, %v: %v, %v", particles, scheme, s, err)
	}
	return s
}

// tracesOf returns the moments of one, two and three traces.
func tracesOf(t *testing.T, s smc.Side) []smc.Traces {
	t.Helper()
	return longtest.Sure(s.Traces(t.Context(), []int{1, 2, 3}))
}

// sameOrNear is near, of numbers that may be infinite or NaN too.
func sameOrNear(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
		near(t, what, got, want, tolerance)
	}
}

// TestResampledOnTwo are numbers of three particles on two states, found by walking over all runs in many digits.
func TestResampledOnTwo(t *testing.T) {
	kernel, err := kernels.Parse("suwa-todo", grid.MustNew(1, 2)) // half of the moves are along the axis of length 1
	if err != nil {
		t.Fatal(err)
	}
	a := exacttest.Build(t, nil, []float64{0, 1.5}, schedules.Linear{}, kernel, 3)
	s := resampled(t, a, 3, particle.Systematic{})
	means := []float64{0.0959166609936915, 0.0523937584712917, 0.0365910684697392}
	variances := []float64{0.192187290758928, 0.104848650541954, 0.0732070335865446}
	for i, e := range against(s, probabilities(a), 1, 2, 3) {
		near(t, "mean", e.Mean, means[i], 1e-13)
		near(t, "variance", e.Variance, variances[i], 1e-13)
	}
}

// TestResampledAgainstEnumeration: the law of configurations, tilted by complex powers, gives what all runs give one by one, for every way
// in which configurations are held, and where the path loses and gains states.
func TestResampledAgainstEnumeration(t *testing.T) {
	longtest.NotShort(t)
	two, three := []float64{0, 1.5}, []float64{0, 1, -0.7}
	gone := []float64{0.3, 0, math.Inf(-1)}
	for _, c := range []struct {
		name      string
		particles int
		scheme    particle.Scheme
		first     []float64
		g         []float64
		T         int
	}{
		{"systematic triples", 3, particle.Systematic{}, nil, three, 2},
		{"stratified triples", 3, particle.Stratified{}, nil, two, 2},
		{"triples without order", 3, particle.Multinomial{}, nil, two, 2},
		{"residual triples", 3, particle.Residual{}, nil, two, 2},
		{"quadruples", 4, particle.Multinomial{}, nil, two, 2},
		{"runs that may be extinct", 3, particle.Systematic{}, nil, gone, 2},
		{"meta-inference where no run is", 3, particle.Multinomial{}, []float64{0, math.Inf(-1)}, two, 2},
	} {
		if c.particles > 3 && !longtest.Enabled() {
			continue // its runs take seconds
		}
		var kernel chains.Kernel = kernels.Metropolis{Space: grid.MustNew(len(c.g))}
		a := exacttest.Build(t, c.first, c.g, schedules.Linear{}, kernel, c.T)
		s := resampled(t, a, c.particles, c.scheme)
		j, err := smc.EnumerateSMC(t.Context(), a, c.particles, c.scheme, 1, smc.EnumerateOptions{})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		near(t, c.name+": extinct", s.Extinct(), j.Extinct(), 1e-13)
		if j.Extinct() > 0 {
			for x, l := range j.LogRatio() {
				sameOrNear(t, c.name+": log q/p", s.LogRatio()[x], l, 1e-13)
			}
		}
		got, want := tracesOf(t, s), tracesOf(t, j)
		for i := range want {
			for x := range want[i].Meta {
				sameOrNear(t, c.name+": E log S", got[i].Meta[x], want[i].Meta[x], 1e-12)
				sameOrNear(t, c.name+": E (log S)^2", got[i].Meta2[x], want[i].Meta2[x], 1e-12)
				sameOrNear(t, c.name+": E log S of runs", got[i].Run[x], want[i].Run[x], 1e-12)
				sameOrNear(t, c.name+": E (log S)^2 of runs", got[i].Run2[x], want[i].Run2[x], 1e-12)
			}
		}
	}
}

// TestResampledCounts: of ten particles, which come out in too many ways, the law of the traces agrees with the means of log Zhat that are
// propagated without powers.
func TestResampledCounts(t *testing.T) {
	a := exacttest.Build(t, nil, []float64{0, 1.5}, schedules.Linear{}, kernels.Metropolis{Space: grid.MustNew(2)}, 3)
	law := longtest.Sure(smc.Solve(t.Context(), a, smc.Setting{Particles: 10, Scheme: particle.Multinomial{}, Threshold: 1}, smc.Options{}))
	e := against(resampled(t, a, 10, particle.Multinomial{}), probabilities(a), 1, 2)
	near(t, "J", e[0].J, law.J, 1e-13)
	near(t, "the mean with one trace", e[0].Mean, law.B, 1e-13)
	if !(e[1].Mean < e[0].Mean && e[1].Mean > law.J && e[1].Variance < e[0].Variance) {
		t.Errorf("two traces: mean %v, variance %v", e[1].Mean, e[1].Variance)
	}
}

// TestResampledIsRefused: there is no such side where runs carry weights on, where nobody propagates the particles, where that takes too
// much, and where its numbers leave the range of float64.
func TestResampledIsRefused(t *testing.T) {
	kernel := func(n int) chains.Kernel { return kernels.Metropolis{Space: grid.MustNew(n)} }
	small := exacttest.Build(t, nil, []float64{0, 1.5}, schedules.Linear{}, kernel(2), 3)
	steep := exacttest.Build(t, nil, []float64{0, 600}, schedules.Linear{}, kernel(2), 3)
	long := exacttest.Annealing(t, "easy", "linear", "metropolis", 100)
	for _, c := range []struct {
		name string
		a    *chains.Annealing
		s    smc.Setting
	}{
		{"a threshold", small, smc.Setting{Particles: 3, Scheme: particle.Systematic{}, Threshold: 0.9}},
		{"many particles in order", small, smc.Setting{Particles: 9, Scheme: particle.Systematic{}, Threshold: 1}},
		{"too much work", long, smc.Setting{Particles: 3, Scheme: particle.Systematic{}, Threshold: 1}},
		{"too wide", steep, smc.Setting{Particles: 3, Scheme: particle.Systematic{}, Threshold: 1}},
	} {
		if s, err := smc.NewResampled(t.Context(), c.a, c.s, 1); s != nil || err != nil {
			t.Errorf("%s: %v, %v", c.name, s, err)
		}
	}
}
