package weights

import (
	"context"

	"breadboard/chains"
)

// EndCGF returns log E[w^l; 0 < w < Inf, the chain ends at x] for each l and each state x, where a forward chain ends
// at x_T and a reverse one at x_1: the joint law of the weight and of the last state, as FiniteCGF is that of the
// weight alone. It is -Inf where no chain of finite and positive weight ends. Time and memory are as for CGF.
//
// As the path laws of both directions have the ratio w Z_1/Z_T on the paths of finite and positive weight, it also
// gives the joint law of the weight and of the first state: E_fwd[w^l; x_1 = x] = Z_T/Z_1 E_rev[w^(l-1); x_1 = x].
func EndCGF(ctx context.Context, a *chains.Annealing, d chains.Direction, l []float64) ([][]float64, error) {
	p := newProblem(a, Options{})
	t := &tiltedMasses{powers: l, finiteOnly: true}
	if err := p.propagate(ctx, d, t, p.Step); err != nil {
		return nil, err
	}
	out := make([][]float64, len(l))
	for i := range out {
		out[i] = make([]float64, len(t.mass[i]))
		for x, v := range t.mass[i] {
			out[i][x] = v.Log() + l[i]*p.Offset
		}
	}
	p.Flush()
	return out, nil
}
