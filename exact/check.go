package exact

import (
	"context"
	"math"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/exact/internal/stage"
)

// Identity is one equation that must hold of a solution, with its two sides as computed.
type Identity struct {
	Name      string
	Got, Want float64 // the two sides
	Error     float64 // |Got - Want|, zero where both are the same infinity
	Tolerance float64 // the largest Error that rounding explains
	OK        bool    // whether Error is at most Tolerance
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

// BaseTolerance is the part of IdentityTolerance that does not grow with T.
const BaseTolerance = 1e-12

// IdentityTolerance returns how far the two sides of an identity of an annealing with T distributions may differ,
// relative to one plus the size of the terms that are added up. It grows by half a unit in the last place with each
// stage, because the rounding of a kernel's rows may change the mass that is pushed through them in the same direction
// at every stage.
func IdentityTolerance(T int) float64 { return BaseTolerance + float64(T)*0x1p-53 }

// MeanTolerance returns how far the two given means of log w, in nats, may be off for an annealing with T distributions.
func MeanTolerance(T int, forward, reverse float64) float64 {
	return IdentityTolerance(T) * (1 + number.Finite(forward) + number.Finite(reverse))
}

// Check computes a solution's numbers again by routes that share with Solve only the kernel's rows and the
// distributions on the path. It pushes probabilities, not deviations, forward and backward. J comes from its
// definition, and B both from the expected log weights and from the paper's Eq. 23, the sum over consecutive
// pairs of states. It also checks log E_fwd[w] = log(Z_T/Z_1) where no path has an infinite weight,
// -log E_rev[1/w] = log(Z_T/Z_1) where no path has weight zero, J <= B and the total mass.
//
// It makes three sweeps, which take O(T entries) time with several logarithms for each entry, and O(sqrt(T) states)
// memory. It fails where Solve does or the context ends. An identity that does not hold is no error: see Identity.OK.
// Progress is as in Options, and may be nil.
func Check(ctx context.Context, a *chains.Annealing, sol *Solution, progress func(steps int)) ([]Identity, error) {
	p := stage.NewProblem(a, progress)
	m, err := pushBoth(ctx, p)
	if err != nil {
		return nil, err
	}
	p.Flush()
	// A constant in log f adds to the log weights and not to B. It widens the tolerance of the log weights only.
	forward, reverse := m.meanForward.Value(), m.meanReverse.Value()
	scale := 1 + number.Finite(forward) + number.Finite(reverse)
	constant := math.Abs(p.Offset)
	relative := IdentityTolerance(a.Distributions())
	var out []Identity
	// lost is the error that the solution itself states for a number, which widens the tolerance.
	equal := func(name string, got, want, scale, lost float64) {
		out = append(out, NewIdentity(name, got, want, relative*scale+lost))
	}
	logw, b := 4*sol.ErrorLogW, 4*sol.ErrorB // twice the stated error for each of the two routes
	if !math.IsInf(sol.MeanLogWReverse, 0) { // else the reverse chain takes paths that add nothing to E_fwd[w]
		equal("log E_fwd[w] = log(Z_T/Z_1)", m.tiltForward.Log()+p.Offset, sol.LogZRatio, scale+constant, logw)
	}
	if !math.IsInf(sol.MeanLogWForward, 0) { // else the forward chain takes paths that add nothing to E_rev[1/w]
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
