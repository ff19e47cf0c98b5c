package eprocess

import (
	"math"

	"gonum.org/v1/gonum/mathext"

	"breadboard/chains/number"
)

// SpreadDivergence returns the Kullback-Leibler divergence KL(r || p), in nats, from which on a law r of the draws is found by n
// draws: the log e-value of CountsLogE against p is then at least logThreshold after n draws, with probability Found or more. It
// is for laws r that change the probability of every state by a small part of it, so that r(y)/p(y) is near one; DetectableLevel
// answers for one state that changes by itself, by however much. It is NaN where there are too few draws or states to say, which is
// where the answer would be above a tenth of a nat.
//
// For such laws the counts of the states that are drawn often are nearly normal. With m states, d = m - 1 and X^2 for Pearson's
// statistic, the mixture over the Dirichlet laws of kappa p has the log e-value -d/2 log(1 + n/kappa) + X^2/2 n/(n + kappa), since the
// laws spread as 1/kappa alike in all directions. X^2 has the noncentral chi-squared law with d degrees of freedom and n times the
// chi-squared divergence, 2 n KL(r || p) to first order, whatever the direction of r. States with less than one expected draw
// cost next to nothing and show next to nothing. They are counted as one.
//
// It takes some thousand incomplete gamma functions for each root of n KL.
func SpreadDivergence(p []float64, n int, logThreshold float64) float64 {
	d := -1.0
	rest := 0.0
	for _, v := range p {
		if v*float64(n) >= 1 {
			d++
		} else {
			rest += v
		}
	}
	if rest*float64(n) >= 1 {
		d++
	}
	if d < 1 {
		return math.NaN()
	}
	logE := func(square float64) float64 {
		var terms [ConcentrationCount]float64
		for k, kappa := range Concentrations() {
			terms[k] = -d/2*math.Log1p(float64(n)/kappa) + square/2*float64(n)/(float64(n)+kappa)
		}
		return number.LogMean(terms[:])
	}
	needed := upTo(func(square float64) bool { return logE(square) >= logThreshold })
	noncentrality := upTo(func(l float64) bool { return noncentralAbove(needed, d, l) >= Found })
	if kl := noncentrality / (2 * float64(n)); kl <= 0.1 {
		return kl
	}
	return math.NaN()
}

// upTo returns the number, to twelve digits, from which on a property of numbers holds that every large one has.
func upTo(holds func(float64) bool) float64 {
	high := 1.0
	for !holds(high) {
		high *= 2
	}
	low := 0.0
	for high-low > 1e-12*high {
		if middle := low + (high-low)/2; holds(middle) {
			high = middle
		} else {
			low = middle
		}
	}
	return high
}

// noncentralAbove returns the probability that a noncentral chi-squared variable with d degrees of freedom and the given
// noncentrality is above x: a Poisson mean, of rate noncentrality/2, of the probabilities with d + 2 j degrees of freedom. What it
// leaves out is below 1e-13.
func noncentralAbove(x, d, noncentrality float64) float64 {
	rate := noncentrality / 2
	reach := 8*math.Sqrt(rate) + 40
	total := 0.0
	for j := math.Max(0, math.Floor(rate-reach)); j <= rate+reach; j++ {
		lg, _ := math.Lgamma(j + 1)
		weight := math.Exp(-rate + j*math.Log(math.Max(rate, math.SmallestNonzeroFloat64)) - lg)
		total += weight * mathext.GammaIncRegComp(d/2+j, x/2)
	}
	return total
}
