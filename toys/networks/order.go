package networks

import (
	"cmp"
	"container/heap"
	"context"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"sort"
)

const (
	// littleWork is how many entries an order of smallest fill may have that is taken as it is, and
	// maxWork how much work may be put into others, in visits of neighbours: some tenths of a
	// second.
	littleWork = 1 << 16
	maxWork    = 1 << 24
	maxOrders  = 100
	// hopeless is how many times too much memory the best of the first orders takes if no other is
	// tried.
	hopeless = 32
	// visitEntries is through how many entries an elimination goes in four times the time of a
	// visit: an order is looked for no longer than a quarter of the time that the best one takes.
	visitEntries = 60
	// mostEntries bounds the tables of an order that is only compared: from there on its numbers of
	// entries would not be whole any more.
	mostEntries = 1 << 53
)

// order is an elimination of all that is to be eliminated, or the beginning of one if it is not
// over.
type order struct {
	steps   []step  // with their variables, scopes and sizes
	entries float64 // of all tables that are summed
	over    bool
}

// widest returns the variables of the largest table that is summed.
func widest(steps []step, cards []int) (scope []int) {
	most := 0.0
	for _, s := range steps {
		if n := s.size * float64(cards[s.variable]); n > most {
			most, scope = n, append(slices.Clone(s.scope), s.variable)
		}
	}
	return scope
}

// interaction is a graph of variables, in which those are neighbours that stand in one table.
type interaction struct {
	near   [][]int   // the neighbours of each variable, in ascending order
	weight []float64 // of each variable, whole numbers; a pair weighs as much as the product of the two
	// the weight of those pairs of neighbours of each variable that are not neighbours of one
	// another, as they become when it is eliminated
	fill    []float64
	changed []int // variables whose neighbours or fill have changed, some of them twice
	work    int   // how many neighbours have been visited
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

// connect makes two variables neighbours. The pair is no longer missing among the neighbours of
// both; and a new neighbour of a makes a pair with each other neighbour of a.
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
	few := g.near[a]
	many := g.near[b]
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

// remove eliminates a variable: its neighbours become neighbours of one another, and it has none
// any more.
func (g *interaction) remove(v int) {
	g.join(g.near[v])
	for _, w := range g.near[v] {
		shared := 0.0
		for x := range g.common(v, w) {
			shared += g.weight[x]
		}
		// the pairs of v and a neighbour of w that is none of v
		g.fill[w] -= g.weight[v] * (g.around(w) - g.weight[v] - shared)
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
	return cmp.Or(cmp.Compare(c.first, d.first), cmp.Compare(c.second, d.second),
		cmp.Compare(c.variable, d.variable)) < 0
}

// candidates is a heap of variables. Those whose neighbours have changed stand in it again, and
// only their last entry counts.
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

// rule says which variable is eliminated next: that of the smallest fill, of several that of the
// smallest table, and of these the first.
type rule struct {
	weight []float64 // of the variables, by which fill is weighed
	tables bool      // the smallest table comes before the smallest fill
	place  []int     // of each variable in an order that is given; nil if none is
}

// rules yields the rules that are tried, from the best on the whole: the smallest fill by its
// number of pairs; the order that is given, that in which variables are numbered, and one along the
// graph; the smallest tables, which is the smallest degree where all variables have as many values;
// fill weighed by the numbers of values; and then fill with weights drawn at random, which decides
// ties otherwise, and more.
func rules(scopes [][]int, cards, along []int) iter.Seq[rule] {
	ones := slices.Repeat([]float64{1}, len(cards))
	values := make([]float64, len(cards))
	natural := make([]int, len(cards))
	for v, n := range cards {
		values[v], natural[v] = float64(n), v
	}
	return func(yield func(rule) bool) {
		if !yield(rule{weight: ones}) || along != nil && !yield(rule{weight: ones, place: placesOf(along)}) ||
			!yield(rule{weight: ones, place: natural}) ||
			!yield(rule{weight: ones, place: placesOf(layers(scopes, ones))}) ||
			!yield(rule{weight: ones, tables: true}) || !yield(rule{weight: values}) {
			return
		}
		random := rand.New(rand.NewPCG(60, 3))
		for {
			weight := make([]float64, len(cards))
			for v := range weight {
				weight[v] = float64(10 + random.IntN(90))
			}
			if !yield(rule{weight: weight}) {
				return
			}
		}
	}
}

// placesOf returns the place of each variable in an order of all.
func placesOf(order []int) []int {
	place := make([]int, len(order))
	for i, v := range order {
		place[v] = i
	}
	return place
}

// layers returns the variables by their distance from one end of the graph, those of the fewest
// neighbours first.
//
// Source: Cuthill and McKee 1969, Reducing the bandwidth of sparse symmetric matrices.
func layers(scopes [][]int, ones []float64) []int {
	g := newInteraction(ones, scopes)
	few := func(a, b int) int { return len(g.near[a]) - len(g.near[b]) }
	seen := make([]int, len(ones)) // the last walk that has been there
	from := func(start, walk int) []int {
		list := []int{start}
		seen[start] = walk
		for i := 0; i < len(list); i++ {
			near := slices.DeleteFunc(slices.Clone(g.near[list[i]]), func(w int) bool { return seen[w] == walk })
			slices.SortStableFunc(near, few)
			for _, w := range near {
				seen[w] = walk
			}
			list = append(list, near...)
		}
		return list
	}
	var all []int
	for v := range ones {
		if seen[v] == 0 {
			part := from(v, 1)
			part = from(part[len(part)-1], 2) // from an end
			all = append(all, from(part[len(part)-1], 3)...)
		}
	}
	return all
}

// choose returns the plan that eliminates the variables of a list from tables over the scopes. It
// is the one place that chooses an order: that of smallest fill where it is little work, and
// otherwise of several orders that which is the least work of those that fit into the memory. It
// fails with a TooWide before anything is allocated if none does, and if the context ends.
//
// Source: Koller and Friedman 2009, Probabilistic Graphical Models, section 9.4.3.2; Kask, Gelfand,
// Otten and Dechter 2011, Pushing the power of stochastic greedy ordering schemes, for the random
// ones.
func choose(ctx context.Context, scopes [][]int, cards, eliminate []int, n need) (*plan, error) {
	var best *plan
	var begun order // of those that were not followed to their end, the one that was followed furthest
	visits := 0
	tried := 0
	below := math.Inf(1)
	alone := math.Inf(1)
	forth := n
	forth.back = false
	forth.other = OwnMemory
	for r := range rules(scopes, cards, n.along) {
		o, took, err := r.orderByRule(ctx, scopes, cards, eliminate, below)
		if err != nil {
			return nil, err
		}
		// a variable is looked at also if it has no neighbour
		visits = visits + took + len(eliminate)
		tried += 1
		if !o.over {
			if tried == 1 || len(o.steps) > len(begun.steps) {
				begun = o
			}
		} else if p := newPlan(o, cards, n); best == nil || p.before(best, n.memory) {
			best = p
		}
		if n.back && o.over && (best == nil || best.bytes > n.memory) {
			alone = min(alone, newPlan(o, cards, forth).bytes)
		}
		fits := best != nil && best.bytes <= n.memory
		if fits {
			below = best.work
		}
		never := tried > 6 && (best == nil || best.bytes > hopeless*n.memory) // whatever decides ties
		if visits > maxWork || tried == maxOrders || never ||
			fits && (best.work <= littleWork || float64(visits)*visitEntries > best.work) {
			break
		}
	}
	if best == nil {
		return nil, &TooWide{
			Scope:  widest(begun.steps, cards),
			Bytes:  entryBytes * begun.entries,
			Limit:  n.memory,
			Least:  true,
			Orders: tried,
		}
	}
	if best.bytes <= n.memory {
		return best, nil
	}
	wide := &TooWide{Scope: widest(best.steps, cards), Bytes: best.bytes, Limit: n.memory, Orders: tried}
	if alone <= n.memory {
		wide.Alone = alone
	}
	return nil, wide
}

// before reports whether a plan is better than another one: it fits into the memory, and is less
// work, or takes less memory if none fits.
func (p *plan) before(other *plan, memory float64) bool {
	if fits := p.bytes <= memory; fits != (other.bytes <= memory) {
		return fits
	} else if fits {
		return p.work < other.work
	}
	return p.bytes < other.bytes
}

// orderByRule returns the order of the rule, and how much work it was. It gives up where the tables
// have as many entries together as is given, or one more than mostEntries. It fails if the context
// ends.
func (r rule) orderByRule(ctx context.Context, scopes [][]int, cards, eliminate []int,
	below float64) (o order, work int, err error) {
	g := newInteraction(r.weight, scopes)
	rest := make([]bool, len(cards))
	of := func(v int) candidate {
		if r.place != nil {
			return candidate{float64(r.place[v]), 0, v}
		}
		c := candidate{g.fill[v], entries(g.near[v], cards) * float64(cards[v]), v}
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
		if ctx.Err() != nil {
			return o, g.work, ctx.Err()
		}
		c := heap.Pop(&next).(candidate)
		if v := c.variable; rest[v] && c == of(v) {
			s := step{variable: v, scope: slices.Clone(g.near[v]), size: entries(g.near[v], cards)}
			product := s.size * float64(cards[v])
			o.steps = append(o.steps, s)
			o.entries += product
			if o.entries >= below || product > mostEntries {
				return o, g.work, nil
			}
			rest[v] = false
			g.remove(v)
			sort.Ints(g.changed)
			for _, w := range slices.Compact(g.changed) {
				if rest[w] && r.place == nil {
					heap.Push(&next, of(w))
				}
			}
			g.changed = g.changed[:0]
		}
	}
	o.over = true
	return o, g.work, nil
}

// entries returns the number of entries of a table, as a number that does not overflow.
func entries(scope, cards []int) float64 {
	n := 1.0
	for _, v := range scope {
		n *= float64(cards[v])
	}
	return n
}
