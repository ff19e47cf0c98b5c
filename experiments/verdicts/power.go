package verdicts

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"

	"breadboard/chains/number"
	"breadboard/exact/weights"
)

// A bet l multiplies an e-value by F = 1 + l (Y - 1) for each draw. By Chernoff's bound, with any a
// > 0,
//
//	P(sum of n log F < s) <= exp(a s) E[F^-a]^n,
//
// so that n = (a s - log miss)/-log E[F^-a] draws reach s with probability 1 - miss or more. The
// least n over a is found by golden-section search, in O(values) for each a.
//
// Source: Chernoff 1952.

// Law is a distribution of log Zhat on finitely many values, in nats. Values may be -Inf, for zeros
// of Zhat.
type Law struct{ Values, P []float64 }

// validate fails if the distribution is none.
func (l Law) validate() error {
	if len(l.Values) != len(l.P) || len(l.P) == 0 {
		return fmt.Errorf("a distribution of %d values with %d probabilities; give one for each value",
			len(l.Values), len(l.P))
	}
	for i, p := range l.P {
		if !(p >= 0 && p <= 1) || math.IsNaN(l.Values[i]) {
			return fmt.Errorf(
				"value %d of the distribution is %v, with probability %v; give a number or an infinity, "+
					"and a probability from 0 to 1",
				i, l.Values[i], p)
		}
	}
	return nil
}

// DrawsToFind returns a number of draws after which LogE is at least the threshold with probability
// at least 1 - miss, for independent estimates with a given distribution, right or wrong. It is
// +Inf if the test is not certain to find this distribution, such as one that agrees with the
// claim. Estimates already added do not matter.
//
// The number is a bound, which holds for every distribution and is often within a factor of two.
// For each side and bet l it is Chernoff's: a sum of n terms log F, F = 1 + l (Y - 1), is below s
// with a probability of at most exp(a s) E[F^-a]^n for all a > 0. Time is O(values).
//
// Source: Chernoff 1952.
func (t *Test) DrawsToFind(l Law, threshold, miss float64) (float64, error) {
	if err := l.validate(); err != nil {
		return 0, err
	}
	if !(threshold > 0) || !(miss > 0 && miss < 1) {
		return 0, fmt.Errorf(
			"threshold %v and probability %v to miss the distribution; give a positive threshold and a "+
				"probability between 0 and 1",
			threshold, miss)
	}
	return t.drawsToFind(l, 0, threshold, miss), nil
}

// drawsToFind is DrawsToFind for the distribution of which all values are larger by a shift.
func (t *Test) drawsToFind(l Law, shift, threshold, miss float64) float64 {
	// To the threshold is added what the averages over the bets and the parts cost. What the events
	// find is left out.
	level := threshold + number.Log(bets) + number.Log(float64(t.parts()))
	fewest := math.Inf(1)
	for _, s := range t.sides {
		for _, b := range s.winning(l, shift-t.logZ) {
			if level/b.growth >= fewest {
				// by Jensen's inequality no power gives this bet, or one that grows more slowly,
				// fewer draws
				break
			}
			fewest = min(fewest, leastOverPowers(func(a float64) float64 {
				return (a*level - number.Log(miss)) / -estimatesLogMoment(b.logs, l.P, -a)
			}))
		}
	}
	return math.Ceil(fewest)
}

// winning is a bet whose log product grows under a distribution.
type winning struct {
	logs   []float64 // log F of each value of the distribution
	growth float64   // E[log F] > 0
}

// winning returns the bets whose log products grow under a distribution that is shifted, those
// first that grow the fastest.
func (s *side) winning(l Law, shift float64) (won []winning) {
	for k := range bets {
		logs, possible := s.logFactors(l, shift, k)
		if !possible {
			return nil
		}
		growth := 0.0
		for i, p := range l.P {
			if p > 0 {
				growth += p * logs[i]
			}
		}
		if growth > 0 {
			won = append(won, winning{logs, growth})
		}
	}
	slices.SortStableFunc(won, func(a, b winning) int { return cmp.Compare(b.growth, a.growth) })
	return won
}

// logFactors returns log F of each value of a distribution that is shifted, for the bet 2^-k. It
// returns false if the side is given up at some value.
func (s *side) logFactors(l Law, shift float64, k int) (logs []float64, possible bool) {
	logs = make([]float64, len(l.P))
	for i, p := range l.P {
		if p == 0 {
			continue
		}
		excess, logY := s.draw(l.Values[i] + shift)
		switch {
		case !(excess >= -1):
			return nil, false
		case k == 0:
			logs[i] = logY
		case excess > huge:
			logs[i] = logY - float64(k)*math.Ln2
		default:
			logs[i] = math.Log1p(math.Ldexp(excess, -k))
		}
	}
	return logs, true
}

// estimatesLogMoment returns log E[F^a].
func estimatesLogMoment(logs, p []float64, a float64) float64 {
	terms := make([]float64, len(logs))
	for i := range logs {
		terms[i] = number.Log(p[i])
		if p[i] > 0 {
			terms[i] += a * logs[i]
		}
	}
	return number.LogSumExp(terms)
}

// leastOverPowers returns the least positive value that f has at the powers a > 0 that are tried,
// and +Inf if it has none. Any power gives a valid bound, and a golden-section search finds the
// best one, since a linear function of a over a concave one that is positive falls to its least
// value and then rises. If the concave function is not positive f is taken for infinite.
func leastOverPowers(f func(a float64) float64) float64 {
	const smallest, largest, steps = -30.0, 10.0, 60 // of log a
	at := func(log float64) float64 {
		if v := f(math.Exp(log)); v > 0 {
			return v
		}
		return math.Inf(1)
	}
	_, least := Least(at, smallest, largest, steps)
	return least
}

// Least returns the minimum of a function that falls and then rises between two numbers, and its
// place, by the given number of steps of a golden-section search. Of two equal values it keeps the
// lower side, since infinite values may be only above the minimum.
func Least(f func(x float64) float64, low, high float64, steps int) (at, least float64) {
	golden := (math.Sqrt(5) - 1) / 2
	left, right := high-golden*(high-low), low+golden*(high-low)
	fleft := f(left)
	fright := f(right)
	for range steps {
		if fleft <= fright {
			high = right
			right = left
			fright = fleft
			left = high - golden*(high-low)
			fleft = f(left)
		} else {
			low = left
			left = right
			fleft = fright
			right = low + golden*(high-low)
			fright = f(right)
		}
	}
	if fleft <= fright {
		return left, fleft
	}
	return right, fright
}

// farthest is the largest bias, as the logarithm of a factor, that Detectable looks for.
const farthest = 700

// Detectable returns the smallest biases that the test finds. The estimates are Zhat times
// exp(bias), for Zhat of the given distribution: LogE is at least the threshold after the given
// draws, with probability at least 1 - miss, for every bias of at least high or at most low. The
// distribution should be that of a correct estimator: its own exact distribution, or, as an
// indication, the estimates themselves. Low is -Inf and high +Inf if no bias in that direction is
// found. Both are in nats, to four digits, rounded to the safe side. A bias of high or more counts
// only while the biased distribution stays within the bounds that the caller has given.
func (t *Test) Detectable(l Law, draws int, threshold, miss float64) (low, high float64, err error) {
	if draws < 1 {
		return 0, 0, errors.New("zero draws detect no bias; give one draw or more")
	}
	if _, err := t.DrawsToFind(l, threshold, miss); err != nil {
		return 0, 0, err
	}
	smallest := func(sign float64) float64 {
		found := func(bias float64) bool {
			return t.drawsToFind(l, sign*bias, threshold, miss) <= float64(draws)
		}
		below := 0.0
		above := farthest * 1.0
		if !found(above) {
			return math.Inf(1)
		}
		for above-below > 1e-4*above {
			if middle := below + (above-below)/2; found(middle) {
				above = middle
			} else {
				below = middle
			}
		}
		return above
	}
	return -smallest(-1), smallest(1), nil
}

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

// SpreadDivergence returns the least Kullback-Leibler divergence KL(r || p), in nats, at which a
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
		for k, kappa := range concentrations() {
			terms[k] = -d/2*math.Log1p(float64(n)/kappa) + square/2*float64(n)/(float64(n)+kappa)
		}
		return number.LogMean(terms[:])
	}
	needed := upTo(func(square float64) bool { return logE(square) >= logThreshold })
	noncentrality := upTo(
		func(l float64) bool { return noncentralAbove(needed, d, l) >= DetectionProbability })
	if kl := noncentrality / (2 * float64(n)); kl <= 0.1 {
		return kl
	}
	return math.NaN()
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

// Excluded says which distributions would have been found; empty if the test does not decide.
func (p Power) Excluded() string {
	switch {
	case !p.Decides():
		return ""
	case math.IsNaN(p.KL):
		return fmt.Sprintf(
			"a distribution with probability %.2g or more outside the likeliest state would have been found", p.Rare)
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
	// a lower one is reached by chance too often for the question
	logThreshold = max(logThreshold, -number.Log(1-DetectionProbability))
	out.KL = SpreadDivergence(p, n, logThreshold)
	if !math.IsNaN(out.KL) {
		return out
	}
	rising := slices.Sorted(slices.Values(p))
	likeliest := len(rising) - 1
	switch rest := number.Total(rising[:likeliest]); {
	case rest == 0: // whatever else is drawn is impossible, and found at once
		out.Rare = -math.Expm1(number.Log(1-DetectionProbability) / float64(n))
	case rest*float64(n) < 1: // the likeliest of the others is found the latest
		_, out.Rare = Detectable(rising[likeliest-1], n, logThreshold)
	}
	return out
}
