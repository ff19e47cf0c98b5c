package averages

import (
	"context"
	"math"

	"breadboard/exact/kernel"
)

// Variance returns the variances of time averages of a function in units of its variance under the target, as
// kernel.Diagnosis.AsymptoticVariance does: Autocorrelation is tau, by which N is divided in the long run. Where a small spectral gap has
// eaten digits of that and the space is small, it is the limit of N times the mean squared error, which powers of the transition matrix
// give with all digits. It fails where the chain is not irreducible, and says how many classes it has.
func (c *Chain) Variance(ctx context.Context, f *Function) (kernel.Variance, error) {
	v, err := c.solvedVariance(ctx, f)
	if err != nil || v.Error <= fullDigits || c.States() > limitStates {
		return v, err
	}
	tau, off, err := c.limit(ctx, f)
	if err != nil || !(off <= limitSettled && off < v.Error) {
		return v, err
	}
	return kernel.Variance{Stationary: v.Stationary, Asymptotic: tau * v.Stationary, Autocorrelation: tau, Error: off, Bound: off * tau * v.Stationary}, nil
}

const (
	// fullDigits is the relative error of a variance from which on it is computed as a limit.
	fullDigits = 1e-12
	// limitStates is the largest number of states for which that is done: a limit then takes at most a second.
	limitStates = 160
	// limitDigits is log2 of the number of samples at which the limit is taken. Chains with gaps down to some 1e-16 have forgotten their
	// start by then.
	limitDigits = 60
	// limitSettled is the relative error at which the chain counts as having forgotten its start.
	limitSettled = 1e-10
)

// solvedVariance returns the variances by a linear system.
func (c *Chain) solvedVariance(ctx context.Context, f *Function) (kernel.Variance, error) {
	c.lock.Lock()
	defer c.lock.Unlock()
	d, err := c.diagnosed(ctx)
	if err != nil {
		return kernel.Variance{}, err
	}
	return d.AsymptoticVariance(ctx, f.Values)
}

// limit returns tau as the limit of N times the mean squared error at stationarity, and its relative error. That product is tau - c/N, but
// for what the chain still knows of its start after N moves, so that tau is what doubling N extrapolates to. Whether the chain has forgotten
// is seen by doubling N once more.
func (c *Chain) limit(ctx context.Context, f *Function) (tau, off float64, err error) {
	q := Question{Function: f, Starts: [][]float64{c.Target}, N: []int64{1 << (limitDigits - 2), 1 << (limitDigits - 1), 1 << limitDigits}}
	all, err := c.squared(ctx, q)
	if err != nil {
		return 0, 0, err
	}
	var products [3]float64
	rounding := 0.0
	for i, e := range all[0] {
		products[i] = float64(e.N) * e.MSE
		rounding = max(rounding, e.Rounding)
	}
	before, last := 2*products[1]-products[0], 2*products[2]-products[1]
	return last, 3*rounding + math.Abs(last-before)/last, nil
}
