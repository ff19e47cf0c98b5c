package exact

import (
	"context"
	"math"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/number"
	"breadboard/chains/work"
	"breadboard/exact/internal/crew"
	"breadboard/exact/internal/lanes"
	"breadboard/exact/internal/operator"
	"breadboard/exact/internal/stage"
)

// appliedStep is the largest range, in nats, of the change of log f in a step of applied. A step
// adds the change of f to f (see geometric.advance). If f falls by a factor of exp(-4), the sum
// cancels to a fiftieth of its terms, and f is still known to 1e-14. So are the probabilities to
// stay, which are differences of f divided by f. That is enough compared with the ratios q/p of
// neighbours, which differ by no more than f changes in the step.
const appliedStep = 4

// applied solves annealings on a path without zeros with any kernel of the library that has an
// operator (see package operator): it applies the kernel to the functions that both directions
// carry, and forms no rows. Time is that of the operators and O(states) a step, with exponentials
// at anchors only if the schedule is linear.
type applied struct {
	*geometric
	t      int                   // the stage
	law    operator.Distribution // p_t
	kernel operator.Operator     // the time reversal of the kernel
	parts  []operator.Operator   // its parts, in the order in which they are applied
	twins  []operator.Operator   // the same, for the adjoint
	q      *operator.Ratios      // the distribution of the forward chain, as ratios to p_t
	ratio  func(x int) float64   // ratioAfter, made once, so that a step allocates nothing
	before []float64             // q_{t-1}/p_{t-1} - 1
	a      []float64             // the adjoint A (see doc.go)
	spare  []float64             // memory for the next adjoint
	// whether steps above appliedStep are taken, and not left to the general method
	leaps bool
	leap  bool // whether this step is one
}

// newApplied returns the solver of an annealing before its first step. It is nil if the annealing
// does not allow it. It fails if the context ends and if the operator would take too much memory,
// before it takes any.
func newApplied(ctx context.Context, a *chains.Annealing) (*applied, error) {
	if a.Kernel() == nil || !geometricApplies(a, appliedRange(a.Kernel())) {
		return nil, nil
	}
	n := a.States()
	moves, err := operator.New(ctx, a.Kernel(), n)
	if moves == nil || err != nil {
		return nil, err
	}
	s := &applied{
		geometric: newGeometric(a, n, n, 0),
		kernel:    moves.Reversal(),
		q:         operator.NewRatios(n),
	}
	s.adds = true
	s.leaps = n >= divided
	s.parts, s.twins = operator.Sequence(s.kernel), operator.Sequence(s.kernel.Twin())
	s.law.LogF = s.logF
	s.ratio = s.ratioAfter
	for _, v := range []*[]float64{&s.before, &s.a, &s.spare} {
		*v = work.Slice[float64](n)
	}
	return s, nil
}

// appliedRange returns the range of log f up to which applied keeps its digits with a kernel.
func appliedRange(k chains.Kernel) float64 {
	switch k.(type) {
	case kernels.Lumped, kernels.Stay:
		return classesRange
	}
	parts, combined := chains.PartsOf(k)
	if !combined {
		return geometricRange
	}
	least := float64(classesRange)
	for _, part := range parts.Kernels {
		least = min(least, appliedRange(part))
	}
	return least
}

// solveApplied returns the solution, and false if the general method is needed.
func solveApplied(ctx context.Context, p *stage.Problem, o Options) (*Solution, bool, error) {
	s, err := newApplied(ctx, p.Annealing)
	if s == nil || err != nil {
		return nil, false, err
	}
	parts := append([]func(){s.advanceFar, s.change}, s.share(ctx, o.Workers)...)
	defer s.crew.Dismiss()
	for t := 2; t <= p.Annealing.Distributions(); t++ {
		if err := p.Step(ctx); err != nil {
			return nil, false, err
		}
		s.t = t
		err := s.prepareStep(ctx, t)
		s.leap = s.reach() > appliedStep
		if err != nil || s.leap && !s.leaps {
			return nil, false, err
		}
		for _, part := range parts {
			part()
			if p.Pulse == 1 && ctx.Err() != nil { // on a large space each part of a step takes long
				return nil, false, ctx.Err()
			}
		}
	}
	sol, _ := s.solution(MethodApplied, func(x int) (h, u number.Wide) {
		return number.Scaled(s.q.Ratio(x), 0), number.Scaled(s.q.U[x], 0)
	})
	sol.setCancellation([2]float64{s.size, s.size})
	reached, err := explore(ctx, p.Annealing)
	if err != nil {
		return nil, false, err
	}
	reached.report(p.Annealing, sol, false)
	return sol, true, sol.checkMass()
}

// share divides the work of a step among a crew of the given number of workers, and returns the
// function that moves both directions: one after the other, each by all workers, or both at the
// same time, by at most two workers.
func (s *applied) share(ctx context.Context, workers int) []func() {
	if s.n < divided {
		s.crew = crew.New(crew.Pair(s.n, workers))
	} else {
		s.crew = crew.New(crew.Share(s.n, workers))
	}
	directions := []func(){func() { s.moveRatios(ctx) }, func() { s.moveAdjoint(ctx) }}
	if s.n >= divided && operator.Share(s.kernel, s.crew) {
		s.q.Share(s.crew)
		return directions
	}
	move := func(i int) { directions[i]() } // made once, so that a step allocates nothing
	return []func(){func() { s.crew.Run(len(directions), move) }}
}

// looksApart is the number of parts of a move between two checks of the context.
const looksApart = 16

// endedAt reports whether the context has ended before part i of a move, of which there may be
// thousands. The moved functions then have no meaning.
func endedAt(ctx context.Context, i int) bool {
	return i%looksApart == looksApart-1 && ctx.Err() != nil
}

// logF returns log f_t. Only the kernels of Suwa and Todo need it: their flows depend on which
// state of a line is the likeliest, and f has been rounded too often to distinguish nearly equal
// states.
func (s *applied) logF() []float64 {
	s.annealing.LogF(s.logf, s.t)
	return s.logf
}

// advanceFar is advance, but in a leap f is computed afresh, as for the next step, so that nothing
// cancels. Then spare holds f before.
func (s *applied) advanceFar() {
	if !s.leap {
		s.advance()
		return
	}
	copy(s.spare, s.f)
	s.zBefore = s.z
	_ = s.compute(context.Background(), s.t) // nothing fails but an ended context
	s.largestChange = max(s.largestChange, 1)
}

// change takes both directions from p_{t-1} to p_t, and loads the kernel.
func (s *applied) change() {
	copy(s.before, s.q.U)
	if s.leap {
		s.rebaseFar()
	} else {
		s.rebase(s.q.U, s.a)
	}
	s.q.Settle(s.ratio)
	s.law.F = s.f[:s.n]
	s.law.Inverse = s.inverse[:s.n]
	s.kernel.Load(&s.law)
}

// rebaseFar is rebase in a leap: p_{t-1}/p_t - 1 is computed as it stands. A deviation from p_t is
// taken from the ratio if q/p_{t-1} is far from one, and the terms of B may cancel.
func (s *applied) rebaseFar() {
	s.rebasing.factor = s.z / s.zBefore
	s.inParts(s.n, func(_ *geometric, part, first, end int) {
		var c, cw, ea, size number.BlockSum
		for x := first; x < end; x++ {
			f := s.f[x]
			u := s.before[x]
			a := s.a[x]
			s.back[x], s.grow[x] = -1, f/s.spare[x] // for ratioAfter
			e := s.rebasing.factor/s.grow[x] - 1
			if w := u + e + float64(u*e); s.q.Far && !s.q.Near(x) {
				s.q.U[x] = s.ratioAfter(x) - 1
			} else {
				s.q.U[x] = w
			}
			weighted := f * s.shift[x]
			moved := float64(weighted * s.q.U[x])
			returned := float64(f * e * a)
			c.Add(weighted)
			cw.Add(moved)
			ea.Add(returned)
			roundings := 4 + math.Abs(s.shift[x]) // those of an exponential
			size.Add((math.Abs(weighted) + math.Abs(moved) + math.Abs(returned)) * roundings)
			s.a[x] += s.shift[x]
		}
		s.rebased[part], s.totals[part] = lanes.Rebased{C: c.Value(), CW: cw.Value(), EA: ea.Value()},
			size.Value()
	})
	s.size += number.Total(s.totals) / s.z
	s.addRebased()
}

// ratioAfter returns the ratio q/p at x after the change of p.
func (s *applied) ratioAfter(x int) float64 {
	h := 1 + s.before[x]
	if s.q.Far {
		h = s.q.H[x]
	}
	if back := s.back[x]; back > -0.5 {
		// a product with the same factor would be rounded the same way at every step
		return h + h*(back*s.rebasing.factor+s.rebasing.offset)
	}
	return h * s.rebasing.factor / s.grow[x]
}

// moveRatios moves the distribution of the forward chain.
func (s *applied) moveRatios(ctx context.Context) {
	for i, part := range s.parts {
		if endedAt(ctx, i) {
			return
		}
		s.q.Move(part)
	}
}

// moveAdjoint moves the reverse chain's adjoint.
func (s *applied) moveAdjoint(ctx context.Context) {
	for i, part := range s.twins {
		if endedAt(ctx, i) {
			return
		}
		part.Average(s.spare, s.a)
		s.a, s.spare = s.spare, s.a
	}
}
