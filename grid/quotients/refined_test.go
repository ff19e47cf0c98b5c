package quotients

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"breadboard/grid"
	"breadboard/grid/longtest"
)

// refinedPlainly is the slow obvious refinement: states whose colour and proposals differ get
// different classes, again and again, until nothing changes.
func refinedPlainly(space grid.Graph, p Proposal, colours []int32) []int32 {
	class := slices.Clone(colours)
	inOrder(class)
	for {
		numbers := map[string]int32{}
		next := make([]int32, len(class))
		for x := range class {
			key := fmt.Sprint(class[x], proposedBy(space, p, class, x))
			if _, known := numbers[key]; !known {
				numbers[key] = int32(len(numbers))
			}
			next[x] = numbers[key]
		}
		if slices.Equal(next, class) {
			return class
		}
		class = next
	}
}

// proposedBy returns the classes of the neighbours of a state in order, or for values those of
// every line, and the lines in order.
func proposedBy(space grid.Graph, p Proposal, class []int32, x int) (out []string) {
	if p == Neighbour {
		for y := range grid.Neighbours(space, x) {
			out = append(out, fmt.Sprint(class[y]))
		}
		slices.Sort(out)
		return out
	}
	l := space.(*grid.Lattice)
	for k := range l.Dims() {
		var line []int32
		for y := range l.States() {
			if on := l.Coords(y); on[k] != l.Coord(x, k) {
				on[k] = l.Coord(x, k)
				if l.Index(on...) == x {
					line = append(line, class[y])
				}
			}
		}
		slices.Sort(line)
		out = append(out, fmt.Sprint(line))
	}
	slices.Sort(out)
	return out
}

// The fast refinement finds what the slow one does, on random spaces with few colours, and every
// row is right.
func TestRefined(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sides := []int{}
		wrap := []bool{}
		for range rapid.IntRange(1, 3).Draw(t, "axes") {
			side := rapid.IntRange(1, 4).Draw(t, "side")
			sides, wrap = append(sides, side), append(wrap, side > 2 && rapid.Bool().Draw(t, "wrap"))
		}
		space := longtest.Sure(grid.NewWrapped(sides, wrap))
		colours := make([]int32, space.States())
		for x := range colours {
			colours[x] = int32(rapid.SampledFrom([]int{0, 0, 0, 0, 1}).Draw(t, "colour"))
		}
		for _, p := range []Proposal{Neighbour, Value} {
			q := longtest.Must(Refined(space, p, colours))(t)
			want := refinedPlainly(space, p, colours)
			if q.States() != int(slices.Max(want))+1 {
				t.Fatalf("%v, proposal %d, colours %v: %d classes, and %d plainly: %v", space, p, colours,
					q.States(), slices.Max(want)+1, want)
			}
			for x, c := range want {
				if x != q.First(int(c)) && want[q.First(int(c))] != c {
					t.Fatalf("%v: state %d is in class %d", space, x, c)
				}
			}
			for c := range q.States() {
				if n, _ := q.Members(c).Float64(); math.Log(n) != q.LogMembers()[c] {
					t.Errorf("class %d: %v members, log %v", c, n, q.LogMembers()[c])
				}
			}
		}
	})
}

// Equal numbers of proposals into each class are not enough for heat bath, which also asks which
// states share a line. In this colouring of 3x3x3 every state proposes two ones. Some zeros have
// both on one line, and others on two.
func TestRefinedByLinesAndNotByNumbers(t *testing.T) {
	space := grid.MustNew(3, 3, 3)
	colours := make([]int32, 27)
	for x, c := range "011001000000101100010000110" {
		colours[x] = c - '0'
	}
	s := longtest.Must(newSurroundings(space, Value))(t)
	for x := range colours {
		ones := 0
		for _, m := range s.appendProposals(nil, colours, x) {
			if m.to == 1 {
				ones += int(math.Round(m.share * 6))
			}
		}
		if ones != 2 {
			t.Fatalf("state %d proposes %d ones", x, ones)
		}
	}
	q := longtest.Must(Refined(space, Value, colours))(t)
	if want := int(slices.Max(refinedPlainly(space, Value, colours))) + 1; q.States() != want || want == 2 {
		t.Errorf("%d classes, want %d", q.States(), want)
	}
	// Planted: classes with two states that propose different classes are found out.
	inOrder(colours)
	wrong := &Classes{space: space}
	wrong.numberClasses(colours, "")
	wrong.findMoves(s, colours)
	longtest.Refused(t, wrong.verify(s, colours), "but has other proposals")
}

// Proposals that a quotient does not lump under are refused.
func TestRefinedProposes(t *testing.T) {
	q := longtest.Must(Refined(grid.MustNew(7, 7), Neighbour, make([]int32, 49)))(t)
	longtest.Refused(t, q.Proposes(Value), "10 classes of 7x7 are for neighbours")
	q = longtest.Must(Refined(grid.MustNew(3, 3), Value, make([]int32, 9)))(t)
	longtest.Refused(t, q.Proposes(Neighbour), "other values of an axis")
	longtest.Refuses(Refined(longtest.Must(grid.NewPermutations(3))(t), Value, make([]int32, 6)))(t, "is not a grid")
	longtest.Refuses(Refined(grid.MustNew(1024, 1025), Value, nil))(t, "1048576 at most")
}

func TestRounded(t *testing.T) {
	values := []float64{3, 1.25, 1, math.Inf(-1), 1.5, 1.5, math.Inf(-1)}
	rounded, most := Rounded(values, 0.25)
	if want := []float64{3, 1, 1, math.Inf(-1), 1.5, 1.5, math.Inf(-1)}; !slices.Equal(rounded, want) ||
		most != 0.25 {
		t.Errorf("%v, changed by %v", rounded, most)
	}
	if c := Colours(rounded, []float64{0, 0, 1, 0, 0, 0, 0}); !slices.Equal(c, []int32{0, 1, 2, 3, 4, 4, 3}) {
		t.Errorf("colours %v", c)
	}
}
