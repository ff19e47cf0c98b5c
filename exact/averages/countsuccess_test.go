package averages_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"breadboard/exact/averages"
	"breadboard/grid/longtest"
)

// TestCountSuccess holds the success of the variance and of the distribution to all paths of two chains, one by one.
func TestCountSuccess(t *testing.T) {
	longtest.NotShort(t)
	const n, chains = 4, 2
	for _, toy := range []string{"random:1:3:3", "random:2:1:2x2"} {
		c, f, start := setting(t, toy, "metropolis", "uniform", "g")
		free := longtest.Must(f.IndependentKS(t.Context(), n))(t)
		var p, variance, ks []float64 // of each path
		var walk func(path []int, q float64)
		walk = func(path []int, q float64) {
			if len(path) < n {
				for _, e := range c.Rows.Row(path[len(path)-1]) {
					walk(append(path[:len(path):len(path)], e.To), q*e.P)
				}
				return
			}
			v, d := errorsOfPath(f, path)
			p, variance, ks = append(p, q), append(variance, v*v), append(ks, d*d)
		}
		for x, q := range start {
			walk([]int{x}, q)
		}
		for _, ress := range []float64{0.5, 1, 3, 12} {
			got := longtest.Must(c.CountSuccess(t.Context(), f, start, n, chains, ress))(t)
			for _, of := range []struct {
				name    string
				got     averages.Bracket
				squares []float64
				most    float64
			}{
				{"variance", got.Variance, variance, chains * f.IndependentVariance(n) / ress},
				{"KS", got.KS, ks, chains * n * free.Square / ress},
			} {
				want := 0.0
				for i, a := range of.squares {
					for j, b := range of.squares {
						if a+b <= of.most*(1+1e-12) {
							want += p[i] * p[j]
						}
					}
				}
				if !(of.got.Low <= want+1e-13 && want <= of.got.High+1e-13 && of.got.High-of.got.Low < 1e-2) {
					t.Errorf("%s, RESS %v, %s: from %v to %v, and all paths give %v", toy, ress, of.name, of.got.Low, of.got.High, want)
				}
			}
		}
	}
}

// errorsOfPath returns the error of the sample variance of a path, and its Kolmogorov-Smirnov distance.
func errorsOfPath(f *averages.Function, path []int) (variance, ks float64) {
	n, mean := float64(len(path)), 0.0
	for _, x := range path {
		mean += f.Values[x] / n
	}
	for _, x := range path {
		variance += (f.Values[x] - mean) * (f.Values[x] - mean) / (n - 1)
	}
	below := 0.0
	for level, mass := range f.Masses {
		below += mass
		at := 0.0
		for _, x := range path {
			if f.Level[x] <= level {
				at += 1 / n
			}
		}
		ks = max(ks, math.Abs(at-below))
	}
	return variance - 1, ks
}

// TestCountSuccessOfTwo: with two values the distance is the error of the mean, and so is its success.
func TestCountSuccessOfTwo(t *testing.T) {
	longtest.NotShort(t)
	c, f, start := setting(t, "random:1:0:2", "metropolis", "uniform", "x0")
	for _, n := range []int{1, 12, 30} {
		want := longtest.Must(longtest.Must(c.SumLaw(t.Context(), f, start, n))(t).Success(t.Context(), 8, 12))(t)
		got := longtest.Must(c.CountSuccess(t.Context(), f, start, n, 8, 12))(t)
		if !(got.KS.Low <= want.P+1e-12 && want.P <= got.KS.High+1e-12 && got.KS.High-got.KS.Low < 1e-2) {
			t.Errorf("N = %d: from %v to %v, and of the mean %v", n, got.KS.Low, got.KS.High, want.P)
		}
		if math.IsNaN(got.Variance.Low) != (n == 1) {
			t.Errorf("N = %d: variance %+v", n, got.Variance)
		}
	}
}

// TestCountSuccessRefuses: what takes too long, and questions without an answer.
func TestCountSuccessRefuses(t *testing.T) {
	c, f, start := setting(t, "easy", "metropolis", "uniform", "x0")
	for want, ask := range map[string]func() error{
		"the law of the counts": func() error { _, err := c.CountSuccess(t.Context(), f, start, 1000, 8, 12); return err },
		"sample size of 0":      func() error { _, err := c.CountSuccess(t.Context(), f, start, 3, 8, 0); return err },
		"number of chains":      func() error { _, err := c.CountSuccess(t.Context(), f, start, 3, 0, 12); return err },
		"canceled": func() error {
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			_, err := c.CountSuccess(ctx, f, start, 3, 8, 12)
			return err
		},
	} {
		if err := ask(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
}
