package toys_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"breadboard/grid/longtest"
	"breadboard/toys"
)

// TestPottsByHand: states of the 2x2 model with three values, whose four sites are the corners of a square.
func TestPottsByHand(t *testing.T) {
	toy := parsed(t, "potts:3:2x2:0.5")
	space := toy.Lattice()
	if space.String() != "3x3x3x3" {
		t.Fatalf("the space is %v", space)
	}
	for _, c := range []struct {
		a, b, c, d int // a b / c d
		equal      float64
	}{{0, 0, 0, 0, 4}, {2, 2, 2, 2, 4}, {0, 0, 1, 1, 2}, {0, 1, 0, 1, 2}, {0, 1, 1, 0, 0}, {0, 1, 2, 0, 0}, {2, 2, 2, 1, 2}, {0, 0, 1, 2, 1}} {
		if got := toy.G[space.Index(c.a, c.b, c.c, c.d)]; got != 0.5*c.equal {
			t.Errorf("%+v: g = %v, want %v", c, got, 0.5*c.equal)
		}
	}
}

// TestPottsByDefinition compares every state with the definition, to the last bit, and with all values permuted, which leaves g as it is.
func TestPottsByDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := rapid.IntRange(2, 5).Draw(t, "Q")
		sites := drawSites(t, map[int]int{2: 12, 3: 9, 4: 5, 5: 4}[q])
		j := rapid.OneOf(rapid.Float64Range(-3, 3), rapid.SampledFrom([]float64{0, 1e12, -1e300})).Draw(t, "J")
		toy := longtest.Sure(toys.Potts(q, sites, j))
		pairs, space := neighbours(sites), toy.Lattice()
		turn := rapid.Permutation([]int{0, 1, 2, 3, 4}[:q]).Draw(t, "permutation")
		for x, g := range toy.G {
			value, equal := space.Coords(x), 0
			for _, p := range pairs {
				if value[p[0]] == value[p[1]] {
					equal++
				}
			}
			if want := j * float64(equal); g != want {
				t.Fatalf("%s: g(%v) = %v, want %v", toy.Name, value, g, want)
			}
			for k, v := range value {
				value[k] = turn[v]
			}
			if other := toy.G[space.Index(value...)]; other != g {
				t.Fatalf("%s: g(%s) = %v, and %v with the values permuted by %v", toy.Name, space.Label(x), g, other, turn)
			}
		}
		again, err := toys.Parse(toy.Name)
		if err != nil || again.Name != toy.Name || !slices.Equal(again.G, toy.G) {
			t.Fatalf("the name %s reads back as %v, %v", toy.Name, again, err)
		}
	})
}

// TestPottsOfTwoValuesIsIsing: an equal pair adds J here and J/2 there, and another one 0 here and -J/2 there. With a J that is
// a power of two nothing is rounded.
func TestPottsOfTwoValuesIsIsing(t *testing.T) {
	for _, torus := range []bool{false, true} {
		sites := toys.Sites{Rows: 3, Cols: 4, Torus: torus}
		potts := longtest.Sure(toys.Potts(2, sites, 0.5))
		ising := longtest.Sure(toys.Ising(sites, 0.25, 0))
		constant := 0.25 * float64(len(neighbours(sites)))
		for x, g := range potts.G {
			if g != ising.G[x]+constant {
				t.Fatalf("torus %v: g(%d) = %v, Ising's %v and the constant %v", torus, x, g, ising.G[x], constant)
			}
		}
	}
}

// TestPottsTransfer holds the model with open edges to its transfer matrix.
func TestPottsTransfer(t *testing.T) {
	for _, c := range []struct{ q, rows, cols int }{{2, 4, 3}, {3, 3, 3}, {3, 1, 7}, {4, 3, 2}, {7, 2, 2}, {100, 1, 2}} {
		for _, j := range []float64{math.Log(1 + math.Sqrt(float64(c.q))), -1, 0, 3} {
			sites := toys.Sites{Rows: c.rows, Cols: c.cols}
			toy := longtest.Sure(toys.Potts(c.q, sites, j))
			want := transfer(sites, c.q, func(v, w int) float64 {
				if v == w {
					return math.Exp(j)
				}
				return 1
			}, func(int) float64 { return 1 })
			if got := sumExp(toy.G); !near(got, want) {
				t.Errorf("%s: log Z = %.15g, by the transfer matrix %.15g", toy.Name, got, want)
			}
		}
	}
}

// ExamplePotts counts the states of a square of four sites with three values by their number of equal neighbours.
func ExamplePotts() {
	toy, err := toys.Potts(3, toys.Sites{Rows: 2, Cols: 2}, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	count := map[float64]int{}
	for _, g := range toy.G {
		count[g]++
	}
	fmt.Println(toy.Name, toy.Space, count)
	// Output: potts:3:2x2:1 3x3x3x3 map[0:18 1:24 2:36 4:3]
}
