package eprocess

import (
	"math"
	"sort"

	"gonum.org/v1/gonum/mathext"

	"breadboard/exact/weights"
)

// Found is the probability with which a deviation must be found to count as detectable.
const Found = 0.99

// Detectable returns how far the true probability of a cell must be from p to be found by n draws: every true probability
// from 0 to low and from high to 1 makes the log e-value of CountsLogE, for the draws in the cell and those outside, at least
// logThreshold after n draws, with probability Found or more. Between low and high that probability is smaller. low is -Inf and
// high is +Inf where no true probability on that side is found. For the average of CellsLogE over m cells, of which the
// others contribute nothing, logThreshold is larger by log m.
//
// p is above 0 and below 1, n at least 1, and logThreshold at least -log(1 - Found), because a test with a lower one would be
// true by chance too often for the question. Detectable panics where they are not. A test that looks at earlier times as
// well finds at least as much.
//
// As a function of the count, an e-value of CountsLogE is a mean of functions whose logarithms are convex: it is convex, so
// that it reaches the threshold outside of an interval of counts, whose ends bisection finds. The probability of that is two
// tails of a binomial law. It takes some hundred e-values and binomial tails.
func Detectable(p float64, n int, logThreshold float64) (low, high float64) {
	return DetectableLevel(weights.Bracket{Low: p, Value: p, High: p}, n, logThreshold)
}

// DetectableLevel does what Detectable does for the log e-value of one level of LevelsLogE, of which the probability of being
// below is known within bounds. Every true probability that is found lies outside of them.
func DetectableLevel(p weights.Bracket, n int, logThreshold float64) (low, high float64) {
	if !(p.Value > 0 && p.Value < 1) || n < 1 || !(logThreshold >= -math.Log(1-Found)) {
		panic("eprocess: Detectable needs 0 < p < 1, at least one draw, and a log threshold of at least -log(1 - Found)")
	}
	below, above := region(p, n, logThreshold)
	found := func(truth float64) bool { return atMost(below, n, truth)+atLeast(above, n, truth) >= Found }
	return boundary(0, p.Low, found), boundary(1, p.High, found)
}

// region returns the largest count below n p.Low and the smallest above n p.High at which the log e-value reaches the threshold;
// -1 and n + 1 where there is none.
func region(p weights.Bracket, n int, logThreshold float64) (below, above int) {
	reached := func(c int) bool { return levelLogE(c, n, p) >= logThreshold }
	// Below n p.Low the e-value is against p.Low, and there the likelihood ratio of any law to that is at most one. So by
	// convexity it falls up to there, and rises from n p.High on in the same way. Between the two it is at most one.
	down, up := int(math.Floor(float64(n)*p.Low)), int(math.Ceil(float64(n)*p.High))
	below = down - sort.Search(down+1, func(i int) bool { return reached(down - i) })
	above = up + sort.Search(n-up+1, func(i int) bool { return reached(up + i) })
	return below, above
}

// boundary returns the number nearest to p, on the way from an end, that is found. It is infinite where the end is not found.
func boundary(end, p float64, found func(truth float64) bool) float64 {
	if !found(end) {
		return math.Inf(int(2*end - 1))
	}
	in, out := end, p
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

// atMost returns the probability that a binomial count is at most c.
func atMost(c, n int, p float64) float64 {
	switch {
	case c < 0:
		return 0
	case c >= n:
		return 1
	}
	return mathext.RegIncBeta(float64(n-c), float64(c)+1, 1-p)
}

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

// Divergence returns the Kullback-Leibler divergence KL(truth || p), in nats, of one draw that is in a cell with probability
// truth from one that is with probability p. It keeps its digits where the two are nearly the same, and is +Inf where
// p is 0 or 1 and truth is not.
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
		return a*math.Log(a/b) - difference
	}
	// b ((1 + x) log(1 + x) - x), where log(1 + x) is twice the sum of s^k/k over odd k, with s = x/(2 + x) and 1 + x =
	// (1 + s)/(1 - s). The first term and x leave 2 s^2/(1 - s).
	s := x / (2 + x)
	square := s * s
	sum := 0.0
	for k := 17.0; k >= 3; k -= 2 {
		sum = square * (1/k + sum)
	}
	return 2 * b * s * (s + (1+s)*sum) / (1 - s)
}

// Ratio is the log of the likelihood of one draw under the true law over that under another, in nats, where the draw is possible under both.
type Ratio struct {
	Mean, Variance float64
	Third          float64 // the third central moment; 0 takes no skewness into account
	Impossible     float64 // the probability of a draw that is impossible under the other law
}

// foundQuantile is how many standard deviations of a normal law are exceeded with the probability 1 - Found.
const foundQuantile = 2.3263478740408408

// Draws returns the number of draws after which the sum of their log ratios is at least target nats with a probability of about Found; +Inf
// where no number is enough. The sum is taken to be normal, but for a skewness towards small values, which moves the quantile by the
// first term of its expansion (Cornish and Fisher 1938). A draw that is impossible under the other law decides at once.
func (r Ratio) Draws(target float64) float64 {
	n := math.Inf(1)
	if r.Impossible > 0 {
		n = max(1, math.Ceil(math.Log1p(-Found)/math.Log1p(-min(r.Impossible, 1-1e-16))))
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
