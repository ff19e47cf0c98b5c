package grid

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"breadboard/chains/errs"
)

// Adjacency is an undirected graph that keeps a list of neighbours for every state. Its number of
// directions is the largest number of neighbours of any state (1 if there are no edges). If a state
// has fewer neighbours, its other directions lead nowhere, so that proposals are symmetric on every
// graph. The graph need not be connected.
//
// It takes 4 bytes for each state and 8 for each edge, and the memory of the labels.
type Adjacency struct {
	start, to  []int32 // the neighbours of x are to[start[x]:start[x+1]]
	labels     []string
	directions int
}

// edge joins two states. The line is that of the file in which the edge stands, counted from 1.
type edge struct {
	x, y int32
	line int
}

// NewAdjacency returns the graph in which state x has the given neighbours, in the order of its
// directions. If labels is nil, the labels are the numbers of the states. It fails if a state is
// its own neighbour, is listed twice, or is listed by a neighbour that it does not list itself.
func NewAdjacency(labels []string, neighbours [][]int) (*Adjacency, error) {
	n := len(neighbours)
	if labels == nil {
		for x := range n {
			labels = append(labels, strconv.Itoa(x))
		}
	}
	if len(labels) != n {
		return nil, errs.New("graphs: %d labels for the %d states that have lists of neighbours; give one for each",
			len(labels), n)
	}
	if err := checkLabels(labels); err != nil {
		return nil, fmt.Errorf("graphs: %w", err)
	}
	total := 0
	for _, list := range neighbours {
		total += len(list)
	}
	if err := Fits("a graph", float64(n), float64(total)); err != nil {
		return nil, err
	}
	g := &Adjacency{start: make([]int32, 1, n+1), labels: slices.Clone(labels)}
	for x, list := range neighbours {
		for i, y := range list {
			switch {
			case y < 0 || y >= n:
				return nil, fmt.Errorf(
					"graphs: state %s has the neighbour %d, and the states are numbered from 0 to %d",
					labels[x],
					y,
					n-1,
				)
			case y == x:
				return nil, errs.New(
					"graphs: state %s is listed as its own neighbour; leave that out, a rejected move "+
						"stays there anyway",
					labels[x],
				)
			case slices.Contains(list[:i], y):
				return nil, fmt.Errorf("graphs: state %s lists its neighbour %s twice", labels[x], labels[y])
			case !slices.Contains(neighbours[y], x):
				return nil, errs.New(
					"graphs: state %s lists %s as its neighbour, and not the other way; the graph must be undirected",
					labels[x],
					labels[y],
				)
			}
			g.to = append(g.to, int32(y))
		}
		g.start = append(g.start, int32(len(g.to)))
	}
	return g, g.finish()
}

// fromEdges returns the graph of a list of edges. The neighbours of a state stand in the order of
// the edges.
func fromEdges(labels []string, edges []edge) (*Adjacency, error) {
	if err := checkEdges(labels, edges); err != nil {
		return nil, err
	}
	n := len(labels)
	g := &Adjacency{start: make([]int32, n+1), to: make([]int32, 2*len(edges)), labels: labels}
	for _, e := range edges {
		g.start[e.x+1]++
		g.start[e.y+1]++
	}
	for x := range n {
		g.start[x+1] += g.start[x]
	}
	next := slices.Clone(g.start)
	for _, e := range edges {
		g.to[next[e.x]] = e.y
		g.to[next[e.y]] = e.x
		next[e.x]++
		next[e.y]++
	}
	return g, g.finish()
}

// checkEdges fails if an edge is repeated, in either order of its ends. It keeps the order of the
// edges.
func checkEdges(labels []string, edges []edge) error {
	order := make([]int32, len(edges))
	for i := range order {
		order[i] = int32(i)
	}
	ends := func(i int32) (low, high int32) {
		return min(edges[i].x, edges[i].y), max(edges[i].x, edges[i].y)
	}
	slices.SortFunc(order, func(i, j int32) int {
		iLow, iHigh := ends(i)
		jLow, jHigh := ends(j)
		return cmp.Or(cmp.Compare(iLow, jLow), cmp.Compare(iHigh, jHigh), cmp.Compare(i, j))
	})
	// again is the earliest edge that repeats another one, and first is that other one
	first := int32(-1)
	again := int32(-1)
	for k := 1; k < len(order); k++ {
		i, j := order[k-1], order[k]
		iLow, iHigh := ends(i)
		if jLow, jHigh := ends(j); iLow == jLow && iHigh == jHigh && (again < 0 || j < again) {
			first = i
			again = j
		}
	}
	if again < 0 {
		return nil
	}
	e := edges[again]
	return errs.New(
		"line %d joins %s and %s, which line %d has joined already; give each edge once, in either order "+
			"of its ends: take one of the lines out",
		e.line,
		labels[e.x],
		labels[e.y],
		edges[first].line,
	)
}

// finish sets the number of directions.
func (g *Adjacency) finish() error {
	if len(g.labels) == 0 {
		return fmt.Errorf("graphs: a graph needs at least one state")
	}
	g.directions = 1
	for x := range g.labels {
		degree := int(g.start[x+1] - g.start[x])
		g.directions = max(g.directions, degree)
		if degree > MaxDirections {
			return errs.New(
				"graphs: state %s has %d neighbours; a state has at most %d, so that sums over them keep 12 digits",
				g.labels[x],
				degree,
				MaxDirections,
			)
		}
	}
	return nil
}

// States returns the number of states.
func (g *Adjacency) States() int { return len(g.labels) }

// Directions returns the largest number of neighbours of a state, and 1 if there are no edges.
func (g *Adjacency) Directions() int { return g.directions }

// Neighbour returns entry d of the list of neighbours of x, and false beyond the end of the list.
func (g *Adjacency) Neighbour(x, d int) (int, bool) {
	i := int(g.start[x]) + d
	if i >= int(g.start[x+1]) {
		return 0, false
	}
	return int(g.to[i]), true
}

// Label returns the label of state x.
func (g *Adjacency) Label(x int) string { return g.labels[x] }

// Edges returns the number of edges.
func (g *Adjacency) Edges() int { return len(g.to) / 2 }

// String returns the numbers of states and edges.
func (g *Adjacency) String() string {
	return fmt.Sprintf("graph of %s and %s", counted(g.States(), "state"), counted(g.Edges(), "edge"))
}

// counted returns a number of things: "1 edge", "2 edges".
func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
