package smc_test

import (
	"context"
	"math"
	"testing"

	"breadboard/chains"
	"breadboard/chains/particle"
	"breadboard/exact/kernel"
	"breadboard/exact/smc"
	"breadboard/grid/longtest"
)

// TestGibbs holds the rows of two particles to the enumerated choices of the kernel that is
// sampled, for all schemes: on the weather of three days, on a model of three states in which moves
// and symbols are impossible, and on one whose probabilities but one are below 2^-1022. For more
// particles, whose choices are too many, every row sums to one, and flows are balanced.
func TestGibbs(t *testing.T) {
	days := weather()
	days.Y = days.Y[:3]
	zeros := &particle.HMM{
		Pi: []float64{0.5, 0.3, 0.2},
		A:  [][]float64{{0.7, 0.3, 0}, {0.1, 0.6, 0.3}, {0, 0.5, 0.5}},
		E:  [][]float64{{0.8, 0.2}, {0, 1}, {0.4, 0.6}},
		Y:  []int{0, 1, 1},
	}
	subnormal := &particle.HMM{
		Pi: []float64{1, 5e-324},
		A:  [][]float64{{0.5, 0.5}, {0.5, 0.5}},
		E:  [][]float64{{1e-320, 1}, {1e-310, 1}},
		Y:  []int{0, 0},
	}
	even := particle.Multinomial{}
	ctx := context.Background()
	for _, h := range []*particle.HMM{days, zeros, subnormal} {
		p := particle.LogTargets(hidden(h, particle.Prior))
		chains.Normalize(p)
		for _, scheme := range schemes() {
			for _, P := range []int{2, 3, 4} {
				for _, ancestors := range []bool{false, true} {
					if ancestors && scheme != even || P > 2 && len(h.Pi) > 2 || P > 3 && !longtest.Enabled() {
						continue // without meaning, or long
					}
					rows := longtest.Sure(smc.GibbsRows(ctx, h, P, scheme, ancestors))
					k := longtest.Sure(particle.NewGibbs(h, P, scheme, ancestors))
					for x, row := range rows {
						sum := 0.0
						got := make([]float64, len(p))
						for y, q := range row {
							sum += q
							if back := p[y] * rows[y][x]; math.Abs(p[x]*q-back) > 1e-15 {
								t.Fatalf("%v, P = %d: the flow from %d to %d is %v, and back %v", scheme,
									P, x, y, p[x]*q, back)
							}
						}
						if math.Abs(sum-1) > 1e-13 {
							t.Fatalf("%v, P = %d, path %d: sum %v", scheme, P, x, sum)
						}
						if P > 2 || h == subnormal || x%5 != 0 && !longtest.More() {
							continue
						}
						entries, left, err := kernel.Row(ctx, k, make([]float64, k.States()), x)
						if err != nil || left > 0 {
							t.Fatal(err, left)
						}
						for _, e := range entries {
							got[e.To] += e.P
						}
						for y := range got {
							if math.Abs(row[y]-got[y]) > 1e-14 {
								t.Fatalf("%v, ancestors %v: from %d to %d %v, want %v", scheme, ancestors,
									x, y, row[y], got[y])
							}
						}
					}
				}
			}
		}
	}
	// From (1, 0) to (0, 0) the other particle, in state 0, is the parent and is drawn, and goes to
	// state 0. math.Log of Go on amd64 had logarithms and quotients of such numbers wrong.
	rows := longtest.Sure(smc.GibbsRows(ctx, subnormal, 2, even, false))
	sameTo(t, "from (1, 0) to (0, 0)", rows[2][0], 0.25/(1+subnormal.E[1][0]/subnormal.E[0][0]), 1e-12)
}
