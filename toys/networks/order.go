package networks

import (
	"fmt"
	"slices"
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

// interaction is a graph of variables, in which those are neighbours that stand in one table. Neighbours are in ascending order.
type interaction [][]int

// newInteraction returns the graph of tables over the scopes.
func newInteraction(variables int, scopes [][]int) interaction {
	g := make(interaction, variables)
	for _, scope := range scopes {
		g.join(scope)
	}
	return g
}

// join makes all of the variables neighbours of one another.
func (g interaction) join(variables []int) {
	for _, v := range variables {
		for _, w := range variables {
			if at, has := slices.BinarySearch(g[v], w); v != w && !has {
				g[v] = slices.Insert(g[v], at, w)
			}
		}
	}
}

// adjacent reports whether two variables are neighbours.
func (g interaction) adjacent(v, w int) bool {
	_, is := slices.BinarySearch(g[v], w)
	return is
}

// fill returns how many pairs of neighbours of a variable are not neighbours of one another, as they become when it is eliminated. It counts
// no further than one more than most.
func (g interaction) fill(v, most int) (count int) {
	for i, a := range g[v] {
		for _, b := range g[v][:i] {
			if !g.adjacent(a, b) {
				if count++; count > most {
					return count
				}
			}
		}
	}
	return count
}

// remove eliminates a variable: its neighbours become neighbours of one another, and it has none any more.
func (g interaction) remove(v int) {
	g.join(g[v])
	for _, w := range g[v] {
		at, _ := slices.BinarySearch(g[w], v)
		g[w] = slices.Delete(g[w], at, at+1)
	}
	g[v] = nil
}

// plan returns the steps that eliminate the variables of a list from tables over the scopes, in the order of smallest fill: the next
// variable is always one whose elimination makes the fewest pairs of variables neighbours, of several that of the smallest table, and of these
// the first. It fails with a TooWide before anything is allocated where the tables would be too large.
//
// Source: Koller and Friedman 2009, Probabilistic Graphical Models, section 9.4.3.2.
func plan(scopes [][]int, cards, eliminate []int) ([]step, error) {
	g, rest := newInteraction(len(cards), scopes), slices.Clone(eliminate)
	var steps []step
	total := 0.0
	for len(rest) > 0 {
		i := next(g, cards, rest)
		v := rest[i]
		s := step{variable: v, scope: append(slices.Clone(g[v]), v)}
		size := entries(s.scope, cards)
		if total += size; total > maxEntries {
			return nil, &TooWide{s.scope}
		}
		s.entries = int(size)
		steps, rest = append(steps, s), slices.Delete(rest, i, i+1)
		g.remove(v)
	}
	return steps, nil
}

// next returns which of the variables that are left is eliminated next.
func next(g interaction, cards, rest []int) (best int) {
	fewest, smallest := int(^uint(0)>>2), 0.0
	for i, v := range rest {
		fill := g.fill(v, fewest)
		if fill > fewest {
			continue
		}
		size := entries(g[v], cards) * float64(cards[v])
		if fill < fewest || size < smallest {
			best, fewest, smallest = i, fill, size
		}
	}
	return best
}

// entries returns the number of entries of a table, as a number that does not overflow.
func entries(scope, cards []int) float64 {
	n := 1.0
	for _, v := range scope {
		n *= float64(cards[v])
	}
	return n
}
