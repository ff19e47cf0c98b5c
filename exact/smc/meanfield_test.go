package smc

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"pgregory.net/rapid"

	"breadboard/grid"
)

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
