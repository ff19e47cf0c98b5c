package crosscheck

import (
	"fmt"

	"breadboard/chains"
)

// PairTest is the name of the test that the two directions are independent.
const PairTest = "forward and reverse chains"

// maxPaired is the number of chains of a direction that are compared with those of the other. One byte is kept for each chain
// whose partner has not come yet.
const maxPaired = 1 << 24

// PairTally compares the i-th forward chain with the i-th reverse chain. The two are independent, unless both were made from
// the same random numbers or one started where the other ended.
type PairTally struct {
	columns [2]Columns
	ends    [2][2]signature // by direction, x_1 and x_T
	waiting [2][]uint8      // by direction, the classes of both ends of the chains whose partner has not come
	seen    [2]int          // by direction, the number of chains so far
	most    int             // the number of chains of each direction that are compared
	counts  []int           // the number of pairs, at classes of the forward chain times endClasses + classes of the reverse chain
}

// endClasses is the number of pairs of classes that both ends of a chain have.
const endClasses = stateClasses * stateClasses

// NewPairTally returns a tally of pairs of chains that have the given columns.
func NewPairTally(l *ChainLaws, forward, reverse Columns) *PairTally {
	t := &PairTally{columns: [2]Columns{forward, reverse}, most: maxPaired, counts: make([]int, endClasses*endClasses)}
	for i := range t.ends {
		d := chains.Direction(i)
		t.ends[d] = [2]signature{byState("x_1", l.first[d], false), byState("x_T", l.last[d], true)}
	}
	return t
}

// Add takes the next chains of one direction, with nil for a column that is missing. The counts depend neither on how chains
// are cut into calls nor on which direction comes first. Of each direction the first 2^24 chains are compared.
func (t *PairTally) Add(d chains.Direction, first, last []int32) {
	if !t.comparable() {
		return
	}
	k := min(max(len(first), len(last)), t.most-t.seen[d])
	t.seen[d] += k
	t.enqueue(d, head(first, k), head(last, k))
	forward, reverse := t.waiting[chains.Forward], t.waiting[chains.Reverse]
	both := min(len(forward), len(reverse))
	for i, c := range forward[:both] {
		t.counts[int(c)*endClasses+int(reverse[i])]++
	}
	for d, w := range t.waiting {
		if both == len(w) {
			t.waiting[d] = w[:0]
		} else {
			t.waiting[d] = w[both:]
		}
	}
}

// enqueue appends the classes of both ends of chains to those that wait.
func (t *PairTally) enqueue(d chains.Direction, first, last []int32) {
	from := len(t.waiting[d])
	w := t.waiting[d]
	var class []uint8
	if t.columns[d].First {
		w = t.ends[d][0].classes(w, first, last)
		for i := range w[from:] {
			w[from+i] *= stateClasses
		}
	}
	if t.columns[d].Last {
		class = t.ends[d][1].classes(nil, first, last)
		if !t.columns[d].First {
			w = append(w, class...)
		} else {
			for i, c := range class {
				w[from+i] += c
			}
		}
	}
	t.waiting[d] = w
}

// comparable reports whether both directions have an end.
func (t *PairTally) comparable() bool {
	return (t.columns[0].First || t.columns[0].Last) && (t.columns[1].First || t.columns[1].Last)
}

// Tests returns the test that the columns allow: the average over the ends of both directions.
func (t *PairTally) Tests() []NamedTest {
	if !t.comparable() {
		return nil
	}
	return []NamedTest{{PairTest, func() (float64, func() string) {
		var values []Value
		for _, a := range t.across() {
			values = append(values, a.value)
		}
		return averaged(values...)()
	}}}
}

// across returns the counts for each end of a forward chain and each end of a reverse chain.
func (t *PairTally) across() []*across {
	var out []*across
	for f := range 2 {
		for r := range 2 {
			if !t.has(chains.Forward, f) || !t.has(chains.Reverse, r) {
				continue
			}
			a := newAcross(t.ends[chains.Forward][f], t.ends[chains.Reverse][r])
			for at, c := range t.counts {
				a.counts[classOf(at/endClasses, f)*stateClasses+classOf(at%endClasses, r)] += c
			}
			out = append(out, a)
		}
	}
	return out
}

// has reports whether chains of a direction have an end: 0 is x_1 and 1 is x_T.
func (t *PairTally) has(d chains.Direction, end int) bool {
	return []bool{t.columns[d].First, t.columns[d].Last}[end]
}

// classOf returns the class of one end from the classes of both.
func classOf(classes, end int) int { return []int{classes / stateClasses, classes % stateClasses}[end] }

// Untested says what cannot be tested for lack of a column, in whole sentences.
func (t *PairTally) Untested() []string {
	if t.comparable() {
		return nil
	}
	d := chains.Forward
	if t.columns[d].First || t.columns[d].Last {
		d = chains.Reverse
	}
	return []string{fmt.Sprintf("the %s chains have neither a column x_first nor a column x_last, so that it is not tested whether the forward and the reverse chains are independent", d)}
}
