package toys_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"breadboard/grid/longtest"
	"breadboard/toys"
	"breadboard/toys/forms"
)

// TestIsingByDefinition compares every state with the definition, to the last bit: the sums of s s'
// and of s are whole.
func TestIsingByDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sites := drawSites(t, 12)
		j := rapid.OneOf(rapid.Float64Range(-3, 3), rapid.SampledFrom([]float64{0, 1e-300, 1e12, -1e300})).Draw(t, "J")
		field := rapid.OneOf(rapid.Just(0.0), rapid.Float64Range(-3, 3)).Draw(t, "field")
		toy := longtest.Sure(toys.Ising(sites, j, field))
		pairs := neighbours(sites)
		for x, g := range toy.G {
			s := toy.Lattice().Coords(x)
			products := 0
			spins := 0
			for k := range s {
				s[k] = 2*s[k] - 1
				spins += s[k]
			}
			for _, p := range pairs {
				products += s[p[0]] * s[p[1]]
			}
			if want := float64(j*float64(products)) + float64(field*float64(spins)); g != want {
				t.Fatalf("%s: g(%v) = %v, want %v", toy.Name, s, g, want)
			}
		}
		again, err := forms.Targets().Parse(toy.Name)
		if err != nil || again.Name != toy.Name || !slices.Equal(again.G, toy.G) {
			t.Fatalf("the name %s reads back as %v, %v", toy.Name, again, err)
		}
	})
}

// TestModelsRefuse: what a selector cannot say, the functions refuse as well.
func TestModelsRefuse(t *testing.T) {
	sites := toys.Sites{Rows: 2, Cols: 2}
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		longtest.Refuses(toys.Ising(sites, v, 0))(t, "must be finite")
		longtest.Refuses(toys.Ising(sites, 1, v))(t, "must be finite")
		longtest.Refuses(toys.Potts(3, sites, v))(t, "must be finite")
	}
	zero := math.Copysign(0, -1)
	if toy, err := toys.Ising(sites, zero, zero); err != nil || toy.Name != "ising:2x2:0" {
		t.Errorf("J = -0: %v, %v", toy, err)
	}
	if toy, err := toys.Potts(2, sites, zero); err != nil || toy.Name != "potts:2:2x2:0" {
		t.Errorf("J = -0: %v, %v", toy, err)
	}
}

// ExampleIsing makes the model of Onsager's and Kaufman's papers at its critical coupling.
func ExampleIsing() {
	toy, err := toys.Ising(toys.Sites{Rows: 4, Cols: 4, Torus: true}, math.Asinh(1)/2, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	sum := 0.0
	for _, g := range toy.G {
		sum += math.Exp(g)
	}
	fmt.Println(toy.Name, toy.Space)
	fmt.Printf("%d states, log Z = %.12f\n", len(toy.G), math.Log(sum))
	// Output:
	// ising:4x4:0.4406867935097715:torus 2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2
	// 65536 states, log Z = 15.521915458755
}

// TestPottsByDefinition compares every state with the definition, to the last bit.
func TestPottsByDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := rapid.IntRange(2, 5).Draw(t, "Q")
		sites := drawSites(t, map[int]int{2: 12, 3: 9, 4: 5, 5: 4}[q])
		j := rapid.OneOf(rapid.Float64Range(-3, 3), rapid.SampledFrom([]float64{0, 1e12, -1e300})).Draw(t, "J")
		toy := longtest.Sure(toys.Potts(q, sites, j))
		pairs := neighbours(sites)
		space := toy.Lattice()
		for x, g := range toy.G {
			value := space.Coords(x)
			equal := 0
			for _, p := range pairs {
				if value[p[0]] == value[p[1]] {
					equal++
				}
			}
			if want := j * float64(equal); g != want {
				t.Fatalf("%s: g(%v) = %v, want %v", toy.Name, value, g, want)
			}
		}
		again, err := forms.Targets().Parse(toy.Name)
		if err != nil || again.Name != toy.Name || !slices.Equal(again.G, toy.G) {
			t.Fatalf("the name %s reads back as %v, %v", toy.Name, again, err)
		}
	})
}

// neighbours returns the neighbouring pairs of sites, each once, from the definition: sites at
// distance one, where a torus goes around.
func neighbours(s toys.Sites) (pairs [][2]int) {
	distance := func(a, b, side int) int {
		d := max(a-b, b-a)
		if s.Torus {
			d = min(d, side-d)
		}
		return d
	}
	for a := range s.Rows * s.Cols {
		for b := range a {
			if distance(a/s.Cols, b/s.Cols, s.Rows)+distance(a%s.Cols, b%s.Cols, s.Cols) == 1 {
				pairs = append(pairs, [2]int{b, a})
			}
		}
	}
	return pairs
}

// drawSites draws sites of which there are that many at most.
func drawSites(t *rapid.T, most int) toys.Sites {
	torus := rapid.Bool().Draw(t, "torus")
	least := 1
	torus = torus && most >= 9
	if torus {
		least = 3
	}
	rows := rapid.IntRange(least, most/least).Draw(t, "rows")
	return toys.Sites{Rows: rows, Cols: rapid.IntRange(least, most/rows).Draw(t, "columns"), Torus: torus}
}

// parsed returns a toy that must parse.
func parsed(t testing.TB, selector string) *toys.Toy {
	t.Helper()
	toy := longtest.Sure(forms.Targets().Parse(selector))
	return toy
}
