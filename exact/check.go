package exact

import (
	"context"
	"math"

	"breadboard/chains"
)

// Identity is one thing that must hold of a solution, with how far it does.
type Identity struct {
	Name      string
	Got, Want float64 // the two sides
	Error     float64 // |Got - Want|, zero where both are the same infinity
	Tolerance float64
	OK        bool
}

// identityTolerance is relative to the size of what is added up.
const identityTolerance = 1e-12

// Check computes a solution's numbers again by routes that share nothing with Solve but the kernel's rows:
// probabilities themselves are pushed forward and backward, J comes from its definition, and B both from the
// expected log weights and from the paper's Eq. 23, the sum over consecutive pairs of states. It also checks
// log E_fwd[w] = log(Z_T/Z_1) = -log E_rev[1/w], where no path has weight zero, J <= B and the total mass.
//
// It takes three sweeps of O(T entries) time with several logarithms an entry, and O(sqrt(T) states) memory.
func Check(ctx context.Context, a *chains.Annealing, sol *Solution, opts ...Option) ([]Identity, error) {
	p := newProblem(a, opts)
	m, err := pushBoth(ctx, p)
	if err != nil {
		return nil, err
	}
	scale := 1 + math.Abs(m.meanForward.value()) + math.Abs(m.meanReverse.value())
	var out []Identity
	equal := func(name string, got, want, scale float64) {
		i := Identity{Name: name, Got: got, Want: want, Error: math.Abs(got - want), Tolerance: identityTolerance * scale}
		if got == want {
			i.Error = 0
		}
		i.OK = i.Error <= i.Tolerance
		out = append(out, i)
	}
	if !math.IsInf(sol.B, 0) {
		equal("log E_fwd[w] = log(Z_T/Z_1)", m.tiltForward.log(), sol.LogZRatio, scale)
		equal("-log E_rev[1/w] = log(Z_T/Z_1)", -m.tiltReverse.log(), sol.LogZRatio, scale)
		equal("E_fwd[log w], pushed", m.meanForward.value(), sol.MeanLogWForward, scale)
		equal("E_rev[log w], pushed", m.meanReverse.value(), sol.MeanLogWReverse, scale)
		equal("B = E_rev[log w] - E_fwd[log w], pushed", m.meanReverse.value()-m.meanForward.value(), sol.B, scale)
	}
	equal("B by Eq. 23", m.pairsForward.value()+m.pairsReverse.value(), sol.B, scale)
	equal("J by definition", m.j, sol.J, 1+math.Abs(m.j))
	equal("J <= B", math.Min(sol.J, sol.B), sol.J, 1)
	equal("total mass, forward", m.massForward, 1, 1)
	equal("total mass, reverse", m.massReverse, 1, 1)
	return out, nil
}
