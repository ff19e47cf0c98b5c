package weights_test

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/exact/internal/exacttest"
	"breadboard/exact/weights"
	"breadboard/grid/longtest"
)

// averageOf returns log((exp(x) + exp(y))/2).
func averageOf(x, y float64) float64 {
	if top := max(x, y); !math.IsInf(top, 0) {
		return top + math.Log(math.Exp(x-top)+math.Exp(y-top)) - math.Ln2
	} else {
		return top
	}
}

// TestTrialsBruteForce compares the moments of two chains with sums over every pair of paths.
func TestTrialsBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := exacttest.Problem(t, 4, 3)
		laws := pathLaws(t, a)
		for i, law := range laws {
			sign := 1 - 2*float64(i)
			several := longtest.Must(weights.TrialsOf(context.Background(), a, chains.Direction(i), []int{2, 3}, weights.SampleOptions{}))(t)
			got := several[0]
			var mean, lost float64
			pairs := func(f func(l float64) float64) (total float64) {
				for _, x := range law {
					for _, y := range law {
						if l := sign * averageOf(sign*x.value, sign*y.value); math.IsInf(l, 0) {
							lost += x.p * y.p
						} else {
							total += x.p * y.p * f(l)
						}
					}
				}
				return total
			}
			if mean = pairs(func(l float64) float64 { return l }); lost > 0 {
				if !math.IsInf(got.Mean, -int(sign)) || !math.IsNaN(got.SD) || sign < 0 && !math.IsInf(got.LogMean, 1) {
					t.Fatalf("direction %d: %+v, and the weight is lost with probability %v", i, got, lost)
				}
				continue
			}
			variance := pairs(func(l float64) float64 { return (l - mean) * (l - mean) })
			top := pairs(func(l float64) float64 { return math.Exp(l - mean) })
			compared := [][2]float64{{got.Mean, mean}, {got.SD * got.SD, variance}, {math.Exp(got.LogMean - mean), top}}
			note := math.IsNaN(got.LogMean)
			if note { // the mean of a reciprocal takes e^u of a transform that is rounded: 1e-6 is left of it up to some 20 nats
				low, high := math.Inf(1), math.Inf(-1)
				for _, x := range law {
					low, high = min(low, x.value), max(high, x.value)
				}
				if sign > 0 || high-low < 20 {
					t.Fatalf("direction %d: %+v, and the log weights spread by %v only", i, got, high-low)
				}
				compared = compared[:2]
			}
			for _, pair := range compared {
				if !(math.Abs(pair[0]-pair[1]) <= got.Error+1e-9*(1+math.Abs(pair[1]))) || !(got.Error < 1e-9) || (got.Note != "") != note {
					t.Fatalf("direction %d: %+v, summed over paths mean %v, variance %v, E exp %v", i, got, mean, variance, top)
				}
			}
		}
	})
}

// TestTrialsByBothMethods compares sums over a lattice with integrals of transforms, and the means with those of MultiSampleBounds.
func TestTrialsByBothMethods(t *testing.T) {
	longtest.NotShort(t)
	ks := []int{2, 25, 1_000_000}
	exacttest.CheckSome(t, 50, func(t *rapid.T) {
		a := onLattice(t, 12, 12)
		bounds := longtest.Must(weights.MultiSampleBounds(context.Background(), a, ks, weights.SampleOptions{}))(t)
		for d := range chains.Direction(2) {
			sums := longtest.Must(weights.TrialsOf(context.Background(), a, d, ks, weights.SampleOptions{}))(t)
			integrals := longtest.Must(weights.TrialsOf(context.Background(), a, d, ks, weights.SampleOptions{Inversion: true}))(t)
			for i, s := range sums {
				want, n := bounds[i].Forward, integrals[i]
				if d == chains.Reverse {
					want = bounds[i].Reverse
				}
				off := s.Error + n.Error + bounds[i].Error
				for _, pair := range [][2]float64{{s.Mean, want}, {n.Mean, want}, {n.SD * n.SD, s.SD * s.SD}, {n.LogMean, s.LogMean}} {
					if known := !math.IsNaN(pair[0]) && !math.IsNaN(pair[1]); known && !exacttest.Same(pair[0], pair[1], off, 1+math.Abs(pair[1])) {
						t.Fatalf("K = %d, direction %d: lattice %+v, integral %+v, bound %v", ks[i], d, s, n, want)
					}
				}
				if n.Error < 1e-9 && (math.IsNaN(n.Mean) || math.IsInf(s.Mean, 0) != math.IsInf(n.Mean, 0)) {
					t.Fatalf("K = %d, direction %d: lattice %+v, integral %+v", ks[i], d, s, n)
				}
			}
		}
	})
}

func TestTrialsAreChecked(t *testing.T) {
	a := exacttest.Annealing(t, "easy", "linear", "metropolis", 3)
	for _, k := range []int{-1, 0, 1, weights.MaxSamples + 1} {
		if _, err := weights.TrialsOf(context.Background(), a, chains.Forward, []int{2, k}, weights.SampleOptions{}); err == nil {
			t.Errorf("%d trials are taken", k)
		}
	}
}
