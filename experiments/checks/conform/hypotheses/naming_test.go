package hypotheses

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/grid/longtest"
)

// naming asks for every pair, as Naming does not.
func naming(s *Set, h int, target float64) float64 {
	worst := 1.0
	for other := range s.Names {
		if other != h && !s.Same(h, other) {
			worst = max(worst, s.Needs(h, other, target))
		}
	}
	return worst
}

func requireNaming(t rapid.TB, s *Set, target float64) {
	t.Helper()
	k := s.newScreening()
	all := make([][]int, len(s.Names))
	for h := range all {
		for other := range s.Names {
			all[h] = append(all[h], other)
		}
	}
	sums := longtest.Sure(s.screen(context.Background(), k, all, 2, nil))
	for h := range sums {
		for other, p := range sums[h] {
			want := s.ratio(h, other)
			if s.isClose(h, other) && want.divergence() > Distinct {
				t.Fatalf("%s and %s are close without logarithms, and have a divergence of %v", s.Names[h],
					s.Names[other], want.divergence())
			}
			if most := p.boundRatio(k.left[h], k.largest).Draws(target); !(most >= s.Needs(h, other, target)) &&
				!(other == 0 && s.rounded) && h != other {
				t.Fatalf("%s and %s: at most %v chains, which are %v", s.Names[h], s.Names[other], most,
					s.Needs(h, other, target))
			}
		}
	}
	for _, workers := range []int{1, 3} {
		got := longtest.Sure(s.Naming(context.Background(), target, workers, nil))
		for h, n := range got {
			if want := naming(s, h, target); n != want {
				t.Fatalf("%s: %v chains, and all pairs one by one take %v", s.Names[h], n, want)
			}
		}
	}
}

// TestNaming compares with all pairs one by one, where values are listed and in bins.
func TestNaming(t *testing.T) {
	longtest.Only(t)
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t)
		p.Columns = drawColumns(t)
		requireNaming(t, setOf(t, p), rapid.SampledFrom([]float64{1e-3, math.Log(100), 1e3}).Draw(t, "target"))
	})
	for _, of := range regimes {
		requireNaming(t, of(t, taskOf(t, "random:2:1:2x3", "power:2", "metropolis", 4, chains.Forward)), math.Log(100))
	}
}

// TestNamingOfOddLaws: distributions over several blocks of cells, with impossible cells, subnormal
// probabilities, ratios that do not vary, and pairs that are equal but for less than the sums of
// all of them can tell.
func TestNamingOfOddLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		resolution := rapid.SampledFrom([]float64{0, binResolution}).Draw(t, "resolution")
		cells := rapid.SampledFrom([]int{1, 2, 7, screenCells + 3}).Draw(t, "cells")
		first := make([]float64, cells)
		for i := range first {
			first[i] = rapid.SampledFrom([]float64{1, 1, 2, 1e-3, 1e-12, 1e-300, 5e-324, 0}).Draw(t, "p")
		}
		first[cells-1] = 1
		s := &Set{specified: first, resolution: resolution}
		add := func(p []float64) {
			p = slices.Clone(p)
			floats.Scale(1/floats.Sum(p), p)
			s.Names, s.laws = append(s.Names, fmt.Sprint(len(s.laws))), append(s.laws, newLaw(p, resolution))
		}
		add(first)
		for range rapid.IntRange(1, 5).Draw(t, "others") {
			p := slices.Clone(first)
			by := rapid.SampledFrom([]float64{0, 1e-15, 1e-9, 1e-7, 1e-5, 1e-4, 1, -1, 1e9}).Draw(t, "by")
			for i := range p {
				if rapid.Bool().Draw(t, "changed") {
					p[i] += p[i] * by
				}
			}
			if at := rapid.IntRange(0, cells-1).Draw(t, "moved"); rapid.Bool().Draw(t, "moves") &&
				at != cells-1 {
				p[cells-1] += p[at]
				p[at] = 0
			}
			p[cells-1] = max(p[cells-1], 1e-3)
			add(p)
		}
		s.reduction = &binned{wrappedLaw: &wrappedLaw{edges: make([]float64, cells-1)}, n: 1}
		requireNaming(t, s, math.Log(100))
	})
}
