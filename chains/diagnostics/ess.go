package diagnostics

import (
	"math"
	"slices"
)

// ESS returns the effective sample size of the whole chains: the number of independent draws whose mean has the variance that the mean of
// all draws seems to have. Time is O(K N log N) for K chains of N draws.
func ESS(d Draws) (float64, error) {
	if err := d.Check(); err != nil {
		return 0, err
	}
	return d.centred().ess(), nil
}

// ESSMean returns the effective sample size of split chains, as ArviZ does for the mean.
func ESSMean(d Draws) (float64, error) {
	if err := d.Check(); err != nil {
		return 0, err
	}
	return d.centred().Split().ess(), nil
}

// ESSBulk returns the effective sample size of split chains whose draws are replaced by the normal quantiles of their ranks, so that it
// exists without a variance.
func ESSBulk(d Draws) (float64, error) {
	if err := d.Check(); err != nil {
		return 0, err
	}
	return d.Split().ranked().ess(), nil
}

// ESSTail returns the lesser of the effective sample sizes, in split chains, of two indicators: that a draw is at most the 5% quantile of
// all draws, and that it is at most their 95% quantile. Where an indicator is the same for all draws its effective sample size is their
// number.
func ESSTail(d Draws) (float64, error) {
	if err := d.Check(); err != nil {
		return 0, err
	}
	return min(d.below(1).Split().ess(), d.below(19).Split().ess()), nil
}

// below returns whether each draw is at most the quantile of so many twentieths of all draws. The quantile lies between the order
// statistic at the floor of (S - 1) times its level and the next one, so that the former separates the same draws.
func (d Draws) below(twentieths int) Draws {
	all := slices.Concat(d...)
	slices.Sort(all)
	most := all[(len(all)-1)*twentieths/20]
	return d.mapped(func(v float64) float64 {
		if v <= most {
			return 1
		}
		return 0
	})
}

// ess returns the effective sample size of centred draws.
func (d Draws) ess() float64 {
	if d.Constant() {
		return float64(d.size())
	}
	c, total := newCorrelator(len(d[0])), make([]float64, len(d[0]))
	for _, chain := range d {
		for k, v := range c.autocovariances(chain) {
			total[k] += v / float64(len(d))
		}
	}
	between := 0.0
	if len(d) > 1 {
		between = variance(d.means())
	}
	return ESSFrom(total, len(d), between)
}

// ESSFrom returns the effective sample size that autocovariances give: the means over so many chains of those of each chain, around the
// mean of that chain and with the divisor N, at all N lags from 0 to N - 1. The other number is the variance of the means of the chains
// between them, with divisor K - 1, and is zero for one chain. It is NaN with fewer than two lags, no chain, or a number that is NaN;
// and K N where both variances are zero. Time is O(N).
//
// Source: Stan Reference Manual, Effective Sample Size; ArviZ's ess; Geyer 1992, section 3.3.
func ESSFrom(autocovariances []float64, chains int, between float64) float64 {
	n := len(autocovariances)
	if n < 2 || chains < 1 || math.IsNaN(between) || slices.ContainsFunc(autocovariances, math.IsNaN) {
		return math.NaN()
	}
	size := float64(n) * float64(chains)
	within := autocovariances[0] * float64(n) / float64(n-1)
	total := autocovariances[0] + between
	if total == 0 {
		return size
	}
	time := correlationTime(n, func(lag int) float64 { return 1 - (within-autocovariances[lag])/total })
	return size / max(time, 1/math.Log10(size))
}

// correlationTime returns the sum of the correlations at all lags, positive and negative, by Geyer's initial monotone sequence. Pairs of
// the lags 2j and 2j + 1 count up to the first whose sum is not positive, and none as more than the one before it. Of that last pair the
// correlation at the even lag counts once, for one sign of the lag, unless it and the sum are both negative. The search for that pair
// ends before the last lags, as it does in ArviZ.
func correlationTime(n int, rho func(lag int) float64) float64 {
	even, odd := 1.0, rho(1)
	sum, least := 0.0, math.Inf(1) // of the pairs that count
	lag := 0
	for lag+1 < n-3 && even+odd > 0 {
		least = min(least, even+odd)
		sum += least
		lag += 2
		even, odd = rho(lag), rho(lag+1)
	}
	if even > 0 || even+odd >= 0 {
		return 2*sum - 1 + even
	}
	return 2*sum - 1
}
