package adaptive_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"breadboard/experiments/forms"
	"breadboard/experiments/particles/smc/adaptive"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
)

// adaptiveRun answers about toys with Metropolis' kernel.
func adaptiveRun(t testing.TB, toy string, change func(*adaptive.Options)) ([]adaptive.Row, error) {
	cases := longtest.Must(
		subject.Selection{Reader: forms.Reader(),
			Toys: []string{toy}, Distributions: []int{2}, Path: "geometric", Schedule: "linear",
			Kernel: "metropolis"}.Cases(context.Background()),
	)(t)
	s := adaptive.Study()
	o := s.Standard
	o.Rho = []float64{0.9}
	o.Seed = 5
	change(&o)
	return study.Run(context.Background(), s, cases, o, study.How{Workers: 2})
}

// TestZeros: a target with zeros has no fixed schedule, and says so; whether all weights become
// zero is known exactly.
func TestZeros(t *testing.T) {
	rows := longtest.Must(
		adaptiveRun(t, "cells:0:-inf:1:2", func(o *adaptive.Options) { o.Particles = []int{1, 2} }),
	)(t)
	for i := range rows {
		if r := &rows[i]; math.Abs(r.Extinct-math.Pow(0.25, float64(r.Particles))) > 1e-15 ||
			r.Fixed != nil ||
			!strings.Contains(strings.Join(r.Notes(), ";"), "zero") {
			t.Errorf("%+v: %v", r, r.Notes())
		}
	}
}

// TestAdaptiveRefusals: what has no meaning is refused with its cure.
func TestAdaptiveRefusals(t *testing.T) {
	for _, rho := range []float64{0, 1, -1, math.NaN()} {
		longtest.Refuses(adaptiveRun(
			t,
			"random:1:1:4",
			func(o *adaptive.Options) { o.Rho = []float64{rho} },
		))(t, "as in adaptive 0.9")
	}
	longtest.Refuses(adaptiveRun(t, "random:1:1:4", func(o *adaptive.Options) { o.Particles = []int{0} }))(t,
		"particles")
}
