package weights

import (
	"context"

	"breadboard/chains"
)

// bandSize is the number of frequencies that are propagated together: enough to share the rows of a stage, few
// enough to stay in the cache.
const bandSize = 128

// factorAnchor is the number of rotations after which a factor is computed afresh.
const factorAnchor = 8

// transformRounding bounds the rounding of a transform, relative to its value at the power alone: in units in the
// last place a move, 3 factorAnchor of the factor, a few of the product, and one for each state that a state is
// reached from.
func transformRounding(states, moves int) float64 {
	return float64(32+states) * float64(moves+1) * 0x1p-53
}

// diedOut is the modulus below which a characteristic function counts as nothing; it is part of the error bound.
const diedOut = 1e-18

// band is a number of equally spaced points on a vertical line of the complex plane: power + i (first + j spacing),
// j = 0..size-1.
type band struct {
	power, first, spacing float64
	size                  int
}

// transformed is E[w^s; 0 < w < Inf] at the points s of a band: exp(logScale) times the values.
type transformed struct {
	values   []complex128
	logScale float64 // log E[w^power; 0 < w < Inf]; no value is larger than one
	work     float64 // multiplications
}

// transform computes the transform of the weight's law along a band, by complex tilted propagation. It takes one
// sweep of O(T entries size) time. At power 0 it stops where the characteristic function has died out: the sum of
// the moduli over the states bounds it, and no later stage can make that grow. Entries of the kernel below 1e-290
// are left out.
func (p *problem) transform(ctx context.Context, d chains.Direction, b band) (*transformed, error) {
	f := newTilted(b, p.Annealing.States())
	if err := p.propagate(ctx, d, f, contextError); err != nil {
		return nil, err
	}
	if f.dead {
		return &transformed{make([]complex128, b.size), 0, f.work}, nil
	}
	return f.result(), nil
}

// bandOf returns how many frequencies are propagated together on so many states: fewer where they would take memory of
// gigabytes.
func bandOf(states int) int { return max(4, min(bandSize, (1<<21)/states)) }

// bands cuts points first + j spacing, j = 0..n-1, into bands for a number of states.
func bands(power, first, spacing float64, n, states int) []band {
	var out []band
	size := bandOf(states)
	for j := 0; j < n; j += size {
		out = append(out, band{power, first + float64(j)*spacing, spacing, min(size, n-j)})
	}
	return out
}
