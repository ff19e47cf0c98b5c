package networks

import (
	"cmp"
	"container/heap"
	"fmt"
	"iter"
	"slices"
	"sort"
)

// maxEntries bounds the number of entries of all tables of an elimination together, which take at most half a gigabyte.
const maxEntries = 1 << 24

// step is the elimination of one variable: the product of all tables that it is in is a table over the scope, which is then summed over it.
type step struct {
	variable int
	scope    []int // the variables of the table, those that stay in ascending order and the one that is eliminated last
	entries  int
}

// TooWide is the error for factors whose elimination would need too large tables.
type TooWide struct {
	Scope []int // the variables of the first table that is too much
}

// Error implements error. It calls variables by their numbers; whoever knows their names uses Scope.
func (e *TooWide) Error() string { return e.explain(func(v int) string { return fmt.Sprint(v) }) }

// explain says what is too large and the cure, with the names of the variables.
func (e *TooWide) explain(name func(v int) string) string {
	names := make([]string, len(e.Scope))
	for i, v := range e.Scope {
		names[i] = name(v)
	}
	return fmt.Sprintf("elimination in the order of smallest fill has width %d or more, with tables of more than %d entries together, which is too much; give evidence for some of the variables that stand in one table: %s",
		len(e.Scope)-1, maxEntries, listed(names))
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
	near    [][]int // the neighbours of each variable, in ascending order
	fill    []int   // how many pairs of neighbours of each variable are not neighbours of one another, as they become when it is eliminated
	changed []int   // variables whose neighbours or fill have changed, some of them twice
}

// newInteraction returns the graph of tables over the scopes.
func newInteraction(variables int, scopes [][]int) *interaction {
	g := &interaction{near: make([][]int, variables), fill: make([]int, variables)}
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
	both := 0
	for x := range g.common(a, b) {
		both++
		g.fill[x]--
		g.changed = append(g.changed, x)
	}
	g.fill[a] += len(g.near[a]) - both
	g.fill[b] += len(g.near[b]) - both
	g.changed = append(g.changed, a, b)
	for _, pair := range [][2]int{{a, b}, {b, a}} {
		at, _ := slices.BinarySearch(g.near[pair[0]], pair[1])
		g.near[pair[0]] = slices.Insert(g.near[pair[0]], at, pair[1])
	}
}

// common yields the neighbours that two variables share.
func (g *interaction) common(a, b int) iter.Seq[int] {
	few, many := g.near[a], g.near[b]
	if len(few) > len(many) {
		few, many = many, few
	}
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
		shared := 0
		for range g.common(v, w) {
			shared++
		}
		g.fill[w] -= len(g.near[w]) - 1 - shared // the pairs of v and a neighbour of w that is none of v
		at, _ := slices.BinarySearch(g.near[w], v)
		g.near[w] = slices.Delete(g.near[w], at, at+1)
	}
	g.changed = append(g.changed, g.near[v]...)
	g.near[v] = nil
}

// candidate is a variable that may be eliminated next, with what decides about it.
type candidate struct {
	fill     int
	entries  float64 // of its table
	variable int
}

// before reports whether a candidate is eliminated before another one.
func (c candidate) before(d candidate) bool {
	return cmp.Or(cmp.Compare(c.fill, d.fill), cmp.Compare(c.entries, d.entries), cmp.Compare(c.variable, d.variable)) < 0
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

// plan returns the steps that eliminate the variables of a list from tables over the scopes, in the order of smallest fill: the next
// variable is always one whose elimination makes the fewest pairs of variables neighbours, of several that of the smallest table, and of these
// the first. It fails with a TooWide before anything is allocated where the tables would be too large.
//
// Source: Koller and Friedman 2009, Probabilistic Graphical Models, section 9.4.3.2.
func plan(scopes [][]int, cards, eliminate []int) (steps []step, err error) {
	g := newInteraction(len(cards), scopes)
	rest := make([]bool, len(cards))
	of := func(v int) candidate { return candidate{g.fill[v], entries(g.near[v], cards) * float64(cards[v]), v} }
	var next candidates
	for _, v := range eliminate {
		rest[v] = true
		next = append(next, of(v))
	}
	heap.Init(&next)
	g.changed = nil
	for total := 0.0; len(next) > 0; {
		c := heap.Pop(&next).(candidate)
		if v := c.variable; rest[v] && c == of(v) {
			if total += c.entries; total > maxEntries {
				return nil, &TooWide{append(slices.Clone(g.near[v]), v)}
			}
			steps = append(steps, step{v, append(slices.Clone(g.near[v]), v), int(c.entries)})
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
	return steps, nil
}

// entries returns the number of entries of a table, as a number that does not overflow.
func entries(scope, cards []int) float64 {
	n := 1.0
	for _, v := range scope {
		n *= float64(cards[v])
	}
	return n
}
