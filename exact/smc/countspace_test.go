package smc

import (
	"math"
	"slices"
	"testing"

	"breadboard/grid/longtest"
)

// TestCountSpace: every multiset has its own number.
func TestCountSpace(t *testing.T) {
	for particles := range 5 {
		for types := 1; types <= 4; types++ {
			s := newCountSpace(particles, types)
			if float64(s.size()) != multisetsOf(particles, types) {
				t.Errorf("%d particles, %d types: %d and %v multisets", particles, types, s.size(), multisetsOf(particles, types))
			}
			seen := make([]int, s.size())
			s.each(upTo(types), func(number int, places, counts []int) {
				seen[number]++
				total := 0
				for _, n := range counts {
					total += n
				}
				if total != particles || !slices.IsSorted(places) || len(slices.Compact(slices.Clone(places))) != len(counts) {
					t.Errorf("multiset %d has %v of %v", number, counts, places)
				}
			})
			if slices.Min(seen) != 1 || slices.Max(seen) != 1 {
				t.Errorf("%d particles, %d types: numbers are met so often: %v", particles, types, seen)
			}
			sub := 0
			s.each([]int{types - 1}, func(number int, _, _ []int) {
				sub++
				if number != s.size()-1 {
					t.Errorf("all particles of the last type have number %d, of %d", number, s.size())
				}
			})
			if sub != 1 {
				t.Errorf("%d multisets of one type", sub)
			}
		}
	}
}

// TestMultinomial: the law sums to one and has the right mean, also where powers and coefficients leave the range of float64.
func TestMultinomial(t *testing.T) {
	longtest.NotShort(t)
	for _, c := range []struct {
		n int
		p []float64
	}{{0, []float64{0.5, 0.5}}, {3, []float64{0.2, 0.3, 0.5}}, {99, []float64{1e-5, 1 - 1e-5}}, {2000, []float64{0.5, 0.5}}, {2000, []float64{0.01, 0.99}}, {5, []float64{1e-200, 1}}} {
		m := multinomial{space: newCountSpace(c.n, len(c.p))}
		numbers := map[int][]int{}
		m.space.each(upTo(len(c.p)), func(number int, places, counts []int) {
			all := make([]int, len(c.p))
			for i, k := range places {
				all[k] = counts[i]
			}
			numbers[number] = all
		})
		sum, mean := 0.0, 0.0
		m.law(upTo(len(c.p)), c.p, func(number int, p float64) {
			sum += p
			mean += p * float64(numbers[number][0])
		})
		if !(math.Abs(sum-1) <= 1e-11) || !(math.Abs(mean-float64(c.n)*c.p[0]) <= 1e-11*mean) {
			t.Errorf("%d draws from %v: sum %v, mean of the first %v", c.n, c.p, sum, mean)
		}
	}
}
