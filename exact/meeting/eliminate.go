package meeting

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"

	"breadboard/chains"
	"breadboard/exact/internal/linear"
)

// systems solve (I - Q^L) v = c.
type systems interface {
	// solve returns v, +Inf if the exit may never be reached, and a bound on its error in units of
	// the entries of (I - Q^L)^-1 1. So if no entry of c is below one, it bounds the relative
	// error. It is 0 if rounding does not add up.
	solve(ctx context.Context, c []float64) (v []float64, off float64, err error)
	// about returns v to some three digits, in less time if there are many pairs.
	about(ctx context.Context, c []float64) ([]float64, error)
	// left returns a (I - Q^L)^-1 for a distribution a of pairs from all of which the exit is
	// reached.
	left(ctx context.Context, a []float64) ([]float64, error)
	// never marks the pairs from which the exit may never be reached.
	never() []bool
}

// systems returns the systems of I - Q with (I-Q)^-1 1 and a bound on its error: by elimination for
// few pairs, and else by iteration. If chains meet soon and move far, iteration is faster for few
// pairs too; its error must then be only rounding.
func (p *Pairs) systems(ctx context.Context) (s systems, v []float64, off float64, err error) {
	n := float64(len(p.states))
	iterationBudget := math.Inf(1)
	if n <= MaxSolved {
		iterationBudget = n * n * n / 60
		if p.profile() <= n*n*n/12 || n <= 200 {
			iterationBudget = 0
		}
	}
	return p.iterated(
		ctx,
		p.iterate(),
		iterationBudget,
		func() (*linear.Stochastic, error) { return p.absorbing(), nil },
	)
}

// iterated solves by an iteration within a budget of work, where 0 never iterates and +Inf always
// does, or by an elimination of a matrix.
func (p *Pairs) iterated(ctx context.Context, i *iteration, iterationBudget float64,
	m func() (*linear.Stochastic, error)) (s systems, v []float64,
	off float64, err error) {
	one := ones(len(p.states))
	if iterationBudget > 0 {
		i.most = min(iterationBudget, iterationWork)
		v, off, err = i.solve(ctx, one)
		i.most = iterationWork
		if ctx.Err() != nil || math.IsInf(iterationBudget, 1) {
			return i, v, off, err
		} else if err == nil && off <= 0x1p-50 {
			return i, v, off, nil
		}
	}
	a, err := m()
	if err != nil {
		return nil, nil, 0, err
	}
	e := eliminate(a)
	v, off, err = e.solve(ctx, one)
	return e, v, off, err
}

// profile is about the number of products of an elimination, by how far each pair goes back in the
// order of the pairs.
func (p *Pairs) profile() (products float64) {
	for at := range p.states {
		first := int32(at)
		for k := p.start[at]; k < p.start[at+1]; k++ {
			first = min(first, p.to[k])
		}
		back := float64(int32(at) - first)
		products += back * back
	}
	return products
}

// lagged is systems for a lag above one, given those of I - Q: by elimination of Q^L, or by
// iteration if that is faster.
func (p *Pairs) lagged(ctx context.Context, lag int,
	once systems) (s systems, v []float64, off float64, err error) {
	const steps = 200 // of an iteration, all together
	n := float64(len(p.states))
	iterationBudget := 0.0
	if eliminated := n * n * n * (1 + 2*math.Log2(float64(lag))); n > MaxSolved {
		iterationBudget = math.Inf(1)
	} else if steps*(float64(lag*len(p.to))+n*n) < eliminated {
		iterationBudget = eliminated / 8
	}
	return p.iterated(ctx, p.iterateLagged(lag, once), iterationBudget,
		func() (*linear.Stochastic, error) { return raised(ctx, p.absorbing(), lag) })
}

// elimination solves systems of I - A for a matrix A of probabilities and the probabilities of its
// exits, which together are the rows of a chain. It adds, multiplies and divides numbers that are
// not negative, and never subtracts.
//
// Source: Grassmann, Taksar and Heyman 1985; O'Cinneide 1993 for the error, which is that of each
// entry of the input times the order.
type elimination struct {
	n    int
	from []int // of each row: where its entries below the diagonal begin
	// n + 1 entries a row, of which the last is not used: below the diagonal the rows over their
	// pivots, above it the columns as they were eliminated
	a      []float64
	pivots []float64
	lost   []bool // rows from which the exit is not reached with probability one: the solution is +Inf there
}

// eliminate factors I - A for a power of Pairs.absorbing, which it overwrites. Pairs from which no
// exit can be reached, and those from which such a pair can be reached, are left out.
func eliminate(m *linear.Stochastic) *elimination {
	n := m.N - 1
	a := m.V
	exit := make([]float64, n)
	for i := range exit {
		exit[i] = m.Row(i)[n]
	}
	e := &elimination{n: n, from: make([]int, n), a: a, pivots: make([]float64, n)}
	e.lost = neverLeave(exit, func(i int, marked []bool) bool {
		for j, v := range m.Row(i)[:n] {
			if v > 0 && marked[j] {
				return true
			}
		}
		return false
	})
	for k := n - 1; k >= 0; k-- {
		e.from[k] = k
		if e.lost[k] {
			continue
		}
		row := m.Row(k)[:k]
		pivot := exit[k]
		for j, v := range row {
			pivot += v
			if v > 0 && e.from[k] == k {
				e.from[k] = j
			}
		}
		first := e.from[k]
		row = row[first:]
		e.pivots[k] = pivot
		for j := range row {
			row[j] /= pivot
		}
		exit[k] /= pivot
		for i := range k {
			if w := m.Row(i)[k]; w > 0 && !e.lost[i] {
				to := m.Row(i)[first:k]
				blas64.Axpy(w, vector(row), vector(to))
				exit[i] += w * exit[k]
			}
		}
	}
	return e
}

// vector returns a vector as the library of linear algebra wants it.
func vector(v []float64) blas64.Vector { return blas64.Vector{N: len(v), Data: v, Inc: 1} }

// neverLeave marks the places from which a chain may never leave: it can reach a place without a
// path to an exit. The function reaches says whether a marked place can be reached from another in
// one move.
func neverLeave(exit []float64, reaches func(i int, marked []bool) bool) []bool {
	n := len(exit)
	leaves := make([]bool, n)
	for i, p := range exit {
		leaves[i] = p > 0
	}
	spread := func(marked []bool, from func(i int) bool) {
		for grown := true; grown; {
			grown = false
			for i := range n {
				if marked[i] || !from(i) {
					continue
				}
				marked[i], grown = true, true
			}
		}
	}
	spread(leaves, func(i int) bool { return reaches(i, leaves) })
	lost := make([]bool, n)
	for i := range lost {
		lost[i] = !leaves[i]
	}
	spread(lost, func(i int) bool { return reaches(i, lost) })
	return lost
}

// solve implements systems. For c of numbers that are not negative nothing is subtracted. If an
// entry would be too large for float64, the system is solved again for much smaller c, so that no
// other entry is lost with it.
func (e *elimination) solve(_ context.Context, c []float64) ([]float64, float64, error) {
	v := e.solved(c, 1)
	for k, x := range v {
		if !(x <= math.MaxFloat64) && !e.lost[k] {
			const small = 0x1p-1000
			v = e.solved(c, small)
			for i := range v {
				v[i] /= small
			}
			break
		}
	}
	return v, 0, nil
}

func (e *elimination) about(ctx context.Context, c []float64) ([]float64, error) {
	v, _, err := e.solve(ctx, c)
	return v, err
}

// left implements systems. It subtracts nothing.
func (e *elimination) left(_ context.Context, a []float64) ([]float64, error) {
	u := slices.Clone(a)
	width := e.n + 1
	for k := e.n - 1; k >= 0; k-- {
		if from := e.from[k]; !e.lost[k] && u[k] != 0 {
			blas64.Axpy(u[k], vector(e.a[k*width+from:k*width+k]), vector(u[from:k]))
		}
	}
	for k := range u {
		if e.lost[k] {
			u[k] = 0
		} else if u[k] != 0 {
			u[k] /= e.pivots[k]
			blas64.Axpy(u[k], vector(e.a[k*width+k+1:(k+1)*width-1]), vector(u[k+1:]))
		}
	}
	return u, nil
}

func (e *elimination) never() []bool { return e.lost }

// solved solves the system for c times a factor.
func (e *elimination) solved(c []float64, factor float64) []float64 {
	v := make([]float64, e.n)
	width := e.n + 1
	for k := e.n - 1; k >= 0; k-- {
		if !e.lost[k] {
			v[k] = (c[k]*factor + blas64.Dot(vector(e.a[k*width+k+1:(k+1)*width-1]), vector(v[k+1:]))) /
				e.pivots[k]
		}
	}
	for k := range e.n {
		if from := e.from[k]; !e.lost[k] {
			v[k] += blas64.Dot(vector(e.a[k*width+from:k*width+k]), vector(v[from:k]))
		}
	}
	for k, lost := range e.lost {
		if lost {
			v[k] = math.Inf(1)
		}
	}
	return v
}

// absorbing returns the transition matrix of pairs, with one more state, the last, for all pairs
// that have met.
func (p *Pairs) absorbing() *linear.Stochastic {
	n := len(p.states)
	var row []chains.Entry
	return linear.NewStochastic(n+1, func(at int) []chains.Entry {
		if at == n {
			return append(row[:0], chains.Entry{To: n, P: 1})
		}
		row = append(row[:0], chains.Entry{To: n, P: p.exit[at]})
		for k := p.start[at]; k < p.start[at+1]; k++ {
			row = append(row, chains.Entry{To: int(p.to[k]), P: p.p[k]})
		}
		return row
	})
}

// raised returns a power of a transition matrix, of one or more.
func raised(ctx context.Context, square *linear.Stochastic, power int) (m *linear.Stochastic, err error) {
	product := func(a, b *linear.Stochastic) *linear.Stochastic {
		c := a.Empty()
		if err == nil {
			err = c.Multiply(ctx, a, b)
		}
		return c
	}
	for ; ; square = product(square, square) {
		if power&1 == 1 {
			if m == nil {
				m = square
			} else {
				m = product(m, square)
			}
		}
		power >>= 1
		if power == 0 || err != nil {
			return m, err
		}
	}
}
