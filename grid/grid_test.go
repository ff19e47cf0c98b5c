package grid_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"breadboard/grid"
	"breadboard/grid/longtest"
)

// lattice draws a small lattice of one to four dimensions, some of its axes rings.
func lattice(t *rapid.T) *grid.Lattice {
	dims := rapid.IntRange(1, 4).Draw(t, "dims")
	sides := make([]int, dims)
	wrap := make([]bool, dims)
	for k := range sides {
		sides[k] = rapid.IntRange(1, 5).Draw(t, "side")
		wrap[k] = sides[k] >= 3 && rapid.Bool().Draw(t, "wrap")
	}
	l := longtest.Must(grid.NewWrapped(sides, wrap))(t)
	return l
}

// TestNeighboursByDistance compares with the definition: one step along one axis, around the ring
// if it is one. Directions come in pairs that undo each other.
func TestNeighboursByDistance(t *testing.T) {
	adjacent := func(l *grid.Lattice, x, y int) bool {
		steps := 0
		for k := range l.Dims() {
			d := max(l.Coord(x, k)-l.Coord(y, k), l.Coord(y, k)-l.Coord(x, k))
			if l.Wraps(k) {
				d = min(d, l.Side(k)-d)
			}
			steps += d
		}
		return steps == 1
	}
	rapid.Check(t, func(t *rapid.T) {
		l := lattice(t)
		edges := map[[2]int]int{}
		for x, y := range l.Edges() {
			edges[[2]int{min(x, y), max(x, y)}]++
		}
		for x := range l.States() {
			if y := l.Index(l.Coords(x)...); y != x {
				t.Fatalf("%s: Index(Coords(%d)) = %d", l, x, y)
			}
			var want []int
			for y := range l.States() {
				e := 0
				if adjacent(l, x, y) {
					want = append(want, y)
					e = 1
				}
				if got := edges[[2]int{min(x, y), max(x, y)}]; got != e {
					t.Fatalf("%s: edge %d-%d stands %d times, want %d", l, x, y, got, e)
				}
			}
			if got := slices.Sorted(grid.Neighbours(l, x)); !slices.Equal(got, want) {
				t.Fatalf("%s: the neighbours of %d are %v, want %v", l, x, got, want)
			}
			for d := range l.Directions() {
				if y, ok := l.Neighbour(x, d); ok {
					if z, ok := l.Neighbour(y, d^1); !ok || z != x {
						t.Fatalf("%s: %d goes %d to %d, and back to %d", l, x, d, y, z)
					}
				}
			}
		}
	})
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		sides []int
		wrap  []bool
		want  string
	}{
		{nil, nil, "at least one side"},
		{[]int{3, 0}, []bool{false, false}, "axis 1"},
		{[]int{3, -7}, []bool{false, false}, "axis 1"},
		{[]int{2}, []bool{true}, "a ring needs 3"},
		{[]int{3}, nil, "1 sides but 0"},
		{[]int{100000, 100000}, []bool{false, false}, "limit is 67108864 states"},
		{[]int{math.MaxInt/2 + 1, math.MaxInt/2 + 1}, []bool{false, false},
			"has 10^37.33 states and would take more memory than any machine has; the limit"},
		{slices.Repeat([]int{2}, 2000), make([]bool, 2000),
			"has 10^602.1 states and would take more memory than any machine has; the limit"},
		{slices.Repeat([]int{2}, 27), make([]bool, 27),
			"has 134217728 states and would take about 26.8 GB; the limit"},
		{slices.Repeat([]int{1}, 40), make([]bool, 40), "40 axes are more than the limit of 39"},
	} {
		longtest.Refuses(grid.NewWrapped(c.sides, c.wrap))(t, c.want)
	}
}

// TestFitsPower: the largest lattices of equal sides are those that New accepts, and the message
// about a larger one says how many states it has, whatever their number.
func TestFitsPower(t *testing.T) {
	for side := 2; side <= 5000; side++ {
		axes := 1
		for states := side * side; states <= grid.MaxStates; states *= side {
			axes++
		}
		longtest.NoError(t, grid.FitsPower(float64(side), float64(axes)))
		longtest.Refused(t, grid.FitsPower(float64(side), float64(axes+1)),
			fmt.Sprintf("at most %d axes of side %d", axes, side))
	}
	for want, v := range map[string][2]float64{
		"a lattice of 2^27 states (134217728) would take about 26.8 GB; the limit is 67108864 states (13 " +
			"GB), which are at most 26 axes of side 2": {
			2, 27},
		"a lattice of 2^1600 states (10^481.6) would take more memory than any machine has; the limit": {
			2, 1600},
		"a lattice of 1099511627776^1 states (1099511627776) would take about 220 TB; the limit is " +
			"67108864 states (13 GB)": {
			1 << 40, 1},
		"(10^3.01e+17) would take": {2, 1e18},
	} {
		longtest.Refused(t, grid.FitsPower(v[0], v[1]), want)
	}
}

func TestParse(t *testing.T) {
	for _, s := range []string{"7x7", "1", "2x2x2x2", "3x5"} {
		if l, err := grid.Parse(s); err != nil || l.String() != s {
			t.Errorf("Parse(%q) = %v, %v", s, l, err)
		}
	}
	for _, s := range []string{
		"", "x", "7x", "7X7", "7 x 7", "+7x7", "0x7", "-1", "9999999999999999999", "7x7x"} {
		if l, err := grid.Parse(s); err == nil {
			t.Errorf("Parse(%q) = %v, want an error", s, l)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("7x7")
	f.Add("2x2x2x")
	f.Fuzz(func(t *testing.T, s string) {
		l, err := grid.Parse(s)
		if err != nil {
			return
		}
		if n := l.States(); n < 1 || n > grid.MaxStates {
			t.Errorf("Parse(%q) has %d states", s, n)
		}
		if again, err := grid.Parse(l.String()); err != nil || again.String() != l.String() {
			t.Errorf("Parse(%q).String() = %q does not read back", s, l)
		}
	})
}

func ExampleNew() {
	plane, _ := grid.New(7, 7)
	x := plane.Index(0, 6) // the upper right corner
	fmt.Println(plane, plane.States(), x, plane.Coords(x), slices.Collect(grid.Neighbours(plane, x)))
	cube, _ := grid.New(2, 2, 2) // {0,1}^3
	fmt.Println(cube, slices.Collect(grid.Neighbours(cube, cube.Index(1, 0, 1))))
	// Output:
	// 7x7 49 6 [0 6] [13 5]
	// 2x2x2 [1 7 4]
}

func ExampleNewWrapped() {
	ring, _ := grid.NewWrapped([]int{5}, []bool{true})
	for x, y := range ring.Edges() {
		fmt.Print(x, "-", y, " ")
	}
	// Output: 0-1 1-2 2-3 3-4 4-0
}

// TestSqueezed: without axes of length one the states have the same numbers and the same
// neighbours, and rings stay rings.
func TestSqueezed(t *testing.T) {
	for _, c := range []struct {
		sides []int
		wrap  []bool
		want  string
	}{
		{[]int{1, 5}, []bool{false, false}, "5"}, {[]int{5, 1}, []bool{true, false}, "5o"},
		{[]int{2, 1, 3, 1}, []bool{false, false, true, false}, "2x3o"},
		{[]int{1}, []bool{false}, "1"}, {[]int{1, 1}, []bool{false, false}, "1"},
		{[]int{2, 2}, []bool{false, false}, "2x2"},
	} {
		l := longtest.Must(grid.NewWrapped(c.sides, c.wrap))(t)
		squeezed := l.Squeezed()
		if squeezed.String() != c.want || squeezed.States() != l.States() || len(c.sides) != l.Dims() {
			t.Errorf("%v without axes of length one is %v, want %s", l, squeezed, c.want)
		}
		for x := range l.States() {
			if got, want := slices.Collect(grid.Neighbours(squeezed, x)),
				slices.Collect(grid.Neighbours(l, x)); !slices.Equal(got, want) {
				t.Errorf("%v: the neighbours of %d are %v, and were %v", squeezed, x, got, want)
			}
		}
	}
}
