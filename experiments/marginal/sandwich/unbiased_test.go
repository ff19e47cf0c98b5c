package sandwich

import (
	"math"
	"math/rand/v2"
	"testing"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/grid/longtest"
	"breadboard/toys/latent"
	"breadboard/toys/models"
)

// TestEstimatesAreUnbiased: on three points in two clusters, whose Z is the sum of eight terms, the
// mean of Z-hat is Z forward, and that of 1/Z-hat is 1/Z in reverse from exact draws. Each mean is
// within six standard errors, outside of which it is with the probability 2e-9 where the seed is
// not fixed.
func TestEstimatesAreUnbiased(t *testing.T) {
	longtest.Only(t)
	small := &models.Clustering{
		Y:        [][]float64{{2.3}, {-1.7}, {0.6}},
		Clusters: estimators.Clusters{Pi: []float64{0.6, 0.4}, CentreVariance: 4, NoiseVariance: 1},
	}
	logZ := logSum(small)
	model, along := started(t, small)
	const runs = 4000
	for _, c := range []struct {
		name  string
		knobs []int
		sign  float64
	}{
		{"lw", []int{1, 4}, 1}, {"ais", []int{2, 5}, 1}, {"smc", []int{0, 1, 3}, 1}, {"cms", []int{1, 4}, 1},
		{"hme", []int{1, 4}, -1}, {"rais", []int{2, 5}, -1}, {"shme", []int{0, 1, 3}, -1},
	} {
		by := longtest.Must(ChoiceNamed(c.name))(t)
		for _, knob := range c.knobs {
			run := longtest.Must(by.make(
				typed[state]{model, estimators.Data[chains.RealChooser, state](along), climbs{}},
				knob,
			))(t)
			random := chains.NewSampler(rand.NewPCG(5, uint64(knob)))
			sum := 0.0
			squares := 0.0
			for range runs {
				e := longtest.Must(run(t.Context(), random))(t)
				w := math.Exp(c.sign * (e.LogZ - logZ))
				sum = sum + w
				squares = squares + w*w
			}
			mean := sum / runs
			se := math.Sqrt((squares/runs - mean*mean) / runs)
			if off := (mean - 1) / se; !(math.Abs(off) < 6 || math.Abs(mean-1) < 1e-9) {
				t.Errorf("%s with %s = %d: the mean is %v of what it should be, %.2g standard errors off",
					c.name, by.Knob, knob, mean, off)
			}
		}
	}
}

// logSum returns log Z of a small model.
func logSum(m models.Model) float64 {
	joint := m.LogPrior()
	total := 0.0
	for x, l := range m.LogLikelihood(1) {
		total += math.Exp(joint[x] + l)
	}
	return math.Log(total)
}

type state = *latent.ClusteringState

// posterior is the exact posterior of a model on a lattice, with states of another type.
type posterior struct {
	states []state
	p      []float64
	clone  func(state) state
}

// draw draws a state, which the caller may change.
func (p posterior) draw(c chains.RealChooser) state { return p.clone(p.states[c.Choose(p.p)]) }

// started is a clustering whose starts are independent exact draws. (Simulated data have one start,
// which is distributed like a posterior draw only over data sets.)
func started(t *testing.T, of *models.Clustering) (startedModel, startedAlong) {
	m := longtest.Must(latent.NewClustering(of.Y, len(of.Pi), of.Clusters))(t)
	exact := posterior{p: of.LogPrior(), clone: m.Clone}
	space := of.Space()
	for x, l := range of.LogLikelihood(1) {
		exact.p[x] += l
		z := make([]int, space.Dims())
		for axis := range z {
			z[axis] = space.Coord(x, axis)
		}
		s := &latent.ClusteringState{Z: z, Hyper: of.Clusters}
		m.Refresh(s)
		exact.states = append(exact.states, s)
	}
	chains.Normalize(exact.p)
	return startedModel{m, exact}, startedAlong{m.Along(), exact}
}

// startedModel is a model whose Posterior draws exactly.
type startedModel struct {
	Sampled[state]
	exact posterior
}

// Posterior implements estimators.Model.
func (m startedModel) Posterior(c chains.RealChooser) state { return m.exact.draw(c) }

// view is a model along its data, embedded under a name that leaves the method Data free.
type view estimators.Data[chains.RealChooser, state]

// startedAlong is a model along its data whose Posterior of all data draws exactly.
type startedAlong struct {
	view
	exact posterior
}

// Posterior implements estimators.Data for all data; only their posterior is known here.
func (a startedAlong) Posterior(c chains.RealChooser, t int) state {
	if t != a.Data() {
		return a.view.Posterior(c, t) // returns an error
	}
	return a.exact.draw(c)
}
