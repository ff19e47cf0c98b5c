package gibbs_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/particle"
	"breadboard/exact/smc"
	"breadboard/experiments/particles/smc/gibbs"
	"breadboard/experiments/study"
	"breadboard/grid/longtest"
	"breadboard/toys/models"
)

func gibbsRun(t testing.TB, o gibbs.Options) []gibbs.Row {
	t.Helper()
	return longtest.Must(study.Run(context.Background(), gibbs.Study(), nil, o, study.How{}))(t)
}

// TestTimes holds every autocorrelation time to the sum of the autocorrelations, by moving the
// function again and again.
func TestTimes(t *testing.T) {
	rows := gibbsRun(t, gibbs.Options{
		Observations: []int{3},
		Particles:    []int{3},
		Resample:     []string{"multinomial", "systematic"},
		Ancestors:    []string{gibbs.Without, gibbs.With},
	})
	h := models.Weather()
	h.Y = h.Y[:3]
	p := particle.LogTargets(longtest.Sure(particle.NewHidden(h, particle.Prior)))
	chains.Normalize(p)
	for i := range rows[:3] {
		r := &rows[i]
		moves := longtest.Sure(smc.GibbsRows(context.Background(), h, 3, r.Scheme, r.Ancestors))
		worst := 0.0
		for time := 1; time <= 3; time++ {
			g := make([]float64, len(p))
			mean := 0.0
			for x := range g {
				g[x] = float64(h.Step(x, time))
				mean += p[x] * g[x]
			}
			for x := range g {
				g[x] -= mean
			}
			tau := -1.0
			at := append([]float64(nil), g...)
			for range 4000 {
				product := 0.0
				square := 0.0
				next := make([]float64, len(p))
				for x := range p {
					product += p[x] * g[x] * at[x]
					square += p[x] * g[x] * g[x]
					for y, q := range moves[x] {
						next[x] += q * at[y]
					}
				}
				tau += 2 * product / square
				at = next
			}
			if math.Abs(r.Times[time-1]-tau) > 1e-10*tau {
				t.Errorf("%s, time %d: %v, want %v", r.Way(), time, r.Times[time-1], tau)
			}
			worst = max(worst, tau)
		}
		if tau, at := r.Worst(); math.Abs(tau-worst) > 1e-10*worst || r.Times[at-1] != tau ||
			r.Cost() != 3*tau || r.Paths != 8 {
			t.Errorf("%s: %+v", r.Way(), r)
		}
	}
	if r := rows[3]; !strings.Contains(r.Note, "take multinomial") || !math.IsNaN(r.Gap) ||
		!math.IsNaN(r.Cost()) {
		t.Errorf("ancestor sampling with systematic resampling: %+v", r)
	}
}

// TestModels: a model of your own, in which a hidden state is certain and another impossible.
func TestModels(t *testing.T) {
	file := longtest.File(t, "own.toml",
		"pi = [1, 0, 0]\nA = [[0, 0.4, 0.6], [0, 1, 0], [0, 0.5, 0.5]]\nE = [[1, 0], [0.5, 0.5], "+
			"[0.1, 0.9]]\ny = [0, 1, 1]\n")
	rows := gibbsRun(t, gibbs.Options{
		HMM:          file,
		Observations: []int{3, 1},
		Particles:    []int{2},
		Resample:     []string{"multinomial"},
		Ancestors:    []string{gibbs.With},
	})
	if r := rows[0]; !math.IsNaN(r.Times[0]) || !(r.Times[1] > 1) || !(r.Gap > 0) || r.Invariance > 1e-14 {
		t.Errorf("%+v", r)
	}
	if tau, at := rows[1].Worst(); !math.IsNaN(tau) || at != 0 {
		t.Errorf("a certain path has the time %v at %d", tau, at)
	}
}

func TestGibbsRefusals(t *testing.T) {
	for says, change := range map[string]func(*gibbs.Options){
		"particles 1; part":   func(o *gibbs.Options) { o.Particles = []int{2, 1} },
		"give numbers from 1": func(o *gibbs.Options) { o.Observations = []int{11} },
		"unknown resampling":  func(o *gibbs.Options) { o.Resample = []string{"multi"} },
		"write without":       func(o *gibbs.Options) { o.Ancestors = []string{"yes"} },
		"nothing to do":       func(o *gibbs.Options) { o.Particles = nil },
		"no such file":        func(o *gibbs.Options) { o.HMM = "none.toml" },
	} {
		o := gibbs.Study().Standard
		change(&o)
		longtest.Refuses(gibbs.Study().Plan(context.Background(), nil, &o))(t, says)
	}
	o := gibbs.Study().Standard
	o.Particles = []int{800}
	o.Resample = []string{"systematic", "multinomial"}
	for _, r := range gibbsRun(t, o) {
		if !strings.Contains(r.Note, "take") || !math.IsNaN(r.Gap) || r.Times != nil {
			t.Errorf("%+v", r)
		}
	}
}

// Two particles on seven observations take nearly nine hundred moves for a new first hidden state.
// If the parents of the path are drawn anew, few particles are enough.
func Example_gibbsStudy() {
	o := gibbs.Study().Standard
	o.Observations = []int{7}
	o.Particles = []int{2, 8}
	rows, err := study.Run(context.Background(), gibbs.Study(), nil, o, study.How{})
	if err != nil {
		panic(err)
	}
	for _, r := range rows {
		tau, at := r.Worst()
		fmt.Printf("%s, P = %d: tau = %.1f at t = %d\n", r.Way(), r.Particles, tau, at)
	}
	// Output:
	// multinomial, P = 2: tau = 876.3 at t = 1
	// multinomial, P = 8: tau = 7.3 at t = 1
	// multinomial, ancestor sampling, P = 2: tau = 13.2 at t = 4
	// multinomial, ancestor sampling, P = 8: tau = 2.0 at t = 4
}

// TestGibbsUnderflow: if floating point does not hold the transition probabilities between paths,
// or the gap, a note says so, and not that paths are never reached, and no row fails.
func TestGibbsUnderflow(t *testing.T) {
	const never = "some paths cannot be reached from others"
	for _, c := range []struct{ model, note string }{
		{"pi = [1.0, 5e-324]\nA = [[0.5, 0.5], [0.5, 0.5]]\nE = [[5e-324, 1.0], [1.0, 0.0]]\n",
			"too small for floating point to hold"},
		// it is about 1e-20
		{"pi = [1.0, 1e-323]\nA = [[0.5, 0.5], [0.5, 0.5]]\nE = [[1e-320, 1.0], [1e-300, 1.0]]\n",
			"the gap is not known"},
		{"pi = [1.0, 5e-324]\nA = [[0.5, 0.5], [0.5, 0.5]]\nE = [[1e-320, 1.0], [1e-310, 1.0]]\n", ""},
		{"pi = [0.5, 0.5]\nA = [[1.0, 0.0], [0.0, 1.0]]\nE = [[0.5, 0.5], [0.5, 0.5]]\n", ""},
	} {
		name := longtest.File(t, "model.toml", c.model+"y = [0, 0]\n")
		for _, r := range gibbsRun(t, gibbs.Options{HMM: name, Observations: []int{1, 2}, Particles: []int{2, 3},
			Resample: []string{"multinomial", "systematic"}, Ancestors: []string{gibbs.Without}}) {
			if !strings.Contains(r.Note, c.note) || c.note == "" && r.Note != "" ||
				strings.Contains(r.Note, never) {
				t.Errorf("%s%d observations, %d particles: %q, want %q", c.model, r.Observations, r.Particles,
					r.Note, c.note)
			}
		}
	}
}
