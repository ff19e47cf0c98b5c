package averages_test

import (
	"context"
	"math"
	"testing"

	"breadboard/chains/kernels"
	"breadboard/exact/averages"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// line returns the chain of Metropolis on a line with the given log f.
func line(t testing.TB, logf ...float64) *averages.Chain {
	t.Helper()
	return longtest.Must(
		averages.New(context.Background(), kernels.Metropolis{Space: grid.MustNew(len(logf))}, logf),
	)(t)
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
		longtest.Refuses(c.Standardise(g))(t, want, g)
	}
	for want, law := range map[string][]float64{
		"2 states":         {0.5, 0.5},
		"probability NaN":  {0.5, math.NaN(), 0.5},
		"probability -0.5": {-0.5, 1, 0.5},
		"sum to 0.9":       {0.4, 0.4, 0.1},
		"no mass":          {0, 0, 1},
	} {
		longtest.Refused(t, c.CheckLaw(law), want, law)
	}
	if err := c.CheckLaw([]float64{0.5, 0, 0.5}); err != nil {
		t.Error(err)
	}
}

// TestAfterByPowers: many moves of a slow chain on two states are what the closed form of their
// distribution says, in no time, and a push at a time says the same.
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
	// it leaves a side with probability e, and its distribution tends to both sides as (1 - 2 e')^k
	two := line(t, 0, 0, -22, 0, 0)
	law := longtest.Must(two.After(context.Background(), []float64{0.5, 0.5, 0, 0, 0}, 2e9))(t)
	// A side is left for the state between the sides with probability exp(-22)/4, and that goes to
	// either side alike.
	rate := math.Exp(-22) / 4
	if want := (1 + math.Exp(-rate*2e9)) / 2; math.Abs(law[0]+law[1]-want) > 1e-9 {
		t.Errorf("after 2e9 moves the first side has %v, want %v", law[0]+law[1], want)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, moves := range []int{5, 2e9} {
		if _, err := two.After(ctx, []float64{1, 0, 0, 0, 0}, moves); err == nil {
			t.Errorf("the context has ended, and %d moves go on", moves)
		}
	}
}

// TestFastest: few samples go by recursion, many by squaring, and means from the target of a
// reversible chain by Lanczos.
func TestFastest(t *testing.T) {
	c, y := chainOn(t, "barrier", "metropolis")
	scan, _ := chainOn(t, "barrier", "heatbath-scan")
	f := functionOn(t, c, y, "x0")
	for _, on := range []struct {
		chain *averages.Chain
		start string
		n     int64
		q     averages.Question
		want  averages.Method
	}{
		{c, "uniform", 10, averages.Question{}, averages.Recursion},
		{c, "uniform", 1e9, averages.Question{}, averages.Squaring},
		{c, "target", 1e9, averages.Question{}, averages.Lanczos},
		{c, "target", 1e9, averages.Question{Variance: true}, averages.Squaring},
		{c, "target", 1e12, averages.Question{Distribution: true}, averages.Squaring},
		{scan, "target", 1e9, averages.Question{}, averages.Squaring},
	} {
		q := on.q
		q.Function, q.N, q.Starts = f, []int64{on.n}, [][]float64{lawOn(on.chain, on.start)}
		got, err := on.chain.Fastest(q)
		if err != nil || got != on.want {
			t.Errorf("N = %d from %s: %v %v, want %v", on.n, on.start, got, err, on.want)
		}
	}
}

// TestRefusals: what a method cannot answer it refuses with the size, the limit and what to do, and
// Fastest if none can.
func TestRefusals(t *testing.T) {
	c, y := chainOn(t, "barrier", "metropolis")
	scan, _ := chainOn(t, "barrier", "heatbath-scan")
	f := functionOn(t, c, y, "x0")
	for _, on := range []struct {
		chain  *averages.Chain
		method averages.Method
		q      averages.Question
		want   []string
	}{
		{c, averages.Recursion, averages.Question{N: []int64{2e9}},
			[]string{"2000000000 samples", "up to 1000000000", "49 states", "about", "use squaring"}},
		{c, averages.Lanczos, averages.Question{N: []int64{10}, Variance: true},
			[]string{"of the mean only", "recursion or squaring"}},
		{c, averages.Lanczos, averages.Question{N: []int64{10}, Distribution: true},
			[]string{"of the mean only"}},
		{c, averages.Lanczos, averages.Question{N: []int64{2e12}, Starts: [][]float64{c.Target}},
			[]string{"up to 1000000000000"}},
		{c, averages.Lanczos, averages.Question{N: []int64{10}}, []string{"every start to be the target"}},
		{scan, averages.Lanczos, averages.Question{N: []int64{10}, Starts: [][]float64{scan.Target}},
			[]string{"reversible"}},
		{c, "magic", averages.Question{N: []int64{10}}, []string{"magic", "recursion squaring lanczos"}},
		{c, averages.Recursion, averages.Question{N: []int64{0}}, []string{"from 1 on"}},
		{c, "", averages.Question{N: []int64{2e12}},
			[]string{"up to 1000000000,", "days", "up to 1000000000000"}},
	} {
		q := on.q
		q.Function = f
		if q.Starts == nil {
			q.Starts = [][]float64{lawOn(c, "uniform")}
		}
		var err error
		if on.method == "" {
			_, err = on.chain.Fastest(q)
		} else {
			_, err = on.chain.Errors(context.Background(), q, on.method)
		}
		for _, want := range on.want {
			longtest.Refused(t, err, want, on.method, q.N)
		}
	}
}

// TestVarianceAtTheEndsOfFloats: tau of lines of three cells, of which one is hardly ever visited,
// or hardly ever left. The numbers are those of 80-digit arithmetic.
func TestVarianceAtTheEndsOfFloats(t *testing.T) {
	for toy, want := range map[string]float64{
		"cells:0:-720:-20": 8.11385642116e304, "cells:0:-744:-100": 3.8791478504728975e280} {
		c, y := chainOn(t, toy, "metropolis")
		v := longtest.Must(c.Variance(context.Background(), functionOn(t, c, y, "x0")))(t)
		if !(math.Abs(v.Autocorrelation/want-1) < 1e-11+v.Error) {
			t.Errorf("%s: tau %v to %v, want %v", toy, v.Autocorrelation, v.Error, want)
		}
	}
}
