package verdicts

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"

	"gonum.org/v1/gonum/floats"

	"breadboard/chains/number"
	"breadboard/exact/weights"
	"breadboard/grid/longtest"
)

// reached returns the exact probability that LogE is at least the threshold after n draws of a
// distribution of two values.
func reached(make func() *Test, l Law, n int, threshold float64) float64 {
	total := 0.0
	for k := range n + 1 {
		// k draws of the first value; LogE does not depend on their order, as long as no side is
		// given up
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

// TestDrawsToFind: after that many draws the exact probability to find the distribution is as high
// as was promised, and half as many draws would not do.
func TestDrawsToFind(t *testing.T) {
	const threshold, miss = 9, 0.01
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.Float64Range(0.05, 0.95).Draw(t, "p")
		l := Law{[]float64{rapid.Float64Range(-3, 1).Draw(t, "one"),
			rapid.Float64Range(-1, 3).Draw(t, "other")}, []float64{p, 1 - p}}
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

// TestDrawsToShow: after that many draws an event that goes on happening as often as it has is
// found, by the exact probabilities of all counts, and one draw less does not do.
func TestDrawsToShow(t *testing.T) {
	const threshold = 14
	for _, often := range []int{60, 97} { // of 100, with an event of probability at least 0.8
		make := func() *Test { return must(NewWithin("within", 0, 0.5, 0.8)) }
		test := make()
		l := Law{[]float64{0, 1}, []float64{float64(often) / 100, 1 - float64(often)/100}}
		longtest.NoError(t, test.Add(
			slices.Concat(slices.Repeat(l.Values[:1], often), slices.Repeat(l.Values[1:], 100-often)),
		))
		shown := Shown{Event: "log Zhat is within 0.5 nats of log Z", High: often > 80}
		n := test.DrawsToShow(shown, threshold)
		if often > 80 { // which is no fault
			if !math.IsInf(n, 1) {
				t.Errorf("%v draws find what is right", n)
			}
			continue
		}
		if test.Shown().Event != shown.Event || !(n > 100 && n < 1000) ||
			reached(make, l, int(n), threshold) < 0.99 || reached(make, l, int(n)-1, threshold) >= 0.99 {
			t.Errorf("%+v is found after %v draws", test.Shown(), n)
		}
	}
}

// TestDrawsToFindByHand: estimates that are always e Z win one nat a draw by the bet of one, so
// that the threshold, log 31 for the bets and log 2 for the sides take 13.13 draws.
func TestDrawsToFindByHand(t *testing.T) {
	n, err := must(NewUnbiased(0, 3)).DrawsToFind(Law{[]float64{1}, []float64{1}}, 9, 0.01)
	if err != nil || n != 14 {
		t.Errorf("%v draws, %v", n, err)
	}
}

// TestLeastOverPowers: the search finds the least value of a linear over a concave function,
// wherever it is.
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

// TestDrawsToFindNothing: distributions that agree with the claim, or deviate if nothing is
// tested, are never found.
func TestDrawsToFindNothing(t *testing.T) {
	inf := math.Inf(1)
	right := Law{[]float64{math.Inf(-1), math.Ln2}, []float64{0.5, 0.5}}
	low := Law{[]float64{-1, -2}, []float64{0.5, 0.5}}
	for name, c := range map[string]struct {
		test *Test
		law  Law
		none bool
	}{
		"right":                 {must(NewUnbiased(0, 1)), right, true},
		"right, a lower bound":  {must(NewLower(0)), right, true},
		"low":                   {must(NewUnbiased(0, 1)), low, false},
		"low, no largest value": {must(NewUnbiased(0, inf)), low, true},
		"low, a lower bound":    {must(NewLower(0)), low, true},
		"low, an upper bound":   {must(NewUpper(0)), low, false},
		"low, and beyond": {
			must(NewUnbiased(0, 0.1)), Law{[]float64{2, -9}, []float64{1e-9, 1 - 1e-9}}, true},
		"an average, no range":    {must(NewLowerOnAverage(0, -inf)), low, true},
		"low, an upper average":   {must(NewUpperOnAverage(0, 3)), low, false},
		"low, a lower average":    {must(NewLowerOnAverage(0, -3)), low, true},
		"of probability zero":     {must(NewUnbiased(0, 1)), Law{[]float64{-1, 50}, []float64{1, 0}}, false},
		"infinite and legitimate": {must(NewUpper(0)), Law{[]float64{-1, inf}, []float64{0.9, 0.1}}, false},
	} {
		if n, err := c.test.DrawsToFind(c.law, 10, 0.01); err != nil ||
			math.IsInf(n, 1) != c.none || !(n >= 1) {
			t.Errorf("%s: %v draws, %v", name, n, err)
		}
	}
	test := must(NewLower(0))
	for _, l := range []Law{{}, {[]float64{1}, nil}, {[]float64{math.NaN()}, []float64{1}},
		{[]float64{1}, []float64{-1}}, {[]float64{1}, []float64{math.NaN()}}} {
		longtest.Refuses(test.DrawsToFind(l, 1, 0.1))(t, "distribution", l)
	}
	longtest.Refuses(test.DrawsToFind(low, 0, 0.1))(t, "give a positive threshold")
	longtest.Refuses(test.DrawsToFind(low, 1, 1))(t, "a probability between 0 and 1")
	_, _, err := test.Detectable(low, 0, 1, 0.1)
	longtest.Refused(t, err, "zero draws")
}

// binomial returns the probabilities of the counts 0..n, computed from their logarithms.
func binomial(n int, p float64) []float64 {
	out := make([]float64, n+1)
	for c := range out {
		a, _ := math.Lgamma(float64(n) + 1)
		b, _ := math.Lgamma(float64(c) + 1)
		d, _ := math.Lgamma(float64(n-c) + 1)
		out[c] = math.Exp(a - b - d + hitsLogLikelihood([2]int{c, n - c}, p))
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

// TestDetectable: at the ends of the interval the sum over all counts has the probability
// DetectionProbability, and a little inside of it less. The e-values along the counts are convex.
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
				if at != math.Inf(int(sign)) ||
					powerOf(float64(side), p, n, threshold) >= DetectionProbability {
					t.Fatalf("side %d is %v, and its end is found", side, at)
				}
				continue
			}
			if (at-p)*sign < 0 {
				t.Fatalf("%v is on the wrong side of %v", at, p)
			}
			if got := powerOf(at, p, n, threshold); math.Abs(got-DetectionProbability) > 1e-9 {
				t.Fatalf("at %v the power is %v", at, got)
			}
			if inside := p + (at-p)*(1-step); powerOf(inside, p, n, threshold) >= DetectionProbability {
				t.Fatalf("%v is found, too", inside)
			}
			if outside := at +
				(float64(side)-at)/2; powerOf(outside, p, n, threshold) < DetectionProbability-1e-9 {
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

// TestDetectableLevel: at the ends of the interval the probability that the e-value of a level
// reaches the threshold, a sum over all counts, is Found, a little inside of it less, and further
// outside more. Wide bounds find less.
func TestDetectableLevel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SampledFrom([]float64{1e-4, 0.02, 0.3, 0.5, 0.98}).Draw(t, "p")
		width := rapid.SampledFrom([]float64{0, 1e-9, 1e-3, 0.05, 1}).Draw(t, "width")
		bounds := weights.Bracket{Low: max(0, p-width*rapid.Float64Range(0, 1).Draw(t, "below")), Value: p,
			High: min(1, p+width*rapid.Float64Range(0, 1).Draw(t, "above"))}
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
			t.Fatalf("from %v down and from %v up are found, and %v and %v without bounds", low,
				high, plainLow, plainHigh)
		}
		for side, at := range []float64{low, high} {
			end := float64(side)
			from := []float64{bounds.Low, bounds.High}[side]
			if math.IsInf(at, 0) {
				if power(end) >= DetectionProbability {
					t.Fatalf("side %d is %v, and its end is found", side, at)
				}
				continue
			}
			if got := power(at); math.Abs(got-DetectionProbability) > 1e-9 {
				t.Fatalf("at %v the power is %v", at, got)
			}
			if power(at+(from-at)*1e-6) >= DetectionProbability ||
				power(at+(end-at)/2) < DetectionProbability-1e-9 {
				t.Fatalf("%v is not the end of what is found", at)
			}
		}
	})
}

// TestDetectableOfManyDraws: with many draws the deviation is that of the normal approximation, at
// which a count that is off by z standard deviations has the log e-value z^2/2 less what the
// mixture costs. The mixture's best kappa costs between 0 and some log(10^4), so that z lies
// between those of the threshold alone and of the threshold and ten nats more.
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

// TestDivergenceOfDraws compares with values that are known: KL(1/2 || 1/4) = log(4/3)/2; 2 d^2 + 4
// d^4/3 for 1/2 + d and 1/2, to the fourth order; and with the plain formula where that has digits.
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
	for _, edge := range []struct {
		truth, p, want float64
	}{{0, 0.25, -math.Log(0.75)}, {1, 0.25, -math.Log(0.25)}, {0.5, 0, math.Inf(1)}, {0, 0, 0},
		{0.5, 5e-324, 371.5268887801307}} {
		if kl := Divergence(edge.truth, edge.p); kl != edge.want && !(math.Abs(kl/edge.want-1) < 1e-14) {
			t.Errorf("KL(%v || %v) = %v, want %v", edge.truth, edge.p, kl, edge.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.Float64Range(0.01, 0.99).Draw(t, "p")
		// The series takes over where truth and p are a hundredth apart: both sides of that are
		// tried.
		truth := p * (1 + rapid.SampledFrom(
			[]float64{-0.5, -0.2, -0.0101, -0.0099, 0.0099, 0.0101, 0.2, 0.5},
		).Draw(t, "off"))
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
	few := []int{15, 15, 15, 15, 15, 25}
	many := []int{150, 150, 150, 150, 150, 250}
	fmt.Printf("e-values %.2g and %.2g\n", math.Exp(CountsLogE(few, die)), math.Exp(CountsLogE(many, die)))
	fmt.Println(WorstCell(many, die, func(i int) string { return fmt.Sprintf("face %d", i+1) }))
	// Output:
	// e-values 0.86 and 2.2e+05
	// face 6: 250 of 1000 draws, 166.667 expected
}

// ExampleDetectable: what 10^5 chains find in the probability of a state, with a log threshold for
// 25 tests at a false alarm of 1e-6, one of which averages over 49 states.
func ExampleDetectable() {
	const p, chains = 1.0 / 49, 100_000
	low, high := Detectable(p, chains, math.Log(25*1e6)+math.Log(49))
	fmt.Printf("%.5f is found from %.5f down and from %.5f up (%.2g nats)\n", p, low, high, Divergence(high, p))
	// Output:
	// 0.02041 is found from 0.01640 down and from 0.02477 up (0.00045 nats)
}

// TestSpreadDivergence: in simulations the counts of distributions that are as far from p as it
// says, by one state, reach the threshold in 99 of 100 runs, and those that are a fifth nearer do
// so in less than 97. Of 1,000 runs, 990 are expected, and fewer than 980 or more than 998 come
// with a probability below 0.003 for each line; the seed is fixed.
func TestSpreadDivergence(t *testing.T) {
	longtest.Only(t) // the frequencies need a thousand runs of each case
	const runs, threshold, n = 1000, 17.0, 1 << 16
	src := rand.NewPCG(1, 2)
	rng := rand.New(src)
	steep := make([]float64, 49)
	for i := range steep {
		steep[i] = math.Exp(1.2 * rng.NormFloat64())
	}
	floats.Scale(1/floats.Sum(steep), steep)
	for name, p := range map[string][]float64{"steep": steep, "two": {0.3, 0.7}} {
		kl := spreadDivergence(p, n, threshold)
		found := func(kl float64) (share float64) {
			// with r, the first state likelier and all others less, at that divergence
			low, high := p[0], 1.0
			for range 200 {
				if middle := (low + high) / 2; Divergence(middle, p[0]) < kl {
					low = middle
				} else {
					high = middle
				}
			}
			for range runs {
				counts := make([]int, len(p))
				left := n
				rest := 1.0
				for i, v := range p {
					r := v * (1 - high) / (1 - p[0])
					if i == 0 {
						r = high
					}
					counts[i] = left
					if i < len(p)-1 {
						counts[i] = int(distuv.Binomial{N: float64(left), P: math.Min(1, r/rest), Src: src}.Rand())
					}
					left = left - counts[i]
					rest = rest - r
				}
				if CountsLogE(counts, p) >= threshold {
					share += 1. / runs
				}
			}
			return share
		}
		if at, inside := found(kl), found(0.8*kl); at < 0.98 || at > 0.9985 || inside > 0.97 {
			t.Errorf("%s: KL %.3g is found in %.4f of the runs, and a fifth less in %.4f", name, kl, at, inside)
		}
	}
	for _, p := range [][]float64{slices.Repeat([]float64{1. / 49}, 49), {1}} {
		if kl := spreadDivergence(p, 300, threshold); !math.IsNaN(kl) {
			t.Errorf("300 draws from %d states find %v", len(p), kl)
		}
	}
}

// TestEstimatesDetectable: the biases are those at which DrawsToFind passes the number of draws.
func TestEstimatesDetectable(t *testing.T) {
	const threshold, miss = 14, 0.01
	l := Law{[]float64{-2, -0.5, 0.2, 1.1}, []float64{0.1, 0.3, 0.4, 0.2}}
	logZ := math.Log(mean(l, math.Exp))
	// more than is possible, so that few draws find nothing on the low side
	test := must(NewUnbiased(logZ, 5))
	known := 0
	for _, draws := range []int{100, 10_000, 1_000_000} {
		low, high, err := test.Detectable(l, draws, threshold, miss)
		longtest.NoError(t, err)
		for _, bias := range []float64{low, high} {
			if math.IsInf(bias, 0) {
				if n := test.drawsToFindShifted(l, math.Copysign(farthest, bias), threshold, miss); n <=
					float64(draws) {
					t.Errorf("a bias of %v takes %v draws", bias, n)
				}
				continue
			}
			known++
			if at, inside := test.drawsToFindShifted(l, bias, threshold, miss),
				test.drawsToFindShifted(l, 0.999*bias, threshold, miss); !(at <= float64(draws)) ||
				inside <= float64(draws) {
				t.Errorf("a bias of %v takes %v draws, and one a little smaller %v; want %d", bias, at,
					inside, draws)
			}
		}
	}
	low, high, err := must(NewLower(logZ)).Detectable(l, 10_000, threshold, miss)
	if err != nil || !math.IsInf(low, -1) || !(high > 0 && high < 1) || known == 0 {
		t.Errorf("a lower bound: from %v to %v, %v; %d biases were judged", low, high, err, known)
	}
}

// TestBinomialBand compares with sums of the probabilities, which a binomial count has one by one.
func TestBinomialBand(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 400).Draw(t, "n")
		p := rapid.Float64Range(1e-3, 1-1e-3).Draw(t, "p")
		alpha := rapid.SampledFrom([]float64{0.5, 0.05, 1e-3, 1e-6}).Draw(t, "alpha")
		low, high := BinomialBand(n, p, alpha)
		mass := binomial(n, p)
		const rounding = 1e-10
		if below := floats.Sum(mass[:low]); below > alpha/2+rounding || below+mass[low] < alpha/2-rounding {
			t.Fatalf("n = %d, p = %v: below %d are %v", n, p, low, below)
		}
		if above := floats.Sum(mass[high+1:]); above > alpha/2+rounding ||
			above+mass[high] < alpha/2-rounding {
			t.Fatalf("n = %d, p = %v: above %d are %v", n, p, high, above)
		}
	})
	for _, c := range []struct {
		p         float64
		low, high int
	}{{0, 0, 0}, {-1e-9, 0, 0}, {1, 10, 10}, {2, 10, 10}} {
		if low, high := BinomialBand(10, c.p, 0.01); low != c.low || high != c.high {
			t.Errorf("p = %v: %d to %d", c.p, low, high)
		}
	}
	// Of ten million the normal distribution gives the band to less than a hundredth of its width.
	n := 10_000_000
	p := 0.05
	low, high := BinomialBand(n, p, 0.01)
	width := 2.5758293035489004 * math.Sqrt(float64(n)*p*(1-p))
	if math.Abs(float64(low)-(5e5-width)) > width/100 || math.Abs(float64(high)-(5e5+width)) > width/100 {
		t.Errorf("the band of ten million is %d to %d, want 500000 -+ %v", low, high, width)
	}
}

// TestPowerOf: a test finds what it claims to find with a probability of 0.99, and hardly less of a
// distribution finds it with less.
func TestPowerOf(t *testing.T) {
	const threshold = 16.0
	found := func(law []float64, n int, p float64) (sum float64) {
		// by all numbers of draws of the second outcome
		for c := range n + 1 {
			if CountsLogE([]int{n - c, c}, law) >= threshold {
				sum += distuv.Binomial{N: float64(n), P: p}.Prob(float64(c))
			}
		}
		return sum
	}
	for _, c := range []struct {
		rare float64
		n    int
	}{{1e-9, 100}, {1e-5, 1000}, {1e-200, 300}} {
		law := []float64{1 - c.rare, c.rare}
		p := PowerOf(law, c.n, threshold)
		at := found(law, c.n, p.Rare)
		below := found(law, c.n, 0.9*p.Rare)
		if !math.IsNaN(p.KL) || !p.Decides() || at < 0.99-1e-9 || below >= 0.99 {
			t.Errorf("%+v: %+v is found with probability %v, and nine tenths of it with %v", c, p, at, below)
		}
	}
	// An impossible outcome is found at once.
	p := PowerOf([]float64{1}, 100, threshold)
	if at := -math.Expm1(100 * math.Log1p(-p.Rare)); math.Abs(at-0.99) > 1e-12 {
		t.Errorf("%+v is found with probability %v", p, at)
	}
	// A distribution of two cells that is KL away.
	law := []float64{0.5, 0.5}
	p = PowerOf(law, 2000, threshold)
	q := 0.5
	for ; Divergence(q, 0.5) < p.KL; q += 1e-5 {
	}
	at := found(law, 2000, q)
	below := found(law, 2000, 0.5+0.9*(q-0.5))
	if at < 0.985 || below >= 0.98 {
		t.Errorf("%+v, that is %v: it is found with probability %v, and nine tenths of it with %v",
			p, q, at, below)
	}
}

// TestDrawsToDecide: it is the number at which PowerOf begins to decide, also if one state is
// certain, or nearly so.
func TestDrawsToDecide(t *testing.T) {
	const threshold = 16
	for _, p := range [][]float64{{1}, {0.5, 0.5}, {1 - 1e-7, 1e-7}, {0.7, 0.2, 0.1 - 1e-9, 1e-9}} {
		n := DrawsToDecide(p, 1, threshold)
		if PowerOf(p, n-1, threshold).Decides() || !PowerOf(p, n, threshold).Decides() || n < 40 || n > 500 {
			t.Errorf("%v: %d draws", p, n)
		}
		if got := DrawsToDecide(p, 10*n, threshold); got != 10*n {
			t.Errorf("%v: with %d draws it takes %d", p, 10*n, got)
		}
	}
}
