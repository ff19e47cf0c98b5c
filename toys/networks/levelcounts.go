package networks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"

	"breadboard/chains/errs"
	"breadboard/chains/number"
)

const (
	// mostPowers is the largest difference of two logarithms in one factor, in times of their
	// common unit.
	mostPowers = 10_000
	// mostLogStates bounds the configurations, whose counts are float64.
	mostLogStates = 1000 * math.Ln2
	// mostAdditions bounds the time: some 20 seconds.
	mostAdditions = 2e10
)

// CountLevels returns the values that the logarithm of the product of all factors has over the
// configurations (nats, in ascending order), and how many configurations have each. It enumerates
// none: the tables of an elimination have a count for each value instead of a sum. Counts are sums
// of products of whole numbers, right to 1e-13 of their size. It fails if a factor is zero
// somewhere, where logarithms are not whole multiples of one unit apart, and where the tables would
// be too large or take too long.
func (q *Query) CountLevels(ctx context.Context) (logs, counts []float64, err error) {
	cards := q.FreeCards()
	if states := q.LogStates(); states > mostLogStates {
		return nil, nil, errs.New(
			"its levels are counted up to 2^1000 states, and it has 2^%.0f; take fewer variables",
			states/math.Ln2,
		)
	}
	graded, low, unit, err := grade(q.Clamped(), cards)
	if err != nil {
		return nil, nil, err
	}
	c, err := chooseCensus(ctx, graded, cards, q.Along)
	if err != nil {
		return nil, nil, err
	}
	if !c.fits() {
		return nil, nil,
			errs.New("counting its levels of log f would take %s and %.2g additions, and at most %.2g GB "+
				"and %.2g are taken; take fewer variables, or values on a coarser unit than %.3g",
				errs.Memory(c.most), c.additions, DefaultMemory/1e9, mostAdditions, unit)
	}
	if err := c.forwards(ctx, c); err != nil {
		return nil, nil, err
	}
	for m, n := range c.totalCounts() {
		if n > 0 {
			logs, counts = append(logs, low+float64(m)*unit), append(counts, n)
		}
	}
	return logs, counts, nil
}

// graded is a factor whose entries are whole powers of one number.
type graded struct {
	scope  []int
	powers []int // of each entry, from 0 on
}

// most returns the largest power.
func (g *graded) most() int { return slices.Max(g.powers) }

// grade writes factors as exp(low) times exp(unit) to whole powers, those over the same variables
// as one. Logarithms that are farther from that than their rounding are refused.
func grade(factors []Factor, cards []int) (list []graded, low, unit float64, err error) {
	var logs [][]float64
	at := map[string]int{}
	largest := 0.0
	for i, scope := range scopesOf(factors, cards) {
		name := fmt.Sprint(scope)
		if _, known := at[name]; !known {
			at[name] = len(list)
			list, logs = append(list, graded{scope: scope}),
				append(logs, make([]float64, len(factors[i].Values)))
		}
		for k, v := range factors[i].Values {
			if v == 0 {
				return nil, 0, 0, errors.New(
					"f is zero somewhere, and levels of log f are counted where it is positive everywhere",
				)
			}
			logs[at[name]][k] += number.Scaled(v, 0).Log()
		}
	}
	var lows number.Sum
	for _, l := range logs {
		least := slices.Min(l)
		lows.Add(least)
		for k := range l {
			largest = max(largest, math.Abs(l[k]))
			l[k] -= least
		}
	}
	rounding := 2e-15 * (1 + largest)
	unit, err = commonUnit(logs, rounding)
	for i, l := range logs {
		for _, d := range l {
			m := 0
			if unit > 0 {
				m = int(math.Round(d / unit))
			}
			list[i].powers = append(list[i].powers, m)
		}
	}
	return list, lows.Value(), unit, err
}

// commonUnit returns the largest number of which all are whole multiples, but for rounding; 0 if
// all are zero. It is Euclid's algorithm.
func commonUnit(lists [][]float64, rounding float64) (unit float64, err error) {
	all := slices.Concat(lists...)
	largest := 0.0
	for _, d := range all {
		for rest := d; rest > mostPowers*rounding; {
			unit, rest = rest, math.Abs(math.Remainder(unit, rest))
		}
		largest = max(largest, d)
		if unit > 0 {
			unit = largest / math.Round(largest/unit) // with the digits of the largest
		}
	}
	if unit == 0 {
		return 0, nil
	}
	for _, d := range all {
		if m := math.Round(d / unit); m > mostPowers || math.Abs(d-m*unit) > rounding {
			return 0,
				errs.New("levels of log f are counted where its terms are whole multiples of one number apart, "+
					"up to %d of them, and %.6g and %.6g are not; take couplings and fields such as 0.4 and 0.1",
					mostPowers, largest, d)
		}
	}
	return unit, nil
}

// census is an elimination that counts: the message of a step has, for each configuration of its
// scope, the numbers of configurations of what has been eliminated by their powers.
type census struct {
	*plan
	given     [][]graded // the factors that each step takes
	widths    []int      // how many powers there are at each step
	tables    [][]float64
	now, most float64 // the bytes of tables, counted in advance
	additions float64
}

// chooseCensus returns the elimination by that of several orders which takes the fewest additions,
// and fits where one does. What is little work for sums need not be for counts: two large messages
// that a step joins take the product of their widths.
func chooseCensus(ctx context.Context, factors []graded, cards, along []int) (best *census, err error) {
	scopes := make([][]int, len(factors))
	orders := 12
	for i, f := range factors {
		scopes[i] = f.scope
	}
	for r := range rules(scopes, cards, along) {
		o, _, err := r.orderByRule(ctx, scopes, cards, severalValued(cards), math.Inf(1))
		if err != nil {
			return nil, err
		}
		if o.over {
			if c := newCensus(newPlan(o, cards, need{}), factors); best == nil ||
				c.fits() && !best.fits() || c.fits() == best.fits() &&
				c.additions < best.additions {
				best = c
			}
		}
		orders--
		if orders == 0 || ctx.Err() != nil {
			break
		}
	}
	if best == nil {
		err = errs.New(
			"the tables in which its levels of log f are counted would have more than 2^53 entries; take " +
				"fewer variables",
		)
	}
	return best, cmp.Or(ctx.Err(), err)
}

// fits reports whether memory and time are within bounds.
func (c *census) fits() bool { return c.most <= DefaultMemory && c.additions <= mostAdditions }

// newCensus returns the elimination, with the memory and the time that it takes.
func newCensus(p *plan, factors []graded) *census {
	c := &census{
		plan:   p,
		given:  make([][]graded, len(p.steps)+1),
		widths: make([]int, len(p.steps)),
		tables: make([][]float64, len(p.steps)),
	}
	for _, f := range factors {
		turn := p.reorderStep(p.ordered(f.scope))
		c.given[turn] = append(c.given[turn], f)
	}
	_ = p.forwards(context.Background(), &weigher{c}) // which never fails
	return c
}

// weigher is a worker that counts the memory and the time of a census, and how many powers there
// are.
type weigher struct{ *census }

func (w *weigher) make(_ context.Context, i int) error {
	s := &w.steps[i]
	width := 1
	each := 0.0
	for _, j := range s.children {
		each += float64(width) * float64(w.widths[j])
		width += w.widths[j] - 1
	}
	each += float64(width)
	for _, f := range w.given[i] {
		width += f.most()
	}
	w.widths[i] = width
	w.additions += each * s.size * float64(w.cards[s.variable])
	w.now += entryBytes * s.size * float64(width)
	w.most = max(w.most, w.now)
	return nil
}

func (w *weigher) drop(i int) { w.now -= entryBytes * w.steps[i].size * float64(w.widths[i]) }

// make implements worker.
func (c *census) make(ctx context.Context, i int) error {
	s := &c.steps[i]
	width := c.widths[i]
	scope := slices.Concat([]int{s.variable}, s.scope)
	size := int(s.size)
	powers := make([]int, size*c.cards[s.variable])
	children := make([][]int, len(s.children))
	for _, f := range c.given[i] {
		walk(scope, f.scope, c.cards, func(first, at int, run []int) {
			for j, r := range run {
				powers[first+j] += f.powers[at+r]
			}
		})
	}
	for k, j := range s.children {
		children[k] = make([]int, len(powers))
		walk(scope, c.steps[j].scope, c.cards, func(first, at int, run []int) {
			for j, r := range run {
				children[k][first+j] = at + r
			}
		})
	}
	out := make([]float64, size*width)
	for e, power := range powers {
		if e%64 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		product := []float64{1}
		for k, j := range s.children {
			n := c.widths[j]
			product = convolved(product, c.tables[j][children[k][e]*n:][:n])
		}
		into := out[e%size*width:][:width][power:]
		for k, v := range product {
			into[k] += v
		}
	}
	c.tables[i] = out
	return nil
}

// convolved returns the counts of two parts together.
func convolved(a, b []float64) []float64 {
	if len(a) == 1 && a[0] == 1 {
		return b
	}
	out := make([]float64, len(a)+len(b)-1)
	for i, x := range a {
		into := out[i:][:len(b)]
		for j, y := range b {
			into[j] += float64(x * y)
		}
	}
	return out
}

// visit implements worker. There is no way backwards.
func (c *census) visit(context.Context, int) error { return nil }

// drop implements worker. A large table is collected at once: the runtime would wait until there is
// as much again.
func (c *census) drop(i int) {
	large := entryBytes*len(c.tables[i]) > 8*fewBytes
	c.tables[i] = nil
	if large {
		runtime.GC()
	}
}

// totalCounts returns the counts of all configurations.
func (c *census) totalCounts() []float64 {
	product := []float64{1}
	for i, s := range c.steps {
		if s.parent == len(c.steps) {
			product = convolved(product, c.tables[i])
		}
	}
	return product
}
