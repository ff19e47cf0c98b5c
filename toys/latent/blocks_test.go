package latent_test

import (
	"fmt"
	"math"
)

// block is a variable, or several that a sampler draws together, with the conditional law by which it draws them.
type block[S any] struct {
	name string
	// conditional returns the logarithm of the probability, or of the density, of the block given the other variables of u. The function
	// that it returns is given a state x, reads the value of the block there, and may be used until conditional is called again. The law must
	// not depend on the value of the block in u.
	conditional func(u S) func(x S) float64
	// replace returns a new state with the block of x and the other variables of u. It changes neither of the two.
	replace func(u, x S) S
}

// checkRatios returns what is wrong with the conditionals of blocks, the first mistake of each; none for right ones. The function joint
// returns the logarithm of the joint density of a state and the data, up to a constant, in nats. It is written down as plainly as the
// model is, and shares nothing with the conditionals.
//
// Every state gives the values u of the other variables and one value x of the block, and every other state another value x', so that n states
// make n (n - 1) triples of each block. The identity p(x|u)/p(x'|u) = p(x,u)/p(x',u), in which neither side needs a normalising
// constant, must hold for each, with the law that is made at (x, u) and with the one that is made at (x', u).
//
// Source: Grosse, Ghahramani and Adams 2015, Appendix B, after Grosse and Duvenaud 2014.
func checkRatios[S any](joint func(S) float64, blocks []block[S], states []S) (errs []error) {
	for _, b := range blocks {
		if err := b.check(joint, states); err != nil {
			errs = append(errs, fmt.Errorf("%s given the others: %w", b.name, err))
		}
	}
	return errs
}

// check checks the conditional of a block at every triple.
func (b *block[S]) check(joint func(S) float64, states []S) error {
	for i, here := range states {
		for j, value := range states {
			if i == j {
				continue
			}
			there := b.replace(here, value)
			logHere, logThere := joint(here), joint(there)
			for _, u := range []S{here, there} {
				law := b.conditional(u)
				if err := compareLogs(law(here), law(there), logHere, logThere); err != nil {
					return fmt.Errorf("the variables of state %d with the values of state %d: %w", i, j, err)
				}
			}
		}
	}
	return nil
}

// compareLogs compares the ratio of two densities with that of two joint densities, of which all four logarithms are given, to some thousand
// units in the last place.
func compareLogs(law, lawOther, joint, jointOther float64) error {
	got, want := law-lawOther, joint-jointOther
	allowed := 1e-12 * (1 + math.Abs(joint) + math.Abs(jointOther) + math.Abs(law) + math.Abs(lawOther))
	if !(math.Abs(got-want) <= allowed) {
		return fmt.Errorf("log p(x|u)/p(x'|u) = %.12g, and log p(x,u)/p(x',u) = %.12g", got, want)
	}
	return nil
}
