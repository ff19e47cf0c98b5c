package quotients

import (
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// Counts are the states of axes with two values each, by the number of ones among the axes of each kind. With one kind of N
// axes they are the strings of N bits by their weight, as of spins all of which interact alike: class k has N!/(k! (N-k)!)
// members. With several kinds they are as many such numbers, as of data that fall into groups. The larger space is the lattice
// 2x2x...x2, so that a neighbour is proposed half as often as another value.
type Counts struct {
	noEdges
	kinds   []int // the number of axes of each kind
	axes    int
	members []float64 // see LogMembers
}

// NewCounts returns the classes of axes of the given kinds, one number for each, at least one axis of each.
func NewCounts(kinds ...int) (*Counts, error) {
	classes, axes := 1.0, 0
	for _, n := range kinds {
		if n < 1 {
			return nil, fmt.Errorf("quotients: %d axes of two values; give 1 or more", n)
		}
		classes *= float64(n) + 1
	}
	if len(kinds) == 0 {
		return nil, errors.New("quotients: no axes; give the number of axes of at least one kind")
	}
	q := &Counts{kinds: append([]int(nil), kinds...)}
	if err := fits(fmt.Sprintf("the counts of %s axes", joined(kinds)), classes); err != nil {
		return nil, err
	}
	most := 0
	for _, n := range kinds {
		axes, most = axes+n, max(most, n)
	}
	q.axes, q.members = axes, make([]float64, int(classes))
	f := newFactorials(most)
	for x := range q.members {
		for kind, k := range q.Of(x) {
			q.members[x] += f.multinomial(k, kinds[kind]-k)
		}
	}
	return q, nil
}

// Of returns the numbers of ones of class x, one for each kind. The last kind's changes fastest.
func (q *Counts) Of(x int) []int {
	counts := make([]int, len(q.kinds))
	for kind := len(q.kinds) - 1; kind >= 0; kind-- {
		counts[kind] = x % (q.kinds[kind] + 1)
		x /= q.kinds[kind] + 1
	}
	return counts
}

// States returns the number of classes.
func (q *Counts) States() int { return len(q.members) }

// Label returns the numbers of ones: "37", or "3,4" for two kinds.
func (q *Counts) Label(x int) string { return joined(q.Of(x)) }

// String returns "counts:" and the numbers of axes.
func (q *Counts) String() string { return "counts:" + joined(q.kinds) }

// LogMembers implements Quotient.
func (q *Counts) LogMembers() []float64 { return q.members }

// Members implements Quotient.
func (q *Counts) Members(x int) *big.Int {
	product := big.NewInt(1)
	for kind, k := range q.Of(x) {
		product.Mul(product, multinomial(k, q.kinds[kind]-k))
	}
	return product
}

// Proposes returns nil: counts lump under all proposals.
func (q *Counts) Proposes(Proposal) error { return nil }

// AppendMoves implements Quotient: one of the ones of a kind becomes a zero, or a zero a one.
func (q *Counts) AppendMoves(dst []Move, x int, p Proposal) []Move {
	count, each := 1, 1/float64(q.axes)
	if p == Neighbour {
		dst = append(dst, Move{To: x, Share: 0.5})
		count, each = 0, each/2
	}
	line, stride := 0, len(q.members)
	for kind, k := range q.Of(x) {
		n := q.kinds[kind]
		stride /= n + 1
		for _, m := range []Move{{To: x - stride, Share: each * float64(k)}, {To: x + stride, Share: each * float64(n-k)}} {
			if m.Share > 0 {
				m.Count = count
				if p == Value {
					m.Line = line
					line++
				}
				dst = append(dst, m)
			}
		}
	}
	return dst
}

// joined returns numbers with commas between them.
func joined(numbers []int) string {
	texts := make([]string, len(numbers))
	for i, n := range numbers {
		texts[i] = strconv.Itoa(n)
	}
	return strings.Join(texts, ",")
}

// Proposals implements Counted.
func (q *Counts) Proposals(p Proposal) int { return proposalsOf(p, 2, q.axes) }
