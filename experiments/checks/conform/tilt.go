package conform

import (
	"context"
	"errors"
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/exact/weights"
	"breadboard/experiments/checks/annealed"
	"breadboard/experiments/verdicts"
)

// Tilt is the distribution of the log weight of one chain with the density exp(Theta log w -
// K(Theta)) relative to the exact distribution, where K(theta) = log E[w^theta]. Both distributions
// are given that the weight is finite and positive. Among all distributions of log w with a given
// mean, the tilt is the nearest to the exact distribution in Kullback-Leibler divergence, and so
// the deviation of the mean that is hardest to find. For the power of tests of counts see
// verdicts.Detectable.
type Tilt struct {
	Theta float64
	Mean  float64 // E[log w] under the tilt, in nats
	Shift float64 // how far that is from the mean of the exact distribution, in nats
	KL    float64 // the divergence of one chain under the tilt from one under the exact distribution, in nats
}

const (
	// minChains is the smallest number of chains for which LeastTilts answers. The distribution of
	// the sum of fewer may be far from normal.
	minChains = 1000
	// quantile of a normal distribution is exceeded with the probability 1 -
	// verdicts.DetectionProbability.
	quantile = 2.3263478740408408
	// mostSkew is the largest part by which a tilt may change the variance of log w, and heavyTails
	// that by which the fourth cumulant may change it at the exponents of which the cumulants are
	// computed: beyond these four cumulants say too little of the distribution.
	mostSkew, heavyTails = 0.8, 0.05
)

// LeastTilts returns the least tilts of the distribution of log w, downwards and upwards, that
// verdicts.WeightsLogE finds: after n chains of finite and positive weight its log e-value is at
// least logThreshold with a probability of about verdicts.DetectionProbability. Larger tilts are
// found with a larger probability. A test that also looks at earlier times finds at least as much.
// If the distributions allow for rounding, so does the e-value; the tilts are those of the written
// log weights.
//
// The log e-value is a convex function of the sum of the log weights, so that it reaches the
// threshold outside of an interval. K is approximated by a polynomial with the first four cumulants
// of log w, and the quantiles of the sum under a tilt are those of Cornish and Fisher. On the
// targets of Grosse et al. (2016) the shifts are off by at most 2% with 1000 chains, and by less
// with more.
//
// It fails if log w does not vary, and if the distribution is too skew for four cumulants with so
// few chains.
//
// Source: Cornish and Fisher 1938, Revue de l'Institut International de Statistique 5.
func LeastTilts(ctx context.Context, l *annealed.ChainLaws, d chains.Direction,
	n int, logThreshold float64) (low, high Tilt, err error) {
	if n < minChains {
		return low, high, errs.New("%d chains; the power of the test of log weights is computed for at least %d",
			n, minChains)
	}
	if !(logThreshold >= -number.Log(1-verdicts.DetectionProbability)) {
		return low, high, errs.New("a log threshold of %v; it is at least %.3g", logThreshold,
			-number.Log(1-verdicts.DetectionProbability))
	}
	c, err := cumulantsOf(ctx, l, d)
	if err != nil {
		return low, high, err
	}
	powers, at := l.RoundedCGF(d)
	reached := func(sum float64) bool { return verdicts.WeightsLogE(sum, n, powers, at) >= logThreshold }
	low, err = c.least(float64(n), -1, reached)
	if err != nil {
		return low, high, err
	}
	high, err = c.least(float64(n), 1, reached)
	return low, high, err
}

// cumulants are those of log w, given that it is finite.
type cumulants struct{ mean, variance, third, fourth float64 }

// cumulantsOf returns the cumulants by differences of K. Their error is some 1e-4 of the powers of
// the standard deviation.
func cumulantsOf(ctx context.Context, l *annealed.ChainLaws, d chains.Direction) (c cumulants, err error) {
	sd, err := spread(l, d)
	if err != nil {
		return c, err
	}
	p := 0.05 / sd
	k, err := weights.FiniteCGF(ctx, l.Annealing(), d, []float64{0, p, -p, 2 * p, -2 * p})
	if err != nil {
		return c, err
	}
	odd := k[1] - k[2]
	twice := k[3] - k[4]
	// both are the variance but for the fourth cumulant
	near := (k[1] - k[0] + k[2] - k[0]) / (p * p)
	far := (k[3] - k[0] + k[4] - k[0]) / (4 * p * p)
	c.mean = (8*odd - twice) / (12 * p)
	c.variance = (4*near - far) / 3
	c.third = (twice - 2*odd) / (2 * p * p * p)
	c.fourth = 4 * (far - near) / (p * p)
	switch {
	case !(c.variance > 0):
		return c, errors.New("the variance of log w is below the rounding of its cumulant generating function")
	case !(math.Abs(far-near) <= heavyTails*near):
		return c, errors.New("the tails of log w are too heavy for the power to be computed from four cumulants")
	}
	return c, nil
}

// spread returns about the standard deviation of log w, from the values of K that there are.
func spread(l *annealed.ChainLaws, d chains.Direction) (float64, error) {
	powers, k := l.CGF(d)
	for i, p := range powers { // from the smallest on, in pairs of p and -p
		if p > 0 {
			// K(p) + K(-p) is p^2 times the variance, and is of use where it is far above its
			// rounding.
			if both := k[i] + k[i+1]; both > 1e-9*(1+math.Abs(k[i])) {
				return math.Sqrt(both) / p, nil
			}
		}
	}
	return 0, errors.New("log w does not vary, or too little for a tilt to be detected")
}

// tilted returns the cumulants of log w, or of its negative where the sign is -1, under the tilt by
// sign theta.
func (c cumulants) tilted(sign, theta float64) cumulants {
	third := sign * c.third
	fourth := c.fourth
	return cumulants{
		sign*c.mean + theta*(c.variance+theta*(third/2+theta*fourth/6)),
		c.variance + theta*(third+theta*fourth/2), third + theta*fourth, fourth,
	}
}

// least returns the least tilt of one sign under which the sum of n log weights is, with the
// probability verdicts.DetectionProbability, where the threshold is reached.
func (c cumulants) least(n, sign float64, reached func(sum float64) bool) (Tilt, error) {
	sd := math.Sqrt(c.variance * n)
	// At its expectation no term of the e-value is above one, by Jensen's inequality.
	edge := halved(sd, func(off float64) bool { return reached(n*c.mean + sign*off) })
	found := func(theta float64) bool {
		on := c.tilted(sign, theta)
		if !(on.variance > 0) {
			return true // it is refused below
		}
		// The sum is more than beyond standard deviations below its mean with the probability 1 -
		// verdicts.DetectionProbability.
		skew := on.third / math.Pow(on.variance, 1.5) / math.Sqrt(n)
		beyond := quantile - (quantile*quantile-1)*skew/6
		return n*(on.mean-sign*c.mean)-beyond*math.Sqrt(n*on.variance) >= edge
	}
	theta := halved(1/sd, found)
	on := c.tilted(sign, theta)
	if !(math.Abs(on.variance-c.variance) <= mostSkew*c.variance) {
		return Tilt{}, fmt.Errorf(
			"the distribution of log w is too skew for the power of %.0f chains to be computed from four cumulants",
			n,
		)
	}
	return Tilt{
		Theta: sign * theta, Mean: sign * on.mean, Shift: sign*on.mean - c.mean,
		// Theta K'(Theta) - K(Theta)
		KL: theta * theta * (c.variance/2 + theta*(sign*c.third/3+theta*c.fourth/8)),
	}, nil
}

// halved returns the least positive number, but for rounding, from which on something holds. It
// begins at a number of about its size.
func halved(at float64, holds func(v float64) bool) float64 {
	in := 0.0
	out := at
	for !holds(out) {
		in = out
		out = 2 * out
	}
	for {
		middle := in + (out-in)/2
		if middle == in || middle == out {
			return out
		}
		if holds(middle) {
			out = middle
		} else {
			in = middle
		}
	}
}
