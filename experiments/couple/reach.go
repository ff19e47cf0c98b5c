package couple

import (
	"fmt"
	"slices"
	"strings"

	"breadboard/experiments/study/check"
)

// reaches asks whether chains can meet from every pair, and names the classes of pairs that they never leave.
func (b *behaviour) reaches() check.Finding {
	n := b.Chain.States()
	g := b.graph()
	var equal []int
	for x := range n {
		equal = append(equal, x*n+x)
	}
	can := make([]bool, n*n)
	g.spread(can, g.from, equal...)
	never := 0
	for _, yes := range can {
		if !yes {
			never++
		}
	}
	if never > 0 && b.moves > 0 {
		return check.Undecided(canMeet, fmt.Sprintf("in %d moves of each pair no way to meet was seen from %d of %d pairs; they led to %s", b.moves, never, n*n, b.closed(g, can)))
	}
	return check.Held(canMeet, float64(never), 0, fmt.Sprintf("from %d of %d pairs chains can never meet, so that the mean time is +Inf. They never leave %s", never, n*n, b.closed(g, can)))
}

// graph says which pair can follow which.
type graph struct{ to, from [][]int32 }

func (b *behaviour) graph() *graph {
	g := &graph{make([][]int32, len(b.rows)), make([][]int32, len(b.rows))}
	for pair, ends := range b.rows {
		for _, e := range ends {
			g.to[pair], g.from[e.To] = append(g.to[pair], int32(e.To)), append(g.from[e.To], int32(pair))
		}
	}
	return g
}

// spread marks what can be reached along the edges, where the marks end, and returns it.
func (g *graph) spread(marked []bool, edges [][]int32, at ...int) []int {
	for _, pair := range at {
		marked[pair] = true
	}
	for i := 0; i < len(at); i++ {
		for _, next := range edges[at[i]] {
			if !marked[next] {
				marked[next] = true
				at = append(at, int(next))
			}
		}
	}
	return at
}

// mostClosed and mostPairs are how many classes, and how many pairs of one, a message names.
const mostClosed, mostPairs = 3, 4

// closed names the classes of pairs that are never left and in which chains cannot meet. A pair is in one where all that it reaches can come back;
// else what cannot come back is nearer to one.
func (b *behaviour) closed(g *graph, can []bool) string {
	n, known := b.Chain.States(), slices.Clone(can)
	var names []string
	count := 0
	for first := range known {
		if known[first] {
			continue
		}
		var class []int
		for pair := first; pair >= 0; {
			class = g.spread(make([]bool, n*n), g.to, pair)
			back := make([]bool, n*n)
			g.spread(back, g.from, pair)
			pair = -1
			if i := slices.IndexFunc(class, func(p int) bool { return !back[p] }); i >= 0 {
				pair = class[i]
			}
		}
		g.spread(known, g.from, class...)
		if count++; count <= mostClosed {
			slices.Sort(class)
			names = append(names, b.named(class))
		}
	}
	if more := count - mostClosed; more > 0 {
		names = append(names, fmt.Sprintf("%d more classes", more))
	}
	return strings.Join(names, " and ")
}

// named writes a class of pairs.
func (b *behaviour) named(class []int) string {
	n := b.Chain.States()
	var names []string
	for _, pair := range class[:min(len(class), mostPairs)] {
		names = append(names, fmt.Sprintf("(%s, %s)", b.Name(pair/n), b.Name(pair%n)))
	}
	if more := len(class) - mostPairs; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return "{" + strings.Join(names, ", ") + "}"
}
