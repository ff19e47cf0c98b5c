package particle

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"breadboard/chains"
	"breadboard/chains/simulate"
	"breadboard/exact/program"
	"breadboard/experiments/verdicts"
	"breadboard/grid/longtest"
)

// rainy is a model of two hidden states with three observations.
func rainy() *HMM {
	return &HMM{Pi: []float64{0.5, 0.5}, A: [][]float64{{0.9, 0.1}, {0.2, 0.8}}, E: [][]float64{{0.6, 0.4}, {0.1, 0.9}}, Y: []int{0, 1, 0}}
}

// TestGibbsAncestors: ancestor sampling leaves the distribution of the paths invariant under
// multinomial resampling. If it is done in the same way under another scheme, which NewGibbs
// refuses, it does not.
func TestGibbsAncestors(t *testing.T) {
	longtest.Only(t)
	for _, scheme := range []Scheme{Multinomial{}, Stratified{}, Systematic{}, Residual{}} {
		g := longtest.Must(NewGibbs(rainy(), 2, Multinomial{}, true))(t)
		g.smc.scheme = scheme
		p, off := LogTargets(g.flow), 0.0
		chains.Normalize(p)
		after := make([]float64, len(p))
		for x := range p {
			for _, o := range longtest.Must(program.Enumerate(context.Background(), func(c chains.Chooser) int { return g.Move(c, nil, x) },
				program.Options{}))(t).Outcomes() {
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

// TestGibbsSampled: a sampled chain visits the hidden states as the posterior does. Eight moves are
// worth an independent draw or more, so that the limit is at least six standard deviations.
func TestGibbsSampled(t *testing.T) {
	longtest.Only(t)
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

// TestResamplersHaveTheLawOfTheirSchemes: the joint distribution of all parents, and in the
// conditional form of the slot with them, is that of the scheme, enumerated. Weights of zero, whole
// numbers of offspring, and weights of one particle alone are among them. An e-value reaches e^23
// by chance with probability 1e-10, and there are some 100.
func TestResamplersHaveTheLawOfTheirSchemes(t *testing.T) {
	longtest.Only(t)
	k := longtest.Times(4000, 20_000)
	for _, w := range [][]float64{{0.2, 0.5, 0.3}, {0.7, 0, 0.3}, {0.25, 0.25, 0.5, 0}, {0, 0, 1}, {0.05, 0.6, 0.1, 0.25}, {0.34, 0.33, 0.33}, {1}} {
		for _, scheme := range []Scheme{Multinomial{}, Stratified{}, Systematic{}, Residual{}} {
			name := fmt.Sprintf("%v, weights %v", scheme, w)
			P := len(w)
			c := &crowd{draw: resamplerOf(scheme), gen: simulate.NewGenerator(simulate.NewStream(1, name, 0)), slots: P, parents: make([]int32, P),
				cum: make([]float64, P), ws: make([]float64, P)}
			sum := 0.0
			for j, v := range w {
				sum += 3 * v // sums of weights need not be normalised
				c.cum[j] = sum
			}
			parents := make([]int, P)
			try := func(what string, law func(chains.Chooser) string, fast func() string) {
				l := longtest.Must(program.Enumerate(context.Background(), law, program.Options{}))(t)
				place, p := map[string]int{}, []float64{}
				for i, o := range l.Outcomes() {
					place[o.Value] = i
					p = append(p, o.P)
				}
				counts := make([]int, len(p))
				for range k {
					v := fast()
					at, known := place[v]
					if !known {
						t.Fatalf("%s, %s: %s has no probability", name, what, v)
					}
					counts[at]++
				}
				if e := verdicts.CountsLogE(counts, p); e > 23 {
					t.Errorf("%s, %s: log e-value %.1f", name, what, e)
				}
			}
			try("runs", func(ch chains.Chooser) string {
				scheme.Parents(ch, w, parents)
				return fmt.Sprint(parents)
			}, func() string {
				c.draw.parents(c)
				return fmt.Sprint(c.parents)
			})
			for j, v := range w {
				if v == 0 {
					continue
				}
				try(fmt.Sprintf("a path by particle %d", j), func(ch chains.Chooser) string {
					slot := scheme.Keep(ch, w, j, parents)
					return fmt.Sprint(slot, parents)
				}, func() string {
					slot := c.draw.keep(c, j)
					return fmt.Sprint(slot, c.parents)
				})
			}
		}
	}
}

// TestPathsOfTinyWeightGoOn: a path whose weight float64 rounds to zero beside the others keeps a
// slot, in the plain and in the fast form.
func TestPathsOfTinyWeightGoOn(t *testing.T) {
	for _, scheme := range []Scheme{Multinomial{}, Stratified{}, Systematic{}, Residual{}} {
		for _, w := range [][]float64{{1, 0}, {0, 1}, {0.5, 0, 0.5}, {1.0 / 3, 2.0 / 3, 0}} {
			for j, v := range w {
				if v != 0 {
					continue
				}
				P := len(w)
				c := &crowd{draw: resamplerOf(scheme), gen: simulate.NewGenerator(simulate.NewStream(1, "", j)), slots: P, parents: make([]int32, P),
					cum: make([]float64, P), ws: make([]float64, P)}
				sum := 0.0
				tiny := append([]float64(nil), w...)
				tiny[j] = 0x1p-1022
				for i, v := range w {
					sum += v
					c.cum[i] = sum
				}
				parents := make([]int, P)
				for range 20 {
					if slot := c.draw.keep(c, j); int(c.parents[slot]) != j {
						t.Errorf("%v, weights %v: the path of %d has slot %d among %v", scheme, w, j, slot, c.parents)
					}
					if slot := scheme.Keep(chains.NewSampler(simulate.NewStream(2, "", j)), tiny, j, parents); parents[slot] != j {
						t.Errorf("%v, weights %v: the path of %d has slot %d among %v", scheme, w, j, slot, parents)
					}
				}
			}
		}
	}
}
