package particle_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/particle"
	"breadboard/grid/longtest"
)

// logDensity is the log density of points in one cluster as one normal vector, with the covariance
// sd^2 + s0^2 in all entries.
func logDensity(m *particle.DPMM, y []float64) float64 {
	v := m.SD * m.SD
	a := m.S0 * m.S0
	n := float64(len(y))
	sum := 0.0
	squares := 0.0
	for _, x := range y {
		sum += x
		squares += x * x
	}
	logDet := (n-1)*math.Log(v) + math.Log(v+n*a)
	return -0.5 * (n*math.Log(2*math.Pi) + logDet + (squares-a*sum*sum/(v+n*a))/v)
}

// TestMixtureTarget holds the target to the closed form: alpha^k times the factorials of the sizes
// less one, over the rising factorial of alpha, times the densities of the clusters.
func TestMixtureTarget(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := &particle.DPMM{
			Alpha: rapid.Float64Range(0.01, 10).Draw(t, "alpha"),
			S0:    rapid.Float64Range(0, 5).Draw(t, "s0"),
			SD:    rapid.Float64Range(0.1, 3).Draw(t, "sd"),
			Y:     rapid.SliceOfN(rapid.Float64Range(-5, 5), 1, 7).Draw(t, "y"),
		}
		f := longtest.Sure(particle.NewMixture(m, particle.Prior))
		x := rapid.IntRange(0, f.Outputs()-1).Draw(t, "x")
		labels := make([]int, len(m.Y))
		clusters := particle.NewPartitions(len(m.Y)).Labels(labels, x)
		if f.Clusters(x) != clusters {
			t.Fatalf("%d clusters, want %d", f.Clusters(x), clusters)
		}
		want := float64(clusters) * math.Log(m.Alpha)
		for i := range m.Y {
			want -= math.Log(m.Alpha + float64(i))
		}
		for c := range clusters {
			var y []float64
			for i, l := range labels {
				if l == c {
					y = append(y, m.Y[i])
				}
			}
			factorial, _ := math.Lgamma(float64(len(y)))
			want += factorial + logDensity(m, y)
		}
		if got := f.LogTarget(x); !(math.Abs(got-want) <= 1e-9*(1+math.Abs(want))) {
			t.Fatalf("log p~ = %v, want %v", got, want)
		}
	})
}

// tally is a Sampler that adds up the logarithms of the probabilities of what it chooses.
type tally struct {
	chains.Sampler
	logP float64
}

func (c *tally) Choose(p []float64) int {
	i := c.Sampler.Choose(p)
	c.logP += math.Log(p[i])
	return i
}

// threeStates is a model with zeros in all of its tables.
func threeStates() *particle.HMM {
	return &particle.HMM{
		Pi: []float64{0.3, 0.7, 0},
		A:  [][]float64{{0.5, 0.5, 0}, {0.1, 0.2, 0.7}, {0, 0, 1}},
		E:  [][]float64{{0.5, 0.5}, {0.9, 0.1}, {0, 1}},
		Y:  []int{0, 1, 1, 0},
	}
}

// TestFilterWeights: along any path the start, the moves and the weights multiply to the target
// (log p~), whatever the proposal.
func TestFilterWeights(t *testing.T) {
	h := threeStates()
	m := &particle.DPMM{Alpha: 0.5, S0: 2, SD: 1, Y: []float64{-1, 0.5, 2, 0}}
	for _, proposal := range []particle.Proposal{particle.Prior, particle.Optimal} {
		for _, f := range []particle.Filter{
			longtest.Sure(particle.NewHidden(h, proposal)), longtest.Sure(particle.NewMixture(m, proposal))} {
			c := &tally{Sampler: chains.NewSampler(rand.NewPCG(5, 6))}
			for range 200 {
				begun := c.logP
				x := f.Start(c)
				sum := f.LogWeight(1, x)
				for s := 1; s <= f.Stages(); s++ {
					y := f.Move(c, s, x)
					if f.Back(nil, s, y) != x || f.Parent(s+1, y) != x || y >= f.States(s+1) ||
						f.Type(s+1, y) >= f.Types(s+1) {
						t.Fatalf("%T: state %d after %d at stage %d", f, y, x, s)
					}
					x = y
					sum += f.LogWeight(s+1, x)
				}
				if got := c.logP - begun + sum; !(math.Abs(got-f.LogTarget(x)) <= 1e-11) &&
					got != f.LogTarget(x) && !math.IsInf(sum, -1) {
					t.Fatalf("%T, %v: path %d has %v, its target is %v", f, proposal, x, got, f.LogTarget(x))
				}
			}
		}
	}
}

// TestForward holds log Z and the last filtering distribution to the sum over all paths.
func TestForward(t *testing.T) {
	h := threeStates()
	f := longtest.Sure(particle.NewHidden(h, particle.Optimal))
	want := make([]float64, 3)
	z := 0.0
	for x := range f.Outputs() {
		p := math.Exp(f.LogTarget(x))
		z += p
		want[h.Step(x, len(h.Y))] += p
	}
	laws, logZ := h.Forward()
	if !(math.Abs(logZ-math.Log(z)) <= 1e-14) {
		t.Errorf("log Z = %v, want %v", logZ, math.Log(z))
	}
	for i, p := range laws[len(h.Y)-1] {
		if !(math.Abs(p-want[i]/z) <= 1e-14) {
			t.Errorf("state %d: %v, want %v", i, p, want[i]/z)
		}
	}
	h.E = [][]float64{{1, 0}, {1, 0}, {1, 0}}
	h.Y = []int{0, 1}
	if laws, logZ := h.Forward(); len(laws) != 1 || !math.IsInf(logZ, -1) {
		t.Errorf("an impossible sequence: %v, log Z = %v", laws, logZ)
	}
}

// TestForwardOutOfRange: only the state whose probability is below the range of float64 at time 2
// can have the last observation.
func TestForwardOutOfRange(t *testing.T) {
	e := math.Exp(-600)
	h := &particle.HMM{
		Pi: []float64{1, 0, 0},
		A:  [][]float64{{0, 1, e}, {0, 1, 0}, {0, 0, 1}},
		E:  [][]float64{{1, 0}, {1, 0}, {e, 1}},
		Y:  []int{0, 0, 1},
	}
	if laws, logZ := h.Forward(); !(math.Abs(logZ+1200) <= 1e-12) || laws[2][2] != 1 {
		t.Errorf("%v, log Z = %v, want -1200", laws, logZ)
	}
	longtest.Refuses(particle.NewHidden(h, particle.Optimal))(t, "time 2 has a probability below the range of float64")
	longtest.Refuses(particle.NewRecent(h, particle.Optimal))(t, "take the prior proposal")
	h = &particle.HMM{
		Pi: []float64{e, 1},
		A:  [][]float64{{1, 0}, {0, 1}},
		E:  [][]float64{{e, 1}, {0, 1}},
		Y:  []int{0},
	}
	if w := longtest.Must(particle.NewHidden(h, particle.Optimal))(t).LogWeight(1, 0); !(math.Abs(w+1200) <= 1e-12) {
		t.Errorf("log weight %v, want -1200", w)
	}
}

func TestFilterModelsRefused(t *testing.T) {
	for want, change := range map[string]func(m *particle.DPMM){
		"alpha is 0":              func(m *particle.DPMM) { m.Alpha = 0 },
		"s0 of the means is -1":   func(m *particle.DPMM) { m.S0 = -1 },
		"sd of the points is NaN": func(m *particle.DPMM) { m.SD = math.NaN() },
		"there are no points":     func(m *particle.DPMM) { m.Y = nil },
		"point 1 is NaN":          func(m *particle.DPMM) { m.Y = []float64{0, math.NaN()} },
		"26 points":               func(m *particle.DPMM) { m.Y = make([]float64, 26) },
	} {
		m := &particle.DPMM{Alpha: 1, S0: 1, SD: 1, Y: []float64{1}}
		change(m)
		longtest.Refuses(particle.NewMixture(m, particle.Prior))(t, want)
	}
	for want, change := range map[string]func(h *particle.HMM){
		"pi has no entry":            func(h *particle.HMM) { h.Pi = nil },
		"pi sums to 0.9":             func(h *particle.HMM) { h.Pi[0] = 0.4 },
		"2 hidden states, A 1 rows":  func(h *particle.HMM) { h.A = h.A[:1] },
		"row 1 of A has 1 entries":   func(h *particle.HMM) { h.A[0] = []float64{1} },
		"row 2 of E: entry 1 is -1":  func(h *particle.HMM) { h.E[1][0] = -1 },
		"y has no observation":       func(h *particle.HMM) { h.Y = nil },
		"observation 1 of y is 1":    func(h *particle.HMM) { h.Y[1] = 1 },
		"more than 2^20 whole paths": func(h *particle.HMM) { h.Y = make([]int, 21) },
	} {
		h := &particle.HMM{
			Pi: []float64{0.5, 0.5},
			A:  [][]float64{{1, 0}, {0, 1}},
			E:  [][]float64{{1}, {1}},
			Y:  make([]int, 20),
		}
		if f, err := particle.NewHidden(h, particle.Prior); err != nil || f.Outputs() != 1<<20 {
			t.Errorf("2^20 paths: %v", err)
		}
		change(h)
		longtest.Refuses(particle.NewHidden(h, particle.Prior))(t, want)
	}
}

func Example_hiddenMarkovModel() {
	h := &particle.HMM{
		Pi: []float64{0.5, 0.5},
		A:  [][]float64{{0.9, 0.1}, {0.2, 0.8}},
		E:  [][]float64{{0.6, 0.4}, {0.1, 0.9}},
		Y:  []int{0, 0, 1},
	}
	f, err := particle.NewHidden(h, particle.Optimal)
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := particle.NewSMC(f, 10, particle.Multinomial{}, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	_, logZ := h.Forward()
	run := s.Run(chains.NewSampler(rand.NewPCG(1, 2)))
	fmt.Printf("log Z %.4f, estimated %.4f\n", logZ, f.LogTarget(run.Output)-run.LogXi)
	// Output: log Z -2.5108, estimated -2.4462
}

// TestDrawn: with the same choices the algorithm over partitions that are numbered as they are met
// does what the one over all numbered partitions does, and meta-inference too, also for an output
// of another algorithm.
func TestDrawn(t *testing.T) {
	m := &particle.DPMM{Alpha: 1, S0: 3, SD: 0.7, Y: []float64{-2.1, -1.9, 0.1, 1.8, 2.2, 0.3}}
	outputs := particle.NewOutcomes(len(m.Y))
	for _, proposal := range []particle.Proposal{particle.Prior, particle.Optimal} {
		for _, rejuvenated := range []bool{false, true} {
			for _, particles := range []int{1, 3} {
				filter := longtest.Must(particle.NewMixture(m, proposal))(t)
				var flow particle.Flow = filter
				if rejuvenated {
					flow = particle.NewRejuvenated(filter)
				}
				numbered := longtest.Must(particle.NewSMC(flow, particles, particle.Multinomial{}, 1))(t)
				drawn := longtest.Must(particle.NewDrawn(m, proposal, rejuvenated, particles, outputs))(t)
				other := longtest.Must(particle.NewDrawn(m, particle.Optimal, true, 2, outputs))(t)
				for seed := range byte(20) {
					sampler := func() chains.Sampler {
						return chains.NewSampler(rand.NewChaCha8([32]byte{seed}))
					}
					want := numbered.Run(sampler())
					got := drawn.Run(sampler())
					if got.LogXi != want.LogXi ||
						outputs.Clusters(got.Output) != filter.Clusters(want.Output) {
						t.Fatalf("%v, rejuvenated %v, %d particles: %+v, want %+v", proposal, rejuvenated,
							particles, got, want)
					}
					if a, b := numbered.Meta(sampler(), want.Output),
						drawn.Meta(sampler(), got.Output); a.LogXi != b.LogXi || b.Output != got.Output {
						t.Fatalf("%v, rejuvenated %v, %d particles: meta-inference %v, want %v", proposal,
							rejuvenated, particles, b.LogXi, a.LogXi)
					}
					other.Run(sampler())
				}
			}
		}
	}
}

// TestManyPoints: forty points have a filter whose partitions are drawn, and none that counts them;
// there may be that many.
func TestManyPoints(t *testing.T) {
	m := &particle.DPMM{Alpha: 1, S0: 3, SD: 0.7, Y: make([]float64, 40)}
	for i := range m.Y {
		m.Y[i] = float64(i%4) * 5
	}
	longtest.Refuses(particle.NewMixture(m, particle.Prior))(t, "at most 15 can be numbered")
	outputs := particle.NewOutcomes(len(m.Y))
	d := longtest.Must(particle.NewDrawn(m, particle.Optimal, false, 5, outputs))(t)
	r := d.Run(chains.NewSampler(rand.NewChaCha8([32]byte{1})))
	if n := outputs.Clusters(r.Output); n < 4 || n > 8 {
		t.Errorf("four groups of points far apart are %d clusters", n)
	}
	m.Y = make([]float64, particle.MaxDrawnPoints+1)
	longtest.Refuses(particle.NewDrawn(m, particle.Prior, false, 1, outputs))(t, "101 points; give at most 100")
}
