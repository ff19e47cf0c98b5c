package operator_test

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/exact/internal/operator"
	"breadboard/exact/kernel"
	"breadboard/grid"
	"breadboard/grid/longtest"
	"breadboard/grid/quotients"
)

// reachSelectors are kernels of every form, and combinations of such as may stay and such as may
// not.
var reachSelectors = []string{
	"metropolis", "moore", "flip", "barker", "jump:0.3", "jump:0", "jump:1", "independence", "exact",
	"heatbath", "heatbath-axis:0", "heatbath-scan",
	"suwa-todo", "suwa-todo-axis:0", "stay", "heatbath-zigzag", "block:1x1", "swendsen-wang", "wolff",
	"lazy:0.5", "lazy:0.25:suwa-todo-axis:0",
	"repeat:2:flip", "repeat:3:metropolis", "repeat:2:heatbath-axis:0",
	"compose:flip+flip", "compose:flip+heatbath-axis:0", "compose:heatbath-axis:0+barker+stay",
	"compose:suwa-todo-axis:0+suwa-todo-axis:0",
	"palindrome:suwa-todo-axis:0+barker", "palindrome:heatbath-axis:0+flip",
	"mixture:1*stay+2*heatbath-axis:0", "mixture:1*stay+2*repeat:2:flip",
	"lazy:0.1:compose:moore+barker", "compose:lazy:0.5:flip+lazy:0.5:flip",
	"balanced:sqrt", "balanced:barker:flip", "gradient", "tabu:1", "tabu:2:min", "delayed-rejection",
	"compose:flip+balanced:min",
	// the second weight is zero when it is divided by the sum
	"mixture:1e300*stay+1e-300*heatbath-axis:0", "compose:flip+mixture:1e300*flip+1e-300*stay",
}

// anySpace draws a small lattice of up to four axes, or a graph that need not be connected.
func anySpace(t *rapid.T) grid.Graph {
	if rapid.IntRange(0, 4).Draw(t, "graph") == 0 {
		labels := []string{"a", "b", "c", "d", "e", "f"}
		to := make([][]int, 6)
		for x := range labels {
			for y := range x {
				if rapid.IntRange(0, 3).Draw(t, "edge") == 0 {
					to[x], to[y] = append(to[x], y), append(to[y], x)
				}
			}
		}
		return longtest.Must(grid.NewAdjacency(labels, to))(t)
	}
	dims := rapid.IntRange(1, 4).Draw(t, "dims")
	sides := make([]int, dims)
	wrap := make([]bool, dims)
	left := 36
	for k := range sides {
		sides[k] = rapid.IntRange(1, max(1, min(left, 4))).Draw(t, "side")
		left /= sides[k]
		wrap[k] = sides[k] >= 3 && rapid.Bool().Draw(t, "ring")
	}
	return longtest.Must(grid.NewWrapped(sides, wrap))(t)
}

// drawMoves returns a kernel on a space, log f with values that are often alike and with as many
// zeros as drawn, and if f is positive.
func drawMoves(t *rapid.T, zeros bool) (k chains.Kernel, logf []float64, on []bool) {
	states := anySpace(t)
	k, err := kernels.Parse(rapid.SampledFrom(reachSelectors).Draw(t, "kernel"), states)
	if err != nil {
		t.Skip(err) // it needs a lattice
	}
	often := 0
	if zeros && !operator.Varies(k) {
		often = rapid.IntRange(0, 6).Draw(t, "zeros in ten")
	}
	logf, on = make([]float64, states.States()), make([]bool, states.States())
	for x := range logf {
		logf[x] = rapid.SampledFrom([]float64{0, 0, 0, 1, -2, 0.3}).Draw(t, "log f")
		on[x] = rapid.IntRange(1, 10).Draw(t, "positive") > often
		if !on[x] {
			logf[x] = math.Inf(-1)
		}
	}
	return k, logf, on
}

// reached says which states each state reaches in any number of moves, from the powers of the
// matrix of the moves that are possible.
func reached(t *rapid.T, k chains.Kernel, logf []float64) [][]bool {
	rows := longtest.Must(kernel.NewRows(context.Background(), k, logf))(t)
	n := len(logf)
	m := make([][]bool, n)
	for x := range m {
		m[x] = make([]bool, n)
		m[x][x] = true
		for _, e := range rows.Row(x) {
			m[x][e.To] = m[x][e.To] || e.P > 0
		}
	}
	for length := 1; length < n; length *= 2 {
		square := make([][]bool, n)
		for x := range square {
			square[x] = make([]bool, n)
			for y, there := range m[x] {
				for z := range m[y] {
					square[x][z] = square[x][z] || there && m[y][z]
				}
			}
		}
		m = square
	}
	return m
}

// classes returns the number of the class of every state, as Connect finds them.
func classes(t *rapid.T, k chains.Kernel, on []bool) (of []int32, count int) {
	s := kernel.NewSets(len(on))
	for x, is := range on {
		if is {
			s.Add(x)
		}
	}
	longtest.NoError(t, operator.Connect(context.Background(), s, k, on))
	return s.Numbered(), s.Count()
}

// TestConnectAgainstPowers: no power of the matrix leads from a class to another, and if the kernel
// is sure to be irreducible on its classes, every state reaches its whole class. Kernels that make
// one move at a time always do, whatever ties there are.
func TestConnectAgainstPowers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k, logf, on := drawMoves(t, true)
		of, count := classes(t, k, on)
		most := int32(-1)
		for x, there := range reached(t, k, logf) {
			if !on[x] {
				if of[x] != -1 {
					t.Fatalf("%v: state %d of probability zero is in class %d", k, x, of[x])
				}
				continue
			}
			if of[x] > most+1 {
				t.Fatalf("%v: class %d comes before %d", k, of[x], most+1)
			}
			most = max(most, of[x])
			for y, is := range there {
				switch {
				case is && of[x] != of[y]:
					t.Fatalf("%v reaches %d of class %d from %d of class %d", k, y, of[y], x, of[x])
				case !is && of[x] == of[y] && operator.Irreducible(k):
					t.Fatalf("%v does not reach %d from %d, which are both in class %d", k, y, x, of[x])
				}
			}
		}
		if int(most)+1 != count {
			t.Fatalf("%v: %d classes, counted %d", k, most+1, count)
		}
	})
}

// TestJoinsAll: a kernel that claims to join all states does, and that a kernel does is known
// without a look for all but a graph that is a list of edges.
func TestJoinsAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k, _, on := drawMoves(t, false)
		_, count := classes(t, k, on)
		if operator.JoinsAll(k) && count != 1 {
			t.Fatalf("%v is said to join all states, and has %d classes", k, count)
		}
	})
	l := grid.MustNew(3, 1, 2)
	for selector, joins := range map[string]bool{
		"metropolis": true, "heatbath-scan": true, "lazy:0.3:compose:flip+stay": true, "balanced:min": true,
		"delayed-rejection": true, "heatbath-axis:0": false,
		"compose:heatbath-axis:0+suwa-todo-axis:2": true, "compose:stay+heatbath-axis:2": false,
	} {
		if k := longtest.Must(kernels.Parse(selector, l))(t); operator.JoinsAll(k) != joins {
			t.Errorf("%s joins all: %t", selector, !joins)
		}
	}
	cube := grid.MustNew(2, 2, 2)
	ones := []int32{0, 1, 1, 2, 1, 2, 2, 3} // of each state
	classes := longtest.Must(quotients.Refined(cube, quotients.Value, ones))(t)
	for selector, varies := range map[string]bool{
		"wolff": true, "lazy:0.5:wolff": true, "swendsen-wang": false, "flip": false} {
		k := longtest.Must(kernels.Parse(selector, classes))(t)
		if !operator.JoinsAll(k) && selector != "flip" || operator.Varies(k) != varies {
			t.Errorf("%s on classes joins all: %t, varies: %t", selector, operator.JoinsAll(k), operator.Varies(k))
		}
	}
	apart := longtest.Must(grid.NewAdjacency([]string{"a", "b", "c"}, [][]int{{1}, {0}, {}}))(t)
	for k, joins := range map[chains.Kernel]bool{
		kernels.Metropolis{Space: apart}: false, kernels.DelayedRejection{Space: apart}: false,
		kernels.Informed{Space: apart, Rule: "min"}: false, kernels.Jump{Space: apart, Eps: 0}: false,
		kernels.Jump{Space: apart, Eps: 0.5}: true} {
		if operator.JoinsAll(k) != joins {
			t.Errorf("%v on a graph of two parts joins all: %t", k, !joins)
		}
	}
	if operator.JoinsAll(kernels.Independence{P: []float64{1, 0}}) {
		t.Error("a state that is never proposed is said to be reached")
	}
}

// TestIrreducible: two flips of one spin may undo each other, and two draws cannot.
func TestIrreducible(t *testing.T) {
	l := grid.MustNew(2, 2)
	for selector, sure := range map[string]bool{
		"flip": true, "balanced:sqrt": true, "gradient": true, "delayed-rejection": true, "tabu:3": false,
		"suwa-todo": true, "repeat:2:flip": false,
		"compose:flip+metropolis": false, "compose:flip+heatbath-axis:0": true, "heatbath-scan": true,
		"palindrome:flip+barker": false, "repeat:2:lazy:0.5:flip": true, "lazy:0.5:repeat:2:flip": false,
		"stay": true, "jump:0.2": true,
		"compose:jump:0+jump:0":                   false,
		"repeat:2:mixture:1e300*flip+1e-300*stay": false, "repeat:2:mixture:1*flip+1e-300*stay": true,
	} {
		if got := operator.Irreducible(longtest.Must(kernels.Parse(selector, l))(t)); got != sure {
			t.Errorf("%s is sure to be irreducible: %t", selector, got)
		}
	}
}
