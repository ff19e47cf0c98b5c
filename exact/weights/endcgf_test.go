package weights_test

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/exact"
	"breadboard/exact/internal/exacttest"
	"breadboard/exact/weights"
)

// TestEndCGFBruteForce compares the joint moments of the weight and of either end with sums over every path: those
// with the last state directly, those with the first by way of the other direction.
func TestEndCGFBruteForce(t *testing.T) {
	powers := []float64{-2, -0.5, 0, 1}
	rapid.Check(t, func(t *rapid.T) {
		a := exacttest.Problem(t, 5, 4)
		s, err := exact.Solve(context.Background(), a, exact.Options{})
		if err != nil {
			t.Fatal(err)
		}
		n := a.States()
		var last, first [2][][]float64 // by direction, power and state
		for d := range last {
			for range powers {
				last[d], first[d] = append(last[d], make([]float64, n)), append(first[d], make([]float64, n))
			}
		}
		exacttest.EachPathBetween(t, a, func(forward, reverse, logw float64, x, y int) {
			for d, p := range []float64{forward, reverse} {
				if p == 0 || math.IsInf(logw, 0) {
					continue
				}
				from, to := x, y
				if chains.Direction(d) == chains.Reverse {
					from, to = y, x
				}
				for i, l := range powers {
					first[d][i][from] += p * math.Exp(l*logw)
					last[d][i][to] += p * math.Exp(l*logw)
				}
			}
		})
		for d := range last {
			got, err := weights.EndCGF(context.Background(), a, chains.Direction(d), powers)
			if err != nil {
				t.Fatal(err)
			}
			shifted := make([]float64, len(powers))
			sign := float64(1 - 2*d) // of what the other direction lacks
			for i, l := range powers {
				shifted[i] = l - sign
			}
			other, err := weights.EndCGF(context.Background(), a, chains.Direction(1-d), shifted)
			if err != nil {
				t.Fatal(err)
			}
			for i, l := range powers {
				for x := range n {
					if want := math.Log(last[d][i][x]); !exacttest.Same(got[i][x], want, 1e-11, 1+math.Abs(want)) {
						t.Fatalf("%v: log E[w^%v; ends at %d] = %v, summed over paths %v", chains.Direction(d), l, x, got[i][x], want)
					}
					if want := math.Log(first[d][i][x]); !exacttest.Same(other[i][x]+sign*s.LogZRatio, want, 1e-11, 1+math.Abs(want)) {
						t.Fatalf("%v: log E[w^%v; starts at %d] = %v, summed over paths %v", chains.Direction(d), l, x, other[i][x]+sign*s.LogZRatio, want)
					}
				}
			}
		}
	})
}
