package chains

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Path is a curve of distributions f_b, 0 <= b <= 1, between an initial distribution f_0 and a target f_1 on
// the same n states, neither normalised. The ends are the
// given ones, but for rounding. A Path is immutable.
type Path interface {
	// States returns the number of states.
	States() int
	// Zeros reports whether either end of the path is zero somewhere.
	Zeros() bool
	// LogF writes log f_b of each state to dst, which has one place for each state, in nats.
	LogF(dst []float64, beta float64)
	// LogRatio writes log f_to - log f_from of each state to dst, for states where both are positive. The step is
	// to - from with all its digits, so that none are lost however small it is. What it writes for other states is
	// finite and has no meaning.
	LogRatio(dst []float64, from, to, step float64)
	// Slope writes the derivative of log f_b by b to dst, from above where it jumps, for states where f_b is
	// positive. What it writes for other states is finite and has no meaning.
	Slope(dst []float64, beta float64)
	// Kinks returns the b between 0 and 1 at which the derivative jumps, in order.
	Kinks() []float64
	// Centred returns the same path with f_b scaled so that it keeps more digits, and what that takes from
	// log f_1 - log f_0.
	Centred() (Path, float64)
	// String returns the selector of the path.
	String() string
}

func hasZeros(logf []float64) bool {
	return slices.Contains(logf, math.Inf(-1))
}

func validateLogF(what string, logf []float64) error {
	mass := false
	for x, v := range logf {
		if math.IsNaN(v) || math.IsInf(v, 1) {
			return fmt.Errorf("%s has log f = %v at state %d; it must be finite, or -Inf for a zero of f", what, v, x)
		}
		mass = mass || !math.IsInf(v, -1)
	}
	if !mass {
		return fmt.Errorf("%s has no mass: log f is finite at none of its %d states", what, len(logf))
	}
	return nil
}

// errNoCommonState is what is wrong with two ends between which distributions have no mass.
var errNoCommonState = errors.New("initial distribution and target are positive on no common state: the distributions between them have no mass")

// validateEnds checks the ends of a path.
func validateEnds(initial, target []float64) error {
	if err := validateLogF("target", target); err != nil {
		return err
	}
	if len(initial) != len(target) {
		return fmt.Errorf("initial distribution has %d states and the target %d; they must be on one space", len(initial), len(target))
	}
	return validateLogF("initial distribution", initial)
}

// shareState reports whether two distributions are both positive somewhere.
func shareState(a, b []float64) bool {
	for x := range a {
		if !math.IsInf(a[x], -1) && !math.IsInf(b[x], -1) {
			return true
		}
	}
	return false
}
