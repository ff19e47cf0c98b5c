package diagnostics

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"

	"breadboard/chains/number"
)

// ESS returns the effective sample size of the whole chains: the number of independent draws whose
// mean has the variance that the mean of all draws seems to have. Time is O(K N log N) for K chains
// of N draws.
func ESS(d Draws) (float64, error) {
	if err := d.Validate(); err != nil {
		return 0, err
	}
	ess, _ := d.centred().sampleSizes()
	return ess, nil
}

// ESSEach returns ESS of all chains, and of each chain alone.
func ESSEach(d Draws) (all float64, each []float64, err error) {
	if err := d.Validate(); err != nil {
		return 0, nil, err
	}
	all, each = d.centred().sampleSizes()
	return all, each, nil
}

// ESSMean returns the effective sample size of split chains, as ArviZ does for the mean.
func ESSMean(d Draws) (float64, error) {
	if err := d.Validate(); err != nil {
		return 0, err
	}
	return d.centred().splitHalves().ess(), nil
}

// ess returns the effective sample size of centred draws.
func (d Draws) ess() float64 {
	ess, _ := d.sampleSizes()
	return ess
}

// sampleSizes returns the effective sample size of centred draws, and that of each chain.
func (d Draws) sampleSizes() (all float64, each []float64) {
	n := len(d[0])
	each = make([]float64, len(d))
	found := make([]*lags, len(d))
	room, _ := d.zeros()
	for k, x := range d {
		found[k] = newLags(x, room[k])
		each[k] = essOf(n, 1, 0, found[k].autocovariance)
	}
	between := 0.0
	if len(d) > 1 {
		between = variance(d.means())
	}
	return essOf(n, len(d), between, func(lag int) (mean float64) {
		for _, l := range found {
			mean += l.square * l.autocovariance(lag) / float64(len(d))
		}
		return mean
	}), each
}

// ESSFrom returns the effective sample size from autocovariances at the lags 0 to N - 1: means over
// K chains of the autocovariances of each chain around its own mean, with divisor N. The argument
// between is the variance between the means of the chains, with divisor K - 1; it is zero for one
// chain. The result is NaN for fewer than two lags, no chain, or an argument that is NaN. It is K N
// if both variances are zero. Time is O(N).
//
// Source: Stan Reference Manual, Effective Sample Size; ArviZ's ess; Geyer 1992, section 3.3.
func ESSFrom(autocovariances []float64, chains int, between float64) float64 {
	n := len(autocovariances)
	if n < 2 || chains < 1 || math.IsNaN(between) || slices.ContainsFunc(autocovariances, math.IsNaN) {
		return math.NaN()
	}
	return essOf(n, chains, between, func(lag int) float64 { return autocovariances[lag] })
}

// essOf is ESSFrom for autocovariances that are computed on demand: most chains need only the first
// ones.
func essOf(n, chains int, between float64, autocovariance func(lag int) float64) float64 {
	size := float64(n) * float64(chains)
	first := autocovariance(0)
	within := first * float64(n) / float64(n-1)
	total := first + between
	if total == 0 {
		return size
	}
	time := correlationTime(n, func(lag int) float64 { return 1 - (within-autocovariance(lag))/total })
	return size / max(time, 1/number.Log10(size))
}

// correlationTime returns the sum of the correlations at all lags, positive and negative, by
// Geyer's initial monotone sequence. Pairs of the lags 2j and 2j + 1 count up to the first whose
// sum is not positive, and none as more than the one before it. Of that last pair the correlation
// at the even lag counts once, for one sign of the lag, unless it and the sum are both negative.
// The search for that pair ends before the last lags, as it does in ArviZ.
func correlationTime(n int, rho func(lag int) float64) float64 {
	even := 1.0
	odd := rho(1)
	// of the pairs that count
	sum := 0.0
	least := math.Inf(1)
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

// ESSD returns how many standard deviations an effective sample size lies above what the errors of
// K chains support: the normal quantile of the probability that a chi-squared variable with K
// degrees of freedom is at most K ESS/RESS. It is nearly standard normal for a correct effective
// sample size, and large for one that is too optimistic. It is computed from the tail in logarithms
// and never saturates. It is -Inf if ESS/RESS is zero, +Inf if that is infinite, and NaN if that is
// negative or NaN, or K < 1. Relative errors are about 1e-14 for up to a thousand chains.
//
// Source: Turner and Neal 2017, Eq. 8.
func ESSD(ess, ress float64, chains int) float64 {
	ratio := ess / ress
	if !(ratio >= 0) || chains < 1 {
		return math.NaN()
	}
	if lower, upper := logChiSquared(float64(chains)*ratio, chains); lower < upper {
		return -normalAbove(lower)
	} else {
		return normalAbove(upper)
	}
}

// Region returns the interval, symmetric in probability, in which RESS/m of K chains lies with
// probability level, such as 0.95, if each chain is m independent draws with normal errors: K over
// the quantiles of the chi-squared distribution. Both ends are NaN if the level is not between 0
// and 1, or K < 1.
//
// Source: Turner and Neal 2017, Eq. 9.
func Region(chains int, level float64) (low, high float64) {
	if !(level > 0 && level < 1) || chains < 1 {
		return math.NaN(), math.NaN()
	}
	tail := number.Log((1 - level) / 2)
	rest := number.Log((1 + level) / 2)
	return float64(chains) / chiSquaredQuantile(chains, rest, tail),
		float64(chains) / chiSquaredQuantile(chains, tail, rest)
}

// chiSquaredQuantile returns the number that a chi-squared variable is at most, and is above, with
// the probabilities that the two logarithms give. It improves gonum's quantile, which is good to
// some ten digits, by Newton's method on the logarithm of the smaller tail, whose slope is the
// density over that tail.
func chiSquaredQuantile(degrees int, lower, upper float64) float64 {
	a := float64(degrees) / 2
	x := 2 * mathext.GammaIncRegInv(a, math.Exp(lower))
	if upper < lower {
		x = 2 * mathext.GammaIncRegCompInv(a, math.Exp(upper))
	}
	for range 20 {
		below, above := logChiSquared(x, degrees)
		logDensity := logGammaDensity(a, x/2) - number.Log(x)
		step := (lower - below) * math.Exp(below-logDensity)
		if upper < lower {
			step = (above - upper) * math.Exp(above-logDensity)
		}
		x += step
		if math.Abs(step) <= 1e-15*x {
			break
		}
	}
	return x
}

// logGammaDensity returns the logarithm of y^a e^-y / Gamma(a), which is y times the density of the
// gamma distribution.
func logGammaDensity(a, y float64) float64 {
	logGamma, _ := math.Lgamma(a)
	return a*number.Log(y) - y - logGamma
}

// logChiSquared returns the logarithms of the probabilities that a chi-squared variable is at most
// x, and that it is above.
func logChiSquared(x float64, degrees int) (lower, upper float64) {
	a := float64(degrees) / 2
	y := x / 2
	switch {
	case y == 0:
		return math.Inf(-1), 0
	case math.IsInf(y, 1):
		return 0, math.Inf(-1)
	}
	density := logGammaDensity(a, y)
	if y < a+1 {
		lower = density + number.Log(lowerSeries(a, y))
		return lower, number.Log(-math.Expm1(lower))
	}
	upper = density + number.Log(upperFraction(a, y))
	return number.Log(-math.Expm1(upper)), upper
}

// lowerSeries returns the lower incomplete gamma function over y^a e^-y, for y < a + 1: the sum of
// y^k/(a (a + 1) ... (a + k)).
//
// Source: Abramowitz and Stegun, 6.5.29.
func lowerSeries(a, y float64) float64 {
	term := 1 / a
	total := term
	for k := 1.0; term > total*0x1p-56; k++ {
		term *= y / (a + k)
		total += term
	}
	return total
}

// upperFraction returns the upper incomplete gamma function over y^a e^-y, for y >= a + 1, by its
// continued fraction from the front (Lentz's method).
//
// Source: Abramowitz and Stegun, 6.5.31, even part.
func upperFraction(a, y float64) float64 {
	b := y + 1 - a
	d := 1 / b
	c := math.Inf(1)
	h := d
	for k := 1.0; ; k++ {
		factor := -k * (k - a)
		b += 2
		d = 1 / (factor*d + b)
		c = b + factor/c
		h *= d * c
		if math.Abs(d*c-1) < 0x1p-51 {
			return h
		}
	}
}

// normalAbove returns the number that a standard normal variable exceeds with a probability of at
// most a half, which is given by its logarithm. Newton's method converges from any start: the
// logarithm of the tail is concave.
func normalAbove(log float64) float64 {
	if math.IsInf(log, -1) {
		return math.Inf(1)
	}
	z := math.Sqrt(2 * max(0, -log-math.Ln2))
	for range 60 {
		tail := logNormalTail(z)
		hazard := math.Exp(-z*z/2 - number.Log(2*math.Pi)/2 - tail)
		step := (tail - log) / hazard
		z += step
		if math.Abs(step) <= 1e-16+1e-15*math.Abs(z) {
			break
		}
	}
	return z
}

// logNormalTail returns the logarithm of the probability that a standard normal variable exceeds z.
func logNormalTail(z float64) float64 {
	if z < 20 {
		return number.Log(math.Erfc(z/math.Sqrt2) / 2)
	}
	fraction := z // of the continued fraction z + 1/(z + 2/(z + ...))
	for k := 20.0; k > 0; k-- {
		fraction = z + k/fraction
	}
	return -z*z/2 - number.Log(2*math.Pi)/2 - number.Log(fraction)
}
