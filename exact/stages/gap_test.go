package stages_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/exact"
	"breadboard/exact/internal/exacttest"
	"breadboard/exact/kernel"
	"breadboard/exact/stages"
	"breadboard/grid/longtest"
)

func gap(t testing.TB, a *chains.Annealing, progress func(steps int)) *stages.Gap {
	t.Helper()
	return longtest.Must(stages.GapByStage(context.Background(), a, progress))(t)
}

// checkGap fails the test where an identity of Gap.Check does not hold.
func checkGap(t testing.TB, name any, g *stages.Gap, s *exact.Solution) {
	t.Helper()
	for _, i := range g.Check(s) {
		if !i.OK {
			t.Errorf("%v: %s: %v and %v differ by %.3g, allowed %.3g", name, i.Name, i.Got, i.Want, i.Error, i.Tolerance)
		}
	}
}

// TestGapBruteForce compares every bracket with its definition in plain probabilities, and both sums with a walk over
// every path: any lattice, zeros in either end, a kernel that is not reversible.
func TestGapBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := exacttest.Problem(t, 6, 4)
		got := longtest.Must(stages.GapByStage(context.Background(), a, nil))(t)
		want := plainGap(t, a)
		if len(got.Stages) != a.Distributions()-1 {
			t.Fatalf("%d stages of %d", len(got.Stages), a.Distributions()-1)
		}
		for i, w := range want {
			g := got.Stages[i]
			if g.Stage != w.Stage || g.Beta != w.Beta || !exacttest.Same(g.Forward, w.Forward, 1e-12, 10) || !exacttest.Same(g.Reverse, w.Reverse, 1e-12, 10) || !exacttest.Same(g.Jeffreys, w.Jeffreys, 1e-12, 10) {
				t.Fatalf("%+v, by definition %+v", g, w)
			}
		}
		pathForward, pathReverse := 0.0, 0.0
		exacttest.EachWidePath(t, a, func(p exacttest.Path) {
			pathForward += exacttest.WideTerm(p.Forward, p.Reverse)
			pathReverse += exacttest.WideTerm(p.Reverse, p.Forward)
		})
		forward, reverse := got.Sums()
		if !exacttest.Same(forward, pathForward, 1e-12, 10) || !exacttest.Same(reverse, pathReverse, 1e-12, 10) {
			t.Fatalf("sums %v and %v, over paths %v and %v", forward, reverse, pathForward, pathReverse)
		}
		sol := exacttest.Solve(t, a)
		for _, i := range got.Check(sol) {
			if !i.OK {
				t.Fatalf("%s: %v and %v differ by %.3g, allowed %.3g", i.Name, i.Got, i.Want, i.Error, i.Tolerance)
			}
		}
	})
}

// plainGap computes the brackets by their definitions.
func plainGap(t *rapid.T, a *chains.Annealing) []stages.StageGap {
	T := a.Distributions()
	p, q, r := make([][]float64, T+1), make([][]float64, T+1), make([][]float64, T+1)
	rows, back := make([]*kernel.Rows, T+1), make([]*kernel.Rows, T+1)
	for i := 1; i <= T; i++ {
		var logf []float64
		rows[i], logf = exacttest.StageRows(t, a, i)
		p[i] = stages.Distribution(a.Path(), a.Beta(i))
		back[i] = rows[i]
		if k, ok := a.Kernel().(chains.Reverser); ok {
			back[i] = exacttest.MustRows(t, k.Reversal(), logf)
		}
	}
	q[1], r[T] = p[1], p[T]
	for i := 2; i <= T; i++ {
		q[i] = exacttest.PushRows(q[i-1], rows[i])
	}
	for i := T; i >= 2; i-- {
		r[i-1] = exacttest.PushRows(r[i], back[i])
	}
	var out []stages.StageGap
	for i := 2; i <= T; i++ {
		g := stages.StageGap{Stage: i, Beta: a.Beta(i), Jeffreys: exacttest.Kl(q[i], r[i]) + exacttest.Kl(r[i], q[i])}
		if g.Forward = exacttest.Kl(q[i-1], p[i]); !math.IsInf(g.Forward, 1) {
			g.Forward -= exacttest.Kl(q[i], p[i])
		}
		for y := range r[i] {
			if r[i][y] > 0 && p[i][y] == 0 {
				g.Reverse = math.Inf(1)
			}
			for _, e := range back[i].Row(y) {
				joint := q[i-1][e.To] * rows[i].At(e.To, y)
				switch m := r[i][y] * e.P; {
				case m == 0 || p[i][y] == 0:
				case q[i][y] == 0:
					g.Reverse = math.Inf(1)
				default:
					g.Reverse += m * math.Log(e.P*q[i][y]/joint)
				}
			}
		}
		out = append(out, g)
	}
	return out
}

// TestGapAddsUp compares the sums over the stages with the solver's numbers: where brackets are many and small, where
// ratios or entries of rows are out of the range of float64, and for kernels that are not reversible.
func TestGapAddsUp(t *testing.T) {
	longtest.NotShort(t)
	for _, c := range []struct {
		toy, schedule, kernel string
		T                     int
	}{
		{"easy", "linear", "metropolis", 3000}, {"hard", "sigmoid:4", "metropolis", 1000}, {"barrier", "linear", "barker", 1000},
		{"barrier", "linear", "metropolis", 5000}, {"hard", "power:2", "heatbath-scan", 100}, {"easy", "linear", "suwa-todo", 100},
		{"random:300:0", "linear", "metropolis", 100}, {"random:300:0", "linear", "heatbath-scan", 30}, {"random:300:1", "linear", "barker", 2},
		{"file:../testdata/corners.csv", "linear", "metropolis", 100}, {"file:../testdata/corners.csv", "linear", "barker", 300},
		{"file:../testdata/oblong.csv", "linear", "metropolis", 50},
	} {
		a := exacttest.Annealing(t, c.toy, c.schedule, c.kernel, min(c.T, exacttest.Longest(100, 1000, c.T)))
		checkGap(t, c, gap(t, a, nil), exacttest.SolveWith(t, a, exact.Options{General: true}))
	}
}

// TestGapProgress counts the steps of three sweeps.
func TestGapProgress(t *testing.T) {
	longtest.NotShort(t)
	for _, T := range []int{2, 3, 100, 1234, exacttest.Longest(200, 5000, 5000)} { // the reverse chain of the last has two stretches
		total := 0
		gap(t, exacttest.Annealing(t, "easy", "linear", "metropolis", T), func(n int) { total += n })
		if total != 3*(T-1) {
			t.Errorf("T = %d: progress adds up to %d steps of %d", T, total, 3*(T-1))
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	_, err := stages.GapByStage(ctx, exacttest.Annealing(t, "easy", "linear", "metropolis", 1_000_000), func(int) { cancel() })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
