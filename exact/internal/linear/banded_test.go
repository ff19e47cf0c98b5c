package linear_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"breadboard/exact/internal/linear"
	"breadboard/grid/longtest"
)

// graphOf returns the graph of a list of edges, and the place of the entry of each ordered pair.
func graphOf(n int, edges [][2]int) (linear.Graph, map[[2]int]int) {
	next := make([][]int32, n)
	for _, e := range edges {
		next[e[0]] = append(next[e[0]], int32(e[1]))
		next[e[1]] = append(next[e[1]], int32(e[0]))
	}
	g, at := linear.Graph{Start: []int{0}}, map[[2]int]int{}
	for x := range n {
		for _, y := range next[x] {
			at[[2]int{x, int(y)}] = len(g.To)
			g.To = append(g.To, y)
		}
		g.Start = append(g.Start, len(g.To))
	}
	return g, at
}

func ring(n int) (edges [][2]int) {
	for x := range n {
		edges = append(edges, [2]int{x, (x + 1) % n})
	}
	return edges
}

func plane(r, c int) (edges [][2]int) {
	for x := range r * c {
		if x%c+1 < c {
			edges = append(edges, [2]int{x, x + 1})
		}
		if x+c < r*c {
			edges = append(edges, [2]int{x, x + c})
		}
	}
	return edges
}

func TestOrder(t *testing.T) {
	path := ring(100)[:99]
	for i := range path { // the names of the states do not matter
		path[i] = [2]int{path[i][0] * 37 % 100, path[i][1] * 37 % 100}
	}
	for name, c := range map[string]struct {
		n, width int
		edges    [][2]int
	}{
		"path": {100, 1, path}, "ring": {101, 2, ring(101)}, "plane": {60, 7, plane(6, 10)}, "pair": {2, 1, [][2]int{{0, 1}}},
	} {
		g, _ := graphOf(c.n, c.edges)
		order, width := linear.Order(g)
		if len(order) != c.n || width > c.width || width < 1 {
			t.Errorf("%s: %d states, bandwidth %d, want %d", name, len(order), width, c.width)
		}
	}
}

func TestColours(t *testing.T) {
	for n, want := range map[int]bool{6: true, 7: false} {
		g, _ := graphOf(n, ring(n))
		colours, ok := linear.Colours(g)
		if ok != want {
			t.Errorf("a ring of %d: %v", n, ok)
		}
		for _, e := range ring(n) {
			if ok && colours[e[0]] != -colours[e[1]] {
				t.Errorf("states %v have one colour", e)
			}
		}
	}
}

func TestFits(t *testing.T) {
	for _, c := range []struct {
		n, width int
		fits     bool
	}{{1 << 16, 1, true}, {1 << 16, 256, true}, {1 << 16, 1 << 12, false}, {1 << 13, 1 << 12, false}, {2000, 1000, true}} {
		if linear.Fits(c.n, c.width) != c.fits {
			t.Errorf("%+v", c)
		}
	}
}

// TestSolve holds solutions to their equations, for random conductances of hostile sizes, with killing and
// without.
func TestSolve(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var edges [][2]int
		n := rapid.IntRange(2, 40).Draw(t, "n")
		switch rapid.SampledFrom([]string{"path", "ring", "plane", "tree"}).Draw(t, "graph") {
		case "path":
			edges = ring(n)[:n-1]
		case "ring":
			n = max(n, 3)
			edges = ring(n)
		case "plane":
			n = 4 * ((n + 7) / 4)
			edges = plane(4, n/4)
		case "tree":
			for x := 1; x < n; x++ {
				edges = append(edges, [2]int{x, (x - 1) / 2})
			}
		}
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 3))
		span := rapid.SampledFrom([]float64{0, 2, 8}).Draw(t, "span")
		g, at := graphOf(n, edges)
		s, psi, killing := make([]float64, len(g.To)), make([]float64, n), []float64(nil)
		for x := range psi {
			psi[x] = math.Exp(span * random.NormFloat64())
		}
		for _, e := range edges {
			v := math.Exp(span * random.NormFloat64())
			s[at[[2]int{e[0], e[1]}]], s[at[[2]int{e[1], e[0]}]] = v, v
		}
		if rapid.Bool().Draw(t, "killed") {
			killing = make([]float64, n)
			killing[random.IntN(n)] = math.Exp(3 * span * random.NormFloat64())
		}
		order, width := linear.Order(g)
		f := longtest.Must(linear.NewBanded(g, s, psi, killing, order, width, func() error { return nil }))(t)
		a := mat.NewDense(n, n, nil)
		for x := range n {
			for i := g.Start[x]; i < g.Start[x+1]; i++ {
				y := int(g.To[i])
				a.Set(x, y, -s[i])
				a.Set(x, x, a.At(x, x)+s[i]*psi[y]/psi[x])
			}
			if killing != nil {
				a.Set(x, x, a.At(x, x)+killing[x])
			}
		}
		c := make([]float64, n)
		if killing == nil { // orthogonal to psi: a current in at one state, and out at another
			from, to := random.IntN(n), random.IntN(n)
			c[from] += 1 / psi[from]
			c[to] -= 1 / psi[to]
		} else {
			for x := range c {
				c[x] = random.Float64()
			}
		}
		h := make([]float64, n)
		f.Solve(h, c)
		// What flows out of each state is what flows in, to the rounding of the largest flow of all: that of the state where h is zero is
		// the sum of all others.
		left, largest := make([]float64, n), 0.0
		for x := range n {
			left[x] = -c[x] * psi[x]
			size := math.Abs(left[x])
			for y := range n {
				flow := psi[x] * a.At(x, y) * h[y]
				left[x] += flow
				size += math.Abs(flow)
			}
			largest = max(largest, size)
		}
		for x, v := range left {
			if math.Abs(v) > 1e-13*largest {
				t.Fatalf("state %d of %d: %v is left of flows of up to %v", x, n, v, largest)
			}
		}
	})
}

func TestNewEnds(t *testing.T) {
	g, _ := graphOf(5, ring(5))
	order, width := linear.Order(g)
	s, psi := []float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, []float64{1, 1, 1, 1, 1}
	stop := errors.New("stop")
	if _, err := linear.NewBanded(g, s, psi, nil, order, width, func() error { return stop }); !errors.Is(err, stop) {
		t.Error(err)
	}
	psi[3] = 1e-150
	if f, err := linear.NewBanded(g, s, psi, nil, order, width, func() error { return nil }); f != nil || err != nil {
		t.Error("psi is too small for ratios", err)
	}
}
