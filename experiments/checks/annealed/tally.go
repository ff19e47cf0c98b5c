package annealed

import (
	"fmt"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/selector"
	"breadboard/experiments/verdicts"
	"breadboard/reports/check"
)

// Columns says which columns chains have.
type Columns struct {
	First, Last bool // the states x_1 and x_T
	LogW        bool // the log weight, in nats
}

// Tally counts chains of one direction for all tests on them. It keeps no chain: its memory does
// not grow with the number of chains. It grows with the square of the number of states if the joint
// distribution of both ends is known.
type Tally struct {
	l       *ChainLaws
	d       chains.Direction
	columns Columns

	first, last []int // nil if the column is missing, as are those that need several columns
	ends        []int // the number of chains at x_1 n + x_T; nil if the joint distribution is not known
	// the number of pairs of consecutive chains with ends x and y, at x n + y; nil if there are too
	// many cells
	pairs   []int
	waiting int32 // the end of a chain whose partner has not come; noChain if there is none
	apart   []*apart
	alive   []int // the number of chains with a finite and positive weight, and of those without
	sumLogW float64
	levels  [levelCount]float64 // in increasing order; +Inf stands for those that there are not
	// the number of log weights before the first level, between levels, and from the last on
	between [levelCount + 1]int
	given   [2]perState // the log weights by x_1, and by x_T
}

// noChain is no state.
const noChain = -1

// perState sums the finite log weights of the chains with an end at each state.
type perState struct {
	n   []int
	sum []float64
}

// NewTally returns a tally of chains of one direction with the given columns, which form one
// sequence.
func NewTally(l *ChainLaws, d chains.Direction, c Columns) *Tally {
	n := l.a.States()
	t := &Tally{l: l, d: d, columns: c, waiting: noChain}
	if c.First {
		t.first = make([]int, n)
		t.apart = append(t.apart, newApart(byState("x_1", l.first[d], false)))
	}
	if c.Last {
		t.last = make([]int, n)
		t.apart = append(t.apart, newApart(byState("x_T", l.last[d], true)))
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

// tallyBlock is the number of chains that are counted together. Their columns stay in the cache
// from one count to the next.
const tallyBlock = 1 << 12

// Add counts the next chains. A column is nil if the tally has none, and otherwise all have the
// same length; states are from 0 to n-1. The counts do not depend on how a sequence of chains is
// cut into calls.
func (t *Tally) Add(first, last []int32, logw []float64) {
	for k := max(len(first), len(last), len(logw)); k > 0; {
		m := min(k, tallyBlock)
		x := head(first, m)
		y := head(last, m)
		w := head(logw, m)
		t.countChains(x, y, w)
		for _, a := range t.apart {
			a.extend(x, y)
		}
		first = first[len(x):]
		last = last[len(y):]
		logw = logw[len(w):]
		k -= m
	}
}

// head returns the first m entries of a column, and none of a column that there is not.
func head[V any](column []V, m int) []V { return column[:min(m, len(column))] }

// countChains counts chains for all tests but those of chains apart.
func (t *Tally) countChains(first, last []int32, logw []float64) {
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
	t.given[0].addWeights(first, logw)
	t.given[1].addWeights(last, logw)
}

func countStates(counts []int, states []int32) {
	for _, x := range states {
		counts[x]++
	}
}

// atLast reports whether consecutive chains are compared by x_T: that is the end to which forward
// chains come, and reverse chains come to x_1. If its column is missing the other one is as good.
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
		t.waiting = noChain
		end = end[1:]
	}
	for ; len(end) >= 2; end = end[2:] {
		t.pairs[end[0]*n+end[1]]++
	}
	if len(end) == 1 {
		t.waiting = end[0]
	}
}

// Finite returns the number of chains so far whose weight is finite and positive. The mean of log w
// is over these.
func (t *Tally) Finite() int {
	if t.alive == nil {
		return 0
	}
	return t.alive[0]
}

// FarMean says that the mean of log w is off by verdicts.FarErrors standard errors or more, and so
// far beyond chance; it is empty if it is not. The moments of log w are those of K(l) = log E[w^l]
// around l = 0, with h = 2^-8, and chance is bounded by Chernoff's inequality, so that a few rare
// weights are not far:
//
// mean = (K(h) - K(-h)) / 2h,  variance = (K(h) + K(-h)) / h^2,  log P <= -max_l (l sum - n K(l)).
//
// The errors of the moments are of the order h^2. A variance without digits judges no mean.
func (t *Tally) FarMean() string {
	const h = 0x1p-8
	powers, k := t.l.RoundedCGF(t.d)
	up := slices.Index(powers, h)
	down := slices.Index(powers, -h)
	if up < 0 || down < 0 || t.Finite() == 0 {
		return ""
	}
	n := float64(t.Finite())
	beyond := 0.0
	for i, l := range powers {
		beyond = math.Max(beyond, l*t.sumLogW-n*k[i])
	}
	mean := (k[up] - k[down]) / (2 * h)
	sd := math.Sqrt(math.Max(0, k[up]+k[down]-2*h*t.l.rounding)) / h
	// the powers are so far apart that the largest bound may be larger by a fifth
	if sd < 1e-5*(1+math.Abs(mean)) || beyond < 0.8*check.Shown {
		return ""
	}
	return verdicts.FarMean("the mean of log w", (t.sumLogW/n-mean)/(sd/math.Sqrt(n)), "chains")
}

// countWeights counts and sums log weights. One that is no number is below no level and spoils the
// sum, which is a fault.
func (t *Tally) countWeights(logw []float64) {
	infinite := 0
	sum := t.sumLogW
	for _, l := range logw {
		if math.IsInf(l, 0) {
			infinite++
		} else {
			sum += l
		}
		t.between[t.levelsUpTo(l)]++
	}
	t.sumLogW = sum
	if len(logw) > 0 {
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

// asNumber is 1 for true and 0 for false. The compiler makes it without a jump, which no processor
// could foresee here.
func asNumber(b bool) int {
	if b {
		return 1
	}
	return 0
}

// countsBelow returns the number of log weights below each level.
func (t *Tally) countsBelow() []int {
	out := make([]int, len(t.l.levels[t.d]))
	total := 0
	for k := range out {
		total += t.between[k]
		out[k] = total
	}
	return out
}

// addWeights takes log weights by the state of one end, if there are both.
func (v *perState) addWeights(end []int32, logw []float64) {
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

// Value returns the log of an e-value so far, in nats, and a function that describes the largest
// deviation.
type Value = func() (logE float64, where func() string)

// NamedTest is a test on the counted chains. It is an e-process: its Value may be called at any
// time.
type NamedTest struct {
	Name  string
	Value Value
}

// tallyTest is a test that a tally may or may not allow.
type tallyTest struct {
	name  string
	what  string // it tests
	lacks string // the columns that are missing for it; empty if there are all
	value Value  // nil if the distribution is not known
}

// Tests returns the tests that the columns allow and for which there is a distribution. Those of
// single states have a known power (see verdicts.Detectable); they average over the n states, which
// costs log n nats.
func (t *Tally) Tests() (allowed []NamedTest) {
	for _, test := range t.allTests() {
		if test.lacks == "" && test.value != nil {
			allowed = append(allowed, NamedTest{t.d.String() + " " + test.name, test.value})
		}
	}
	return allowed
}

// Untested says which distributions cannot be tested for lack of a column, in whole sentences. See
// ChainLaws.Skipped for those that cannot be tested with any columns.
func (t *Tally) Untested() []string {
	var lacks []string
	tests := map[string][]string{} // by the columns that they lack
	for _, test := range t.allTests() {
		if test.lacks == "" {
			continue
		}
		if tests[test.lacks] == nil {
			lacks = append(lacks, test.lacks)
		}
		tests[test.lacks] = append(tests[test.lacks], test.what)
	}
	var out []string
	for _, columns := range lacks {
		out = append(out, fmt.Sprintf("the %s chains have no %s, so %s %s not tested",
			t.d, columns, selector.Listed(tests[columns]), selector.Plural(len(tests[columns]), "is", "are")))
	}
	return out
}

// lacks names the columns among those that are needed which the tally does not have.
func (t *Tally) lacks(needed Columns) string {
	var missing []string
	for _, c := range []struct {
		name        string
		needed, has bool
	}{{"x_first", needed.First, t.columns.First}, {"x_last", needed.Last, t.columns.Last},
		{"log_w", needed.LogW, t.columns.LogW}} {
		if c.needed && !c.has {
			missing = append(missing, c.name)
		}
	}
	switch len(missing) {
	case 0:
		return ""
	case 1:
		return "column " + missing[0]
	}
	return "columns " + selector.Listed(missing)
}

// allTests returns all tests, whether the columns allow them or not.
func (t *Tally) allTests() []tallyTest {
	tests := []tallyTest{
		{"x_1", "the distribution of x_1", t.lacks(Columns{First: true}),
			t.l.endValue(t.first, t.l.first[t.d])},
		{"x_T", "the distribution of x_T", t.lacks(Columns{Last: true}), t.l.endValue(t.last, t.l.last[t.d])},
		{"log w", "the mean of log w", t.lacks(Columns{LogW: true}), func() (float64, func() string) {
			return t.l.meanValue(t.d, t.sumLogW, t.alive[0])
		}},
		{"finite log w", "the number of infinite log weights", t.lacks(Columns{LogW: true}), t.finiteValue()},
		{"consecutive chains", "the independence of consecutive chains", t.lacksEnds(), t.pairsValue()},
		{"x_1 and x_T", "the joint distribution of x_1 and x_T", t.lacks(Columns{First: true, Last: true}),
			t.endsValue()},
		{"chains apart", "the independence of chains at several distances", t.lacksEnds(), t.apartValue()},
		{"distribution of log w", "the distribution of log w", t.lacks(Columns{LogW: true}), t.levelsValue()},
	}
	for i, what := range []string{"x_1", "x_T"} {
		lacks := t.lacks(Columns{First: i == 0, Last: i == 1, LogW: true})
		tests = append(tests, tallyTest{
			"log w given " + what, "the distribution of log w given " + what, lacks, t.givenValue(i, what)})
	}
	return append(tests,
		tallyTest{"states of x_1", "the probability of each x_1", t.lacks(Columns{First: true}),
			t.l.statesValue(t.first, t.l.first[t.d])},
		tallyTest{"states of x_T", "the probability of each x_T", t.lacks(Columns{Last: true}),
			t.l.statesValue(t.last, t.l.last[t.d])})
}

// lacksEnds names the ends if there is neither of them. Tests of independence need one.
func (t *Tally) lacksEnds() string {
	if t.columns.First || t.columns.Last {
		return ""
	}
	return t.lacks(Columns{First: true, Last: true})
}

// countsValue is the value of the test of counts in cells of these probabilities.
func countsValue(counts []int, p []float64, name func(int) string) Value {
	return func() (float64, func() string) {
		return verdicts.CountsLogE(counts, p), func() string { return verdicts.WorstCell(counts, p, name) }
	}
}

// endValue is the value of the test of the counts at an end.
func (l *ChainLaws) endValue(counts []int, p []float64) Value {
	return countsValue(counts, p, l.stateName)
}

// statesValue is the value of the test of the counts at each state of an end by itself.
func (l *ChainLaws) statesValue(counts []int, p []float64) Value {
	return func() (float64, func() string) {
		return verdicts.SingleCell(counts, p, l.stateName)
	}
}

// stateName names a state in a finding.
func (l *ChainLaws) stateName(x int) string { return "state " + l.state(x) }

// meanValue is the value of the test of a sum of n log weights.
func (l *ChainLaws) meanValue(d chains.Direction, sum float64, n int) (float64, func() string) {
	powers, k := l.RoundedCGF(d)
	return verdicts.WeightsLogE(sum, n, powers, k), func() string {
		return fmt.Sprintf("mean log w of %d chains is %.6g", n, sum/float64(n))
	}
}

func (t *Tally) finiteValue() Value {
	p := []float64{t.l.alive[t.d], 1 - t.l.alive[t.d]}
	return countsValue(t.alive,
		p, func(cell int) string { return []string{"finite log weights", "infinite log weights"}[cell] })
}

func (t *Tally) pairsValue() Value {
	law := t.l.pairs[t.d]
	if len(law) == 0 {
		return nil
	}
	verb := "ending"
	if t.atLast() != (t.d == chains.Forward) {
		// the column of the end is missing, and that of the start stands in for it
		p := t.l.first[t.d]
		if t.d == chains.Reverse {
			p = t.l.last[t.d]
		}
		verb, law = "starting", product(p, p) // of the first states of two independent chains
	}
	n := t.l.a.States()
	return countsValue(t.pairs, law, func(cell int) string {
		return fmt.Sprintf("chains %s at %s and %s", verb, t.l.state(cell/n), t.l.state(cell%n))
	})
}

func (t *Tally) endsValue() Value {
	law := t.l.ends[t.d]
	n := t.l.a.States()
	if len(law) == 0 {
		return nil
	}
	displaced := newDisplacements(law, n)
	return averaged(countsValue(t.ends, law, func(cell int) string {
		return fmt.Sprintf("chains from x_1 = %s to x_T = %s", t.l.state(cell/n), t.l.state(cell%n))
	}), func() (float64, func() string) { return displaced.logEValue(t.ends) })
}

func (t *Tally) apartValue() Value {
	var values []Value
	for _, a := range t.apart {
		values = append(values, a.logEValue)
	}
	return averaged(values...)
}

func (t *Tally) levelsValue() Value {
	levels := t.l.levels[t.d]
	if len(levels) == 0 {
		return nil
	}
	return func() (float64, func() string) {
		drawn := t.alive[0] + t.alive[1]
		below := t.countsBelow()
		return verdicts.LevelsLogE(
			below,
			drawn,
			levels,
		), func() string { return verdicts.WorstLevel(below, drawn, levels) }
	}
}

// givenValue is the value of the test of log weights given an end: 0 is x_1, and 1 is x_T.
func (t *Tally) givenValue(end int, what string) Value {
	k := t.l.roundedGiven(t.d, end)
	v := t.given[end]
	if k == nil {
		return nil
	}
	return func() (float64, func() string) {
		l := verdicts.StatePowers()
		return verdicts.StatesLogE(
			v.sum,
			v.n,
			l,
			k,
		), func() string { return verdicts.WorstState(what, v.sum, v.n, l, k) }
	}
}
