package modeltest

import (
	"fmt"
	"math"
	"testing"
)

// Block is a variable, or several that a sampler draws together, with the conditional law by which it draws them. A state S holds all
// variables of a model, and may hold real numbers.
type Block[S any] struct {
	Name string
	// Conditional returns the logarithm of the probability, or of the density, of the block given the other variables of u. The function
	// that it returns is given a state x, reads the value of the block there, and may be used until Conditional is called again. The law must
	// not depend on the value of the block in u.
	Conditional func(u S) func(x S) float64
	// Replace returns a new state with the block of x and the other variables of u. It changes neither of the two.
	Replace func(u, x S) S
}

// RunRatios fails a test with everything that CheckRatios finds.
func RunRatios[S any](t *testing.T, joint func(S) float64, blocks []Block[S], states []S) {
	t.Helper()
	for _, err := range CheckRatios(joint, blocks, states) {
		t.Error(err)
	}
}

// CheckRatios returns what is wrong with the conditionals of blocks, the first mistake of each; none for right ones. The function joint
// returns the logarithm of the joint density of a state and the data, up to a constant, in nats. It should be written down as plainly as
// the model is, and share nothing with the conditionals.
//
// Every state gives the values u of the other variables and one value x of the block, and every other state another value x', so that n states
// make n (n - 1) triples of each block. The identity p(x|u)/p(x'|u) = p(x,u)/p(x',u) must hold for each, with the law that is made at (x, u)
// and with the one that is made at (x', u). States from the posterior have others close by; states from the prior are as far
// apart as a sampler ever sees. A mistake that changes no ratio, such as a density that is not normalised, is not found.
func CheckRatios[S any](joint func(S) float64, blocks []Block[S], states []S) (errs []error) {
	if len(states) < 2 {
		return []error{fmt.Errorf("%d states; ratios are of two states: give at least two", len(states))}
	}
	for _, b := range blocks {
		if err := b.check(joint, states); err != nil {
			errs = append(errs, fmt.Errorf("%s given the others: %w", b.Name, err))
		}
	}
	return errs
}

// check checks the conditional of a block at every triple.
func (b *Block[S]) check(joint func(S) float64, states []S) error {
	for i, here := range states {
		for j, value := range states {
			if i == j {
				continue
			}
			there := b.Replace(here, value)
			logHere, logThere := joint(here), joint(there)
			for _, u := range []S{here, there} {
				law := b.Conditional(u)
				if err := compareLogs(law(here), law(there), logHere, logThere); err != nil {
					return fmt.Errorf("the variables of state %d with the values of state %d: %w", i, j, err)
				}
			}
		}
	}
	return nil
}

// compareLogs compares the ratio of two densities with that of two joint densities. All four are logarithms.
func compareLogs(law, lawOther, joint, jointOther float64) error {
	got, want := law-lawOther, joint-jointOther
	none, noneOther := math.IsInf(joint, -1), math.IsInf(jointOther, -1)
	if none && noneOther {
		return nil // the others have no mass with either value, so that any law is right
	}
	if none || noneOther {
		if none == math.IsInf(law, -1) && noneOther == math.IsInf(lawOther, -1) {
			return nil
		}
		return fmt.Errorf("log p(x|u) = %v and log p(x'|u) = %v, and log p(x,u) = %v and log p(x',u) = %v", law, lawOther, joint, jointOther)
	}
	allowed := rounding * (1 + math.Abs(joint) + math.Abs(jointOther) + math.Abs(law) + math.Abs(lawOther))
	if !(math.Abs(got-want) <= allowed) {
		return fmt.Errorf("log p(x|u)/p(x'|u) = %.12g, and log p(x,u)/p(x',u) = %.12g", got, want)
	}
	return nil
}
