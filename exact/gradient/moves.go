package gradient

import (
	"context"

	"breadboard/chains"
	"breadboard/exact/internal/operator"
)

// moves are the kernel T_t of any stage and its time reversal T~_t, which are applied to functions and differentiated. There
// are two ways to do that: appliedMoves, for kernels that are applied without their rows, and rowMoves for all others.
type moves interface {
	// load computes the kernel at a stage whose distributions have been computed.
	load(ctx context.Context, s *tangent) error
	// moveBack moves a law by T_t, which is an average over T~_t of its ratios.
	moveBack(s *tangent, q *operator.Ratios)
	// averageBack and average write T~_t v and T_t v to dst.
	averageBack(s *tangent, dst, v []float64)
	average(s *tangent, dst, v []float64)
	// derive prepares the derivatives at a stage that has been loaded.
	derive(ctx context.Context, s *tangent) error
	// derived and derivedBack return the sum over x of p_t(x) measure(x) (T' v)(x), for the derivatives of T_t and of T~_t by
	// beta, and whether they jump there. They are then the derivatives from above, or from below at beta = 1.
	derived(s *tangent, measure, v []float64) (total float64, kinked bool)
	derivedBack(s *tangent, measure, v []float64) (total float64, kinked bool)
}

// newMoves returns the moves of an annealing with one kernel. It fails where the context ends.
func newMoves(ctx context.Context, a *chains.Annealing) (moves, error) {
	k := a.Kernel()
	o, err := operator.New(ctx, k, a.States())
	if err != nil {
		return nil, err
	}
	forward, known := operator.Derivative(o)
	if o == nil || !known {
		return newRowMoves(k), nil
	}
	back, _ := operator.Derivative(o.Reversal())
	m := &appliedMoves{forward: forward, back: back, parts: operator.Sequence(back)}
	m.law.LogF = func() []float64 { return m.stage.logF() }
	return m, nil
}

// appliedMoves are those of a kernel that is applied without its rows (see package operator).
type appliedMoves struct {
	forward, back operator.Differentiable
	parts         []operator.Operator // what back does, one after another
	law           operator.Distribution
	stage         *tangent // that which is loaded
}

// load implements moves.
func (m *appliedMoves) load(_ context.Context, s *tangent) error {
	m.stage = nil // its memory may hold another stage now
	m.at(s)
	return nil
}

// at loads a stage, unless it is loaded.
func (m *appliedMoves) at(s *tangent) {
	if m.stage != s {
		m.stage = s
		m.law.F, m.law.Inverse = s.p, s.perP
		m.forward.Load(&m.law)
	}
}

// moveBack implements moves.
func (m *appliedMoves) moveBack(s *tangent, q *operator.Ratios) {
	m.at(s)
	for _, part := range m.parts {
		q.Move(part)
	}
}

// averageBack implements moves.
func (m *appliedMoves) averageBack(s *tangent, dst, v []float64) {
	m.at(s)
	m.back.Average(dst, v)
}

// average implements moves.
func (m *appliedMoves) average(s *tangent, dst, v []float64) {
	m.at(s)
	m.forward.Average(dst, v)
}

// derive implements moves: there is nothing to prepare.
func (m *appliedMoves) derive(context.Context, *tangent) error { return nil }

// derived implements moves.
func (m *appliedMoves) derived(s *tangent, measure, v []float64) (total float64, kinked bool) {
	m.at(s)
	return m.forward.Derived(measure, v, along(s))
}

// derivedBack implements moves.
func (m *appliedMoves) derivedBack(s *tangent, measure, v []float64) (total float64, kinked bool) {
	m.at(s)
	return m.back.Derived(measure, v, along(s))
}

// along is the direction in which log f changes with beta. At the end of the path beta can only fall.
func along(s *tangent) operator.Direction {
	return operator.Direction{Slope: s.slope, Below: s.beta == 1}
}
