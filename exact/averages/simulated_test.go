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
	"breadboard/experiments/eprocess"
	"breadboard/grid/longtest"
)

// walk returns the values of a function along a simulated chain.
func walk(r *rand.Rand, c *averages.Chain, g, start []float64, n int) []float64 {
	values := make([]float64, n)
	u, x := r.Float64(), -1
	for u >= 0 && x+1 < len(start) {
		x++
		u -= start[x]
	}
	for t := range values {
		values[t] = g[x]
		u := r.Float64()
		for _, e := range c.Rows.Row(x) {
			if u -= e.P; u < 0 {
				x = e.To
				break
			}
		}
	}
	return values
}

// speaks returns how strongly counts speak against a law, in nats. With the law itself it is above log 1e9 once in 1e9 tests.
func speaks(t *testing.T, counts []int, p []float64) float64 {
	t.Helper()
	total := 0.0
	for _, q := range p {
		total += q
	}
	if math.Abs(total-1) > 1e-12 {
		t.Fatalf("the probabilities %v sum to %v", p, total)
	}
	return eprocess.CountsLogE(counts, p)
}

// TestLawsOfSimulatedChains: the laws of success, of coverage and of R-hat are those of simulated chains, in which R-hat and errors are
// computed by their definitions. Each of the tests fails by chance once in 1e9 seeds, and each finds that the chains
// do not have the law of those that are a little longer, or of intervals that are wider.
func TestLawsOfSimulatedChains(t *testing.T) {
	const runs, k, n, threshold = 4000, 4, 12, 20.7
	c, f, start := setting(t, "barrier:5x5", "heatbath", "uniform", "x0<=1")
	r := rand.New(rand.NewPCG(1, 2))
	laws := func(n int, tau float64) (rhats, successes, covered []float64) {
		l := longtest.Must(c.SumLaw(t.Context(), f, start, n))(t)
		law := longtest.Must(l.RHat(t.Context(), k))(t)
		success := longtest.Must(l.Success(t.Context(), k, 2))(t)
		below, wrongBelow := law.Below(1.1), law.BelowAndWrong(1.1)
		constant, infinite := law.Constant(), law.Infinite()
		rest := 1 - below - constant - infinite
		inside := l.Coverage(tau)
		return []float64{below - wrongBelow, wrongBelow, constant, infinite, rest}, []float64{success.P, 1 - success.P}, []float64{inside, 1 - inside}
	}
	rhatCounts, successCounts, coverCounts := make([]int, 5), make([]int, 2), make([]int, 2)
	for range runs {
		ones, pooled, squares := make([]float64, k), 0.0, 0.0
		for i := range ones {
			m := mean(walk(r, c, f.Raw, start, n))
			ones[i] = math.Round(m * n)
			pooled += m / k
			e := (m - f.Mean) / f.SD
			squares += e * e
			if math.Abs(e) <= 1.96*math.Sqrt(5./n) {
				coverCounts[0]++
			} else {
				coverCounts[1]++
			}
		}
		if k >= 2*squares {
			successCounts[0]++
		} else {
			successCounts[1]++
		}
		switch v := rhat(n, ones); {
		case math.IsNaN(v):
			rhatCounts[2]++
		case math.IsInf(v, 1):
			rhatCounts[3]++
		case v >= 1.1:
			rhatCounts[4]++
		case math.Abs(pooled-f.Mean) > f.SD/2:
			rhatCounts[1]++
		default:
			rhatCounts[0]++
		}
	}
	rhats, successes, covered := laws(n, 5)
	otherRHats, otherSuccesses, otherCovered := laws(n+3, 8)
	for _, v := range []struct {
		what     string
		counts   []int
		p, other []float64
	}{{"R-hat", rhatCounts, rhats, otherRHats}, {"success", successCounts, successes, otherSuccesses}, {"coverage", coverCounts, covered, otherCovered}} {
		if e := speaks(t, v.counts, v.p); !(e < threshold) {
			t.Errorf("%s: counts %v speak against the law %v by %v nats", v.what, v.counts, v.p, e)
		}
		if e := speaks(t, v.counts, v.other); !(e > threshold) {
			t.Errorf("%s: counts %v speak against the other law %v by %v nats only", v.what, v.counts, v.other, e)
		}
	}
}

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
	k := longtest.Must(kernels.Parse("moore", y.Space))(t)
	got := longtest.Must(c.Errors(context.Background(), averages.Question{
		Function: f, Starts: [][]float64{lawOn(c, "state:0")}, N: []int64{n}, Variance: true, Distribution: true,
	}, averages.Recursion))(t)
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
