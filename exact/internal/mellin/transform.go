package mellin

import "math"

// Transform holds Rise = 1 - Phi(t) and Phi(t) of a Laplace transform Phi at one t, and a bound on the error of both.
type Transform struct{ Rise, Phi, Err float64 }

// Power returns Phi^n - 1, and a bound on its error.
func (f Transform) Power(n float64) (value, err float64) {
	var log float64
	if f.Rise < 0.5 {
		log = math.Log1p(-f.Rise)
	} else {
		log = math.Log(max(0, f.Phi))
	}
	value = math.Expm1(n * log)
	if n == 0 {
		return 0, 0
	}
	// The derivative n Phi^(n-1) grows with Phi, so that it is at most its value at Phi + err.
	return value, min(1, n*math.Pow(min(1, f.Phi+f.Err), n-1)*f.Err)
}
