package averages

import (
	"context"
	"math"
	"slices"
)

// Bracket bounds a number: it is proven to lie from Low to High, both included.
type Bracket struct{ Low, High float64 }

// square is a value of Q - 2 offset A of one chain, the squared distance to the true mean less the square of the offset, and its
// probability. It is never negative, because the integer zero is nearest to the offset.
type square struct{ e, p float64 }

// lattice brackets the law of a sum of independent squares. Each is rounded down to a multiple of a unit, so that the sum of so many
// of them is less than so many units above the sum of multiples, whose law convolution finds.
type lattice struct {
	chains    int
	unit, top float64   // the law is known for sums up to top
	exact     bool      // whether all squares are multiples of the unit
	less      []float64 // the probabilities of the sums over half of the chains, rounded down
	more      []float64 // the probabilities of those over all other chains to be at most a number
	roundings float64
}

// newLattice returns the bracket of sums up to top, in about so many products. It fails where the context ends.
func newLattice(ctx context.Context, squares []square, chains int, top, products, roundings float64) (*lattice, error) {
	within := slices.DeleteFunc(slices.Clone(squares), func(s square) bool { return s.e > top })
	l := &lattice{chains: chains, top: top, exact: true}
	l.unit = unitOf(top, cellsFor(len(within), (chains+1)/2, products))
	at := make([]float64, l.cell(top*(1+2*tie))+1)
	single, used := make([]float64, len(at)), 0
	for _, s := range within {
		v := s.e / l.unit
		whole := math.Round(v)
		if math.Abs(v-whole) > tie/4*v {
			l.exact = false
			whole = math.Floor(v)
		}
		if single[int(whole)] == 0 {
			used++
		}
		single[int(whole)] += s.p
	}
	l.roundings = float64(chains) * (roundings + float64(used) + 2)
	at[0] = 1
	for k := range (chains + 1) / 2 {
		if k == chains/2 {
			l.less = at
		}
		var err error
		if at, err = convolved(ctx, at, single); err != nil {
			return nil, err
		}
	}
	if chains%2 == 0 {
		l.less = at
	}
	l.more = running(at)
	return l, nil
}

// cellsFor returns how many multiples a lattice for so many squares may have, where half as many chains are convolved one by one.
func cellsFor(squares, chains int, products float64) float64 {
	each := products / float64(max(1, chains-1))
	return min(max(each/float64(max(1, squares)), math.Sqrt(each), 1<<10), 1<<18)
}

// unitOf returns the unit of a lattice of so many cells up to top: one over an integer where there is room for integers, because squares of
// integers are what is rounded.
func unitOf(top, cells float64) float64 {
	if top > cells {
		return top / cells
	}
	return 1 / min(math.Floor(cells/max(top, 1)), 1<<10)
}

// cell returns the largest multiple of the unit that is at most a sum.
func (l *lattice) cell(sum float64) int { return int(math.Floor(sum / l.unit)) }

// convolved returns the law of the sum of two independent numbers, of which the second has few values, up to the length of the first.
func convolved(ctx context.Context, p, few []float64) ([]float64, error) {
	last := len(p)
	for last > 0 && p[last-1] == 0 {
		last--
	}
	out := make([]float64, len(p))
	for v, q := range few {
		if q == 0 {
			continue
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		dst := out[v:]
		src := p[:min(last, len(dst))]
		dst = dst[:len(src)]
		for i, w := range src {
			dst[i] += float64(q * w)
		}
	}
	return out, nil
}

// rounded returns the probability that the sum of the squares, each rounded down, is at most so many units.
func (l *lattice) rounded(cell int) float64 {
	total := 0.0
	for i := 0; i <= cell && i < len(l.less); i++ {
		total += l.less[i] * l.more[min(cell-i, len(l.more)-1)]
	}
	return total
}

// slack returns by how many units the sum of the squares may be above that of the rounded ones.
func (l *lattice) slack() int {
	if l.exact {
		return 0
	}
	return l.chains
}

// atMost bounds the probability that the sum of the squares is at most the given one, which is not above top. It allows for the rounding
// of float64.
func (l *lattice) atMost(sum float64) Bracket {
	allowance := 2 * unit * (l.roundings + math.Sqrt(float64(len(l.less))))
	low, high := l.rounded(l.cell(sum)-l.slack()), l.rounded(l.cell(sum*(1+2*tie)))
	return Bracket{low * (1 - allowance), min(1, high*(1+allowance))}
}
