package crosscheck

import (
	"fmt"
	"math"
)

// An e-process is a running product that has expectation at most one, at every stopping time, if the draws have
// the law that is tested. So by Ville's inequality it ever reaches 1/a with probability at most a. The functions below
// compute its logarithm from totals over the draws.

// concentrations are the kappa over which a count test averages: a small kappa finds large faults with few draws, a large
// kappa finds slight faults.
func concentrations() []float64 { return []float64{30, 300, 3e3, 3e4, 3e5, 3e6, 3e7} }

// CountsLogE returns the log e-value of counts against probabilities p: the average over kappa of the
// likelihood ratio of the Dirichlet-multinomial mixture with parameters kappa p to the multinomial p. It is
// +Inf where a cell of probability zero was hit.
//
// Source: Good 1965 (mixtures of Dirichlet laws); Ville 1939; Ramdas, Grünwald, Vovk and Shafer 2023, section 6.
func CountsLogE(counts []int, p []float64) float64 {
	total := 0.0
	for i, c := range counts {
		if c > 0 && p[i] == 0 {
			return math.Inf(1)
		}
		total += float64(c)
	}
	terms := make([]float64, 0, len(concentrations()))
	for _, kappa := range concentrations() {
		l := -rising(kappa, total)
		for i, c := range counts {
			if c > 0 {
				l += rising(kappa*p[i], float64(c)) - float64(c)*math.Log(p[i])
			}
		}
		terms = append(terms, l)
	}
	return logMean(terms)
}

// rising returns log(a (a+1) ... (a+n-1)).
func rising(a, n float64) float64 {
	if n <= 8 { // the difference of two logarithms of Gamma would lose digits
		l := 0.0
		for i := 0.0; i < n; i++ {
			l += math.Log(a + i)
		}
		return l
	}
	high, _ := math.Lgamma(a + n)
	low, _ := math.Lgamma(a)
	return high - low
}

// powers returns the exponents l for which a weight test computes E[w^l]: plus and minus 2^k.
func powers() []float64 {
	var l []float64
	for k := -10; k <= 1; k++ {
		l = append(l, math.Ldexp(1, k), -math.Ldexp(1, k))
	}
	return l
}

// weightsLogE returns the log e-value of the sum of n log weights, all finite: the average over l of
// exp(l sum - n K(l)), where K(l) = log E[w^l] is conditional on a finite log weight. A chain whose weight is zero or
// infinite counts as a factor of one; another test is for the number of such chains.
func weightsLogE(sum float64, n int, l, k []float64) float64 {
	if math.IsNaN(sum) {
		return math.Inf(1)
	}
	terms := make([]float64, len(l))
	for i := range l {
		terms[i] = l[i]*sum - float64(n)*k[i]
	}
	return logMean(terms)
}

// statePowers returns the exponents l of the weight tests that have a law for each state.
func statePowers() []float64 { return []float64{-1, -0.25, -0.0625, 0.0625, 0.25, 1} }

// statesLogE returns the log e-value of log weights given one end of the chains. Of the chains whose end is state x there
// are n[x], their log weights sum to sum[x], and k[i][x] = log E[w^l[i] | the end is x]. Each state has an e-value, and the
// result is the average of two: the product over the states, which finds a fault that is at many states, and the mean over
// the states, which finds a fault that is at one.
func statesLogE(sum []float64, n []int, l []float64, k [][]float64) float64 {
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
		each[x] = logMean(terms)
		all += each[x]
	}
	return logMean([]float64{all, logMean(each)})
}

// worstState says at which state the mean log weight deviates most from its law.
func worstState(what string, sum []float64, n []int, l []float64, k [][]float64) string {
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

// levelsLogE returns the log e-value of the numbers of log weights, of n, that are below each level. The probability of
// being below a level is known within bounds. The e-value of a level is the mixture likelihood of CountsLogE divided by
// the largest likelihood that a probability within the bounds gives; it is no larger than with the true probability, so
// that bounds, however wide, give no false alarm. The result is the average over the levels.
func levelsLogE(below []int, n int, levels []level) float64 {
	terms := make([]float64, len(levels))
	for i, l := range levels {
		counts := []int{below[i], n - below[i]}
		share := float64(below[i]) / float64(max(1, n))
		best := max(l.p.Low, min(l.p.High, share))
		terms[i] = CountsLogE(counts, []float64{l.p.Value, 1 - l.p.Value}) + logLikelihood(counts, l.p.Value) - logLikelihood(counts, best)
	}
	return logMean(terms)
}

// logLikelihood returns the log probability of a sequence of counts[0] hits, of probability p each, and counts[1] misses.
func logLikelihood(counts []int, p float64) float64 {
	l := 0.0
	if counts[0] > 0 {
		l += float64(counts[0]) * math.Log(p)
	}
	if counts[1] > 0 {
		l += float64(counts[1]) * math.Log1p(-p)
	}
	return l
}

// worstLevel says at which level the count deviates most from its expectation, in standard deviations.
func worstLevel(below []int, n int, levels []level) string {
	worst := 0
	off := func(i int) float64 {
		p := levels[i].p.Value
		return math.Abs(float64(below[i])-float64(n)*p) / math.Sqrt(p*(1-p))
	}
	for i := range levels {
		if off(i) > off(worst) {
			worst = i
		}
	}
	l := levels[worst]
	return fmt.Sprintf("log w < %.6g: %d of %d chains, %.6g expected", l.x, below[worst], n, float64(n)*l.p.Value)
}

// logMean returns the log of the mean of exp(v).
func logMean(v []float64) float64 {
	top := math.Inf(-1)
	for _, x := range v {
		top = max(top, x)
	}
	if math.IsInf(top, 0) {
		return top
	}
	total := 0.0
	for _, x := range v {
		total += math.Exp(x - top)
	}
	return top + math.Log(total/float64(len(v)))
}

// WorstCell says which cell of a count test deviates most from its expectation, in standard deviations.
func WorstCell(counts []int, p []float64, name func(cell int) string) string {
	total := 0
	for _, c := range counts {
		total += c
	}
	worst, size := -1, -1.0
	for i, c := range counts {
		want := float64(total) * p[i]
		z := math.Abs(float64(c) - want)
		if z > 0 {
			z /= math.Sqrt(want + 1e-300)
		}
		if z > size {
			worst, size = i, z
		}
	}
	return fmt.Sprintf("%s: %d of %d draws, %.6g expected", name(worst), counts[worst], total, float64(total)*p[worst])
}
