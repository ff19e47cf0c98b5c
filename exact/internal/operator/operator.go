// Package operator answers: what does a kernel of the library make of a function on the states, without its matrix? Each
// kernel is applied in the way that is cheapest for it: a local one along the edges of its graph, a heat bath as the mean
// over a line, a proposal that does not depend on the state by sums over sorted states, and a kernel that is made of
// others as these, one after another. It works in plain float64, for distributions without zeros that span some hundreds
// of nats; it never forms rows, and knows nothing of annealing.
package operator

import (
	"breadboard/chains"
	"breadboard/chains/kernels"
)

// Operator is a kernel T under a distribution, as a linear map of functions on the states: (T v)(x) is the expectation of
// v after one move from x. Its memory is O(edges) for local kernels and O(states) for others. Only one goroutine may use
// it.
type Operator interface {
	// Load takes over the distribution, as f, up to a factor, and as 1/f. Both are positive, and stay as they are until the
	// next Load. Time is that of an application.
	Load(f, inverse []float64)
	// Reversal returns the operator of the time reversal of the kernel, which has the same distribution as this one, whenever
	// one of the two has been loaded. It is this one where the kernel is reversible.
	Reversal() Operator
	// Average writes T v to dst, which must not overlap v. The error is a few roundings of the largest |v| among the states
	// that are averaged.
	Average(dst, v []float64)
	// AveragePositive writes T v to dst, which must not overlap v, for v that are not negative. It adds up terms that are
	// not negative, so that small values keep their digits beside large ones.
	AveragePositive(dst, v []float64)
	// Derived returns the sum over x of f(x) m(x) (T' v)(x), where T' is the derivative of T while log f changes along a
	// direction, under the f that is loaded. It reports whether T has a kink there: two states that it compares are alike
	// in f and not in their slopes. The derivative is then one-sided.
	Derived(m, v []float64, along Direction) (total float64, kinked bool)
}

// Direction is a direction in which log f changes.
type Direction struct {
	Slope []float64 // the derivative of log f by a parameter, in nats
	Below bool      // at a kink, whether the derivative is that from below in the parameter, else from above
}

// New returns the operator of a kernel on a space with so many states, and false where the kernel is not one of the
// library or a part of it has no operator. The kernels of Suwa and Todo have none, since they depend on which of two
// nearly equal states is the likelier one.
func New(k chains.Kernel, states int) (Operator, bool) {
	if !chains.OfLibrary(k) {
		return nil, false
	}
	return newOperator(k, states)
}

// newOperator is New for a kernel that is known to be of the library.
func newOperator(k chains.Kernel, states int) (Operator, bool) {
	switch k := k.(type) {
	case kernels.Metropolis:
		return newMetropolis(proposals(k, states)), true
	case kernels.Moore:
		return newMetropolis(proposals(k, states)), true
	case kernels.Flip:
		return newMetropolis(proposals(k, states)), true
	case kernels.Barker:
		return newBarker(proposals(kernels.Metropolis{Space: k.Space}, states)), true
	case kernels.Jump:
		local := newMetropolis(proposals(kernels.Metropolis{Space: k.Space}, states))
		parts := []Operator{local, newIndependence(uniform(states))}
		return newMixture(parts, []float64{1 - k.Eps, k.Eps}, states), true
	case kernels.Independence:
		return newIndependence(k.P), allPositive(k.P)
	case kernels.HeatBathAxis:
		return newLines(k.Space, k.Axis), true
	case kernels.Stay:
		return stay{}, true
	}
	parts, combined := chains.PartsOf(k)
	if !combined {
		return nil, false
	}
	return newCombination(parts, states)
}

// newCombination returns the operator of a kernel that is made of others.
func newCombination(parts chains.Parts, states int) (Operator, bool) {
	operators := make([]Operator, len(parts.Kernels))
	for i, k := range parts.Kernels {
		var known bool
		if operators[i], known = newOperator(k, states); !known {
			return nil, false
		}
	}
	if parts.Sequential {
		return newSequence(operators, parts.Order, parts.Times, states), true
	}
	return newMixture(operators, parts.Weights, states), true
}

func uniform(states int) []float64 {
	p := make([]float64, states)
	for x := range p {
		p[x] = 1 / float64(states)
	}
	return p
}

func allPositive(p []float64) bool {
	for _, v := range p {
		if !(v > 0) {
			return false
		}
	}
	return true
}

// stay is the kernel that never moves.
type stay struct{}

// Load implements Operator.
func (stay) Load(_, _ []float64) {}

// Reversal implements Operator.
func (s stay) Reversal() Operator { return s }

// Average implements Operator.
func (stay) Average(dst, v []float64) { copy(dst, v) }

// AveragePositive implements Operator.
func (stay) AveragePositive(dst, v []float64) { copy(dst, v) }

// Derived implements Operator.
func (stay) Derived(_, _ []float64, _ Direction) (total float64, kinked bool) { return 0, false }
