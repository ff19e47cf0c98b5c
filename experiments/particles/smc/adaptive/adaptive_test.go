package adaptive_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"breadboard/exact"
	"breadboard/experiments/particles/smc/adaptive"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
)

// run answers about toys with Metropolis' kernel.
func run(t testing.TB, toy string, change func(*adaptive.Options)) ([]adaptive.Row, error) {
	cases := longtest.Must(subject.Selection{Toys: []string{toy}, Distributions: []int{2}, Path: "geometric", Schedule: "linear",
		Kernel: "metropolis"}.Cases(context.Background()))(t)
	s := adaptive.Study()
	o := s.Standard
	o.Rho, o.Seed = []float64{0.9}, 5
	change(&o)
	return study.Run(context.Background(), s, cases, o, study.How{Workers: 2})
}

// TestEstimates holds simulated runs to the exact numbers, by six standard errors: a false alarm in
// 10^8 estimates. The seed is fixed.
func TestEstimates(t *testing.T) {
	longtest.Only(t)
	rows := longtest.Must(run(t, "random:1:1:4", func(o *adaptive.Options) {
		o.Particles, o.Resample, o.Thresholds, o.Chains = []int{2, 3}, []string{"multinomial", "residual"}, []float64{1, 0.6, 0}, longtest.Times(400, 2000)
	}))(t)
	for i := range rows {
		r := &rows[i]
		for _, c := range []struct{ exact, value, spread float64 }{
			{r.Bias, r.Estimates.Bias.Value, r.Estimates.Bias.StandardError},
			{r.MeanLogZForward - r.LogZRatio, r.Estimates.LogBias.Value, r.Estimates.LogBias.StandardError},
			{r.Stages, r.Estimates.Stages.Value, r.Estimates.Stages.StandardError},
		} {
			if !(math.Abs(c.exact-c.value) <= 6*c.spread) || !(c.spread > 0) {
				t.Errorf("%d particles, %v below %v: exact %v, estimated %v +- %v", r.Particles, r.Scheme, r.Threshold, c.exact, c.value, c.spread)
			}
		}
		if r.Fixed == nil || r.FixedT < 3 || math.Abs(r.Fixed.LogZRatio-r.LogZRatio) > exact.BaseTolerance {
			t.Errorf("the fixed schedule has %d distributions, and %+v", r.FixedT, r.Fixed)
		}
	}
}

// TestZeros: a target with zeros has no fixed schedule, and says so; whether all weights become
// zero is known exactly.
func TestZeros(t *testing.T) {
	rows := longtest.Must(run(t, "cells:0:-inf:1:2", func(o *adaptive.Options) { o.Particles = []int{1, 2} }))(t)
	for i := range rows {
		if r := &rows[i]; math.Abs(r.Extinct-math.Pow(0.25, float64(r.Particles))) > 1e-15 || r.Fixed != nil ||
			!strings.Contains(strings.Join(r.Notes(), ";"), "zero") {
			t.Errorf("%+v: %v", r, r.Notes())
		}
	}
}

// TestRefusals: what has no meaning is refused with its cure.
func TestRefusals(t *testing.T) {
	for _, rho := range []float64{0, 1, -1, math.NaN()} {
		longtest.Refuses(run(t, "random:1:1:4", func(o *adaptive.Options) { o.Rho = []float64{rho} }))(t, "as in adaptive 0.9")
	}
	longtest.Refuses(run(t, "random:1:1:4", func(o *adaptive.Options) { o.Particles = []int{0} }))(t, "particles")
}
