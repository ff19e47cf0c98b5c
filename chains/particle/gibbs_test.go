package particle

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"breadboard/chains"
	"breadboard/exact/program"
	"breadboard/grid/longtest"
)

// rainy is a model of two hidden states with three observations.
func rainy() *HMM {
	return &HMM{Pi: []float64{0.5, 0.5}, A: [][]float64{{0.9, 0.1}, {0.2, 0.8}}, E: [][]float64{{0.6, 0.4}, {0.1, 0.9}}, Y: []int{0, 1, 0}}
}

// TestGibbsAncestors: ancestor sampling leaves the law of the paths invariant under multinomial resampling. Where it is done in the same way under
// another scheme, which NewGibbs refuses, it does not.
func TestGibbsAncestors(t *testing.T) {
	longtest.NotShort(t)
	for _, scheme := range []Scheme{Multinomial{}, Stratified{}, Systematic{}, Residual{}} {
		g := longtest.Must(NewGibbs(rainy(), 2, Multinomial{}, true))(t)
		g.smc.scheme = scheme
		p, off := LogTargets(g.flow), 0.0
		chains.Normalize(p)
		after := make([]float64, len(p))
		for x := range p {
			for _, o := range longtest.Must(program.Enumerate(context.Background(), func(c chains.Chooser) int { return g.Move(c, nil, x) }, program.Options{}))(t).Outcomes() {
				after[o.Value] += p[x] * o.P
			}
		}
		for x := range p {
			off = max(off, math.Abs(after[x]-p[x]))
		}
		right := scheme == Multinomial{}
		if right != (off < 1e-14) || !right && off < 1e-3 {
			t.Errorf("%v: the probability of a path changes by %v", scheme, off)
		}
		if _, err := NewGibbs(rainy(), 2, scheme, true); (err == nil) != right {
			t.Errorf("%v: error %v", scheme, err)
		}
	}
	if _, err := NewGibbs(rainy(), 1, Multinomial{}, false); err == nil {
		t.Error("one particle is taken")
	}
	if _, err := NewGibbs(&HMM{}, 2, Multinomial{}, false); err == nil {
		t.Error("no model is taken")
	}
}

// TestGibbsSampled: a sampled chain visits the hidden states as the posterior does. Eight moves are worth an independent draw or more, so that the limit is
// at least six standard deviations.
func TestGibbsSampled(t *testing.T) {
	longtest.NotShort(t)
	h := rainy()
	g := longtest.Must(NewGibbs(h, 4, Systematic{}, false))(t)
	c, x, n := chains.NewSampler(rand.NewPCG(1, 2)), 0, longtest.Times(20_000, 1_000_000)
	counts := make([]float64, len(h.Y))
	for range n {
		x = g.Move(c, nil, x)
		for i := range counts {
			counts[i] += float64(h.Step(x, i+1))
		}
	}
	for i, law := range h.Marginals() {
		if off := math.Abs(counts[i]/float64(n) - law[1]); off > 6*math.Sqrt(2/float64(n)) {
			t.Errorf("time %d: off by %v", i+1, off)
		}
	}
}
