package averages_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains/kernels"
	"breadboard/exact/averages"
	"breadboard/grid"
)

// drawChain draws a chain with a function on it: constants of 1e12 and ranges of 1e-12 in log f, or 1000 nats; zeros, ties, and kernels that
// do not connect all states or are not reversible.
func drawChain(t *rapid.T, states int) (*averages.Chain, *averages.Function) {
	n := rapid.IntRange(2, states).Draw(t, "states")
	constant := rapid.SampledFrom([]float64{0, 0, 1e12, -1e12}).Draw(t, "constant")
	scale := rapid.SampledFrom([]float64{1, 3, 1e-12, 300}).Draw(t, "scale")
	if constant != 0 && scale < 1 {
		constant = 1 // such a range is lost beside 1e12
	}
	logf, g := make([]float64, n), make([]float64, n)
	far := rapid.SampledFrom([]float64{0, 0, 1e9}).Draw(t, "constant of g")
	for x := range n {
		logf[x] = constant + scale*rapid.Float64Range(-1, 1).Draw(t, "log f")
		if rapid.IntRange(0, 6).Draw(t, "zero") == 0 {
			logf[x] = math.Inf(-1)
		}
		g[x] = far + float64(rapid.IntRange(-2, 2).Draw(t, "g"))
	}
	sides := []int{n}
	if n%2 == 0 && n > 2 {
		sides = []int{2, n / 2}
	}
	// The last two are not reversible.
	name := rapid.SampledFrom([]string{"metropolis", "barker", "heatbath", "moore", "heatbath-scan", "suwa-todo"}).Draw(t, "kernel")
	k, err := kernels.Parse(name, grid.MustNew(sides...))
	if err != nil {
		t.Fatal(err)
	}
	c, err := averages.New(context.Background(), k, logf)
	if err != nil {
		t.Skip(err) // every state has probability zero
	}
	f, err := c.Standardise(g)
	if err != nil {
		t.Skip(err) // the function is constant
	}
	return c, f
}

// drawLaw draws a start that has mass where the target has.
func drawLaw(t *rapid.T, c *averages.Chain) []float64 {
	n := c.States()
	law := make([]float64, n)
	switch rapid.SampledFrom([]string{"target", "uniform", "point", "any"}).Draw(t, "start") {
	case "target":
		copy(law, c.Target)
	case "point":
		law[rapid.IntRange(0, n-1).Draw(t, "state")] = 1
	case "uniform":
		for x := range law {
			law[x] = 1 / float64(n)
		}
	default:
		for x := range law {
			law[x] = float64(rapid.IntRange(0, 4).Draw(t, "weight")) / 8
		}
		law[0] += 1 - sumOver(law)
		if law[0] < 0 {
			t.Skip("too much")
		}
	}
	if err := c.CheckLaw(law); err != nil {
		t.Skip(err)
	}
	return law
}

func sumOver(v []float64) (sum float64) {
	for _, a := range v {
		sum += a
	}
	return sum
}

// byPaths returns the errors by their definitions, as means over all paths.
func byPaths(c *averages.Chain, f *averages.Function, start []float64, n int) averages.Errors {
	e := averages.Errors{N: int64(n)}
	levels := make([]float64, len(f.Levels))
	count := make([]int, len(f.Levels)+1)
	var walk func(made int, x int, p, sum, square float64)
	walk = func(made, x int, p, sum, square float64) {
		h := f.Values[x]
		sum, square = sum+h, square+h*h
		count[f.Level[x]]++
		defer func() { count[f.Level[x]]-- }()
		if made+1 < n {
			for _, m := range c.Rows.Row(x) {
				walk(made+1, m.To, p*m.P, sum, square)
			}
			return
		}
		mean := sum / float64(n)
		e.Bias += p * mean
		e.MSE += p * mean * mean
		v := (square-sum*mean)/float64(n-1) - 1
		e.BiasVariance += p * v
		e.MSEVariance += p * v * v
		below, mass := 0, 0.0
		for l, m := range f.Masses {
			below += count[l]
			mass += m
			d := float64(below)/float64(n) - mass
			levels[l] += p * d * d
		}
	}
	for x, q := range start {
		if q > 0 {
			walk(0, x, q, 0, 0)
		}
	}
	for l, d := range levels {
		e.CvM += f.Masses[l] * d
		e.KS2Low = max(e.KS2Low, d)
		e.KS2High += d
	}
	return e
}

// numbersOf returns the numbers of errors by their names. Those of the mean are in units of the root of the mean squared error of one draw.
func numbersOf(e averages.Errors) map[string]float64 {
	return map[string]float64{"bias": e.Bias, "mse": e.MSE, "bias of the variance": e.BiasVariance, "mse of the variance": e.MSEVariance,
		"cvm": e.CvM, "ks2 low": e.KS2Low, "ks2 high": e.KS2High}
}

// TestRecursionByPaths compares the recursion with the definitions, over all paths of up to six samples on three states. Where the
// probability of a level is tiny or h is huge, the plain sums over paths lose digits in units of the largest h.
func TestRecursionByPaths(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, f := drawChain(t, 3)
		start := drawLaw(t, c)
		n := rapid.IntRange(1, 6).Draw(t, "N")
		q := averages.Question{Function: f, Starts: [][]float64{start}, N: []int64{int64(n)}, Variance: true, Distribution: true}
		got, err := c.Errors(context.Background(), q, averages.Recursion)
		if err != nil {
			t.Fatal(err)
		}
		largest := 1.0
		for x, h := range f.Values {
			if c.Target[x] > 0 || start[x] > 0 {
				largest = max(largest, math.Abs(h))
			}
		}
		scale := map[string]float64{"bias": largest, "mse": largest * largest, "bias of the variance": largest * largest, "mse of the variance": math.Pow(largest, 4)}
		have := numbersOf(got[0][0])
		for name, want := range numbersOf(byPaths(c, f, start, n)) {
			v := have[name]
			if math.IsNaN(v) && (n == 1 || largest > 1e76) && strings.HasSuffix(name, "variance") {
				continue
			}
			if off := math.Abs(v - want); !(off <= 2e-13*max(scale[name], 1)) {
				t.Fatalf("N = %d, %s: %v, over all paths %v", n, name, v, want)
			}
		}
	})
}

// slowly returns the bias and the mean squared error of the mean at N, by pushing the law and the first two moments of the sum restricted
// to the state, forward and without any deflation.
func slowly(c *averages.Chain, h, start []float64, n int64) (bias, mse float64) {
	m := [3][]float64{slices.Clone(start), make([]float64, len(h)), make([]float64, len(h))}
	for t := range n {
		if t > 0 {
			var next [3][]float64
			for k := range m {
				next[k] = make([]float64, len(h))
				for x, v := range m[k] {
					for _, e := range c.Rows.Row(x) {
						next[k][e.To] += v * e.P
					}
				}
			}
			m = next
		}
		for x := range h {
			m[2][x] += h[x]*h[x]*m[0][x] + 2*h[x]*m[1][x]
			m[1][x] += h[x] * m[0][x]
		}
	}
	return sumOver(m[1]) / float64(n), sumOver(m[2]) / float64(n) / float64(n)
}

// TestRecursionBySlowMoments compares the mean with plain moments, and all levels with the means of their indicators.
func TestRecursionBySlowMoments(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, f := drawChain(t, 12)
		start := drawLaw(t, c)
		q := averages.Question{Function: f, Starts: [][]float64{start}, Distribution: true}
		q.N = []int64{1, 2, 33, int64(rapid.IntRange(34, 200).Draw(t, "N"))}
		q.Variance = rapid.Bool().Draw(t, "variance")
		got, err := c.Errors(context.Background(), q, averages.Recursion)
		if err != nil {
			t.Fatal(err)
		}
		largest := 1.0
		for x, h := range f.Values {
			if c.Target[x] > 0 || start[x] > 0 {
				largest = max(largest, math.Abs(h))
			}
		}
		for _, e := range got[0] {
			bias, mse := slowly(c, f.Values, start, e.N)
			tolerance := 1e-14 * float64(e.N) * largest
			if math.Abs(e.Bias-bias) > tolerance || math.Abs(e.MSE-mse) > tolerance*largest {
				t.Fatalf("N = %d: bias %v and %v, mean squared error %v and %v", e.N, e.Bias, bias, e.MSE, mse)
			}
			var cvm, low, high, below float64
			for l, m := range f.Masses {
				below += m
				indicator := make([]float64, c.States())
				for x, at := range f.Level {
					if indicator[x] = -below; at <= l {
						indicator[x] = 1 - below
					}
				}
				_, d := slowly(c, indicator, start, e.N)
				cvm, low, high = cvm+m*d, max(low, d), high+d
			}
			tolerance = 1e-14 * float64(e.N)
			if math.Abs(e.CvM-cvm) > tolerance || math.Abs(e.KS2Low-low) > tolerance || math.Abs(e.KS2High-high) > tolerance*float64(len(f.Levels)) {
				t.Fatalf("N = %d: Cramer-von Mises %v and %v, Kolmogorov-Smirnov %v to %v, and %v to %v", e.N, e.CvM, cvm, e.KS2Low, e.KS2High, low, high)
			}
		}
	})
}

// TestLanczosIsTheRecursion compares both on random reversible chains, reducible ones too.
func TestLanczosIsTheRecursion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, f := drawChain(t, 12)
		q := averages.Question{Function: f, Starts: [][]float64{c.Target}, N: []int64{1, 2, 3, 10, 101, 1000}}
		got, err := c.Errors(context.Background(), q, averages.Lanczos)
		if err != nil {
			t.Skip(err) // it is not reversible
		}
		want, err := c.Errors(context.Background(), q, averages.Recursion)
		if err != nil {
			t.Fatal(err)
		}
		for k, e := range got[0] {
			if e.MSE == want[0][k].MSE {
				continue
			}
			if off := math.Abs(e.MSE/want[0][k].MSE - 1); !(off <= 2*(e.Rounding+want[0][k].Rounding)) || e.Bias != 0 || want[0][k].Bias != 0 {
				t.Fatalf("N = %d: %v by Lanczos and %v by recursion, off by %.3g, and %.3g and %.3g are said", e.N, e.MSE, want[0][k].MSE, off, e.Rounding, want[0][k].Rounding)
			}
		}
		s, err := c.Stationary(context.Background(), f)
		if err != nil {
			t.Fatal(err)
		}
		v, err := c.Variance(context.Background(), f)
		// What rounding leaves is known to about its size only, on either side: ten times that is allowed.
		off, said := math.Abs(s.Tau()-v.Autocorrelation)/(1+math.Abs(v.Autocorrelation)), s.TauRounding()+v.Error
		switch reducible := err != nil; {
		case reducible != math.IsNaN(s.Tau()):
			if reducible || !(s.TauRounding() >= 1e-3) { // gaps that rounding eats leave no tau either
				t.Fatalf("tau is %v (rounding %.2g), and of the system %v %v", s.Tau(), s.TauRounding(), v, err)
			}
		case !reducible && off > 1e-12+10*said:
			t.Fatalf("tau is %v, and of the system %v: off by %.2g, and %.2g is said", s.Tau(), v, off, said)
		}
	})
}

// TestFairCoinByRecursion: independent draws have RESS = N of everything.
func TestFairCoinByRecursion(t *testing.T) {
	c, y := chainOn(t, "random:0:0:2", "metropolis")
	f := functionOn(t, c, y, "x0")
	q := averages.Question{Function: f, Starts: [][]float64{lawOn(c, "uniform"), c.Target}, N: []int64{10, 100, 10_000}, Variance: true, Distribution: true}
	got, err := c.Errors(context.Background(), q, averages.Recursion)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range append(got[0], got[1]...) {
		n := float64(e.N)
		for name, ress := range map[string]float64{
			"mean": 1 / e.MSE, "variance": f.IndependentVariance(e.N) / e.MSEVariance, "distribution": f.IndependentCvM() / e.CvM, "KS": 0.25 / e.KS2Low,
		} {
			if !(math.Abs(ress/n-1) <= 1e-12) {
				t.Errorf("N = %d: RESS of the %s is %v", e.N, name, ress)
			}
		}
	}
}

// TestManyNumbersOfSamples: what is asked together has the answers, to the last bit, of what is asked alone.
func TestManyNumbersOfSamples(t *testing.T) {
	c, y := chainOn(t, "easy", "metropolis")
	q := averages.Question{Function: functionOn(t, c, y, "x0"), Starts: [][]float64{lawOn(c, "uniform"), lawOn(c, "state:0")}, Variance: true, Distribution: true}
	q.N = []int64{1, 2, 2, 31, 32, 33, 100}
	all, err := c.Errors(context.Background(), q, averages.Recursion)
	if err != nil {
		t.Fatal(err)
	}
	for i, start := range q.Starts {
		for k, n := range q.N {
			alone := q
			alone.N, alone.Starts = []int64{n}, [][]float64{start}
			one, err := c.Errors(context.Background(), alone, averages.Recursion)
			if err != nil {
				t.Fatal(err)
			}
			got, want := one[0][0], all[i][k]
			got.Rounding, want.Rounding = 0, 0 // the probe makes other moves
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("N = %d: %+v alone, %+v together", n, got, want)
			}
		}
	}
}

// TestReducibleByRecursion: between two states that no move connects, a chain keeps the error of its start.
func TestReducibleByRecursion(t *testing.T) {
	c := line(t, 0, math.Inf(-1), 0)
	f, err := c.Standardise([]float64{-1, 5, 1})
	if err != nil {
		t.Fatal(err)
	}
	q := averages.Question{Function: f, Starts: [][]float64{{1, 0, 0}, {0.25, 0, 0.75}}, N: []int64{1, 1000, 100_000}, Variance: true}
	for _, m := range []averages.Method{averages.Recursion, averages.Lanczos} {
		if m == averages.Lanczos {
			q.Variance, q.Starts = false, [][]float64{c.Target, c.Target}
		}
		got, err := c.Errors(context.Background(), q, m)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range append(got[0], got[1]...) {
			if math.Abs(e.MSE-1) > 1e-11 || q.Variance && e.N > 1 && math.Abs(e.MSEVariance-1) > 1e-10 {
				t.Errorf("%s: %+v", m, e)
			}
		}
	}
	if s, err := c.Stationary(context.Background(), f); err != nil || !math.IsNaN(s.Tau()) || math.Abs(s.MSE(1e12)-1) > 1e-3 {
		t.Errorf("%+v %v: tau %v", s, err, s.Tau())
	}
}

// TestSeveralGoroutines: a chain answers several questions at once.
func TestSeveralGoroutines(t *testing.T) {
	c, y := chainOn(t, "barrier", "metropolis")
	f := functionOn(t, c, y, "x0")
	q := averages.Question{Function: f, Starts: [][]float64{c.Target}, N: []int64{100}}
	want, err := c.Errors(context.Background(), q, averages.Recursion)
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			got, err := c.Errors(context.Background(), q, []averages.Method{averages.Recursion, averages.Lanczos}[i%2])
			if err != nil || math.Abs(got[0][0].MSE/want[0][0].MSE-1) > 1e-12 {
				t.Errorf("%v %v, want %v", got, err, want)
			}
			if m, err := c.Fastest(q); err != nil || m != averages.Lanczos && m != averages.Recursion && m != averages.Squaring {
				t.Error(m, err)
			}
		})
	}
	all.Wait()
}

// TestMemoryIsFlat: ten times as many samples take no more memory, and Bytes is what the systems take.
func TestMemoryIsFlat(t *testing.T) {
	c, y := chainOn(t, "random:1:1:60x60", "metropolis")
	q := averages.Question{Function: functionOn(t, c, y, "x0"), Starts: [][]float64{lawOn(c, "uniform")}, Variance: true}
	taken := func(n int64) float64 {
		q.N = []int64{n}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := c.Errors(context.Background(), q, averages.Recursion); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		return float64(after.TotalAlloc - before.TotalAlloc)
	}
	few, many := taken(5), taken(50)
	if many > 1.1*few {
		t.Errorf("%v bytes for 5 samples and %v for 50", few, many)
	}
	if said := c.Bytes(q, averages.Recursion); said > 2*few || said < few/2 {
		t.Errorf("%v bytes are said and %v taken", said, few)
	}
}

// TestInterruptedRecursion: no method goes on when the context has ended, and progress adds up to the number of steps.
func TestInterruptedRecursion(t *testing.T) {
	c, y := chainOn(t, "barrier", "metropolis")
	q := averages.Question{Function: functionOn(t, c, y, "x0"), Starts: [][]float64{c.Target}, N: []int64{averages.MaxRecursion}}
	for _, m := range []averages.Method{averages.Recursion, averages.Lanczos} {
		ctx, end := context.WithCancel(context.Background())
		q.Progress = func(int) { end() }
		if _, err := c.Errors(ctx, q, m); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", m, err)
		}
		end()
	}
	steps := 0
	q.N, q.Distribution, q.Progress = []int64{700, 20_000}, true, func(made int) { steps += made }
	if _, err := c.Errors(context.Background(), q, averages.Recursion); err != nil || steps != 3*20_000 {
		t.Errorf("%d steps were told, %v", steps, err)
	}
}
