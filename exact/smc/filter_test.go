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

func aide(a, b smc.Side, p []float64, ms ...int) []smc.Estimate {
	return longtest.Sure(smc.AIDE(context.Background(), a, b, p, ms, []int{1}))
}

// sameTo holds a value to another one, up to a relative difference.
func sameTo(tb testing.TB, what string, got, want, tolerance float64) {
	tb.Helper()
	if !(math.Abs(got-want) <= tolerance*math.Abs(want)) {
		tb.Errorf("%s: %.17g, want %.17g", what, got, want)
	}
}

// TestFilterOfHMM holds the distribution to values that were computed in 113-bit arithmetic by a
// program of another design.
func TestFilterOfHMM(t *testing.T) {
	longtest.Only(t)
	const logZ = -11.7428610285806302
	for _, c := range []struct {
		proposal                                              particle.Proposal
		particles                                             int
		j, aide, klqp, klpq, meanLogForward, meanLogCondition float64
	}{
		{particle.Prior, 1, 4.37202474576951682, 4.37202474576951682, 2.25477799977503294, 2.11724674599448388, -13.9976390283556676, -9.62561428258614668},
		{particle.Prior, 2, 2.18919431955637053, 2.95959016693507075, 1.16004160045177153, 1.02915271910459899, -13.3158569034966, -10.3562667365615254},
		{particle.Prior, 10, 0.176604730997613828, 0.764392338094917225, 0.0942980553619086702, 0.0823066756357051579, -12.1541204373007915, -11.3897280992058701},
		{particle.Prior, 100, 0.00107098582308959037, 0.0725481168990280817, 0.000537932865356546542, 0.000533052957733043825, -11.779440556373691,
			-11.7068924394746587},
		{particle.Optimal, 1, 1.53935048442363336, 1.53935048442363336, 0.762319386243813125, 0.777031098179820237, -12.5051804148244433, -10.96582993040081},
		{particle.Optimal, 10, 0.114073518420918963, 0.378665743880861308, 0.0569078962853286533, 0.0571656221355903094, -11.9342783513515999, -11.5556126074707386},
	} {
		if (c.particles > 10 || c.particles == 10 && c.proposal == particle.Prior) && !longtest.More() {
			continue // ExampleNewFilter has the distribution of ten particles
		}
		f := hidden(weather(), c.proposal)
		l := filterLaw(f, c.particles)
		sameTo(t, "log Z", l.LogZ, logZ, 1e-14)
		sameTo(t, "forward", l.MeanLogZForward, c.meanLogForward, 1e-13)
		sameTo(t, "conditional", l.MeanLogZConditional, c.meanLogCondition, 1e-13)
		e := aide(l, smc.NewExact(f.Outputs()), l.P(), 1)[0]
		sameTo(t, "J", e.J, c.j, 1e-11)
		sameTo(t, "KL(q||p)", e.KLQP, c.klqp, 1e-11)
		sameTo(t, "KL(p||q)", e.KLPQ, c.klpq, 1e-11)
		sameTo(t, "AIDE", e.Mean, c.aide, 1e-12)
		m := longtest.Sure(smc.CountFilter(context.Background(), f, c.particles))
		sameTo(t, "E Zhat", m.MeanZ, 1, 1e-12)
		sameTo(t, "log Z by counts", m.LogZ, logZ, 1e-14)
		sameTo(t, "forward by counts", m.MeanLogZForward, c.meanLogForward, 1e-13)
		sameTo(t, "conditional by counts", m.MeanLogZConditional, c.meanLogCondition, 1e-13)
	}
}

// TestFilterAIDEOfFewSteps holds a short sequence to enumeration, and so with another filter as the
// gold standard.
func TestFilterAIDEOfFewSteps(t *testing.T) {
	longtest.Only(t)
	h := weather()
	h.Y = h.Y[1:4]
	f := hidden(h, particle.Prior)
	l, j := filterLaw(f, 2), enumeratedFlow(f, 2)
	gold := smc.NewExact(len(l.P()))
	got, want := aide(l, gold, l.P(), 1, 10, 100), aide(j, gold, l.P(), 1, 10, 100)
	for i := range want {
		sameTo(t, "mean", got[i].Mean, want[i].Mean, 1e-11)
		sameTo(t, "variance", got[i].Variance, want[i].Variance, 1e-11)
	}
	other := hidden(h, particle.Optimal)
	of, by := aide(l, filterLaw(other, 2), l.P(), 1)[0], aide(j, enumeratedFlow(other, 2), l.P(), 1)[0]
	sameTo(t, "J of two filters", of.J, by.J, 1e-11)
	sameTo(t, "mean of two filters", of.Mean, by.Mean, 1e-11)
}

func TestFilterAIDEWithManyTraces(t *testing.T) {
	longtest.Only(t) // TestFilterAIDEOfFewSteps does less
	l := filterLaw(hidden(weather(), particle.Prior), 10)
	e := aide(l, smc.NewExact(len(l.P())), l.P(), 1, 10, 100)
	for i, want := range [][2]float64{{0.764392338094917225, 1.559642437445033}, {0.25716394442171872, 0.52004039563097203},
		{0.185156595400481506, 0.37126342655954347}} {
		sameTo(t, "mean", e[i].Mean, want[0], 1e-11)
		sameTo(t, "variance", e[i].Variance, want[1], 1e-11)
	}
}

// TestFilterAgainstFilter takes a filter as the gold standard.
func TestFilterAgainstFilter(t *testing.T) {
	longtest.Only(t) // TestFilterAIDEOfFewSteps does less
	a, b := filterLaw(hidden(weather(), particle.Prior), 10), filterLaw(hidden(weather(), particle.Optimal), 10)
	e := aide(a, b, a.P(), 1)[0]
	sameTo(t, "J", e.J, 0.0807347409446352197, 1e-11)
	sameTo(t, "AIDE", e.Mean, 0.956766346254836949, 1e-12)
}

func TestFilterOfMixture(t *testing.T) {
	longtest.Only(t)
	const logZ = -11.9331972542020354
	for _, c := range []struct {
		proposal                      particle.Proposal
		particles                     int
		j, aide, logForward, clusters float64
	}{
		{particle.Prior, 1, 8.53619172941237883, 8.53619172941237882, -18.2420971860886775, 2.28333333333333333},
		{particle.Prior, 2, 4.54750192797995967, 5.24753208141136302, -15.9620751341803445, 2.5561395740841901},
		{particle.Prior, 3, 2.40940120798880817, 3.30301028873825512, -14.4244233713903638, 2.74042775162252475},
		{particle.Optimal, 1, 0.0843571136151675551, 0.0843571136151675548, -11.9775006787461872, 2.79964648504143453},
		{particle.Optimal, 2, 0.0455157651197472804, 0.0621526819247998129, -11.965550255374155, 2.83318929874573092},
		{particle.Optimal, 3, 0.0233447980056859142, 0.0449935860892402212, -11.9563643386134675, 2.85882778091875672},
	} {
		f := mixture(fivePoints(), c.proposal)
		l := filterLaw(f, c.particles)
		sameTo(t, "log Z", l.LogZ, logZ, 1e-14)
		sameTo(t, "forward", l.MeanLogZForward, c.logForward, 1e-13)
		e := aide(l, smc.NewExact(f.Outputs()), l.P(), 1)[0]
		sameTo(t, "J", e.J, c.j, 1e-12)
		sameTo(t, "AIDE", e.Mean, c.aide, 1e-12)
		clusters, posterior := 0.0, 0.0
		for x, p := range l.P() {
			clusters += p * math.Exp(l.LogRatio()[x]) * float64(f.Clusters(x))
			posterior += p * float64(f.Clusters(x))
		}
		sameTo(t, "clusters", clusters, c.clusters, 1e-13)
		sameTo(t, "clusters of the posterior", posterior, 2.92830595448084787, 1e-13)
		m := longtest.Sure(smc.CountFilter(context.Background(), f, c.particles))
		sameTo(t, "forward by counts", m.MeanLogZForward, c.logForward, 1e-13)
	}
}

// TestFilterOfOneParticle: one particle takes a step for each state, whatever the number of types.
func TestFilterOfOneParticle(t *testing.T) {
	points, states := 9, 14
	if !longtest.Enabled() {
		points, states = 7, 10
	}
	m := fivePoints()
	for i := range points - 5 {
		m.Y = append(m.Y, float64(i))
	}
	h := weather()
	h.Y = append(h.Y, 0, 1, 2, 0)[:states]
	for _, f := range []particle.Filter{mixture(m, particle.Optimal), hidden(h, particle.Prior)} {
		l := filterLaw(f, 1)
		sum := 0.0
		for x, p := range l.P() {
			sum += p * math.Exp(l.LogRatio()[x])
		}
		sameTo(t, "the sum of q", sum, 1, 1e-12)
	}
}

// TestFilterTooLarge: what takes too much memory is not begun, and the error says what would be
// less.
func TestFilterTooLarge(t *testing.T) {
	h := &particle.HMM{Y: make([]int, 3)}
	for range 8 {
		h.Pi = append(h.Pi, 0.125)
	}
	for k := range 8 { // states that differ: those that are alike count as one
		stay := slices.Repeat([]float64{0.0625}, 8)
		stay[k] = 0.5625
		h.A, h.E = append(h.A, stay), append(h.E, []float64{0.1 * float64(k+1), 1 - 0.1*float64(k+1)})
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, particles := range []int{12, 100, 100_000} {
		longtest.Refuses(smc.NewFilter(context.Background(), hidden(h, particle.Prior), particles, 1))(t, "take fewer particles, or sample", particles)
		if _, err := smc.CountFilter(context.Background(), hidden(h, particle.Prior), particles); err == nil {
			t.Errorf("%d particles: no error of the chain of counts", particles)
		}
	}
	m := fivePoints()
	m.Y = append(m.Y, 0.5, 1, 3)
	if _, err := smc.NewFilter(context.Background(), mixture(m, particle.Prior), 4, 1); err == nil {
		t.Error("eight points, four particles: no error")
	}
	runtime.ReadMemStats(&after)
	if taken := after.TotalAlloc - before.TotalAlloc; taken > 100e6 {
		t.Errorf("refused after it has taken %d bytes", taken)
	}
	if _, err := smc.NewFilter(context.Background(), hidden(h, particle.Prior), 0, 1); err == nil {
		t.Error("no particle: no error")
	}
}

func BenchmarkFilter(b *testing.B) {
	f := hidden(weather(), particle.Prior)
	for b.Loop() {
		filterLaw(f, 100)
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
	h := &particle.HMM{Pi: []float64{0.5, 0.5}, A: [][]float64{{0.5, 0.5}, {0.5, 0.5}}, E: [][]float64{{1e-200, 1}, {1, 0}}, Y: make([]int, 5)}
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
	return longtest.Sure(smc.Enumerate(context.Background(), s, particle.LogTargets(flow), smc.EnumerateOptions{Constant: 1}))
}

// alike says whether numbers are the same up to an absolute difference, or the same infinity.
func alike(a, b, tolerance float64) bool { return a == b || math.Abs(a-b) <= tolerance }

// holdToEnumeration holds the distribution of a filter to that of the program, and the program to
// its identities.
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

// drawnLaw draws a distribution over n things, with zeros and small numbers.
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

// TestFiltersByEnumeration holds the exact distribution of the filters of random models to the
// enumeration of every choice that they make, zeros included.
func TestFiltersByEnumeration(t *testing.T) {
	longtest.Only(t)
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
	longtest.Only(t)
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

// TestRejuvenatedByEnumeration holds filters with Gibbs scans to enumeration at one particle, and
// their program to its identities at two, which hold only if the reversed scan is the time reversal
// of the scan.
func TestRejuvenatedByEnumeration(t *testing.T) {
	longtest.Only(t)
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
