package exact_test

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/exact"
)

// TestWeightsBruteForce compares the moments of log w and the powers of w with sums over every path.
func TestWeightsBruteForce(t *testing.T) {
	powers := []float64{-2, -1, -0.5, 0, 0.5, 1, 2}
	rapid.Check(t, func(t *rapid.T) {
		a := problem(t, 5, 4)
		s, err := exact.Solve(context.Background(), a)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range []chains.Direction{chains.Forward, chains.Reverse} {
			k, err := exact.CGF(context.Background(), a, d, powers)
			if err != nil {
				t.Fatal(err)
			}
			m, err := exact.LogWeight(context.Background(), a, d)
			if err != nil {
				t.Fatal(err)
			}
			mean, moments := 0.0, make([]float64, len(powers))
			var central [3]float64 // of orders 2, 3 and 4
			eachPath(t, a, func(forward, reverse, logw float64, _ int) {
				p := forward
				if d == chains.Reverse {
					p = reverse
				}
				if p == 0 {
					return
				}
				mean += p * logw
				for i, l := range powers {
					if l == 0 {
						moments[i] += p
					} else {
						moments[i] += p * math.Exp(l*logw)
					}
				}
			})
			if !math.IsInf(mean, 0) {
				eachPath(t, a, func(forward, reverse, logw float64, _ int) {
					p := []float64{forward, reverse}[d]
					for i := range central {
						if p > 0 {
							central[i] += p * math.Pow(logw-mean, float64(i+2))
						}
					}
				})
				want := [3]float64{central[0], central[1], central[2] - 3*central[0]*central[0]}
				for i, got := range []float64{m.Variance, m.Third, m.Fourth} {
					if !same(got, want[i], 1e-11, math.Pow(1+math.Abs(mean)+math.Sqrt(central[0]), float64(i+2))) {
						t.Fatalf("%s: cumulant %d of log w %v, summed over paths %v", d, i+2, got, want[i])
					}
				}
			}
			for i, l := range powers {
				if want := math.Log(moments[i]); !same(k[i], want, 1e-11, 1+math.Abs(want)) {
					t.Fatalf("%s: log E[w^%v] = %v, summed over paths %v", d, l, k[i], want)
				}
			}
			wantMean := s.MeanLogWForward
			if d == chains.Reverse {
				wantMean = s.MeanLogWReverse
			}
			if !same(m.Mean, wantMean, 1e-11, 1+math.Abs(wantMean)) || !same(mean, wantMean, 1e-11, 1+math.Abs(wantMean)) {
				t.Fatalf("%s: mean log w %v, summed over paths %v, by Solve %v", d, m.Mean, mean, wantMean)
			}
		}
	})
}

// eachPath calls f with the forward and reverse probability, the log weight and the last state of every path.
func eachPath(t *rapid.T, a *chains.Annealing, f func(forward, reverse, logw float64, last int)) {
	eachPathBetween(t, a, func(forward, reverse, logw float64, _, last int) { f(forward, reverse, logw, last) })
}

// eachPathBetween does so with the first state too.
func eachPathBetween(t *rapid.T, a *chains.Annealing, f func(forward, reverse, logw float64, origin, last int)) {
	n, T := a.States(), a.Distributions()
	logf := make([][]float64, T+1)
	rows, reversed := make([]*exact.Rows, T+1), make([]*exact.Rows, T+1)
	for i := 1; i <= T; i++ {
		logf[i] = make([]float64, n)
		a.LogF(logf[i], i)
		var err error
		if rows[i], err = exact.NewRows(context.Background(), a.Kernel(), logf[i]); err != nil {
			t.Fatal(err)
		}
		reversed[i] = rows[i]
		if r, ok := a.Kernel().(chains.Reverser); ok {
			if reversed[i], err = exact.NewRows(context.Background(), r.Reversal(), logf[i]); err != nil {
				t.Fatal(err)
			}
		}
	}
	first, last := exact.Distribution(a.Path(), 0), exact.Distribution(a.Path(), 1)
	var walk func(i, origin, x int, forward, reverse, logw float64)
	walk = func(i, origin, x int, forward, reverse, logw float64) {
		if i == T {
			f(forward, reverse*last[x], logw, origin, x)
			return
		}
		step := logf[i+1][x] - logf[i][x]
		if math.IsNaN(step) {
			step = 0 // both are zero: the weight is what it became before
		}
		if math.IsInf(logw, 0) {
			step = 0
		}
		for y := range n {
			p, r := forward*rows[i+1].At(x, y), reverse*reversed[i+1].At(y, x)
			if p != 0 || r != 0 {
				walk(i+1, origin, y, p, r, logw+step)
			}
		}
	}
	for x := range n {
		walk(1, x, x, first[x], 1, 0)
	}
}

// TestKnownMoments are numbers for BARRIER at T = 100 from an independent computation.
func TestKnownMoments(t *testing.T) {
	a := annealing(t, "barrier", "linear", "metropolis", 100)
	m, err := exact.LogWeight(context.Background(), a, chains.Forward)
	if err != nil {
		t.Fatal(err)
	}
	if sd := math.Sqrt(m.Variance); math.Abs(sd-1.3054) > 5e-5 {
		t.Errorf("standard deviation of forward log w %v, want 1.3054", sd)
	}
	s := solve(t, a)
	for d, want := range map[chains.Direction]float64{chains.Forward: s.LogZRatio, chains.Reverse: -s.LogZRatio} {
		l := 1.0
		if d == chains.Reverse {
			l = -1
		}
		if k, err := exact.CGF(context.Background(), a, d, []float64{l}); err != nil || math.Abs(k[0]-want) > 1e-13 {
			t.Errorf("%s: log E[w^%v] = %v, want %v (%v)", d, l, k, want, err)
		}
	}
}
