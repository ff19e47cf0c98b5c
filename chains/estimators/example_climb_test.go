package estimators_test

import (
	"context"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"testing"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact/program"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// Variational Bayes is run from five hard starts, and the largest bound is taken. If the clusters
// are alike, adding log K! makes up for the naming that it has not found.
func ExampleNewRestarts() {
	y := [][]float64{{2.3}, {3.1}, {-1.7}, {2.0}, {-2.9}, {-1.2}, {3.4}, {0.6}}
	clusters := estimators.Clusters{Pi: []float64{0.5, 0.5}, CentreVariance: 9, NoiseVariance: 1}
	for _, symmetry := range []estimators.Symmetry{estimators.OneNaming, estimators.LogFactorial, estimators.AllNamings} {
		vb, err := estimators.NewVariationalBayes(y, clusters, symmetry, estimators.Patience{})
		if err != nil {
			fmt.Println(err)
			return
		}
		restarts, err := estimators.NewRestarts(vb, 5)
		if err != nil {
			fmt.Println(err)
			return
		}
		estimate := restarts.Estimate(chains.NewSampler(rand.NewPCG(1, 0)))
		fmt.Printf("%v: log Z is about %.6f\n", symmetry, estimate)
	}
	// Output:
	// one: log Z is about -19.936397
	// factorial: log Z is about -19.243250
	// mixture: log Z is about -19.052479
}

// Variational Bayes on a matrix of rank one is run from five starts that are drawn, each until it
// has gained less than 0.01 nats over 50 sweeps.
func ExampleBest() {
	y := [][]float64{{1.2, -0.7}, {-0.9, 1.1}, {2.4, -1.6}}
	vb, err := estimators.NewFactorsVB(y, 1, estimators.Factors{UVariance: 1, VVariance: 1, NoiseVariance: 0.1}, estimators.OneNaming, estimators.PaperPatience())
	if err != nil {
		fmt.Println(err)
		return
	}
	best, err := estimators.Best(context.Background(), chains.NewSampler(rand.NewPCG(1, 0)), vb, 5)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("log Z is at least %.3f\n", best.Value)
	// Output:
	// log Z is at least -11.688
}

// An estimator is written once. A Chooser that draws random numbers runs it, and one that goes
// through all outcomes finds its distribution: the mean of Z-hat is Z, and that of log Z-hat is
// below log Z.
func Example() {
	path, err := paths.NewGeometric(nil, []float64{0, -1, 0, 2})
	if err != nil {
		log.Fatal(err)
	}
	annealing, err := chains.NewAnnealing(path, schedules.Linear{}, kernels.Metropolis{Space: grid.MustNew(4)}, 4)
	if err != nil {
		log.Fatal(err)
	}
	model, err := estimators.NewFinite(annealing)
	if err != nil {
		log.Fatal(err)
	}
	estimator, err := estimators.NewAnnealed(model, estimators.Places(annealing))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("one run: log Z-hat = %.4f, for %g evaluations of log f\n", estimator.Estimate(chains.NewSampler(rand.NewPCG(1, 2))), estimator.Work().Evaluations)

	law, err := program.Enumerate(context.Background(), estimator.Estimate, program.Options{})
	if err != nil {
		log.Fatal(err)
	}
	mean, meanLog := 0.0, 0.0
	for _, o := range law.Outcomes() {
		mean += o.P * math.Exp(o.Value)
		meanLog += o.P * o.Value
	}
	fmt.Printf("all runs: log E Z-hat = %.4f, E log Z-hat = %.4f\n", math.Log(mean), meanLog)
	fmt.Printf("log Z = %.4f\n", math.Log((1+math.Exp(-1)+1+math.Exp(2))/4))
	// Output:
	// one run: log Z-hat = -0.3333, for 4 evaluations of log f
	// all runs: log E Z-hat = 0.8917, E log Z-hat = 0.4420
	// log Z = 0.8917
}

// written is a model whose moves write to the state that they are given, as those of models of any
// size do.
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

// TestMovesMayWrite: with a model whose moves write to their state every estimator says what it
// says with states that are numbers, run after run: code that needs an earlier state keeps a clone.
func TestMovesMayWrite(t *testing.T) {
	m := finite([]float64{0, 1, 0.5, 0, 0.2}, []float64{1, 2, 0, -3, 1.5})
	places := []chains.Place{chains.At(0), chains.At(0.5), chains.At(1)}
	w, star := written{m}, 1
	type estimator = estimators.Estimator[chains.Chooser]
	nested := estimators.NestedOptions{Particles: 4, Ties: estimators.TiesTogether, Moves: 2}
	for name, both := range map[string][2]estimator{
		"annealing":         {longtest.Sure(estimators.NewAnnealed(m, places)), longtest.Sure(estimators.NewAnnealed(w, places))},
		"reverse annealing": {longtest.Sure(estimators.NewReverseAnnealed(m, places)), longtest.Sure(estimators.NewReverseAnnealed(w, places))},
		"harmonic mean":     {longtest.Sure(estimators.NewHarmonicChain(m, 5)), longtest.Sure(estimators.NewHarmonicChain(w, 5))},
		"chib":              {longtest.Sure(estimators.NewChibChain(m, star, 0, 5)), longtest.Sure(estimators.NewChibChain(w, &star, 0, 5))},
		"murray": {longtest.Sure(estimators.NewMurraySalakhutdinov(m, star, 0, 5, estimators.StartUniform)),
			longtest.Sure(estimators.NewMurraySalakhutdinov(w, &star, 0, 5, estimators.StartUniform))},
		"nested": {longtest.Sure(estimators.NewNested(m, nested)), longtest.Sure(estimators.NewNested(w, nested))},
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
	factors := estimators.Factors{UVariance: 2, VVariance: 1, NoiseVariance: 0.5}
	attributes := estimators.Attributes{Pi: []float64{0.2, 0.3, 0.1}, FeatureVariance: 4, NoiseVariance: 0.5}
	patience := estimators.Patience{Gain: 1, Sweeps: 1}
	for name, build := range map[string]func() (estimators.Ascender, error){
		"VB of low rank": func() (estimators.Ascender, error) {
			return estimators.NewFactorsVB(y, 2, factors, estimators.OneNaming, patience)
		},
		"VB of attributes": func() (estimators.Ascender, error) {
			return estimators.NewAttributesVB(y, attributes, estimators.OneNaming, patience)
		},
		"BIC of attributes": func() (estimators.Ascender, error) { return estimators.NewAttributesBIC(y, attributes, patience) },
	} {
		used := longtest.Sure(build())
		for seed := range uint64(50) {
			got := longtest.Sure(used.Ascend(context.Background(), chains.NewSampler(rand.NewPCG(seed, 1))))
			fresh := longtest.Sure(build())
			if want := longtest.Sure(fresh.Ascend(context.Background(), chains.NewSampler(rand.NewPCG(seed, 1)))); got != want {
				t.Fatalf("%s, ascent %d: %+v, and the first of its kind %+v", name, seed, got, want)
			}
		}
	}
	if p := estimators.PaperPatience(); p != (estimators.Patience{Gain: 0.01, Sweeps: 50}) {
		t.Errorf("the patience of the paper is 0.01 nats over 50 sweeps, and not %+v", p)
	}
}
