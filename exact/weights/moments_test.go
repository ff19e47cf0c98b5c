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

// TestWeightsBruteForce compares the moments of log w and the powers of w with sums over every path.
func TestWeightsBruteForce(t *testing.T) {
	powers := []float64{-2, -1, -0.5, 0, 0.5, 1, 2}
	rapid.Check(t, func(t *rapid.T) {
		a := exacttest.Problem(t, 5, 4)
		s := exacttest.Solve(t, a)
		for _, d := range []chains.Direction{chains.Forward, chains.Reverse} {
			k := longtest.Must(weights.CGF(context.Background(), a, d, powers))(t)
			m := longtest.Must(weights.CumulantsOf(context.Background(), a, d))(t)
			mean, moments, infinite := 0.0, make([]number.Wide, len(powers)), make([]bool, len(powers))
			var central [3]float64 // of orders 2, 3 and 4
			exacttest.EachWidePath(t, a, func(path exacttest.Path) {
				p := []number.Wide{path.Forward, path.Reverse}[d]
				if p.M == 0 {
					return
				}
				mean += p.Float() * path.LogW
				for i, l := range powers {
					if l == 0 {
						moments[i] = moments[i].Add(p)
					} else if l*path.LogW == math.Inf(1) {
						infinite[i] = true
					} else {
						moments[i] = moments[i].Add(p.Mul(number.WideExp(l * path.LogW)))
					}
				}
			})
			if !math.IsInf(mean, 0) {
				exacttest.EachPath(t, a, func(forward, reverse, logw float64, _ int) {
					p := []float64{forward, reverse}[d]
					for i := range central {
						if p > 0 {
							central[i] += p * math.Pow(logw-mean, float64(i+2))
						}
					}
				})
				want := [3]float64{central[0], central[1], central[2] - 3*central[0]*central[0]}
				for i, got := range []float64{m.Variance, m.Third, m.Fourth} {
					if !exacttest.Same(got, want[i], 1e-11, math.Pow(1+math.Abs(mean)+math.Sqrt(central[0]), float64(i+2))) {
						t.Fatalf("%s: cumulant %d of log w %v, summed over paths %v", d, i+2, got, want[i])
					}
				}
			}
			for i, l := range powers {
				want := moments[i].Log()
				if infinite[i] {
					want = math.Inf(1)
				}
				if !exacttest.Same(k[i], want, 1e-11, 1+math.Abs(want)) {
					t.Fatalf("%s: log E[w^%v] = %v, summed over paths %v", d, l, k[i], want)
				}
			}
			wantMean := s.MeanLogWForward
			if d == chains.Reverse {
				wantMean = s.MeanLogWReverse
			}
			if !exacttest.Same(m.Mean, wantMean, 1e-11, 1+math.Abs(wantMean)) || !exacttest.Same(mean, wantMean, 1e-11, 1+math.Abs(wantMean)) {
				t.Fatalf("%s: mean log w %v, summed over paths %v, by Solve %v", d, m.Mean, mean, wantMean)
			}
		}
	})
}

// TestKnownMoments are numbers for BARRIER at T = 100, the first of them from exact/testdata/known.py.
func TestKnownMoments(t *testing.T) {
	a := exacttest.Annealing(t, "barrier", "linear", "metropolis", 100)
	m := longtest.Must(weights.CumulantsOf(context.Background(), a, chains.Forward))(t)
	if sd := math.Sqrt(m.Variance); !(math.Abs(sd-1.30541178438) <= 1e-11) {
		t.Errorf("standard deviation of forward log w %v, want 1.30541178438", sd)
	}
	s := exacttest.Solve(t, a)
	for d, want := range map[chains.Direction]float64{chains.Forward: s.LogZRatio, chains.Reverse: -s.LogZRatio} {
		l := 1.0
		if d == chains.Reverse {
			l = -1
		}
		if k, err := weights.CGF(context.Background(), a, d, []float64{l}); err != nil || math.Abs(k[0]-want) > 1e-13 {
			t.Errorf("%s: log E[w^%v] = %v, want %v (%v)", d, l, k, want, err)
		}
	}
}

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
