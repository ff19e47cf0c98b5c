package experiments

import (
	"fmt"
	"math"

	"breadboard/exact"
)

// CheckBounds says what does not hold between exact values of an annealing with T distributions, in nats: B bounds J and
// is the difference of the mean log weights, between which log(Z_T/Z_1) is. All is asked to within what exact.Check asks of
// a solution. Infinite values fit where the same infinity is on both sides.
func CheckBounds(T int, j, b, forward, reverse, logZ float64) error {
	relative := exact.IdentityTolerance(T)
	if !atMost(j, b, relative*(1+j)) {
		return fmt.Errorf("its B is %v and its J %v, which B bounds", b, j)
	}
	return CheckMeans(T, b, forward, reverse, logZ)
}

// CheckMeans says what of CheckBounds does not hold beside J.
func CheckMeans(T int, b, forward, reverse, logZ float64) error {
	scale := exact.IdentityTolerance(T) * (1 + finite(forward) + finite(reverse))
	switch {
	case !Near(b, reverse-forward, scale):
		return fmt.Errorf("its B is %v, and its mean log weights %v and %v are %v apart", b, forward, reverse, reverse-forward)
	case !atMost(forward, logZ, scale) || !atMost(logZ, reverse, scale):
		return fmt.Errorf("its log_z_ratio is %v, not between its mean log weights %v and %v", logZ, forward, reverse)
	}
	return nil
}

// Near reports whether two numbers are the same infinity or differ by a tolerance at most.
func Near(a, b, tolerance float64) bool {
	return a == b || !math.IsInf(a, 0) && !math.IsInf(b, 0) && math.Abs(a-b) <= tolerance
}

// atMost reports whether a is at most b, or above it by a tolerance at most.
func atMost(a, b, tolerance float64) bool { return a <= b || Near(a, b, tolerance) }

// finite returns the size of a number, and nothing for an infinite one, which has no rounding.
func finite(v float64) float64 {
	if math.IsInf(v, 0) {
		return 0
	}
	return math.Abs(v)
}
