package exact

import (
	"context"
	"math"

	"breadboard/chains"
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
	kernel operator.Operator   // the time reversal of the kernel
	parts  []operator.Operator // what it does, one after another
	// u is q/p_t - 1 and h is q/p_t. Where h is from 1/2 to 3/2 u is propagated, elsewhere h, so that neither loses digits.
	// While all are near one h is not kept.
	t             int                   // the stage
	law           operator.Distribution // p_t
	u, h          []float64
	far           bool      // whether h is kept
	a             []float64 // the adjoint A (see doc.go)
	before, spare []float64 // memory
	terms         []float64
	lost          []bool
}

// newApplied returns the solver of an annealing before its first step, nil where there is none for it. It fails where the
// context ends.
func newApplied(ctx context.Context, a *chains.Annealing) (*applied, error) {
	if a.Kernel() == nil || !geometricApplies(a) {
		return nil, nil
	}
	n := a.States()
	kernel, err := operator.New(ctx, a.Kernel(), n)
	if kernel == nil || err != nil {
		return nil, err
	}
	s := &applied{geometric: newGeometric(a, n, n, 0), kernel: kernel.Reversal(), lost: make([]bool, n)}
	s.parts = operator.Sequence(s.kernel)
	s.law.LogF = s.logF
	for _, v := range []*[]float64{&s.u, &s.h, &s.a, &s.before, &s.spare, &s.terms} {
		*v = make([]float64, s.slots)
	}
	return s, nil
}

// solveApplied returns the solution, and false where the general method is needed.
func solveApplied(ctx context.Context, p *sweep.Problem, _ Options) (*Solution, bool, error) {
	s, err := newApplied(ctx, p.Annealing)
	if s == nil || err != nil {
		return nil, false, err
	}
	for t := 2; t <= p.Annealing.Distributions(); t++ {
		if err := p.Step(ctx); err != nil {
			return nil, false, err
		}
		if p.Annealing.Step(t)*s.span > appliedStep {
			return nil, false, nil
		}
		s.t = t
		if err := s.load(ctx, t); err != nil {
			return nil, false, err
		}
		for _, part := range []func(){s.advance, s.change, s.moveRatios, s.moveAdjoint} {
			part()
			if p.Pulse == 1 && ctx.Err() != nil { // on a large space each part of a step takes long
				return nil, false, ctx.Err()
			}
		}
	}
	sol, _ := s.solution(MethodApplied, func(x int) (h, u number.Wide) {
		if s.far {
			return number.Scaled(s.h[x], 0), number.Scaled(s.u[x], 0)
		}
		return number.Scaled(1+s.u[x], 0), number.Scaled(s.u[x], 0)
	})
	return sol, true, sol.validate()
}

// logF returns log f_t. Only kernels that compare states more closely than f tells ask for it.
func (s *applied) logF() []float64 {
	s.annealing.LogF(s.logf, s.t)
	return s.logf
}

// change takes both directions from p_{t-1} to p_t, and loads the kernel.
func (s *applied) change() {
	copy(s.before, s.u)
	s.rebase(s.u, s.a)
	s.changeRatios()
	s.law.F, s.law.Inverse = s.f[:s.n], s.inverse[:s.n]
	s.kernel.Load(&s.law)
}

// changeRatios multiplies q/p by p_{t-1}/p_t where that is far from one.
func (s *applied) changeRatios() {
	far := false
	for _, u := range s.u[:s.n] {
		far = far || math.Abs(u) > 0.5
	}
	if !s.far && !far {
		return
	}
	factor, _ := s.geometric.change()
	for x := range s.n {
		h := s.h[x]
		if !s.far {
			h = 1 + s.before[x]
		}
		h *= factor / s.grow[x]
		if s.h[x] = h; math.Abs(s.u[x]) > 0.5 {
			s.u[x] = h - 1
		}
	}
	s.far = true
}

// moveRatios moves the law of the forward chain.
func (s *applied) moveRatios() {
	for _, part := range s.parts {
		part.Average(s.spare[:s.n], s.u[:s.n])
		if s.far {
			part.Average(s.before[:s.n], s.h[:s.n])
			s.choose(part)
			s.h, s.before = s.before, s.h
		}
		s.u, s.spare = s.spare, s.u
	}
}

// choose settles what u (in spare) and h (in before) are after a part of the move, from their averages. An average may be
// far smaller than what the state itself had; the rounding of that would then spoil it, and the sum of the terms is taken.
func (s *applied) choose(part operator.Operator) {
	spoilt := false
	for x, h := range s.before[:s.n] {
		spoilt = spoilt || h < s.h[x]/2
	}
	if spoilt {
		s.repair(part)
	}
	s.far = false
	u, next := s.spare[:s.n], s.before[:s.n]
	for x, h := range next {
		if h >= 0.5 && h <= 1.5 {
			next[x] = 1 + u[x]
		} else {
			u[x], s.far = h-1, true
		}
	}
}

// repair replaces averages that have lost most of what their state had by the sums of their terms.
func (s *applied) repair(part operator.Operator) {
	terms := s.terms[:s.n]
	part.AverageTerms(terms, s.h[:s.n])
	for x, h := range terms {
		if s.before[x] < s.h[x]/2 {
			s.before[x], s.lost[x] = h, true
		}
	}
	part.AverageTerms(terms, s.u[:s.n])
	for x, u := range terms {
		if s.lost[x] {
			s.spare[x], s.lost[x] = u, false
		}
	}
}

// moveAdjoint moves the reverse chain's adjoint.
func (s *applied) moveAdjoint() {
	s.kernel.Average(s.spare[:s.n], s.a[:s.n])
	s.a, s.spare = s.spare, s.a
}
