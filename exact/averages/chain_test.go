package averages_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains/kernels"
	"breadboard/chains/number"
	"breadboard/exact/averages"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// line returns the chain of Metropolis on a line with the given log f.
func line(t testing.TB, logf ...float64) *averages.Chain {
	t.Helper()
	return longtest.Must(averages.New(context.Background(), kernels.Metropolis{Space: grid.MustNew(len(logf))}, logf))(t)
}

// TestStandardise: mean and variance of the standardised function are zero and one whatever constant and scale the function has.
func TestStandardise(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 8).Draw(t, "states")
		logf, g := make([]float64, n), make([]float64, n)
		constant := rapid.SampledFrom([]float64{0, 1, -1e12, 1 << 50}).Draw(t, "constant")
		scale := rapid.SampledFrom([]float64{1, 8, 1 << 40, 1.0 / 8}).Draw(t, "scale")
		for x := range n {
			logf[x] = rapid.Float64Range(-30, 30).Draw(t, "log f")
			g[x] = constant + scale*float64(rapid.IntRange(-3, 3).Draw(t, "g"))
		}
		c := longtest.Must(averages.New(context.Background(), kernels.Metropolis{Space: grid.MustNew(n)}, logf))(t)
		f, err := c.Standardise(g)
		if err != nil {
			if !strings.Contains(err.Error(), "constant") {
				t.Fatal(err)
			}
			for _, v := range g {
				if v != g[0] {
					t.Fatalf("%v of %v", err, g)
				}
			}
			return
		}
		mean, variance, fourth, masses := 0.0, 0.0, 0.0, 0.0
		for x, h := range f.Values {
			mean += c.Target[x] * h
			variance += c.Target[x] * h * h
			fourth += c.Target[x] * h * h * h * h
			if f.Levels[f.Level[x]] != g[x] {
				t.Fatalf("state %d has level %v, not %v", x, f.Levels[f.Level[x]], g[x])
			}
		}
		for _, m := range f.Masses {
			masses += m
		}
		if math.Abs(mean) > 1e-13 || math.Abs(variance-1) > 1e-13 || math.Abs(fourth/f.Kurtosis-1) > 1e-12 || math.Abs(masses-1) > 1e-14 {
			t.Fatalf("mean %v, variance %v, kurtosis %v and %v, masses %v of %v under %v", mean, variance, fourth, f.Kurtosis, masses, g, logf)
		}
	})
}

// TestStandardiseByHand: half of the mass at each of two states makes a fair coin.
func TestStandardiseByHand(t *testing.T) {
	c := line(t, 5, 5, math.Inf(-1))
	f := longtest.Must(c.Standardise([]float64{3, 7, math.Inf(-1)}))(t)
	if f.Mean != 5 || f.SD != 2 || f.Kurtosis != 1 || f.Values[0] != -1 || f.Values[1] != 1 || f.Values[2] != 0 || f.Level[2] != 0 {
		t.Errorf("%+v", f)
	}
	if r := f.IndependentCvM(); r != 0.125 {
		t.Errorf("R of the Cramer-von Mises distance is %v", r)
	}
	if r := f.IndependentVariance(10); math.Abs(r-(1-7.0/9)) > 1e-16 || !math.IsNaN(f.IndependentVariance(1)) {
		t.Errorf("R of the variance is %v", r)
	}
}

func TestBadFunctionsAndLaws(t *testing.T) {
	c := line(t, 0, 1, math.Inf(-1))
	for want, g := range map[string][]float64{
		"2 values":           {1, 2},
		"constant, 4":        {4, 4, 5},
		"NaN at state 1":     {1, math.NaN(), 1},
		"+Inf at state 0":    {math.Inf(1), 1, 1},
		"standard deviation": {1e300, -1e300, 0},
	} {
		if _, err := c.Standardise(g); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", g, err, want)
		}
	}
	for want, law := range map[string][]float64{
		"2 states":         {0.5, 0.5},
		"probability NaN":  {0.5, math.NaN(), 0.5},
		"probability -0.5": {-0.5, 1, 0.5},
		"sum to 0.9":       {0.4, 0.4, 0.1},
		"no mass":          {0, 0, 1},
	} {
		if err := c.CheckLaw(law); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", law, err, want)
		}
	}
	if err := c.CheckLaw([]float64{0.5, 0, 0.5}); err != nil {
		t.Error(err)
	}
}

// TestAfter: two states between which Metropolis goes with probability 1/4 when they are alike. After k moves from the first, the second
// has probability (1 - 2^-k)/2.
func TestAfter(t *testing.T) {
	c := line(t, 0, 0)
	stay := c.Rows.At(0, 0)
	for k := range 20 {
		law := longtest.Must(c.After(context.Background(), []float64{1, 0}, k))(t)
		if want := (1 - math.Pow(2*stay-1, float64(k))) / 2; math.Abs(law[1]-want) > 1e-15 {
			t.Errorf("after %d moves %v, want %v", k, law[1], want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := c.After(ctx, []float64{1, 0}, 5); err == nil {
		t.Error("the context has ended, and it goes on")
	}
}

// TestAfterManyMoves: the law of a kernel with long rows keeps its total over any number of moves, and comes to the target.
func TestAfterManyMoves(t *testing.T) {
	const n, moves = 64, 20_000
	logf := make([]float64, n)
	for x := range logf {
		logf[x] = math.Sin(float64(x * x))
	}
	c := longtest.Must(averages.New(context.Background(), kernels.Moore{Space: grid.MustNew(2, 2, 2, 2, 2, 2)}, logf))(t)
	law := longtest.Must(c.After(context.Background(), append(make([]float64, n-1), 1), moves))(t)
	if off := math.Abs(number.Total(law) - 1); off > 1e-15 {
		t.Errorf("the total is off by %v", off)
	}
	for x, q := range law {
		if math.Abs(q/c.Target[x]-1) > 1e-13 {
			t.Errorf("state %d has %v, want %v", x, q, c.Target[x])
		}
	}
}

// TestAfterByPowers: many moves of a slow chain on two states are what the closed form of their law says, in no time, and a push at a time
// says the same.
func TestAfterByPowers(t *testing.T) {
	c := line(t, 0, 1e-3, -25, 0)
	start := []float64{0, 0.25, 0.75, 0}
	for _, moves := range []int{1000, 20_001} {
		plain := start
		for range moves {
			plain = longtest.Must(c.After(context.Background(), plain, 1))(t)
		}
		law := longtest.Must(c.After(context.Background(), start, moves))(t)
		for x := range law {
			if math.Abs(law[x]/plain[x]-1) > 1e-11 {
				t.Errorf("after %d moves state %d has %v, want %v", moves, x, law[x], plain[x])
			}
		}
	}
	two := line(t, 0, 0, -22, 0, 0) // it leaves a side with probability e, and its law tends to both sides as (1 - 2 e')^k
	law := longtest.Must(two.After(context.Background(), []float64{0.5, 0.5, 0, 0, 0}, 2e9))(t)
	// A side is left for the state between the sides with probability exp(-22)/4, and that goes to either side alike.
	rate := math.Exp(-22) / 4
	if want := (1 + math.Exp(-rate*2e9)) / 2; math.Abs(law[0]+law[1]-want) > 1e-9 {
		t.Errorf("after 2e9 moves the first side has %v, want %v", law[0]+law[1], want)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := two.After(ctx, []float64{1, 0, 0, 0, 0}, 2e9); err == nil {
		t.Error("the context has ended, and it goes on")
	}
}

// TestMalformedQuestions: what cannot be asked is refused by any method.
func TestMalformedQuestions(t *testing.T) {
	c := line(t, 0, 1)
	f := longtest.Must(c.Standardise([]float64{0, 1}))(t)
	for want, q := range map[string]averages.Question{
		"numbers of samples []":    {Function: f, Starts: [][]float64{{1, 0}}},
		"numbers of samples [0 1]": {Function: f, Starts: [][]float64{{1, 0}}, N: []int64{0, 1}},
		"numbers of samples [2 1]": {Function: f, Starts: [][]float64{{1, 0}}, N: []int64{2, 1}},
		"start: it has 1 states":   {Function: f, Starts: [][]float64{{1}}, N: []int64{1}},
	} {
		for _, m := range averages.Methods() {
			if _, err := c.Errors(context.Background(), q, m); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", m, err, want)
			}
		}
	}
	if _, err := c.Errors(context.Background(), averages.Question{Function: f, Starts: [][]float64{{1, 0}}, N: []int64{1}}, "guess"); err == nil {
		t.Error("a method that does not exist is used")
	}
}
