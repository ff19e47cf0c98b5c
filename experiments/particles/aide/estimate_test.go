package aide_test

import (
	"context"
	"math"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/particle"
	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/particles/aide"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// line returns the annealing of a target on a line of states.
func line(t testing.TB, g []float64, T int, moveOnly bool) *chains.Annealing {
	t.Helper()
	var kernel chains.Kernel = kernels.Metropolis{Space: grid.MustNew(len(g))}
	if moveOnly {
		kernel = moves{kernel}
	}
	return casetest.Linear(t, g, kernel, T)
}

// moves hides the rows of a kernel that is its own time reversal.
type moves struct{ k chains.Kernel }

func (m moves) Move(c chains.Chooser, logf []float64, x int) int { return m.k.Move(c, logf, x) }
func (m moves) Reversal() chains.Kernel                          { return m }

// aideSmc returns the maker of an SMC.
func aideSmc(a *chains.Annealing, particles int, scheme particle.Scheme, threshold float64) aide.Maker {
	return func() (particle.Algorithm, error) {
		flow, err := particle.NewAnnealed(a)
		if err != nil {
			return nil, err
		}
		return particle.NewSMC(flow, particles, scheme, threshold)
	}
}

// density returns the maker of exact draws, with a constant beside which nothing may be lost.
func density(g []float64) aide.Maker {
	return func() (particle.Algorithm, error) {
		logXi := make([]float64, len(g))
		for x := range g {
			logXi[x] = g[x] + 7
		}
		return particle.NewDensity(logXi), nil
	}
}

// TestSampledAgreesWithExact compares with means and variances that independent programs computed
// by enumeration. Each mean is within 5.5 standard errors, which fails by chance with probability
// 4e-8, and each variance is within 15 per cent, which is more than 6 of its standard errors here.
func TestSampledAgreesWithExact(t *testing.T) {
	longtest.Only(t)
	three := []float64{0, 1, -0.7}
	two := []float64{0, 1}
	for _, c := range []struct {
		name           string
		g              []float64
		particles      int
		scheme         particle.Scheme
		threshold      float64
		meta           int
		moves, without bool
		mean, variance float64
	}{
		{"multinomial", three, 2, particle.Multinomial{}, 1, 1, false, false, 0.120517357407901066,
			0.241425341595209841},
		{"multinomial", three, 2, particle.Multinomial{}, 1, 3, false, false, 0.0456765696404221738,
			0.0914495297761391546},
		{"multinomial without the first trace", three, 2, particle.Multinomial{}, 1, 1, false, true,
			0.0027609000044163251, math.NaN()},
		{"systematic", three, 2, particle.Systematic{}, 1, 2, false, false, 0.0649546151111737718,
			0.130030208413026205},
		{"when due by moves", three, 2, particle.Multinomial{}, 0.9, 2, true, false, 0.065197080994066306,
			0.130499675068217497},
		{"residual", two, 3, particle.Residual{}, 1, 1, false, false, 0.0451457244712666836,
			0.0902387545310930905},
	} {
		runs := 20_000
		if c.moves {
			runs = 8000
		}
		a := line(t, c.g, 3, c.moves)
		e := longtest.Must(
			aide.Sampled(context.Background(), aideSmc(a, c.particles, c.scheme, c.threshold), density(c.g),
				aide.EstimateOptions{
					Runs:              runs,
					Meta:              c.meta,
					GoldMeta:          1,
					Seed:              1,
					Purpose:           c.name,
					WithoutFirstTrace: c.without,
				}),
		)(t)
		if z := e.Z(c.mean); !(math.Abs(z) < 5.5) {
			t.Errorf("%s, M = %d: %v, standard error %v; %v is expected: z = %.2f", c.name, c.meta, e.Value,
				e.StandardError, c.mean, z)
		}
		if v := e.Target.Variance + e.Gold.Variance; math.Abs(v/c.variance-1) > 0.15 {
			t.Errorf("%s, M = %d: a variance of %v; %v is expected", c.name, c.meta, v, c.variance)
		}
	}
}

// TestSampledSeesWrongMeta: meta-inference that says too little of xi at one output shows in the
// mean.
func TestSampledSeesWrongMeta(t *testing.T) {
	g := []float64{0, 1, -0.7}
	wrong := func() (particle.Algorithm, error) {
		alg, err := aideSmc(line(t, g, 3, false), 2, particle.Multinomial{}, 1)()
		return biased{alg}, err
	}
	e := longtest.Must(aide.Sampled(context.Background(), wrong, density(g),
		aide.EstimateOptions{Runs: 8000, Meta: 1, GoldMeta: 1, Seed: 1}))(t)
	if z := e.Z(0.120517357407901066); math.Abs(z) < 5.5 {
		t.Errorf("z = %v of an algorithm whose meta-inference is wrong", z)
	}
}

// biased says 0.2 nats too little of log xi at output 1, in meta-inference.
type biased struct{ particle.Algorithm }

func (b biased) Meta(c chains.Chooser, x int) particle.Result {
	r := b.Algorithm.Meta(c, x)
	if x == 1 {
		r.LogXi -= 0.2
	}
	return r
}

// TestSampledWithoutOutput: a run without an output makes AIDE infinite, and so does an output that
// the gold never returns.
func TestSampledWithoutOutput(t *testing.T) {
	inf := math.Inf(-1)
	g := []float64{0, 1, inf, -0.5}
	a := line(t, g, 3, false)
	for _, moves := range []bool{false, true} {
		a := line(t, g, 3, moves)
		e := longtest.Must(aide.Sampled(context.Background(), aideSmc(a, 2, particle.Multinomial{}, 1), density(g),
			aide.EstimateOptions{Runs: 2000, Meta: 2, GoldMeta: 1, Seed: 1}))(t)
		// Both particles begin in the state that has no mass later with probability 1/16.
		if !math.IsInf(e.Value, 1) || !math.IsInf(e.Target.Mean, 1) || math.IsInf(e.Gold.Mean, 0) {
			t.Errorf("AIDE %v, its halves %v and %v", e.Value, e.Target.Mean, e.Gold.Mean)
		}
	}
	e, err := aide.Sampled(
		context.Background(),
		density([]float64{0, 1, -3, -0.5}),
		aideSmc(a, 2, particle.Multinomial{}, 0),
		aide.EstimateOptions{Runs: 500, Meta: 1, GoldMeta: 1, Seed: 1},
	)
	if err != nil || !math.IsInf(e.Target.Mean, 1) {
		t.Errorf("AIDE %v (%v) where the target returns what the gold never does", e, err)
	}
}

// TestSampledRefuses: options and algorithms that do not go together.
func TestSampledRefuses(t *testing.T) {
	good := aide.EstimateOptions{Runs: 10, Meta: 1, GoldMeta: 1}
	for want, change := range map[string]func(*aide.EstimateOptions){
		"1 runs; give 2":         func(o *aide.EstimateOptions) { o.Runs = 1 },
		"0 traces of the target": func(o *aide.EstimateOptions) { o.Meta = 0 },
		"traces of the gold":     func(o *aide.EstimateOptions) { o.GoldMeta = 1e9 + 1 },
		"-1 workers":             func(o *aide.EstimateOptions) { o.Workers = -1 },
	} {
		o := good
		change(&o)
		longtest.Refuses(aide.Sampled(
			context.Background(),
			density([]float64{0, 1}),
			density([]float64{0, 1}),
			o,
		))(t, want, o)
	}
	if _, err := aide.Sampled(
		context.Background(),
		density([]float64{0, 1}),
		density([]float64{0, 1, 2}),
		good,
	); err == nil {
		t.Error("two algorithms over different outputs are accepted")
	}
	good.Meta = 3
	good.GoldMeta = 5
	if e, err := aide.Sampled(context.Background(), density([]float64{0, 1}), density([]float64{1, 2}),
		good); err != nil || math.Abs(e.Value) > 1e-15 {
		t.Errorf("AIDE of two samplers with the same density is %v (%v)", e, err)
	}
}
