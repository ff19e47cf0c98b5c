package chains

import (
	"fmt"
	"math"
)

// choiceTolerance is how far the probabilities of a choice may be from summing to one.
const choiceTolerance = 1e-12

// A Sampler draws whatever it is asked for, as fast as it can. The Choosers that account for probabilities ask the
// functions below first, so that all of them refuse the same choices with the same words.

// CheckFlip returns an error where p is not a probability, and nil where a Chooser can flip with it.
func CheckFlip(p float64) error {
	if p >= 0 && p <= 1 {
		return nil
	}
	return flipError(p)
}

// flipError is a function of its own so that CheckFlip is short enough for the compiler to inline it.
func flipError(p float64) error {
	if math.IsNaN(p) {
		return fmt.Errorf("Flip(NaN); a probability is from 0 to 1, and log f(y) - log f(x) is NaN where both are -Inf")
	}
	return fmt.Errorf("Flip(%v); a probability is from 0 to 1", p)
}

// CheckUniform returns an error where n is below 1, so that there is nothing to choose from, and nil elsewhere.
func CheckUniform(n int) error {
	if n >= 1 {
		return nil
	}
	return uniformError(n)
}

func uniformError(n int) error { return fmt.Errorf("Uniform(%d); n must be at least 1", n) }

// CheckChoose returns an error where a Chooser cannot choose with the probabilities p, and nil elsewhere: each must be
// from 0 to 1, and they must sum to one within 1e-12.
func CheckChoose(p []float64) error {
	total := 0.0
	for _, pi := range p {
		if !(pi >= 0 && pi <= 1) {
			return fmt.Errorf("Choose with a probability of %v", pi)
		}
		total += pi
	}
	if math.Abs(total-1) > choiceTolerance {
		return fmt.Errorf("Choose with probabilities that sum to %v", total)
	}
	return nil
}
