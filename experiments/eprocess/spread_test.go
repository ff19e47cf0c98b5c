package eprocess

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"breadboard/grid/longtest"
)

// multinomial draws the counts of n draws from p.
func multinomial(src rand.Source, p []float64, n int) []int {
	counts, left := make([]int, len(p)), 1.0
	for i, v := range p {
		if n == 0 || i == len(p)-1 {
			counts[i] = n
			break
		}
		b := distuv.Binomial{N: float64(n), P: math.Min(1, v/left), Src: src}
		counts[i] = int(b.Rand())
		n -= counts[i]
		left -= v
	}
	return counts
}

// tilted returns the law r(y) = p(y) (1 + e h(y)) whose divergence from p is kl, for a direction h.
func tilted(p, h []float64, kl float64) []float64 {
	mean := 0.0
	for i := range p {
		mean += p[i] * h[i]
	}
	r := make([]float64, len(p))
	divergence := func(e float64) float64 {
		total := 0.0
		for i := range p {
			r[i] = p[i] * (1 + e*(h[i]-mean))
			total += excess(r[i], p[i], r[i]-p[i])
		}
		return total
	}
	low, high := 0.0, 1e3
	for range 200 {
		if middle := (low + high) / 2; !(divergence(middle) < kl) { // it is NaN where a probability is negative
			high = middle
		} else {
			low = middle
		}
	}
	divergence(high)
	return r
}

// TestSpreadDivergence: in simulations the counts of laws that are as far from p as it says reach the threshold in 99 of
// 100 runs, whatever the direction, and those that are a fifth nearer do so in less than 97. Of 1,000 runs, 990 are expected, and fewer
// than 980 or more than 998 come with a probability below 0.003 for each line where the power is 0.99; the seed is fixed.
func TestSpreadDivergence(t *testing.T) {
	longtest.NotShort(t) // the frequencies need a thousand runs of each case
	const runs, threshold = 1000, 17.0
	src := rand.NewPCG(1, 2)
	rng := rand.New(src)
	flat, steep := make([]float64, 49), make([]float64, 49)
	total := 0.0
	for i := range flat {
		flat[i] = 1.0 / 49
		steep[i] = math.Exp(1.2 * rng.NormFloat64())
		total += steep[i]
	}
	for i := range steep {
		steep[i] /= total
	}
	for _, c := range []struct {
		name string
		p    []float64
	}{{"flat", flat}, {"steep", steep}, {"two", []float64{0.3, 0.7}}, {"with rare states", []float64{0.5, 0.3, 0.2 - 2e-8, 1e-8, 1e-8}}} {
		p := c.p
		for _, n := range []int{1 << 16, 5_000_000} {
			if n > 1<<16 && c.name != "two" && !longtest.Enabled() {
				continue
			}
			kl := SpreadDivergence(p, n, threshold)
			random, single := make([]float64, len(p)), make([]float64, len(p))
			for i := range random {
				random[i] = rng.NormFloat64()
			}
			single[0] = 1
			for i, h := range [][]float64{random, single} {
				direction := []string{"random", "one state"}[i]
				found := func(kl float64) int {
					r, hits := tilted(p, h, kl), 0
					for range runs {
						if CountsLogE(multinomial(src, r, n), p) >= threshold {
							hits++
						}
					}
					return hits
				}
				at, inside := float64(found(kl))/float64(runs), float64(found(0.8*kl))/float64(runs)
				if at < 0.98 || at > 0.9985 || inside > 0.97 {
					t.Errorf("%s, %d draws, %s: KL %.3g is found in %.4f of the runs, and a fifth less in %.4f", c.name, n, direction, kl, at, inside)
				}
			}
		}
	}
	if kl := SpreadDivergence(flat, 300, threshold); !math.IsNaN(kl) {
		t.Errorf("300 draws find %v", kl)
	}
	if kl := SpreadDivergence([]float64{1}, 300, threshold); !math.IsNaN(kl) {
		t.Errorf("one state is said to be found from %v on", kl)
	}
}

// TestNoncentral: against the mean and variance of the law, and the central law.
func TestNoncentral(t *testing.T) {
	longtest.NotShort(t)
	for _, d := range []float64{1, 3, 48} {
		for _, l := range []float64{0, 1, 50, 1e3} {
			mean, square := 0.0, 0.0 // of the integral of the survival function, by sums over a fine grid
			sd := math.Sqrt(2 * (d + 2*l))
			step := sd / 60
			if l > 100 { // the law is nearly normal
				step = sd / 20
			}
			for x := step / 2; x < d+l+12*sd; x += step {
				s := noncentralAbove(x, d, l)
				mean += s * step
				square += 2 * x * s * step
			}
			if math.Abs(mean/(d+l)-1) > 1e-3 || math.Abs((square-mean*mean)/(sd*sd)-1) > 1e-2 {
				t.Errorf("d %v, l %v: mean %v, variance %v; want %v, %v", d, l, mean, square-mean*mean, d+l, sd*sd)
			}
		}
		if got, want := noncentralAbove(7, d, 0), (distuv.ChiSquared{K: d}).Survival(7); math.Abs(got-want) > 1e-12 {
			t.Errorf("central: %v, want %v", got, want)
		}
	}
}
