package verdicts

import (
	"math"
	"sort"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"

	"breadboard/chains/number"
	"breadboard/exact/weights"
)

// DetectionProbability is the probability with which a deviation must be found to count as
// detectable.
const DetectionProbability = 0.99

// Detectable returns how far the true probability of a cell must be from p to be found by n draws:
// every true probability from 0 to low and from high to 1 makes the log e-value of CountsLogE, for
// the draws in the cell and those outside, at least logThreshold after n draws, with probability
// DetectionProbability or more. Between low and high that probability is smaller. low is -Inf and
// high is +Inf if no true probability on that side is found. For the average of CellsLogE over m
// cells, of which the others contribute nothing, logThreshold is larger by log m.
//
// p is above 0 and below 1, n at least 1, and logThreshold at least -log(1 - DetectionProbability),
// because a test with a lower one would be true by chance too often for the question. Detectable
// panics if they are not. A test that looks at earlier times as well finds at least as much.
//
// As a function of the count, an e-value of CountsLogE is a mean of functions whose logarithms are
// convex: it is convex, so that it reaches the threshold outside of an interval of counts, whose
// ends bisection finds. The probability of that is two tails of a binomial distribution. It takes
// some hundred e-values and binomial tails.
func Detectable(p float64, n int, logThreshold float64) (low, high float64) {
	return DetectableLevel(weights.Bracket{Low: p, Value: p, High: p}, n, logThreshold)
}

// DetectableLevel is Detectable for the log e-value of one level of LevelsLogE, whose probability
// is known within bounds. Every true probability that is found lies outside of them.
func DetectableLevel(p weights.Bracket, n int, logThreshold float64) (low, high float64) {
	if !(p.Value > 0 && p.Value < 1) || n < 1 || !(logThreshold >= -number.Log(1-DetectionProbability)) {
		panic("verdicts: Detectable needs 0 < p < 1, at least one draw, and a log threshold of at least " +
			"-log(1 - DetectionProbability)")
	}
	found := foundBy(p, n, logThreshold)
	return boundary(0, p.Low, found), boundary(1, p.High, found)
}

// foundBy returns whether n draws find a true probability with verdicts.DetectionProbability.
func foundBy(p weights.Bracket, n int, logThreshold float64) func(truth float64) bool {
	below, above := region(p, n, logThreshold)
	return func(truth float64) bool {
		return atMost(below, n, truth)+atLeast(above, n, truth) >= DetectionProbability
	}
}

// region returns the largest count below n p.Low and the smallest above n p.High at which the log
// e-value reaches the threshold; -1 and n + 1 if there is none.
func region(p weights.Bracket, n int, logThreshold float64) (below, above int) {
	reached := func(c int) bool { return levelLogE(c, n, p) >= logThreshold }
	// Below n p.Low the e-value is against p.Low, and there the likelihood ratio of any
	// distribution to that is at most one. So by convexity it falls up to there, and rises from n
	// p.High on in the same way. Between the two it is at most one.
	down := int(math.Floor(float64(n) * p.Low))
	up := int(math.Ceil(float64(n) * p.High))
	below = down - sort.Search(down+1, func(i int) bool { return reached(down - i) })
	above = up + sort.Search(n-up+1, func(i int) bool { return reached(up + i) })
	return below, above
}

// boundary returns the number nearest to p, on the way from an end, that is found. It is infinite
// if the end is not found.
func boundary(end, p float64, found func(truth float64) bool) float64 {
	if !found(end) {
		return math.Inf(int(2*end - 1))
	}
	in := end
	out := p
	for {
		middle := in + (out-in)/2
		if middle == in || middle == out {
			return in
		}
		if found(middle) {
			in = middle
		} else {
			out = middle
		}
	}
}

// BinomialBand returns the counts between which, both included, a binomial count of n lies with a
// probability of at least 1 - alpha, with at most alpha/2 on either side. A probability below zero
// counts as zero, and one above one as one.
func BinomialBand(n int, p, alpha float64) (low, high int) {
	switch {
	case n == 0 || p <= 0:
		return 0, 0
	case p >= 1:
		return n, n
	}
	b := distuv.Binomial{N: float64(n), P: p}
	low = sort.Search(n, func(k int) bool { return b.CDF(float64(k)) > alpha/2 })
	high = sort.Search(n, func(k int) bool { return 1-b.CDF(float64(k)) <= alpha/2 })
	return low, high
}

// atMost returns the probability that a binomial count is at most c.
func atMost(c, n int, p float64) float64 { return distuv.Binomial{N: float64(n), P: p}.CDF(float64(c)) }

// atLeast returns the probability that a binomial count is at least c.
func atLeast(c, n int, p float64) float64 {
	switch {
	case c <= 0:
		return 1
	case c > n:
		return 0
	}
	return mathext.RegIncBeta(float64(c), float64(n-c)+1, p)
}

// Divergence returns the Kullback-Leibler divergence KL(truth || p), in nats, of two probabilities
// of an event. It keeps its digits if the two are nearly equal, and is +Inf if p is 0 or 1 and
// truth is not.
func Divergence(truth, p float64) float64 {
	if truth == p {
		return 0
	}
	return excess(truth, p, truth-p) + excess(1-truth, 1-p, p-truth)
}

// excess returns a log(a/b) - (a - b), which is not negative, from the difference a - b.
func excess(a, b, difference float64) float64 {
	if a == 0 {
		return b
	}
	if b == 0 {
		return math.Inf(1)
	}
	x := difference / b
	if math.Abs(x) > 0.25 {
		return a*number.LogRatio(a, b) - difference
	}
	// b ((1 + x) log(1 + x) - x), where log(1 + x) is twice the sum of s^k/k over odd k, with s =
	// x/(2 + x) and 1 + x = (1 + s)/(1 - s). The first term and x leave 2 s^2/(1 - s).
	s := x / (2 + x)
	square := s * s
	sum := 0.0
	for _, term := range [...]float64{1. / 17, 1. / 15, 1. / 13, 1. / 11, 1. / 9, 1. / 7, 1. / 5, 1. / 3} {
		sum = square * (term + sum)
	}
	return 2 * b * s * (s + (1+s)*sum) / (1 - s)
}
