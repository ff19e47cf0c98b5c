package exact_test

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

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

// TestSolveOnGraphByHand compares J and B with the definitions, taken through dense matrices: q is pushed forward, and the
// reverse chain's expected log weight is averaged backward.
func TestSolveOnGraphByHand(t *testing.T) {
	g := kite(t)
	rapid.Check(t, func(t *rapid.T) {
		scale := rapid.SampledFrom([]float64{1e-12, 1, 5}).Draw(t, "scale")
		constant := rapid.SampledFrom([]float64{0, -3, 1e12}).Draw(t, "constant")
		if constant == 1e12 {
			scale = 4 // steps that the constant leaves
		}
		target := make([]float64, 5)
		var shape [5]float64
		for x := range target {
			target[x] = constant + scale*float64(rapid.IntRange(-8, 8).Draw(t, "g"))/8
			shape[x] = target[x] - constant
		}
		T := rapid.IntRange(2, 9).Draw(t, "T")
		for _, c := range []struct {
			kernel chains.Kernel
			accept func(from, to float64) float64
		}{{kernels.Metropolis{Space: g}, acceptMetropolis}, {kernels.Barker{Space: g}, acceptBarker}} {
			a := exacttest.Build(t, nil, target, schedules.Linear{}, c.kernel, T)
			s := exacttest.Solve(t, a)
			j, b := kiteByHand(shape, T, c.accept)
			if tolerance := 1e-13 * (1 + math.Abs(b)); math.Abs(s.J-j) > tolerance || math.Abs(s.B-b) > tolerance {
				t.Errorf("%v, g = %v, T = %d: J = %v and B = %v, by hand %v and %v", c.kernel, target, T, s.J, s.B, j, b)
			}
		}
	})
}

// kiteByHand returns J and B of annealing on the kite.
func kiteByHand(g [5]float64, T int, accept func(from, to float64) float64) (j, b float64) {
	q, back := [5]float64{0.2, 0.2, 0.2, 0.2, 0.2}, [5]float64{} // back(x) = E_rev[log w so far | x_t = x]
	forward, step := 0.0, 1/float64(T-1)
	var p [5]float64
	for t := 2; t <= T; t++ {
		var f [5]float64
		z := 0.0
		for x := range 5 {
			f[x] = math.Exp(g[x] * float64(t-1) * step)
			z += f[x]
		}
		M := kiteMatrix(f, accept)
		var next, mean [5]float64
		for x := range 5 {
			forward += q[x] * step * g[x]
			p[x] = f[x] / z
			for y := range 5 {
				next[y] += q[x] * M[x][y]
				mean[x] += M[x][y] * (back[y] + step*g[y]) // reversible: back from x as forward
			}
		}
		q, back = next, mean
	}
	for x := range 5 {
		j += (q[x] - p[x]) * math.Log(q[x]/p[x])
		b += p[x] * back[x]
	}
	return j, b - forward
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
