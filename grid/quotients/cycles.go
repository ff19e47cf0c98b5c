package quotients

import (
	"errors"
	"fmt"
	"math/big"
	"slices"

	"breadboard/chains/errs"
)

// Cycles are the permutations of N items by the lengths of their cycles, where a neighbour differs
// by any transposition. There are as many classes as partitions of N; that with c_L cycles of each
// length L has N!/(product over L of L^c_L c_L!) members.
type Cycles struct {
	noEdges
	items   int
	classes [][]int        // the lengths of the cycles, in decreasing order
	index   map[string]int // the class of a label
	sized
}

// NewCycles returns the classes of the permutations of the given number of items, at least 2.
func NewCycles(items int) (*Cycles, error) {
	switch {
	case items < 2:
		return nil, errs.New("quotients: permutations of %d items; give 2 or more", items)
	case items > maxClasses:
		return nil, errors.New("quotients: more items than there may be classes")
	}
	classes := partitionsOf(items, items)
	if err := fits(fmt.Sprintf("the lengths of cycles of %d items", items), classes); err != nil {
		return nil, err
	}
	q := &Cycles{items: items, classes: listPartitions(items, items), index: map[string]int{}}
	for x, lengths := range q.classes {
		q.index[joined(lengths)] = x
		q.members = append(q.members, logOf(q.Members(x)))
	}
	return q, nil
}

// LengthsOf returns the lengths of the cycles of class x in decreasing order, fixed points as
// cycles of length 1.
func (q *Cycles) LengthsOf(x int) []int { return slices.Clone(q.classes[x]) }

// Label returns the lengths of the cycles: "3,1,1".
func (q *Cycles) Label(x int) string { return joined(q.classes[x]) }

// String returns "cycles:" and the number of items.
func (q *Cycles) String() string { return fmt.Sprintf("cycles:%d", q.items) }

// Members implements Quotient.
func (q *Cycles) Members(x int) *big.Int {
	shared := big.NewInt(1)
	factor := new(big.Int)
	for _, length := range q.classes[x] {
		shared.Mul(shared, factor.SetInt64(int64(length)))
	}
	for _, alike := range repeats(q.classes[x], len(q.classes[x])) {
		shared.Mul(shared, factor.MulRange(1, int64(alike)))
	}
	return factor.Div(factor.MulRange(1, int64(q.items)), shared)
}

// Proposes fails for other values of an axis: permutations have no axes.
func (q *Cycles) Proposes(p Proposal) error {
	if p != Neighbour {
		return errs.New("permutations have no axes; take metropolis or barker, which propose a transposition")
	}
	return nil
}

// AppendMoves implements Quotient. A transposition of two items of one cycle divides it, and one of
// items of two cycles joins them.
func (q *Cycles) AppendMoves(dst []Move, x int, _ Proposal) []Move {
	lengths := q.classes[x]
	each := 2 / (float64(q.items) * float64(q.items-1))
	alike := repeats(lengths, len(lengths))[1:]
	distinct := slices.Compact(slices.Clone(lengths))
	for i, a := range distinct {
		cycles := float64(alike[i])
		for part := 1; 2*part <= a; part++ {
			pairs := float64(a) * cycles
			if 2*part == a {
				pairs /= 2
			}
			dst = append(dst, Move{To: q.changed(lengths, []int{a}, []int{a - part, part}), Share: each * pairs})
		}
		for j, b := range distinct[:i+1] {
			pairs := float64(a) * float64(b) * cycles * float64(alike[j])
			if i == j {
				pairs = float64(a) * float64(a) * cycles * (cycles - 1) / 2
			}
			if pairs > 0 {
				dst = append(dst, Move{To: q.changed(lengths, []int{a, b}, []int{a + b}), Share: each * pairs})
			}
		}
	}
	return dst
}

// changed returns the class in which cycles of some lengths have become cycles of others.
func (q *Cycles) changed(lengths, without, with []int) int {
	next := slices.Clone(lengths)
	for _, length := range without {
		i := slices.Index(next, length)
		next = slices.Delete(next, i, i+1)
	}
	next = append(next, with...)
	slices.SortFunc(next, func(a, b int) int { return b - a })
	return q.index[joined(next)]
}

// Proposals implements Counted.
func (q *Cycles) Proposals(Proposal) int { return q.items * (q.items - 1) / 2 }
