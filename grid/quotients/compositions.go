package quotients

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"breadboard/chains/errs"
)

// sized has the logarithm of the number of members of each class.
type sized struct{ members []float64 }

// States returns the number of classes.
func (s sized) States() int { return len(s.members) }

// LogMembers implements Quotient.
func (s sized) LogMembers() []float64 { return s.members }

// Compositions are the states of N axes of Q values each, by how many axes have each value, in the
// order of the values. There are C(N+Q-1, Q-1) classes, and that of the counts n_1, ..., n_Q has
// N!/(n_1! ... n_Q!) members. The larger space is the lattice QxQx...xQ, on which a neighbour is
// the value before or after, and "another value" is any other.
type Compositions struct {
	noEdges
	values, axes int
	ways         [][]int // ways[q][n] is the number of compositions of n into q parts
	sized
}

// NewCompositions returns the classes of the given number of axes of the given number of values, at
// least 2 values and 1 axis.
func NewCompositions(values, axes int) (*Compositions, error) {
	if err := checkValues(values, axes); err != nil {
		return nil, err
	}
	classes := 1.0
	for q := 1; q < values && classes <= math.MaxFloat64; q++ {
		classes *= float64(axes+q) / float64(q)
	}
	if err := fits(fmt.Sprintf("the counts of %d values among %d axes", values, axes), classes); err != nil {
		return nil, err
	}
	q := &Compositions{values: values, axes: axes, ways: make([][]int, values+1)}
	for parts := 1; parts <= values; parts++ {
		q.ways[parts] = make([]int, axes+1)
		for n := range q.ways[parts] {
			q.ways[parts][n] = 1
			if n > 0 && parts > 1 {
				q.ways[parts][n] = q.ways[parts][n-1] + q.ways[parts-1][n]
			}
		}
	}
	q.members = make([]float64, q.ways[values][axes])
	f := newFactorials(axes)
	for x := range q.members {
		q.members[x] = f.multinomial(q.CountsOf(x)...)
	}
	return q, nil
}

// checkValues returns an error for too few axes or values.
func checkValues(values, axes int) error {
	switch {
	case values < 2:
		return errs.New("quotients: %d values; give 2 or more", values)
	case axes < 1:
		return errs.New("quotients: %d axes; give 1 or more", axes)
	case values > maxClasses || axes > maxClasses:
		return errors.New("quotients: more values or axes than there may be classes")
	}
	return nil
}

// CountsOf returns the counts of class x, one for each value. Classes stand in lexicographic order.
func (q *Compositions) CountsOf(x int) []int {
	counts := make([]int, q.values)
	left := q.axes
	for i := range q.values - 1 {
		rest := q.ways[q.values-1-i]
		for x >= rest[left-counts[i]] {
			x -= rest[left-counts[i]]
			counts[i]++
		}
		left -= counts[i]
	}
	counts[q.values-1] = left
	return counts
}

// Index returns the class of counts that CountsOf may have returned.
func (q *Compositions) Index(counts []int) int {
	x := 0
	left := q.axes
	for i, n := range counts[:q.values-1] {
		x += q.ways[q.values-i][left] - q.ways[q.values-i][left-n] // those whose count here is smaller
		left -= n
	}
	return x
}

// Label returns the counts: "12,9,9".
func (q *Compositions) Label(x int) string { return joined(q.CountsOf(x)) }

// String returns "compositions:" and the numbers of values and axes.
func (q *Compositions) String() string { return fmt.Sprintf("compositions:%d:%d", q.values, q.axes) }

// Members implements Quotient.
func (q *Compositions) Members(x int) *big.Int { return multinomial(q.CountsOf(x)...) }

// Proposes returns nil: these counts lump under all proposals.
func (q *Compositions) Proposes(Proposal) error { return nil }

// AppendMoves implements Quotient. An axis of value a is chosen with the share of that value, and
// gets another value.
func (q *Compositions) AppendMoves(dst []Move, x int, p Proposal) []Move {
	counts := q.CountsOf(x)
	line := 0
	nowhere := 0.0
	for a, n := range counts {
		if n == 0 {
			continue
		}
		share := float64(n) / float64(q.axes)
		if p == Neighbour && (a == 0 || a == q.values-1) {
			nowhere += share / 2
		}
		for b := range counts {
			m := Move{Line: line, Count: 1, Share: share / float64(q.values-1)}
			if p == Neighbour {
				m = Move{Share: share / 2}
			}
			if b == a || p == Neighbour && b != a-1 && b != a+1 {
				continue
			}
			counts[a]--
			counts[b]++
			m.To = q.Index(counts)
			counts[a]++
			counts[b]--
			dst = append(dst, m)
		}
		line++
	}
	if nowhere > 0 {
		dst = append(dst, Move{To: x, Share: nowhere})
	}
	return dst
}

// Proposals implements Counted.
func (q *Compositions) Proposals(p Proposal) int { return proposalsOf(p, q.values, q.axes) }

// proposalsOf returns the number of proposals on a lattice with the given numbers of axes and
// values.
func proposalsOf(p Proposal, values, axes int) int {
	if p == Neighbour {
		return 2 * axes
	}
	return (values - 1) * axes
}

// Counts are the states of axes with two values each, by the number of ones among the axes of each
// kind. With one kind of N axes they are the strings of N bits by their weight, as for spins that
// all interact alike: class k has N!/(k! (N-k)!) members. With several kinds a class has one such
// number for each, as for data in groups. The larger space is the lattice 2x2x...x2, so that a
// neighbour is proposed half as often as another value.
type Counts struct {
	noEdges
	kinds []int // the number of axes of each kind
	axes  int
	sized
}

// NewCounts returns the classes of axes of the given kinds, one number for each, at least one axis
// of each.
func NewCounts(kinds ...int) (*Counts, error) {
	classes := 1.0
	axes := 0
	for _, n := range kinds {
		if n < 1 {
			return nil, errs.New("quotients: %d axes of two values; give 1 or more", n)
		}
		classes *= float64(n) + 1
	}
	if len(kinds) == 0 {
		return nil, errs.New("quotients: no axes; give the number of axes of at least one kind")
	}
	q := &Counts{kinds: append([]int(nil), kinds...)}
	if err := fits(fmt.Sprintf("the counts of %s axes", joined(kinds)), classes); err != nil {
		return nil, err
	}
	most := 0
	for _, n := range kinds {
		axes += n
		most = max(most, n)
	}
	q.axes = axes
	q.members = make([]float64, int(classes))
	f := newFactorials(most)
	for x := range q.members {
		for kind, k := range q.CountsOf(x) {
			q.members[x] += f.multinomial(k, kinds[kind]-k)
		}
	}
	return q, nil
}

// CountsOf returns the numbers of ones of class x, one for each kind. The last kind's changes
// fastest.
func (q *Counts) CountsOf(x int) []int {
	counts := make([]int, len(q.kinds))
	for kind := len(q.kinds) - 1; kind >= 0; kind-- {
		counts[kind] = x % (q.kinds[kind] + 1)
		x /= q.kinds[kind] + 1
	}
	return counts
}

// Label returns the numbers of ones: "37", or "3,4" for two kinds.
func (q *Counts) Label(x int) string { return joined(q.CountsOf(x)) }

// String returns "counts:" and the numbers of axes.
func (q *Counts) String() string { return "counts:" + joined(q.kinds) }

// Members implements Quotient.
func (q *Counts) Members(x int) *big.Int {
	product := big.NewInt(1)
	for kind, k := range q.CountsOf(x) {
		product.Mul(product, multinomial(k, q.kinds[kind]-k))
	}
	return product
}

// Proposes returns nil: counts lump under all proposals.
func (q *Counts) Proposes(Proposal) error { return nil }

// AppendMoves implements Quotient: one of the ones of a kind becomes a zero, or a zero a one.
func (q *Counts) AppendMoves(dst []Move, x int, p Proposal) []Move {
	count := 1
	each := 1 / float64(q.axes)
	if p == Neighbour {
		dst = append(dst, Move{To: x, Share: 0.5})
		count = 0
		each = each / 2
	}
	line := 0
	stride := len(q.members)
	for kind, k := range q.CountsOf(x) {
		n := q.kinds[kind]
		stride /= n + 1
		for _, m := range []Move{
			{To: x - stride, Share: each * float64(k)}, {To: x + stride, Share: each * float64(n-k)}} {
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

func joined(numbers []int) string {
	texts := make([]string, len(numbers))
	for i, n := range numbers {
		texts[i] = strconv.Itoa(n)
	}
	return strings.Join(texts, ",")
}

// Proposals implements Counted.
func (q *Counts) Proposals(p Proposal) int { return proposalsOf(p, 2, q.axes) }
