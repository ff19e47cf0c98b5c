package smc_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains/particle"
	"breadboard/exact/internal/exacttest"
	"breadboard/exact/smc"
	"breadboard/grid/longtest"
)

// enumeratedFlow returns the joint law of sequential Monte Carlo over a flow.
func enumeratedFlow(flow particle.Flow, particles int) *smc.Joint {
	s := longtest.Sure(particle.NewSMC(flow, particles, particle.Multinomial{}, 1))
	return longtest.Sure(smc.Enumerate(context.Background(), s, particle.LogTargets(flow), smc.EnumerateOptions{Constant: 1}))
}

// alike says whether numbers are the same up to an absolute difference, or the same infinity.
func alike(a, b, tolerance float64) bool { return a == b || math.Abs(a-b) <= tolerance }

// holdToEnumeration holds the law of a filter to that of the program, and the program to its identities.
func holdToEnumeration(t rapid.TB, l *smc.FilterLaw, j *smc.Joint) {
	t.Helper()
	for _, f := range j.Findings() {
		if !f.Property && !(f.Value <= 1e-11) {
			t.Fatalf("%v", f)
		}
	}
	for x, p := range l.P() {
		if !alike(p, j.Target()[x], 1e-13) {
			t.Fatalf("p(%d) = %v, by enumeration %v", x, p, j.Target()[x])
		}
		if q := p * math.Exp(l.LogRatio()[x]); p > 0 && !alike(q, j.Q()[x], 1e-12) {
			t.Fatalf("q(%d) = %v, by enumeration %v", x, q, j.Q()[x])
		}
	}
	for what, v := range map[string][2]float64{
		"log Z":       {l.LogZ, j.LogZ()},
		"extinct":     {l.Extinct(), j.Extinct()},
		"forward":     {l.MeanLogZForward, j.MeanLogZForward()},
		"conditional": {l.MeanLogZConditional, j.MeanLogZConditional()},
	} {
		if !alike(v[0], v[1], 1e-10) {
			t.Fatalf("%s: %v, by enumeration %v", what, v[0], v[1])
		}
	}
	if l.Extinct() == 0 && j.Extinct() > 1e-12 || l.Extinct() > 0 {
		return
	}
	ours, theirs := moments(l), moments(j)
	for i := range ours {
		for x, p := range l.P() {
			if p == 0 {
				continue
			}
			a, b := ours[i], theirs[i]
			for _, v := range [][2]float64{{a.Meta[x], b.Meta[x]}, {a.Meta2[x], b.Meta2[x]}, {a.Run[x], b.Run[x]}, {a.Run2[x], b.Run2[x]}} {
				if !alike(v[0], v[1], 1e-8*(1+math.Abs(v[1]))) {
					t.Fatalf("M = %d, output %d: %v, by enumeration %v", a.M, x, v[0], v[1])
				}
			}
		}
	}
}

func moments(s smc.Side) []smc.Traces {
	return longtest.Sure(s.Traces(context.Background(), []int{1, 3}))
}

// drawnLaw draws a law over n things, with zeros and small numbers.
func drawnLaw(t *rapid.T, n int) []float64 {
	sizes := rapid.SliceOfN(rapid.SampledFrom([]float64{0, 1e-6, 0.1, 0.5, 1, 2}), n, n).Draw(t, "law")
	sum := 0.0
	for _, v := range sizes {
		sum += v
	}
	if sum == 0 {
		sizes[0], sum = 1, 1
	}
	for i := range sizes {
		sizes[i] /= sum
	}
	return sizes
}

func drawnHMM(t *rapid.T, states, length int) *particle.HMM {
	h := &particle.HMM{Pi: drawnLaw(t, states)}
	for range states {
		h.A, h.E = append(h.A, drawnLaw(t, states)), append(h.E, drawnLaw(t, 2))
	}
	h.Y = rapid.SliceOfN(rapid.IntRange(0, 1), length, length).Draw(t, "y")
	return h
}

// TestFiltersByEnumeration holds the exact law of the filters of random models to the enumeration of every choice that they make, zeros included.
func TestFiltersByEnumeration(t *testing.T) {
	longtest.NotShort(t)
	exacttest.CheckSome(t, 12, func(t *rapid.T) {
		states, length, particles := 2, rapid.IntRange(1, 3).Draw(t, "length"), rapid.IntRange(1, 2).Draw(t, "particles")
		if length < 3 {
			states, particles = rapid.IntRange(1, 3).Draw(t, "states"), rapid.IntRange(1, 3).Draw(t, "particles")
		}
		h := drawnHMM(t, states, length)
		f := longtest.Sure(particle.NewHidden(h, rapid.SampledFrom([]particle.Proposal{particle.Prior, particle.Optimal}).Draw(t, "proposal")))
		l, err := smc.NewFilter(context.Background(), f, particles, 1)
		if _, logZ := h.Forward(); math.IsInf(logZ, -1) {
			if !errors.Is(err, smc.ErrImpossible) {
				t.Fatalf("an impossible sequence: %v", err)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		holdToEnumeration(t, l, enumeratedFlow(f, particles))
		m := longtest.Sure(smc.CountFilter(context.Background(), f, particles))
		if !alike(m.MeanLogZForward, l.MeanLogZForward, 1e-10) || !alike(m.MeanLogZConditional, l.MeanLogZConditional, 1e-10) || !alike(m.MeanZ, 1, 1e-12) {
			t.Fatalf("%+v, by paths %v and %v", *m, l.MeanLogZForward, l.MeanLogZConditional)
		}
		if j := enumeratedFlow(f, particles); !alike(m.RelativeVariance, j.RelativeVariance(), 1e-9*(1+math.Abs(m.RelativeVariance))) {
			t.Fatalf("relative variance %v, by enumeration %v", m.RelativeVariance, j.RelativeVariance())
		}
	})
}

func drawnMixture(t *rapid.T, points int) *particle.DPMM {
	size := rapid.SampledFrom([]float64{1e-6, 1, 3}).Draw(t, "size")
	return &particle.DPMM{
		Alpha: rapid.Float64Range(0.05, 5).Draw(t, "alpha"), S0: rapid.SampledFrom([]float64{0, 1, 3}).Draw(t, "s0"), SD: rapid.Float64Range(0.3, 2).Draw(t, "sd"),
		Y: rapid.Custom(func(t *rapid.T) []float64 {
			y := rapid.SliceOfN(rapid.Float64Range(-1, 1), points, points).Draw(t, "y")
			for i := range y {
				y[i] *= size
			}
			return y
		}).Draw(t, "points"),
	}
}

func TestMixturesByEnumeration(t *testing.T) {
	longtest.NotShort(t)
	exacttest.CheckSome(t, 12, func(t *rapid.T) {
		points := rapid.IntRange(1, 4).Draw(t, "points")
		particles := rapid.IntRange(1, 2).Draw(t, "particles")
		if points == 4 {
			particles = 1
		}
		f := longtest.Sure(particle.NewMixture(drawnMixture(t, points), rapid.SampledFrom([]particle.Proposal{particle.Prior, particle.Optimal}).Draw(t, "proposal")))
		l := longtest.Sure(smc.NewFilter(context.Background(), f, particles, 1))
		holdToEnumeration(t, l, enumeratedFlow(f, particles))
	})
}

// TestRejuvenatedByEnumeration holds filters with Gibbs scans to enumeration at one particle, and their program to its
// identities at two, which hold only if the reversed scan is the time reversal of the scan.
func TestRejuvenatedByEnumeration(t *testing.T) {
	longtest.NotShort(t)
	exacttest.CheckSome(t, 12, func(t *rapid.T) {
		points := rapid.IntRange(1, 3).Draw(t, "points")
		m := longtest.Sure(particle.NewMixture(drawnMixture(t, points), rapid.SampledFrom([]particle.Proposal{particle.Prior, particle.Optimal}).Draw(t, "proposal")))
		f := particle.NewRejuvenated(m)
		l := longtest.Sure(smc.NewRejuvenated(context.Background(), f, 1))
		holdToEnumeration(t, l, enumeratedFlow(f, 1))
		if points < 3 {
			for _, finding := range enumeratedFlow(f, 2).Findings() {
				if !finding.Property && !(finding.Value <= 1e-11) {
					t.Fatalf("two particles: %v", finding)
				}
			}
		}
	})
}

// TestFarApart: where the optimal proposal gives a partition a probability that float64 does not hold, no run returns it, and
// meta-inference says so by a xi of zero.
func TestFarApart(t *testing.T) {
	f := mixture(&particle.DPMM{Alpha: 1, S0: 1, SD: 0.5, Y: []float64{20, -20}}, particle.Optimal)
	l := filterLaw(f, 1)
	holdToEnumeration(t, l, enumeratedFlow(f, 1))
	if !math.IsInf(l.LogRatio()[0], -1) || l.P()[0] != 0 {
		t.Errorf("log q/p = %v, p = %v", l.LogRatio()[0], l.P()[0])
	}
}
