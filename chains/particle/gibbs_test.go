package particle

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"breadboard/chains"
	"breadboard/chains/simulate"
	"breadboard/exact/program"
	"breadboard/experiments/verdicts"
	"breadboard/grid/longtest"
)

// crowdOf returns particles with weights that need not be normalised, which a scheme resamples.
func crowdOf(scheme Scheme, w []float64, stream string) *crowd {
	c := &crowd{draw: resamplerOf(scheme), gen: simulate.NewGenerator(simulate.NewStream(1, stream, 0)), slots: len(w), parents: make([]int32, len(w)),
		cum: make([]float64, len(w)), ws: make([]float64, len(w))}
	sum := 0.0
	for j, v := range w {
		sum += 3 * v
		c.cum[j] = sum
	}
	return c
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
			c, parents := crowdOf(scheme, w, name), make([]int, len(w))
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
				c, tiny, parents := crowdOf(scheme, w, ""), slices.Clone(w), make([]int, len(w))
				tiny[j] = 0x1p-1022
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
