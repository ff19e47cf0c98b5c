package verdicts

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/chains/number"
)

// For each exponent l, exp(l S - n K(l)) has mean one over the sums S of n independent log weights
// with K(l) = log E[w^l]; the average over several l is the e-value. For counts n_i with total n
// and a distribution p, it is the average over kappa of
//
//	prod_i (kappa p_i)_(n_i) / ((kappa)_(n) p_i^n_i),    (a)_(k) = a (a+1) ... (a+k-1).
//
// Both take O(cells) for each l or kappa.
//
// Source: Good 1965; Ville 1939.

// Powers returns the exponents l for which a weight test computes E[w^l]: plus and minus 2^k, from
// 2^-10 to 2. With n chains the exponent l shows deviations of the mean log weight of some l/2
// variances and more, so that these are for up to about 10^6 chains, and for more if the variance
// of log w is small.
func Powers() []float64 { return powersFrom(-10) }

// FinePowers returns the exponents for tests of more chains: plus and minus 2^k, from 2^-20 to 2.
// They cost the average log(44/24) = 0.6 nats more.
func FinePowers() []float64 { return powersFrom(-20) }

func powersFrom(least int) []float64 {
	var l []float64
	for k := least; k <= 1; k++ {
		l = append(l, math.Ldexp(1, k), -math.Ldexp(1, k))
	}
	return l
}

// WeightsLogE returns the log e-value of the sum of n log weights, all finite: the average over l
// of exp(l sum - n K(l)), where K(l) = log E[w^l] is conditional on a finite log weight. A chain
// whose weight is zero or infinite counts as a factor of one; another test is for the number of
// such chains.
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

// StatePowers returns the exponents l of the weight tests that have a distribution for each state.
func StatePowers() []float64 { return []float64{-1, -0.25, -0.0625, 0.0625, 0.25, 1} }

// StatesLogE returns the log e-value of log weights given one end of the chains. There are n[x]
// chains with end x, whose log weights sum to sum[x], and k[i][x] = log E[w^l[i] | the end is x].
// Each state has an e-value, and the result is the average of two: the product over the states,
// which finds a fault at many states, and the mean over the states, which finds a fault at one.
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

// WorstState returns the state whose mean log weight deviates most from its distribution.
func WorstState(what string, sum []float64, n []int, l []float64, k [][]float64) string {
	worst := 0
	most := math.Inf(-1)
	for x, c := range n {
		if c == 0 {
			continue
		}
		for i := range l {
			if e := l[i]*sum[x] - float64(c)*k[i][x]; e > most {
				worst = x
				most = e
			}
		}
	}
	return fmt.Sprintf("mean log w of the %d chains with %s = %d is %.6g", n[worst], what, worst,
		sum[worst]/float64(n[worst]))
}

// LargestWeight returns a bound on the log weights of an annealing's forward chains, in nats: the
// sum over the stages t = 2..T of the largest increment of a state with f_{t-1} > 0. No estimate of
// Z_T / Z_1 that is an average of products of these increments is larger: AIS with any number of
// chains, and SMC with any resampling, since each stage contributes an average of increments. On a
// geometric path from the uniform distribution it is the largest log f_T - log f_1, which the chain
// that stays at the highest state attains. Estimates of Z_T itself are larger by log Z_1, which the
// caller adds.
//
// Time is O(T states). It fails if the context ends, and if no state is possible.
func LargestWeight(ctx context.Context, a *chains.Annealing) (float64, error) {
	return extremeWeight(ctx, a, math.Inf(-1), math.Max)
}

// SmallestWeight returns the corresponding lower bound: the sum of the smallest increments. No
// estimate that is one over an average of products of inverse increments is smaller, such as that
// of reverse chains and the harmonic mean.
func SmallestWeight(ctx context.Context, a *chains.Annealing) (float64, error) {
	return extremeWeight(ctx, a, math.Inf(1), math.Min)
}

// extremeWeight sums the extremes of the increments, beginning from the none of an extreme.
func extremeWeight(ctx context.Context, a *chains.Annealing, none float64,
	extreme func(a, b float64) float64) (float64, error) {
	centred, offset := a.Centred()
	n := centred.States()
	before := make([]float64, n)
	after := make([]float64, n)
	ratio := make([]float64, n)
	centred.LogF(before, 1)
	total := 0.0
	for t := 2; t <= centred.Distributions(); t++ {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		centred.LogF(after, t)
		centred.LogRatio(ratio, t)
		most := none
		for x := range n {
			if !math.IsInf(before[x], -1) && !math.IsInf(after[x], -1) {
				most = extreme(most, ratio[x])
			}
		}
		if most == none {
			return 0, fmt.Errorf("stage t = %d: f_t is zero wherever f_{t-1} is positive, so every weight is zero", t)
		}
		total += most
		before, after = after, before
	}
	return total + offset, nil
}

// ConcentrationCount is the number of Concentrations.
const ConcentrationCount = 7

// concentrations are the kappa over which a count test averages: a small kappa finds large faults
// with few draws, a large kappa finds slight faults.
func concentrations() [ConcentrationCount]float64 {
	return [...]float64{30, 300, 3e3, 3e4, 3e5, 3e6, 3e7}
}

// CountsLogE returns the log e-value of counts against probabilities p: the average over kappa of
// the likelihood ratio of the Dirichlet-multinomial mixture with parameters kappa p to the
// multinomial p. It is +Inf if a cell of probability zero was hit. Cells without a draw cost next
// to nothing.
//
// Source: Good 1965 (mixtures of Dirichlet distributions); Ville 1939; Ramdas, Grünwald, Vovk and
// Shafer 2023, section 6.
func CountsLogE(counts []int, p []float64) float64 {
	total := 0
	for _, c := range counts {
		total += c
	}
	return countsLogEGiven(counts, p, ofTotal(total))
}

// ofTotal returns by kappa what the number of all draws adds to the log likelihood ratio.
func ofTotal(draws int) (terms [ConcentrationCount]float64) {
	for k, kappa := range concentrations() {
		terms[k] = -excessRising(kappa, float64(draws))
	}
	return terms
}

// countsLogEGiven is CountsLogE with the terms of the total.
func countsLogEGiven(counts []int, p []float64, terms [ConcentrationCount]float64) float64 {
	kappas := concentrations()
	for i, c := range counts {
		if c == 0 {
			continue
		}
		if p[i] == 0 {
			return math.Inf(1)
		}
		for k, kappa := range kappas { // the powers of kappa p, of kappa, and of p cancel
			terms[k] += excessRising(kappa*p[i], float64(c))
		}
	}
	return number.LogMean(terms[:])
}

// CellsLogE returns the log e-value of single cells: the average over the cells of the e-value of
// CountsLogE for the draws in that cell and those in all the others. It finds a fault in a single
// cell; Detectable gives the smallest such fault.
func CellsLogE(counts []int, p []float64) float64 { return number.LogMean(eachCell(counts, p)) }

// eachCell returns the log e-values that CellsLogE averages.
func eachCell(counts []int, p []float64) []float64 {
	logs := make([]float64, len(p))
	total := 0
	for _, c := range counts {
		total += c
	}
	whole := ofTotal(total)
	for i, c := range cells(counts, p) {
		logs[i] = countsLogEGiven(c.counts[:], c.p[:], whole)
	}
	return logs
}

// SingleCell returns CellsLogE, and a function that names the cell whose count deviates most.
func SingleCell(counts []int, p []float64, name func(cell int) string) (logE float64, where func() string) {
	each := eachCell(counts, p)
	worst := 0
	total := 0
	for i, c := range counts {
		total += c
		if each[i] > each[worst] {
			worst = i
		}
	}
	return number.LogMean(each), func() string {
		return fmt.Sprintf("%s: %d of %d draws, %.6g expected",
			name(worst), counts[worst], total, float64(total)*p[worst])
	}
}

// cell is one cell against all the others.
type cell struct {
	counts [2]int
	p      [2]float64
}

// cells returns each cell against all the others. The probability of the others is a sum of theirs
// and not one minus that of the cell, which would cancel if the cell is nearly certain.
func cells(counts []int, p []float64) []cell {
	out := make([]cell, len(p))
	total := 0
	below := 0.0
	for i, c := range counts {
		total += c
		out[i].p[1] = below
		below += p[i]
	}
	above := 0.0
	for i := len(p) - 1; i >= 0; i-- {
		out[i].counts = [2]int{counts[i], total - counts[i]}
		out[i].p[0] = p[i]
		out[i].p[1] += above
		above += p[i]
	}
	return out
}

// stirlingFrom is the number from which the terms of Stirling's series that stirling has are all
// that a float64 shows.
const stirlingFrom = 10

// excessRising returns log(a (a+1) ... (a+n-1)) - n log a for a > 0 and whole n, to some units in
// the last place. It is small where a is large beside n^2. The logarithms of Gamma of which it is a
// difference may then be 10^10 times as large, and would leave no more than six digits of it.
func excessRising(a, n float64) float64 {
	l := 0.0
	if a < stirlingFrom || n <= 8 { // the first factors one by one
		// of a + i, and of 1 + i/a less one
		product := 1.0
		above := 0.0
		m := math.Min(n, stirlingFrom)
		for i := 1.0; i < m; i++ {
			product *= a + i
			above += i / a * (1 + above)
		}
		if m == 0 {
			return 0
		}
		l = math.Log1p(above)
		if a < 1 {
			l = number.Log(product) - (m-1)*number.Log(a)
		}
		if m == n {
			return l
		}
		l += (n - m) * (number.Log(a+m) - number.Log(a))
		a += m
		n -= m
	}
	return l + excess(a+n, a, n) - math.Log1p(n/a)/2 + stirling(a+n) - stirling(a)
}

// stirling returns log Gamma(z) - (z - 1/2) log z + z - log(2 pi)/2 for z >= stirlingFrom.
//
// Source: Abramowitz and Stegun 1964, 6.1.40.
func stirling(z float64) float64 {
	s := 1 / (z * z)
	return (1./12 + s*(-1./360+s*(1./1260+s*(-1./1680+s*(1./1188+s*(-691./360360+s/156)))))) / z
}

// hitsLogLikelihood returns the log probability of a sequence of counts[0] hits, of probability p
// each, and counts[1] misses.
func hitsLogLikelihood(counts [2]int, p float64) float64 {
	l := 0.0
	if counts[0] > 0 {
		l += float64(counts[0]) * number.Log(p)
	}
	if counts[1] > 0 {
		l += float64(counts[1]) * math.Log1p(-p)
	}
	return l
}

// WorstCell returns the cell whose count deviates most from its expectation, in standard
// deviations.
func WorstCell(counts []int, p []float64, name func(cell int) string) string {
	total := 0
	for _, c := range counts {
		total += c
	}
	worst := -1
	size := -1.0
	for i, c := range counts {
		want := float64(total) * p[i]
		z := math.Abs(float64(c) - want)
		if z > 0 {
			z /= math.Sqrt(want + 1e-300)
		}
		if z > size {
			worst = i
			size = z
		}
	}
	return fmt.Sprintf("%s: %d of %d draws, %.6g expected", name(worst), counts[worst], total, float64(total)*p[worst])
}
