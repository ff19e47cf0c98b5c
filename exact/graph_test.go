package exact_test

import (
	"context"
	"math"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/schedules"
	"breadboard/exact/internal/exacttest"
	"breadboard/exact/kernel"
	"breadboard/grid"
	"breadboard/grid/graphs"
	"breadboard/grid/longtest"
)

// kite is a triangle with a tail: ann, bob and cat know each other, cat knows dan, and dan knows eve. A state has three
// directions, as cat has three neighbours.
func kite(t longtest.Failer) grid.Graph {
	return longtest.Must(graphs.ParseEdges([]byte("ann,bob\nbob,cat\ncat,ann\ncat,dan\ndan,eve\n")))(t)
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

// TestCompleteGraphByHand: on the complete graph of n states a nearly flat target lags behind by what one move leaves of
// a difference, the second eigenvalue -1/(n-1).
func TestCompleteGraphByHand(t *testing.T) {
	const n = 50
	g := longtest.Must(graphs.NewComplete(n))(t)
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
