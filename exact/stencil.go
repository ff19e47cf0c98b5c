package exact

import (
	"context"
	"math"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/exact/internal/lanes"
	"breadboard/exact/internal/number"
	"breadboard/exact/internal/sweep"
	"breadboard/grid"
)

// maxCondition is the amplification of the rounding of u (see sweep.Divergences) above which the general method takes
// over.
const maxCondition = 64

// stencilApplies reports whether the annealing is one that stencil can solve: the paper's kernel on a line or a plane with
// walls, on a path that geometric can follow.
func stencilApplies(a *chains.Annealing) bool {
	k, ok := a.Kernel().(kernels.Metropolis)
	if !ok {
		return false
	}
	space, ok := k.Space.(*grid.Lattice)
	if !ok || space.Dims() > 2 {
		return false
	}
	for axis := range space.Dims() {
		if space.Wraps(axis) {
			return false
		}
	}
	return geometricApplies(a)
}

// stencil propagates both directions of the paper's annealing in one sweep, in place, on the distributions of a geometric
// path.
//
// One move adds L v to the values v that either direction carries, where (L v)(x) = 1/f(x) sum over edges xy of s_xy
// (v(y) - v(x)), with the conductance s_xy = min(f(x), f(y)) / directions. A wall is a slot with f = 0: every row of
// slots ends with one at least, and a row of them follows the last.
type stencil struct {
	*geometric
	share          float64   // probability of one direction
	u, a           []float64 // q/p - 1 and the adjoint A (see doc.go)
	aboveU, aboveA []float64 // fluxes of u and a along the edges from the row above
	zeros          []float64 // what the last row has below it
}

// newStencil returns the stencil of an annealing at t = 1.
func newStencil(a *chains.Annealing) *stencil {
	space := a.Kernel().(kernels.Metropolis).Space.(*grid.Lattice)
	cols := space.Side(space.Dims() - 1)
	pitch := (cols/lanes.Width + 1) * lanes.Width
	s := &stencil{geometric: newGeometric(a, cols, pitch), share: 1 / float64(space.Directions())}
	s.u, s.a = make([]float64, s.slots), make([]float64, s.slots)
	s.aboveU, s.aboveA = make([]float64, cols), make([]float64, cols)
	s.zeros = make([]float64, cols)
	return s
}

// solveStencil returns the solution, and false where it does not apply or another method is needed to keep the digits.
func solveStencil(ctx context.Context, p *sweep.Problem) (*Solution, bool, error) {
	if !stencilApplies(p.Annealing) {
		return nil, false, nil
	}
	s := newStencil(p.Annealing)
	for t := 2; t <= p.Annealing.Distributions(); t++ {
		if err := p.Step(ctx); err != nil {
			return nil, false, err
		}
		if !s.fine(t) {
			return nil, false, nil
		}
		if err := s.load(ctx, t); err != nil {
			return nil, false, err
		}
		s.advance()
		if p.Pulse == 1 && ctx.Err() != nil { // on a large space advance, rebase and move each take long
			return nil, false, ctx.Err()
		}
		s.rebase(s.u, s.a)
		if p.Pulse == 1 && ctx.Err() != nil {
			return nil, false, ctx.Err()
		}
		s.move()
	}
	return s.solution()
}

// move applies T_t to both directions. When it comes to a state, the states to the right and below still have their old
// values, and the fluxes along the edges from the left and from above have been kept, so that each edge is computed once.
func (s *stencil) move() {
	clear(s.aboveU)
	clear(s.aboveA)
	for start := 0; start < s.slots; start += s.pitch {
		s.moveRow(start)
	}
}

// moveRow is move for the row that starts at a slot.
func (s *stencil) moveRow(start int) {
	cols, share := s.cols, s.share
	f, u, a := s.f[start:start+cols+1], s.u[start:start+cols+1], s.a[start:start+cols+1]
	inverse := s.inverse[start : start+cols]
	belowF, belowU, belowA := s.zeros, s.zeros, s.zeros
	if below := start + s.pitch; below < s.slots {
		belowF, belowU, belowA = s.f[below:], s.u[below:], s.a[below:]
	}
	belowF, belowU, belowA = belowF[:len(inverse)], belowU[:len(inverse)], belowA[:len(inverse)]
	aboveU, aboveA := s.aboveU[:len(inverse)], s.aboveA[:len(inverse)]
	var leftU, leftA float64
	hereF, hereU, hereA := f[0], u[0], a[0]
	for x, perF := range inverse {
		rightF, rightOldU, rightOldA := f[x+1], u[x+1], a[x+1]
		sRight, sDown := share*min(hereF, rightF), share*min(hereF, belowF[x])
		rightU, rightA := sRight*(rightOldU-hereU), sRight*(rightOldA-hereA)
		downU, downA := sDown*(belowU[x]-hereU), sDown*(belowA[x]-hereA)
		u[x] = hereU + (rightU-leftU+downU-aboveU[x])*perF
		a[x] = hereA + (rightA-leftA+downA-aboveA[x])*perF
		leftU, leftA = rightU, rightA
		aboveU[x], aboveA[x] = downU, downA
		hereF, hereU, hereA = rightF, rightOldU, rightOldA
	}
}

// solution returns the solution, and false where the general method is needed to keep the digits.
func (s *stencil) solution() (*Solution, bool, error) {
	sol, d := s.geometric.solution(MethodStencil, func(slot int) (h, u number.Wide) {
		return number.Scaled(1+s.u[slot], 0), number.Scaled(s.u[slot], 0)
	})
	if !(math.Abs(sol.Drift) <= driftTolerance && d.Condition <= maxCondition*sol.KLPQ) || d.Missing > 0 {
		return nil, false, nil
	}
	return sol, true, sol.validate()
}
