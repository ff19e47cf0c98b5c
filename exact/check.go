package exact

import (
	"context"
	"math"

	"breadboard/chains"
	"breadboard/exact/internal/number"
	"breadboard/exact/internal/sweep"
)

// Identity is one thing that must hold of a solution, with how far it does.
type Identity struct {
	Name      string
	Got, Want float64 // the two sides
	Error     float64 // |Got - Want|, zero where both are the same infinity
	Tolerance float64
	OK        bool
}

// NewIdentity compares two sides that must be equal to within a tolerance.
func NewIdentity(name string, got, want, tolerance float64) Identity {
	i := Identity{Name: name, Got: got, Want: want, Error: math.Abs(got - want), Tolerance: tolerance}
	if got == want { // also of infinities
		i.Error = 0
	}
	i.OK = i.Error <= i.Tolerance
	return i
}

// BaseTolerance is relative to the size of what is added up. To it comes half a unit in the last place a
// stage: probabilities that are pushed keep what the rows of the kernel round to, always the same way.
const BaseTolerance = 1e-12

// IdentityTolerance returns how far the numbers of a solution with T distributions may be from agreeing with each other,
// relative to one plus the size of what is added up.
func IdentityTolerance(T int) float64 { return BaseTolerance + float64(T)*0x1p-53 }

// MeanTolerance is how far the means of log w in both directions may be off.
func MeanTolerance(T int, forward, reverse float64) float64 {
	return IdentityTolerance(T) * (1 + number.Finite(forward) + number.Finite(reverse))
}

// Check computes a solution's numbers again by routes that share with Solve only the kernel's rows and the
// distributions on the path: probabilities themselves are pushed forward and backward, J comes from its
// definition, and B both from the expected log weights and from the paper's Eq. 23, the sum over consecutive
// pairs of states. It also checks log E_fwd[w] = log(Z_T/Z_1) = -log E_rev[1/w], where no path has weight zero,
// J <= B and the total mass.
//
// It takes three sweeps of O(T entries) time with several logarithms an entry, and O(sqrt(T) states) memory.
func Check(ctx context.Context, a *chains.Annealing, sol *Solution, progress func(steps int)) ([]Identity, error) {
	p := sweep.NewProblem(a, progress)
	m, err := pushBoth(ctx, p)
	if err != nil {
		return nil, err
	}
	p.Flush()
	// What log f has of a constant is in the log weights and not in B, whose digits it must not excuse.
	forward, reverse := m.meanForward.Value(), m.meanReverse.Value()
	scale := 1 + number.Finite(forward) + number.Finite(reverse)
	constant := math.Abs(p.Offset)
	relative := IdentityTolerance(a.Distributions())
	var out []Identity
	// A number that is known to have lost digits cannot agree to more than it has.
	equal := func(name string, got, want, scale, lost float64) {
		out = append(out, NewIdentity(name, got, want, relative*scale+lost))
	}
	logw, b := 4*sol.ErrorLogW, 4*sol.ErrorB // of both routes, each twice
	if !math.IsInf(sol.MeanLogWReverse, 0) { // else E_fwd[w] lacks what the reverse chain reaches
		equal("log E_fwd[w] = log(Z_T/Z_1)", m.tiltForward.Log()+p.Offset, sol.LogZRatio, scale+constant, logw)
	}
	if !math.IsInf(sol.MeanLogWForward, 0) { // else E_rev[1/w] lacks the paths of weight zero
		equal("-log E_rev[1/w] = log(Z_T/Z_1)", -m.tiltReverse.Log()+p.Offset, sol.LogZRatio, scale+constant, logw)
	}
	equal("E_fwd[log w], pushed", forward+p.Offset, sol.MeanLogWForward, scale+constant, logw)
	equal("E_rev[log w], pushed", reverse+p.Offset, sol.MeanLogWReverse, scale+constant, logw)
	equal("B = E_rev[log w] - E_fwd[log w], pushed", reverse-forward, sol.B, scale, b)
	equal("B by Eq. 23", m.pairsForward.Value()+m.pairsReverse.Value(), sol.B, scale, b)
	equal("J by definition", m.j, sol.J, 1+number.Finite(m.j), 0)
	equal("J <= B", math.Min(sol.J, sol.B), sol.J, 1+number.Finite(sol.J), b)
	equal("total mass, forward", m.massForward, 1, 1, 0)
	equal("total mass, reverse", m.massReverse, 1, 1, 0)
	return out, nil
}
