package verdicts

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/mathext"

	"breadboard/chains/number"
)

// Ratio describes the log likelihood ratio of one draw, true distribution over another, in nats, if
// the draw is possible under both.
type Ratio struct {
	Mean, Variance float64
	Third          float64 // the third central moment; 0 ignores skewness
	Impossible     float64 // the probability of a draw that is impossible under the other distribution
}

// foundQuantile is how many standard deviations of a normal distribution are exceeded with the
// probability 1 - DetectionProbability.
const foundQuantile = 2.3263478740408408

// Draws returns the number of draws after which the sum of their log ratios is at least target nats
// with a probability of about DetectionProbability; +Inf if no number is enough. The sum is taken
// to be normal, except for a skewness towards small values, which moves the quantile by the first
// term of its expansion (Cornish and Fisher 1938). A draw that is impossible under the other
// distribution decides at once.
func (r Ratio) Draws(target float64) float64 {
	n := math.Inf(1)
	if r.Impossible > 0 {
		n = max(1, math.Ceil(math.Log1p(-DetectionProbability)/math.Log1p(-min(r.Impossible, 1-1e-16))))
	}
	if r.Mean > 0 {
		if r.Third < 0 && r.Variance > 0 {
			target -= r.Third / r.Variance * (foundQuantile*foundQuantile - 1) / 6
		}
		b := foundQuantile * math.Sqrt(r.Variance)
		root := (b + math.Sqrt(b*b+4*r.Mean*target)) / (2 * r.Mean)
		n = min(n, max(1, math.Ceil(root*root)))
	}
	return n
}

// spreadDivergence returns the least Kullback-Leibler divergence KL(r || p), in nats, at which a
// distribution r of the draws is found: the log e-value of CountsLogE against p is then at least
// logThreshold after n draws, with probability DetectionProbability or more. It is for
// distributions r that change the probability of every state by a small part of it, so that
// r(y)/p(y) is near one; for a change of any size at a single state see DetectableLevel. It is NaN
// if there are too few draws or states: if the answer would be above a tenth of a nat.
//
// For such distributions the counts of the states that are drawn often are nearly normal. With m
// states, d = m - 1 and X^2 for Pearson's statistic, the mixture over the Dirichlet distributions
// of kappa p has the log e-value -d/2 log(1 + n/kappa) + X^2/2 n/(n + kappa), since the
// distributions spread as 1/kappa alike in all directions. X^2 has the noncentral chi-squared
// distribution with d degrees of freedom and n times the chi-squared divergence, 2 n KL(r || p) to
// first order, whatever the direction of r. States with less than one expected draw cost next to
// nothing and show next to nothing. They are counted as one.
//
// It takes some thousand incomplete gamma functions for each root of n KL.
func spreadDivergence(p []float64, n int, logThreshold float64) float64 {
	found := spreadFound(p, n, logThreshold)
	if found == nil || !found(mostSpread) {
		return math.NaN()
	}
	return upTo(func(noncentrality float64) bool { return found(noncentrality / (2 * float64(n))) }) /
		(2 * float64(n))
}

// mostSpread is the largest divergence, in nats, of SpreadDivergence.
const mostSpread = 0.1

// spreadFound returns whether a distribution with a divergence is found (see SpreadDivergence); nil
// if there are too few draws or states.
func spreadFound(p []float64, n int, logThreshold float64) func(kl float64) bool {
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
		return nil
	}
	logE := func(square float64) float64 {
		var terms [ConcentrationCount]float64
		for k, kappa := range concentrations() {
			terms[k] = -d/2*math.Log1p(float64(n)/kappa) + square/2*float64(n)/(float64(n)+kappa)
		}
		return number.LogMean(terms[:])
	}
	needed := upTo(func(square float64) bool { return logE(square) >= logThreshold })
	return func(kl float64) bool {
		return noncentralAbove(needed, d, 2*float64(n)*kl) >= DetectionProbability
	}
}

// upTo returns the number, to twelve digits, from which on a property of numbers holds that every
// large one has.
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

// noncentralAbove returns the probability that a noncentral chi-squared variable with d degrees of
// freedom and the given noncentrality is above x: a Poisson mean, of rate noncentrality/2, of the
// probabilities with d + 2 j degrees of freedom. What it leaves out is below 1e-13.
func noncentralAbove(x, d, noncentrality float64) float64 {
	rate := noncentrality / 2
	reach := 8*math.Sqrt(rate) + 40
	total := 0.0
	for j := math.Max(0, math.Floor(rate-reach)); j <= rate+reach; j++ {
		lg, _ := math.Lgamma(j + 1)
		weight := math.Exp(-rate + j*number.Log(math.Max(rate, math.SmallestNonzeroFloat64)) - lg)
		total += weight * mathext.GammaIncRegComp(d/2+j, x/2)
	}
	return total
}

// Power says which distributions a test would have found with at least DetectionProbability. Both
// fields are NaN if there are too few draws to say.
type Power struct {
	// KL is for distributions that change every probability by a small part of it: the least
	// divergence that is found, in nats a draw. See SpreadDivergence.
	KL float64
	// Rare is for distributions with one nearly certain outcome: the least fraction of other
	// outcomes that is found.
	Rare float64
}

// mostMissed is the part of the draws up to which a wrong distribution may be missed by a test that
// has passed.
const mostMissed = 0.1

// Decides reports whether the test would have found enough to be a pass.
func (p Power) Decides() bool { return !math.IsNaN(p.KL) || p.Rare <= mostMissed }

// DrawsToDecide returns the least number of draws of the distribution p, from n on, that decide
// (see Power).
func DrawsToDecide(p []float64, n int, logThreshold float64) int {
	logThreshold = asked(logThreshold)
	decides := func(draws int) bool { // as PowerOf, without looking for the root
		found := spreadFound(p, draws, logThreshold)
		return found != nil && found(mostSpread) || rareFound(p, draws, logThreshold) <= mostMissed
	}
	if decides(n) {
		return n
	}
	most := max(2, 2*n)
	for !decides(most) {
		n = most
		most *= 2
	}
	return n + 1 + sort.Search(most-n-1, func(more int) bool { return decides(n + 1 + more) })
}

// Excluded says which distributions would have been found; empty if the test does not decide.
func (p Power) Excluded() string {
	switch {
	case !p.Decides():
		return ""
	case math.IsNaN(p.KL):
		return fmt.Sprintf(
			"a distribution with probability %.2g or more outside the likeliest state would have been found",
			p.Rare,
		)
	}
	// By Pinsker's inequality a distribution that is so far away in total variation is at least as
	// far away in divergence.
	return fmt.Sprintf("a total variation of %.2g or more would have been found", math.Sqrt(p.KL/2))
}

// PowerOf returns the power of the test of the distribution p by n draws.
func PowerOf(p []float64, n int, logThreshold float64) Power {
	out := Power{math.NaN(), math.NaN()}
	if n == 0 {
		return out
	}
	logThreshold = asked(logThreshold)
	out.KL = spreadDivergence(p, n, logThreshold)
	if math.IsNaN(out.KL) {
		out.Rare = rareFound(p, n, logThreshold)
	}
	return out
}

// asked is the threshold that a power is about: a lower one is reached by chance too often for the
// question.
func asked(logThreshold float64) float64 {
	return max(logThreshold, -number.Log(1-DetectionProbability))
}

// rareFound returns Power.Rare of a distribution with one nearly certain outcome; NaN of any other.
func rareFound(p []float64, n int, logThreshold float64) float64 {
	rising := slices.Sorted(slices.Values(p))
	likeliest := len(rising) - 1
	switch rest := number.Total(rising[:likeliest]); {
	case rest == 0: // whatever else is drawn is impossible, and found at once
		return -math.Expm1(number.Log(1-DetectionProbability) / float64(n))
	case rest*float64(n) < 1: // the likeliest of the others is found the latest
		_, rare := Detectable(rising[likeliest-1], n, logThreshold)
		return rare
	}
	return math.NaN()
}
