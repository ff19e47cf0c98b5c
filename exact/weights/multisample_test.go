package weights_test

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/exact/internal/exacttest"
	"breadboard/exact/weights"
	"breadboard/grid/longtest"
)

// TestMultiSampleBruteForce compares the bounds of one and of two samples with sums over every
// path, and over every pair of them.
func TestMultiSampleBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := exacttest.Problem(t, 4, 3)
		laws := pathLaws(t, a)
		bounds := longtest.Must(
			weights.MultiSampleBounds(context.Background(), a, []int{1, 2}, weights.SampleOptions{}),
		)(t)
		mean := func(a, b []atom, f func(x, y float64) float64) float64 {
			total := 0.0
			for _, x := range a {
				for _, y := range b {
					total += x.p * y.p * f(x.value, y.value)
				}
			}
			return total
		}
		first := func(x, _ float64) float64 { return x }
		harmonic := func(x, y float64) float64 { return -averageOf(-x, -y) }
		one := []atom{{0, 1}}
		for i, want := range []weights.MultiSample{
			{
				Forward: mean(laws[0], one, first),
				Reverse: mean(laws[1], one, first),
				Mixed:   mean(laws[1], one, first),
			},
			{
				Forward: mean(laws[0], laws[0], averageOf),
				Reverse: mean(laws[1], laws[1], harmonic),
				Mixed:   mean(laws[1], laws[0], averageOf),
			},
		} {
			got := bounds[i]
			for _, pair := range [][2]float64{
				{got.Forward, want.Forward}, {got.Reverse, want.Reverse}, {got.Mixed, want.Mixed}} {
				if !exacttest.Same(pair[0], pair[1], got.Error+1e-12, 1+math.Abs(pair[1])) ||
					got.Error > 1e-9 {
					t.Fatalf("K = %d: %v, summed over paths %v", i+1, got, want)
				}
			}
		}
	})
}

func TestSamplesAreChecked(t *testing.T) {
	for _, k := range []int{0, -1, weights.MaxSamples + 1} {
		longtest.Refuses(weights.MultiSampleBounds(
			context.Background(),
			exacttest.TwoModes(),
			[]int{k},
			weights.SampleOptions{},
		))(t, "samples", k)
	}
}

// averageOf returns log((exp(x) + exp(y))/2).
func averageOf(x, y float64) float64 {
	if top := max(x, y); !math.IsInf(top, 0) {
		return top + math.Log(math.Exp(x-top)+math.Exp(y-top)) - math.Ln2
	} else {
		return top
	}
}

// TestTrialsBruteForce compares the moments of two chains with sums over every pair of paths.
func TestTrialsBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := exacttest.Problem(t, 4, 3)
		laws := pathLaws(t, a)
		for i, law := range laws {
			sign := 1 - 2*float64(i)
			several := longtest.Must(weights.TrialsOf(
				context.Background(),
				a,
				chains.Direction(i),
				[]int{2, 3},
				weights.SampleOptions{},
			))(t)
			got := several[0]
			var mean, lost float64
			pairs := func(f func(l float64) float64) (total float64) {
				for _, x := range law {
					for _, y := range law {
						if l := sign * averageOf(sign*x.value, sign*y.value); math.IsInf(l, 0) {
							lost += x.p * y.p
						} else {
							total += x.p * y.p * f(l)
						}
					}
				}
				return total
			}
			mean = pairs(func(l float64) float64 { return l })
			if lost > 0 {
				if !math.IsInf(got.Mean, -int(sign)) || !math.IsNaN(got.SD) ||
					sign < 0 && !math.IsInf(got.LogMean, 1) {
					t.Fatalf("direction %d: %+v, and the weight is lost with probability %v", i, got, lost)
				}
				continue
			}
			variance := pairs(func(l float64) float64 { return (l - mean) * (l - mean) })
			top := pairs(func(l float64) float64 { return math.Exp(l - mean) })
			compared := [][2]float64{
				{got.Mean, mean}, {got.SD * got.SD, variance}, {math.Exp(got.LogMean - mean), top}}
			note := math.IsNaN(got.LogMean)
			if note {
				// the mean of a reciprocal takes e^u of a transform that is rounded: 1e-6 is left
				// of it up to some 20 nats
				low, high := math.Inf(1), math.Inf(-1)
				for _, x := range law {
					low, high = min(low, x.value), max(high, x.value)
				}
				if sign > 0 || high-low < 20 {
					t.Fatalf("direction %d: %+v, and the log weights spread by %v only", i, got, high-low)
				}
				compared = compared[:2]
			}
			for _, pair := range compared {
				if !(math.Abs(pair[0]-pair[1]) <= got.Error+1e-9*(1+math.Abs(pair[1]))) ||
					!(got.Error < 1e-9) || (got.Note != "") != note {
					t.Fatalf("direction %d: %+v, summed over paths mean %v, variance %v, E exp %v", i, got,
						mean, variance, top)
				}
			}
		}
	})
}

func TestTrialsAreChecked(t *testing.T) {
	a := exacttest.Annealing(t, "easy", "linear", "metropolis", 3)
	for _, k := range []int{-1, 0, 1, weights.MaxSamples + 1} {
		longtest.Refuses(weights.TrialsOf(
			context.Background(),
			a,
			chains.Forward,
			[]int{2, k},
			weights.SampleOptions{},
		))(t, "trials", k)
	}
}
