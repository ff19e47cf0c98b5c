package particle_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/particle"
	"breadboard/grid/longtest"
)

// TestDrawn: with the same choices the algorithm over partitions that are numbered as they are met does what the one over all numbered
// partitions does, and meta-inference too, also for an output of another algorithm.
func TestDrawn(t *testing.T) {
	m := &particle.DPMM{Alpha: 1, S0: 3, SD: 0.7, Y: []float64{-2.1, -1.9, 0.1, 1.8, 2.2, 0.3}}
	outputs := particle.NewOutcomes(len(m.Y))
	for _, proposal := range []particle.Proposal{particle.Prior, particle.Optimal} {
		for _, rejuvenated := range []bool{false, true} {
			for _, particles := range []int{1, 3} {
				filter := longtest.Must(particle.NewMixture(m, proposal))(t)
				var flow particle.Flow = filter
				if rejuvenated {
					flow = particle.NewRejuvenated(filter)
				}
				numbered := longtest.Must(particle.NewSMC(flow, particles, particle.Multinomial{}, 1))(t)
				drawn := longtest.Must(particle.NewDrawn(m, proposal, rejuvenated, particles, outputs))(t)
				other := longtest.Must(particle.NewDrawn(m, particle.Optimal, true, 2, outputs))(t)
				for seed := range byte(20) {
					sampler := func() chains.Sampler { return chains.NewSampler(rand.NewChaCha8([32]byte{seed})) }
					want, got := numbered.Run(sampler()), drawn.Run(sampler())
					if got.LogXi != want.LogXi || outputs.Clusters(got.Output) != filter.Clusters(want.Output) {
						t.Fatalf("%v, rejuvenated %v, %d particles: log xi %v and %d clusters, want %v and %d", proposal, rejuvenated, particles, got.LogXi, outputs.Clusters(got.Output), want.LogXi, filter.Clusters(want.Output))
					}
					if a, b := numbered.Meta(sampler(), want.Output), drawn.Meta(sampler(), got.Output); a.LogXi != b.LogXi || b.Output != got.Output {
						t.Fatalf("%v, rejuvenated %v, %d particles: meta-inference %v, want %v", proposal, rejuvenated, particles, b.LogXi, a.LogXi)
					}
					other.Run(sampler())
				}
			}
		}
	}
}

// TestManyPoints: forty points have a filter whose partitions are drawn, and none that counts them; there may be so many.
func TestManyPoints(t *testing.T) {
	m := &particle.DPMM{Alpha: 1, S0: 3, SD: 0.7, Y: make([]float64, 40)}
	for i := range m.Y {
		m.Y[i] = float64(i%4) * 5
	}
	if _, err := particle.NewMixture(m, particle.Prior); err == nil || !strings.Contains(err.Error(), "at most 15 can be numbered") {
		t.Errorf("forty points: %v", err)
	}
	outputs := particle.NewOutcomes(len(m.Y))
	d := longtest.Must(particle.NewDrawn(m, particle.Optimal, false, 5, outputs))(t)
	r := d.Run(chains.NewSampler(rand.NewChaCha8([32]byte{1})))
	if n := outputs.Clusters(r.Output); n < 4 || n > 8 {
		t.Errorf("four groups of points far apart are %d clusters", n)
	}
	m.Y = make([]float64, particle.MaxDrawnPoints+1)
	if _, err := particle.NewDrawn(m, particle.Prior, false, 1, outputs); err == nil || !strings.Contains(err.Error(), "101 points; give at most 100") {
		t.Errorf("too many points: %v", err)
	}
}
