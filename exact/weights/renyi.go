package weights

import (
	"context"
	"fmt"

	"breadboard/chains"
)

// Renyi returns the Rényi divergences of order alpha between the laws of the whole forward and the whole reverse chain,
// in nats: forward is D_alpha(path_fwd || path_rev), and reverse is D_alpha(path_rev || path_fwd). Alpha must be above
// zero and not one; as it tends to one, they tend to the two divergences whose sum is B (see exact.Solution). The
// probability of a path in the reverse chain is w Z_1/Z_T times that in the forward chain, so that both divergences
// follow from E[w^s] (see CGF). D_2(path_rev || path_fwd) is the logarithm of one plus the relative variance of w.
// Renyi fails where CGF does and for any other alpha.
//
// Source: van Erven and Harremoes 2014, Eq. 4.
func Renyi(ctx context.Context, a *chains.Annealing, alpha float64) (forward, reverse float64, err error) {
	if !(alpha > 0) || alpha == 1 {
		return 0, 0, fmt.Errorf("weights: Rényi divergence of order %v; the order is above 0 and not 1", alpha)
	}
	r := newProblem(a, Options{})
	logZRatio := r.logZRatio() + r.Offset
	f, err := CGF(ctx, a, chains.Forward, []float64{1 - alpha})
	if err != nil {
		return 0, 0, err
	}
	v, err := CGF(ctx, a, chains.Reverse, []float64{alpha - 1})
	if err != nil {
		return 0, 0, err
	}
	return f[0]/(alpha-1) + logZRatio, v[0]/(alpha-1) - logZRatio, nil
}
