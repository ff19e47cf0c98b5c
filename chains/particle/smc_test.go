package particle_test

import (
	"context"
	"math"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/particle"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact/program"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// tiny returns an annealing on a line from uniform, linear and geometric.
func tiny(T int, g ...float64) *chains.Annealing {
	path := must(paths.NewGeometric(make([]float64, len(g)), g))
	return must(chains.NewAnnealing(path, schedules.Linear{}, kernels.Metropolis{Space: grid.MustNew(len(g))}, T))
}

// On every trace q(u, x)/r(u; x) = xi = p~(x)/Zhat, for every scheme and threshold: the constant Z of xi is one.
func TestEveryTrace(t *testing.T) {
	longtest.NotShort(t)
	a := tiny(3, 0, 1, -0.7)
	flow := must(particle.NewAnnealed(a))
	for _, s := range schemes() {
		for _, threshold := range []float64{0, 0.9, 1} {
			smc := must(particle.NewSMC(flow, 2, s, threshold))
			o := program.Options{Cut: math.SmallestNonzeroFloat64}
			run := must(program.Enumerate(context.Background(), smc.Run, o))
			for x := range 3 {
				meta := must(program.Enumerate(context.Background(), func(c chains.Chooser) particle.Result { return smc.Meta(c, x) }, o))
				mean := 0.0
				for _, v := range meta.Outcomes() {
					ratio, want := run.P(v.Value)/v.P, math.Exp(v.Value.LogXi)
					if math.Abs(ratio/want-1) > 1e-13 {
						t.Fatalf("%v at %v, output %d: a trace has q/r = %v and xi = %v", s, threshold, x, ratio, want)
					}
					mean += v.P * math.Exp(v.Value.LogXi)
				}
				q := run.Mean(func(r particle.Result) float64 {
					if r.Output == x {
						return 1
					}
					return 0
				})
				if math.Abs(mean/q-1) > 1e-13 {
					t.Errorf("%v at %v, output %d: the mean of xi is %v, and q(x) is %v", s, threshold, x, mean, q)
				}
			}
		}
	}
}
