package certified

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/kernels"
	"breadboard/grid"
	"breadboard/grid/quotients"
)

// rule advances an edge to the next beta, and moves the mass and the adjoint at its ends along it.
type rule func(s *sweep, e *edge)

// local returns the space and the rule of a kernel that proposes each neighbour with equal
// probability. It needs the formula of the kernel, since the rows of the kernel in float64 have too
// few digits.
func local(k chains.Kernel) (grid.Graph, rule, error) {
	switch k := k.(type) {
	case kernels.Metropolis:
		return k.Space, metropolis, nil
	case kernels.Barker:
		return k.Space, barker, nil
	case kernels.Lumped:
		if k.Acceptance() == kernels.AcceptBarker {
			return k.Quotient(), barker, nil
		}
		return k.Quotient(), metropolis, nil
	}
	return nil, nil,
		errs.New("kernel %v cannot be certified; metropolis and barker can, and on classes of states also "+
			"flip, and heatbath on axes of two values", k)
}

// edge joins two neighbours, of which low has the smaller f.
type edge struct {
	low, high *node
	slope     *big.Float // g(high) - g(low) >= 0, with guard more bits
	rho       *sum       // f(low)/f(high)
	factor    *big.Float // the factor by which one step multiplies rho
	drop      *big.Float // one minus the factor
	up, down  *big.Float // Barker's probabilities to accept the move to high and to low
	fromLow   *big.Float // how many proposals of low lead to high, and fromHigh the other way; nil for one
	fromHigh  *big.Float
}

// metropolis always accepts a move to the high end, and accepts one to the low end with probability
// rho. The probability to reject, 1 - rho, is the sum over the steps of the amounts by which rho
// decreases, so that nothing is subtracted.
func metropolis(s *sweep, e *edge) {
	s.both.Mul(e.rho.value, e.drop)
	e.high.refused.addTerm(s.times(e.fromHigh, s.both))
	e.rho.scale(e.factor)
	e.high.q.addTerm(s.times(e.fromLow, e.low.shareQ))
	s.addProduct(e.low.q, e.rho.value, s.times(e.fromHigh, e.high.shareQ))
	e.low.adjoint.addTerm(s.times(e.fromLow, e.high.shareAdjoint))
	s.addProduct(e.high.adjoint, e.rho.value, s.times(e.fromHigh, e.low.shareAdjoint))
}

// barker accepts a move to the high end with probability 1/(1 + rho) and one to the low end with
// rho/(1 + rho). These sum to one, so that after the proposal a chain is at the high end with
// probability 1/(1 + rho), whichever end it was at.
func barker(s *sweep, e *edge) {
	e.rho.scale(e.factor)
	s.product.Add(s.one, e.rho.value)
	e.up.Quo(s.one, s.product)
	e.down.Mul(e.rho.value, e.up)
	s.both.Add(s.again(e.fromLow, e.low.shareQ), s.times(e.fromHigh, e.high.shareQ))
	s.addProduct(e.low.q, e.down, s.both)
	s.addProduct(e.high.q, e.up, s.both)
	s.product.Mul(e.down, e.low.shareAdjoint)
	s.both.Mul(e.up, e.high.shareAdjoint)
	s.mean.Add(s.product, s.both)
	e.low.adjoint.addTerm(s.times(e.fromLow, s.mean))
	e.high.adjoint.addTerm(s.times(e.fromHigh, s.mean))
}

// times returns count times v, and v itself if the count is nil. It is valid until the next call.
func (s *sweep) times(count, v *big.Float) *big.Float {
	if count == nil {
		return v
	}
	return s.scaled.Mul(count, v)
}

// again is times with memory of its own.
func (s *sweep) again(count, v *big.Float) *big.Float {
	if count == nil {
		return v
	}
	return s.scaledToo.Mul(count, v)
}

// join returns the edges of a space at beta = 0, and counts the directions that lead outside as
// rejected.
func (s *sweep) join(space grid.Graph, g []float64) (edges []*edge) {
	w := s.wider()
	for x, n := range s.nodes {
		for d := range space.Directions() {
			y, inside := space.Neighbour(x, d)
			if !inside {
				n.refused.addTerm(s.one)
			}
			if !inside || y < x { // the edge to y < x has been made already
				continue
			}
			e, _ := s.edge(w, g, x, y)
			edges = append(edges, e)
		}
	}
	return edges
}

// edge returns the edge between two states at beta = 0, and whether its low end is x.
func (s *sweep) edge(w arithmetic, g []float64, x, y int) (e *edge, xIsLow bool) {
	low, high := x, y
	if g[y] < g[x] {
		low, high = y, x
	}
	e = &edge{
		low:   s.nodes[low],
		high:  s.nodes[high],
		slope: w.zero().Sub(w.fromFloat(g[high]), w.fromFloat(g[low])),
		rho:   s.newSum(),
		up:    s.zero(),
		down:  s.zero(),
	}
	e.rho.addTerm(s.one)
	return e, low == x
}

// setStep computes the factors of an edge for a step of beta.
func (a arithmetic) setStep(e *edge, step *big.Float) {
	x := a.wider().zero().Mul(step, e.slope)
	factor, drop := a.exps(x.Neg(x))
	e.factor, e.drop = factor, drop.Neg(drop)
}

// classes is a kernel on the classes of a quotient: the numbers of proposals of a member into each
// class, and the numbers of members, all of them integers.
type classes struct {
	kernel    kernels.Lumped
	quotient  quotients.Counted
	proposals int
	widest    int // the largest number of moves of a class
}

// classesOf returns the classes of a kernel on a quotient, and nil for other kernels. It fails if
// they cannot be certified: if the path does not start at the uniform distribution of the larger
// space, if the kernel draws from lines of more than two states, or if shares are not known
// exactly.
func classesOf(a *chains.Annealing) (*classes, error) {
	k, is := a.Kernel().(kernels.Lumped)
	if !is {
		return nil, nil
	}
	q, counted := k.Quotient().(quotients.Counted)
	if !counted || k.Acceptance() == kernels.DrawLine {
		return nil,
			fmt.Errorf("kernel %v on the classes %s cannot be certified: that takes exactly known shares of "+
				"proposals, and a kernel that accepts or refuses them",
				k, k.Quotient())
	}
	initial := make([]float64, a.States())
	a.Path().LogF(initial, chains.At(0))
	if !slices.Equal(initial, q.LogMembers()) {
		return nil, errors.New("an initial distribution that is not uniform cannot be certified")
	}
	c := &classes{kernel: k, quotient: q, proposals: q.Proposals(k.Proposal())}
	for x := range q.States() {
		c.widest = max(c.widest, len(k.Moves(x)))
	}
	return c, nil
}

// join returns the edges between classes at beta = 0, and counts the proposals that stay in a class
// as rejected.
func (c *classes) join(s *sweep, g []float64) (edges []*edge) {
	w := s.wider()
	for x := range s.nodes {
		for y, n := range c.counts(x) {
			if y == x {
				s.nodes[x].refused.addTerm(wholeFloat(n, s.bits))
			}
			if y <= x {
				continue
			}
			e, xIsLow := s.edge(w, g, x, y)
			e.fromLow, e.fromHigh = wholeFloat(n, s.bits), wholeFloat(c.counts(y)[x], s.bits)
			if !xIsLow {
				e.fromLow, e.fromHigh = e.fromHigh, e.fromLow
			}
			edges = append(edges, e)
		}
	}
	return edges
}

// counts returns how many proposals of a member of class x lead to each class.
func (c *classes) counts(x int) map[int]int64 {
	counts := map[int]int64{}
	for _, m := range c.kernel.Moves(x) {
		counts[m.To] += int64(math.Round(m.Share * float64(c.proposals)))
	}
	return counts
}

// members returns the number of members of a class, rounded once.
func (c *classes) members(s *sweep, x int) *big.Float { return s.zero().SetInt(c.quotient.Members(x)) }
