package estimators_test

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact/program"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// drawn is a finite model on 2x2 states with its tables: the prior, the likelihood, and the rows of
// a move at b = 1.
type drawn struct {
	*estimators.Finite
	annealing               *chains.Annealing
	prior, likelihood, post []float64
	move                    [][]float64
	logZ                    float64
	star                    int
	logJoint                float64 // of star
}

// drawModel draws a model with a kernel that is reversible or not. Some likelihoods may be zero;
// constants are of any size.
func drawModel(t *rapid.T, T int, zeros bool) *drawn {
	l := grid.MustNew(2, 2)
	n := l.States()
	initial := make([]float64, n)
	target := make([]float64, n)
	constant := rapid.SampledFrom([]float64{0, 0, 1e6}).Draw(t, "constant")
	size := rapid.SampledFrom([]float64{0, 1e-12, 1, 8}).Draw(t, "size")
	for x := range n {
		initial[x] = rapid.Float64Range(-2, 2).Draw(t, "log prior")
		target[x] = initial[x] + size*rapid.Float64Range(-1, 1).Draw(t, "log likelihood") + constant
		if zeros && x > 0 && rapid.IntRange(0, 2).Draw(t, "zero") == 0 {
			target[x] = math.Inf(-1)
		}
	}
	path := longtest.Sure(paths.NewGeometric(initial, target))
	name := rapid.SampledFrom(
		[]string{"heatbath-scan", "metropolis", "compose:heatbath-axis:1+metropolis"},
	).Draw(t, "kernel")
	k := longtest.Sure(kernels.Parse(name, l))
	a := longtest.Sure(chains.NewAnnealing(path, schedules.Sigmoid{Delta: 4}, k, T))
	a, _ = a.Centred()
	return newDrawn(a)
}

// newDrawn returns the tables of an annealing.
func newDrawn(a *chains.Annealing) *drawn {
	m := longtest.Sure(estimators.NewFinite(a))
	n := a.States()
	d := &drawn{Finite: m, annealing: a, prior: make([]float64, n)}
	a.LogF(d.prior, 1)
	chains.Normalize(d.prior)
	z := 0.0
	for x := range n {
		d.likelihood = append(d.likelihood, math.Exp(m.LogLikelihood(chains.At(1), x)))
		z += d.prior[x] * d.likelihood[x]
	}
	d.logZ = math.Log(z)
	for x := range n {
		d.post = append(d.post, d.prior[x]*d.likelihood[x]/z)
		d.move = append(d.move, make([]float64, n))
		for y := range n {
			d.move[x][y] = math.Exp(m.LogTransition(x, y))
		}
	}
	d.star = m.Likeliest()
	d.logJoint = m.LogPosterior(d.star)
	return d
}

// back returns the probability that the time reversal of a move at b = 1 goes from x to y.
func (d *drawn) back(x, y int) float64 { return d.post[y] * d.move[y][x] / d.post[x] }

// expected returns the mean of f of the estimate, by enumeration.
func expected(e estimators.Estimator[chains.Chooser], f func(l float64) float64) float64 {
	law := longtest.Sure(program.Enumerate(context.Background(), e.Estimate, program.Options{}))
	return law.Mean(f)
}

// sameAs fails the test if a number is not what it should be to 1e-11 of its size.
func sameAs(t rapid.TB, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-11*(1+math.Abs(want))) && got != want {
		t.Fatalf("%s: %v, want %v", what, got, want)
	}
}

// reverseMean returns the mean of log w/Z that an estimator in reverse has by the distribution of
// the one forward: its paths have the distribution of those forward times w/Z.
func reverseMean(forward estimators.Estimator[chains.Chooser], logZ float64) float64 {
	return expected(forward, func(l float64) float64 {
		if math.IsInf(l, -1) {
			return 0
		}
		return math.Exp(l-logZ) * (l - logZ)
	})
}

// TestHarmonicMeansAreUnbiased: one over the estimate has the mean 1/Z, times the prior probability
// of the states with a likelihood, from independent draws and from a chain alike.
func TestHarmonicMeansAreUnbiased(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawModel(t, 3, true)
		reached := 0.0
		for x, p := range m.prior {
			if m.likelihood[x] > 0 {
				reached += p
			}
		}
		k := rapid.IntRange(1, 3).Draw(t, "K")
		for name, e := range map[string]*estimators.OverStates[chains.Chooser, int]{
			"independent": longtest.Sure(estimators.NewHarmonicMean(m, k)),
			"chain":       longtest.Sure(estimators.NewHarmonicChain(m, k)),
		} {
			sameAs(t, name, expected(e, func(l float64) float64 { return math.Exp(m.logZ - l) }), reached)
		}
	})
}

// TestHarmonicChainIsPlain compares the chain's mean of log Z-hat with a sum over its paths, of
// which that of independent draws differs.
func TestHarmonicChainIsPlain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawModel(t, 3, true)
		want := 0.0
		for x, p := range m.post {
			for y, q := range m.move[x] {
				if p*q > 0 {
					want -= p * q * math.Log((1/m.likelihood[x]+1/m.likelihood[y])/2)
				}
			}
		}
		e := longtest.Sure(estimators.NewHarmonicChain(m, 2))
		sameAs(t, "chain", expected(e, func(l float64) float64 { return l }), want)
	})
}

// TestChib: with independent draws one over the estimate has the mean 1/Z. From a chain it is a sum
// over the chain's distribution.
func TestChib(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawModel(t, 3, true)
		k := rapid.IntRange(1, 3).Draw(t, "K")
		over := func(l float64) float64 { return math.Exp(m.logZ - l) }
		sameAs(t, "independent", expected(longtest.Sure(estimators.NewChib(m, m.star, m.logJoint, k)), over), 1)
		law := m.prior
		sum := 0.0
		for range k {
			next := make([]float64, len(law))
			for x, p := range law {
				for y, q := range m.move[x] {
					next[y] += p * q
				}
			}
			law = next
			sum += law[m.star]
		}
		sameAs(t, "chain", expected(longtest.Sure(estimators.NewChibChain(m, m.star, m.logJoint, k)), over),
			sum/float64(k)/m.post[m.star])
	})
}

// TestMurraySalakhutdinov: with the start placed first the mean of the estimate is a sum over the
// chain's paths.
func TestMurraySalakhutdinov(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawModel(t, 3, true)
		want := 0.0
		for x := range m.post {
			for y, q := range m.move[x] {
				if p := m.back(m.star, x) * q; p > 0 {
					want += p * m.post[m.star] * 2 / (m.move[x][m.star] + m.move[y][m.star])
				}
			}
		}
		e := longtest.Sure(estimators.NewMurraySalakhutdinov(m, m.star, m.logJoint, 2, estimators.StartFirst))
		sameAs(t, "first", expected(e, func(l float64) float64 { return math.Exp(l - m.logZ) }), want)
	})
}

// TestEstimatorsAreChecked: numbers of draws and places that are none.
func TestEstimatorsAreChecked(t *testing.T) {
	m := finite(nil, []float64{1, 2, 0, 3})
	for _, k := range []int{0, estimators.MaxDraws + 1} {
		longtest.Refuses(estimators.NewHarmonicMean(m, k))(t, "draws; give")
		longtest.Refuses(estimators.NewHarmonicChain(m, k))(t, "draws; give")
		longtest.Refuses(estimators.NewChib(m, 0, 0, k))(t, "draws; give")
		longtest.Refuses(estimators.NewChibChain(m, 0, 0, k))(t, "draws; give")
		longtest.Refuses(estimators.NewMurraySalakhutdinov(m, 0, 0, k, estimators.StartUniform))(t, "draws; give")
	}
	longtest.Refuses(estimators.NewMurraySalakhutdinov(m, 0, 0, 1, estimators.Start(7)))(t, "start 7")
	for want, places := range map[string][]chains.Place{
		"0 places": nil, "1 places": {chains.At(0)}, "the first place": {chains.At(0.1), chains.At(1)},
		"the last": {chains.At(0), chains.At(0.9)},
	} {
		longtest.Refuses(estimators.NewAnnealed(m, places))(t, want)
		longtest.Refuses(estimators.NewReverseAnnealed(m, places))(t, want)
	}
	longtest.Refuses(estimators.NewScheduledAnnealing(m, late{}, 4, chains.Forward))(t, "begins at b = 0.4")
	longtest.Refuses(estimators.NewScheduledAnnealing(m, schedules.Linear{}, 1, chains.Forward))(t, "1 distributions")
}

// late is a schedule that does not begin at zero.
type late struct{ schedules.Linear }

func (late) Beta(t, T int) float64 { return (float64(t) + 1) / (float64(T) + 1) }

// TestWork counts evaluations by hand: a Metropolis move asks for log f once.
func TestWork(t *testing.T) {
	m := finite(nil, []float64{1, 2, 0, 3})
	places := []chains.Place{chains.At(0), chains.At(0.5), chains.At(1)}
	for name, c := range map[string]struct {
		estimator estimators.Estimator[chains.Chooser]
		want      estimators.Work
	}{
		"harmonic": {
			longtest.Sure(estimators.NewHarmonicMean(m, 5)), estimators.Work{Evaluations: 5, Exact: 5}},
		"Chib": {
			longtest.Sure(estimators.NewChib(m, 0, 0, 5)), estimators.Work{Evaluations: 10, Exact: 5}},
		"Chib, chain": {longtest.Sure(estimators.NewChibChain(m, 0, 0, 5)), estimators.Work{Evaluations: 10}},
		"CMS": {longtest.Sure(estimators.NewMurraySalakhutdinov(m, 0, 0, 5, estimators.StartUniform)),
			estimators.Work{Evaluations: 10}},
		"AIS": {longtest.Sure(estimators.NewAnnealed(m, places)), estimators.Work{Evaluations: 3}},
	} {
		if got := c.estimator.Work(); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

// TestMurraySalakhutdinovOnThreeAxes: a scan of three axes is so far from its reversal that the
// estimate is biased with moves in place of any of the reversals.
func TestMurraySalakhutdinovOnThreeAxes(t *testing.T) {
	path := longtest.Sure(paths.NewGeometric(nil, []float64{1, -2, 0.5, 2, -1, 3, 0, 1.5}))
	k := longtest.Sure(kernels.Parse("heatbath-scan", grid.MustNew(2, 2, 2)))
	a := longtest.Sure(chains.NewAnnealing(path, schedules.Linear{}, k, 3))
	m := newDrawn(a)
	for draws := 1; draws <= 3; draws++ {
		e := longtest.Sure(estimators.NewMurraySalakhutdinov(m, m.star, m.logJoint, draws, estimators.StartUniform))
		sameAs(t, "E Z-hat/Z", expected(e, func(l float64) float64 { return math.Exp(l - m.logZ) }), 1)
	}
}
