package weights_test

import (
	"context"
	"math"
	"math/cmplx"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/number"
	"breadboard/chains/schedules"
	"breadboard/exact/internal/exacttest"
	"breadboard/exact/weights"
	"breadboard/grid/longtest"
	"breadboard/toys"
)

// TestEndTransformsByPaths compares the joint transform of the weight and of the last state with
// sums over every path.
func TestEndTransformsByPaths(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := exacttest.Problem(t, 4, 3)
		n := a.States()
		first, last := make([]float64, n), make([]float64, n)
		a.LogF(first, 1)
		a.LogF(last, a.Distributions())
		logZRatio := number.LogSumExp(last) - number.LogSumExp(first)
		lines := []weights.Vertical{
			{Power: rapid.Float64Range(-1, 2).Draw(t, "power"), Step: rapid.Float64Range(0.01, 1).Draw(t, "step"), Points: rapid.IntRange(1, 150).Draw(t, "points")},
			{Power: 0, Step: 3, Points: 2},
		}
		got := longtest.Must(weights.EndTransforms(context.Background(), a, lines, 1, nil))(t)
		for i, l := range lines {
			k := rapid.IntRange(0, l.Points-1).Draw(t, "point")
			scale, paths := make([]number.Wide, n), []exacttest.Path{}
			exacttest.EachWidePath(t, a, func(p exacttest.Path) {
				if p.Forward.M > 0 && !math.IsInf(p.LogW, 0) {
					p.LogW -= logZRatio
					p.Forward = p.Forward.Mul(number.WideExp(l.Power * p.LogW))
					scale[p.Last] = scale[p.Last].Add(p.Forward)
					paths = append(paths, p)
				}
			})
			want := make([]complex128, n) // relative to the scale
			for _, p := range paths {
				want[p.Last] += cmplx.Rect(p.Forward.Div(scale[p.Last]).Float(), float64(k)*l.Step*p.LogW)
			}
			for x := range n {
				if scale[x].M == 0 {
					if !math.IsInf(got[i].LogScale[x], -1) {
						t.Fatalf("state %d: %v, and no chain ends there", x, got[i].LogScale[x])
					}
					continue
				}
				if math.IsInf(got[i].LogScale[x], 1) && exacttest.TinyMoves(t, a) {
					continue // it says that it is not known
				}
				value := complex(number.WideExp(got[i].LogScale[x]).Div(scale[x]).Float(), 0) * got[i].Values[x][k]
				if off := cmplx.Abs(value - want[x]); !(off <= 1e-11) {
					t.Fatalf("line %+v, point %d, state %d: %v, by paths %v, off by %.2g", l, k, x, value, want[x], off)
				}
			}
		}
	})
}

// modelAnnealing returns the annealing of a model from its prior on a path, with the schedule
// sigmoid:4 and scans of Gibbs moves.
func modelAnnealing(t testing.TB, toy, path string, T int) *chains.Annealing {
	t.Helper()
	y := longtest.Must(toys.Parse(toy))(t)
	start := longtest.Must(toys.ParseInitial(context.Background(), y.DefaultInitial(), y))(t)
	p := longtest.Must(toys.ParsePath(path, start.Ends, y))(t)
	k := longtest.Must(kernels.Parse("heatbath-scan", y.Space))(t)
	s := longtest.Must(schedules.Parse("sigmoid:4"))(t)
	return longtest.Must(chains.NewAnnealing(p, s, k, T))(t)
}

// TestTwoPathsOfAModel: on the tempered path the likelihood is raised to a power before the
// parameters are integrated out, and on the geometric one afterwards. The figures are those of
// programs that are independent of this project.
func TestTwoPathsOfAModel(t *testing.T) {
	for _, c := range []struct {
		toy, path string
		b, digits float64
	}{
		{"clu6", "geometric", 0.961442814491, 1e-12}, {"clu8", "geometric", 2.813526545754, 1e-12}, {"bin4", "geometric", 0.354005480649, 1e-12},
		{"clu6", "tempered", 1.0861, 5e-5}, {"clu8", "tempered", 2.9505, 5e-5}, {"bin4", "tempered", 0.5174, 5e-5},
	} {
		if got := exacttest.Solve(t, modelAnnealing(t, c.toy, c.path, 10)).B; math.Abs(got-c.b) > c.digits {
			t.Errorf("%s on the path %s: B = %.13g, want %v", c.toy, c.path, got, c.b)
		}
	}
}

// TestTemperedModels: everything that is known of two models on the tempered path with T = 30.
func TestTemperedModels(t *testing.T) {
	for _, c := range []struct {
		toy                                string
		forward, sdForward                 float64
		reverse, sdReverse, b, j, klQ, klP float64
	}{
		{
			"clu8", -19.5336770391578, 1.08267169317485, -18.5448709314448, 0.90979110433964,
			0.988806107712932, 8.61451034e-08, 4.30989423e-08, 4.30461611e-08,
		},
		{
			"bin4", -17.2976564389841, 0.405742116216766, -17.1331559795836, 0.405201892360063,
			0.164500459400525, 1.55728263e-06, 7.78759123e-07, 7.78523505e-07,
		},
	} {
		a := modelAnnealing(t, c.toy, "tempered", 30)
		s := exacttest.Solve(t, a)
		sd := func(d chains.Direction) float64 {
			m := longtest.Must(weights.CumulantsOf(context.Background(), a, d))(t)
			return math.Sqrt(m.Variance)
		}
		for _, q := range []struct {
			name              string
			got, want, digits float64
		}{
			{"mean_log_w_forward", s.MeanLogWForward, c.forward, 1e-12}, {"mean_log_w_reverse", s.MeanLogWReverse, c.reverse, 1e-12},
			{"sd_log_w_forward", sd(chains.Forward), c.sdForward, 1e-11}, {"sd_log_w_reverse", sd(chains.Reverse), c.sdReverse, 1e-11},
			{"B", s.B, c.b, 1e-12}, {"J", s.J, c.j, 1e-8}, {"kl_q_p", s.KLQP, c.klQ, 2e-8}, {"kl_p_q", s.KLPQ, c.klP, 2e-8},
		} {
			if math.Abs(q.got-q.want) > q.digits*math.Abs(q.want) {
				t.Errorf("%s: %s = %.15g, want %.15g", c.toy, q.name, q.got, q.want)
			}
		}
	}
}
