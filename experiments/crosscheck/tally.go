package crosscheck

import (
	"math"

	"breadboard/chains"
	"breadboard/chains/simulate"
)

// Columns says what is known of every chain.
type Columns struct {
	First, Last bool // the states x_1 and x_T
	LogW        bool // the log weight, in nats
}

// Tally counts chains of one direction for all tests on them. It keeps no chain: its memory grows with the square of the
// number of states, where the joint law of both ends is known, and not with the number of chains.
type Tally struct {
	l       *ChainLaws
	d       chains.Direction
	columns Columns

	first, last []int // nil where the column is missing, as are those that need several columns
	ends        []int // the number of chains at x_1 n + x_T; nil where the joint law is not known
	pairs       []int // the number of pairs of consecutive chains with ends x and y, at x n + y; nil where there are too many cells
	waiting     int32 // the end of a chain whose partner has not come; noChain where there is none
	apart       []*apart
	alive       []int // the number of chains with a finite and positive weight, and of those without
	sumLogW     float64
	levels      [levelCount]float64 // in increasing order; +Inf stands for those that there are not
	between     [levelCount + 1]int // the number of log weights before the first level, between levels, and from the last on
	given       [2]perState         // the log weights by x_1, and by x_T
}

// noChain is no state.
const noChain = -1

// perState sums the finite log weights of the chains with an end at each state.
type perState struct {
	n   []int
	sum []float64
}

// NewTally returns a tally of chains of one direction with the given columns, which come in one long sequence.
func NewTally(l *ChainLaws, d chains.Direction, c Columns) *Tally {
	return newTally(l, d, c, streamLags())
}

// newTally returns a tally that compares chains at the given lags.
func newTally(l *ChainLaws, d chains.Direction, c Columns, lags []int) *Tally {
	n := l.a.States()
	t := &Tally{l: l, d: d, columns: c, waiting: noChain}
	if c.First {
		t.first = make([]int, n)
		t.apart = append(t.apart, newApart(byState("x_1", l.first[d], false), lags))
	}
	if c.Last {
		t.last = make([]int, n)
		t.apart = append(t.apart, newApart(byState("x_T", l.last[d], true), lags))
	}
	if c.First && c.Last {
		t.ends = make([]int, len(l.ends[d]))
	}
	if c.First || c.Last {
		t.pairs = make([]int, len(l.pairs[d]))
	}
	if c.LogW {
		t.alive = make([]int, 2)
		for k := range t.levels {
			t.levels[k] = math.Inf(1)
		}
		for k, level := range l.levels[d] {
			t.levels[k] = level.X
		}
	}
	for i, has := range []bool{c.First, c.Last} {
		if has && c.LogW {
			t.given[i] = perState{make([]int, n), make([]float64, n)}
		}
	}
	return t
}

// tallyBlock is the number of chains that are counted together. Their columns stay in the cache from one count to the next.
const tallyBlock = 1 << 12

// Add counts the next chains. A column is nil where the tally has none, and otherwise all have the same length; states are
// from 0 to n-1. The counts do not depend on how a sequence of chains is cut into calls.
func (t *Tally) Add(first, last []int32, logw []float64) {
	for k := max(len(first), len(last), len(logw)); k > 0; {
		m := min(k, tallyBlock)
		x, y, w := head(first, m), head(last, m), head(logw, m)
		t.count(x, y, w)
		for _, a := range t.apart {
			a.extend(x, y)
		}
		first, last, logw = first[len(x):], last[len(y):], logw[len(w):]
		k -= m
	}
}

// head returns the first m entries of a column, and none of a column that there is not.
func head[V any](column []V, m int) []V { return column[:min(m, len(column))] }

// addCall counts the chains of one call of a simulation, in which chains are compared with each other alone.
func (t *Tally) addCall(b *simulate.Batch) {
	t.waiting = noChain
	t.count(b.First, b.Last, b.LogW)
	for _, a := range t.apart {
		a.addCall(b.First, b.Last)
	}
}

// count counts chains for all tests but those of chains apart.
func (t *Tally) count(first, last []int32, logw []float64) {
	countStates(t.first, first)
	countStates(t.last, last)
	if len(t.ends) > 0 {
		n := int32(len(t.first))
		for i, x := range first {
			t.ends[x*n+last[i]]++
		}
	}
	switch {
	case len(t.pairs) == 0:
	case t.atLast():
		t.countPairs(last)
	default:
		t.countPairs(first)
	}
	t.countWeights(logw)
	t.given[0].add(first, logw)
	t.given[1].add(last, logw)
}

func countStates(counts []int, states []int32) {
	for _, x := range states {
		counts[x]++
	}
}

// atLast reports whether consecutive chains are compared by x_T: that is the end to which forward chains come, and reverse
// chains come to x_1. Where its column is missing the other one is as good.
func (t *Tally) atLast() bool {
	if t.d == chains.Forward {
		return t.columns.Last
	}
	return !t.columns.First
}

// countPairs counts the pairs of consecutive chains. Each chain is in one pair.
func (t *Tally) countPairs(end []int32) {
	n := int32(t.l.a.States())
	if t.waiting != noChain && len(end) > 0 {
		t.pairs[t.waiting*n+end[0]]++
		t.waiting, end = noChain, end[1:]
	}
	for ; len(end) >= 2; end = end[2:] {
		t.pairs[end[0]*n+end[1]]++
	}
	if len(end) == 1 {
		t.waiting = end[0]
	}
}

// Finite returns the number of chains so far whose weight is finite and positive. Their log weights are those that the mean is of.
func (t *Tally) Finite() int {
	if t.alive == nil {
		return 0
	}
	return t.alive[0]
}

// countWeights counts and sums log weights. One that is no number is below no level and spoils the sum, which is a fault.
func (t *Tally) countWeights(logw []float64) {
	infinite, sum := 0, t.sumLogW
	for _, l := range logw {
		if math.IsInf(l, 0) {
			infinite++
		} else {
			sum += l
		}
		t.between[t.levelsUpTo(l)]++
	}
	if t.sumLogW = sum; len(logw) > 0 {
		t.alive[0] += len(logw) - infinite
		t.alive[1] += infinite
	}
}

// levelsUpTo returns the number of levels that a log weight is not below.
func (t *Tally) levelsUpTo(l float64) int {
	k := levelCount
	for _, x := range t.levels {
		k -= asNumber(l < x)
	}
	return k
}

// asNumber is 1 for true and 0 for false. The compiler makes it without a jump, which no processor could foresee here.
func asNumber(b bool) int {
	if b {
		return 1
	}
	return 0
}

// below returns the number of log weights below each level.
func (t *Tally) below() []int {
	out := make([]int, len(t.l.levels[t.d]))
	total := 0
	for k := range out {
		total += t.between[k]
		out[k] = total
	}
	return out
}

// add takes log weights by the state of one end, where there are both.
func (v *perState) add(end []int32, logw []float64) {
	if len(v.n) == 0 {
		return
	}
	for i, l := range logw {
		if x := end[i]; !math.IsInf(l, 0) {
			v.n[x]++
			v.sum[x] += l
		}
	}
}
