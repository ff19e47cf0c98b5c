package eprocess

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"breadboard/grid/longtest"
)

// reached returns the exact probability that LogE is at least the threshold after n draws of a law of two values.
func reached(make func() *Test, l Law, n int, threshold float64) float64 {
	total := 0.0
	for k := range n + 1 { // k draws of the first value; LogE does not depend on their order, as long as no side is given up
		test := make()
		_ = test.Add(slices.Repeat(l.Values[:1], k))
		_ = test.Add(slices.Repeat(l.Values[1:], n-k))
		if test.LogE() >= threshold {
			choose, _ := math.Lgamma(float64(n + 1))
			these, _ := math.Lgamma(float64(k + 1))
			others, _ := math.Lgamma(float64(n - k + 1))
			total += math.Exp(choose - these - others + float64(k)*math.Log(l.P[0]) + float64(n-k)*math.Log(l.P[1]))
		}
	}
	return total
}

// TestDrawsToFind: after that many draws the exact probability to find the law is as high as was promised, and half as many
// draws would not do.
func TestDrawsToFind(t *testing.T) {
	const threshold, miss = 9, 0.01
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.Float64Range(0.05, 0.95).Draw(t, "p")
		l := Law{[]float64{rapid.Float64Range(-3, 1).Draw(t, "one"), rapid.Float64Range(-1, 3).Draw(t, "other")}, []float64{p, 1 - p}}
		if rapid.Bool().Draw(t, "zero") {
			l.Values[0] = math.Inf(-1)
		}
		make := func() *Test { return must(NewUnbiased(0, 3)) }
		n := longtest.Must(make().DrawsToFind(l, threshold, miss))(t)
		if n > 150 {
			t.Skip("too many draws for all that may happen to be walked through")
		}
		if got := reached(make, l, int(n), threshold); got < 1-miss-1e-12 {
			t.Errorf("after %v draws %+v is found with probability %v", n, l, got)
		}
		if half := int(n)/2 - 1; half > 0 {
			if got := reached(make, l, half, threshold); got >= 1-miss {
				t.Errorf("%v draws for %+v, and %d do with probability %v", n, l, half, got)
			}
		}
	})
}

// TestDrawsToFindByHand: estimates that are always e Z win one nat a draw by the bet of one, so that the threshold, log 31 for
// the bets and log 2 for the sides take 13.13 draws.
func TestDrawsToFindByHand(t *testing.T) {
	n, err := must(NewUnbiased(0, 3)).DrawsToFind(Law{[]float64{1}, []float64{1}}, 9, 0.01)
	if err != nil || n != 14 {
		t.Errorf("%v draws, %v", n, err)
	}
}

// TestLeastOverPowers: the search finds the least value of a linear over a concave function, wherever it is.
func TestLeastOverPowers(t *testing.T) {
	for _, peak := range []float64{1e-9, 1e-3, 1, 300} { // of the concave function a - a^2 / (2 peak)
		// (a + c) / (a - a^2 / (2 peak)) is least where a^2 + 2 a c = 2 peak c.
		for _, c := range []float64{0.1 * peak, peak, 10 * peak} {
			a := math.Sqrt(c*c+2*peak*c) - c
			f := func(a float64) float64 { return (a + c) / (a - a*a/(2*peak)) }
			if got, want := leastOverPowers(f), f(a); math.Abs(got/want-1) > 1e-9 {
				t.Errorf("peak %v, c = %v: %v, want %v", peak, c, got, want)
			}
		}
	}
	if got := leastOverPowers(func(a float64) float64 { return -a }); !math.IsInf(got, 1) {
		t.Errorf("%v where no power gives a bound", got)
	}
}

// TestDrawsToFindNothing: laws that agree with the claim, or deviate where nothing is tested, are never found.
func TestDrawsToFindNothing(t *testing.T) {
	inf := math.Inf(1)
	right := Law{[]float64{math.Inf(-1), math.Ln2}, []float64{0.5, 0.5}}
	low := Law{[]float64{-1, -2}, []float64{0.5, 0.5}}
	for name, c := range map[string]struct {
		test *Test
		law  Law
		none bool
	}{
		"right":                   {must(NewUnbiased(0, 1)), right, true},
		"right, a lower bound":    {must(NewLower(0)), right, true},
		"low":                     {must(NewUnbiased(0, 1)), low, false},
		"low, no largest value":   {must(NewUnbiased(0, inf)), low, true},
		"low, a lower bound":      {must(NewLower(0)), low, true},
		"low, an upper bound":     {must(NewUpper(0)), low, false},
		"low, and beyond":         {must(NewUnbiased(0, 0.1)), Law{[]float64{2, -9}, []float64{1e-9, 1 - 1e-9}}, true},
		"an average, no range":    {must(NewLowerOnAverage(0, -inf)), low, true},
		"low, an upper average":   {must(NewUpperOnAverage(0, 3)), low, false},
		"low, a lower average":    {must(NewLowerOnAverage(0, -3)), low, true},
		"of probability zero":     {must(NewUnbiased(0, 1)), Law{[]float64{-1, 50}, []float64{1, 0}}, false},
		"infinite and legitimate": {must(NewUpper(0)), Law{[]float64{-1, inf}, []float64{0.9, 0.1}}, false},
	} {
		if n, err := c.test.DrawsToFind(c.law, 10, 0.01); err != nil || math.IsInf(n, 1) != c.none || !(n >= 1) {
			t.Errorf("%s: %v draws, %v", name, n, err)
		}
	}
	test := must(NewLower(0))
	for _, l := range []Law{{}, {[]float64{1}, nil}, {[]float64{math.NaN()}, []float64{1}}, {[]float64{1}, []float64{-1}}, {[]float64{1}, []float64{math.NaN()}}} {
		if _, err := test.DrawsToFind(l, 1, 0.1); err == nil {
			t.Errorf("%+v is no law", l)
		}
	}
	if _, err := test.DrawsToFind(low, 0, 0.1); err == nil {
		t.Error("a threshold of zero")
	}
	if _, err := test.DrawsToFind(low, 1, 1); err == nil {
		t.Error("every law may be missed")
	}
	if _, _, err := test.Detectable(low, 0, 1, 0.1); err == nil {
		t.Error("no draws")
	}
}

// TestEstimatesDetectable: the biases are those at which DrawsToFind passes the number of draws.
func TestEstimatesDetectable(t *testing.T) {
	longtest.NotShort(t)
	const threshold, miss = 14, 0.01
	_, l := annealed(t, "barrier")
	logZ := logZOf(t, "barrier")
	test := must(NewUnbiased(logZ, 5)) // more than is possible, so that few draws find nothing on the low side
	for _, draws := range []int{100, 10_000, 1_000_000} {
		low, high, err := test.Detectable(l, draws, threshold, miss)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%d draws find factors below %.4f and above %.4f", draws, math.Exp(low), math.Exp(high))
		for _, bias := range []float64{low, high} {
			if math.IsInf(bias, 0) {
				if n := test.drawsToFind(l, math.Copysign(farthest, bias), threshold, miss); n <= float64(draws) {
					t.Errorf("a bias of %v takes %v draws", bias, n)
				}
				continue
			}
			if n := test.drawsToFind(l, bias, threshold, miss); !(n <= float64(draws)) {
				t.Errorf("a bias of %v takes %v draws, not %d", bias, n, draws)
			}
			if n := test.drawsToFind(l, 0.999*bias, threshold, miss); n <= float64(draws) {
				t.Errorf("a bias of %v takes %v draws, at most %d", 0.999*bias, n, draws)
			}
		}
	}
	low, high, err := must(NewLower(logZ)).Detectable(l, 10_000, threshold, miss)
	if err != nil || !math.IsInf(low, -1) || !(high > 0 && high < 1) {
		t.Errorf("a lower bound: from %v to %v, %v", low, high, err)
	}
}
