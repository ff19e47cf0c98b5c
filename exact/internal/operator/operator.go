// Package operator applies kernels of the library to functions on the states, without a matrix.
// Each kernel is applied in the cheapest way: a local one along the edges of its graph, a heat bath
// as the mean over a line, a proposal that does not depend on the state by sums over sorted states,
// and a combination part by part. It works in plain float64, for distributions without zeros that
// span some hundreds of nats, and forms no rows. Only the function For may: it returns any kernel
// under any distribution.
//
// # Classes of states
//
// Connect puts states that a kernel moves between into one set, and so finds the classes of a
// kernel, or of several that move in turn. It uses only whether a move is possible, not its
// probability. The kernels must leave their distribution invariant.
package operator

import (
	"context"
	"slices"

	"breadboard/chains"
	"breadboard/chains/frames"
	"breadboard/chains/kernels"
	"breadboard/exact/kernel"
)

// Distribution is a distribution on the states, as operators need it.
type Distribution struct {
	F, Inverse []float64        // f, up to a factor, and 1/f; both are positive
	LogF       func() []float64 // log f, up to a constant, each as accurate as on the path
}

// Operator is a kernel T under a distribution, as a linear map of functions on the states: (T v)(x)
// is the expectation of v after one move from x. Its memory is O(edges) for local kernels and
// O(states) for others. Only one goroutine may use it.
type Operator interface {
	// Load sets the distribution, which must not change until the next Load. Time is that of an
	// application.
	Load(d *Distribution)
	// Reversal returns the operator of the time reversal of the kernel. The two share the
	// distribution of the last Load of either. It is the receiver if the kernel is reversible.
	Reversal() Operator
	// Twin returns an operator that shares the distribution of this one, and has memory of its own:
	// both may be applied at the same time, but not during a Load.
	Twin() Operator
	// Average writes T v to dst, which must not overlap v. Its error at x is a few roundings of
	// |v(x)| and of the sum of T(x,y) |v(y)|; for kernels that may stay it adds up differences to
	// v(x), so that a nearly constant function stays so after any number of averages.
	Average(dst, v []float64)
	// AddChange adds weight (T v - v) to dst, which must not overlap v. It computes the change
	// directly, not as the difference of two rounded numbers.
	AddChange(dst, v []float64, weight float64)
	// AverageTerms writes T v to dst, which must not overlap v, as the sum of the terms T(x,y)
	// v(y): its error is a few roundings of these terms, for any v(x).
	AverageTerms(dst, v []float64)
}

// Differentiable is an Operator whose derivative is known. See Derivative.
type Differentiable interface {
	Operator
	// Derived returns the sum over x of f(x) m(x) (T' v)(x), where T' is the derivative of T while
	// log f changes along a direction, under the f that is loaded. It reports whether T has a kink
	// there: two states that it compares have equal f and different slopes. The derivative is then
	// one-sided.
	Derived(m, v []float64, along Direction) (total float64, kinked bool)
}

// alike is the relative difference below which two values of f may have been equal before rounding.
// Then log f decides.
const alike = 1e-12

// Direction is a direction in which log f changes.
type Direction struct {
	Slope []float64 // the derivative of log f by a parameter, in nats
	Below bool      // at a kink, whether the derivative is that from below in the parameter, else from above
}

// New returns the operator of a kernel on a space with the given number of states. It is nil if the
// kernel is not one of the library, or never proposes some states. It fails if the operator would
// take too much memory, before it takes any (see kernel.CheckEdges), and if the context ends. Time
// is O(edges).
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

// Derivative returns an operator with its derivative, and false if that is not known: for Suwa and
// Todo's kernels, and for combinations with them.
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

// Work is the cost of an operator, as counts of the elements that it processes.
type Work struct {
	Load, Average Pass    // in a call of Load, and in one of Average
	Kept          float64 // the edges of local kernels that it holds in memory
	Arrays        float64 // the other numbers that it holds for each state
}

// Pass is the cost of one pass over a function.
type Pass struct {
	Edges  float64 // pairs of states of local kernels
	Lines  float64 // states, once for each heat bath on an axis
	Flows  float64 // states, once for each of Suwa and Todo's kernels on an axis
	Sorted float64 // states, once for each proposal that does not depend on the state
	Copies float64 // states, once for each part of a mixture, and for a kernel that does nothing
}

// plusMultiple returns p plus a multiple of q.
func (p Pass) plusMultiple(times float64, q Pass) Pass {
	return Pass{
		p.Edges + times*q.Edges, p.Lines + times*q.Lines, p.Flows + times*q.Flows, p.Sorted + times*q.Sorted,
		p.Copies + times*q.Copies,
	}
}

// WorkOf returns the cost of the operator of a kernel, and false if it has none. It makes no
// operator. If a local kernel has very many edges their number is an estimate, as if all states
// were like the first ones.
func WorkOf(k chains.Kernel, states int) (Work, bool) {
	r, has := recipeFor(k, states)
	return r.work, has
}

// recipe describes how the operator of a kernel is made, and its cost.
type recipe struct {
	work Work
	make func(ctx context.Context) (Operator, error)
}

// recipeFor returns the recipe of a kernel, and false if it has no operator.
func recipeFor(k chains.Kernel, states int) (recipe, bool) {
	if !chains.OfLibrary(k) {
		return recipe{}, false
	}
	return recipeOf(k, states)
}

// recipeOf is recipeFor for a kernel that is known to be of the library.
func recipeOf(k chains.Kernel, states int) (recipe, bool) {
	n := float64(states)
	switch k := k.(type) {
	case kernels.Metropolis:
		return moves(k, states), true
	case kernels.Moore:
		return moves(k, states), true
	case kernels.Flip:
		return moves(k, states), true
	case kernels.Barker:
		return local(kernels.Metropolis(k), states, newBarker), true
	case kernels.Lumped:
		if k.Acceptance() != kernels.DrawLine {
			return local(k, states, newLumped), true
		}
	case kernels.Jump:
		parts := []recipe{moves(kernels.Metropolis{Space: k.Space}, states),
			independent(states, func() []float64 { return uniform(states) })}
		return mixed(parts, []float64{1 - k.Eps, k.Eps}, states), true
	case kernels.Independence:
		if slices.Min(k.P) > 0 {
			return independent(states, func() []float64 { return k.P }), true
		}
	case kernels.HeatBathAxis:
		return simple(Pass{Lines: n}, 2, func() Operator { return NewLines(k.Space, k.Axis) }), true
	case kernels.SuwaTodoAxis:
		return simple(Pass{Flows: n}, 6, func() Operator { return newSuwaTodo(k, states) }), true
	case kernels.Stay:
		return simple(Pass{Copies: n}, 0, func() Operator { return stay{} }), true
	}
	if parts, combined := chains.PartsOf(k); combined {
		return combination(parts, states)
	}
	return recipe{}, false
}

// mostCounted is the number of entries of rows after which edges are no longer counted one by one.
const mostCounted = 1e5

// moves returns the recipe of a kernel with Metropolis acceptance. The edges of a large box are not
// listed.
func moves(k chains.Rower, states int) recipe {
	b, is := BoxOf(k)
	if !is || b.Around || states < leastBoxed {
		return local(k, states, NewMetropolis)
	}
	pass := Pass{Edges: float64(states * len(b.Axes)), Copies: float64(states)}
	return recipe{Work{Average: pass, Arrays: 1},
		func(context.Context) (Operator, error) { return NewBoxed(b, states), nil }}
}

// local returns the recipe of a kernel along the edges of another kernel's proposals.
func local(proposes chains.Rower, states int,
	make func(ctx context.Context, k chains.Rower, states int) (Operator, error)) recipe {
	entries, _ := frames.Entries(proposes, states, mostCounted)
	edges := (entries - float64(states)) / 2 // two entries belong to an edge, and one more to each state
	pass := Pass{Edges: edges, Copies: float64(states)}
	return recipe{
		Work{Load: Pass{Edges: edges}, Average: pass, Kept: edges, Arrays: 2},
		func(ctx context.Context) (Operator, error) { return make(ctx, proposes, states) },
	}
}

// independent returns the recipe of proposals from a distribution.
func independent(states int, distribution func() []float64) recipe {
	return simple(Pass{Sorted: float64(states)}, 7, func() Operator { return newIndependence(distribution()) })
}

// simple returns the recipe of an operator with the same cost for Load and Average, and the given
// number of arrays.
func simple(pass Pass, arrays float64, make func() Operator) recipe {
	return recipe{Work{Load: pass, Average: pass, Arrays: arrays},
		func(context.Context) (Operator, error) { return make(), nil }}
}

// combination returns the recipe of a kernel that is made of others, and false if one of these has
// none.
func combination(parts chains.Parts, states int) (recipe, bool) {
	recipes := make([]recipe, len(parts.Kernels))
	for i, k := range parts.Kernels {
		var has bool
		recipes[i], has = recipeOf(k, states)
		if !has {
			return recipe{}, false
		}
		if axis, is := k.(kernels.HeatBathAxis); is && parts.Sequential {
			recipes[i] = tiledLines(axis, recipes[i], states)
		}
	}
	if !parts.Sequential {
		return mixed(recipes, parts.Weights, states), true
	}
	w := together(recipes)
	for _, part := range parts.Order {
		w.Average = w.Average.plusMultiple(float64(parts.Times), recipes[part].work.Average)
	}
	return recipe{w, func(ctx context.Context) (Operator, error) {
		operators, err := made(ctx, recipes)
		return NewSequence(operators, parts.Order, parts.Times, states), err
	}}, true
}

// tiledLines returns the recipe of a heat bath in a sequence, given that of one alone: on a large
// space it is applied in tiles, and holds nothing.
func tiledLines(k kernels.HeatBathAxis, alone recipe, states int) recipe {
	if states < leastBoxed || !TilesFit(k.Space.Side(k.Axis), k.Space.Stride(k.Axis)) {
		return alone
	}
	return recipe{Work{Average: alone.work.Average}, func(context.Context) (Operator, error) {
		l := NewLines(k.Space, k.Axis)
		l.Unsummed = true
		return l, nil
	}}
}

// mixed returns the recipe of a mixture.
func mixed(parts []recipe, weights []float64, states int) recipe {
	w := together(parts)
	for _, part := range parts {
		w.Average = w.Average.plusMultiple(1, part.work.Average)
		w.Average.Copies += float64(states)
	}
	return recipe{w, func(ctx context.Context) (Operator, error) {
		operators, err := made(ctx, parts)
		return newMixture(operators, weights, states), err
	}}
}

// together returns the cost of holding and loading the parts of a kernel, with an array for their
// product with a function.
func together(parts []recipe) Work {
	w := Work{Arrays: 1}
	for _, part := range parts {
		w.Load = w.Load.plusMultiple(1, part.work.Load)
		w.Kept += part.work.Kept
		w.Arrays += part.work.Arrays
	}
	return w
}

// made makes the operators of recipes.
func made(ctx context.Context, recipes []recipe) ([]Operator, error) {
	operators := make([]Operator, len(recipes))
	for i, r := range recipes {
		var err error
		operators[i], err = r.make(ctx)
		if err != nil {
			return nil, err
		}
	}
	return operators, nil
}

func uniform(states int) []float64 { return slices.Repeat([]float64{1 / float64(states)}, states) }
