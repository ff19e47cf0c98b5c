package networks

import (
	"cmp"
	"container/heap"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"breadboard/chains/selector"
)

// maxBytes is the most memory that an elimination may take, as it is estimated.
const maxBytes = 2e9

// littleBytes is the memory below which the order of smallest fill is taken as it is, and maxWork is how much work may be put into others, in
// visits of neighbours: some tenths of a second.
const (
	littleBytes = 1 << 20
	maxWork     = 1 << 24
	maxOrders   = 100
	// visitBytes is how much memory an elimination goes through in four times the time of a visit: an order is looked for no longer than a quarter of
	// the time that the best one takes.
	visitBytes = 40
)

// mostEntries bounds the tables of an order that is only compared: from there on its numbers of entries would not be whole any more.
const mostEntries = 1 << 53

// step is the elimination of one variable: the product of all tables that it is in is a table over the scope, which is then summed over it.
type step struct {
	variable int
	scope    []int   // the variables of the table, those that stay in ascending order and the one that is eliminated last
	entries  float64 // of the table, a whole number
}

// order is an elimination of all that is to be eliminated, or the beginning of one where it is not over.
type order struct {
	steps   []step
	bytes   float64 // the memory that its tables take, where their numbers are as far apart as they may be
	largest int     // the step of the largest table
	over    bool
}

// add appends a step, and counts its memory: probabilities of the table and the message stay until the end, and the product is gone
// after the step.
func (o *order) add(s step, card int) {
	product := 0.0 // the entries of the largest before
	if len(o.steps) > 0 {
		product = o.steps[o.largest].entries
	}
	if s.entries > product {
		o.largest = len(o.steps)
	}
	o.steps = append(o.steps, s)
	o.bytes += wideBytes*max(0, s.entries-product) + 8*s.entries + 2*wideBytes*s.entries/float64(card)
}

// wideBytes is the memory of a number.Wide, and of a number.Sum.
const wideBytes = 16

// TooWide is the error for factors whose elimination would need too large tables.
type TooWide struct {
	Scope  []int   // the variables of the largest table of the order that takes the least memory
	Bytes  float64 // the memory that it takes
	Least  bool    // whether it takes more, since it was not followed to its end
	Orders int     // how many orders were tried
}

// Error implements error. It calls variables by their numbers; whoever knows their names uses Scope.
func (e *TooWide) Error() string { return e.explain(func(v int) string { return fmt.Sprint(v) }) }

// explain says what is too large and the cure, with the names of the variables.
func (e *TooWide) explain(name func(v int) string) string {
	names := make([]string, len(e.Scope))
	for i, v := range e.Scope {
		names[i] = name(v)
	}
	more := ""
	if e.Least {
		more = " or more"
	}
	return fmt.Sprintf("elimination has width %d%s and would take %.3g GB%s, in the best of %s; the limit is %.2g GB: give evidence for some of the variables that stand in its largest table: %s",
		len(e.Scope)-1, more, e.Bytes/1e9, more, selector.Count(e.Orders, "order"), maxBytes/1e9, listed(names))
}

// listed joins names with commas, the first twelve of many.
func listed(names []string) string {
	const most = 12
	text := ""
	for i, name := range names[:min(len(names), most)] {
		if i > 0 {
			text += ", "
		}
		text += name
	}
	if len(names) > most {
		text += fmt.Sprintf(",... (%d in all)", len(names))
	}
	return text
}

// interaction is a graph of variables, in which those are neighbours that stand in one table.
type interaction struct {
	near    [][]int   // the neighbours of each variable, in ascending order
	weight  []float64 // of each variable, whole numbers; a pair weighs as much as the product of the two
	fill    []float64 // the weight of those pairs of neighbours of each variable that are not neighbours of one another, as they become when it is eliminated
	changed []int     // variables whose neighbours or fill have changed, some of them twice
	work    int       // how many neighbours have been visited
}

// newInteraction returns the graph of tables over the scopes.
func newInteraction(weight []float64, scopes [][]int) *interaction {
	g := &interaction{near: make([][]int, len(weight)), weight: weight, fill: make([]float64, len(weight))}
	for _, scope := range scopes {
		g.join(scope)
	}
	return g
}

// join makes all of the variables neighbours of one another.
func (g *interaction) join(variables []int) {
	for i, a := range variables {
		for _, b := range variables[:i] {
			if _, are := slices.BinarySearch(g.near[a], b); !are {
				g.connect(a, b)
			}
		}
	}
}

// connect makes two variables neighbours. The pair is no longer missing among the neighbours of both; and a new neighbour of a makes a pair with
// each other neighbour of a.
func (g *interaction) connect(a, b int) {
	both := 0.0
	for x := range g.common(a, b) {
		both += g.weight[x]
		g.fill[x] -= g.weight[a] * g.weight[b]
		g.changed = append(g.changed, x)
	}
	g.fill[a] += g.weight[b] * (g.around(a) - both)
	g.fill[b] += g.weight[a] * (g.around(b) - both)
	g.changed = append(g.changed, a, b)
	for _, pair := range [][2]int{{a, b}, {b, a}} {
		at, _ := slices.BinarySearch(g.near[pair[0]], pair[1])
		g.near[pair[0]] = slices.Insert(g.near[pair[0]], at, pair[1])
	}
}

// around returns the weight of the neighbours of a variable.
func (g *interaction) around(v int) (total float64) {
	for _, w := range g.near[v] {
		total += g.weight[w]
	}
	return total
}

// common yields the neighbours that two variables share.
func (g *interaction) common(a, b int) iter.Seq[int] {
	few, many := g.near[a], g.near[b]
	if len(few) > len(many) {
		few, many = many, few
	}
	g.work += len(few)
	return func(yield func(int) bool) {
		for _, x := range few {
			if _, shared := slices.BinarySearch(many, x); shared && !yield(x) {
				return
			}
		}
	}
}

// remove eliminates a variable: its neighbours become neighbours of one another, and it has none any more.
func (g *interaction) remove(v int) {
	g.join(g.near[v])
	for _, w := range g.near[v] {
		shared := 0.0
		for x := range g.common(v, w) {
			shared += g.weight[x]
		}
		g.fill[w] -= g.weight[v] * (g.around(w) - g.weight[v] - shared) // the pairs of v and a neighbour of w that is none of v
		at, _ := slices.BinarySearch(g.near[w], v)
		g.near[w] = slices.Delete(g.near[w], at, at+1)
	}
	g.changed = append(g.changed, g.near[v]...)
	g.near[v] = nil
}

// candidate is a variable that may be eliminated next, with what decides about it.
type candidate struct {
	first, second float64 // its fill and the entries of its table, or these the other way round
	variable      int
}

// before reports whether a candidate is eliminated before another one.
func (c candidate) before(d candidate) bool {
	return cmp.Or(cmp.Compare(c.first, d.first), cmp.Compare(c.second, d.second), cmp.Compare(c.variable, d.variable)) < 0
}

// candidates is a heap of variables. Those whose neighbours have changed stand in it again, and only their last entry counts.
type candidates []candidate

// Len, Less, Swap, Push and Pop implement heap.Interface.
func (c candidates) Len() int           { return len(c) }
func (c candidates) Less(i, j int) bool { return c[i].before(c[j]) }
func (c candidates) Swap(i, j int)      { c[i], c[j] = c[j], c[i] }
func (c *candidates) Push(x any)        { *c = append(*c, x.(candidate)) }
func (c *candidates) Pop() any {
	last := (*c)[len(*c)-1]
	*c = (*c)[:len(*c)-1]
	return last
}

// rule says which variable is eliminated next: that of the smallest fill, of several that of the smallest table, and of these the first.
type rule struct {
	weight []float64 // of the variables, by which fill is weighed
	tables bool      // the smallest table comes before the smallest fill
}

// rules yields the rules that are tried, from the best on the whole: the smallest fill by its number of pairs; the smallest tables, which is the
// smallest degree where all variables have as many values; fill weighed by the numbers of values; and then fill with weights drawn at
// random, which decides ties otherwise, and more.
func rules(cards []int) iter.Seq[rule] {
	ones, values := slices.Repeat([]float64{1}, len(cards)), make([]float64, len(cards))
	for v, n := range cards {
		values[v] = float64(n)
	}
	return func(yield func(rule) bool) {
		if !yield(rule{ones, false}) || !yield(rule{ones, true}) || !yield(rule{values, false}) {
			return
		}
		random := rand.New(rand.NewPCG(60, 3))
		for {
			weight := make([]float64, len(cards))
			for v := range weight {
				weight[v] = float64(10 + random.IntN(90))
			}
			if !yield(rule{weight, false}) {
				return
			}
		}
	}
}

// plan returns the steps that eliminate the variables of a list from tables over the scopes. It is the one place that chooses an order: that of
// smallest fill where it takes little memory, or far too much, and otherwise of several orders the one that takes the least. It fails with a TooWide before
// anything is allocated where that is too much.
//
// Source: Koller and Friedman 2009, Probabilistic Graphical Models, section 9.4.3.2; Kask, Gelfand, Otten and Dechter 2011, Pushing the power of
// stochastic greedy ordering schemes, for the random ones.
func plan(scopes [][]int, cards, eliminate []int) ([]step, error) {
	best := order{bytes: math.Inf(1)}
	work, tried := 0, 0
	for r := range rules(cards) {
		o, took := r.follow(scopes, cards, eliminate, best.bytes)
		work, tried = work+took, tried+1
		if tried == 1 || o.over {
			best = o
		}
		if !best.over || best.bytes <= littleBytes || work > maxWork || tried == maxOrders || best.bytes <= maxBytes && float64(work)*visitBytes > best.bytes {
			break
		}
	}
	if !best.over || best.bytes > maxBytes {
		return nil, &TooWide{best.steps[best.largest].scope, best.bytes, !best.over, tried}
	}
	return best.steps, nil
}

// follow returns the order of the rule, and how much work it was. It gives up where the order takes as much memory as is given, or tables of more than
// mostEntries.
func (r rule) follow(scopes [][]int, cards, eliminate []int, below float64) (o order, work int) {
	g := newInteraction(r.weight, scopes)
	rest := make([]bool, len(cards))
	table := func(v int) float64 { return entries(g.near[v], cards) * float64(cards[v]) }
	of := func(v int) candidate {
		c := candidate{g.fill[v], table(v), v}
		if r.tables {
			c.first, c.second = c.second, c.first
		}
		return c
	}
	var next candidates
	for _, v := range eliminate {
		rest[v] = true
		next = append(next, of(v))
	}
	heap.Init(&next)
	g.changed = nil
	for len(next) > 0 {
		c := heap.Pop(&next).(candidate)
		if v := c.variable; rest[v] && c == of(v) {
			size := table(v)
			o.add(step{v, append(slices.Clone(g.near[v]), v), size}, cards[v])
			if o.bytes >= below || size > mostEntries {
				return o, g.work
			}
			rest[v] = false
			g.remove(v)
			sort.Ints(g.changed)
			for _, w := range slices.Compact(g.changed) {
				if rest[w] {
					heap.Push(&next, of(w))
				}
			}
			g.changed = g.changed[:0]
		}
	}
	o.over = true
	return o, g.work
}

// entries returns the number of entries of a table, as a number that does not overflow.
func entries(scope, cards []int) float64 {
	n := 1.0
	for _, v := range scope {
		n *= float64(cards[v])
	}
	return n
}
