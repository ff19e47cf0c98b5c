package weights

import (
	"context"
	"math"

	"breadboard/chains"
	"breadboard/exact/internal/stage"
)

// CGF returns K(l) = log E[w^l] of the weight w of one chain in the given direction, for each l, by tilted
// propagation: the mass that reaches a state is multiplied by (f_t/f_{t-1})^l on its way. K is +Inf where a
// weight to a negative power (forward) or a positive one (reverse) is infinite with positive probability.
//
// Forward, K(1) = log(Z_T/Z_1), and E[w^2]/E[w]^2 - 1 is the relative variance of w; in reverse,
// K(-1) = -log(Z_T/Z_1). It takes one sweep of O(T entries len(l)) time, and O(entries + states len(l)) memory.
func CGF(ctx context.Context, a *chains.Annealing, d chains.Direction, l []float64) ([]float64, error) {
	return cgf(ctx, a, d, l, false)
}

// FiniteCGF returns log E[w^l; 0 < w < Inf], the same over the chains with a finite and positive weight only. At
// l = 0 it is the log probability of such a weight.
func FiniteCGF(ctx context.Context, a *chains.Annealing, d chains.Direction, l []float64) ([]float64, error) {
	return cgf(ctx, a, d, l, true)
}

func cgf(ctx context.Context, a *chains.Annealing, d chains.Direction, l []float64, finiteOnly bool) ([]float64, error) {
	p := newProblem(a, Options{})
	t := &tiltedMasses{powers: l, finiteOnly: finiteOnly}
	if err := p.propagate(ctx, d, t, p.Step); err != nil {
		return nil, err
	}
	out := make([]float64, len(l))
	for i := range out {
		if out[i] = stage.Total(t.mass[i]).Log() + l[i]*p.Offset; t.infinite[i] {
			out[i] = math.Inf(1)
		}
	}
	p.Flush()
	return out, nil
}
