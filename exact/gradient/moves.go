package gradient

import (
	"context"

	"breadboard/chains"
	"breadboard/exact/internal/operator"
)

// moves are the kernel T_t of any stage and its time reversal T~_t, which are applied to functions and differentiated. There
// are two ways to do that: appliedMoves, for kernels that are applied without their rows, and rowMoves for all others. A stage is
// prepared by load, and again by derive, before anything else is asked of it. What then has to do with T_t, and what with T~_t,
// may be asked for at the same time.
type moves interface {
	// load computes the kernel at a stage whose distributions have been computed.
	load(ctx context.Context, s *tangent) error
	// derive goes back to a stage that has been loaded, and prepares its derivatives.
	derive(ctx context.Context, s *tangent) error
	// moveBack moves a law by T_t, which is an average over T~_t of its ratios. adjoint writes T~_t v to dst, and may be asked
	// for at the same time.
	moveBack(s *tangent, q *operator.Ratios)
	adjoint(s *tangent, dst, v []float64)
	// average writes T_t v to dst.
	average(s *tangent, dst, v []float64)
	// averageToo does the same, and may be asked for at the same time.
	averageToo(s *tangent, dst, v []float64)
	// derived and derivedBack return the sum over x of p_t(x) measure(x) (T' v)(x), for the derivatives of T_t and of T~_t by
	// beta, and whether they jump there. They are then the derivatives from above, or from below at beta = 1.
	derived(s *tangent, measure, v []float64) (total float64, kinked bool)
	derivedBack(s *tangent, measure, v []float64) (total float64, kinked bool)
}

// newMoves returns the moves of an annealing with one kernel. It fails where the context ends and where the operator would
// take too much memory, before it takes any.
func newMoves(ctx context.Context, a *chains.Annealing) (moves, error) {
	k, n := a.Kernel(), a.States()
	o, err := operator.New(ctx, k, n)
	if err != nil {
		return nil, err
	}
	forward, known := operator.Derivative(o)
	if o == nil || !known {
		return newRowMoves(k), nil
	}
	m := &appliedMoves{forward: forward, twin: o.Twin()}
	back := o.Reversal().Twin()
	m.parts, m.adjointBy = operator.Sequence(back), back.Twin()
	m.back, _ = operator.Derivative(m.adjointBy)
	m.law.LogF = func() []float64 { return m.stage.logF() }
	return m, nil
}

// appliedMoves are those of a kernel that is applied without its rows (see package operator).
type appliedMoves struct {
	forward   operator.Differentiable // T_t, which is the one that is loaded
	twin      operator.Operator       // T_t, for averageToo
	parts     []operator.Operator     // what T~_t does, one after another
	adjointBy operator.Operator       // T~_t, for adjoint
	back      operator.Differentiable // T~_t, for derivatives
	law       operator.Distribution
	stage     *tangent // that which is loaded
}

// load implements moves.
func (m *appliedMoves) load(_ context.Context, s *tangent) error {
	m.stage = s
	m.law.F, m.law.Inverse = s.p, s.perP
	m.forward.Load(&m.law)
	return nil
}

// derive implements moves: there is nothing to prepare but the kernel itself, unless it is the one that is loaded.
func (m *appliedMoves) derive(ctx context.Context, s *tangent) error {
	if m.stage == s {
		return nil
	}
	return m.load(ctx, s)
}

// moveBack implements moves.
func (m *appliedMoves) moveBack(_ *tangent, q *operator.Ratios) {
	for _, part := range m.parts {
		q.Move(part)
	}
}

// adjoint implements moves.
func (m *appliedMoves) adjoint(_ *tangent, dst, v []float64) { m.adjointBy.Average(dst, v) }

// average implements moves.
func (m *appliedMoves) average(_ *tangent, dst, v []float64) { m.forward.Average(dst, v) }

// averageToo implements moves.
func (m *appliedMoves) averageToo(_ *tangent, dst, v []float64) { m.twin.Average(dst, v) }

// derived implements moves.
func (m *appliedMoves) derived(s *tangent, measure, v []float64) (total float64, kinked bool) {
	return m.forward.Derived(measure, v, along(s))
}

// derivedBack implements moves.
func (m *appliedMoves) derivedBack(s *tangent, measure, v []float64) (total float64, kinked bool) {
	return m.back.Derived(measure, v, along(s))
}

// along is the direction in which log f changes with beta. At the end of the path beta can only fall.
func along(s *tangent) operator.Direction {
	return operator.Direction{Slope: s.slope, Below: s.beta == 1}
}
