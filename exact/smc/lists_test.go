package smc

import (
	"context"
	"fmt"
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"breadboard/chains/particle"
	"breadboard/grid/longtest"
)

// drawnChain draws a hidden Markov model, perhaps with probabilities that are zero.
func drawnChain(t *rapid.T) *particle.HMM {
	n := rapid.IntRange(1, 3).Draw(t, "states")
	row := func(n int, what string) []float64 {
		p := make([]float64, n)
		sum := 0.0
		for i := range p {
			p[i] = float64(rapid.IntRange(0, 9).Draw(t, what))
			sum += p[i]
		}
		if sum == 0 {
			p[0], sum = 1, 1
		}
		for i := range p {
			p[i] /= sum
		}
		return p
	}
	h := &particle.HMM{Pi: row(n, "pi")}
	for range n {
		h.A, h.E = append(h.A, row(n, "A")), append(h.E, row(2, "E"))
	}
	h.Y = rapid.SliceOfN(rapid.IntRange(0, 1), 1, 4).Draw(t, "y")
	return h
}

// TestLists holds lists of types, or multisets of those that are sorted, to particles that are
// followed slot by slot, and E Zhat to Z.
func TestLists(t *testing.T) {
	ctx := context.Background()
	rapid.Check(t, func(t *rapid.T) {
		h := drawnChain(t)
		scheme := rapid.SampledFrom([]particle.Scheme{particle.Systematic{}, particle.Stratified{}, particle.Residual{},
			particle.Sorted{Scheme: particle.Systematic{}},
			particle.Sorted{Scheme: particle.Stratified{}}}).
			Draw(t, "scheme")
		s := Setting{Particles: rapid.IntRange(1, 4).Draw(t, "particles"), Scheme: scheme, Threshold: 1}
		stages, start, logZ, err := stagesOfHMM(h, particle.Prior)
		if err != nil {
			return // Z = 0
		}
		solve := func(ctx context.Context, stages []stageOfFilter, start branch, logZ float64,
			s Setting) (*FilterMoments, error) {
			return solveLists(ctx, stages, start, logZ, s, 0)
		}
		if _, is := scheme.(particle.Sorted); is {
			solve = solveSorted
		}
		fast := longtest.Must(solve(ctx, stages, start, logZ, s))(t)
		slow := longtest.Must(solveSlots(ctx, stages, start, logZ, s))(t)
		for what, pair := range map[string][2]float64{
			"mean": {fast.MeanRatio, slow.MeanRatio}, "variance": {fast.VarianceLogZ, slow.VarianceLogZ},
			"extinct": {fast.Extinct, slow.Extinct}, "E Zhat": {fast.MeanZ, 1}} {
			if a, b := pair[0], pair[1]; a != b && !(math.Abs(a-b) <= 1e-13+1e-12*math.Abs(b)) &&
				!(math.IsNaN(a) && math.IsNaN(b)) {
				t.Errorf("%v %s: %v for lists and %v for slots", s, what, a, b)
			}
		}
	})
}

// TestAlone holds the weights of particles that are never resampled to those that are followed slot
// by slot: the mean and the variance of the log of the mean of two, and E Zhat.
func TestAlone(t *testing.T) {
	ctx := context.Background()
	rapid.Check(t, func(t *rapid.T) {
		h := drawnChain(t)
		proposal := rapid.SampledFrom([]particle.Proposal{particle.Prior, particle.Optimal}).Draw(t, "proposal")
		logw, logP, logZ, err := WeightsHMM(ctx, h, proposal)
		if err != nil {
			return // Z = 0
		}
		slow := longtest.Must(FilterHMM(ctx, h, proposal, Setting{Particles: 2, Scheme: particle.Multinomial{}}, 0))(t)
		var z, dead, mean float64
		for i, a := range logw {
			z += math.Exp(a + logP[i] - logZ)
			for j, b := range logw {
				switch p := math.Exp(logP[i] + logP[j]); {
				case math.IsInf(a, -1) && math.IsInf(b, -1):
					dead += p
				default:
					mean += p * (math.Log((math.Exp(a-logZ)+math.Exp(b-logZ))/2) + logZ)
				}
			}
		}
		if math.Abs(z-1) > 1e-12 || math.Abs(dead-slow.Extinct) > 1e-12 {
			t.Fatalf("E Zhat is %v Z, and both weights are zero with probability %v, not %v", z,
				dead, slow.Extinct)
		}
		if dead == 0 && math.Abs(mean-slow.MeanLogZForward) > 1e-12*(1+math.Abs(mean)) {
			t.Fatalf("the mean is %v, and %v slot by slot", mean, slow.MeanLogZForward)
		}
	})
}

// TestManyLists refuses more lists than are followed, and says how many particles would do.
func TestManyLists(t *testing.T) {
	h := &particle.HMM{
		Pi: []float64{0.5, 0.5},
		A:  [][]float64{{0.9, 0.1}, {0.2, 0.8}},
		E:  [][]float64{{0.3, 0.7}, {0.6, 0.4}},
		Y:  []int{0, 1},
	}
	for particles, refused := range map[int]bool{8: false, 21: true} {
		_, err := FilterHMM(context.Background(), h, particle.Prior,
			Setting{Particles: particles, Scheme: particle.Systematic{}, Threshold: 1}, 0)
		if (err != nil) != refused || refused && fmt.Sprint(err) !=
			"21 particles of 2 types are one of 2.1e+06 lists, and the limit is 1048576: at most 20 "+
				"particles, or sample" {
			t.Errorf("%d particles: %v", particles, err)
		}
	}
}

// TestSlowLists: a filter that would take more than the time is refused at once, with the number of
// particles that fits.
func TestSlowLists(t *testing.T) {
	h := &particle.HMM{
		Pi: []float64{0.5, 0.5},
		A:  [][]float64{{0.9, 0.1}, {0.2, 0.8}},
		E:  [][]float64{{0.3, 0.7}, {0.6, 0.4}},
		Y:  make([]int, 200),
	}
	stages, start, _, err := stagesOfHMM(h, particle.Prior)
	longtest.NoError(t, err)
	stages, _, _ = lump(stages, start)
	for _, c := range []struct {
		particles int
		scheme    particle.Scheme
		within    time.Duration
		refused   string
	}{
		{16, particle.Systematic{}, time.Minute, ""},
		{20, particle.Systematic{}, time.Hour, ""},
		{20, particle.Systematic{}, time.Minute,
			"20 particles of 2 types with 200 data, resampled by the systematic scheme, would take about " +
				"22 min on one core, and the limit is 1 min: at most 16 particles, a time of 22m, or sample"},
		{12, particle.Stratified{}, time.Minute, ""},
		{9, particle.Residual{}, time.Minute,
			"9 particles of 2 types with 200 data, resampled by the residual scheme, would take about 10 " +
				"min on one core, and the limit is 1 min: at most 7 particles, a time of 10m, or sample"},
	} {
		err := affordLists(stages, Setting{Particles: c.particles, Scheme: c.scheme, Threshold: 1}, c.within)
		if got := fmt.Sprint(err); (err != nil) != (c.refused != "") || err != nil && got != c.refused {
			t.Errorf("%d particles, %v: %s", c.particles, c.scheme, got)
		}
	}
}

// TestWholeOffspring: a mean number of offspring that is one but for the grid of carried weights
// has one sure offspring. The value was enumerated with rational weights.
func TestWholeOffspring(t *testing.T) {
	h := &particle.HMM{
		Pi: []float64{0.5, 0.25, 0.25},
		A:  [][]float64{{0, 0.5, 0.5}, {0.5, 0, 0.5}, {0.5, 0.5, 0}},
		E:  [][]float64{{0.99, 0.01}, {0.5, 0.5}, {0.01, 0.99}},
		Y:  []int{0, 1},
	}
	m := longtest.Must(FilterHMM(context.Background(), h, particle.Prior,
		Setting{Particles: 3, Scheme: particle.Residual{}, Threshold: 0.9}, 0))(t)
	if want := -1.097106383897192; math.Abs(m.MeanLogZForward-want) > 1e-13 {
		t.Errorf("the mean is %v, not %v", m.MeanLogZForward, want)
	}
}

// TestMergedWeights: seven data, of which each has one weight for its own state and one for the
// other three, leave 4 states with 7 weights, whatever the increments of Z.
func TestMergedWeights(t *testing.T) {
	h := &particle.HMM{
		Pi: []float64{0.4, 0.3, 0.2, 0.1},
		A: [][]float64{
			{0.7, 0.1, 0.1, 0.1}, {0.1, 0.6, 0.2, 0.1}, {0.1, 0.2, 0.5, 0.2}, {0.2, 0.1, 0.1, 0.6}},
		E: [][]float64{
			{0.7, 0.1, 0.1, 0.1}, {0.1, 0.7, 0.1, 0.1}, {0.1, 0.1, 0.7, 0.1}, {0.1, 0.1, 0.1, 0.7}},
		Y: []int{0, 1, 2, 3, 0, 1, 2},
	}
	stages, start, _, err := stagesOfHMM(h, particle.Prior)
	longtest.NoError(t, err)
	p := &slots{
		Setting: Setting{Particles: 4, Scheme: particle.Systematic{}, Threshold: 0.5},
		stages:  stages,
		start:   start,
		ordered: true,
	}
	p.round()
	if _, lists, _ := p.carried(); lists != 28*28*28*28 {
		t.Errorf("%v lists", lists)
	}
}
