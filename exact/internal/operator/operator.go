// Package operator answers: what does a kernel of the library make of a function on the states, without its matrix? Each kernel is applied in the
// way that is cheapest for it: a local one along the edges of its graph, a heat bath as the mean over a line, a proposal that does not depend on
// the state by sums over sorted states, and a kernel that is made of others as these, one after another. It works in plain float64, for
// distributions without zeros that span some hundreds of nats; it never forms rows, and knows nothing of annealing.
package operator

import (
	"context"

	"breadboard/chains"
	"breadboard/exact/kernel"
)

// Distribution is a distribution on the states, as operators need it.
type Distribution struct {
	F, Inverse []float64        // f, up to a factor, and 1/f; both are positive
	LogF       func() []float64 // log f, up to a constant, each as accurate as on the path
}

// Operator is a kernel T under a distribution, as a linear map of functions on the states: (T v)(x) is the expectation of v after one move from x.
// Its memory is O(edges) for local kernels and O(states) for others. Only one goroutine may use it.
type Operator interface {
	// Load takes over a distribution, which stays as it is until the next Load. Time is that of an application.
	Load(d *Distribution)
	// Reversal returns the operator of the time reversal of the kernel, which has the same distribution as this one, whenever
	// one of the two has been loaded. It is this one where the kernel is reversible.
	Reversal() Operator
	// Twin returns an operator that is loaded whenever this one is, and has memory of its own: both may be applied at the same
	// time, though not while one of them is loaded.
	Twin() Operator
	// Average writes T v to dst, which must not overlap v. Its error at x is a few roundings of |v(x)| and of the sum of T(x,y)
	// |v(y)|; for kernels that stay where they are it adds up differences to v(x), so that a function which is nearly constant
	// stays so however often it is averaged.
	Average(dst, v []float64)
	// AddChange adds weight (T v - v) to dst, which must not overlap v. It makes the change itself, not the difference of two rounded numbers.
	AddChange(dst, v []float64, weight float64)
	// AverageTerms writes T v to dst, which must not overlap v, as the sum of the terms T(x,y) v(y): its error is a few
	// roundings of these alone, however large v(x) is.
	AverageTerms(dst, v []float64)
}

// Differentiable is an Operator whose derivative is known. See Derivative.
type Differentiable interface {
	Operator
	// Derived returns the sum over x of f(x) m(x) (T' v)(x), where T' is the derivative of T while log f changes along a
	// direction, under the f that is loaded. It reports whether T has a kink there: two states that it compares are alike
	// in f and not in their slopes. The derivative is then one-sided.
	Derived(m, v []float64, along Direction) (total float64, kinked bool)
}

// alike is the relative difference below which two values of f may have been equal before they were rounded. What is to know then asks for log f.
const alike = 1e-12

// Direction is a direction in which log f changes.
type Direction struct {
	Slope []float64 // the derivative of log f by a parameter, in nats
	Below bool      // at a kink, whether the derivative is that from below in the parameter, else from above
}

// New returns the operator of a kernel on a space with so many states. It is nil where the kernel is not one of the
// library, or proposes some states never. It fails where the operator would take too much memory, before it takes any (see
// kernel.CheckEdges), and where the context ends. Time is O(edges).
func New(ctx context.Context, k chains.Kernel, states int) (Operator, error) {
	r, has := recipeFor(k, states)
	if !has {
		return nil, nil
	}
	if err := kernel.CheckEdges(k, states, r.work.Kept); err != nil {
		return nil, err
	}
	return r.make(ctx)
}

// Derivative returns an operator with its derivative, and false where that is not known: for Suwa and Todo's kernels, and for what is made of them.
func Derivative(o Operator) (Differentiable, bool) {
	var parts []Operator
	switch o := o.(type) {
	case *mixture:
		parts = o.parts
	case *sequence:
		parts = o.parts
	}
	for _, part := range parts {
		if _, known := Derivative(part); !known {
			return nil, false
		}
	}
	d, known := o.(Differentiable)
	return d, known
}

// stay is the kernel that never moves.
type stay struct{}

// Load implements Operator.
func (stay) Load(*Distribution) {}

// Twin implements Operator.
func (s stay) Twin() Operator { return s }

// Reversal implements Operator.
func (s stay) Reversal() Operator { return s }

// Average implements Operator.
func (stay) Average(dst, v []float64) { copy(dst, v) }

// AddChange implements Operator.
func (stay) AddChange(_, _ []float64, _ float64) {}

// AverageTerms implements Operator.
func (stay) AverageTerms(dst, v []float64) { copy(dst, v) }

// Derived implements Operator.
func (stay) Derived(_, _ []float64, _ Direction) (total float64, kinked bool) { return 0, false }
