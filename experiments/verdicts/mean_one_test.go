package verdicts

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"breadboard/exact/weights"
	"breadboard/grid/longtest"
)

// sequences calls visit with every sequence of n draws from a distribution and the log of its
// probability.
func sequences(p []float64, n int, visit func(draws []int, logP float64)) {
	draws := make([]int, 0, n)
	var extend func(logP float64)
	extend = func(logP float64) {
		if len(draws) == n {
			visit(draws, logP)
			return
		}
		for i, v := range p {
			if v > 0 {
				draws = append(draws, i)
				extend(logP + math.Log(v))
				draws = draws[:len(draws)-1]
			}
		}
	}
	extend(0)
}

// meanOf returns the expectation of an e-value over every sequence of n draws.
func meanOf(p []float64, n int, logE func(draws []int) float64) float64 {
	total := 0.0
	sequences(p, n, func(draws []int, logP float64) { total += math.Exp(logP + logE(draws)) })
	return total
}

// drawLaw draws a distribution on at least two cells, some of which may be impossible or next to
// impossible.
func drawLaw(t *rapid.T, most int) []float64 {
	p := make([]float64, rapid.IntRange(2, most).Draw(t, "cells"))
	total := 0.0
	for i := range p {
		p[i] = rapid.SampledFrom([]float64{0, 1e-12, 1e-3, 0.1, 0.3, 1, 1, 1}).Draw(t, "share")
		if i == 0 {
			p[i] = 1
		}
		total += p[i]
	}
	for i := range p {
		p[i] /= total
	}
	return p
}

func countsOf(draws []int, cells int) []int {
	counts := make([]int, cells)
	for _, x := range draws {
		counts[x]++
	}
	return counts
}

// TestCountsHaveMeanOne: the e-values of counts, of all cells together and of each by itself, have
// expectation one under every distribution. They are sums of some ten logarithms each, and of Gamma
// functions of up to 3e7 in more than eight draws, which are not made here: their rounding is far
// below the 1e-12 that is allowed.
func TestCountsHaveMeanOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawLaw(t, 4)
		n := rapid.IntRange(0, 4).Draw(t, "draws")
		for name, logE := range map[string]func([]int, []float64) float64{
			"all cells": CountsLogE, "each cell": CellsLogE} {
			if mean := meanOf(p, n, func(draws []int) float64 {
				return logE(countsOf(draws, len(p)), p)
			}); !(math.Abs(mean-1) < 1e-12) {
				t.Fatalf("%s: the e-value has mean %v", name, mean)
			}
		}
	})
}

// logMoment returns log E[w^l] of a distribution of log w.
func logMoment(p, logw []float64, l float64) float64 {
	top := math.Inf(-1)
	for i, v := range logw {
		if p[i] > 0 {
			top = max(top, l*v)
		}
	}
	total := 0.0
	for i, v := range logw {
		if p[i] > 0 {
			total += p[i] * math.Exp(l*v-top)
		}
	}
	return top + math.Log(total)
}

// drawLogW draws a log weight, which may be huge beside the others, or differ from them only in its
// last digits.
func drawLogW(t *rapid.T, common float64) float64 {
	return common + rapid.SampledFrom([]float64{1, 1, 1e-12, 300}).Draw(t, "scale")*
		rapid.Float64Range(-1, 1).Draw(t, "log w")
}

// rounding bounds the relative error of the mean of an e-value that is computed from products as
// large as this.
func rounding(largest float64) float64 { return 256 * 0x1p-53 * (1 + largest) }

// TestWeightsHaveMeanOne: so has the e-value of a sum of log weights, up to the rounding of l sum -
// n K(l), whose two terms cancel.
func TestWeightsHaveMeanOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawLaw(t, 3)
		n := rapid.IntRange(0, 4).Draw(t, "draws")
		common := rapid.SampledFrom([]float64{0, 0, 1e3, -1e12}).Draw(t, "common")
		logw := make([]float64, len(p))
		k := []float64(nil)
		largest := 0.0
		for i := range logw {
			logw[i] = drawLogW(t, common)
			largest = max(largest, math.Abs(logw[i]))
		}
		for _, l := range Powers() {
			k = append(k, logMoment(p, logw, l))
		}
		mean := meanOf(p, n, func(draws []int) float64 {
			sum := 0.0
			for _, x := range draws {
				sum += logw[x]
			}
			return WeightsLogE(sum, n, Powers(), k)
		})
		if bound := rounding(2 * float64(n) * largest); bound < 0.1 && !(math.Abs(mean-1) < bound) {
			t.Fatalf("the e-value has mean %v, further from one than %v", mean, bound)
		}
	})
}

// TestStatesHaveMeanOne: so has the e-value of log weights given a state, where state and log
// weight are drawn together.
func TestStatesHaveMeanOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const each = 2 // log weights of each state
		p := drawLaw(t, 6)
		states := (len(p) + each - 1) / each
		n := rapid.IntRange(0, 3).Draw(t, "draws")
		logw := make([]float64, len(p))
		largest := 0.0
		for i := range logw {
			logw[i] = drawLogW(t, 0)
			largest = max(largest, math.Abs(logw[i]))
		}
		k := make([][]float64, len(StatePowers()))
		for i, l := range StatePowers() {
			k[i] = make([]float64, states)
			for x := range k[i] {
				from, to := x*each, min(len(p), (x+1)*each)
				k[i][x] = logMoment(p[from:to], logw[from:to], l) - logMoment(p[from:to], logw[from:to], 0)
			}
		}
		mean := meanOf(p, n, func(draws []int) float64 {
			count := make([]int, states)
			sum := make([]float64, states)
			for _, i := range draws {
				count[i/each]++
				sum[i/each] += logw[i]
			}
			return StatesLogE(sum, count, StatePowers(), k)
		})
		if bound := rounding(float64(n) * largest); !(math.Abs(mean-1) < bound) {
			t.Fatalf("the e-value has mean %v, further from one than %v", mean, bound)
		}
	})
}

// TestLevelsHaveMeanAtMostOne: with bounds on the probabilities the mean is at most one, and with
// exact ones it is one.
func TestLevelsHaveMeanAtMostOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 5).Draw(t, "draws")
		a := rapid.Float64Range(1e-6, 1-1e-6).Draw(t, "a")
		b := rapid.Float64Range(a, 1-1e-6).Draw(t, "b")
		c := rapid.Float64Range(b, 1-1e-6).Draw(t, "c")
		truth := rapid.SampledFrom([]float64{a, b, c}).Draw(t, "truth")
		levels := []Level{{0, weights.Bracket{Low: a, Value: b, High: c}}}
		mean := meanOf([]float64{truth, 1 - truth},
			n, func(draws []int) float64 { return LevelsLogE(countsOf(draws, 2)[:1], n, levels) })
		if mean > 1+1e-9 || a == c && mean < 1-1e-9 {
			t.Fatalf("the e-value has mean %v", mean)
		}
	})
}

// TestImpossibleCell: what cannot be is a fault at once.
func TestImpossibleCell(t *testing.T) {
	if e := CountsLogE([]int{10, 1}, []float64{1, 0}); !math.IsInf(e, 1) {
		t.Errorf("a cell of probability zero gives log e = %v", e)
	}
	if e := WeightsLogE(math.NaN(), 1, []float64{1}, []float64{0}); !math.IsInf(e, 1) {
		t.Errorf("a log weight that is not a number gives log e = %v", e)
	}
}

// TestExcessRising compares with the sum of the logarithms of all factors, over many magnitudes.
func TestExcessRising(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := math.Pow(10, rapid.Float64Range(-307, 12).Draw(t, "log a"))
		if rapid.Bool().Draw(t, "moderate") {
			a = math.Pow(10, rapid.Float64Range(-3, 9).Draw(t, "log a"))
		}
		n := rapid.SampledFrom([]int{0, 1, 2, 7, 8, 9, 10, 11, 12, 30, 1000, 20_000}).Draw(t, "n")
		want := 0.0
		lost := 0.0
		for i := 1; i < n; i++ {
			term := math.Log1p(float64(i) / a)
			if math.IsInf(term, 1) {
				term = math.Log(float64(i)) - math.Log(a)
			}
			term += lost
			next := want + term
			want, lost = next, term-(next-want)
		}
		if got := excessRising(a, float64(n)); !(math.Abs(got-want) <= 2e-14*want) {
			t.Fatalf("a = %v, n = %d: %v, by its factors %v", a, n, got, want)
		}
	})
}

// sizeOfTerms returns the sum of the absolute values of all terms that make up the log e-value of
// one concentration, averaged over the concentrations as the e-value averages over them.
func sizeOfTerms(counts []int, p []float64) float64 {
	mean := 0.0
	all := CountsLogE(counts, p)
	for _, kappa := range concentrations() {
		total := 0.0
		value := 0.0
		size := 0.0
		for i, c := range counts {
			v := excessRising(kappa*p[i], float64(c))
			total = total + float64(c)
			value = value + v
			size = size + v
		}
		v := excessRising(kappa, total)
		mean += math.Exp(value-v-all) / ConcentrationCount * (size + v)
	}
	return mean
}

// TestCountsKeepTheirDigits: probabilities that are off in the last digits change an e-value of
// 100,000 draws by no more. The largest concentration is 3e7, where logarithms of Gamma are in the
// hundreds of millions.
func TestCountsKeepTheirDigits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 50).Draw(t, "cells")
		counts := make([]int, n)
		p := make([]float64, n)
		total := 0.0
		for i := range p {
			counts[i] = rapid.IntRange(0, 200_000/n).Draw(t, "count")
			p[i] = rapid.Float64Range(0.1, 1).Draw(t, "p")
			total += p[i]
		}
		off := make([]float64, n)
		draws := 0.0
		for i := range p {
			p[i] /= total
			off[i] = p[i] * (1 + 4e-16*float64(rapid.IntRange(-1, 1).Draw(t, "off")))
			draws += float64(counts[i])
		}
		// The e-value itself changes by the likelihood ratio of both distributions, a factor of up
		// to 1 + 5e-16 a draw. It is also rounded: it is a difference of larger numbers, each of
		// which is known to some units in its last place.
		rounding := max(1e-13*math.Abs(CountsLogE(counts, p)), 4*0x1p-53*sizeOfTerms(counts, p))
		if a, b := CountsLogE(counts, p), CountsLogE(counts, off); !(math.Abs(a-b) <= 1e-15*draws+rounding) {
			t.Fatalf("%v and %v", a, b)
		}
	})
	a, b := weights.Bracket{Low: 0.3, Value: 0.3, High: 0.3},
		weights.Bracket{Low: 0.3, Value: 0.3 + 1e-16, High: 0.3 + 1e-16}
	if x, y := levelLogE(5000, 16384, a), levelLogE(5000, 16384, b); !(math.Abs(x-y) <= 2e-11) {
		t.Errorf("a level: %v and %v", x, y)
	}
}

// TestRoundedSpeaksLess: whatever rounding does to estimates that are possible, the e-value is at
// most that of the estimates as they were, and no side is given up.
func TestRoundedSpeaksLess(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		logZ := rapid.SampledFrom([]float64{0, -3, 1e12, 1e-12}).Draw(t, "logZ")
		by := rapid.SampledFrom([]float64{1e-12, 1e-3, 0.5, 3}).Draw(t, "by")
		by += math.Abs(logZ) * 0x1p-50 // what a sum of the two loses
		reach := rapid.SampledFrom([]float64{1e-3, 1, 5}).Draw(t, "reach")
		claim := rapid.SampledFrom([]Claim{Unbiased, Lower, Upper, LowerOnAverage, UpperOnAverage}).Draw(t, "claim")
		made := func() *Test {
			test := longtest.Must(map[Claim]func() (*Test, error){
				Unbiased:       func() (*Test, error) { return NewUnbiased(logZ, logZ+reach) },
				Lower:          func() (*Test, error) { return NewLower(logZ) },
				Upper:          func() (*Test, error) { return NewUpper(logZ) },
				LowerOnAverage: func() (*Test, error) { return NewLowerOnAverage(logZ, logZ-reach) },
				UpperOnAverage: func() (*Test, error) { return NewUpperOnAverage(logZ, logZ+reach) },
			}[claim]())(t)
			return test
		}
		exact := made()
		rounded := made()
		for range rapid.IntRange(1, 40).Draw(t, "draws") {
			v := logZ + reach*rapid.Float64Range(-1, 1).Draw(t, "v")
			sent := v + by*rapid.Float64Range(-0.9, 0.9).Draw(t, "off")
			longtest.NoError(t, exact.Add([]float64{v}))
			longtest.NoError(t, rounded.AddRounded([]float64{sent}, func(float64) float64 { return by }))
		}
		if len(exact.Untested()) > 0 {
			t.Skip("an estimate at the end of the range is beyond it by rounding")
		}
		if is, was := rounded.LogE(), exact.LogE(); is > was+1e-9*(1+math.Abs(was)) ||
			len(rounded.Untested()) > 0 {
			t.Fatalf("%s: rounded estimates have the log e-value %v, and %v as they were; not tested: %q",
				claim, is, was, rounded.Untested())
		}
	})
}

// TestWorstState: log weights that have mean 0 and variance 1 given each state, of which those at
// state 2 are too small on average; and none at state 0.
func TestWorstState(t *testing.T) {
	k := make([][]float64, len(StatePowers()))
	for i, l := range StatePowers() {
		k[i] = slices.Repeat([]float64{l * l / 2}, 4)
	}
	if got, want := WorstState("x_T", []float64{0, 30, -150, 60}, []int{0, 10, 100, 1000}, StatePowers(), k),
		"mean log w of the 100 chains with x_T = 2 is -1.5"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
