package pair

import (
	"context"
	"fmt"
	"math"
	"slices"

	"breadboard/chains/number"
	"breadboard/experiments/annealing/ais"
	"breadboard/experiments/subject"
)

// exchange tests which log weights are of reverse chains. By Crooks's relation the reverse ones
// among the values of a block, given how many there are, have a probability proportional to the
// product of their weights e^l, for any R and any densities. Alternatives replace e^l by another
// function of l. The average of their likelihood ratios is an e-value.
//
// Source: Crooks 1999, equation 9; Shirts, Bair, Hooker and Pande 2003 (the logistic form); Cox
// 1972 (the conditional likelihood).
type exchange struct {
	blocks       []block
	centre, unit float64 // of all values: their mean and standard deviation
}

// block has values of both directions, which are exchangeable but for their weights.
type block struct{ forward, reverse []float64 }

// blockSize is the largest number of values of the direction that has fewer in a block.
const blockSize = 64

func newExchange(forward, reverse []float64) *exchange {
	fewer := min(len(forward), len(reverse))
	n := (fewer + blockSize - 1) / blockSize
	e := &exchange{}
	part := func(all []float64, i int) []float64 { return all[i*len(all)/n : (i+1)*len(all)/n] }
	for i := range n {
		e.blocks = append(e.blocks, block{part(forward, i), part(reverse, i)})
	}
	all := slices.Concat(forward, reverse)
	mean := ais.Mean(all)
	e.centre, e.unit = mean.Value, mean.StandardError*math.Sqrt(float64(len(all)))
	return e
}

// alternative is what another relation between the densities adds to the log odds l + constant that
// a value is of a reverse chain.
type alternative struct {
	slope, curvature float64
}

// alternatives are slopes of the log odds other than one, and curved log odds.
func alternatives() (list []alternative) {
	list = append(list, alternative{slope: -2})
	for by := 1.0; by >= 1./64; by /= 2 {
		list = append(list, alternative{slope: by}, alternative{slope: -by})
	}
	for by := 1.0; by >= 1./64; by /= 4 {
		list = append(list, alternative{curvature: by}, alternative{curvature: -by})
	}
	return list
}

// String describes what the log weights look like.
func (a alternative) String() string {
	if a.curvature != 0 {
		return "log(p_R/p_F) is curved; against log w it must be a line"
	}
	return fmt.Sprintf("log(p_R/p_F) has a slope of about %.3g against log w; it must be 1", 1+a.slope)
}

// logE returns the log e-value, that of the best alternative alone, and what this says.
func (e *exchange) logE(ctx context.Context, workers int) (logE, best float64, where alternative, err error) {
	list := alternatives()
	values := make([]float64, len(list))
	null := e.logLikelihood(alternative{})
	err = subject.Parallel(ctx, len(list), workers, func(ctx context.Context, i int) error {
		values[i] = e.logLikelihood(list[i]) - null
		return ctx.Err()
	})
	best = math.Inf(-1)
	for i, v := range values {
		if v > best {
			best, where = v, list[i]
		}
	}
	return number.LogMean(values), best, where, err
}

// logLikelihood returns the log of the conditional probability of which values are reverse.
func (e *exchange) logLikelihood(a alternative) (total float64) {
	odds := func(l float64) float64 {
		z := l - e.centre
		if a.curvature != 0 && e.unit > 0 {
			return z + a.curvature*(z/e.unit)*(z/e.unit)
		}
		return z + a.slope*z
	}
	for _, b := range e.blocks {
		total += b.logLikelihood(odds)
	}
	return total
}

// logLikelihood divides the product of e^odds over the reverse values by its sum over all choices
// of as many values. This sum, an elementary symmetric polynomial, is a probability that
// independent events number as many, so that nothing overflows: those of probability 1/(1 + e^(at -
// odds)).
func (b block) logLikelihood(odds func(l float64) float64) float64 {
	n, m := len(b.forward), len(b.reverse)
	v := make([]float64, 0, n+m)
	for _, side := range [][]float64{b.forward, b.reverse} {
		for _, l := range side {
			v = append(v, odds(l))
		}
	}
	at := balancing(v, m)
	logL := 0.0
	few, sign := m, 1.0
	if n < m { // which forward values there are says the same, and takes less
		few, sign = n, -1
	}
	sums := make([]float64, few+1)
	sums[0] = 1
	for i, x := range v {
		if i < n {
			logL -= softplus(x - at)
		} else {
			logL -= softplus(at - x)
		}
		p := 1 / (1 + math.Exp(sign*(at-x)))
		q := 1 / (1 + math.Exp(sign*(x-at)))
		for k := min(i+1, few); k > 0; k-- {
			sums[k] = sums[k]*q + sums[k-1]*p
		}
		sums[0] *= q
	}
	return logL - number.Log(sums[few])
}

// balancing returns about where the sum of 1/(1 + e^(at - v)) is m. Any point is right, and this
// one makes the probability of m events large.
func balancing(v []float64, m int) float64 {
	low, high := v[0], v[0]
	for _, x := range v {
		low, high = min(low, x), max(high, x)
	}
	reach := 2 + number.Log(float64(len(v)))
	low, high = low-reach, high+reach
	for range 60 {
		at := low + (high-low)/2
		sum := 0.0
		for _, x := range v {
			sum += 1 / (1 + math.Exp(at-x))
		}
		switch {
		case math.Abs(sum-float64(m)) < 1:
			return at
		case sum > float64(m):
			low = at
		default:
			high = at
		}
	}
	return low + (high-low)/2
}

// softplus returns log(1 + e^x).
func softplus(x float64) float64 { return max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) }

// balance tests a value of R, in groups of chains of both directions: for every point a,
//
//	E 1/(1 + e^(a - l)) over forward chains = R e^-a E 1/(1 + e^(l - a)) over reverse chains.
//
// It bets on the sign of the difference, which is bounded. The product of what all groups return is
// an e-value, and so is the average over points and stakes.
//
// Source: Bennett 1976, equation 8; Waudby-Smith and Ramdas 2024 (betting on bounded means).
type balance struct {
	points           []float64   // the points a
	forward, reverse [][]float64 // by point, the mean of each group
}

// mostGroups is the largest number of groups.
const mostGroups = 2048

func newBalance(forward, reverse []float64, centre float64) *balance {
	b := &balance{}
	groups := min(len(forward), len(reverse), mostGroups)
	means := func(all []float64, of func(l float64) float64) []float64 {
		out := make([]float64, groups)
		for i := range out {
			part := all[i*len(all)/groups : (i+1)*len(all)/groups]
			for _, l := range part {
				out[i] += of(l) / float64(len(part))
			}
		}
		return out
	}
	for _, a := range []float64{centre, centre - 2, centre + 2, median(forward), median(reverse)} {
		if math.IsInf(a, 0) {
			continue // every weight is zero, or infinite
		}
		b.points = append(b.points, a)
		b.forward = append(b.forward, means(forward, func(l float64) float64 { return 1 / (1 + math.Exp(a-l)) }))
		b.reverse = append(b.reverse, means(reverse, func(l float64) float64 { return 1 / (1 + math.Exp(l-a)) }))
	}
	return b
}

// median returns the median of log weights, the greater of two.
func median(l []float64) float64 {
	sorted := slices.Sorted(slices.Values(l))
	return sorted[len(sorted)/2]
}

// logE returns the log e-value against the value logR of log R.
func (b *balance) logE(logR float64) float64 {
	var logs []float64
	for k, a := range b.points {
		own, other := 1/(1+math.Exp(logR-a)), 1/(1+math.Exp(a-logR)) // the difference is from -other to own
		for _, stake := range []float64{0.9, 0.5, 0.2, 0.05} {
			logs = append(logs, b.gain(k, own, other, stake/other), b.gain(k, own, other, -stake/own))
		}
	}
	return number.LogMean(logs)
}

// gain returns the log of the product of what bets at a point return.
func (b *balance) gain(point int, own, other, stake float64) (log float64) {
	product := 1.0
	for i, f := range b.forward[point] {
		product *= 1 + stake*(own*f-other*b.reverse[point][i])
		if product < 1e-200 || product > 1e200 {
			log += number.Log(product)
			product = 1
		}
	}
	return log + number.Log(product)
}

// least returns the least log e-value over all log R between two numbers, which is an e-value
// against the claim that a right one is among them. A search refines the least of a grid.
func (b *balance) least(low, high float64) float64 {
	const points = 64
	step := (high - low) / points
	at, least := low, math.Inf(1)
	for i := range points + 1 {
		if v := b.logE(low + step*float64(i)); v < least {
			at, least = low+step*float64(i), v
		}
	}
	const golden = 0.6180339887498949
	left, right := at-step, at+step
	for range 40 {
		width := golden * (right - left)
		if b.logE(right-width) < b.logE(left+width) {
			right = left + width
		} else {
			left = right - width
		}
	}
	return min(least, b.logE(left+(right-left)/2))
}
