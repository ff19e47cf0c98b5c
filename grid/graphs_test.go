package grid_test

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"breadboard/grid"
	"breadboard/grid/longtest"
)

// must returns a graph that was made without error.
func must[G grid.Graph](g G, err error) grid.Graph {
	if err != nil {
		panic(err)
	}
	return g
}

// every returns one of each kind, small and smallest.
func every() []grid.Graph {
	return []grid.Graph{
		must(grid.NewHypercube(1)), must(grid.NewHypercube(4)), must(grid.NewPermutations(1)),
		must(grid.NewPermutations(2)),
		must(grid.NewPermutations(5)), must(grid.NewComplete(1)), must(grid.NewComplete(2)),
		must(grid.NewComplete(7)),
		must(grid.Path(1)), must(grid.Path(5)), must(grid.Cycle(3)), must(grid.Cycle(6)),
		must(grid.Torus(3, 4)),
		grid.MustNew(2, 3), must(grid.NewAdjacency(nil, [][]int{{}})),
		must(grid.NewAdjacency([]string{"a", "b", "c"}, [][]int{{1}, {0}, {}})),
		must(grid.ParseEdges([]byte("a,b\nb,c\nc,a\nd,c\ne,\n"))),
	}
}

// TestGraphsKeepTheirPromises: proposals are symmetric, no direction leads back to its state, no
// state has two directions to one neighbour, and labels are the names of states.
func TestGraphsKeepTheirPromises(t *testing.T) {
	for _, g := range every() {
		keepsPromises(t, g)
	}
}

func keepsPromises(t interface{ Errorf(string, ...any) }, g grid.Graph) {
	n := g.States()
	to := map[[2]int]int{}
	if n < 1 || g.Directions() < 1 || g.Directions() > grid.MaxDirections {
		t.Errorf("%s has %d states and %d directions", g, n, g.Directions())
	}
	labels := map[string]bool{}
	for x := range n {
		if again, found := grid.Find(g, g.Label(x)); !found || again != x || labels[g.Label(x)] {
			t.Errorf("%s: the label %q of state %d is that of state %d", g, g.Label(x), x, again)
		}
		labels[g.Label(x)] = true
		var list []int
		for d := range g.Directions() {
			if y, ok := g.Neighbour(x, d); ok {
				to[[2]int{x, y}]++
				if y < 0 || y >= n || y == x {
					t.Errorf("%s: direction %d leads from %d to %d", g, d, x, y)
				}
				list = append(list, y)
			}
		}
		if got := slices.Collect(grid.Neighbours(g, x)); !slices.Equal(got, list) {
			t.Errorf("%s: the neighbours of %d are %v, want %v", g, x, got, list)
		}
	}
	for at, k := range to {
		if k != 1 || to[[2]int{at[1], at[0]}] != 1 {
			t.Errorf("%s: from %d to %d in %d directions, back in %d", g, at[0], at[1],
				k, to[[2]int{at[1], at[0]}])
		}
	}
	if _, found := grid.Find(g, "no such label"); found {
		t.Errorf("%s finds a label that no state has", g)
	}
}

// TestPermutationsBySwapping compares the arithmetic on numbers with exchanging the items
// themselves.
func TestPermutationsBySwapping(t *testing.T) {
	for n, factorial := range []int{1, 1, 2, 6, 24, 120, 720, 5040} {
		if n == 0 {
			continue
		}
		g := longtest.Must(grid.NewPermutations(n))(t)
		last := ""
		for x := range g.States() {
			order := g.Order(x)
			if label := g.Label(x); g.Index(order) != x || label <= last || g.States() != factorial {
				t.Fatalf("%v is state %d of %d, and %s comes after %s", order, g.Index(order), g.States(),
					label, last)
			}
			last = g.Label(x)
			for d := range n - 1 {
				swapped := slices.Clone(order)
				swapped[d], swapped[d+1] = swapped[d+1], swapped[d]
				if y, ok := g.Neighbour(x, d); !ok || y != g.Index(swapped) {
					t.Fatalf("from %v direction %d leads to %v, want %v", order, d, g.Order(y), swapped)
				}
			}
		}
	}
	ten := longtest.Must(grid.NewPermutations(10))(t)
	if ten.States() != 3628800 || ten.Label(3628799) != "a987654321" || ten.Label(0) != "123456789a" {
		t.Error(ten)
	}
}

func TestIndexPanics(t *testing.T) {
	g, _ := grid.NewPermutations(3)
	for _, order := range [][]int{{0, 1}, {0, 0, 1}, {0, 1, 3}, {-1, 0, 1}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%v has a number", order)
				}
			}()
			g.Index(order)
		}()
	}
}

// TestAdjacencyAgainstMatrix: random edges in random order, read from text, give the graph of their
// dense matrix, and the lists of that graph give it again.
func TestAdjacencyAgainstMatrix(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "n")
		edges := 0
		var matrix [12][12]bool
		var lines []string
		for x := range n {
			lines = append(lines, fmt.Sprintf(" s%d , ", x)) // all states are there, whatever the edges
			for y := range x {
				if rapid.Bool().Draw(t, "edge") {
					matrix[x][y], matrix[y][x] = true, true
					lines = append(lines, fmt.Sprintf("s%d,\"s%d\"", x, y))
					edges++
				}
			}
		}
		lines = rapid.Permutation(append(lines, "", "# done")).Draw(t, "lines")
		g := longtest.Must(grid.ParseEdges([]byte(strings.Join(lines, "\r\n"))))(t)
		keepsPromises(t, g)
		degree := 1
		neighbours := make([][]int, n)
		labels := make([]string, n)
		for x := range n {
			labels[x] = g.Label(x)
			for y := range n {
				from, _ := strconv.Atoi(g.Label(x)[1:])
				to, _ := strconv.Atoi(g.Label(y)[1:])
				if matrix[from][to] {
					neighbours[x] = append(neighbours[x], y)
				}
			}
			if got := slices.Sorted(grid.Neighbours(g, x)); !slices.Equal(got, neighbours[x]) {
				t.Fatalf("%s has the neighbours %v, want %v", labels[x], got, neighbours[x])
			}
			degree = max(degree, len(neighbours[x]))
		}
		again := longtest.Must(grid.NewAdjacency(labels, neighbours))(t)
		if g.Directions() != degree || g.Edges() != edges || g.States() != n || again.String() != g.String() {
			t.Fatalf("%s has %d directions, want %d", g, g.Directions(), degree)
		}
		for x := range n {
			if got := slices.Sorted(grid.Neighbours(again, x)); !slices.Equal(got, neighbours[x]) {
				t.Fatalf("%s has the neighbours %v, want %v", labels[x], got, neighbours[x])
			}
		}
	})
}

// TestEdgesOfOthers: what networkx and pandas write is the same graph as a list by hand.
func TestEdgesOfOthers(t *testing.T) {
	want := longtest.Must(grid.ParseEdges([]byte("0,1\n1,2\n2,0\n2,3\n")))(t)
	for _, text := range []string{
		"0 1\n1 2\n2 0\n2 3\n", "#\n% a\n// b\n0 1 {}\r\n1 2 {}\r\n\r\n2 0 {}\r\n2 3 {}",
		"\ufeffsource,target\n0,1\n1,2\n2,0\n2,3\n", "0\t1 \n1\t2\n2  0\t\n 2 3"} {
		if g := longtest.Must(grid.ParseEdges([]byte(text)))(t); !reflect.DeepEqual(g, want) {
			t.Errorf("%q is %v", text, g)
		}
	}
}

func TestParseEdgesRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                                  "there are no edges",
		"# nothing\n\n":                     "there are no edges",
		"a,b\nc\n":                          "line 2: there are 1 columns",
		"a;b\n":                             "line 1: there are 1 columns",
		"a b\nb c 2\n":                      "line 2: there are 3 columns",
		"0 1 1,5\n1 2 2,5\n":                "line 1: \"0 1 1\" has blanks between numbers",
		"0 1 {'weight': 2}\n":               "line 1: there are 4 columns",
		"a,b,1.5\n":                         "line 1: there are 3 columns",
		"a,b\n\n#\nb,a\n":                   "line 4 joins b and a, which line 1 has joined already",
		"x,y\na,b\na,b\nx,y\n":              "line 3 joins a and b, which line 2",
		"a,b\nb,b\n":                        "line 2: b is joined to itself",
		",b\n":                              "line 1: a label is empty",
		"a,\"b\nc\"\n":                      "line 1: the label \"b\\nc\" has a character that cannot be printed",
		"a,\xff\n":                          "UTF-8",
		"a,\"#b\"\n":                        "begins with #",
		"a," + strings.Repeat("x", 101):     "101 bytes",
		"a,\"b\n":                           "quote",
		" # no comment,b\n":                 "begins with #",
		"a,b\na," + strings.Repeat("é", 60): "120 bytes",
	} {
		longtest.Refuses(grid.ParseEdges([]byte(text)))(t, want)
	}
}

func TestAdjacencyRefuses(t *testing.T) {
	for want, lists := range map[string][][]int{
		"at least one state":          {},
		"the states are numbered":     {{2}, {}},
		"its own neighbour":           {{0}},
		"lists its neighbour 1 twice": {{1, 1}, {0}},
		"and not the other way":       {{1}, {}},
	} {
		longtest.Refuses(grid.NewAdjacency(nil, lists))(t, want)
	}
	longtest.Refuses(grid.NewAdjacency([]string{"a", "a"}, [][]int{{}, {}}))(t, "two states have the label a")
	longtest.Refuses(grid.NewAdjacency([]string{"a"}, [][]int{{}, {}}))(t, "1 labels for the 2 states")
}

// TestLimits: what is too large is refused before memory is taken for it, and the largest that is
// not is made.
func TestLimits(t *testing.T) {
	star := func(leaves int) []byte {
		var b strings.Builder
		for i := range leaves {
			fmt.Fprintf(&b, "hub,%d\n", i)
		}
		return []byte(b.String())
	}
	for want, make := range map[string]func() (grid.Graph, error){
		"from 1 to 26 bits": func() (grid.Graph, error) { return grid.NewHypercube(27) },
		"of 0 bits":         func() (grid.Graph, error) { return grid.NewHypercube(0) },
		"permutations:12 has 479001600 states and would take about": func() (grid.Graph, error) {
			return grid.NewPermutations(12)
		},
		"at most 11 items":        func() (grid.Graph, error) { return grid.NewPermutations(math.MaxInt) },
		"permutations of 0 items": func() (grid.Graph, error) { return grid.NewPermutations(0) },
		"complete graph of 10002": func() (grid.Graph, error) { return grid.NewComplete(10002) },
		"complete graph of 0":     func() (grid.Graph, error) { return grid.NewComplete(0) },
		"limit is 67108864":       func() (grid.Graph, error) { return grid.Path(1 << 27) },
		"a ring needs 3":          func() (grid.Graph, error) { return grid.Cycle(2) },
		"axis 1":                  func() (grid.Graph, error) { return grid.Torus(3, 2) },
		"state hub has 10001":     func() (grid.Graph, error) { return grid.ParseEdges(star(10_001)) },
	} {
		longtest.Refuses(make())(t, want)
	}
	for _, g := range []grid.Graph{
		must(grid.NewHypercube(26)), must(grid.NewComplete(10_001)), must(grid.ParseEdges(star(10_000)))} {
		if _, ok := g.Neighbour(0, g.Directions()-1); !ok {
			t.Errorf("%s has no neighbour in its last direction", g)
		}
	}
}

func ExampleParseEdges() {
	g, err := grid.ParseEdges([]byte("# friends\nann,bob\nbob,cat\ncat,ann\ncat,dan\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(g, "with", g.Directions(), "directions")
	x, _ := grid.Find(g, "cat")
	for y := range grid.Neighbours(g, x) {
		fmt.Println("cat,", g.Label(y))
	}
	_, err = grid.ParseEdges([]byte("ann,bob\nbob,ann\n"))
	fmt.Println(err)
	// Output:
	// graph of 4 states and 4 edges with 3 directions
	// cat, bob
	// cat, ann
	// cat, dan
	// line 2 joins bob and ann, which line 1 has joined already; give each edge once, in either order of its ends: take one of the lines out
}

func ExampleNewPermutations() {
	g, _ := grid.NewPermutations(4)
	for y := range grid.Neighbours(g, 0) {
		fmt.Print(g.Label(0), "-", g.Label(y), " ")
	}
	// Output: 1234-2134 1234-1324 1234-1243
}
