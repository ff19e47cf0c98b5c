package laws

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains/number"
	"breadboard/exact/internal/crew"
)

const (
	chainLatticeWork = 2e7     // how many numbers the lattice of a chain goes through: some hundredths of a second
	leastChainCells  = 16      // with fewer the bracket would say nothing
	mostChainCells   = 1 << 13 // more make it hardly narrower
)

// cells returns how many cells the lattice has up to the threshold; zero for no lattice.
func (t *chainTerms) cells() int {
	perCell := 2 * float64(t.k) * max(float64(len(t.logV)), t.moves.pass)
	if t.tilted {
		perCell *= 2
	}
	n := int(min(mostChainCells, chainLatticeWork/perCell))
	switch {
	case t.exact():
		return 1
	case n < leastChainCells:
		return 0
	}
	return n
}

// limits implements tail.
func (t *chainTerms) limits() string {
	if n := t.cells(); n > 0 {
		return fmt.Sprintf("the terms are rounded to %d parts of the threshold; a shorter chain or fewer states give a narrower bracket", n)
	}
	return fmt.Sprintf("only the bounds of Markov and Chernoff are known; more is for chains with %.0f times fewer places or states", math.Ceil(2*float64(t.k)*max(float64(len(t.logV)), t.moves.pass)*leastChainCells/chainLatticeWork))
}

// support implements tail.
func (t *chainTerms) support() (lowest, highest float64) {
	lowest, highest = math.Inf(1), math.Inf(-1)
	zero := false
	for x, l := range t.logV {
		switch {
		case t.k == 1 && t.initial[x] == 0:
		case math.IsInf(l, -1):
			zero = true
		default:
			lowest, highest = min(lowest, l), max(highest, l)
		}
	}
	switch {
	case zero && !t.positive:
		lowest = math.Inf(-1)
	case zero:
		lowest -= math.Log(float64(t.k)) // one of the terms alone
	}
	return lowest, highest
}

// exact implements tail: whether one term is below the threshold takes no lattice.
func (t *chainTerms) exact() bool { return t.k == 1 }

// atLeast implements tail.
func (t *chainTerms) atLeast(ctx context.Context, logV, slack float64) (low, high float64, err error) {
	cells := t.cells()
	if cells == 0 {
		return 0, 1, nil
	}
	logSum := logV + math.Log(float64(t.k))
	up := math.Ceil
	if t.exact() {
		up = math.Floor // the only term is below the threshold, or not
	}
	err = crew.Jobs(ctx, 2, t.workers, func(ctx context.Context, i int) (err error) {
		if i == 0 {
			low, err = t.latticeAtLeast(ctx, cells, logSum+slack, math.Floor)
			return err
		}
		high, err = t.latticeAtLeast(ctx, cells, logSum-slack, up)
		return err
	})
	if t.exact() {
		return low, high, err
	}
	rounding := 1e-15 * (100 + float64(t.k)*(1+t.moves.pass/float64(len(t.logV))))
	return max(0, low-rounding), min(1, high+rounding), err
}

// latticeAtLeast returns the probability that the sum is at or above exp(logSum), where each term is rounded to a lattice.
//
// It goes back along the chain with F_k(x, i), the probability from state x at place k that the terms from there on sum up to i cells
// at least, which is one for i <= 0: F_k(x, i) = (T F_{k+1})(x, i - m(x)), where m is the term in cells. Where the law is tilted it goes
// back with D_k(x, i), the mean of the terms V from there on, over K, where they sum up to i cells; for i <= 0 the condition holds
// always. Both fall with i, so that terms that are rounded down give lower bounds, and those rounded up upper bounds.
func (t *chainTerms) latticeAtLeast(ctx context.Context, cells int, logSum float64, round func(float64) float64) (float64, error) {
	n := len(t.logV)
	l := &chainLattice{terms: t, moves: t.moves.twin(), shift: make([]int, n), f: rowsOf(cells+1, n), next: make([]float64, n)}
	for x, v := range t.logV {
		l.shift[x] = int(round(min(1, math.Exp(v-logSum)) * float64(cells)))
	}
	for x := range n {
		l.f[0][x] = 1
	}
	if t.tilted {
		l.d, l.share = rowsOf(cells+1, n), make([]float64, n)
		for x, v := range t.logV {
			l.share[x] = math.Exp(v) / float64(t.k)
		}
	}
	for range t.k {
		if err := l.place(ctx); err != nil {
			return 0, err
		}
	}
	last := l.f[cells]
	if t.tilted {
		last = l.d[cells]
	}
	return number.Dot(t.initial, last), nil
}

// chainLattice is what latticeAtLeast goes back with. Row 0 is that of all i <= 0.
type chainLattice struct {
	terms *chainTerms
	moves *posteriorMoves
	shift []int // the term of each state in cells
	share []float64
	f, d  [][]float64 // by cell and state
	next  []float64
}

// rowsOf returns rows of n zeros.
func rowsOf(rows, n int) [][]float64 {
	all, out := make([]float64, rows*n), make([][]float64, rows)
	for i := range out {
		out[i] = all[i*n:][:n:n]
	}
	return out
}

// place goes back by one place.
func (l *chainLattice) place(ctx context.Context) error {
	for _, rows := range [][][]float64{l.f, l.d} {
		for i := range rows {
			if err := ctx.Err(); err != nil {
				return err
			}
			l.moves.averageTerms(l.next, rows[i])
			copy(rows[i], l.next)
		}
		for i := len(rows) - 1; i >= 0; i-- { // the rows below have not been changed yet
			for x, m := range l.shift {
				rows[i][x] = rows[max(0, i-m)][x]
			}
		}
	}
	for i := range l.d {
		for x, v := range l.share {
			l.d[i][x] += v * l.f[i][x]
		}
	}
	return nil
}
