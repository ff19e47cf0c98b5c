// Package modeltest answers: are the conditional laws by which a sampler moves those of its model? It is a library for tests, to be called
// from anybody's go test, and fails a conditional with the states at which it is wrong. It judges no sampler by how well it
// mixes, and is not for the code of programs: it imports package testing, and only tests import it.
//
// The check is an identity of two laws that are computed in different ways: for every value x and x' of a variable and every value u
// of the others,
//
//	p(x|u)/p(x'|u) = p(x,u)/p(x',u),
//
// in which neither side needs a normalising constant. On a space that can be listed Check compares all of its triples, so that chance has no
// part in it. Of states that are too many to be listed, or hold real numbers, CheckRatios compares as many triples as it is given states for.
//
// Source: Grosse, Ghahramani and Adams 2015, Appendix B, after Grosse and Duvenaud 2014.
package modeltest

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"breadboard/chains/number"
	"breadboard/grid"
	"breadboard/toys/models"
)

// Conditional returns the probability of each value of one variable, which is an axis of the model's space, given the others and the
// data. It is given the coordinates of a whole state and must not depend on the one of the axis; it leaves the coordinates as they are.
type Conditional func(axis int, coords []int) []float64

// maxStates is the number of states of the largest model that is checked.
const maxStates = 1 << 16

const (
	// rounding bounds the relative error of the logarithms that are compared: some thousand units in the last place.
	rounding = 1e-12
	// smallest is the probability below which only its order is looked at, as it is near the smallest number of float64.
	smallest = 1e-300
)

// Run fails a test with everything that is wrong with the conditionals of a model.
func Run(t *testing.T, m models.Model, conditional Conditional) {
	t.Helper()
	for _, err := range Check(m, conditional) {
		t.Error(err)
	}
}

// Check returns what is wrong with the conditionals of a model, the first mistake of each axis; none for right ones. It asks for the
// conditional of every axis at every state.
func Check(m models.Model, conditional Conditional) (errs []error) {
	space := m.Space()
	if n := space.States(); n > maxStates {
		return []error{fmt.Errorf("a model of %d states; conditionals are checked on at most %d: take fewer data", n, maxStates)}
	}
	e := examination{space: space, conditional: conditional, joint: m.LogLikelihood(1)}
	for x, p := range m.LogPrior() {
		e.joint[x] += p
	}
	for axis := range space.Dims() {
		if err := e.axis(axis); err != nil {
			errs = append(errs, fmt.Errorf("axis %d given the others: %w", axis, err))
		}
	}
	return errs
}

// examination is the check of a model.
type examination struct {
	space       *grid.Lattice
	conditional Conditional
	joint       []float64 // the logarithm of the joint law of each state and the data
}

// axis checks the conditional of an axis at every state.
func (e *examination) axis(axis int) error {
	for x := range e.joint {
		if err := e.state(axis, x); err != nil {
			return fmt.Errorf("at state %s: %w", e.space.Label(x), err)
		}
	}
	return nil
}

// state checks the conditional of an axis at one state.
func (e *examination) state(axis, x int) error {
	coords := e.space.Coords(x)
	given := slices.Clone(coords)
	law := e.conditional(axis, coords)
	if !slices.Equal(coords, given) {
		return fmt.Errorf("it changes the coordinates from %v to %v", given, coords)
	}
	if side := e.space.Side(axis); len(law) != side {
		return fmt.Errorf("it has %d probabilities, and the axis %d values", len(law), side)
	}
	sum := 0.0
	for v, p := range law {
		if !(p >= 0 && p <= 1) {
			return fmt.Errorf("the value %d has the probability %v", v, p)
		}
		sum += p
	}
	if math.Abs(sum-1) > rounding {
		return fmt.Errorf("the probabilities sum to %.17g", sum)
	}
	joint := make([]float64, len(law))
	for v := range joint {
		coords[axis] = v
		joint[v] = e.joint[e.space.Index(coords...)]
	}
	return compare(law, joint)
}

// compare compares the ratios of the probabilities of every two values with those of the joint law.
func compare(law, joint []float64) error {
	for v, p := range law {
		for w, q := range law {
			if v == w || math.IsInf(joint[w], -1) || q < smallest {
				continue // against a value without mass there is no ratio; the other order of the two looks at it
			}
			want := joint[v] - joint[w]
			allowed := rounding * (1 + math.Abs(joint[v]) + math.Abs(joint[w]))
			switch {
			case p >= smallest && !(math.Abs(number.Log(p/q)-want) <= allowed):
				return fmt.Errorf("p(%d|u)/p(%d|u) = %.10g, and p(%d,u)/p(%d,u) = %.10g", v, w, p/q, v, w, math.Exp(want))
			case p < smallest && want > number.Log(smallest/q)+allowed+1:
				return fmt.Errorf("p(%d|u) = %v, and p(%d,u)/p(%d,u) = %.10g with p(%d|u) = %.10g", v, p, v, w, math.Exp(want), w, q)
			}
		}
	}
	return nil
}

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
