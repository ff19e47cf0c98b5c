package stages_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact/internal/exacttest"
	"breadboard/exact/kernel"
	"breadboard/exact/stages"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// chainRows returns the distribution of the first state of a chain of direction d, and the rows of
// each of its moves.
func chainRows(t *rapid.T, a *chains.Annealing, d chains.Direction) (start []float64, moves []*kernel.Rows) {
	T := a.Distributions()
	first := 1
	k := a.Kernel()
	if d == chains.Reverse {
		first = T
		if r, ok := k.(chains.Reverser); ok {
			k = r.Reversal()
		}
	}
	logf := make([]float64, a.States())
	for i := 2; i <= T; i++ {
		a.LogF(logf, stageAfter(d, i, T))
		moves = append(moves, exacttest.MustRows(t, k, logf))
	}
	return stages.Distribution(a.Path(), a.Beta(first)), moves
}

// stageAfter returns the stage whose kernel makes the i-th state of a chain.
func stageAfter(d chains.Direction, i, T int) int {
	if d == chains.Reverse {
		return T + 2 - i
	}
	return i
}

// joint returns the probability that a chain is at x after u moves and at y after v >= u moves.
func joint(start []float64, moves []*kernel.Rows, u, x, v, y int) float64 {
	q := start
	for _, m := range moves[:u] {
		q = exacttest.PushRows(q, m)
	}
	only := make([]float64, len(q))
	only[x] = q[x]
	for _, m := range moves[u:v] {
		only = exacttest.PushRows(only, m)
	}
	return only[y]
}

// TestFollowBruteForce compares marginal and conditional distributions with joint probabilities
// from pushes along plain rows, divided by that of the condition.
func TestFollowBruteForce(plain *testing.T) {
	rapid.Check(plain, func(t *rapid.T) {
		a := exacttest.Problem(t, 6, 6)
		if rapid.Bool().Draw(t, "scan") {
			a = exacttest.Annealing(plain, "random:2:1:2x3", "sigmoid", "heatbath-scan", 6)
		}
		n := a.States()
		T := a.Distributions()
		d := rapid.SampledFrom([]chains.Direction{chains.Forward, chains.Reverse}).Draw(t, "direction")
		stage := rapid.IntRange(1, T).Draw(t, "stage")
		x := rapid.IntRange(0, n-1).Draw(t, "state")
		wanted := rapid.SliceOfN(rapid.IntRange(1, T), 0, 2*T).Draw(t, "stages")
		start, moves := chainRows(t, a, d)
		movesBefore := func(s int) int {
			if d == chains.Reverse {
				return T - s
			}
			return s - 1
		}
		all := make([]int, T)
		for s := range all {
			all[s] = s + 1
		}
		for _, m := range longtest.Must(stages.Marginals(t.Context(), a, all))(t) {
			law := m.Forward
			moved := movesBefore(m.Stage)
			p := stages.Distribution(a.Path(), m.Beta)
			if d == chains.Reverse {
				law = m.Reverse
			}
			for y, got := range law {
				if want := joint(start, moves, moved, y, moved, y); math.Abs(got-want) > 1e-13 ||
					math.Abs(m.P[y]-p[y]) > 1e-13 {
					t.Fatalf("P(x_%d = %d) of the %v chain is %v, want %v; p is %v, want %v", m.Stage, y,
						d, got, want, m.P[y], p[y])
				}
			}
		}
		at := movesBefore(stage)
		mass := joint(start, moves, at, x, at, x)
		got, err := stages.Follow(context.Background(), a, d, stage, x, wanted)
		if mass == 0 {
			if err == nil || !strings.Contains(err.Error(), "probability zero") {
				t.Fatalf("the %v chain is never at %d at %d: %v", d, x, stage, err)
			}
			return
		}
		longtest.NoError(t, err)
		for i, s := range wanted {
			if got[i].Stage != s || got[i].Beta != a.Beta(s) {
				t.Fatalf("stage %d is %+v", s, got[i])
			}
			for y := range n {
				u, v := movesBefore(s), at
				want := joint(start, moves, min(u, v), y, v, x)
				if u > v {
					want = joint(start, moves, v, x, u, y)
				}
				want /= mass
				if math.Abs(got[i].Law[y]-want) > 1e-12 {
					t.Fatalf("P(x_%d = %d | x_%d = %d) of the %v chain is %v, want %v", s, y, stage, x,
						d, got[i].Law[y], want)
				}
			}
		}
	})
}

// TestFollowFromAZeroOfTheTarget: a chain that starts where the target is zero may still be there,
// and is followed from there. Of the two proposals of the first of four cells in a row one leads
// out of the grid, and the other is always accepted.
func TestFollowFromAZeroOfTheTarget(t *testing.T) {
	a := exacttest.Annealing(t, "cells:-inf:0:1:2", "linear", "metropolis", 6)
	got := longtest.Must(stages.Follow(context.Background(), a, chains.Forward, 3, 0, []int{1, 3, 4, 6}))(t)
	for i, want := range []float64{1, 1, 0.5, 0.5 * 0.5 * 0.5} {
		total := 0.0
		for _, p := range got[i].Law {
			total += p
		}
		if math.Abs(got[i].Law[0]-want) > 1e-15 || math.Abs(total-1) > 1e-15 {
			t.Errorf("stage %d: %v, want %v at the first cell", got[i].Stage, got[i].Law, want)
		}
	}
}

func TestFollowRefuses(t *testing.T) {
	a := exacttest.TwoModes()
	for want, c := range map[string]struct{ t, x, s int }{
		"stage 0 of an annealing with 20 distributions": {0, 0, 1}, "stage 21 ": {21, 0, 1},
		"stage 0 ": {1, 0, 0}, "state -1 of 5": {1, -1, 1},
		"states are 0 to 4": {1, 5, 1},
	} {
		longtest.Refuses(stages.Follow(t.Context(), a, chains.Forward, c.t, c.x, []int{c.s}))(t, want)
	}
	longtest.Refuses(stages.Marginals(t.Context(), a, []int{0}))(t, "stage 0 ")
	ended, end := context.WithCancel(context.Background())
	end()
	for _, d := range []chains.Direction{chains.Forward, chains.Reverse} {
		if _, err := stages.Follow(ended, a, d, 10, 0, []int{1, 20}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: after its context has ended: %v", d, err)
		}
	}
}

// TestSpread: stages begin with 1, end with T, grow, and are nowhere more than half a stage from
// even spacing.
func TestSpread(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		T := rapid.IntRange(2, 1_000_000).Draw(t, "T")
		count := rapid.IntRange(2, 300).Draw(t, "count")
		got, err := stages.Spread(T, count)
		if err != nil || len(got) != min(T, count) || got[0] != 1 || got[len(got)-1] != T {
			t.Fatalf("%v, %v", got, err)
		}
		for i, s := range got {
			if i > 0 && s <= got[i-1] ||
				math.Abs(float64(s-1)-float64(i)*float64(T-1)/float64(len(got)-1)) > 0.5+1e-6 {
				t.Fatalf("stage %d of %d is %d: %v", i, len(got), s, got)
			}
		}
	})
	if got, _ := stages.Spread(4, 100); !slices.Equal(got, []int{1, 2, 3, 4}) {
		t.Errorf("all stages are %v", got)
	}
	for _, bad := range [][2]int{{1, 5}, {5, 1}, {5, 0}} {
		longtest.Refuses(stages.Spread(bad[0], bad[1]))(t, "both are at least 2", bad)
	}
}

// TestTooManyLawsAreRefused: if the distributions that are kept on the way would take too much
// memory, the gap is refused with the size, before any is computed.
func TestTooManyLawsAreRefused(t *testing.T) {
	space := grid.MustNew(1 << 16)
	a := exacttest.Build(t, nil, make([]float64, space.States()), schedules.Linear{},
		kernels.Metropolis{Space: space}, 1_000_000)
	_, err := stages.GapByStage(context.Background(), a, nil)
	const want = "the distributions that are kept of 1000000 stages on 65536 states would take about 6.29 " +
		"GB, and the limit is 4 GB; give fewer distributions, or a smaller space"
	longtest.Refused(t, err, want)
}

func TestContributionsSumToB(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := exacttest.Problem(t, 8, 12)
		c, err := stages.Contributions(context.Background(), a)
		if a.Path().Zeros() {
			if err == nil || !strings.Contains(err.Error(), "infinite") {
				t.Fatalf("zeros of f: %v", err)
			}
			return
		}
		longtest.NoError(t, err)
		s := exacttest.Solve(t, a)
		total := 0.0
		size := 1.0
		for _, v := range c {
			total += v
			size += math.Abs(v)
		}
		if len(c) != a.Distributions()-1 || !exacttest.Same(total, s.B, 1e-12, size) {
			t.Fatalf("%d contributions sum to %v, B is %v", len(c), total, s.B)
		}
	})
}

func Example_gapByStage() {
	g, _ := stages.GapByStage(context.Background(), exacttest.TwoModes(), nil)
	for _, s := range []stages.StageGap{g.Stages[0], g.Stages[9], g.Stages[18]} {
		fmt.Printf("t = %2d, beta %.3f: %.6f and %.6f\n", s.Stage, s.Beta, s.Forward, s.Reverse)
	}
	forward, reverse := g.Sums()
	fmt.Printf("J = %.6f, B = %.6f\n", g.KLQP+g.KLPQ, forward+reverse)
	// Output:
	// t =  2, beta 0.053: 0.003104 and 0.003120
	// t = 11, beta 0.526: 0.004172 and 0.004491
	// t = 20, beta 1.000: 0.002252 and 0.002418
	// J = 0.120289, B = 0.275455
}

// A chain is at the left end at t = 10: where was it at the start, and if is it at the end?
func Example_follow() {
	f, _ := stages.Follow(context.Background(), exacttest.TwoModes(), chains.Forward, 10, 0, []int{1, 10, 20})
	for _, s := range f {
		fmt.Printf("t = %2d %.3f\n", s.Stage, s.Law)
	}
	// Output:
	// t =  1 [0.311 0.271 0.199 0.128 0.090]
	// t = 10 [1.000 0.000 0.000 0.000 0.000]
	// t = 20 [0.838 0.121 0.004 0.013 0.025]
}

// What a step along a path costs where mixing is perfect (Fisher information), and with a kernel
// that mixes slowly (friction).
func Example_friction() {
	path, _ := paths.NewGeometric(nil, []float64{2, 0, -3, 0, 1})
	line, _ := grid.New(5)
	for _, beta := range []float64{0, 0.5, 1} {
		f, err := stages.Friction(context.Background(), path, kernels.Metropolis{Space: line}, beta)
		fmt.Printf("beta %.1f: Fisher information %.4f, friction %.4f, %v\n", beta,
			stages.FisherInformation(path, beta), f.Value, err)
	}
	// Output:
	// beta 0.0: Fisher information 2.8000, friction 5.2000, <nil>
	// beta 0.5: Fisher information 1.2570, friction 14.7988, <nil>
	// beta 1.0: Fisher information 0.6556, friction 102.0271, <nil>
}
