package averages

import (
	"context"
	"math"

	"breadboard/chains/number"
)

const (
	unit = 0x1p-53 // the relative error of one rounding
	// roundings is about the number of roundings of a step that fall on the same side.
	roundings = 1
	// fewRoundings is how many there are anyway, of the function and of the sums.
	fewRoundings = 4
)

// given returns about how many roundings the target and the rows have gone through: differences of log f are rounded before they become
// exponents, once for each nat.
func (c *Chain) given() float64 {
	low, high := number.Bounds(c.LogF)
	return fewRoundings + high - low
}

const (
	fewestProbes = 64      // moves of the probe, where there are as many samples
	mostProbes   = 1 << 12 // moves of the probe
	probeShare   = 16      // the part of all moves that the probe makes
	forgotten    = 1e-3    // of what the probe has added up, per sample still to come
)

// amplification returns, for each number of samples N, about how many steps of rounding add up: the sum over k < N of what is left after
// k moves of a function that is -1 or +1 at random, less its mean. It is N for a chain that forgets nothing in N moves, and about the time
// in which the chain forgets else. States of which the target knows nothing are on the other side of the mean, so that the probe sees a chain
// that never leaves them, however near the mean is to -1 or +1. The probe makes few of the N moves. What would follow is taken to decay at the rate of its last half.
func (c *Chain) amplification(ctx context.Context, numbers []int64) ([]float64, error) {
	last := numbers[len(numbers)-1]
	moves := min(last, max(fewestProbes, min(last/probeShare, mostProbes)))
	at, next := make([]float64, c.States()), make([]float64, c.States())
	for x := range at {
		at[x] = scrambledSign(uint64(x))
	}
	c.opposed(at)
	sums, sizes := []float64{0}, []float64{c.centred(at)}
	for k := int64(1); k <= moves; k++ {
		sums = append(sums, sums[k-1]+sizes[k-1])
		if sizes[k-1]*float64(last-k) < forgotten*sums[k] {
			break
		}
		if k*int64(len(c.Rows.Entries))%stepsWork < int64(len(c.Rows.Entries)) && ctx.Err() != nil {
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
	size, more := sizes[made-1], float64(n-int64(made))
	half := made / 2
	rate := math.Log(sizes[half]/size) / float64(made-1-half)
	if size == 0 {
		return sums[made]
	}
	if !(rate*more > 1e-8) {
		return sums[made] + size*more
	}
	return sums[made] - size*math.Expm1(-rate*more)/rate
}

// opposed gives v, at states of probability zero, the sign that its mean under the target does not have.
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
	m, largest := c.meanOf(v), 0.0
	for x := range v {
		v[x] -= m
		largest = max(largest, math.Abs(v[x]))
	}
	return largest
}

// scrambledSign returns -1 or 1 by a fixed scrambling of the bits of a number (the finaliser of SplitMix64, Steele, Lea and Flood 2014).
func scrambledSign(x uint64) float64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return float64(int64(x>>63))*2 - 1
}
