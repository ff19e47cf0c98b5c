package ais

import (
	"math"

	"breadboard/chains/number"
)

// Estimate is an estimate with its standard error.
type Estimate struct{ Value, StandardError float64 }

// Mean returns the mean of a sample, with the standard error from the sample's variance.
func Mean(v []float64) Estimate {
	n := float64(len(v))
	mean := 0.0
	for _, x := range v {
		mean += x
	}
	mean /= n
	square := 0.0
	for _, x := range v {
		square += (x - mean) * (x - mean)
	}
	return Estimate{mean, math.Sqrt(square / (n - 1) / n)}
}

// LogMeanExp returns log(1/n sum exp(sign v)), with the standard error of the delta method, which
// is meaningful only if it is well below one. The value is -Inf if every sign v is -Inf.
func LogMeanExp(v []float64, sign float64) Estimate {
	top := math.Inf(-1)
	for _, x := range v {
		top = max(top, sign*x)
	}
	if math.IsInf(top, 0) {
		return Estimate{top, math.NaN()}
	}
	// of exp less one, which has the digits of weights that are nearly equal
	less := make([]float64, len(v))
	for i, x := range v {
		less[i] = math.Expm1(sign*x - top)
	}
	mean := Mean(less)
	return Estimate{top + math.Log1p(mean.Value), mean.StandardError / (1 + mean.Value)}
}

// BAR returns Bennett's acceptance ratio estimate of log(Z_T/Z_1) from n forward and m reverse log
// weights l: the root in c of
//
//	sum over forward of 1/(1 + n/m e^(c-l)) = sum over reverse of 1/(1 + m/n e^(l-c)),
//
// with the standard error of an estimating equation. It has the smallest asymptotic variance of all
// estimators that use both directions. It is NaN if no log weight is finite. If the two samples
// hardly overlap (fewer than minOverlap chains reach from one side to the other), the standard
// error is NaN, since the samples do not determine it.
//
// Source: Bennett 1976; Shirts, Bair, Hooker and Pande 2003.
func BAR(forward, reverse []float64) Estimate {
	shift := number.Log(float64(len(reverse)) / float64(len(forward)))
	low, high := math.Inf(1), math.Inf(-1)
	for _, sample := range [][]float64{forward, reverse} {
		for _, l := range sample {
			if !math.IsInf(l, 0) {
				low, high = min(low, l), max(high, l)
			}
		}
	}
	if low > high {
		return Estimate{math.NaN(), math.NaN()}
	}
	margin := 40 + math.Abs(shift)
	low, high = low-margin, high+margin
	// Newton's method finds the root, from half way between the two means. If a step would leave
	// the bracket of the root, the bracket is halved instead.
	c := (Mean(forward).Value + Mean(reverse).Value) / 2
	if !(c > low && c < high) {
		c = (low + high) / 2
	}
	var f, r balanced
	for range 200 {
		f, r = balance(forward, c-shift, 1), balance(reverse, c-shift, -1)
		if f.logSum > r.logSum {
			low = c
		} else {
			high = c
		}
		next := c + (f.sum-r.sum)/(f.slope+r.slope)
		if !(next > low && next < high) {
			next = (low + high) / 2
		}
		if math.Abs(next-c) <= 1e-14*(1+math.Abs(c)) {
			break
		}
		c = next
	}
	if f.sum+r.sum < minOverlap {
		return Estimate{c, math.NaN()}
	}
	return Estimate{c, math.Sqrt(f.variance+r.variance) / (f.slope + r.slope)}
}

// minOverlap is the number of chains that must reach the other side for BAR to have a standard
// error.
const minOverlap = 10

// balanced are the terms of one side of Bennett's equation.
type balanced struct {
	sum      float64 // the sum of 1/(1 + e^(-v))
	logSum   float64 // the logarithm of the sum, also if the sum underflows
	slope    float64 // the derivative of the sum by v
	variance float64 // the variance of the sum
}

// balance sums over v = sign (l - at).
func balance(sample []float64, at, sign float64) balanced {
	var b balanced
	square := 0.0
	top := math.Inf(-1)
	terms := make([]float64, len(sample))
	for i, l := range sample {
		p := 1 / (1 + math.Exp(-sign*(l-at)))
		terms[i] = p
		b.sum += p
		square += p * p
		top = max(top, sign*(l-at))
	}
	b.logSum = number.Log(b.sum)
	if b.sum < 1e-300 { // every term equals e^v in floating point
		b.logSum = 0
		for _, l := range sample {
			b.logSum += math.Exp(sign*(l-at) - top)
		}
		b.logSum = top + number.Log(b.logSum)
	}
	b.slope = b.sum - square
	mean := b.sum / float64(len(sample))
	for _, p := range terms {
		b.variance += (p - mean) * (p - mean)
	}
	return b
}

// PlugInJ returns the Jeffreys divergence, in nats, between the distribution p and a histogram of
// draws, to which it adds half a draw at each state. Without this a state that has no draw would
// make the divergence infinite.
func PlugInJ(counts []int, p []float64) float64 {
	total := 0.0
	for _, c := range counts {
		total += float64(c) + 0.5
	}
	j := 0.0
	for x, c := range counts {
		if q := (float64(c) + 0.5) / total; p[x] > 0 {
			j += (q - p[x]) * number.LogRatio(q, p[x])
		}
	}
	return j
}
