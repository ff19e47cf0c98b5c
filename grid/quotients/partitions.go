package quotients

import (
	"fmt"
	"math/big"

	"breadboard/chains/errs"
)

// Partitions are the states of N axes of Q values each, by how many axes have the same value,
// regardless of which value: the counts of Compositions in decreasing order. A class in which r_1,
// r_2, ... counts are equal, including zeros, has Q!/(r_1! r_2! ...) times as many members as one
// composition. The larger space is the lattice QxQx...xQ.
type Partitions struct {
	noEdges
	values, axes int
	classes      [][]int        // the counts of each class, without zeros
	index        map[string]int // the class of a label
	sized
}

// NewPartitions returns the classes of the given number of axes of the given number of values, at
// least 2 values and 1 axis.
func NewPartitions(values, axes int) (*Partitions, error) {
	if err := checkValues(values, axes); err != nil {
		return nil, err
	}
	classes := partitionsOf(axes, values)
	if err := fits(fmt.Sprintf("the partitions of %d axes into at most %d values", axes, values), classes); err != nil {
		return nil, err
	}
	q := &Partitions{
		values:  values,
		axes:    axes,
		classes: listPartitions(axes, values),
		index:   map[string]int{},
	}
	q.members = make([]float64, len(q.classes))
	f := newFactorials(max(axes, values))
	for x, counts := range q.classes {
		q.index[joined(counts)] = x
		q.members[x] = f.multinomial(counts...) + f.multinomial(repeats(counts, values)...)
	}
	return q, nil
}

// partitionsOf returns the number of partitions of n into at most the given number of parts, as a
// float because it may exceed an int. It counts the partitions into parts of at most that size,
// which are equally many.
func partitionsOf(n, most int) float64 {
	if n > longestPartition {
		return tooMany(n, most)
	}
	count := make([]float64, n+1)
	count[0] = 1
	for size := 1; size <= min(n, most); size++ {
		for total := size; total <= n; total++ {
			count[total] += count[total-size]
		}
	}
	return count[n]
}

// longestPartition bounds the work of counting partitions.
const longestPartition = 10_000

// tooMany returns a lower bound of the number of partitions of a large n: those into at most two
// parts if no more are allowed, and into at most three otherwise.
func tooMany(n, most int) float64 {
	if v := float64(n); most > 2 {
		return v * v / 12
	}
	return float64(n/2 + 1)
}

// listPartitions returns the partitions of n into at most the given number of parts, each in
// decreasing order, the one into a single part first.
func listPartitions(n, most int) (list [][]int) {
	var parts []int
	var place func(left, largest int)
	place = func(left, largest int) {
		if left == 0 {
			list = append(list, append([]int(nil), parts...))
			return
		}
		room := most - len(parts)
		for part := min(left, largest); part > 0 && part*room >= left; part-- {
			parts = append(parts, part)
			place(left-part, part)
			parts = parts[:len(parts)-1]
		}
	}
	place(n, n)
	return list
}

// repeats returns how often each count stands in a list of the given number of numbers, of which
// those that are not listed are zeros.
func repeats(counts []int, values int) []int {
	list := []int{values - len(counts)}
	for i, n := range counts {
		if i == 0 || n != counts[i-1] {
			list = append(list, 0)
		}
		list[len(list)-1]++
	}
	return list
}

// CountsOf returns the counts of class x in decreasing order, one for each value.
func (q *Partitions) CountsOf(x int) []int {
	counts := make([]int, q.values)
	copy(counts, q.classes[x])
	return counts
}

// Label returns the counts that are not zero: "12,9,9".
func (q *Partitions) Label(x int) string { return joined(q.classes[x]) }

// String returns "partitions:" and the numbers of values and axes.
func (q *Partitions) String() string { return fmt.Sprintf("partitions:%d:%d", q.values, q.axes) }

// Members implements Quotient.
func (q *Partitions) Members(x int) *big.Int {
	names := multinomial(repeats(q.classes[x], q.values)...)
	return names.Mul(names, multinomial(q.classes[x]...))
}

// Proposes fails for neighbours, which depend on the order of the values.
func (q *Partitions) Proposes(p Proposal) error {
	if p == Neighbour && q.values > 2 {
		return errs.New(
			"its classes do not keep which values are next to each other, as this kernel needs; take flip " +
				"or heatbath, or the same target by composition",
		)
	}
	return nil
}

// AppendMoves implements Quotient. One of the axes of a value that n axes have gets the value that
// m axes have.
func (q *Partitions) AppendMoves(dst []Move, x int, p Proposal) []Move {
	counts := q.classes[x]
	sizes := repeats(q.classes[x], q.values)
	distinct := []int{0}
	for i, n := range counts {
		if i == 0 || n != counts[i-1] {
			distinct = append(distinct, n)
		}
	}
	each := 1 / float64(q.axes) / float64(q.values-1)
	if p == Neighbour { // of the two values, the other one or none
		each /= 2
		dst = append(dst, Move{To: x, Share: 0.5})
	}
	for line, n := range distinct[1:] {
		share := each * float64(n) * float64(sizes[line+1])
		for j, m := range distinct {
			others := sizes[j]
			if m == n {
				others--
			}
			if others == 0 {
				continue
			}
			move := Move{To: q.index[joined(moved(counts, n, m))], Share: share * float64(others)}
			if p == Value {
				move.Line = line
				move.Count = others
			}
			dst = append(dst, move)
		}
	}
	return dst
}

// moved returns counts in decreasing order, without zeros, after one of n has become one less and
// one of m one more.
func moved(counts []int, n, m int) []int {
	next := append([]int(nil), counts...)
	// the last one of n, and the first one of m
	last := 0
	first := len(counts)
	for i, v := range counts {
		if v == n {
			last = i
		}
		if v == m && i < first {
			first = i
		}
	}
	if n == m && first == last { // there is only one
		return next
	}
	next[last]--
	if first == len(counts) {
		next = append(next, 0)
	}
	next[first]++
	for i := last; i+1 < len(next) && next[i] < next[i+1]; i++ {
		next[i], next[i+1] = next[i+1], next[i]
	}
	if next[len(next)-1] == 0 {
		next = next[:len(next)-1]
	}
	return next
}

// Proposals implements Counted.
func (q *Partitions) Proposals(p Proposal) int { return proposalsOf(p, q.values, q.axes) }
