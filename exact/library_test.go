package exact_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/schedules"
	"breadboard/exact/internal/exacttest"
	"breadboard/exact/kernel"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// library returns selectors of every kernel, simple and combined.
func library() []string {
	return []string{
		"metropolis", "moore", "flip", "barker", "jump:0.05", "jump:0", "jump:1", "independence", "heatbath", "heatbath-axis:0", "heatbath-scan",
		"balanced:sqrt", "balanced:barker:flip", "balanced:min", "gradient", "tabu:2", "tabu:3:barker", "delayed-rejection",
		"suwa-todo", "suwa-todo-axis:0", "heatbath-zigzag", "block:1x1", "swendsen-wang", "wolff", "stay", "lazy:0.5", "lazy:0.25:suwa-todo",
		"repeat:3:metropolis", "repeat:2:heatbath-scan",
		"compose:metropolis+heatbath", "palindrome:metropolis+heatbath", "palindrome:suwa-todo+barker",
		"mixture:1*metropolis+3*heatbath-scan", "mixture:0.5*barker+0.5*jump:0.1", "lazy:0.1:compose:moore+barker",
	}
}

// TestLibraryRows checks every kernel of the library on random spaces: enumerated rows are the
// closed forms, the distribution is invariant, and the time reversal is one.
func TestLibraryRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := exacttest.SmallLattice(t, 12)
		logf := exacttest.DrawLogF(t, "log f", l.States(), true)
		selector := rapid.SampledFrom(library()).Draw(t, "kernel")
		k := longtest.Must(kernels.Parse(selector, l))(t)
		rows := longtest.Must(kernel.NewRows(context.Background(), k, logf))(t)
		if _, ok := k.(chains.Rower); !ok {
			t.Fatalf("%s has no rows in closed form", selector)
		}
		walked := longtest.Must(kernel.NewRows(context.Background(), exacttest.MoveOnly{Kernel: k}, logf))(t)
		reversal := rows
		if r, ok := k.(chains.Reverser); ok {
			reversal = longtest.Must(kernel.NewRows(context.Background(), r.Reversal(), logf))(t)
		}
		moved := make([]float64, len(logf))
		for x := range logf {
			for y := range logf {
				p := rows.At(x, y)
				// Combined kernels add up hundreds of branches.
				if w := walked.At(x, y); math.Abs(p-w) > 1e-15 && (!strings.ContainsAny(selector, "+23") || math.Abs(p-w) > 1e-13) {
					t.Fatalf("%s: T(%d,%d) = %v, enumerated %v", selector, x, y, p, w)
				}
				moved[y] += math.Exp(logf[x]) * p
				there, back := math.Exp(logf[x])*p, math.Exp(logf[y])*reversal.At(y, x)
				if math.Abs(there-back) > 1e-13*max(there, back)+1e-18 {
					t.Fatalf("%s: from %d to %d flows %v, and %v in the reversal", selector, x, y, there, back)
				}
			}
		}
		for y, v := range logf {
			if !exacttest.Same(moved[y], math.Exp(v), 1e-13, 500) {
				t.Fatalf("%s: state %d has mass %v, after a move %v", selector, y, math.Exp(v), moved[y])
			}
		}
	})
}

// TestLibrarySolves solves with every kernel and checks all identities.
func TestLibrarySolves(t *testing.T) {
	longtest.Only(t)
	for _, selector := range library() {
		for _, toy := range []string{"easy", "hard", "barrier"} {
			if selector == "compose:metropolis+heatbath" && toy == "hard" {
				continue
			}
			a := exacttest.Annealing(t, toy, "linear", selector, exacttest.Longest(4, 12, 25))
			if bad := exacttest.Failing(t, a, exacttest.Solve(t, a)); bad != nil {
				t.Errorf("%s on %s: %v do not hold", selector, toy, bad)
			}
		}
	}
}

// TestRejectionFree: on a line if no state has half of the mass, Suwa and Todo's kernel never stays
// at a state.
func TestRejectionFree(t *testing.T) {
	k := kernels.SuwaTodoAxis{Space: grid.MustNew(5), Axis: 0}
	rows := longtest.Must(kernel.NewRows(context.Background(), k, []float64{0, 0.3, -0.2, 0.5, 0.1}))(t)
	for x := range 5 {
		if p := rows.At(x, x); p != 0 {
			t.Errorf("state %d stays with probability %v", x, p)
		}
	}
}

// others proposes each of the other states of the line through x along an axis alike.
func others(l *grid.Lattice, axis int) func(x int) map[int]num {
	return func(x int) map[int]num {
		out := map[int]num{}
		states, at := line(l, axis, x)
		for i, y := range states {
			if i != at {
				out[y] = toNum(1).quo(toNum(float64(len(states) - 1)))
			}
		}
		return out
	}
}

// definitions returns the matrices of kernels of the library on a plane, by their selectors, from
// their documented definitions.
func definitions(l *grid.Lattice, p []num) map[string]plainMatrix {
	either := func(a float64, one plainMatrix, b float64, two plainMatrix) plainMatrix {
		return blend([]num{toNum(a), toNum(b)}, one, two)
	}
	stay := plainStay(p)
	metropolis, barker := proposing(p, nearest(l), metropolisRule), proposing(p, nearest(l), barkerRule)
	independence := proposing(p, func(int) map[int]num { return anywhere(len(p)) }, metropolisRule)
	h0, h1, s0, s1 := heatBath(l, 0, p), heatBath(l, 1, p), suwaTodo(l, 0, p), suwaTodo(l, 1, p)
	scan, suwa := h0.times(h1), either(0.5, s0, 0.5, s1)
	return map[string]plainMatrix{
		"metropolis": metropolis, "barker": barker, "moore": proposing(p, around(l), metropolisRule), "independence": independence, "stay": stay,
		"flip":            either(0.5, proposing(p, others(l, 0), metropolisRule), 0.5, proposing(p, others(l, 1), metropolisRule)),
		"jump:0.3":        either(0.7, metropolis, 0.3, independence),
		"heatbath-axis:0": h0, "heatbath-axis:1": h1, "heatbath": either(0.5, h0, 0.5, h1), "heatbath-scan": scan,
		"suwa-todo-axis:0": s0, "suwa-todo-axis:1": s1, "suwa-todo": suwa,
		"lazy:0.25:barker": either(0.25, stay, 0.75, barker), "lazy:0.25:suwa-todo": either(0.25, stay, 0.75, suwa),
		"repeat:3:metropolis":                          metropolis.times(metropolis).times(metropolis),
		"compose:metropolis+heatbath-axis:0":           metropolis.times(h0),
		"compose:suwa-todo-axis:0+barker+metropolis":   s0.times(barker).times(metropolis),
		"palindrome:heatbath-axis:1+metropolis":        h1.times(metropolis).times(h1),
		"palindrome:metropolis+barker+heatbath-axis:0": metropolis.times(barker).times(h0).times(barker).times(metropolis),
		"mixture:1*metropolis+3*heatbath-scan":         either(0.25, metropolis, 0.75, scan),
		"mixture:0.5*barker+1.5*suwa-todo-axis:1":      either(0.25, barker, 0.75, s1),
	}
}

// TestDefinitions compares every kernel of the library with the matrix of its definition: in closed
// form, enumerated from Move, and the time reversal from states of positive probability. Spaces are
// rectangles, and f has ties and zeros.
func TestDefinitions(t *testing.T) {
	longtest.Only(t)
	exacttest.CheckSome(t, 25, func(t *rapid.T) {
		space := grid.MustNew(rapid.IntRange(1, 3).Draw(t, "rows"), rapid.IntRange(2, 4).Draw(t, "columns"))
		logf, p := make([]float64, space.States()), make([]num, space.States())
		for x := range logf {
			logf[x] = rapid.OneOf(rapid.Float64Range(-3, 3), rapid.SampledFrom([]float64{0, 1, math.Inf(-1)})).Draw(t, "log f")
			p[x] = toNum(math.Exp(logf[x]))
		}
		all := definitions(space, p)
		if len(all) != 23 {
			t.Fatalf("%d kernels", len(all))
		}
		for selector, want := range all {
			k := longtest.Must(kernels.Parse(selector, space))(t)
			if fmt.Sprint(k) != selector {
				t.Fatalf("%s calls itself %v", selector, k)
			}
			back := k
			if r, ok := k.(chains.Reverser); ok {
				back = r.Reversal()
			}
			compareRows(t, selector, k, logf, want, func(int) bool { return true })
			compareRows(t, selector+", reversed", back, logf, want.reversed(p), func(x int) bool { return !p[x].zero() })
		}
	})
}

// compareRows compares some rows of a kernel, in closed form and enumerated, with those of a
// matrix.
func compareRows(t *rapid.T, what string, k chains.Kernel, logf []float64, want plainMatrix, compared func(x int) bool) {
	for name, form := range map[string]chains.Kernel{"closed form": k, "Move": exacttest.MoveOnly{Kernel: k}} {
		rows := longtest.Must(kernel.NewRows(context.Background(), form, logf))(t)
		for x := range want {
			for y, p := range want[x] {
				if compared(x) && math.Abs(rows.At(x, y)-p.float()) > 1e-13 {
					t.Fatalf("%s, %s: T(%d,%d) = %v, by its definition %v", what, name, x, y, rows.At(x, y), p.float())
				}
			}
		}
	}
}

// kite is a triangle with a tail: ann, bob and cat know each other, cat knows dan, and dan knows
// eve. A state has three directions, as cat has three neighbours.
func kite(t longtest.Failer) grid.Graph {
	return longtest.Must(grid.ParseEdges([]byte("ann,bob\nbob,cat\ncat,ann\ncat,dan\ndan,eve\n")))(t)
}

// kiteMatrix is the transition matrix on the kite by hand, for a rule that accepts proposals.
func kiteMatrix(f [5]float64, accept func(from, to float64) float64) (T [5][5]float64) {
	joined := [5][5]int{
		{0, 1, 1, 0, 0},
		{1, 0, 1, 0, 0},
		{1, 1, 0, 1, 0},
		{0, 0, 1, 0, 1},
		{0, 0, 0, 1, 0},
	}
	for x := range 5 {
		T[x][x] = 1
		for y := range 5 {
			if joined[x][y] == 1 {
				T[x][y] = accept(f[x], f[y]) / 3
				T[x][x] -= T[x][y]
			}
		}
	}
	return T
}

func acceptMetropolis(from, to float64) float64 { return math.Min(1, to/from) }
func acceptBarker(from, to float64) float64     { return to / (from + to) }

// TestRowsOnGraphByHand compares the kernels on a graph with a dense matrix written by hand.
func TestRowsOnGraphByHand(t *testing.T) {
	g := kite(t)
	logf := []float64{0, 1.5, -2, 2, 0.5}
	var f [5]float64
	for x, v := range logf {
		f[x] = math.Exp(v)
	}
	jump := kiteMatrix(f, acceptMetropolis) // with probability 0.7, else to any state
	for x := range 5 {
		for y := range 5 {
			jump[x][y] *= 0.7
		}
		for y := range 5 {
			jump[x][y] += 0.3 / 5 * acceptMetropolis(f[x], f[y])
			jump[x][x] += 0.3 / 5 * (1 - acceptMetropolis(f[x], f[y]))
		}
	}
	for _, c := range []struct {
		kernel chains.Kernel
		want   [5][5]float64
	}{
		{kernels.Metropolis{Space: g}, kiteMatrix(f, acceptMetropolis)},
		{kernels.Barker{Space: g}, kiteMatrix(f, acceptBarker)},
		{kernels.Jump{Space: g, Eps: 0.3}, jump},
	} {
		rows := longtest.Must(kernel.NewRows(context.Background(), c.kernel, logf))(t)
		enumerated := longtest.Must(kernel.NewRows(context.Background(), exacttest.MoveOnly{Kernel: c.kernel}, logf))(t)
		for x := range 5 {
			for y := range 5 {
				if a, b := rows.At(x, y), enumerated.At(x, y); math.Abs(a-c.want[x][y]) > 1e-15 || math.Abs(b-c.want[x][y]) > 1e-15 {
					t.Errorf("%v from %s to %s: rows %v, enumerated %v, by hand %v", c.kernel, g.Label(x), g.Label(y), a, b, c.want[x][y])
				}
			}
		}
	}
}

// TestCompleteGraphByHand: on the complete graph of n states a nearly flat target lags behind by
// what one move leaves of a difference, the second eigenvalue -1/(n-1).
func TestCompleteGraphByHand(t *testing.T) {
	const n = 50
	g := longtest.Must(grid.NewComplete(n))(t)
	target := make([]float64, n)
	target[0] = 1e-9
	s := exacttest.Solve(t, exacttest.Build(t, nil, target, schedules.Linear{}, kernels.Metropolis{Space: g}, 3))
	step, left := target[0]/2*(1-1.0/n)/n, -1.0/(n-1) // what a step of beta adds to p(0), and what a move leaves of it
	lag := left*step + left*left*step
	want := lag * lag * (n + n/(n-1.0)) // sum of (q-p)^2/p, to first order
	if math.Abs(s.J-want) > 1e-6*want {
		t.Errorf("J = %v, by hand %v", s.J, want)
	}
}
