package annealed

import (
	"fmt"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/experiments/verdicts"
)

// streamLags are the distances at which the chains of one long sequence are compared. It does not
// say in what portions its chains were made; programs like powers of two.
func streamLags() []int { return []int{1, 2, 3, 4, 8, 16, 32, 64, 128, 256, 512, mostLag} }

// mostLag is the largest of the streamLags.
const mostLag = 1024

// signature puts chains into a few classes, and holds the distribution of the class. Chains that
// are not independent show in the counts of pairs of classes, which have far fewer cells than pairs
// of states.
type signature struct {
	what string
	p    []float64
	// classes appends the class of each chain; states that the signature does not need may be nil.
	classes func(to []uint8, first, last []int32) []uint8
}

// stateClasses is the number of classes of states.
const stateClasses = 8

// byState returns the signature that classes chains by one of their ends. States with consecutive
// numbers share a class, and the classes are about equally likely.
func byState(what string, p []float64, last bool) signature {
	class, law := stateClassesOf(p)
	return signature{what, law, func(to []uint8, first, end []int32) []uint8 {
		if !last {
			end = first
		}
		for _, x := range end {
			to = append(to, class[x])
		}
		return to
	}}
}

// stateClassesOf returns the class of each state, and the distribution of the class.
func stateClassesOf(p []float64) (class []uint8, law []float64) {
	class = make([]uint8, len(p))
	law = make([]float64, stateClasses)
	below := 0.0
	for x, v := range p {
		class[x] = uint8(max(0, min(stateClasses-1, int((below+v/2)*stateClasses))))
		law[class[x]] += v
		below += v
	}
	return class, law
}

// apart compares pairs of chains whose numbers differ by a lag. At each lag a chain is in one pair:
// that of chain j and of chain j - lag, where the whole part of j/lag is odd.
type apart struct {
	signature
	pair   []float64
	counts [][]int // for each lag, the number of pairs in each pair of classes
	class  []uint8 // the classes of the last chains
	before int     // the number of chains before those
}

func newApart(s signature) *apart {
	a := &apart{signature: s, pair: product(s.p, s.p)}
	for range streamLags() {
		a.counts = append(a.counts, make([]int, len(a.pair)))
	}
	return a
}

// extend takes the next chains of one long sequence. The counts do not depend on how it is cut into
// portions.
func (a *apart) extend(first, last []int32) {
	if gone := len(a.class) - mostLag; gone > 0 {
		a.class = append(a.class[:0], a.class[gone:]...)
		a.before += gone
	}
	known := len(a.class)
	a.class = a.classes(a.class, first, last)
	a.countPairs(known)
}

// countPairs counts the pairs whose later chain is one of the classes from a place on.
func (a *apart) countPairs(from int) {
	for k, lag := range streamLags() {
		counts := a.counts[k]
		end := a.before + len(a.class)
		for block := (a.before + from) / lag; block*lag < end; block++ {
			if block%2 == 0 {
				continue
			}
			begin := max(a.before+from, block*lag) - a.before
			later := a.class[begin : min(end, (block+1)*lag)-a.before]
			earlier := a.class[begin-lag:][:len(later)]
			for i, c := range later {
				counts[int(earlier[i])*stateClasses+int(c)]++
			}
		}
	}
}

// logEValue returns the log e-value, which is an average over the lags.
func (a *apart) logEValue() (float64, func() string) {
	terms := make([]float64, 0, len(a.counts))
	worst := 0
	largest := 0.0
	for i := range a.counts {
		e := verdicts.CountsLogE(a.counts[i], a.pair)
		terms = append(terms, e)
		if i == 0 || e > largest {
			worst = i
			largest = e
		}
	}
	return number.LogMean(terms), func() string {
		return fmt.Sprintf("%d apart, ", streamLags()[worst]) +
			verdicts.WorstCell(a.counts[worst], a.pair, a.cellName)
	}
}

func (a *apart) cellName(cell int) string {
	return fmt.Sprintf("%s in classes %d and %d", a.what, cell/stateClasses, cell%stateClasses)
}

// across compares the i-th forward chain of a block with its i-th reverse chain.
type across struct {
	forward, reverse signature
	pair             []float64
	counts           []int
}

func newAcross(forward, reverse signature) *across {
	pair := product(forward.p, reverse.p)
	return &across{forward: forward, reverse: reverse, pair: pair, counts: make([]int, len(pair))}
}

func (a *across) cellName(cell int) string {
	return fmt.Sprintf("%s forward in class %d, %s in reverse in class %d", a.forward.what, cell/stateClasses,
		a.reverse.what, cell%stateClasses)
}

func (a *across) logEValue() (float64, func() string) {
	return countsValue(a.counts, a.pair, a.cellName)()
}

// averaged joins several tests on the same draws into one. The average of their e-values is an
// e-value again. The test with the largest e-value among them says where a fault is.
func averaged(values ...Value) Value {
	return func() (float64, func() string) {
		terms := make([]float64, len(values))
		worst := 0
		where := make([]func() string, len(values))
		for i, value := range values {
			terms[i], where[i] = value()
			if terms[i] > terms[worst] {
				worst = i
			}
		}
		return number.LogMean(terms), where[worst]
	}
}

// PairTest is the name of the test that the two directions are independent.
const PairTest = "forward and reverse chains"

// maxPaired is the number of chains of a direction that are compared with those of the other. One
// byte is kept for each chain whose partner has not come yet.
const maxPaired = 1 << 24

// PairTally compares the i-th forward chain with the i-th reverse chain. The two are independent,
// unless both used the same random numbers or one started at the end of the other.
type PairTally struct {
	columns [2]Columns
	ends    [2][2]signature // by direction, x_1 and x_T
	waiting [2][]uint8      // by direction, the classes of both ends of the chains whose partner has not come
	seen    [2]int          // by direction, the number of chains so far
	most    int             // the number of chains of each direction that are compared
	// the number of pairs, at classes of the forward chain times endClasses + classes of the
	// reverse chain
	counts []int
}

// endClasses is the number of pairs of classes that both ends of a chain have.
const endClasses = stateClasses * stateClasses

// NewPairTally returns a tally of pairs of chains with the given columns.
func NewPairTally(l *ChainLaws, forward, reverse Columns) *PairTally {
	t := &PairTally{
		columns: [2]Columns{forward, reverse},
		most:    maxPaired,
		counts:  make([]int, endClasses*endClasses),
	}
	for i := range t.ends {
		d := chains.Direction(i)
		t.ends[d] = [2]signature{byState("x_1", l.first[d], false), byState("x_T", l.last[d], true)}
	}
	return t
}

// Add takes the next chains of one direction, with nil for a column that is missing. The counts
// depend neither on how chains are cut into calls nor on the order of the directions. Only the
// first 2^24 chains of each direction are compared.
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
	if t.columns[d].First {
		w = t.ends[d][0].classes(w, first, last)
		for i := range w[from:] {
			w[from+i] *= stateClasses
		}
	}
	switch {
	case t.columns[d].First && t.columns[d].Last:
		for i, c := range t.ends[d][1].classes(nil, first, last) {
			w[from+i] += c
		}
	case t.columns[d].Last:
		w = t.ends[d][1].classes(w, first, last)
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
			values = append(values, a.logEValue)
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
	return []string{
		fmt.Sprintf("the %s chains have neither a column x_first nor a column x_last, so the independence of the "+
			"forward and the reverse chains is not tested", d)}
}
