package weights_test

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/exact/internal/exacttest"
	"breadboard/exact/weights"
	"breadboard/grid/longtest"
)

// TestEndCGFBruteForce compares the joint moments of the weight and of either end with sums over every path: those
// with the last state directly, those with the first by way of the other direction.
func TestEndCGFBruteForce(t *testing.T) {
	powers := []float64{-2, -0.5, 0, 1}
	rapid.Check(t, func(t *rapid.T) {
		a := exacttest.Problem(t, 5, 4)
		s := exacttest.Solve(t, a)
		n := a.States()
		var last, first [2][][]number.Wide // by direction, power and state
		for d := range last {
			for range powers {
				last[d], first[d] = append(last[d], make([]number.Wide, n)), append(first[d], make([]number.Wide, n))
			}
		}
		exacttest.EachWidePath(t, a, func(path exacttest.Path) {
			for d, p := range []number.Wide{path.Forward, path.Reverse} {
				if p.M == 0 || math.IsInf(path.LogW, 0) {
					continue
				}
				from, to := path.First, path.Last
				if chains.Direction(d) == chains.Reverse {
					from, to = to, from
				}
				for i, l := range powers {
					v := p.Mul(number.WideExp(l * path.LogW))
					first[d][i][from], last[d][i][to] = first[d][i][from].Add(v), last[d][i][to].Add(v)
				}
			}
		})
		for d := range last {
			got := longtest.Must(weights.EndCGF(context.Background(), a, chains.Direction(d), powers))(t)
			shifted := make([]float64, len(powers))
			sign := float64(1 - 2*d) // of what the other direction lacks
			for i, l := range powers {
				shifted[i] = l - sign
			}
			other := longtest.Must(weights.EndCGF(context.Background(), a, chains.Direction(1-d), shifted))(t)
			for i, l := range powers {
				for x := range n {
					if want := last[d][i][x].Log(); !exacttest.Same(got[i][x], want, 1e-11, 1+math.Abs(want)) {
						t.Fatalf("%v: log E[w^%v; ends at %d] = %v, summed over paths %v", chains.Direction(d), l, x, got[i][x], want)
					}
					if want := first[d][i][x].Log(); !exacttest.Same(other[i][x]+sign*s.LogZRatio, want, 1e-11, 1+math.Abs(want)) {
						t.Fatalf("%v: log E[w^%v; starts at %d] = %v, summed over paths %v", chains.Direction(d), l, x, other[i][x]+sign*s.LogZRatio, want)
					}
				}
			}
		}
	})
}
