package diagnostics

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// ESSD returns how many standard deviations an effective sample size lies above what the errors of K chains support: the normal quantile
// of the probability that a chi-squared variable of K degrees of freedom is at most K ESS/RESS. It is near standard normal for an
// effective sample size that is right, and large for one that promises too much. It is found from the tail and in logarithms, so that
// it never saturates. It is -Inf where ESS/RESS is zero, +Inf where that is infinite, and NaN where it is no number from 0 on or K < 1.
// Relative errors are about 1e-14 for up to a thousand chains.
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

// Region returns the interval, symmetric in probability, in which RESS/m of K chains lies with a probability (as 0.95) where each chain is m
// independent draws with normal errors: K over the quantiles of the chi-squared distribution. Both are NaN where the level is not within
// 0 and 1, or K < 1.
//
// Source: Turner and Neal 2017, Eq. 9.
func Region(chains int, level float64) (low, high float64) {
	if !(level > 0 && level < 1) || chains < 1 {
		return math.NaN(), math.NaN()
	}
	tail := math.Log((1 - level) / 2)
	rest := math.Log((1 + level) / 2)
	return float64(chains) / chiSquaredQuantile(chains, rest, tail), float64(chains) / chiSquaredQuantile(chains, tail, rest)
}

// chiSquaredQuantile returns the number that a chi-squared variable is at most, and is above, with the probabilities that the two
// logarithms give. It improves gonum's quantile, which is good to some ten digits, by Newton's method on the logarithm of the smaller
// tail, whose slope is the density over that tail.
func chiSquaredQuantile(degrees int, lower, upper float64) float64 {
	a := float64(degrees) / 2
	x := 2 * mathext.GammaIncRegInv(a, math.Exp(lower))
	if upper < lower {
		x = 2 * mathext.GammaIncRegCompInv(a, math.Exp(upper))
	}
	for range 20 {
		below, above := logChiSquared(x, degrees)
		logDensity := logGammaDensity(a, x/2) - math.Log(x)
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

// logGammaDensity returns the logarithm of y^a e^-y / Gamma(a), which is y times the density of the gamma distribution.
func logGammaDensity(a, y float64) float64 {
	logGamma, _ := math.Lgamma(a)
	return a*math.Log(y) - y - logGamma
}

// logChiSquared returns the logarithms of the probabilities that a chi-squared variable is at most x, and that it is above.
func logChiSquared(x float64, degrees int) (lower, upper float64) {
	a, y := float64(degrees)/2, x/2
	switch {
	case y == 0:
		return math.Inf(-1), 0
	case math.IsInf(y, 1):
		return 0, math.Inf(-1)
	}
	density := logGammaDensity(a, y)
	if y < a+1 {
		lower = density + math.Log(lowerSeries(a, y))
		return lower, math.Log(-math.Expm1(lower))
	}
	upper = density + math.Log(upperFraction(a, y))
	return math.Log(-math.Expm1(upper)), upper
}

// lowerSeries returns the lower incomplete gamma function over y^a e^-y, for y < a + 1: the sum of y^k/(a (a + 1) ... (a + k)).
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

// upperFraction returns the upper incomplete gamma function over y^a e^-y, for y >= a + 1, by its continued fraction from the front
// (Lentz's method).
//
// Source: Abramowitz and Stegun, 6.5.31, even part.
func upperFraction(a, y float64) float64 {
	b := y + 1 - a
	d := 1 / b
	c, h := math.Inf(1), d
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

// normalAbove returns the number that a standard normal variable exceeds with a probability of at most a half, which is given by its
// logarithm. Newton's method converges from any start: the logarithm of the tail is concave.
func normalAbove(log float64) float64 {
	if math.IsInf(log, -1) {
		return math.Inf(1)
	}
	z := math.Sqrt(2 * max(0, -log-math.Ln2))
	for range 60 {
		tail := logNormalTail(z)
		hazard := math.Exp(-z*z/2 - math.Log(2*math.Pi)/2 - tail)
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
		return math.Log(math.Erfc(z/math.Sqrt2) / 2)
	}
	fraction := z // of the continued fraction z + 1/(z + 2/(z + ...))
	for k := 20.0; k > 0; k-- {
		fraction = z + k/fraction
	}
	return -z*z/2 - math.Log(2*math.Pi)/2 - math.Log(fraction)
}
