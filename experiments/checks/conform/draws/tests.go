package draws

import (
	"fmt"
	"math"
	"slices"

	"breadboard/chains/number"
	"breadboard/experiments/verdicts"
)

const (
	// mostPairs is the most states of which it is tried whether any two were exchanged.
	mostPairs = 1000
	// mostGroups is the largest number of groups of states whose successions are counted.
	mostGroups = 8
	// mostLags is the largest number of rows between two rows that are compared for repeats.
	mostLags = 16
	// mostLagged is the most states for which repeats are counted by states at all lags, and urns
	// are followed.
	mostLagged = 1 << 14
	// Remembered is the most draws that are searched for blocks that come again.
	Remembered = 1 << 22
	// natsOfBlock is minus the log of the probability that a block is repeated at one place by
	// chance, from which on the block is known by its hash.
	natsOfBlock = 40
	// longestBlock is the most draws of such a block.
	longestBlock = 1 << 12
)

// The names of tests: of counts, of known mistakes, and of whether draws depend on those before
// them.
const (
	testCounts    = "how often each state was drawn"
	testOneState  = "one state"
	testMistakes  = "known mistakes"
	testExchanged = "two states exchanged"
	testAbsent    = "a state that is never drawn"
	testFollowers = "which states follow on which"
	testRepeats   = "repeats of earlier rows"
	testEvenness  = "counts that are too even"
)

// The names of the averages over tests.
const (
	averageOfDraws    = "independent draws of the distribution"
	averageOfWeighted = "weighted draws of the distribution"
)

// tally is what was drawn.
type tally struct {
	*Law
	others   []other
	counts   []int
	n        int
	first    []int // the row in which each impossible state was drawn first, counted from 1
	ordered  bool
	history  []int32   // the draws in their order, if it is known
	followed int       // how many of these repeats and urns have counted
	repeats  []repeats // by lag, from 1 on
	group    []int     // of each state
	groupP   []float64
	pairs    [][]int // how often a group follows on each
	falls    int     // how often a draw has a lower state than the one before
	rises    int     // and a higher one
	blocks   Blocks
	urns     []urn
	swapped  []float64 // memory for exchanges
	odds     []float64 // the logs of ratios of probabilities of each two states; nil until they are asked for
}

func newTally(l *Law, ordered bool) *tally {
	n := len(l.P)
	t := &tally{
		Law:     l,
		others:  l.mistakes(),
		counts:  make([]int, n),
		first:   make([]int, n),
		ordered: ordered,
		group:   make([]int, n),
	}
	if !ordered {
		return t
	}
	below := 0.0
	for x, p := range l.P {
		g := min(mostGroups-1, int(mostGroups*(below+p/2)))
		below += p
		if n <= mostGroups {
			g = x
		}
		t.group[x] = g
	}
	t.groupP = make([]float64, mostGroups)
	for x, p := range l.P {
		t.groupP[t.group[x]] += p
	}
	for range mostGroups {
		t.pairs = append(t.pairs, make([]int, mostGroups))
	}
	most := mostLags
	if n > mostLagged {
		most = 1
	}
	for range most {
		t.repeats = append(t.repeats, repeats{make([]int, n), make([]int, n), 0})
	}
	collision := 0.0
	for _, p := range l.P {
		collision += p * p
	}
	t.blocks = NewBlocks(collision)
	if n <= mostLagged {
		t.urns = newUrns(l.P)
	}
	return t
}

// addState counts a state that was drawn the given number of times.
func (t *tally) addState(x, count int) {
	if t.P[x] == 0 && t.first[x] == 0 && count > 0 {
		t.first[x] = t.n + 1
	}
	t.counts[x] += count
	t.n += count
	if !t.ordered {
		return
	}
	if h := t.history; len(h) > 0 {
		last := int(h[len(h)-1])
		t.pairs[t.group[last]][t.group[x]]++
		switch {
		case x < last:
			t.falls++
		case x > last:
			t.rises++
		}
	}
	t.blocks.Add(t.history, t.P[x], x)
	t.history = append(t.history, int32(x))
}

// followDraws has repeats and urns see the draws that were added since it was called last, one of
// them after another, so that what each counts stays near the processor.
func (t *tally) followDraws() {
	for k := range t.repeats {
		t.repeats[k].countRepeats(t.history, k+1, t.followed, t.counts)
	}
	for i := range t.urns {
		t.urns[i].addDraws(t.P, t.history, t.followed)
	}
	t.followed = len(t.history)
}

// testValues returns what all tests say.
func (t *tally) testValues() []Value {
	return slices.Concat(t.frequencies(), []Value{t.known(), t.exchanged(), t.missing()}, t.order())
}

// frequencies returns what the tests of the counts say.
func (t *tally) frequencies() []Value {
	alone, where := verdicts.SingleCell(t.counts, t.P, t.state)
	return []Value{
		{
			Name: testCounts,
			LogE: verdicts.CountsLogE(t.counts, t.P),
			Says: "the frequencies of the states differ from the distribution: " +
				verdicts.WorstCell(t.counts, t.P, t.state),
		},
		{
			Name: testOneState,
			LogE: alone,
			Says: "the frequency of one state differs from the distribution: " + where(),
		},
	}
}

// order returns what the tests of the order of the draws say, if it is known.
func (t *tally) order() []Value {
	if !t.ordered {
		return nil
	}
	t.followDraws()
	return []Value{t.repeated(), t.successive(), t.blocks.Value(), evenness(t.urns, t.n)}
}

func (t *tally) state(x int) string { return "state " + t.Codes.Label(x) }

// impossible returns the first row with a state of probability zero, and that state; 0 if there is
// none.
func (t *tally) impossible() (row, state int) {
	for x, at := range t.first {
		if at > 0 && (row == 0 || at < row) {
			row = at
			state = x
		}
	}
	return row, state
}

// ratio returns the log of the likelihood of the draws under a distribution over that under the
// right one.
func (t *tally) ratio(p []float64) float64 {
	total := 0.0
	for x, c := range t.counts {
		if c > 0 {
			total += float64(c) * number.LogRatio(p[x], t.P[x])
		}
	}
	return total
}

// known is the test of the known mistakes, which are all as likely beforehand. Which of them
// explains the draws named says.
func (t *tally) known() Value {
	v := Value{Name: testMistakes}
	logs := make([]float64, len(t.others))
	for i, o := range t.others {
		logs[i] = t.ratio(o.p)
	}
	if len(logs) > 0 {
		v.LogE = number.LogMean(logs)
	}
	return v
}

// exchanges returns the log e-value of the exchange of each two states, and which two are the
// likeliest.
func (t *tally) exchanges() (logs []float64, a, b int) {
	if len(t.P) > mostPairs {
		return nil, 0, 0
	}
	if t.odds == nil {
		for x, p := range t.P {
			for _, q := range t.P[:x] {
				t.odds = append(t.odds, number.LogRatio(q, p))
			}
		}
		t.swapped = make([]float64, 0, len(t.odds))
	}
	most := math.Inf(-1)
	odds := t.odds
	logs = t.swapped[:0]
	for x, p := range t.P {
		for y, o := range odds[:x] {
			if p == 0 || t.P[y] == 0 {
				continue
			}
			l := float64(t.counts[x]-t.counts[y]) * o
			logs = append(logs, l)
			if l > most {
				most = l
				a = y
				b = x
			}
		}
		odds = odds[x:]
	}
	t.swapped = logs
	return logs, a, b
}

// exchange says that two states were exchanged.
func (t *tally) exchange(a, b int) string {
	return fmt.Sprintf("%s and %s were exchanged: %d and %d draws, %.6g and %.6g expected", t.state(a),
		t.state(b), t.counts[a], t.counts[b],
		float64(t.n)*t.P[a], float64(t.n)*t.P[b])
}

// exchanged is the test of whether two states were taken for each other.
func (t *tally) exchanged() Value {
	v := Value{Name: testExchanged}
	if logs, a, b := t.exchanges(); logs != nil {
		v.LogE, v.Says = number.LogMean(logs),
			"the likeliest exchange of two states is that "+t.exchange(a, b)
	}
	return v
}

// absences returns by state the log e-value of the alternative that it is never drawn, and the
// state for which that is the largest.
func (t *tally) absences() (logs []float64, best int) {
	logs = make([]float64, len(t.P))
	for x, p := range t.P {
		logs[x] = math.Inf(-1)
		if t.counts[x] == 0 && p < 1 {
			logs[x] = -float64(t.n) * math.Log1p(-p)
		}
		if logs[x] > logs[best] {
			best = x
		}
	}
	return logs, best
}

// never says that a state is never drawn.
func (t *tally) never(x int) string {
	return fmt.Sprintf("%s is never drawn, but %.6g draws are expected", t.state(x), float64(t.n)*t.P[x])
}

// missing is the test of whether one state is never drawn.
func (t *tally) missing() Value {
	logs, best := t.absences()
	v := Value{Name: testAbsent, LogE: number.LogMean(logs), Says: t.never(best)}
	if t.counts[best] > 0 {
		v.Says = "every state was drawn"
	}
	return v
}

// repeats counts how often a draw has the state of the one some rows before it.
type repeats struct {
	from, same []int // by state
	pairs      int
}

// countRepeats counts the draws from a place on, where all were drawn that often.
func (r *repeats) countRepeats(history []int32, lag, from int, counts []int) {
	for from = max(lag, from); from < len(history); from++ {
		if x := history[from]; x == history[from-lag] {
			r.same[x]++
		}
	}
	copy(r.from, counts)
	r.pairs = max(0, len(history)-lag)
	for _, x := range history[r.pairs:] { // nothing comes as far behind them
		r.from[x]--
	}
}

// shares are the parts of the draws that repeat one before them, or that would have and were left
// out.
func shares() []float64 {
	return []float64{0.9, 0.5, 0.3, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002}
}

// logE returns the log e-values of draws that repeat an earlier one with the probability of a
// share, and of draws that avoid to: the logarithms of what a draw that repeats gains, and of what
// one that avoids its state would lose, stand by state.
func (r *repeats) logE(share float64, gains, losses []float64) (more, fewer float64) {
	same := 0
	others := math.Log1p(-share)
	for x, n := range r.same {
		if n > 0 {
			same += n
			more += float64(n) * gains[x]
			fewer += float64(n) * others
		}
		if r.from[x] > 0 {
			fewer -= float64(r.from[x]) * losses[x]
		}
	}
	return more + float64(r.pairs-same)*others, fewer
}

// repeated is the test of whether draws repeat those some rows before them, or avoid to.
func (t *tally) repeated() Value {
	shares := shares()
	gains := make([]float64, len(t.P))
	losses := make([]float64, len(t.P))
	logs := make([]float64, 2*len(shares)*len(t.repeats))
	for i, share := range shares {
		for x, p := range t.P {
			if t.counts[x] > 0 {
				gains[x], losses[x] = number.Log(share+(1-share)*p)-number.Log(p), math.Log1p(-share*p)
			}
		}
		for k := range t.repeats {
			at := 2 * (k*len(shares) + i)
			logs[at], logs[at+1] = t.repeats[k].logE(share, gains, losses)
		}
	}
	v := Value{Name: testRepeats, LogE: number.LogMean(logs)}
	lag := slices.Index(logs, slices.Max(logs)) / (2 * len(shares))
	r := &t.repeats[lag]
	allowed := 0.0
	expected := 0.0
	variance := 0.0
	same := 0
	for x, n := range r.from {
		f := t.observed(t.counts[x])
		allowed += float64(n) * t.P[x]
		expected += float64(n) * f
		variance += float64(n) * f * (1 - f)
		same += r.same[x]
	}
	rows := fmt.Sprintf("%d of %d rows have the state of the row %d before", same, r.pairs, lag+1)
	v.Depend = Unlikely(float64(same)-expected, variance)
	if v.Depend {
		v.Says = fmt.Sprintf("draws depend on earlier draws: %s, %.6g expected from the observed frequencies",
			rows, expected)
	} else {
		v.Says = fmt.Sprintf(
			"%s, %.6g expected by the distribution; the observed frequencies explain it (%.6g expected from them)",
			rows,
			allowed,
			expected,
		)
	}
	return v
}

// observed returns the share of the draws that a count is.
func (t *tally) observed(count int) float64 { return float64(count) / float64(max(1, t.n)) }

// Unlikely reports whether a deviation of a count with the given variance is larger than chance.
func Unlikely(off, variance float64) bool {
	return math.Erfc(math.Abs(off)/math.Sqrt(2*variance)) < dependent
}

// sorted reports whether no draw has a lower state than the one before it.
func (t *tally) sorted() bool { return t.falls == 0 && t.rises > 0 && t.n > mostGroups }

// successive is the test of which states follow on which, by groups of states that are neighbours
// in their numbers.
func (t *tally) successive() Value {
	v := Value{Name: testFollowers}
	shares := make([]float64, mostGroups)
	for x, c := range t.counts {
		shares[t.group[x]] += t.observed(c)
	}
	var table Pearson
	for _, counts := range t.pairs {
		v.LogE += verdicts.CountsLogE(counts, t.groupP)
		table.Add(counts, shares)
	}
	fitted := -1 // the shares of the groups that were drawn
	for _, share := range shares {
		fitted += int(math.Ceil(share))
	}
	v.Depend = table.P(fitted) < dependent
	switch {
	case t.sorted():
		v.Says = "the rows are sorted by state; give them in the order of drawing"
	case v.Depend:
		v.Says = "draws depend on the previous draw: " + t.mostOff(shares) + " from the observed frequencies"
	default:
		v.Says = t.mostOff(t.groupP) +
			" by the distribution; the observed frequencies explain it, not the order of the draws"
	}
	return v
}

// mostOff says which group follows on which the most too often or too rarely, where groups have the
// given shares.
func (t *tally) mostOff(shares []float64) (says string) {
	name := func(g int) string {
		return fmt.Sprintf("states of group %d of %d, by their numbers", g+1, mostGroups)
	}
	k := min(len(t.P), mostGroups)
	if k == len(t.P) {
		name = t.state
	}
	most := math.Inf(-1)
	for g, counts := range t.pairs[:k] {
		if l := verdicts.CountsLogE(counts, shares); l > most {
			most = l
			says = "after " + name(g) + ", " + verdicts.WorstCell(counts[:k], shares[:k], name)
		}
	}
	return says
}
