package averages_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/number"
	"breadboard/exact/averages"
	"breadboard/grid/longtest"
)

// bet is an e-process against a mean: draws between zero and a limit have it, or the mean of the products 1 + rate (draw - mean) over several
// rates becomes large. With the right mean it is ever above exp(v) with probability exp(-v) at most (Ville's inequality).
type bet struct {
	mean  float64
	rates []float64
	logs  []float64
	most  float64 // the largest logarithm so far
}

// newBet returns a bet against a mean of draws between zero and a limit.
func newBet(mean, limit float64) *bet {
	b := &bet{mean: mean}
	for _, share := range []float64{-0.5, -0.1, 0.1, 0.5} {
		b.rates = append(b.rates, share/limit)
	}
	b.logs = make([]float64, len(b.rates))
	return b
}

func (b *bet) draw(v float64) {
	for i, rate := range b.rates {
		b.logs[i] += math.Log1p(rate * (v - b.mean))
	}
	b.most = max(b.most, number.LogMean(b.logs))
}

// TestErrorsOfSimulatedChains: mean squared errors are those of simulated chains, whose moves are those of the kernel itself. It fails
// by chance once in 1e9 seeds for each number, and it finds errors of a tenth.
func TestErrorsOfSimulatedChains(t *testing.T) {
	const n, threshold = 12, 20.7
	runs := 60_000
	longtest.NotShort(t)
	c, y := chainOn(t, "random:1:3:5x5", "moore")
	f := functionOn(t, c, y, "x0")
	k, err := kernels.Parse("moore", y.Space)
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.Errors(context.Background(), averages.Question{
		Function: f, Starts: [][]float64{lawOn(c, "state:0")}, N: []int64{n}, Variance: true, Distribution: true,
	}, averages.Recursion)
	if err != nil {
		t.Fatal(err)
	}
	e, largest := got[0][0], 0.0
	for _, h := range f.Values {
		largest = max(largest, h*h)
	}
	bets := func(factor float64) [3]*bet {
		return [3]*bet{newBet(factor*e.MSE, largest), newBet(factor*e.MSEVariance, max(1, 2*largest*2*largest)), newBet(factor*e.CvM, 1)}
	}
	right, low, high := bets(1), bets(0.9), bets(1.1)
	sampler := chains.NewSampler(rand.NewPCG(3, 17))
	for range runs {
		path := make([]int, n)
		for i := 1; i < n; i++ {
			path[i] = k.Move(sampler, y.G, path[i-1])
		}
		draws := squaredErrors(f, path)
		for _, all := range [][3]*bet{right, low, high} {
			for i, b := range all {
				b.draw(draws[i])
			}
		}
	}
	for i, name := range []string{"mean", "variance", "distribution"} {
		if right[i].most > threshold {
			t.Errorf("%s: the evidence against the exact error is exp(%.1f)", name, right[i].most)
		}
		if low[i].most < threshold || high[i].most < threshold {
			t.Errorf("%s: the evidence against an error that is a tenth off is only exp(%.1f) and exp(%.1f)", name, low[i].most, high[i].most)
		}
	}
}

// squaredErrors returns, by the definitions, the squared errors of the mean and the variance of a path, and its Cramer-von Mises distance.
func squaredErrors(f *averages.Function, path []int) [3]float64 {
	n, mean, square := float64(len(path)), 0.0, 0.0
	for _, x := range path {
		mean += f.Values[x] / n
	}
	below := make([]float64, len(f.Levels))
	for _, x := range path {
		square += (f.Values[x] - mean) * (f.Values[x] - mean)
		below[f.Level[x]] += 1 / n
	}
	variance, distance, empirical, exact := square/(n-1)-1, 0.0, 0.0, 0.0
	for l, m := range f.Masses {
		empirical, exact = empirical+below[l], exact+m
		distance += m * (empirical - exact) * (empirical - exact)
	}
	return [3]float64{mean * mean, variance * variance, distance}
}
