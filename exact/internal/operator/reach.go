package operator

import (
	"context"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/exact/kernel"
	"breadboard/grid"
)

// looks is the number of states between two checks of the context.
const looks = 1 << 14

// JoinsAll reports whether a kernel of the library is known to join all states of its space if none
// has probability zero, without examining the states. It takes negligible time.
func JoinsAll(k chains.Kernel) bool {
	var space *grid.Lattice
	var drawn []bool // by axis: whether a part draws the coordinate
	draws := func(on *grid.Lattice, axis int) bool {
		if space == nil {
			space, drawn = on, make([]bool, on.Dims())
		}
		if space == on {
			drawn[axis] = true
		}
		return false
	}
	var joins func(k chains.Kernel) bool
	joins = func(k chains.Kernel) bool {
		switch k := k.(type) {
		case kernels.Metropolis:
			return connected(k.Space)
		case kernels.Barker:
			return connected(k.Space)
		case kernels.Informed:
			return connected(k.Space)
		case kernels.DelayedRejection:
			return connected(k.Space)
		case kernels.Classed: // classes are joined if their members are
			return joins(k.Kernel)
		case kernels.Jump:
			return k.Eps > 0 || connected(k.Space)
		case kernels.Exact, kernels.Flip, kernels.Moore, kernels.Tabu, kernels.SwendsenWang, kernels.Wolff:
			// see Connect; a single spin may be a cluster
			return true
		case kernels.Independence:
			return !slices.Contains(k.P, 0)
		case kernels.HeatBathAxis:
			return draws(k.Space, k.Axis)
		case kernels.HeatBathBlock:
			for _, axis := range k.Axes() {
				draws(k.Space, axis)
			}
			return false
		case kernels.SuwaTodoAxis:
			return draws(k.Space, k.Axis)
		}
		return slices.ContainsFunc(moving(k), joins)
	}
	if joins(k) {
		return true
	}
	if space == nil {
		return false
	}
	for axis, is := range drawn {
		if !is && space.Side(axis) > 1 {
			return false
		}
	}
	return true
}

// connected reports whether a graph is of a kind whose states are all connected.
func connected(space grid.Graph) bool {
	switch space.(type) {
	case *grid.Lattice, kernels.OtherValues, *grid.Hypercube, *grid.Permutations, *grid.Complete:
		return true
	}
	return false
}

// moving returns the parts of a combination that can move; none for any other kernel.
func moving(k chains.Kernel) (parts []chains.Kernel) {
	combined, _ := chains.PartsOf(k)
	for i, part := range combined.Kernels {
		if combined.Sequential || combined.Weights[i] > 0 {
			parts = append(parts, part)
		}
	}
	return parts
}

// Connect joins all states between which a kernel of the library moves under a distribution that is
// positive at the states for which on is true, and zero elsewhere. These states must be in sets.
// The possible moves depend on nothing else: kernels of the library move between two states with
// one proposal and one acceptance, or draw from the states of a line. Of a sequence the moves of
// every part are joined, as the chain goes through the states between them. Time is O(states) for
// each axis or direction, and for kernels without a case here that of their rows.
func Connect(ctx context.Context, s *kernel.Sets, k chains.Kernel, on []bool) error {
	if s.Count() == 1 {
		return nil
	}
	switch k := k.(type) {
	case kernels.Stay:
		return nil
	case kernels.Metropolis:
		return joinNeighbours(ctx, s, k.Space, on)
	case kernels.Barker:
		return joinNeighbours(ctx, s, k.Space, on)
	case kernels.Jump:
		if k.Eps > 0 {
			joinAll(s, len(on), func(x int) bool { return on[x] })
			return nil
		}
		return joinNeighbours(ctx, s, k.Space, on)
	case kernels.SwendsenWang, kernels.Exact: // sites may all be unbound
		joinAll(s, len(on), func(x int) bool { return on[x] })
		return nil
	case kernels.Independence:
		// from a state that is never proposed the kernel never moves
		joinAll(s, len(on), func(x int) bool { return on[x] && k.P[x] > 0 })
		return nil
	case kernels.HeatBathAxis:
		return joinLines(ctx, s, k.Space, k.Axis, on)
	case kernels.SuwaTodoAxis:
		return joinLines(ctx, s, k.Space, k.Axis, on)
	case kernels.Flip:
		return joinAllLines(ctx, s, k.Space, on)
	case kernels.Informed:
		return joinNeighbours(ctx, s, k.Space, on)
	case kernels.Tabu:
		// if its steps always return, as may happen on a flat f, it joins less
		return joinAllLines(ctx, s, k.Space, on)
	}
	parts := moving(k)
	if parts == nil {
		return joinRows(ctx, s, k, on)
	}
	for _, part := range parts {
		if err := Connect(ctx, s, part, on); err != nil {
			return err
		}
	}
	return nil
}

// Varies reports whether the states that a kernel of the library joins depend on more than the
// support of the distribution: large clusters step over zeros, and the possible clusters depend on
// the couplings.
func Varies(k chains.Kernel) bool {
	switch k := k.(type) {
	case kernels.Wolff:
		return true
	case kernels.Classed:
		return Varies(k.Kernel)
	}
	return slices.ContainsFunc(moving(k), Varies)
}

// joinNeighbours joins neighbours.
func joinNeighbours(ctx context.Context, s *kernel.Sets, space grid.Graph, on []bool) error {
	for x := range on {
		if x%looks == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if !on[x] {
			continue
		}
		for d := range space.Directions() {
			if y, there := space.Neighbour(x, d); there && on[y] {
				s.Join(x, y)
			}
		}
	}
	return nil
}

// joinAllLines joins the states of every line along every axis.
func joinAllLines(ctx context.Context, s *kernel.Sets, space *grid.Lattice, on []bool) error {
	for axis := range space.Dims() {
		if err := joinLines(ctx, s, space, axis, on); err != nil {
			return err
		}
	}
	return nil
}

// joinLines joins the states of every line along an axis.
func joinLines(ctx context.Context, s *kernel.Sets, space *grid.Lattice, axis int, on []bool) error {
	stride := space.Stride(axis)
	side := space.Side(axis)
	for first := range on {
		if first%looks == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if first/stride%side != 0 {
			continue
		}
		last := -1
		for x := first; x < first+stride*side; x += stride {
			if on[x] {
				if last >= 0 {
					s.Join(last, x)
				}
				last = x
			}
		}
	}
	return nil
}

// joinAll joins all states of a kind.
func joinAll(s *kernel.Sets, states int, holds func(x int) bool) {
	last := -1
	for x := range states {
		if holds(x) {
			if last >= 0 {
				s.Join(last, x)
			}
			last = x
		}
	}
}

// joinRows joins the states between which the rows of a kernel lead if f is one or zero.
func joinRows(ctx context.Context, s *kernel.Sets, k chains.Kernel, on []bool) error {
	logf := make([]float64, len(on))
	for x := range logf {
		if !on[x] {
			logf[x] = math.Inf(-1)
		}
	}
	rows, err := kernel.NewRows(ctx, k, logf)
	if err != nil {
		return err
	}
	s.JoinRows(rows, on)
	return nil
}

// Irreducible reports whether a kernel of the library is sure to be irreducible on each class that
// Connect finds, for any probabilities. A kernel that makes one move at a time is, since the
// reverse of a possible move is possible. A sequence is if all parts but one may stay, from any
// state: each part can then be the only one that moves. With two parts that must move, such as two
// flips of a spin with equal probabilities, the second may undo the first.
func Irreducible(k chains.Kernel) bool {
	irreducible, _ := holding(k)
	return irreducible
}

// holding reports whether a kernel is sure to be irreducible on each class, and whether it may stay
// at any state.
func holding(k chains.Kernel) (irreducible, holds bool) {
	switch k := k.(type) {
	case kernels.Stay, kernels.Barker, kernels.HeatBathAxis, kernels.HeatBathBlock, kernels.Independence,
		kernels.Exact, kernels.SwendsenWang:
		return true, true
	case kernels.Jump:
		return true, k.Eps > 0 // its own state is among those that it proposes
	case kernels.Metropolis, kernels.Flip, kernels.Moore, kernels.SuwaTodoAxis, kernels.Wolff,
		kernels.Informed, kernels.DelayedRejection:
		return true, false
	}
	parts, combined := chains.PartsOf(k)
	if !combined {
		return false, false
	}
	irreducible = true
	holds = parts.Sequential
	each := make([]bool, len(parts.Kernels))
	for i, part := range parts.Kernels {
		sure, stays := holding(part)
		irreducible, each[i] = irreducible && sure, stays
		if !parts.Sequential {
			holds = holds || stays && parts.Weights[i] > 0
		}
	}
	if !parts.Sequential {
		return irreducible, holds
	}
	movers := 0
	for _, i := range parts.Order {
		if !each[i] {
			movers += parts.Times
		}
	}
	return irreducible && movers <= 1, movers == 0
}
