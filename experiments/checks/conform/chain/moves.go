package chain

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"breadboard/chains/number"
	"breadboard/exact/averages"
	"breadboard/experiments/checks/conform/draws"
	"breadboard/experiments/verdicts"
	"breadboard/toys"
)

// from counts where chains went from one state.
type from struct {
	to        []int       // the states that may follow
	p         []float64   // with these probabilities
	low       []float64   // and those of all lower states in sum
	place     map[int]int // of each state among them
	counts    []int
	followed  []int // how many of these moves have another one behind them, in the same chain
	n         int
	means     []float64   // of each feature of a move
	variances []float64   // and their variances
	logZ      []float64   // by tilt: the logarithm of the mean of exp(theta feature) of a move
	known     [][]float64 // by known mistake: the log ratio of each probability
}

// moves is what is known of the moves of chains by a kernel.
type moves struct {
	toy      *toys.Toy
	chain    *averages.Chain
	row      other // what the moves are held to: the rows of the chain
	features []feature
	others   []other
	from     []*from   // by state; nil if no move was made from it
	total    []float64 // by feature: the sum over all moves
	n        int
	// by strength: the log e-value of bets that a move goes back to where the one before it began
	back     []float64
	turned   int     // how many moves go back
	expected float64 // and how many are expected to
	blocks   draws.Blocks
	history  []int32 // all draws, in the order in which they were read
	// impossible says which move of probability zero was made first; empty if there is none.
	impossible string
	leads      string // how many moves lead there
}

// lost stands for all states that the rows of a kernel leave out, since their probability is below
// what enumeration follows.
const lost = -1

func newMoves(toy *toys.Toy, c *averages.Chain, others []other) *moves {
	m := &moves{
		toy:      toy,
		chain:    c,
		row:      entries(c.Rows),
		others:   others,
		features: featuresOf(toy),
		from:     make([]*from, len(c.Target)),
		back:     make([]float64, len(strengths())),
	}
	m.total = make([]float64, len(m.features))
	m.blocks = draws.NewBlocks(collision(c))
	return m
}

// collision returns by which factor a further move lowers the probability that two chains have made
// the same moves: the largest eigenvalue of the squares of all entries, by power iterations.
func collision(c *averages.Chain) (factor float64) {
	const iterations = 100
	v := slices.Repeat([]float64{1}, len(c.Target))
	next := make([]float64, len(c.Target))
	for range iterations {
		factor = 0
		for x := range next {
			next[x] = 0
			for _, e := range c.Rows.Row(x) {
				next[x] += e.P * e.P * v[e.To]
			}
			factor = max(factor, next[x])
		}
		for x := range v {
			v[x] = next[x] / factor
		}
	}
	return factor
}

// countsFrom returns the counts from a state.
func (m *moves) countsFrom(x int) *from {
	if f := m.from[x]; f != nil {
		return f
	}
	f := &from{place: map[int]int{}}
	for _, e := range m.row(x) {
		if e.P > 0 {
			f.addMove(e.To, e.P)
		}
	}
	f.counts = make([]int, len(f.p))
	f.followed = make([]int, len(f.p))
	f.low = make([]float64, len(f.p))
	below := 0.0
	for _, y := range slices.Sorted(maps.Keys(f.place)) {
		f.low[f.place[y]] = below
		below += f.p[f.place[y]]
	}
	m.tilt(x, f)
	for _, o := range m.others {
		f.known = append(f.known, f.ratios(o(x)))
	}
	m.from[x] = f
	return f
}

func (f *from) addMove(y int, p float64) {
	if at, is := f.place[y]; is { // a row may have a state twice
		f.p[at] += p
		return
	}
	f.place[y] = len(f.p)
	f.to, f.p = append(f.to, y), append(f.p, p)
}

// placeOf returns the place of a state among those that may follow, or that of all states left out.
func (f *from) placeOf(y int) (at int, is bool) {
	at, is = f.place[y]
	if !is {
		at, is = f.place[lost]
	}
	return at, is
}

// addMove takes the last of the draws of a chain. Which it is where says.
func (m *moves) addMove(states []int32, where func() string) {
	switch n := len(states); n {
	case 1:
		m.addFirst(int(states[0]))
	case 2:
		m.countMove(-1, int(states[0]), int(states[1]), where)
	default:
		m.countMove(int(states[n-3]), int(states[n-2]), int(states[n-1]), where)
	}
}

// addFirst takes the first draw of a chain, of which nothing is known.
func (m *moves) addFirst(x int) {
	m.blocks.Add(m.history, 1, x)
	m.remember(x)
}

// remember keeps a draw as long as blocks are looked for.
func (m *moves) remember(x int) {
	if len(m.history) < draws.Remembered {
		m.history = append(m.history, int32(x))
	}
}

// countMove takes a move from x to y behind one from before to x, if there is one, and -1 if there
// is none. Which move it is where says.
func (m *moves) countMove(before, x, y int, where func() string) {
	f := m.countsFrom(x)
	at, is := f.placeOf(y)
	m.n++
	f.n++
	p := 0.0
	if is {
		f.counts[at]++
		p = f.p[at]
	} else if m.impossible == "" {
		zero := "zero"
		if g := m.chain.LogF; math.Exp(g[y]-g[x]) == 0 && !math.IsInf(g[y], -1) {
			zero = "zero or below 5e-324"
		} else {
			m.leads = m.farther(x, y)
		}
		m.impossible = fmt.Sprintf("a move from %s to %s has probability %s; it is first made %s",
			m.state(x), m.state(y), zero, where())
	}
	if before >= 0 {
		if last, is := m.from[before].placeOf(x); is {
			m.from[before].followed[last]++
		}
	}
	if back, is := f.place[before]; is && before >= 0 && before != x {
		p := f.p[back]
		m.expected += p
		for i, theta := range strengths() {
			m.back[i] -= math.Log1p(p * math.Expm1(theta))
			if y == before {
				m.back[i] += theta
			}
		}
		if y == before {
			m.turned++
		}
	}
	for k := range m.total {
		m.total[k] += m.features[k].of(x, y)
	}
	m.blocks.Add(m.history, max(p, math.SmallestNonzeroFloat64), y)
	m.remember(y)
}

// farther says how many moves it takes from x to y, if some do.
func (m *moves) farther(x, y int) string {
	// x itself may be where it goes
	seen := map[int]bool{}
	at := []int{x}
	for moves := 1; len(at) > 0; moves++ {
		var next []int
		for _, from := range at {
			for _, e := range m.chain.Rows.Row(from) {
				if e.P > 0 && !seen[e.To] {
					seen[e.To] = true
					next = append(next, e.To)
				}
			}
		}
		if seen[y] {
			return fmt.Sprintf(
				"; it takes %d moves: if not all draws were kept, give the number of moves between two draws (thin)",
				moves,
			)
		}
		at = next
	}
	return "; no number of moves leads there"
}

func (m *moves) state(x int) string { return "state " + m.toy.State(x) }

// destination names the states that may follow on a state, by their place.
func (m *moves) destination(f *from) func(i int) string {
	return func(i int) string {
		if f.to[i] == lost {
			return "to states that enumeration omits"
		}
		return "to " + m.state(f.to[i])
	}
}

// visited calls visit for each state from which there were moves, in their order.
func (m *moves) visited(visit func(x int, f *from)) {
	for x, f := range m.from {
		if f != nil {
			visit(x, f)
		}
	}
}

// mostCells is the most states that may follow on one for which each of them has a test of its own.
const mostCells = 256

// countTests is the number of tests of counts, which are the first.
const countTests = 2

// testValues returns what all tests say.
func (m *moves) testValues() []draws.Value {
	all := 0.0
	each := make([]float64, len(m.chain.Target))
	worst := ""
	least := math.Inf(-1)
	m.visited(func(x int, f *from) {
		counts := verdicts.CountsLogE(f.counts, f.p)
		all += counts
		each[x] = counts
		if len(f.p) <= mostCells {
			each[x] = number.LogMean([]float64{counts, verdicts.CellsLogE(f.counts, f.p)})
		}
		if each[x] > least {
			least = each[x]
			worst = fmt.Sprintf("of %d moves from %s, ", f.n, m.state(x)) +
				verdicts.WorstCell(f.counts, f.p, m.destination(f))
		}
	})
	const says = "the frequencies of the moves differ from those of the kernel: "
	list := []draws.Value{
		{Name: fromAll, LogE: all, Says: says + worst},
		{Name: fromOne, LogE: number.LogMean(each), Says: says + worst},
	}
	return append(list, m.known(), m.tilted(), m.returned(), m.blocks.Value())
}

// The names of the average over tests, of those of counts, and of the tests of whether moves of
// one kind are too many and whether a move depends on the one before it.
const (
	average = "moves of the kernel"
	fromAll = "moves from all states"
	fromOne = "moves from one state"
	oneKind = "moves of one kind"
	back    = "moves back to the state before"
)

// returned is the test of whether a move depends on the one before it: whether chains go back where
// they were too often, or too rarely.
func (m *moves) returned() draws.Value {
	v := draws.Value{Name: back, LogE: number.LogMean(m.back)}
	expected := 0.0
	variance := 0.0
	m.visited(func(x int, f *from) {
		for i, n := range f.followed {
			if y := f.to[i]; n > 0 && y != x && y != lost && m.from[y] != nil {
				p := m.from[y].observed(x)
				expected += float64(n) * p
				variance += float64(n) * p * (1 - p)
			}
		}
	})
	says := fmt.Sprintf("%d moves return to the state before the previous move", m.turned)
	v.Depend = draws.Unlikely(float64(m.turned)-expected, variance)
	if v.Depend {
		v.Says = fmt.Sprintf(
			"moves depend on the previous move: %s, %.6g expected of a chain without memory, from the "+
				"observed frequencies of the moves",
			says,
			expected,
		)
	} else {
		v.Says = fmt.Sprintf("%s, %.6g expected by the kernel; the observed frequencies of the moves explain it (%.6g "+
			"expected from them)",
			says,
			m.expected, expected)
	}
	return v
}

// observed returns the share of the moves that went to a state.
func (f *from) observed(y int) float64 {
	at, is := f.place[y]
	if !is || f.n == 0 {
		return 0
	}
	return float64(f.counts[at]) / float64(f.n)
}

// farMove says which move from one state to another is far from its expected number of times, and
// else which state is, among the moves from all states.
func (m *moves) farMove() (says string) {
	arrivals := make([]int, len(m.chain.Target))
	p := make([]float64, len(arrivals))
	all := len(arrivals)
	m.visited(func(_ int, f *from) { all += len(f.p) })
	m.visited(func(x int, f *from) {
		if says == "" {
			says = verdicts.FarCount(f.counts, f.p, all, "moves from "+m.state(x), m.destination(f))
		}
		for i, y := range f.to {
			if y != lost {
				arrivals[y] += f.counts[i]
				p[y] += f.p[i] * float64(f.n) / float64(m.n)
			}
		}
	})
	if says != "" {
		return says
	}
	return verdicts.FarCount(arrivals, p, all, "moves", func(y int) string { return "to " + m.state(y) })
}

// excluded says which faults of the moves would have been found, with a probability of
// verdicts.DetectionProbability: a wrong distribution of those from the state from which there are
// the most, and a wrong share of those that stay. It is empty if there are too few moves to say.
func (m *moves) excluded(logThreshold float64) string {
	var most *from
	var at int
	m.visited(func(x int, f *from) {
		if most == nil || f.n > most.n {
			most = f
			at = x
		}
	})
	if most == nil {
		return ""
	}
	seen := 0
	m.visited(func(int, *from) { seen++ })
	var says []string
	// The threshold is that of the average over all states, and of two tests.
	if power := verdicts.PowerOf(
		most.p,
		most.n,
		logThreshold+number.Log(float64(2*len(m.chain.Target))),
	); power.Decides() {
		off := power.Rare
		if !math.IsNaN(power.KL) {
			off = math.Sqrt(power.KL / 2) // by Pinsker's inequality
		}
		says = append(says, fmt.Sprintf(
			"a distribution of the moves from %s that is off by a total variation of %.2g or more would "+
				"have been found",
			m.state(at),
			off,
		))
	}
	if staying := m.staying(logThreshold); staying != "" {
		says = append(says, staying)
	}
	if says != nil && seen < len(m.from) {
		says = append(says, fmt.Sprintf("of %d states chains have left %d; moves from the others are not tested",
			len(m.from), seen))
	}
	return strings.Join(says, "; ")
}
