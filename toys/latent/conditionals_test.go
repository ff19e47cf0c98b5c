package latent_test

import (
	"fmt"
	"math"
	"testing"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/grid/longtest"
	"breadboard/toys/latent"
)

// part is a part of a state that moves draw given the rest.
type part[S any] struct {
	name string
	take func(x, y S)                    // copies it from y to x
	of   func(b float64, x, s S) float64 // its log density in s given the rest of x
}

// checkParts fails if the log joint density of states, at every b, is not the one that takes a
// number at a time, or the ratio of two conditional densities of a part is not that of the joint
// ones.
func checkParts[S any](t *testing.T, name string, m interface {
	estimators.Model[chains.RealChooser, S]
	LogPrior(S) float64
}, joint func(S, float64) float64, parts ...part[S]) {
	t.Helper()
	c := sampler(41)
	for _, b := range []float64{0, 1e-6, 0.5, 1} {
		for range 10 {
			x, y := m.Prior(c), m.Prior(c)
			near(t, name+": log joint density", m.LogPrior(x)+m.LogLikelihood(chains.At(b), x),
				joint(x, b), 1e-12)
			for _, p := range parts {
				z := m.Clone(x)
				p.take(z, y)
				got, want := p.of(b, x, z)-p.of(b, x, x), joint(z, b)-joint(x, b)
				if size := math.Abs(joint(x, b)) +
					math.Abs(joint(z, b)); !(math.Abs(got-want) <= 1e-12*size) {
					t.Errorf("%s, b = %v: the log ratio of %s is %v, want %v", name, b, p.name, got, want)
				}
			}
		}
	}
}

// variancePrior is the prior of unknown variances.
var variancePrior = latent.InverseGamma{Shape: 1, Scale: 1}

// TestConditionals: what moves of regressions draw a part of a state from has the ratios of the
// joint density.
func TestConditionals(t *testing.T) {
	type weights = *latent.RegressionState
	linear := longtest.Sure(latent.NewRegression(predictors()))
	checkParts(t, "regression", linear, func(s weights, b float64) float64 {
		logs := variancePrior.LogDensity(s.Hyper.NoiseVariance) +
			variancePrior.LogDensity(s.Hyper.WeightVariance)
		for _, w := range s.Weights {
			logs += latent.PlainNormal(w, 0, s.Hyper.WeightVariance)
		}
		for _, row := range linear.Rows() {
			logs += b * latent.PlainNormal(
				row[2],
				s.Weights[0]+s.Weights[1]*row[0]+s.Weights[2]*row[1],
				s.Hyper.NoiseVariance,
			)
		}
		return logs
	}, part[weights]{
		"variances", func(x, y weights) { x.Hyper = y.Hyper }, func(b float64, x, s weights) float64 {
			laws := linear.HyperGiven(b, x)
			return laws[0].LogDensity(s.Hyper.WeightVariance) + laws[1].LogDensity(s.Hyper.NoiseVariance)
		}}, part[weights]{
		"weights", func(x, y weights) { copy(x.Weights, y.Weights) }, func(b float64, x, s weights) float64 {
			return linear.WeightsGiven(b, x).LogDensity(s.Weights)
		}})

	type line = *latent.AutoregressionState
	auto := longtest.Sure(latent.NewAutoregression(series()))
	checkParts(t, "autoregression", auto, func(s line, b float64) float64 {
		h := s.Hyper
		logs := latent.PlainNormal(h.Alpha, 0, 1) + latent.PlainNormal(h.Beta, 1, 0.01) +
			variancePrior.LogDensity(h.NoiseVariance)
		for i, row := range auto.Rows()[1:] {
			logs += b * latent.PlainNormal(row[0], h.Alpha+h.Beta*auto.Rows()[i][0], h.NoiseVariance)
		}
		return logs
	}, part[line]{"the variance", func(x, y line) { x.Hyper.NoiseVariance = y.Hyper.NoiseVariance },
		func(b float64, x, s line) float64 {
			return auto.NoiseGiven(b, x).LogDensity(s.Hyper.NoiseVariance)
		}}, part[line]{"alpha and beta", func(x, y line) {
		x.Hyper.Alpha = y.Hyper.Alpha
		x.Hyper.Beta = y.Hyper.Beta
	}, func(b float64, x, s line) float64 {
		return auto.WeightsGiven(b, x).LogDensity([]float64{s.Hyper.Alpha, (s.Hyper.Beta - 1) / 0.1})
	}})

	type odds = *latent.LogisticState
	logistic := longtest.Sure(latent.NewLogistic(predictors()))
	checkParts(t, "logistic regression", logistic, func(s odds, b float64) float64 {
		logs := variancePrior.LogDensity(s.Hyper.WeightVariance)
		for _, w := range s.Weights {
			logs += latent.PlainNormal(w, 0, s.Hyper.WeightVariance)
		}
		for _, row := range logistic.Rows() {
			logs -= b *
				math.Log1p(math.Exp((1-2*row[2])*(s.Weights[0]+s.Weights[1]*row[0]+s.Weights[2]*row[1])))
		}
		return logs
	}, part[odds]{"the variance", func(x, y odds) { x.Hyper = y.Hyper }, func(_ float64, x, s odds) float64 {
		return logistic.HyperGiven(x).LogDensity(s.Hyper.WeightVariance)
	}})
}

// TestLowRankConditionals: the same for low-rank models of several shapes, with known
// hyperparameters and with unknown ones.
func TestLowRankConditionals(t *testing.T) {
	type state = *latent.LowRankState
	u := part[state]{"U", func(x, y state) { copyRows(x.U, y.U) }, nil}
	v := part[state]{"V", func(x, y state) { copyRows(x.V, y.V) }, nil}
	hyper := part[state]{"hyperparameters", func(x, y state) { x.Hyper = y.Hyper }, nil}
	for i, h := range shapes() {
		for _, factors := range []estimators.Factors{{UVariance: 2, VVariance: 0.5, NoiseVariance: 0.1},
			{UVariance: 0.01, VVariance: 10, NoiseVariance: 100}} {
			m, _ := simulated(t, uint64(i), h.n, h.d, h.k, factors)
			u.of = func(b float64, x, s state) float64 { return m.UGivenV(b, x).LogDensity(s.U) }
			v.of = func(b float64, x, s state) float64 { return m.VGivenU(b, x).LogDensity(s.V) }
			checkParts(t, fmt.Sprint(h, factors),
				m, func(s state, b float64) float64 { return plainLogJoint(m.Rows(), s, b) }, u, v)
		}
		known, _ := simulated(t, uint64(i), h.n, h.d, h.k, estimators.EqualFactors())
		m := longtest.Sure(latent.NewInferredLowRank(known.Rows(), h.k))
		hyper.of = func(b float64, x, s state) float64 { return hyperDensity(s, m.HyperGiven(b, x)) }
		checkParts(t, fmt.Sprint(h, " inferred"), m, func(s state, b float64) float64 {
			return plainLogJoint(m.Rows(), s, b) +
				hyperDensity(s, [3]latent.InverseGamma{variancePrior, variancePrior, variancePrior})
		}, hyper)
	}
}

// hyperDensity returns the log density of the variances of U, V and the noise.
func hyperDensity(s *latent.LowRankState, laws [3]latent.InverseGamma) float64 {
	return laws[0].LogDensity(s.Hyper.UVariance) + laws[1].LogDensity(s.Hyper.VVariance) +
		laws[2].LogDensity(s.Hyper.NoiseVariance)
}

// copyRows copies the rows of a table.
func copyRows(dst, src [][]float64) {
	for i, row := range src {
		copy(dst[i], row)
	}
}
