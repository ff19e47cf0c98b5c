package eprocess

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/chains/number"
)

// Powers returns the exponents l for which a weight test computes E[w^l]: plus and minus 2^k, from 2^-10 to 2. With n chains the
// exponent l shows deviations of the mean log weight of some l/2 variances and more, so that these are for up to 10^6
// chains or so, and for more where the variance of log w is small.
func Powers() []float64 { return powersFrom(-10) }

// FinePowers returns the exponents for tests of more chains than that: plus and minus 2^k, from 2^-20 to 2. They cost the
// average log(44/24) = 0.6 nats more.
func FinePowers() []float64 { return powersFrom(-20) }

func powersFrom(least int) []float64 {
	var l []float64
	for k := least; k <= 1; k++ {
		l = append(l, math.Ldexp(1, k), -math.Ldexp(1, k))
	}
	return l
}

// WeightsLogE returns the log e-value of the sum of n log weights, all finite: the average over l of
// exp(l sum - n K(l)), where K(l) = log E[w^l] is conditional on a finite log weight. A chain whose weight is zero or
// infinite counts as a factor of one; another test is for the number of such chains.
func WeightsLogE(sum float64, n int, l, k []float64) float64 {
	if math.IsNaN(sum) {
		return math.Inf(1)
	}
	terms := make([]float64, len(l))
	for i := range l {
		terms[i] = l[i]*sum - float64(n)*k[i]
	}
	return number.LogMean(terms)
}

// StatePowers returns the exponents l of the weight tests that have a law for each state.
func StatePowers() []float64 { return []float64{-1, -0.25, -0.0625, 0.0625, 0.25, 1} }

// StatesLogE returns the log e-value of log weights given one end of the chains. Of the chains whose end is state x there are n[x], their log
// weights sum to sum[x], and k[i][x] = log E[w^l[i] | the end is x]. Each state has an e-value, and the result is the average of two: the product
// over the states, which finds a fault that is at many states, and the mean over the states, which finds a fault that is at one.
func StatesLogE(sum []float64, n []int, l []float64, k [][]float64) float64 {
	all := 0.0
	each := make([]float64, len(n))
	terms := make([]float64, len(l))
	for x, c := range n {
		if c == 0 {
			continue
		}
		for i := range l {
			terms[i] = l[i]*sum[x] - float64(c)*k[i][x]
		}
		if math.IsNaN(sum[x]) || math.IsNaN(terms[0]) {
			return math.Inf(1)
		}
		each[x] = number.LogMean(terms)
		all += each[x]
	}
	return number.LogMean([]float64{all, number.LogMean(each)})
}

// WorstState says at which state the mean log weight deviates most from its law.
func WorstState(what string, sum []float64, n []int, l []float64, k [][]float64) string {
	worst, most := 0, math.Inf(-1)
	for x, c := range n {
		if c == 0 {
			continue
		}
		for i := range l {
			if e := l[i]*sum[x] - float64(c)*k[i][x]; e > most {
				worst, most = x, e
			}
		}
	}
	return fmt.Sprintf("mean log w of the %d chains with %s = %d is %.6g", n[worst], what, worst, sum[worst]/float64(n[worst]))
}

// LargestWeight returns a bound on the log weights of an annealing's forward chains, in nats: the sum over the stages
// t = 2..T of the largest increment that a state with f_{t-1} > 0 has. No estimate of Z_T / Z_1 that is an average of products of these
// increments is larger: AIS with any number of chains, and SMC with any resampling, since each stage contributes an average of
// increments. On a geometric path from the uniform distribution it is the largest log f_T - log f_1, which the chain that
// stays at the highest state attains. Estimates of Z_T itself are larger by log Z_1, which the caller adds.
//
// It takes time in proportion to T times the number of states. It fails where the context ends, and where no state is possible.
func LargestWeight(ctx context.Context, a *chains.Annealing) (float64, error) {
	centred, offset := a.Centred()
	n := centred.States()
	before, after, ratio := make([]float64, n), make([]float64, n), make([]float64, n)
	centred.LogF(before, 1)
	total := 0.0
	for t := 2; t <= centred.Distributions(); t++ {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		centred.LogF(after, t)
		centred.LogRatio(ratio, t)
		largest := math.Inf(-1)
		for x := range n {
			if !math.IsInf(before[x], -1) && !math.IsInf(after[x], -1) {
				largest = max(largest, ratio[x])
			}
		}
		if math.IsInf(largest, -1) {
			return 0, fmt.Errorf("stage t = %d: f_t is zero wherever f_{t-1} is positive, so that every weight is zero", t)
		}
		total += largest
		before, after = after, before
	}
	return total + offset, nil
}
