package weights

import (
	"cmp"
	"context"
	"math"
	"math/cmplx"
	"slices"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/exact/internal/stage"
)

// mostStayers is the largest number of stayers whose atoms are removed from the laws.
const mostStayers = 64

// stayer is a state x together with the chains that hold it for the whole time in which the log weight is made, so that
// x_1 = x_2 = ... = x_{T-1} = x. The log weight does not depend on x_T. All chains of a stayer share one log weight,
// which is the same in both directions, often with a large probability. It is therefore an atom of both laws, and no
// bounds by inversion could be narrower than the atom. So the atom is removed before inversion and added back as a
// step.
type stayer struct {
	value float64    // the shared log weight
	p     [2]float64 // the probability of these chains, by direction
}

// stayers returns the likeliest stayers with a log weight from low to high, at most mostStayers, ordered by the larger
// of the probabilities of both directions. The forward chain is at x_1 = x with probability p_1(x). The reverse chain
// is at x_{T-1} = x with probability p_T(x), because its first move leaves p_T invariant. A kernel and its time
// reversal stay at x with the same probability. It takes one sweep over t.
func (p *problem) stayers(ctx context.Context, low, high float64) ([]stayer, error) {
	s := stage.NewStage(p.Annealing)
	T := p.Annealing.Distributions()
	first := append([]float64(nil), s.Here.P...)
	values := make([]number.Sum, len(first))
	stay, once := make([]float64, len(first)), make([]float64, len(first))
	for x := range stay {
		stay[x] = 1
	}
	for t := 2; t <= T; t++ {
		if t%p.Pulse == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err := s.Load(ctx, t); err != nil {
			return nil, err
		}
		if t < T {
			s.Staying(once)
		}
		for x := range stay {
			if !s.Both(x) {
				stay[x] = 0
			}
			values[x].Add(s.Delta[x])
			if t < T {
				stay[x] *= once[x]
			}
		}
	}
	var out []stayer
	for x, v := range stay {
		if l := values[x].Value(); v > 0 && l >= low && l <= high {
			out = append(out, stayer{l, [2]float64{v * first[x], v * s.Here.P[x]}})
		}
	}
	slices.SortStableFunc(out, func(a, b stayer) int { return cmp.Compare(max(b.p[0], b.p[1]), max(a.p[0], a.p[1])) })
	return out[:min(len(out), mostStayers)], nil
}

// weighted is a value with its probability.
type weighted struct{ value, p float64 }

// atomsOf returns the atoms that the stayers have in the law of one direction.
func atomsOf(stayers []stayer, d chains.Direction) []weighted {
	out := make([]weighted, len(stayers))
	for i, s := range stayers {
		out[i] = weighted{s.value, s.p[d]}
	}
	return out
}

// atomsOfDifference returns the atoms that the stayers have in the law of a reverse minus a forward log weight.
func atomsOfDifference(stayers []stayer) []weighted {
	var out []weighted
	for _, r := range stayers {
		for _, f := range stayers {
			out = append(out, weighted{r.value - f.value, r.p[chains.Reverse] * f.p[chains.Forward]})
		}
	}
	return out
}

// transformAtoms returns the sum over the atoms of p exp(i k step value), for k = 1..n.
func transformAtoms(atoms []weighted, step float64, n int) []complex128 {
	out := make([]complex128, n)
	for _, a := range atoms {
		if a.p < diedOut {
			continue
		}
		turn := cmplx.Rect(1, step*a.value)
		z := complex(0, 0)
		for k := range out {
			if k%factorAnchor == 0 {
				z = cmplx.Rect(a.p, math.Mod(float64(k+1)*step*a.value, 2*math.Pi))
			}
			out[k] += z
			z *= turn
		}
	}
	return out
}
