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

// TestResampledAgainstEnumeration: the distribution of configurations, tilted by complex powers,
// gives what all runs give one by one, for every way in which configurations are held, and if the
// path loses and gains states.
func TestResampledAgainstEnumeration(t *testing.T) {
	two := []float64{0, 1.5}
	three := []float64{0, 1, -0.7}
	gone := []float64{0.3, 0, math.Inf(-1)}
	for _, c := range []struct {
		name      string
		particles int
		scheme    particle.Scheme
		first     []float64
		g         []float64
	}{
		{"systematic triples", 3, particle.Systematic{}, nil, three},
		{"stratified triples", 3, particle.Stratified{}, nil, two},
		{"triples without order", 3, particle.Multinomial{}, nil, two},
		{"residual triples", 3, particle.Residual{}, nil, two},
		{"runs that may be extinct", 3, particle.Systematic{}, nil, gone},
		{"meta-inference where no run is", 3, particle.Multinomial{}, []float64{0, math.Inf(-1)}, two},
	} {
		a := exacttest.Build(t, c.first, c.g, schedules.Linear{}, kernels.Metropolis{Space: grid.MustNew(len(c.g))}, 2)
		s := resampled(t, a, c.particles, c.scheme)
		j := enumerated(t, a, c.particles, c.scheme, 1)
		near(t, c.name+": extinct", s.Extinct(), j.Extinct(), 1e-13)
		sameTraces(t, s, j, 1e-12, 0)
		if j.Extinct() == 0 {
			continue
		}
		for x, p := range j.Target() {
			if p > 0 {
				near(t, c.name+": log q/p", s.LogRatio()[x], j.LogRatio()[x], 1e-13)
			}
		}
	}
}

// TestResampledIsRefused: there is no such side where runs carry weights on, if nobody
// propagates the particles, where that takes too much, and if its numbers leave the range of
// float64.
func TestResampledIsRefused(t *testing.T) {
	for _, c := range []struct {
		name      string
		a         *chains.Annealing
		particles int
		threshold float64
	}{
		{"a threshold", line([]float64{0, 1.5}, 3), 3, 0.9},
		{"many particles in order", line([]float64{0, 1.5}, 3), 9, 1},
		{"too much work", exacttest.Annealing(t, "easy", "linear", "metropolis", 100), 3, 1},
		{"too wide", line([]float64{0, 600}, 3), 3, 1},
	} {
		s, err := smc.NewResampled(t.Context(), c.a,
			smc.Setting{Particles: c.particles, Scheme: particle.Systematic{}, Threshold: c.threshold}, 1)
		if s != nil || err != nil {
			t.Errorf("%s: %v, %v", c.name, s, err)
		}
	}
}
