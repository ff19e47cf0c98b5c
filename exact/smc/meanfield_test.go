package smc

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"pgregory.net/rapid"

	"breadboard/grid"
)

// regressionLogF returns log f of the posterior of a line with intercept b and slope m on a grid of seven values each, after n of five
// points, without the constant of the normal density.
func regressionLogF(n int) []float64 {
	xs, ys := []float64{-1, 0, 1, 2, 3}, []float64{-0.9, 0.3, 0.2, 1.4, 1.3}
	out := make([]float64, 49)
	for x := range out {
		b, m := -1.5+0.5*float64(x/7), -1.5+0.5*float64(x%7)
		out[x] = -(b*b + m*m) / 2
		for i := range n {
			r := ys[i] - b - m*xs[i]
			out[x] -= r * r / 2
		}
	}
	return out
}

// meanFieldRatio returns log q/p of the product that is fitted.
func meanFieldRatio(space *grid.Lattice, logf []float64) ([]float64, error) {
	fit, err := FitMeanField(context.Background(), space, logf)
	if err != nil {
		return nil, err
	}
	logRatio := logProbabilities(logf)
	for x, l := range logRatio {
		if logRatio[x] = fit.LogQ[x] - l; math.IsInf(l, -1) {
			logRatio[x] = fit.LogQ[x]
		}
	}
	return logRatio, nil
}

// logProbabilities returns the logarithms of the probabilities that are proportional to exp(logf).
func logProbabilities(logf []float64) []float64 {
	logZ := floats.LogSumExp(logf)
	out := make([]float64, len(logf))
	for x, l := range logf {
		out[x] = l - logZ
	}
	return out
}

// TestMeanFieldOfRegression holds J and the bound to values from an independent program, at all digits that it gives.
func TestMeanFieldOfRegression(t *testing.T) {
	logf := regressionLogF(5)
	logRatio := must(meanFieldRatio(grid.MustNew(7, 7), logf))
	p, logPrior := logProbabilities(logf), logProbabilities(regressionLogF(0))
	probabilities := make([]float64, len(p))
	elbo := 0.0
	for x := range p {
		probabilities[x] = math.Exp(p[x])
		q := math.Exp(p[x] + logRatio[x])
		elbo += q * (logPrior[x] + logf[x] - regressionLogF(0)[x] - p[x] - logRatio[x])
	}
	e := must(AIDE(context.Background(), NewDensity(logRatio), NewExact(49), probabilities, []int{1, 100}, []int{1}))
	for i := range e {
		if math.Abs(e[i].J-0.339549858943313511) > 1e-12 || e[i].Mean != e[i].J {
			t.Errorf("M = %d: J %.15g, AIDE %.15g", e[i].Meta, e[i].J, e[i].Mean)
		}
	}
	if math.Abs(elbo - -2.49932547102608943) > 1e-12 {
		t.Errorf("the bound is %.15g", elbo)
	}
}

// TestMeanFieldOfProducts: a target that is a product is found, also where it spans many nats and has zeros.
func TestMeanFieldOfProducts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		space := grid.MustNew(3, 2, 2)
		scale := rapid.SampledFrom([]float64{1e-12, 1, 30}).Draw(t, "scale")
		factors := [][]float64{make([]float64, 3), make([]float64, 2), make([]float64, 2)}
		for _, f := range factors {
			for i := range f {
				f[i] = scale * rapid.Float64Range(-1, 1).Draw(t, "log factor")
			}
		}
		shift := rapid.SampledFrom([]float64{0, 700, -1e6}).Draw(t, "shift")
		logf := make([]float64, space.States())
		for x := range logf {
			logf[x] = shift + factors[0][space.Coord(x, 0)] + factors[1][space.Coord(x, 1)] + factors[2][space.Coord(x, 2)]
		}
		logRatio := must(meanFieldRatio(space, logf))
		for x, l := range logRatio {
			if math.Abs(l) > 1e-14*(1+scale)+4e-16*math.Abs(shift) {
				t.Fatalf("state %d: log q/p = %v", x, l)
			}
		}
	})
}

func TestMeanFieldOfZeros(t *testing.T) {
	zero := math.Inf(-1)
	if _, err := meanFieldRatio(grid.MustNew(2, 2), []float64{0, zero, zero, 0}); err == nil {
		t.Error("a product of two states of four on the diagonal")
	}
	logRatio, err := meanFieldRatio(grid.MustNew(2, 2), []float64{0, 1, zero, zero})
	if err != nil || math.Abs(logRatio[0]) > 1e-14 || math.Abs(logRatio[1]) > 1e-14 || logRatio[2] != zero {
		t.Errorf("log q/p %v, %v", logRatio, err)
	}
}
