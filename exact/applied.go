package exact

import (
	"context"
	"math"

	"breadboard/exact/internal/number"
	"breadboard/exact/internal/operator"
	"breadboard/exact/internal/sweep"
)

// appliedStep is the largest range, in nats, of the change of log f in a step that applied takes. What a state keeps of its
// f in such a step is known to 1e-14 (see geometric.advance), and probabilities to stay, which are differences of f, are
// known well enough beside the ratios q/p of neighbours, which differ by no more than f does.
const appliedStep = 4

// applied solves annealings on a geometric path with any kernel of the library that has an operator (see package
// operator): it applies the kernel to the functions that both directions carry, and forms no rows. Time is that of the
// operators and O(states) a step, with exponentials at anchors only where the schedule is linear.
type applied struct {
	*geometric
	kernel operator.Operator // the time reversal of the kernel
	// u is q/p_t - 1 and h is q/p_t. Where h is from 1/2 to 3/2 u is propagated, elsewhere h, so that neither loses digits.
	// While all are near one h is not kept.
	u, h           []float64
	far            bool // whether h is kept
	a              []float64
	before, spare  []float64 // memory
}

// newApplied returns the solver of an annealing before its first step, and false where there is none for it.
func newApplied(p *sweep.Problem) (*applied, bool) {
	if p.Annealing.Kernel() == nil || !geometricApplies(p.Annealing) {
		return nil, false
	}
	n := p.Annealing.States()
	kernel, known := operator.New(p.Annealing.Kernel(), n)
	if !known {
		return nil, false
	}
	s := &applied{geometric: newGeometric(p.Annealing, n, n), kernel: kernel.Reversal()}
	for _, v := range []*[]float64{&s.u, &s.h, &s.a, &s.before, &s.spare} {
		*v = make([]float64, s.slots)
	}
	return s, true
}

// solveApplied returns the solution, and false where the general method is needed.
func solveApplied(ctx context.Context, p *sweep.Problem) (*Solution, bool, error) {
	s, applies := newApplied(p)
	if !applies {
		return nil, false, nil
	}
	for t := 2; t <= p.Annealing.Distributions(); t++ {
		if err := p.Step(ctx); err != nil {
			return nil, false, err
		}
		if p.Annealing.Step(t)*s.span > appliedStep {
			return nil, false, nil
		}
		if err := s.load(ctx, t); err != nil {
			return nil, false, err
		}
		s.advance()
		s.change()
		if p.Pulse == 1 && ctx.Err() != nil { // on a large space each part of a step takes long
			return nil, false, ctx.Err()
		}
		s.move()
	}
	return s.solution()
}
