package averages_test

import (
	"context"
	_ "embed"
	"math"
	"strconv"
	"strings"
	"testing"

	"breadboard/chains/kernels"
	"breadboard/exact/averages"
	"breadboard/grid/longtest"
	"breadboard/toys"
	"breadboard/toys/forms"
)

// setting returns the chain of a kernel on a toy, a start and a function, each by its selector.
func setting(t testing.TB,
	toy, kernel, start, function string) (*averages.Chain, *averages.Function, []float64) {
	t.Helper()
	c, y := chainOn(t, toy, kernel)
	return c, functionOn(t, c, y, function), lawOn(c, start)
}

// The figures of these tests were computed by programs independent of this one, each in at least
// two ways.

// TestCountSuccess holds the success of the variance and of the distribution to all paths of two
// chains, one by one.
func TestCountSuccess(t *testing.T) {
	const n, chains = 4, 2
	for _, toy := range []string{"random:1:3:3", "random:2:1:2x2"} {
		c, f, start := setting(t, toy, "metropolis", "uniform", "g")
		free := longtest.Must(f.IndependentKS(t.Context(), n, nil))(t)
		var p, variance, ks []float64 // of each path
		averages.EachPath(c, start, n, func(path []int, q float64) {
			v, d := errorsOfPath(f, path)
			p, variance, ks = append(p, q), append(variance, v*v), append(ks, d*d)
		})
		for _, ress := range []float64{0.5, 1, 3, 12} {
			got := longtest.Must(c.CountSuccess(t.Context(), f, start, n, chains, ress))(t)
			for _, estimate := range []struct {
				name    string
				got     averages.Bracket
				squares []float64
				most    float64
			}{
				{"variance", got.Variance, variance, chains * f.IndependentVariance(n) / ress},
				{"KS", got.KS, ks, chains * n * free.Square / ress},
			} {
				want := 0.0
				for i, a := range estimate.squares {
					for j, b := range estimate.squares {
						if a+b <= estimate.most*(1+1e-12) {
							want += p[i] * p[j]
						}
					}
				}
				if !(estimate.got.Low <= want+1e-13 && want <= estimate.got.High+1e-13 &&
					estimate.got.High-estimate.got.Low < 1e-2) {
					t.Errorf("%s, RESS %v, %s: from %v to %v, and all paths give %v", toy, ress,
						estimate.name, estimate.got.Low, estimate.got.High, want)
				}
			}
		}
	}
}

// errorsOfPath returns the error of the sample variance of a path, and its Kolmogorov-Smirnov
// distance.
func errorsOfPath(f *averages.Function, path []int) (variance, ks float64) {
	n := float64(len(path))
	mean := 0.0
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

// TestCountSuccessRefuses: what takes too long, and questions without an answer.
func TestCountSuccessRefuses(t *testing.T) {
	c, f, start := setting(t, "easy", "metropolis", "uniform", "x0")
	for want, ask := range map[string]func() error{
		"the distribution of the counts": func() error {
			_, err := c.CountSuccess(t.Context(), f, start, 1000, 8, 12)
			return err
		},
		"sample size of 0": func() error {
			_, err := c.CountSuccess(t.Context(), f, start, 3, 8, 0)
			return err
		},
		"number of chains": func() error {
			_, err := c.CountSuccess(t.Context(), f, start, 3, 0, 12)
			return err
		},
		"canceled": func() error {
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			_, err := c.CountSuccess(ctx, f, start, 3, 8, 12)
			return err
		},
	} {
		longtest.Refused(t, ask(), want)
	}
}

// chainOn returns the chain of a kernel on a toy on a lattice, both by their selectors.
func chainOn(t testing.TB, toy, kernel string) (*averages.Chain, *toys.Toy) {
	t.Helper()
	y := longtest.Must(forms.Targets().Parse(toy))(t)
	k := longtest.Must(kernels.Parse(kernel, y.Space))(t)
	c := longtest.Must(averages.New(context.Background(), k, y.G))(t)
	return c, y
}

// functionOn returns a function on a toy on a lattice: x0, x1, x2, sum, mode or g, and with "<="
// and a limit behind that the indicator of its values up to the limit.
func functionOn(t testing.TB, c *averages.Chain, y *toys.Toy, name string) *averages.Function {
	t.Helper()
	g := make([]float64, c.States())
	name, most, indicator := strings.Cut(name, "<=")
	for x := range g {
		switch name {
		case "g":
			g[x] = y.G[x]
		case "sum":
			for axis := range y.Lattice().Dims() {
				g[x] += float64(y.Lattice().Coord(x, axis))
			}
		case "mode":
		default:
			g[x] = float64(y.Lattice().Coord(x, int(name[1]-'0')))
		}
	}
	if name == "mode" {
		for _, x := range y.Mode {
			g[x] = 1
		}
	}
	if indicator {
		limit := longtest.Must(strconv.ParseFloat(most, 64))(t)
		for x, v := range g {
			g[x] = 0
			if v <= limit {
				g[x] = 1
			}
		}
	}
	return longtest.Must(c.Standardise(g))(t)
}

// lawOn returns the distribution of a start: target, uniform or state:0.
func lawOn(c *averages.Chain, start string) []float64 {
	law := make([]float64, c.States())
	switch start {
	case "target":
		copy(law, c.Target)
	case "uniform":
		for x := range law {
			law[x] = 1 / float64(len(law))
		}
	default:
		law[0] = 1
	}
	return law
}
