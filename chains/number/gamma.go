package number

import (
	"math"
	"math/cmplx"
)

// Gamma returns the Gamma function at z to a relative error of about 1e-14, for Re z > -8 where z is not a pole. It
// takes Stirling's series at z + 16, and goes down from there by the recurrence Gamma(z + 1) = z Gamma(z).
//
// Source: Abramowitz and Stegun 1964, 6.1.15 and 6.1.40.
func Gamma(z complex128) complex128 {
	const up = 16
	product := complex(1, 0)
	for range up {
		product *= z
		z++
	}
	// The coefficients are B_2m / (2m (2m-1)) for m = 1..7, B_2m the Bernoulli numbers.
	terms := [...]float64{1. / 12, -1. / 360, 1. / 1260, -1. / 1680, 1. / 1188, -691. / 360360, 1. / 156}
	inverse := 1 / z
	tail, power := complex(0, 0), inverse
	for _, c := range terms {
		tail += complex(c, 0) * power
		power *= inverse * inverse
	}
	half := complex(math.Log(2*math.Pi)/2, 0)
	return cmplx.Exp((z-0.5)*cmplx.Log(z)-z+half+tail) / product
}

// EulerGamma is Euler's constant: minus the mean of the logarithm of a standard exponential variable.
const EulerGamma = 0.57721566490153286060651209008240243

// LogFactorial returns log n! for n >= 0.
func LogFactorial(n float64) float64 {
	v, _ := math.Lgamma(n + 1)
	return v
}
