package eprocess

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains/number"
	"breadboard/exact/weights"
)

// binomial returns the probabilities of the counts 0..n, computed from their logarithms.
func binomial(n int, p float64) []float64 {
	out := make([]float64, n+1)
	for c := range out {
		a, _ := math.Lgamma(float64(n) + 1)
		b, _ := math.Lgamma(float64(c) + 1)
		d, _ := math.Lgamma(float64(n-c) + 1)
		out[c] = math.Exp(a - b - d + LogLikelihood([2]int{c, n - c}, p))
	}
	return out
}

// powerOf sums the probability of all counts at which the e-value reaches the threshold.
func powerOf(truth, p float64, n int, logThreshold float64) float64 {
	total := 0.0
	for c, v := range binomial(n, truth) {
		if CountsLogE([]int{c, n - c}, []float64{p, 1 - p}) >= logThreshold {
			total += v
		}
	}
	return total
}

// TestDetectable: at the ends of the interval the sum over all counts has the probability Found, and a little inside of it
// less. The e-values along the counts are convex.
func TestDetectable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SampledFrom([]float64{1e-12, 1e-4, 0.01, 1.0 / 49, 0.3, 0.5, 0.9, 1 - 1e-6}).Draw(t, "p")
		n := rapid.IntRange(1, 400).Draw(t, "draws")
		threshold := rapid.SampledFrom([]float64{5, 14, 21, 40}).Draw(t, "log threshold")
		low, high := Detectable(p, n, threshold)
		const step = 1e-6
		for side, at := range []float64{low, high} {
			sign := float64(2*side - 1)
			if math.IsInf(at, 0) {
				if at != math.Inf(int(sign)) || powerOf(float64(side), p, n, threshold) >= Found {
					t.Fatalf("side %d is %v, and its end is found", side, at)
				}
				continue
			}
			if (at-p)*sign < 0 {
				t.Fatalf("%v is on the wrong side of %v", at, p)
			}
			if got := powerOf(at, p, n, threshold); math.Abs(got-Found) > 1e-9 {
				t.Fatalf("at %v the power is %v", at, got)
			}
			if inside := p + (at-p)*(1-step); powerOf(inside, p, n, threshold) >= Found {
				t.Fatalf("%v is found, too", inside)
			}
			if outside := at + (float64(side)-at)/2; powerOf(outside, p, n, threshold) < Found-1e-9 {
				t.Fatalf("%v is not found", outside)
			}
		}
		log := func(c int) float64 { return CountsLogE([]int{c, n - c}, []float64{p, 1 - p}) }
		for c := 1; c < n; c++ {
			if a, b, d := log(c-1), log(c), log(c+1); b > number.LogMean([]float64{a, d})+1e-9 {
				t.Fatalf("%d, %d and %d draws: e-values %v, %v and %v are not convex", c-1, c, c+1, a, b, d)
			}
		}
	})
}

// TestDetectableLevel: at the ends of the interval the probability that the e-value of a level reaches the threshold, a sum over
// all counts, is Found, a little inside of it less, and further outside more. Wide bounds find less.
func TestDetectableLevel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SampledFrom([]float64{1e-4, 0.02, 0.3, 0.5, 0.98}).Draw(t, "p")
		width := rapid.SampledFrom([]float64{0, 1e-9, 1e-3, 0.05, 1}).Draw(t, "width")
		bounds := weights.Bracket{Low: max(0, p-width*rapid.Float64Range(0, 1).Draw(t, "below")), Value: p, High: min(1, p+width*rapid.Float64Range(0, 1).Draw(t, "above"))}
		n := rapid.IntRange(1, 400).Draw(t, "draws")
		threshold := rapid.SampledFrom([]float64{5, 14, 21}).Draw(t, "log threshold")
		power := func(truth float64) float64 {
			total := 0.0
			for c, v := range binomial(n, truth) {
				if LevelsLogE([]int{c}, n, []Level{{P: bounds}}) >= threshold {
					total += v
				}
			}
			return total
		}
		low, high := DetectableLevel(bounds, n, threshold)
		if plainLow, plainHigh := Detectable(p, n, threshold); low > plainLow+1e-9 || high < plainHigh-1e-9 {
			t.Fatalf("from %v down and from %v up are found, and %v and %v without bounds", low, high, plainLow, plainHigh)
		}
		for side, at := range []float64{low, high} {
			end, from := float64(side), []float64{bounds.Low, bounds.High}[side]
			if math.IsInf(at, 0) {
				if power(end) >= Found {
					t.Fatalf("side %d is %v, and its end is found", side, at)
				}
				continue
			}
			if got := power(at); math.Abs(got-Found) > 1e-9 {
				t.Fatalf("at %v the power is %v", at, got)
			}
			if power(at+(from-at)*1e-6) >= Found || power(at+(end-at)/2) < Found-1e-9 {
				t.Fatalf("%v is not the end of what is found", at)
			}
		}
	})
}

// TestDetectableOfManyDraws: with many draws the deviation is that of the normal approximation, at which a count that is
// off by z standard deviations has the log e-value z^2/2 less what the mixture costs. The mixture's best kappa costs between 0
// and some log(10^4), so that z lies between those of the threshold alone and of the threshold and ten nats more.
func TestDetectableOfManyDraws(t *testing.T) {
	for _, n := range []int{1e5, 1e7, 1e9} {
		const p, threshold = 0.02, 18.0
		low, high := Detectable(p, n, threshold)
		sd := math.Sqrt(p * (1 - p) / float64(n))
		least, most := math.Sqrt(2*threshold)+2.326, math.Sqrt(2*(threshold+10))+2.326
		for _, z := range []float64{(p - low) / sd, (high - p) / sd} {
			if !(z > 0.98*least && z < 1.02*most) {
				t.Errorf("%d draws: %v standard deviations, want from %v to %v", n, z, least, most)
			}
		}
	}
}

// TestDetectableRefuses: what makes no sense is the caller's mistake.
func TestDetectableRefuses(t *testing.T) {
	for _, c := range []struct {
		p, threshold float64
		n            int
	}{{0, 10, 5}, {1, 10, 5}, {math.NaN(), 10, 5}, {0.5, 10, 0}, {0.5, 4.6, 5}, {0.5, math.NaN(), 5}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%+v is taken", c)
				}
			}()
			Detectable(c.p, c.n, c.threshold)
		}()
	}
}

// TestDivergenceOfDraws compares with values that are known: KL(1/2 || 1/4) = log(4/3)/2; 2 d^2 + 4 d^4/3 for 1/2 + d and 1/2,
// to the fourth order; and with the plain formula where that has digits.
func TestDivergenceOfDraws(t *testing.T) {
	if kl := Divergence(0.5, 0.25); math.Abs(kl-math.Log(4.0/3)/2) > 1e-16 {
		t.Errorf("KL = %v", kl)
	}
	for _, d := range []float64{1e-3, -1e-6, 0x1p-40} {
		truth := 0.5 + d
		d = truth - 0.5 // as it was rounded
		if kl, want := Divergence(truth, 0.5), 2*d*d*(1+2*d*d/3); math.Abs(kl/want-1) > 1e-11 {
			t.Errorf("off by %v: KL = %v, want %v", d, kl, want)
		}
	}
	for _, edge := range []struct{ truth, p, want float64 }{{0, 0.25, -math.Log(0.75)}, {1, 0.25, -math.Log(0.25)}, {0.5, 0, math.Inf(1)}, {0, 0, 0}} {
		if kl := Divergence(edge.truth, edge.p); kl != edge.want && !(math.Abs(kl/edge.want-1) < 1e-14) {
			t.Errorf("KL(%v || %v) = %v, want %v", edge.truth, edge.p, kl, edge.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.Float64Range(0.01, 0.99).Draw(t, "p")
		// The series takes over where truth and p are a hundredth apart: both sides of that are tried.
		truth := p * (1 + rapid.SampledFrom([]float64{-0.5, -0.2, -0.0101, -0.0099, 0.0099, 0.0101, 0.2, 0.5}).Draw(t, "off"))
		if truth >= 1 {
			return
		}
		plain := truth*math.Log(truth/p) + (1-truth)*math.Log((1-truth)/(1-p))
		if kl := Divergence(truth, p); math.Abs(kl-plain) > 1e-15 {
			t.Fatalf("KL(%v || %v) = %v, want %v", truth, p, kl, plain)
		}
	})
}

// ExampleCountsLogE: 100 throws of a die of which a quarter are sixes, and 10 times as many.
func ExampleCountsLogE() {
	die := []float64{1. / 6, 1. / 6, 1. / 6, 1. / 6, 1. / 6, 1. / 6}
	few, many := []int{15, 15, 15, 15, 15, 25}, []int{150, 150, 150, 150, 150, 250}
	fmt.Printf("e-values %.2g and %.2g\n", math.Exp(CountsLogE(few, die)), math.Exp(CountsLogE(many, die)))
	fmt.Println(WorstCell(many, die, func(i int) string { return fmt.Sprintf("face %d", i+1) }))
	// Output:
	// e-values 0.86 and 2.2e+05
	// face 6: 250 of 1000 draws, 166.667 expected
}

// ExampleDetectable: what 10^5 chains find in the probability of a state, with a log threshold for 25 tests at a false alarm
// of 1e-6, one of which averages over 49 states.
func ExampleDetectable() {
	const p, chains = 1.0 / 49, 100_000
	low, high := Detectable(p, chains, math.Log(25*1e6)+math.Log(49))
	fmt.Printf("%.5f is found from %.5f down and from %.5f up (%.2g nats)\n", p, low, high, Divergence(high, p))
	// Output:
	// 0.02041 is found from 0.01640 down and from 0.02477 up (0.00045 nats)
}
