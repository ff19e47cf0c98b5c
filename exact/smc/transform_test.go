package smc_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/particle"
	"breadboard/exact"
	"breadboard/exact/internal/exacttest"
	"breadboard/exact/kernel"
	"breadboard/exact/smc"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// probabilities returns the target of an annealing.
func probabilities(a *chains.Annealing) []float64 {
	p := make([]float64, a.States())
	a.LogF(p, a.Distributions())
	chains.Normalize(p)
	return p
}

// against compares a side with exact draws.
func against(s smc.Side, p []float64, metas ...int) []smc.Estimate {
	return longtest.Sure(smc.AIDE(context.Background(), s, smc.NewExact(len(p)), p, metas, []int{1}))
}

// near fails if two numbers differ by more than that much of the second, or of one.
func near(t rapid.TB, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*max(1, math.Abs(want))) {
		t.Errorf("%s: %.15g, want %.15g, off by %.2g", what, got, want, got-want)
	}
}

// sameTraces holds the moments of one to three traces of a side to those of the enumeration of all
// traces, up to a tolerance and a number of times the error that is stated, which grows for
// squares. It reports whether the side does not know some of these moments, since the weights
// spread too far.
func sameTraces(t rapid.TB, s smc.Side, j *smc.Joint, tolerance, errors float64) (unknown bool) {
	t.Helper()
	ms := []int{1, 2, 3}
	want := longtest.Sure(j.Traces(context.Background(), ms))
	got := longtest.Sure(s.Traces(context.Background(), ms))
	for x, p := range j.Target() {
		if p == 0 || j.Q()[x] == 0 {
			continue
		}
		for i, g := range got {
			if g.Note != "" && errors > 0 {
				unknown = true
				continue
			}
			w := want[i]
			for k, v := range [][2]float64{{g.Meta[x], w.Meta[x]}, {g.Run[x], w.Run[x]},
				{g.Meta2[x], w.Meta2[x]}, {g.Run2[x], w.Run2[x]}} {
				if !exacttest.Same(v[0], v[1], tolerance+errors*float64(1+k/2*50)*g.Error, 1+math.Abs(v[1])) {
					t.Fatalf("output %d, M = %d, moment %d: %v, by enumeration %v, error %v", x, g.M, k,
						v[0], v[1], g.Error)
				}
			}
		}
	}
	return unknown
}

// TestAnnealingByEnumeration holds one particle, and two that are never resampled, to the
// enumeration of all runs, zeros of both ends included.
func TestAnnealingByEnumeration(t *testing.T) {
	judged := [3]int{}
	exacttest.CheckSome(t, 40, func(t *rapid.T) {
		particles := rapid.IntRange(1, 2).Draw(t, "particles")
		a := exacttest.Problem(t, 5-particles, 4-particles)
		j, err := smc.EnumerateSMC(
			context.Background(),
			a,
			smc.Setting{Particles: particles, Scheme: particle.Multinomial{}},
			smc.EnumerateOptions{},
		)
		if exact.Validate(a) != nil || err != nil {
			t.Skip("out of range")
		}
		var s interface {
			smc.Side
			smc.Mortal
		}
		if particles == 1 {
			s = longtest.Sure(smc.NewChain(context.Background(), a, 1, nil))
		} else if never := longtest.Sure(smc.NewNever(context.Background(), a, 2, 1)); never.Note != "" {
			t.Skip(never.Note)
		} else {
			s = never
		}
		near(t, "extinct", s.Extinct(), j.Extinct(), 1e-12)
		for x, p := range j.Target() {
			if ratio := s.LogRatio()[x]; p > 0 && !exacttest.Same(ratio, j.LogRatio()[x], 1e-9, 1) {
				t.Fatalf("output %d: log q/p is %v, by enumeration %v", x, ratio, j.LogRatio()[x])
			}
		}
		if unknown := sameTraces(t, s, j, 1e-9, 1); unknown && particles == 1 {
			t.Fatal("the weights spread too far")
		}
		judged[particles]++
	})
	if judged[1] == 0 || judged[2] == 0 {
		t.Errorf("cases by particles: %v", judged)
	}
}

// regression is Bayesian linear regression on a grid of 7 by 7: an intercept b and a slope m, a
// normal prior, and five points with noise of standard deviation one, whose constant is left out.
// It returns log f of the prior, and of the posteriors given the first, the first two and so on.
func regression() [][]float64 {
	values := []float64{-1.5, -1, -0.5, 0, 0.5, 1, 1.5}
	xs := []float64{-1, 0, 1, 2, 3}
	ys := []float64{-0.9, 0.3, 0.2, 1.4, 1.3}
	stages := make([][]float64, 1+len(xs))
	for s := range stages {
		for _, b := range values {
			for _, m := range values {
				l := -(b*b + m*m) / 2
				for i := range s {
					r := ys[i] - b - m*xs[i]
					l -= r * r / 2
				}
				stages[s] = append(stages[s], l)
			}
		}
	}
	return stages
}

// TestMHOnSteepTargets: AIDE of one trace is the J of the first distribution, however many moves
// the chain makes, and J of the outputs is that of the forward distribution, a sum of positive
// terms. A state of which the target keeps 1e-17 has a weight of 1e17, and so needs every digit of
// how likely chains are to come from there.
func TestMHOnSteepTargets(t *testing.T) {
	for _, c := range []struct{ toy, kernel string }{
		{"random:10:1:3x3", "heatbath-scan"}, {"random:20:1:3x3", "heatbath-scan"},
		{"random:40:1:3x3", "heatbath-scan"}, {"random:150:1:3x3", "heatbath-scan"},
		{"random:40:1:3x3", "heatbath"}, {"random:40:1:3x3", "metropolis"},
		{"cells:0:37/-inf:0", "heatbath-scan"}, {"cells:0:600/0:0", "heatbath-axis:0"},
		{"random:150:1:3x3", "compose:metropolis+suwa-todo"}, {"random:40:1:4", "heatbath"},
		{"cells:0:1", "stay"},
	} {
		a := exacttest.Annealing(t, c.toy, "linear", c.kernel, 2)
		p, q := probabilities(a), make([]float64, a.States())
		a.LogF(q, 1)
		chains.Normalize(q)
		logf := make([]float64, len(q))
		a.LogF(logf, 2)
		rows := longtest.Sure(kernel.NewRows(context.Background(), a.Kernel(), logf))
		j := func() float64 {
			terms := make([]float64, len(p))
			for x := range p {
				terms[x] = (q[x] - p[x]) * (math.Log(q[x]) - math.Log(p[x]))
			}
			return floats.Sum(terms)
		}
		first := j()
		for moves := range 4 {
			s, err := smc.NewMH(context.Background(), a, moves)
			if err != nil {
				t.Errorf("%v, S = %d: %v", c, moves, err)
				break
			}
			if e := against(s, p, 1)[0]; !math.IsInf(first, 0) {
				near(t, fmt.Sprintf("%v, S = %d: J", c, moves), e.J, j(), 1e-12)
				near(t, fmt.Sprintf("%v, S = %d: AIDE", c, moves), e.Mean, first, 1e-12)
			}
			q = exacttest.PushRows(q, rows)
		}
	}
}

// TestMeanFieldOnRegression are numbers of the variational approximation, computed in many digits.
// AIDE is J with any number of traces, as there are none.
func TestMeanFieldOnRegression(t *testing.T) {
	stages := regression()
	logQ := longtest.Sure(smc.FitMeanField(context.Background(), grid.MustNew(7, 7), stages[5]))
	p := append([]float64(nil), stages[5]...)
	chains.Normalize(p)
	ratio := make([]float64, len(p))
	for x := range p {
		ratio[x] = logQ[x] - math.Log(p[x])
	}
	for _, e := range against(smc.NewDensity(ratio), p, 1, 100) {
		near(t, "J", e.J, 0.339549858943313511, 1e-12)
		near(t, "AIDE", e.Mean, e.J, 1e-15)
	}
}

// TestMeanFieldOfProducts: a target that is a product is found, also if it spans many nats and has
// zeros. One whose zeros are not those of a product is refused.
func TestMeanFieldOfProducts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		space := grid.MustNew(3, 2, 2)
		scale := rapid.SampledFrom([]float64{1e-12, 1, 30}).Draw(t, "scale")
		factor := rapid.SliceOfN(rapid.Float64Range(-scale, scale), 7, 7).Draw(t, "log factors")
		shift := rapid.SampledFrom([]float64{0, 700, -1e6}).Draw(t, "shift")
		if rapid.Bool().Draw(t, "zero") {
			factor[0] = math.Inf(-1)
		}
		logf := make([]float64, space.States())
		for x := range logf {
			logf[x] = shift + factor[space.Coord(x, 0)] + factor[3+space.Coord(x, 1)] +
				factor[5+space.Coord(x, 2)]
		}
		logQ := longtest.Sure(smc.FitMeanField(context.Background(), space, logf))
		logZ := floats.LogSumExp(logf)
		for x, l := range logf {
			if !exacttest.Same(logQ[x], l-logZ, 1e-14*(1+scale)+4e-16*math.Abs(shift), 1) {
				t.Fatalf("state %d: log q = %v, log p = %v", x, logQ[x], l-logZ)
			}
		}
	})
	zero := math.Inf(-1)
	longtest.Refuses(smc.FitMeanField(context.Background(), grid.MustNew(2, 2), []float64{0, zero, zero, 0}))(t,
		"product")
}
