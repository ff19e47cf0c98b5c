package diagnostics

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"breadboard/grid/longtest"
)

// plainAutocovariances are the sums of the definition.
func plainAutocovariances(x []float64) []float64 {
	c, out := centred(x), make([]float64, len(x))
	for k := range out {
		total := 0.0
		for i := range len(x) - k {
			total += c[i] * c[i+k]
		}
		out[k] = total / float64(len(x))
	}
	return out
}

// plainESS follows the effective sample size of ArviZ statement by statement, with plain sums.
func plainESS(d Draws) float64 {
	chains, n := len(d), len(d[0])
	cov, means := make([]float64, n), []float64{}
	for _, x := range d {
		for k, v := range plainAutocovariances(x) {
			cov[k] += v / float64(chains)
		}
		means = append(means, mean(x))
	}
	return plainESSFrom(cov, chains, func() float64 { return variance(means) })
}

func plainESSFrom(cov []float64, chains int, between func() float64) float64 {
	n := len(cov)
	meanVar := cov[0] * float64(n) / float64(n-1)
	varPlus := meanVar * float64(n-1) / float64(n)
	if chains > 1 {
		varPlus += between()
	}
	rho := make([]float64, n)
	even, odd := 1.0, 1-(meanVar-cov[1])/varPlus
	rho[0], rho[1] = even, odd
	t := 1
	for t < n-3 && even+odd > 0 {
		even, odd = 1-(meanVar-cov[t+1])/varPlus, 1-(meanVar-cov[t+2])/varPlus
		if even+odd >= 0 {
			rho[t+1], rho[t+2] = even, odd
		}
		t += 2
	}
	last := t - 2
	if even > 0 {
		rho[last+1] = even
	}
	for t = 1; t <= last-2; t += 2 {
		if rho[t+1]+rho[t+2] > rho[t-1]+rho[t] {
			rho[t+1] = (rho[t-1] + rho[t]) / 2
			rho[t+2] = rho[t+1]
		}
	}
	tau := -1.0
	for k := range last + 1 {
		tau += 2 * rho[k]
	}
	tau += rho[last+1]
	size := float64(chains * n)
	return size / max(tau, 1/math.Log10(size))
}

// walks returns chains of autoregressive draws of the first order.
func walks(chains, draws int, stay float64, seed uint64) Draws {
	r := rand.New(rand.NewPCG(seed, 1))
	d := make(Draws, chains)
	for k := range d {
		v := r.NormFloat64()
		for range draws {
			v = stay*v + math.Sqrt(1-stay*stay)*r.NormFloat64()
			d[k] = append(d[k], v)
		}
	}
	return d
}

// TestAutocovariancesAreTheirSums compares the transform with the sums.
func TestAutocovariancesAreTheirSums(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 200).Draw(t, "draws")
		size := rapid.SampledFrom([]float64{1e-12, 1, 1e100}).Draw(t, "size")
		x := rapid.SliceOfN(rapid.Float64Range(-1, 1), n, n).Draw(t, "values")
		for i := range x {
			x[i] *= size
		}
		l, want := newLags(x), plainAutocovariances(x)
		blocks := 1 << rapid.IntRange(1, 8).Draw(t, "lags in blocks")
		some := l.inBlocks(2*blocks, blocks) // of lags that the chain may not have
		for k := range want {
			if !(math.Abs(l.square*l.at(k)-want[k]) <= 1e-14*size*size) {
				t.Fatalf("lag %d of %d: %v, want %v", k, n, l.square*l.at(k), want[k])
			}
			if k < blocks && !(math.Abs(l.square*some[k]-want[k]) <= 1e-14*size*size) {
				t.Fatalf("lag %d of %d, in blocks of %d: %v, want %v", k, n, blocks, l.square*some[k], want[k])
			}
		}
	})
}

// TestLongChains: a chain of many draws, whose lags come from blocks of several sizes, has those of
// one transform.
func TestLongChains(t *testing.T) {
	longtest.Only(t)
	x := walks(1, 70_001, 0.999, 3)[0]
	l := newLags(x)
	whole := l.inBlocks(smooth(2*len(x)-1), len(x))
	for _, lag := range []int{0, 1, 1023, 1024, 8191, 8192, 70_000} {
		if got, want := l.at(lag), whole[lag]; !(math.Abs(got-want) <= 1e-14*whole[0]) {
			t.Errorf("lag %d: %v, want %v", lag, got, want)
		}
	}
}

// TestESSFollowsArviZ compares the effective sample size with a copy of ArviZ's statements: chains
// of every length from four, that are sticky, independent, antithetic, apart, and of few values.
func TestESSFollowsArviZ(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		stay := rapid.SampledFrom([]float64{-0.95, -0.3, 0, 0.6, 0.99}).Draw(t, "stay")
		d := walks(rapid.IntRange(1, 5).Draw(t, "chains"), rapid.IntRange(4, 90).Draw(t, "draws"), stay, rapid.Uint64().Draw(t, "seed"))
		if rapid.Bool().Draw(t, "apart") {
			for i := range d[0] {
				d[0][i] += 5
			}
		}
		if rapid.Bool().Draw(t, "rounded") {
			d = d.mapped(math.Round)
		}
		if d.Constant() {
			t.Skip("constant")
		}
		got, err := ESS(d)
		if want := plainESS(d); err != nil || !(math.Abs(got-want) <= 1e-10*want) {
			t.Fatalf("%v (%v), want %v", got, err, want)
		}
	})
}

// TestESSFromFollowsArviZ takes correlations that no chain has, among them sums of pairs of exactly
// zero and sequences that never end.
func TestESSFromFollowsArviZ(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, chains := rapid.IntRange(2, 12).Draw(t, "draws"), rapid.IntRange(1, 3).Draw(t, "chains")
		quarters := rapid.SliceOfN(rapid.IntRange(-2, 4), n, n).Draw(t, "quarters")
		cov := make([]float64, n)
		for k := range cov { // so that the first is 1 and the correlations are multiples of a quarter
			cov[k] = float64(quarters[k])/4 + float64(n)/float64(n-1) - 1
		}
		cov[0] = 1
		between := 0.0
		if chains > 1 {
			between = float64(rapid.IntRange(0, 2).Draw(t, "between"))
		}
		got, want := ESSFrom(cov, chains, between), plainESSFrom(cov, chains, func() float64 { return between })
		if !(math.Abs(got-want) <= 1e-13*want) {
			t.Fatalf("%v: %v, want %v", cov, got, want)
		}
	})
	for _, v := range []float64{ESSFrom([]float64{1}, 1, 0), ESSFrom([]float64{1, 1}, 0, 0), ESSFrom([]float64{1, math.NaN()}, 1, 0),
		ESSFrom([]float64{1, 0, 0}, 2, math.NaN())} {
		if !math.IsNaN(v) {
			t.Errorf("%v, want NaN", v)
		}
	}
	if got := ESSFrom([]float64{0, 0, 0}, 2, 0); got != 6 {
		t.Errorf("constant draws have an effective sample size of %v", got)
	}
}

// TestESSOfKnownChains: an autoregression has correlations stay^k, so that N over the effective
// sample size is (1 + stay)/(1 - stay), but for a random error whose standard deviation is about 3%
// at most here, so that 15% are exceeded with a probability of about 1e-6. The seed is fixed.
func TestESSOfKnownChains(t *testing.T) {
	longtest.Only(t)
	for _, stay := range []float64{-0.5, 0, 0.5, 0.9} {
		d := walks(8, longtest.Times(8_000, 20_000), stay, 7)
		got, err := ESS(d)
		if want := float64(d.size()) * (1 - stay) / (1 + stay); err != nil || math.Abs(got/want-1) > 0.15 {
			t.Errorf("stay %v: %v (%v), want about %v", stay, got, err, want)
		}
		for what, f := range map[string]func(Draws) (float64, error){"mean": ESSMean, "bulk": ESSBulk} {
			if other, err := f(d); err != nil || math.Abs(other/got-1) > 0.15 {
				t.Errorf("stay %v: ESS %v is %v (%v) beside %v", stay, what, other, err, got)
			}
		}
	}
}

// TestESSIsBounded: of draws that repel one another the effective sample size is at most S
// log10(S).
func TestESSIsBounded(t *testing.T) {
	d := Draws{{}}
	for i := range 100 {
		d[0] = append(d[0], float64(i%2))
	}
	if got, err := ESS(d); err != nil || got != 200 {
		t.Errorf("%v (%v), want 100 log10(100)", got, err)
	}
}

// ranks returns the normal quantiles of the ranks of all draws.
func ranks(d Draws) Draws {
	o := &Ordered{draws: d, z: make([]float64, d.size()/2+1)}
	for i, v := range slices.Concat(d...) {
		o.halves = append(o.halves, placed{v, int32(i)})
	}
	o.halves = ascending(o.halves)
	o.all = o.halves
	return o.ranked()
}

// TestRanksAreAveraged compares ranks with counting.
func TestRanksAreAveraged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 20).Draw(t, "draws")
		d := make(Draws, rapid.IntRange(1, 3).Draw(t, "chains"))
		for k := range d {
			d[k] = rapid.SliceOfN(rapid.Map(rapid.IntRange(0, 6), func(v int) float64 { return float64(v) }), n, n).Draw(t, "values")
		}
		all, got := slices.Concat(d...), slices.Concat(ranks(d)...)
		for i, v := range all {
			below, equal := 0, 0
			for _, w := range all {
				if w < v {
					below++
				} else if w == v {
					equal++
				}
			}
			rank := float64(below) + float64(equal+1)/2
			p := math.Erfc(-got[i]/math.Sqrt2) / 2
			if want := (rank - 0.375) / (float64(len(all)) + 0.25); math.Abs(p-want) > 1e-14 {
				t.Fatalf("%v: rank %v has the quantile of %v, want %v", all, rank, p, want)
			}
		}
	})
}

// TestTailSeparatesByQuantiles: the indicators are those of NumPy's quantiles, which interpolate
// between order statistics.
func TestTailSeparatesByQuantiles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(4, 60).Draw(t, "draws")
		d := Draws{rapid.SliceOfN(rapid.Float64Range(0, 1), n, n).Draw(t, "values")}
		all := slices.Sorted(slices.Values(d[0]))
		for _, twentieths := range []int{1, 19} {
			h := float64((n-1)*twentieths) / 20
			j := int(h)
			quantile := all[j]
			if j+1 < n {
				quantile += (h - float64(j)) * (all[j+1] - all[j])
			}
			for i, v := range longtest.Must(Order(d))(t).below(twentieths)[0] {
				if (v == 1) != (d[0][i] <= quantile) {
					t.Fatalf("draw %v is %v below %v", d[0][i], v, quantile)
				}
			}
		}
	})
}

// TestLogTails: with two degrees of freedom the tails are exponential, and with four they are known
// too.
func TestLogTails(t *testing.T) {
	for _, x := range []float64{1e-300, 1e-9, 0.3, 1, 2.9, 3.1, 5.9, 6.1, 40, 1e4, 1e9} {
		lower, upper := logChiSquared(x, 2)
		near(t, fmt.Sprint("upper, 2 at ", x), upper, -x/2)
		near(t, fmt.Sprint("lower, 2 at ", x), lower, math.Log(-math.Expm1(-x/2)))
		_, upper = logChiSquared(x, 4)
		near(t, fmt.Sprint("upper, 4 at ", x), upper, math.Log1p(x/2)-x/2)
		if x > 1e-6 && x < 50 {
			lower, upper = logChiSquared(x, 1)
			near(t, fmt.Sprint("upper, 1 at ", x), upper, math.Log(math.Erfc(math.Sqrt(x/2))))
			near(t, fmt.Sprint("lower, 1 at ", x), lower, math.Log(math.Erf(math.Sqrt(x/2))))
		}
	}
	for _, z := range []float64{0, 1e-3, 1, 5, 19.999, 20.001, 37, 1e3, 1e8} {
		near(t, fmt.Sprint("quantile ", z), normalAbove(logNormalTail(z)), z)
	}
	near(t, "where the two ways to the tail meet", logNormalTail(20), math.Log(math.Erfc(20/math.Sqrt2)/2))
}

// near reports if a number is not what it should be, relative to its size if that is above one.
func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 3e-15*max(1, math.Abs(want))) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// TestMedian by hand.
func TestMedian(t *testing.T) {
	for want, v := range map[float64][]float64{3: {3}, 2.5: {1, 4}, 4: {9, 1, 4}, 6.5: {11, 4, 9, 1}, math.Inf(1): {1, math.Inf(1)}} {
		given := slices.Clone(v)
		if got := Median(v); got != want || !slices.Equal(v, given) {
			t.Errorf("the median of %v is %v, and it leaves %v", given, got, v)
		}
	}
	if !math.IsNaN(Median(nil)) {
		t.Error("no numbers have a median")
	}
}
