package exact_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/number"
	"breadboard/chains/schedules"
	"breadboard/exact"
	"breadboard/exact/internal/exacttest"
	"breadboard/exact/stages"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

func uniform(n int) []float64 {
	r := slices.Repeat([]float64{1 / float64(n)}, n)
	return r
}

func subjective(t testing.TB, a *chains.Annealing) *exact.Subjective {
	t.Helper()
	return longtest.Must(exact.NewSubjective(context.Background(), a, nil))(t)
}

// TestSubjectiveBruteForce compares with a sum over every path, for any reference on the support of
// the target, zeros in either end, a kernel that is not reversible, and up to three moves.
func TestSubjectiveBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := exacttest.Problem(t, 6, 4)
		s := longtest.Must(exact.NewSubjective(context.Background(), a, nil))(t)
		target := stages.Distribution(a.Path(), 1)
		r := make([]float64, a.States())
		total := 0.0
		for x, p := range target {
			if p > 0 {
				r[x] = max(0, rapid.Float64Range(-0.5, 1).Draw(t, "r"))
				total += r[x]
			}
		}
		if total == 0 {
			copy(r, target)
			total = 1
		}
		for x := range r {
			r[x] /= total
		}
		points, _, err := s.From(context.Background(), r, []int{0, 3, 1})
		longtest.NoError(t, err)
		rows, _ := exacttest.StageRows(t, a, a.Distributions())
		law := map[int][]float64{0: r, 1: exacttest.PushRows(r, rows)}
		law[3] = exacttest.PushRows(exacttest.PushRows(law[1], rows), rows)
		for _, p := range points {
			forwardMean := 0.0
			reverseMean := 0.0
			path := 0.0
			exacttest.EachWidePath(t, a, func(u exacttest.Path) {
				if u.Forward.M > 0 {
					forwardMean += u.Forward.Float() * u.LogW
				}
				if q := law[p.Moves][u.Last]; u.Reverse.M > 0 && q > 0 {
					m := u.Reverse.Mul(number.Scaled(q/target[u.Last], 0))
					reverseMean += m.Float() * u.LogW
					path += exacttest.WideTerm(m, u.Forward)
				}
				path += exacttest.WideTerm(u.Forward, u.Reverse)
			})
			want := reverseMean - forwardMean
			if !exacttest.Same(p.Value, want, 1e-12, 10+math.Abs(forwardMean)) && !math.IsNaN(want) {
				t.Fatalf("S = %d: value %v, summed over paths %v", p.Moves, p.Value, want)
			}
			if want := exacttest.Kl(law[p.Moves], target); !exacttest.Same(p.KL, want, 1e-12, 10) {
				t.Fatalf("S = %d: KL %v, by definition %v", p.Moves, p.KL, want)
			}
			if want := path - p.KL; !math.IsInf(p.Value, 0) && !exacttest.Same(p.Value, want, 1e-11, 10) {
				t.Fatalf("S = %d: value %v, by divergences of paths %v", p.Moves, p.Value, want)
			}
		}
	})
}

// TestSubjectiveOfBarrier: if the reverse chains start from the uniform distribution and not
// from the target, the subjective divergence is negative. The number is from testdata/known.py.
func TestSubjectiveOfBarrier(t *testing.T) {
	s := subjective(t, exacttest.Annealing(t, "barrier", "linear", "metropolis", 10_000))
	points, from, err := s.From(context.Background(), uniform(49), []int{0, 10_000})
	longtest.NoError(t, err)
	// Moves cross the wall so seldom that ten thousand are not enough to make a bound of it.
	if !(math.Abs(points[0].Value+0.420959182541) <= 1e-9) || from != -1 || points[1].Value >= s.Solution.J {
		t.Errorf("%+v, a bound from S = %d", points, from)
	}
}

// TestSubjectiveWhereBIsInfinite starts reverse chains if they cannot reach the zero of p_1 that
// makes B infinite. With T = 2 the reverse chain makes one move, from state 0 to x_1 = 0 or 1, and
// the value is the mean over both.
func TestSubjectiveWhereBIsInfinite(t *testing.T) {
	g := []float64{1, -1, 0, 0, 0}
	a := exacttest.Build(t, []float64{0, 0, 0, 0, math.Inf(-1)}, g, schedules.Linear{},
		kernels.Metropolis{Space: grid.MustNew(5)}, 2)
	s := subjective(t, a)
	points, _, err := s.From(context.Background(), []float64{1, 0, 0, 0, 0}, []int{0, 4})
	longtest.NoError(t, err)
	move := math.Exp(-2) / 2
	want := (1-move)*g[0] + move*g[1] - (g[0]+g[1])/4
	if p := points[0]; !math.IsInf(s.Solution.B, 1) || !exacttest.Same(p.Value, want, 1e-14, 1) {
		t.Errorf("%+v, want %v; B = %v", p, want, s.Solution.B)
	}
	if p := points[1]; !math.IsInf(p.Value, 1) { // four moves come to the last state
		t.Errorf("%+v, want +Inf", p)
	}
}

func TestSubjectiveRefusals(t *testing.T) {
	path := exacttest.Build(t, nil, []float64{0, math.Inf(-1), 1, 2}, schedules.Linear{},
		exacttest.Annealing(t, "random:1:0:4", "linear", "metropolis", 3).Kernel(), 3)
	s := subjective(t, path)
	for _, c := range []struct {
		r     []float64
		moves []int
		want  string
	}{
		{uniform(3), []int{0}, "3 states and the target 4"},
		{uniform(4), []int{0}, "at state 1, where the target is zero"},
		{[]float64{1, 0, 1, 0}, []int{0}, "sum to 2"},
		{[]float64{2, 0, -1, 0}, []int{0}, "probability -1 at state 2"},
		{[]float64{math.NaN(), 0, 0, 1}, []int{0}, "probability NaN"},
		{[]float64{1, 0, 0, 0}, nil, "0 or more"},
		{[]float64{1, 0, 0, 0}, []int{-1}, "0 or more"},
	} {
		if _, _, err := s.From(context.Background(), c.r, c.moves); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: error %v, want one with %q", c.r, err, c.want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := s.From(ctx, []float64{1, 0, 0, 0}, []int{1 << 20}); err == nil {
		t.Error("goes on after the context has ended")
	}
}
