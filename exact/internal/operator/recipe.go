package operator

import (
	"context"
	"slices"

	"breadboard/chains"
	"breadboard/chains/kernels"
)

// Work is what an operator takes, in numbers of what it goes through.
type Work struct {
	Load, Average Pass    // in a call of Load, and in one of Average
	Kept          float64 // the edges of local kernels that it holds in memory
	Arrays        float64 // how many numbers it holds for each state beside them
}

// Pass is what one pass over a function takes.
type Pass struct {
	Edges  float64 // pairs of states of local kernels
	Lines  float64 // states, once for each heat bath on an axis
	Flows  float64 // states, once for each of Suwa and Todo's kernels on an axis
	Sorted float64 // states, once for each proposal that does not depend on the state
	Copies float64 // states, once for each part of a mixture, and for a kernel that does nothing
}

// plus returns p with so many times what q takes.
func (p Pass) plus(times float64, q Pass) Pass {
	return Pass{
		p.Edges + times*q.Edges, p.Lines + times*q.Lines, p.Flows + times*q.Flows, p.Sorted + times*q.Sorted, p.Copies + times*q.Copies,
	}
}

// WorkOf returns what the operator of a kernel takes, and false where it has none. It makes no operator. Where a local kernel
// has very many edges their number is an estimate, as if all states were like the first ones.
func WorkOf(k chains.Kernel, states int) (Work, bool) {
	r, has := recipeFor(k, states)
	return r.work, has
}

// recipe is how the operator of a kernel is made, and what it will take.
type recipe struct {
	work Work
	make func(ctx context.Context) (Operator, error)
}

// recipeFor returns the recipe of a kernel, and false where it has no operator.
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
		return local(k, states, newMetropolis), true
	case kernels.Moore:
		return local(k, states, newMetropolis), true
	case kernels.Flip:
		return local(k, states, newMetropolis), true
	case kernels.Barker:
		return local(kernels.Metropolis(k), states, newBarker), true
	case kernels.Lumped:
		if k.Acceptance() != kernels.DrawLine {
			return local(k, states, newLumped), true
		}
	case kernels.Jump:
		parts := []recipe{local(kernels.Metropolis{Space: k.Space}, states, newMetropolis), independent(states, func() []float64 { return uniform(states) })}
		return mixed(parts, []float64{1 - k.Eps, k.Eps}, states), true
	case kernels.Independence:
		if slices.Min(k.P) > 0 {
			return independent(states, func() []float64 { return k.P }), true
		}
	case kernels.HeatBathAxis:
		return simple(Pass{Lines: n}, 2, func() Operator { return newLines(k.Space, k.Axis) }), true
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

// local returns the recipe of a kernel that goes along the edges of what another one proposes.
func local(proposes chains.Rower, states int, make func(ctx context.Context, k chains.Rower, states int) (Operator, error)) recipe {
	entries, _ := chains.FrameEntries(proposes, states, mostCounted)
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

// simple returns the recipe of an operator that takes as much to be loaded as to be applied, and so many arrays.
func simple(pass Pass, arrays float64, make func() Operator) recipe {
	return recipe{Work{Load: pass, Average: pass, Arrays: arrays}, func(context.Context) (Operator, error) { return make(), nil }}
}

// combination returns the recipe of a kernel that is made of others, and false where one of these has none.
func combination(parts chains.Parts, states int) (recipe, bool) {
	recipes := make([]recipe, len(parts.Kernels))
	for i, k := range parts.Kernels {
		var has bool
		if recipes[i], has = recipeOf(k, states); !has {
			return recipe{}, false
		}
	}
	if !parts.Sequential {
		return mixed(recipes, parts.Weights, states), true
	}
	w := together(recipes)
	for _, part := range parts.Order {
		w.Average = w.Average.plus(float64(parts.Times), recipes[part].work.Average)
	}
	return recipe{w, func(ctx context.Context) (Operator, error) {
		operators, err := made(ctx, recipes)
		return newSequence(operators, parts.Order, parts.Times, states), err
	}}, true
}

// mixed returns the recipe of a mixture.
func mixed(parts []recipe, weights []float64, states int) recipe {
	w := together(parts)
	for _, part := range parts {
		w.Average = w.Average.plus(1, part.work.Average)
		w.Average.Copies += float64(states)
	}
	return recipe{w, func(ctx context.Context) (Operator, error) {
		operators, err := made(ctx, parts)
		return newMixture(operators, weights, states), err
	}}
}

// together returns what it takes to hold and to load the parts of a kernel, with an array for what they make of a function.
func together(parts []recipe) Work {
	w := Work{Arrays: 1}
	for _, part := range parts {
		w.Load = w.Load.plus(1, part.work.Load)
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
		if operators[i], err = r.make(ctx); err != nil {
			return nil, err
		}
	}
	return operators, nil
}

func uniform(states int) []float64 {
	p := slices.Repeat([]float64{1 / float64(states)}, states)
	return p
}
