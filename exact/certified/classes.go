package certified

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/grid/quotients"
)

// classes is a kernel on the classes of a quotient: how many proposals of a member lead where, and the numbers of members, all of them whole.
type classes struct {
	kernel    kernels.Lumped
	quotient  quotients.Counted
	proposals int
	widest    int // the largest number of moves of a class
}

// classesOf returns the classes that a kernel moves, and nil where it moves none. It fails where they cannot be certified: where the path does not
// start at the uniform distribution of the larger space, where the kernel draws from lines of more than two states, and where shares are not known exactly.
func classesOf(a *chains.Annealing) (*classes, error) {
	k, is := a.Kernel().(kernels.Lumped)
	if !is {
		return nil, nil
	}
	q, counted := k.Quotient().(quotients.Counted)
	if !counted || k.Acceptance() == kernels.DrawLine {
		return nil, fmt.Errorf("kernel %v on the classes %s cannot be certified: it takes shares of proposals that are known exactly, of a kernel that accepts or refuses them", k, k.Quotient())
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

// logF returns log f of a member of each class at the target, apart from a constant: the difference of both ends of the path.
func (c *classes) logF(a *chains.Annealing) []float64 {
	return a.Path().(*paths.Geometric).Difference()
}

// join returns the edges between classes at beta = 0, and counts the proposals that stay in a class as rejected.
func (c *classes) join(s *sweep, g []float64) (edges []*edge) {
	w := s.wider()
	for x := range s.nodes {
		for y, n := range c.counts(x) {
			if y == x {
				s.nodes[x].refused.add(whole(n, s.bits))
			}
			if y <= x {
				continue
			}
			e, xIsLow := s.edge(w, g, x, y)
			e.fromLow, e.fromHigh = whole(n, s.bits), whole(c.counts(y)[x], s.bits)
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
