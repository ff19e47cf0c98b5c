package averages

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/exact/internal/exacttest"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// whole asks for all errors of a function.
func whole(f *Function, start []float64, n ...int64) Question {
	return Question{Function: f, Starts: [][]float64{start}, N: n, Variance: true, Distribution: true}
}

// sameErrors fails if two errors differ by more than a relative tolerance and what they say of
// rounding, biases in units of the root of the mean squared error.
func sameErrors(t *rapid.T, got, want Errors, tolerance float64) {
	compare := func(name string, got, want, scale float64) {
		if math.IsNaN(got) && math.IsNaN(want) {
			return
		}
		if !(math.Abs(got-want) <= tolerance*math.Abs(scale)) {
			t.Fatalf("%s: %v, want %v, off by %.3g, and %.3g are allowed", name, got, want,
				math.Abs(got-want)/scale, tolerance)
		}
	}
	tolerance += got.Rounding + want.Rounding
	if tolerance > 0.1 {
		return // a start of hardly any error, beside one that is typical under the target, has no digits
	}
	compare("bias", got.Bias.Value, want.Bias.Value, math.Sqrt(want.MSE.Value))
	compare("mse", got.MSE.Value, want.MSE.Value, want.MSE.Value)
	compare("bias of the variance", got.BiasVariance.Value, want.BiasVariance.Value,
		math.Sqrt(want.MSEVariance.Value))
	compare("mse of the variance", got.MSEVariance.Value, want.MSEVariance.Value, want.MSEVariance.Value)
	compare("cvm", got.CvM.Value, want.CvM.Value, want.CvM.Value)
	compare("ks2 low", got.KS2Low.Value, want.KS2Low.Value, want.KS2Low.Value)
	compare("ks2 high", got.KS2High.Value, want.KS2High.Value, want.KS2High.Value)
}

// EachPath calls f for every path of n samples and its probability. Time is O(states^n).
func EachPath(c *Chain, start []float64, n int, f func(path []int, p float64)) {
	var walk func(path []int, p float64)
	walk = func(path []int, p float64) {
		if len(path) == n {
			f(path, p)
			return
		}
		for _, m := range c.Rows.Row(path[len(path)-1]) {
			walk(append(path, m.To), p*m.P)
		}
	}
	for x, q := range start {
		if q > 0 {
			walk([]int{x}, q)
		}
	}
}

// plainErrors returns the errors by their definitions, as means over all paths.
func plainErrors(c *Chain, f *Function, start []float64, n int) Errors {
	e := Errors{N: int64(n)}
	distances := make([]float64, len(f.Levels.Values))
	EachPath(c, start, n, func(path []int, p float64) {
		mean := 0.0
		for _, x := range path {
			mean += f.Values[x] / float64(n)
		}
		e.Bias.Value += p * mean
		e.MSE.Value += p * mean * mean
		variance := 0.0
		for _, x := range path {
			variance += (f.Values[x] - mean) * (f.Values[x] - mean) / float64(n-1)
		}
		e.BiasVariance.Value += p * (variance - 1)
		e.MSEVariance.Value += p * (variance - 1) * (variance - 1)
		for l := range f.Levels.Values {
			// each by itself, because one of them may be tiny
			below := 0.0
			above := 0.0
			for k, m := range f.Masses {
				if k <= l {
					below += m
				} else {
					above += m
				}
			}
			off := 0.0
			for _, x := range path {
				if f.Level[x] <= l {
					off += above / float64(n)
				} else {
					off -= below / float64(n)
				}
			}
			distances[l] += p * off * off
		}
	})
	for l, d := range distances {
		e.CvM.Value += f.Masses[l] * d
		e.KS2High.Value += d
	}
	e.KS2Low.Value = slices.Max(distances)
	return e
}

// DrawProblem draws a chain, a function and a start: constants of 1e12 and ranges of 1e-12 in log
// f, or 1000 nats; zeros, ties, any graph, kernels that are not reversible, and reducible and
// periodic chains among them.
func DrawProblem(t *rapid.T, states int) (*Chain, *Function, []float64) {
	n := rapid.IntRange(2, states).Draw(t, "states")
	logf := exacttest.DrawLogF(t, "target", n, true)
	scale := rapid.SampledFrom([]float64{1, 1, 1e-12, 3, 50}).Draw(t, "scale")
	constant := 0.0
	if scale >= 1 {
		constant = rapid.SampledFrom([]float64{0, 0, 1e6, 1e12, -1e12}).Draw(t, "constant")
	}
	g := make([]float64, n)
	far := rapid.SampledFrom([]float64{0, 1e9}).Draw(t, "constant of g")
	for x := range g {
		logf[x] = constant + scale*logf[x]
		g[x] = far + float64(rapid.IntRange(-2, 3).Draw(t, "g"))
	}
	sides := []int{n}
	if n%2 == 0 && n > 2 {
		sides = []int{2, n / 2}
	}
	var k chains.Kernel = kernels.Metropolis{Space: exacttest.DrawGraph(t, n)}
	if name := rapid.SampledFrom([]string{"", "barker", "moore", "heatbath-scan", "suwa-todo"}).Draw(
		t,
		"kernel",
	); name != "" {
		k = longtest.Must(kernels.Parse(name, grid.MustNew(sides...)))(t)
	}
	c, err := New(context.Background(), k, logf)
	if err != nil {
		t.Skip(err) // every state has probability zero
	}
	f, err := c.Standardise(g)
	if err != nil {
		t.Skip(err) // the function is constant
	}
	return c, f, drawStart(t, c)
}

// drawStart draws a start that has mass where the target has.
func drawStart(t *rapid.T, c *Chain) []float64 {
	n := c.States()
	law := slices.Clone(c.Target)
	switch rapid.SampledFrom([]string{"target", "uniform", "point", "any"}).Draw(t, "start") {
	case "uniform":
		law = startOf(c, -1)
	case "point":
		law = startOf(c, rapid.IntRange(0, n-1).Draw(t, "state"))
	case "any":
		for x := range law {
			law[x] = float64(rapid.IntRange(0, 4).Draw(t, "weight")) / 8
		}
		law[0] += 1 - floats.Sum(law)
	}
	if err := c.CheckLaw(law); err != nil {
		t.Skip(err)
	}
	return law
}

// TestErrorsAreMeansOverAllPaths compares recursion and squaring with the definitions.
func TestErrorsAreMeansOverAllPaths(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, f, start := DrawProblem(t, 3)
		n := rapid.IntRange(1, 6).Draw(t, "N")
		want := plainErrors(c, f, start, n)
		if _, h := c.farthest(whole(f, start)); math.IsInf(h*h*h*h, 0) {
			// floating point does not hold the fourth power
			want.BiasVariance.Value, want.MSEVariance.Value = math.NaN(), math.NaN()
		}
		for _, m := range []Method{Recursion, Squaring} {
			got := longtest.Must(c.Errors(context.Background(), whole(f, start, int64(n)), m))(t)
			if n == 1 &&
				!(math.IsNaN(got[0][0].MSEVariance.Value) && math.IsNaN(got[0][0].BiasVariance.Value)) {
				t.Fatalf("%s: a variance of one sample: %+v", m, got[0][0])
			}
			sameErrors(t, got[0][0], want, 1e-13)
		}
	})
}

// TestRareState: a state of any small probability that a chain leaves half of the time has one half
// of its variance left after a move, so that the mean square of three samples is (3 + 2 + 1/2)/9.
// Its entries in the matrices of squaring are as small as it is rare.
func TestRareState(t *testing.T) {
	for _, logf := range []float64{500, 575, 690} {
		k := longtest.Must(kernels.Parse("metropolis", grid.MustNew(2)))(t)
		c := longtest.Must(New(t.Context(), k, []float64{logf, 0}))(t)
		f := longtest.Must(c.Standardise([]float64{0, 1}))(t)
		for _, m := range Methods() {
			q := Question{
				Function:     f,
				Starts:       [][]float64{c.Target},
				N:            []int64{3},
				Distribution: m != Lanczos,
			}
			e := longtest.Must(c.Errors(t.Context(), q, m))(t)[0][0]
			if math.Abs(e.MSE.Value*18/11-1) > e.Rounding ||
				q.Distribution && math.Abs(e.CvM.Value/f.IndependentCvM()*18/11-1) > e.Rounding {
				t.Errorf("%s, a state of probability exp(-%v): %v and %v of independent draws, want 11/18",
					m, logf, e.MSE.Value, e.CvM.Value/f.IndependentCvM())
			}
		}
	}
}

// TestSquaringIsTheRecursion compares the two ways to all errors, to the digits that the project
// promises.
func TestSquaringIsTheRecursion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, f, start := DrawProblem(t, 8)
		q := whole(f, start, 1, int64(rapid.IntRange(2, 40).Draw(t, "N")),
			int64(rapid.IntRange(41, 3000).Draw(t, "larger N")))
		got := longtest.Must(c.Errors(context.Background(), q, Squaring))(t)
		want := longtest.Must(c.Errors(context.Background(), q, Recursion))(t)
		for i := range q.N {
			sameErrors(t, got[0][i], want[0][i], 1e-12)
		}
	})
}

func TestBadSquaring(t *testing.T) {
	c := libraryChain(t, "easy", "metropolis")
	g := make([]float64, c.States())
	g[0] = 1
	f := longtest.Must(c.Standardise(g))(t)
	longtest.Refuses(c.Errors(t.Context(), whole(f, c.Target, MaxSquaring+1), Squaring))(t,
		"up to 1000000000000",
		"too many samples",
	)
	large := libraryChain(t, "random:1:1:100x80", "metropolis")
	g = make([]float64, large.States())
	g[0] = 1
	f = longtest.Must(large.Standardise(g))(t)
	longtest.Refuses(large.Errors(t.Context(), whole(f, large.Target, 10), Squaring))(t,
		"8000 states take",
		"too many states",
	)
}

// TestInterruptedSquaring also counts the calls of Progress.
func TestInterruptedSquaring(t *testing.T) {
	c := libraryChain(t, "easy", "metropolis")
	g := make([]float64, c.States())
	g[0] = 1
	f := longtest.Must(c.Standardise(g))(t)
	for _, stop := range []int{3, 100} {
		ctx, cancel := context.WithCancel(t.Context())
		steps := 0
		q := Question{Function: f, Starts: [][]float64{c.Target}, N: []int64{1 << 20}, Progress: func(n int) {
			steps += n
			if steps == stop {
				cancel()
			}
		}}
		_, err := c.Errors(ctx, q, Squaring)
		if want := min(stop, 20); steps != want || (stop == 3) != errors.Is(err, context.Canceled) {
			t.Errorf("%d steps, %v", steps, err)
		}
		cancel()
	}
}

// TestChainThatNeverReachesTheTarget: a third of the chains stay at a state of probability zero, if
// the terms of the error of the variance are two thousand times as large as what is left of them.
// The reference is a sum over the numbers of visits in 60 decimal digits.
func TestChainThatNeverReachesTheTarget(t *testing.T) {
	const want = 0.364986524125619595684802153734
	space := longtest.Must(grid.NewAdjacency(nil, [][]int{{1}, {0}, {}}))(t)
	c := longtest.Must(
		New(context.Background(), kernels.Metropolis{Space: space}, []float64{2.1875, -1, math.Inf(-1)}),
	)(t)
	f := longtest.Must(c.Standardise([]float64{1, 0, 0}))(t)
	for _, m := range []Method{Squaring, Recursion} {
		got := longtest.Must(c.Errors(context.Background(), whole(f, startOf(c, -1), 441), m))(t)
		if off := math.Abs(got[0][0].MSEVariance.Value/want - 1); !(off <= got[0][0].Rounding) ||
			got[0][0].Rounding > 1e-9 {
			t.Errorf("%v: %v, off by %.3g, and %.3g is said", m, got[0][0].MSEVariance.Value, off,
				got[0][0].Rounding)
		}
	}
}
