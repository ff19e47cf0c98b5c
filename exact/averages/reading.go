package averages

import (
	"context"
	"math"

	"breadboard/chains/number"
)

// With S = sum h(x_i) and Q = sum (h(x_i)^2 - 1) over N samples of a standardised function h, the
// errors follow from moments:
//
//	mean:      bias E[S]/N, mean squared error E[S^2]/N^2;
//	variance:  bias E[Q + 1 - S^2/N]/(N - 1), mean squared error E[(Q + 1 - S^2/N)^2]/(N - 1)^2.
//
// Every term is kept with its size, from which the digits that cancel are counted. A start q is
// read as its difference q - p from the target, in O(states where they differ).

// deviation is by how much the distribution of a start differs from the target, at the states where
// it does.
type deviation struct {
	states []int
	by     []float64
	size   []float64 // q + p, for the rounding error of by
}

// deviationOf returns q - p.
func (c *Chain) deviationOf(q []float64) deviation {
	var d deviation
	for x, p := range c.Target {
		if by := q[x] - p; by != 0 {
			d.states, d.by, d.size = append(d.states, x), append(d.by, by), append(d.size, q[x]+p)
		}
	}
	return d
}

// shiftedMean returns the mean from a start of the function c + phi, where phi is at less its mean
// under the target.
func (d deviation) shiftedMean(c part, mean float64, at func(x int) float64) part {
	sum := number.SizedSum{}
	sum.Add(c.value, 1)
	size := 0.0
	for i, x := range d.states {
		off := at(x) - mean
		sum.Add(d.by[i]*off, 1)
		size += d.size[i] * math.Abs(off)
	}
	return part{sum.Value(), c.size + size}
}

// part is a sum, and the size of its terms, which is larger if they cancel.
type part struct{ value, size float64 }

// sized returns a sum as a part.
func sized(s *number.SizedSum) part { return part{s.Value(), s.Size} }

// times returns the part times a number.
func (p part) times(s float64) part { return part{p.value * s, p.size * math.Abs(s)} }

// total returns the sum of parts.
func total(parts ...part) part {
	var value, size number.Sum
	for _, p := range parts {
		value.Add(p.value)
		size.Add(p.size)
	}
	return part{value.Value(), size.Value()}
}

// reading holds the results of a start after N samples.
type reading struct {
	n        int64
	kurtosis float64 // of the function under the target
	// about the relative rounding error of the terms of its parts, but for those of the
	// distribution
	rounding         float64
	mean, meanSquare part // E[S] and E[S^2]
	hasVariance      bool
	variance         part // (N - 1) times the bias of the variance
	varianceSquare   part // (N - 1)^2 times its mean squared error
	hasDistribution  bool
	spread           float64 // the same of the parts of the distribution
	weighted         part    // N^2 times the Cramer-von Mises distance
	largest, all     part    // N^2 times the largest E D^2 of a level, and the sum of them
}

// addMoments adds the moments of S and Q from a start, each divided by its factorials, in their
// order: the first two, or all if the variance is requested.
func (r *reading) addMoments(all []part) {
	r.mean, r.meanSquare = all[momentS], all[momentS2].times(2)
	if r.n == 1 || len(all) <= momentQ2 {
		return
	}
	// These are E[Q + 1 - S^2/N] and E[(Q + 1 - S^2/N)^2].
	n := float64(r.n)
	one := part{1, 1}
	r.hasVariance = true
	r.variance = total(all[momentQ], one, all[momentS2].times(-2/n))
	r.varianceSquare = total(all[momentQ2].times(2), one, all[momentS4].times(24/n/n),
		all[momentQ].times(2), all[momentS2Q].times(-4/n), all[momentS2].times(-4/n))
}

// addLevel adds a level of some mass, given the variance of its indicator under the target and N^2
// times its E D^2.
func (r *reading) addLevel(mass, variance float64, square part) {
	r.hasDistribution = true
	r.spread = max(r.spread, r.rounding)
	square = square.atLeast(float64(r.n) * variance)
	r.weighted = total(r.weighted, square.times(mass))
	r.all = total(r.all, square)
	if square.value > r.largest.value {
		r.largest = square
	}
}

// readings returns by how much each start differs from the target, and an empty reading for each
// start and number of samples.
func (c *Chain) readings(q Question) (from []deviation, all [][]reading) {
	for _, law := range q.Starts {
		from = append(from, c.deviationOf(law))
		readings := make([]reading, len(q.N))
		for i, n := range q.N {
			readings[i].n, readings[i].kurtosis = n, q.Function.Kurtosis
		}
		all = append(all, readings)
	}
	return from, all
}

// allErrors returns what readings say.
func allErrors(all [][]reading) [][]Errors {
	out := make([][]Errors, len(all))
	for i, readings := range all {
		for k := range readings {
			out[i] = append(out[i], readings[k].errors())
		}
	}
	return out
}

// errors returns the errors of the reading. The accuracy of a bias is relative to the root of the
// mean squared error.
func (r *reading) errors() Errors {
	e := unknownErrors(r.n)
	n := float64(r.n)
	bounded := func(p part, scale, size, rounding float64) number.Bounded {
		e.Rounding = max(e.Rounding, rounding*p.lost(size))
		return number.Bounded{Value: p.value / scale, Error: rounding * p.size / scale}
	}
	square := func(p part, scale, rounding float64) number.Bounded {
		return bounded(p, scale, p.value, rounding)
	}
	all := r.meanSquare.atLeast(n)
	e.MSE, e.Bias = square(all, n*n, r.rounding), bounded(r.mean, n, math.Sqrt(all.value), r.rounding)
	if r.hasVariance {
		all := r.varianceSquare.atLeast(n * (r.kurtosis - 1))
		e.MSEVariance, e.BiasVariance = square(all, (n-1)*(n-1), r.rounding),
			bounded(r.variance, n-1, math.Sqrt(all.value), r.rounding)
	}
	if r.hasDistribution {
		e.CvM, e.KS2Low, e.KS2High = square(r.weighted, n*n, r.spread), square(r.largest, n*n, r.spread),
			square(r.all, n*n, r.spread)
	}
	return e
}

// atLeast returns the part with a size of at least the given one. A sum over N samples includes the
// rounding of the N variances of one sample, even if the covariances of an alternating chain cancel
// nearly all of them.
func (p part) atLeast(size float64) part { return part{p.value, max(p.size, size)} }

// lost returns the size of the terms of a sum in units of a scale. The scale of a bias is the root
// of the mean squared error. It is +Inf if the terms cancel completely.
func (p part) lost(scale float64) float64 {
	if p.size == 0 {
		return 0
	}
	if !(scale > 0) {
		return math.Inf(1)
	}
	return p.size / scale
}

const (
	unit = 0x1p-53 // the relative error of one rounding
	// roundings is about the number of roundings of a step that fall on the same side.
	roundings = 1
	// fewRoundings is the number of roundings of the function and of the sums, which always occur.
	fewRoundings = 4
)

// roundingsOf returns about the number of roundings of the target and the rows: differences of log
// f are rounded before they become exponents, about once for each nat.
func (c *Chain) roundingsOf() float64 {
	low, high := number.Bounds(c.LogF)
	return fewRoundings + high - low
}

const (
	fewestProbes = 64      // moves of the probe, if there are that many samples
	mostProbes   = 1 << 12 // moves of the probe
	probeShare   = 16      // the fraction of all moves that the probe makes
	forgotten    = 1e-3    // of what the probe has added up, per sample still to come
)

// amplification returns, for each number of samples N, about how many steps of rounding add up: the
// sum over k < N of the size, after k moves, of a random function of values -1 and +1, less its
// mean. It is N for a chain that forgets nothing in N moves, and otherwise about the time in which
// the chain forgets. At states of probability zero the probe has the sign opposite to its mean, so
// that it detects a chain that never leaves them, however near the mean is to -1 or +1. The probe
// makes few of the N moves. The rest is extrapolated at the rate of decay of its last half.
func (c *Chain) amplification(ctx context.Context, numbers []int64) ([]float64, error) {
	last := numbers[len(numbers)-1]
	moves := min(last, max(fewestProbes, min(last/probeShare, mostProbes)))
	at := make([]float64, c.States())
	next := make([]float64, c.States())
	for x := range at {
		at[x] = scrambledSign(uint64(x))
	}
	c.opposed(at)
	sums := []float64{0}
	sizes := []float64{c.centred(at)}
	for k := int64(1); k <= moves; k++ {
		sums = append(sums, sums[k-1]+sizes[k-1])
		if sizes[k-1]*float64(last-k) < forgotten*sums[k] {
			break
		}
		if k*int64(c.factored().Size())%stepsWork < int64(c.factored().Size()) && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		c.moved(next, at)
		at, next = next, at
		sizes = append(sizes, c.centred(at))
	}
	out := make([]float64, len(numbers))
	for i, n := range numbers {
		out[i] = probed(sums, sizes, n)
	}
	return out, nil
}

// probed returns the sum of the sizes of a probe before move n, those that were not made included.
func probed(sums, sizes []float64, n int64) float64 {
	made := len(sums) - 1
	if n <= int64(made) {
		return sums[n]
	}
	size := sizes[made-1]
	more := float64(n - int64(made))
	half := made / 2
	rate := number.Log(sizes[half]/size) / float64(made-1-half)
	if size == 0 {
		return sums[made]
	}
	if !(rate*more > 1e-8) {
		return sums[made] + size*more
	}
	return sums[made] - size*math.Expm1(-rate*more)/rate
}

// opposed gives v, at states of probability zero, the sign that its mean under the target does not
// have.
func (c *Chain) opposed(v []float64) {
	mean := c.meanOf(v)
	for x, p := range c.Target {
		if p == 0 {
			v[x] = -math.Copysign(1, mean)
		}
	}
}

// meanOf returns the mean under the target.
func (c *Chain) meanOf(v []float64) float64 {
	var mean number.BlockSum
	for x, p := range c.Target {
		mean.Add(p * v[x])
	}
	return mean.Value()
}

// centred subtracts the mean under the target and returns the largest size.
func (c *Chain) centred(v []float64) float64 {
	m := c.meanOf(v)
	largest := 0.0
	for x := range v {
		v[x] -= m
		largest = max(largest, math.Abs(v[x]))
	}
	return largest
}

// scrambledSign returns -1 or 1 by a fixed scrambling of the bits of a number (the finaliser of
// SplitMix64, Steele, Lea and Flood 2014).
func scrambledSign(x uint64) float64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return float64(int64(x>>63))*2 - 1
}
