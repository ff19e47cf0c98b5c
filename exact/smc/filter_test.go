package smc_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains/particle"
	"breadboard/exact/internal/exacttest"
	"breadboard/exact/smc"
	"breadboard/grid/longtest"
)

// weather is a hidden Markov model of two states with ten observations.
func weather() *particle.HMM {
	return &particle.HMM{
		Pi: []float64{0.5, 0.5},
		A:  [][]float64{{0.9, 0.1}, {0.2, 0.8}},
		E:  [][]float64{{0.6, 0.3, 0.1}, {0.1, 0.3, 0.6}},
		Y:  []int{0, 0, 1, 2, 2, 0, 2, 2, 1, 0},
	}
}

// fivePoints is a mixture with five points in what look like three clusters.
func fivePoints() *particle.DPMM {
	return &particle.DPMM{Alpha: 1, S0: 3, SD: 0.7, Y: []float64{-2.1, -1.9, 0.1, 1.8, 2.2}}
}

func hidden(h *particle.HMM, proposal particle.Proposal) *particle.Hidden {
	return longtest.Sure(particle.NewHidden(h, proposal))
}

func mixture(m *particle.DPMM, proposal particle.Proposal) *particle.Mixture {
	return longtest.Sure(particle.NewMixture(m, proposal))
}

func filterLaw(f particle.Filter, particles int) *smc.FilterLaw {
	return longtest.Sure(smc.NewFilter(context.Background(), f, particles, 2))
}

// sameTo holds a value to another one, up to a relative difference.
func sameTo(tb testing.TB, what string, got, want, tolerance float64) {
	tb.Helper()
	if !(math.Abs(got-want) <= tolerance*math.Abs(want)) {
		tb.Errorf("%s: %.17g, want %.17g", what, got, want)
	}
}

func ExampleNewFilter() {
	f, _ := particle.NewHidden(weather(), particle.Prior)
	l, _ := smc.NewFilter(context.Background(), f, 10, 1)
	e, _ := smc.AIDE(context.Background(), l, smc.NewExact(f.Outputs()), l.P(), []int{1}, []int{1})
	fmt.Printf("log Z %.6f, mean log Zhat %.6f, J %.6f, AIDE %.6f\n", l.LogZ, l.MeanLogZForward, e[0].J, e[0].Mean)
	// Output: log Z -11.742861, mean log Zhat -12.154120, J 0.176605, AIDE 0.764392
}

// TestFilterOutOfRange: q/p of a path is beyond what float64 holds, and its logarithm is right.
func TestFilterOutOfRange(t *testing.T) {
	h := &particle.HMM{
		Pi: []float64{0.5, 0.5},
		A:  [][]float64{{0.5, 0.5}, {0.5, 0.5}},
		E:  [][]float64{{1e-200, 1}, {1, 0}},
		Y:  make([]int, 5),
	}
	f := hidden(h, particle.Prior)
	for _, particles := range []int{1, 3} {
		l := filterLaw(f, particles)
		// The others are in state 0 too with probability 2^(1-P) at each of the five times, and
		// else Zhat is so large that it adds nothing.
		want := l.LogZ + 5*(200*math.Ln10+float64(1-particles)*math.Ln2)
		sameTo(t, "log q/p", l.LogRatio()[0], want, 1e-14)
	}
}

// enumeratedFlow returns the joint distribution of sequential Monte Carlo over a flow.
func enumeratedFlow(flow particle.Flow, particles int) *smc.Joint {
	s := longtest.Sure(particle.NewSMC(flow, particles, particle.Multinomial{}, 1))
	return longtest.Sure(
		smc.Enumerate(context.Background(), s, particle.LogTargets(flow), smc.EnumerateOptions{Constant: 1}),
	)
}

// alike says whether numbers are the same up to an absolute difference, or the same infinity.
func alike(a, b, tolerance float64) bool { return a == b || math.Abs(a-b) <= tolerance }

// holdToEnumeration holds the distribution of a filter to that of the program, and the program to
// its identities.
func holdToEnumeration(t rapid.TB, l *smc.FilterLaw, j *smc.Joint) {
	t.Helper()
	holds(t, j, 1e-11)
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
	sameTraces(t, l, j, 1e-8, 0)
}

func drawnHMM(t *rapid.T, states, length int) *particle.HMM {
	law := func(n int) []float64 {
		sizes := rapid.SliceOfN(rapid.SampledFrom([]float64{0, 1e-6, 0.1, 0.5, 1, 2}), n, n).Draw(t, "law")
		if slices.Max(sizes) == 0 {
			sizes[0] = 1
		}
		return normalised(sizes)
	}
	h := &particle.HMM{Pi: law(states)}
	for range states {
		h.A, h.E = append(h.A, law(states)), append(h.E, law(2))
	}
	h.Y = rapid.SliceOfN(rapid.IntRange(0, 1), length, length).Draw(t, "y")
	return h
}

func drawnMixture(t *rapid.T, points int) *particle.DPMM {
	size := rapid.SampledFrom([]float64{1e-6, 1, 3}).Draw(t, "size")
	return &particle.DPMM{
		Alpha: rapid.Float64Range(0.05, 5).Draw(t, "alpha"), S0: rapid.SampledFrom([]float64{0, 1, 3}).Draw(
			t,
			"s0",
		), SD: rapid.Float64Range(0.3, 2).Draw(t, "sd"),
		Y: rapid.Custom(func(t *rapid.T) []float64 {
			y := rapid.SliceOfN(rapid.Float64Range(-1, 1), points, points).Draw(t, "y")
			for i := range y {
				y[i] *= size
			}
			return y
		}).Draw(t, "points"),
	}
}

// TestFarApart: if the optimal proposal gives a partition a probability that float64 does not hold,
// no run returns it, and meta-inference says so by a xi of zero.
func TestFarApart(t *testing.T) {
	f := mixture(&particle.DPMM{Alpha: 1, S0: 1, SD: 0.5, Y: []float64{20, -20}}, particle.Optimal)
	l := filterLaw(f, 1)
	holdToEnumeration(t, l, enumeratedFlow(f, 1))
	if !math.IsInf(l.LogRatio()[0], -1) || l.P()[0] != 0 {
		t.Errorf("log q/p = %v, p = %v", l.LogRatio()[0], l.P()[0])
	}
}

// TestFilterTooLarge: what takes too much memory is not begun, and the error says what would be
// less. One particle takes a step for each state, whatever the number of types.
func TestFilterTooLarge(t *testing.T) {
	h := &particle.HMM{Y: make([]int, 3)}
	for k := range 8 { // states that differ: those that are alike count as one
		stay := slices.Repeat([]float64{0.0625}, 8)
		stay[k] = 0.5625
		h.Pi, h.A, h.E = append(h.Pi, 0.125), append(h.A, stay),
			append(h.E, []float64{0.1 * float64(k+1), 1 - 0.1*float64(k+1)})
	}
	m := fivePoints()
	m.Y = append(m.Y, 0.5, 1, 3)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, particles := range []int{12, 100, 100_000} {
		longtest.Refuses(smc.NewFilter(context.Background(), hidden(h, particle.Prior), particles, 1))(t,
			"take fewer particles, or sample",
			particles,
		)
		longtest.Refuses(smc.FilterHMM(context.Background(), h, particle.Prior, everyStage(particles), 0))(t,
			"take fewer particles, or sample",
			particles,
		)
	}
	longtest.Refuses(smc.NewFilter(context.Background(), mixture(m, particle.Prior), 4, 1))(t,
		"take fewer particles, or sample")
	longtest.Refuses(smc.NewFilter(context.Background(), hidden(h, particle.Prior), 0, 1))(t, "at least 1 particle")
	runtime.ReadMemStats(&after)
	if taken := after.TotalAlloc - before.TotalAlloc; taken > 100e6 {
		t.Errorf("refused after it has taken %d bytes", taken)
	}
	long := weather()
	long.Y = append(long.Y, 0, 1, 2, 0)
	for _, f := range []particle.Filter{mixture(m, particle.Optimal), hidden(long, particle.Prior)} {
		l := filterLaw(f, 1)
		sum := 0.0
		for x, p := range l.P() {
			sum += p * math.Exp(l.LogRatio()[x])
		}
		sameTo(t, "the sum of q", sum, 1, 1e-12)
	}
}

// TestFiltersByEnumeration holds the exact distribution of the filters of random models to the
// enumeration of every choice that they make, zeros included. The program of filters with Gibbs
// scans is held to its identities at two particles, which hold only if the reversed scan is the
// time reversal of the scan.
func TestFiltersByEnumeration(t *testing.T) {
	most := 3
	ctx := context.Background()
	if longtest.Enabled() {
		most = 12
	}
	proposal := rapid.SampledFrom([]particle.Proposal{particle.Prior, particle.Optimal})
	drawnFilter := func(t *rapid.T, most int) (*particle.Mixture, int) {
		points := rapid.IntRange(1, most).Draw(t, "points")
		return mixture(drawnMixture(t, points), proposal.Draw(t, "proposal")), points
	}
	exacttest.CheckSome(t, most, func(t *rapid.T) {
		states := 2
		length := rapid.IntRange(1, 3).Draw(t, "length")
		particles := rapid.IntRange(1, 2).Draw(t, "particles")
		if length < 3 {
			states, particles = rapid.IntRange(1, 3).Draw(t, "states"),
				rapid.IntRange(1, 3).Draw(t, "particles")
		}
		h := drawnHMM(t, states, length)
		by := proposal.Draw(t, "proposal")
		f := hidden(h, by)
		l, err := smc.NewFilter(ctx, f, particles, 1)
		_, logZ := h.Forward()
		if math.IsInf(logZ, -1) {
			if !errors.Is(err, smc.ErrImpossible) {
				t.Fatalf("an impossible sequence: %v", err)
			}
			return
		}
		longtest.NoError(t, err)
		j := enumeratedFlow(f, particles)
		holdToEnumeration(t, l, j)
		m := longtest.Sure(smc.FilterHMM(ctx, h, by, everyStage(particles), 0))
		if !alike(m.LogZ, logZ, 1e-12) || !alike(m.MeanLogZForward, l.MeanLogZForward, 1e-10) ||
			!alike(m.MeanZ, 1, 1e-12) {
			t.Fatalf("%+v, by paths %v", *m, l.MeanLogZForward)
		}
	})
	steep := hidden(&particle.HMM{
		Pi: normalised([]float64{0.5, 0.1, 1}),
		A: [][]float64{normalised([]float64{0.5, 0.1, 1}), normalised([]float64{2, 0.5, 1}),
			normalised([]float64{1e-6, 0.1, 0})},
		E: [][]float64{{0.5, 0.5}, normalised([]float64{1e-6, 1}), normalised([]float64{1, 0.1})},
		Y: []int{0, 1},
	}, particle.Prior)
	// the weights of the path without probability spread too far
	holdToEnumeration(t, filterLaw(steep, 3), enumeratedFlow(steep, 3))
	exacttest.CheckSome(t, most, func(t *rapid.T) {
		f, points := drawnFilter(t, 4)
		particles := rapid.IntRange(1, 2).Draw(t, "particles")
		if points == 4 {
			particles = 1
		}
		holdToEnumeration(t, filterLaw(f, particles), enumeratedFlow(f, particles))
	})
	exacttest.CheckSome(t, most, func(t *rapid.T) {
		m, points := drawnFilter(t, 3)
		f := particle.NewRejuvenated(m)
		holdToEnumeration(t, longtest.Sure(smc.NewRejuvenated(ctx, f, 1)), enumeratedFlow(f, 1))
		if points < 3 {
			holds(t, enumeratedFlow(f, 2), 1e-11)
		}
	})
}

// everyStage returns multinomial resampling of particles at every stage.
func everyStage(particles int) smc.Setting {
	return smc.Setting{Particles: particles, Scheme: particle.Multinomial{}, Threshold: 1}
}
