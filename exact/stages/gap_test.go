package stages_test

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/exact/internal/exacttest"
	"breadboard/exact/kernel"
	"breadboard/exact/stages"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// TestGapBruteForce compares every bracket with its definition in plain probabilities, and both
// sums with a walk over every path: any lattice, zeros in either end, a kernel that is not
// reversible.
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
			if g.Stage != w.Stage || g.Beta != w.Beta || !exacttest.Same(g.Forward, w.Forward, 1e-12, 10) ||
				!exacttest.Same(g.Reverse, w.Reverse, 1e-12, 10) ||
				!exacttest.Same(g.Jeffreys, w.Jeffreys, 1e-12, 10) {
				t.Fatalf("%+v, by definition %+v", g, w)
			}
		}
		pathForward := 0.0
		pathReverse := 0.0
		exacttest.EachWidePath(t, a, func(p exacttest.Path) {
			pathForward += exacttest.WideTerm(p.Forward, p.Reverse)
			pathReverse += exacttest.WideTerm(p.Reverse, p.Forward)
		})
		forward, reverse := got.Sums()
		if !exacttest.Same(forward, pathForward, 1e-12, 10) ||
			!exacttest.Same(reverse, pathReverse, 1e-12, 10) {
			t.Fatalf("sums %v and %v, over paths %v and %v", forward, reverse, pathForward, pathReverse)
		}
		sol := exacttest.Solve(t, a)
		for _, i := range got.CheckSolution(sol) {
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
	rows := make([]*kernel.Rows, T+1)
	back := make([]*kernel.Rows, T+1)
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
		g := stages.StageGap{
			Stage:    i,
			Beta:     a.Beta(i),
			Jeffreys: exacttest.Kl(q[i], r[i]) + exacttest.Kl(r[i], q[i]),
		}
		g.Forward = exacttest.Kl(q[i-1], p[i])
		if !math.IsInf(g.Forward, 1) {
			g.Forward -= exacttest.Kl(q[i], p[i])
		}
		for y := range r[i] {
			if r[i][y] > 0 && p[i][y] == 0 {
				g.Reverse = math.Inf(1)
			}
			for _, e := range back[i].Row(y) {
				joint := q[i-1][e.To] * rows[i].EntryAt(e.To, y)
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

// TestCompareFarApart: distributions thousands of nats apart, of which the likeliest state of one
// has no probability in float64 under the other, compared by definition in logarithms.
func TestCompareFarApart(t *testing.T) {
	for _, ends := range [][2][]float64{
		{{0, 1, -1, 3}, {2, 0, -2, 0.5}}, {nil, {0, 1e4, 0, 0}}, {nil, {0, -1e4, 0, 0}}, {nil, {0, 745, 3}},
		{nil, {0, 37, 37}},
		{{0, -5000, -10}, {-8000, 0, 0}}, {{0, -1000}, {-9000, 0}}, {nil, {0}},
	} {
		path := longtest.Must(paths.NewGeometric(ends[0], ends[1]))(t)
		for _, b := range [][2]float64{{0, 1}, {0, 0.5}, {0.5, 1}, {0.3, 0.3001}, {0, 1e-4}} {
			logs := func(beta float64) []float64 {
				v := make([]float64, path.States())
				path.LogF(v, chains.At(beta))
				return v
			}
			p, q := logs(b[0]), logs(b[1])
			zp, zq := floats.LogSumExp(p), floats.LogSumExp(q)
			kl := 0.0
			square := 0.0
			rejected := 0.0
			for x := range p {
				p[x], q[x] = p[x]-zp, q[x]-zq
			}
			for x := range p {
				kl += math.Exp(p[x]) * (p[x] - q[x])
				square += math.Exp(2*q[x] - p[x])
				for y := range x {
					rejected += math.Abs(math.Exp(p[x]+q[y]) - math.Exp(p[y]+q[x]))
				}
			}
			got := stages.Compare(path, b[0], b[1])
			for what, v := range map[string][2]float64{"KL": {got.KL, kl},
				"lost ESS": {got.LostESS, 1 - 1/square}, "rejection": {got.Rejection, rejected}} {
				if !exacttest.Same(v[0], v[1], 1e-11, 1+v[1]) || !(v[0] >= 0) {
					t.Errorf("%v from %v to %v: %s %v, by definition %v", ends, b[0], b[1], what, v[0], v[1])
				}
			}
		}
	}
}

// TestMetricsAreLimitsOfSteps: for a small step, the numbers of Compare must be what Fisher
// information and the rejection rate say.
func TestMetricsAreLimitsOfSteps(t *testing.T) {
	path := longtest.Must(paths.NewGeometric([]float64{0, 0.5, 1, 0}, []float64{2, 0, -1, 1}))(t)
	const h = 1e-6
	s := stages.Compare(path, 0.3, 0.3+h)
	information := stages.FisherInformation(path, 0.3)
	rate := stages.RejectionRate(path, 0.3)
	for what, ratio := range map[string]float64{
		"KL": s.KL / (information * h * h / 2), "lost ESS": s.LostESS / (information * h * h),
		"rejection": s.Rejection / (rate * h),
	} {
		if math.Abs(ratio-1) > 1e-5 {
			t.Errorf("%s is %v of its limit", what, ratio)
		}
	}
}

// TestFrictionByCovariances compares friction with its definition, the sum of covariances over the
// lags.
func TestFrictionByCovariances(t *testing.T) {
	l := grid.MustNew(3, 2)
	path := longtest.Must(paths.NewArithmetic(nil, []float64{2, 0, -1, 1, 0.3, 0}))(t)
	for _, k := range []chains.Kernel{
		kernels.Metropolis{Space: l}, kernels.Barker{Space: l}, exacttest.Scan{Space: l}} {
		const beta = 0.4
		logf := make([]float64, 6)
		path.LogF(logf, chains.At(beta))
		rows := longtest.Must(kernel.NewRows(context.Background(), k, logf))(t)
		p := stages.Distribution(path, beta)
		slope := make([]float64, 6)
		path.Slope(slope, chains.At(beta))
		mean := 0.0
		for x := range p {
			mean += p[x] * slope[x]
		}
		v := make([]float64, 6)
		for x := range v {
			v[x] = slope[x] - mean
		}
		want := 0.0
		for lag := range 2000 {
			for x := range p {
				c := p[x] * (slope[x] - mean) * v[x]
				if lag > 0 {
					c *= 2
				}
				want += c
			}
			next := make([]float64, 6)
			for x := range next {
				for _, e := range rows.Row(x) {
					next[x] += e.P * v[e.To]
				}
			}
			v = next
		}
		if got, err := stages.Friction(context.Background(), path, k, beta); err != nil ||
			!exacttest.Same(got.Value, want, 1e-12, want) {
			t.Errorf("%T: %v, by covariances %v, %v", k, got, want, err)
		}
	}
}

func TestFrictionRefuses(t *testing.T) {
	apart := longtest.Must(paths.NewGeometric(nil, []float64{0, 1}))(t)
	longtest.Refuses(stages.Friction(t.Context(), apart, kernels.Stay{}, 0.5))(t, "2 classes")
	zero := longtest.Must(paths.NewGeometric(nil, []float64{0, math.Inf(-1)}))(t)
	longtest.Refuses(stages.Friction(t.Context(), zero, kernels.Metropolis{Space: grid.MustNew(2)}, 0.5))(t,
		"positive everywhere")
}

func TestCurve(t *testing.T) {
	f := func(b float64) (float64, error) {
		return 1 + 100*math.Exp(-1e4*(b-0.3)*(b-0.3)) + math.Abs(b-0.7), nil
	}
	c := longtest.Must(stages.NewCurve(f, []float64{0.7}, 2))(t)
	integral := func(b float64) float64 {
		return b + math.Sqrt(math.Pi)/2*(math.Erf(100*(b-0.3))-math.Erf(-30)) +
			(0.49+(b-0.7)*math.Abs(b-0.7))/2
	}
	for i := range 101 {
		b := float64(i) / 100
		if want, _ := f(b); !exacttest.Same(c.ValueAt(b), want, 1e-8, 1) {
			t.Errorf("at %v: %v, want %v", b, c.ValueAt(b), want)
		}
		if got := c.Inverse(integral(b) / integral(1)); !exacttest.Same(got, b, 1e-9, 1) {
			t.Errorf("inverse at %v: %v", b, got)
		}
	}
	for what, c := range map[string]struct {
		f    func(float64) float64
		want float64
	}{
		"a jump": {func(b float64) float64 { return math.Floor(b*3 + 0.1) }, 1./3 + 2./3 + 3*(1-2.9/3)},
		"a root": {math.Sqrt, 2. / 3},
		"a pole": {func(b float64) float64 { return math.Pow(b, -1./3) }, 1.5},
	} {
		got, err := stages.NewCurve(func(b float64) (float64, error) { return c.f(b), nil }, nil, 2)
		if err != nil || !exacttest.Same(got.Total(), c.want, 1e-9, 1) ||
			!(math.Abs(got.Total()-c.want) <= got.Bounded().Error) {
			t.Errorf("%s: %v, want %v, %v", what, got.Bounded(), c.want, err)
		}
	}
	longtest.Refuses(stages.NewCurve(func(b float64) (float64, error) { return 1 / b, nil }, nil, 2))(t, "infinite")
	if !longtest.Enabled() {
		return
	}
	// as where rounding is large
	rough := func(b float64) (float64, error) { return 1 + 1e-6*math.Sin(1e12*b), nil }
	longtest.Refuses(stages.NewCurve(rough, nil, 2))(t, "does not settle on 4096 pieces")
}
