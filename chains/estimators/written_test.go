package estimators_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/chains/schedules"
)

// written is a model whose moves write to the state that they are given, as those of models of any size do.
type written struct{ *estimators.Finite }

func pointer(x int) *int { return &x }

func (m written) Prior(c chains.Chooser) *int     { return pointer(m.Finite.Prior(c)) }
func (m written) Posterior(c chains.Chooser) *int { return pointer(m.Finite.Posterior(c)) }
func (m written) Clone(x *int) *int               { return pointer(*x) }
func (m written) LogLikelihood(at chains.Place, x *int) float64 {
	return m.Finite.LogLikelihood(at, *x)
}
func (m written) LogStep(from, to chains.Place, x *int) float64 {
	return m.Finite.LogStep(from, to, *x)
}
func (m written) Move(c chains.Chooser, at chains.Place, x *int) *int {
	*x = m.Finite.Move(c, at, *x)
	return x
}
func (m written) Back(c chains.Chooser, at chains.Place, x *int) *int {
	*x = m.Finite.Back(c, at, *x)
	return x
}
func (m written) LogTransition(x, y *int) float64 { return m.Finite.LogTransition(*x, *y) }
func (m written) Within(c chains.Chooser, floor float64, x *int) *int {
	*x = m.Finite.Within(c, floor, *x)
	return x
}
func (m written) Level(x *int) float64 { return m.Finite.Level(*x) }

// TestMovesMayWrite: with a model whose moves write to their state every estimator says what it says with states that are numbers, run after
// run: whoever needs a state from before has kept a clone.
func TestMovesMayWrite(t *testing.T) {
	m := finite([]float64{0, 1, 0.5, 0, 0.2}, []float64{1, 2, 0, -3, 1.5})
	places := []chains.Place{chains.At(0), chains.At(0.5), chains.At(1)}
	w, star := written{m}, 1
	type estimator = estimators.Estimator[chains.Chooser]
	nested := estimators.NestedOptions{Particles: 4, Ties: estimators.TiesTogether, Moves: 2}
	for name, both := range map[string][2]estimator{
		"annealing":         {must(estimators.NewAnnealed(m, places)), must(estimators.NewAnnealed(w, places))},
		"reverse annealing": {must(estimators.NewReverseAnnealed(m, places)), must(estimators.NewReverseAnnealed(w, places))},
		"harmonic mean":     {must(estimators.NewHarmonicChain(m, 5)), must(estimators.NewHarmonicChain(w, 5))},
		"chib":              {must(estimators.NewChibChain(m, star, 0, 5)), must(estimators.NewChibChain(w, &star, 0, 5))},
		"murray":            {must(estimators.NewMurraySalakhutdinov(m, star, 0, 5, estimators.StartUniform)), must(estimators.NewMurraySalakhutdinov(w, &star, 0, 5, estimators.StartUniform))},
		"nested":            {must(estimators.NewNested(m, nested)), must(estimators.NewNested(w, nested))},
	} {
		for seed := range uint64(200) {
			want := both[0].Estimate(chains.NewSampler(rand.NewPCG(seed, 1)))
			if got := both[1].Estimate(chains.NewSampler(rand.NewPCG(seed, 1))); got != want {
				t.Fatalf("%s, run %d: %v, and with states that are numbers %v", name, seed, got, want)
			}
		}
	}
}

// late is a schedule that does not begin at zero.
type late struct{ schedules.Linear }

func (late) Beta(t, T int) float64 { return (float64(t) + 1) / (float64(T) + 1) }

// TestAnnealingBeginsAtThePrior: a schedule that begins elsewhere is refused.
func TestAnnealingBeginsAtThePrior(t *testing.T) {
	m := finite(nil, []float64{1, 2, 0})
	if _, err := estimators.NewScheduledAnnealing(m, late{}, 4, chains.Forward); err == nil {
		t.Error("a schedule that begins at b = 0.4 is accepted")
	}
}

// TestAscentsForget: what an ascent comes to does not depend on the ascents that were made before.
func TestAscentsForget(t *testing.T) {
	c := chains.NewSampler(rand.NewPCG(61, 1))
	y := make([][]float64, 12)
	for i := range y {
		y[i] = []float64{3 * c.Normal(), 3 * c.Normal(), 3 * c.Normal()}
	}
	factors := &estimators.Factors{Y: y, K: 2, UVariance: 2, VVariance: 1, NoiseVariance: 0.5}
	attributes := &estimators.Attributes{Y: y, Pi: []float64{0.2, 0.3, 0.1}, FeatureVariance: 4, NoiseVariance: 0.5}
	patience := estimators.Patience{Gain: 1, Sweeps: 1}
	for name, build := range map[string]func() (estimators.Ascender, error){
		"VB of low rank": func() (estimators.Ascender, error) {
			return estimators.NewFactorsVB(factors, estimators.OneNaming, patience)
		},
		"VB of attributes": func() (estimators.Ascender, error) {
			return estimators.NewAttributesVB(attributes, estimators.OneNaming, patience)
		},
		"BIC of attributes": func() (estimators.Ascender, error) { return estimators.NewAttributesBIC(attributes, patience) },
	} {
		used := must(build())
		for seed := range uint64(50) {
			got := must(used.Ascend(context.Background(), chains.NewSampler(rand.NewPCG(seed, 1))))
			fresh := must(build())
			if want := must(fresh.Ascend(context.Background(), chains.NewSampler(rand.NewPCG(seed, 1)))); got != want {
				t.Fatalf("%s, ascent %d: %+v, and the first of its kind %+v", name, seed, got, want)
			}
		}
	}
	if p := estimators.PaperPatience(); p != (estimators.Patience{Gain: 0.01, Sweeps: 50}) {
		t.Errorf("the patience of the paper is 0.01 nats over 50 sweeps, and not %+v", p)
	}
}
