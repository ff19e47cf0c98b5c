package averages_test

import (
	"math"
	"math/rand/v2"
	"testing"

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
