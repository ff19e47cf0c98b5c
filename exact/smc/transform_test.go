package smc_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/particle"
	"breadboard/chains/schedules"
	"breadboard/exact"
	"breadboard/exact/internal/exacttest"
	"breadboard/exact/kernel"
	"breadboard/exact/smc"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// probabilities returns the target of an annealing.
func probabilities(a *chains.Annealing) []float64 {
	p := make([]float64, a.States())
	a.LogF(p, a.Distributions())
	chains.Normalize(p)
	return p
}

// against compares a side with exact draws.
func against(s smc.Side, p []float64, metas ...int) []smc.Estimate {
	return longtest.Sure(smc.AIDE(context.Background(), s, smc.NewExact(len(p)), p, metas, []int{1}))
}

// near fails if two numbers differ by more than so much of the second, or of one.
func near(t testing.TB, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*(1+math.Abs(want))) {
		t.Errorf("%s: %.15g, want %.15g, off by %.2g", what, got, want, got-want)
	}
}

// TestChain are numbers for AIDE of annealed importance sampling against exact draws, computed in
// many digits.
func TestChain(t *testing.T) {
	longtest.Only(t)
	type values struct{ mean, variance, lower, upper, pq float64 }
	for _, c := range []struct {
		toy  string
		j    float64
		want []values
	}{
		{"barrier", 1.64786261118823345, []values{
			{1.81043263447226741, 2.78663200297564911, 0.83849403968655131, 0.970380700744020676, 0.840051933728246735},
			{1.67130464160291365, 2.55988312714585703, 0.891231828117019363, 0.908750317340697273, 0.762554324262216376},
			{1.65040622332171908, 2.52406980782613854, 0.898912206736626618, 0.900772453555632788, 0.749633769766086295},
		}},
		{"easy", 0.130147120360890308, []values{
			{0.493858962930599283, 1.04218735990696859, -0.0962720148190601291, 0.271858852019487419, 0.222000110911111864},
			{0.18538080595657488, 0.392632181382597714, 0.0474436838113449026, 0.102444168351447664, 0.0829366376051272163},
			{0.136325368282773304, 0.293283334134346592, 0.0711678566836590191, 0.0772786518940007955, 0.0590467163887725085},
		}},
	} {
		a := exacttest.Annealing(t, c.toy, "linear", "metropolis", 100)
		s := longtest.Sure(smc.NewChain(context.Background(), a, 0, nil))
		for i, e := range against(s, probabilities(a), 1, 10, 100) {
			w := c.want[i]
			t.Logf("%s, M = %d: error %.2g", c.toy, e.Meta, e.Error)
			if e.Error > 1e-10 {
				t.Errorf("error %v", e.Error)
			}
			near(t, "J", e.J, c.j, 1e-13)
			near(t, "mean", e.Mean, w.mean, 1e-13)
			near(t, "variance", e.Variance, w.variance, 1e-12)
			near(t, "lower", e.KLQPLower, w.lower, 1e-13)
			near(t, "upper", e.KLQPUpper, w.upper, 1e-13)
			near(t, "pq", e.KLPQUpper, w.pq, 1e-13)
		}
	}
}

// TestChainByPaths compares the moments of the traces with sums over every path, zeros of both ends
// included.
func TestChainByPaths(t *testing.T) {
	longtest.Only(t)
	exacttest.CheckSome(t, 25, func(t *rapid.T) {
		a := exacttest.Problem(t, 4, 3)
		if exact.Validate(a) != nil {
			t.Skip("out of range")
		}
		s := longtest.Sure(smc.NewChain(context.Background(), a, 1, nil))
		p := probabilities(a)
		laws, ratio := pathsByEnd(t, a, p)
		if unknown := holdTracesToPaths(t, s, p, ratio, laws); unknown {
			t.Fatal("the weights spread too far")
		}
	})
}

// holdTracesToPaths holds log q/p and the moments of the traces of a side to those by walking over
// all paths. It reports whether the side does not know some of these moments, since the weights
// spread too far.
func holdTracesToPaths(t *rapid.T, s smc.Side, p, ratio []float64, laws []smc.TraceLaw) (unknown bool) {
	t.Helper()
	ms := []int{1, 2, 3}
	want := longtest.Sure(longtest.Sure(smc.NewAtoms(ratio, laws)).Traces(context.Background(), ms))
	got := longtest.Sure(s.Traces(context.Background(), ms))
	for x := range p {
		if p[x] == 0 {
			continue
		}
		if !exacttest.Same(s.LogRatio()[x], ratio[x], 1e-9, 1) {
			t.Fatalf("output %d: log q/p is %v, by paths %v", x, s.LogRatio()[x], ratio[x])
		}
		if math.IsInf(ratio[x], -1) {
			continue
		}
		for i := range ms {
			g, w := got[i], want[i]
			if g.Note != "" {
				unknown = true
				continue
			}
			for k, pair := range [][2]float64{{g.Meta[x], w.Meta[x]}, {g.Run[x], w.Run[x]}, {g.Meta2[x], w.Meta2[x]}, {g.Run2[x], w.Run2[x]}} {
				if !exacttest.Same(pair[0], pair[1], 1e-9+float64(1+k/2*50)*g.Error, 1+math.Abs(pair[1])) {
					t.Fatalf("output %d, M = %d, moment %d: %v, by paths %v, error %v", x, ms[i], k, pair[0], pair[1], g.Error)
				}
			}
		}
	}
	return unknown
}

// pathsByEnd returns the distribution of the traces at every output, and log q/p, by walking over
// all paths.
func pathsByEnd(t *rapid.T, a *chains.Annealing, p []float64) ([]smc.TraceLaw, []float64) {
	n := len(p)
	q, first, last := make([]float64, n), make([]float64, n), make([]float64, n)
	a.LogF(first, 1)
	a.LogF(last, a.Distributions())
	logZRatio := floats.LogSumExp(last) - floats.LogSumExp(first)
	type path struct {
		forward, reverse, logw float64
		last                   int
	}
	var all []path
	exacttest.EachPath(t, a, func(forward, reverse, logw float64, last int) {
		all = append(all, path{forward, reverse, logw, last})
		if forward > 0 && !math.IsInf(logw, -1) {
			q[last] += forward
		}
	})
	ratio, laws := make([]float64, n), make([]smc.TraceLaw, n)
	for x := range ratio {
		ratio[x] = math.Inf(-1)
		if p[x] > 0 {
			ratio[x] = math.Log(q[x] / p[x])
		}
	}
	for _, u := range all {
		if u.reverse > 0 && q[u.last] > 0 {
			logw := logZRatio - u.logw - ratio[u.last]
			laws[u.last].Atoms = append(laws[u.last].Atoms, smc.Atom{LogW: logw, P: u.reverse / p[u.last]})
		}
	}
	return laws, ratio
}

// BenchmarkPairsOnBarrier times AIDE of two particles on 7 by 7 states at T = 100, and compares it
// with numbers that were computed in many digits.
func BenchmarkPairsOnBarrier(b *testing.B) {
	a := exacttest.Annealing(b, "barrier", "linear", "metropolis", 100)
	for b.Loop() {
		s := longtest.Sure(smc.NewPairs(context.Background(), a, particle.Multinomial{}, 0))
		for i, e := range against(s, probabilities(a), 1, 10, 100) {
			near(b, "J", e.J, 1.61288603901089722, 1e-11)
			near(b, "mean", e.Mean, []float64{1.72757818175265854, 1.62836371283199943, 1.61453274829811999}[i], 1e-11)
			near(b, "variance", e.Variance, []float64{2.67011689184598433, 2.51259391659914089, 2.48916915693623819}[i], 1e-11)
			near(b, "lower", e.KLQPLower, []float64{0.838849395044915735, 0.876903831637438791, 0.881864088479326735}[i], 1e-11)
			near(b, "upper", e.KLQPUpper, []float64{0.930298707305662442, 0.888135654945194086, 0.883036520607336395}[i], 1e-11)
			near(b, "pq", e.KLPQUpper, []float64{0.797279474446995984, 0.740228057886805235, 0.731496227690783374}[i], 1e-11)
		}
	}
}

// BenchmarkChainOnBarrier times AIDE of annealed importance sampling for five numbers of traces,
// which share the transforms.
func BenchmarkChainOnBarrier(b *testing.B) {
	a := exacttest.Annealing(b, "barrier", "linear", "metropolis", 100)
	for b.Loop() {
		s := longtest.Sure(smc.NewChain(context.Background(), a, 0, nil))
		against(s, probabilities(a), 1, 10, 100, 1000, 1_000_000_000)
	}
}

// TestMHOnEasy are numbers of a Markov chain on EASY from uniform, computed in many digits. With
// one trace AIDE is the same however many moves the chain makes.
func TestMHOnEasy(t *testing.T) {
	longtest.Only(t)
	a := exacttest.Annealing(t, "easy", "linear", "metropolis", 2)
	for _, c := range []struct {
		moves          int
		j              float64
		mean, variance [3]float64
	}{
		{1, 2.05779168765281815, [3]float64{3.22238153282916285, 2.52035918710914794, 2.20183058835169482},
			[3]float64{6.51660381931247799, 4.94271114754265778, 4.43192057248617346}},
		{10, 0.718112880901534351, [3]float64{3.22238153282916287, 1.69440833918711509, 0.962911514834407994},
			[3]float64{6.51660381931247754, 3.65600813618959688, 2.13176193576056063}},
		{100, 0.129071413460086631, [3]float64{3.22238153282916296, 1.30806360434313547, 0.430958619267729775},
			[3]float64{6.51660381931246439, 2.96221146083838357, 0.943444814120952126}},
		{1000, 2.85700109118468396e-05, [3]float64{3.22238153282916387, 1.22893887598863495, 0.322490309002242373},
			[3]float64{6.51660381931234084, 2.81141192107887769, 0.707531314278804248}},
	} {
		s := longtest.Sure(smc.NewMH(context.Background(), a, c.moves))
		for i, e := range against(s, probabilities(a), 1, 10, 100) {
			what := fmt.Sprintf("S = %d, M = %d: ", c.moves, e.Meta)
			if !(math.Abs(e.J/c.j-1) < 2e-12) {
				t.Errorf("%sJ %.15g, want %.15g", what, e.J, c.j)
			}
			near(t, what+"mean", e.Mean, c.mean[i], 1e-12)
			// The numbers for many moves have rounding of their own: with one trace they differ by
			// 1e-13 from that for one move, which they must be equal to, and this grows with the
			// number of traces.
			near(t, what+"variance", e.Variance, c.variance[i], 1e-15*float64(c.moves*e.Meta)+1e-12)
		}
	}
}

// regression is Bayesian linear regression on a grid of 7 by 7: an intercept b and a slope m, a
// normal prior, and five points with noise of standard deviation one, whose constant is left out.
// It returns log f of the prior, and of the posteriors given the first, the first two and so on.
func regression() (*grid.Lattice, [][]float64) {
	values := []float64{-1.5, -1, -0.5, 0, 0.5, 1, 1.5}
	xs, ys := []float64{-1, 0, 1, 2, 3}, []float64{-0.9, 0.3, 0.2, 1.4, 1.3}
	space := grid.MustNew(7, 7)
	stages := make([][]float64, 1+len(xs))
	for s := range stages {
		for _, b := range values {
			for _, m := range values {
				l := -(b*b + m*m) / 2
				for i := range s {
					r := ys[i] - b - m*xs[i]
					l -= r * r / 2
				}
				stages[s] = append(stages[s], l)
			}
		}
	}
	return space, stages
}

// TestMHOnRegression are numbers of a Markov chain from the prior, computed in many digits.
func TestMHOnRegression(t *testing.T) {
	longtest.Only(t)
	space, stages := regression()
	a := exacttest.Build(t, stages[0], stages[5], schedules.Linear{}, kernels.Metropolis{Space: space}, 2)
	for _, c := range []struct {
		moves   int
		j, toJ  float64
		mean    [3]float64
		toMeans float64
	}{
		{1, 6.11288694936348861, 1e-12, [3]float64{7.92989088060575834, 7.00247721890816973, 6.5570557079785034}, 1e-12},
		{10, 0.638552239673047711, 1e-12, [3]float64{7.92989088060575834, 6.05788165660870492, 4.71981909993842576}, 1e-12},
		{100, 3.86467753160382235e-10, 1e-10, [3]float64{7.92989088060575809, 6.03774850073066108, 4.65908079237560409}, 1e-12},
	} {
		s := longtest.Sure(smc.NewMH(context.Background(), a, c.moves))
		for i, e := range against(s, probabilities(a), 1, 10, 100) {
			if !(math.Abs(e.J/c.j-1) < c.toJ) {
				t.Errorf("S = %d: J %.15g, want %.15g, off by %.2g", c.moves, e.J, c.j, e.J/c.j-1)
			}
			near(t, "mean", e.Mean, c.mean[i], c.toMeans)
		}
	}
}

// TestMHByRows compares the outputs with the distribution of the chain, zeros of either end
// included.
func TestMHByRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := exacttest.Problem(t, 6, 3)
		if exact.Validate(a) != nil {
			t.Skip("out of range")
		}
		moves := rapid.IntRange(0, 5).Draw(t, "moves")
		s := longtest.Sure(smc.NewMH(context.Background(), a, moves))
		n, p := a.States(), probabilities(a)
		q := make([]float64, n)
		logf := make([]float64, n)
		a.LogF(q, 1)
		chains.Normalize(q)
		a.LogF(logf, a.Distributions())
		rows := longtest.Sure(kernel.NewRows(context.Background(), a.Kernel(), logf))
		extinct := 0.0
		for x := range q {
			if p[x] == 0 {
				extinct += q[x]
				q[x] = 0
			}
		}
		if math.Abs(extinct-s.Extinct()) > 1e-12 {
			t.Fatalf("extinct %v, want %v", s.Extinct(), extinct)
		}
		for range moves {
			next := make([]float64, n)
			for x := range n {
				for _, e := range rows.Row(x) {
					next[e.To] += q[x] * e.P
				}
			}
			q = next
		}
		for x := range q {
			if got := p[x] * math.Exp(s.LogRatio()[x]); p[x] > 0 && math.Abs(got-q[x]) > 1e-12 {
				t.Fatalf("output %d: %v, want %v", x, got, q[x])
			}
			if u := q[x]/p[x] - 1; p[x] > 0 && math.Abs(u-s.Deviation()[x]) > 1e-9*(1+math.Abs(u)) {
				t.Fatalf("output %d: q/p - 1 is %v, want %v", x, s.Deviation()[x], u)
			}
		}
	})
}

// TestMHOnSteepTargets: AIDE of one trace is the J of the first distribution, however many moves
// the chain makes, and J of the outputs is that of the forward distribution, a sum of positive
// terms. A state of which the target keeps 1e-17 has a weight of 1e17, and so needs every digit of
// how likely chains are to come from there.
func TestMHOnSteepTargets(t *testing.T) {
	for _, c := range []struct{ toy, kernel string }{
		{"random:10:1:3x3", "heatbath-scan"}, {"random:20:1:3x3", "heatbath-scan"}, {"random:40:1:3x3", "heatbath-scan"}, {"random:150:1:3x3", "heatbath-scan"},
		{"random:40:1:3x3", "heatbath"}, {"random:40:1:3x3", "metropolis"}, {"cells:0:37/-inf:0", "heatbath-scan"}, {"cells:0:600/0:0", "heatbath-axis:0"},
		{"random:150:1:3x3", "compose:metropolis+suwa-todo"}, {"random:40:1:4", "heatbath"}, {"cells:0:1", "stay"},
	} {
		a := exacttest.Annealing(t, c.toy, "linear", c.kernel, 2)
		p, q := probabilities(a), make([]float64, a.States())
		a.LogF(q, 1)
		chains.Normalize(q)
		logf := make([]float64, len(q))
		a.LogF(logf, 2)
		rows := longtest.Sure(kernel.NewRows(context.Background(), a.Kernel(), logf))
		j := func() float64 {
			terms := make([]float64, len(p))
			for x := range p {
				terms[x] = (q[x] - p[x]) * (math.Log(q[x]) - math.Log(p[x]))
			}
			return floats.Sum(terms)
		}
		first := j()
		for moves := range 4 {
			s, err := smc.NewMH(context.Background(), a, moves)
			if err != nil {
				t.Errorf("%v, S = %d: %v", c, moves, err)
				break
			}
			if e := against(s, p, 1)[0]; !math.IsInf(first, 0) {
				near(t, fmt.Sprintf("%v, S = %d: J", c, moves), e.J, j(), 1e-12)
				near(t, fmt.Sprintf("%v, S = %d: AIDE", c, moves), e.Mean, first, 1e-12)
			}
			q = exacttest.PushRows(q, rows)
		}
	}
}

// TestMeanFieldOnRegression are numbers of the variational approximation, computed in many digits.
// AIDE is J with any number of traces, as there are none.
func TestMeanFieldOnRegression(t *testing.T) {
	space, stages := regression()
	m := longtest.Sure(smc.FitMeanField(context.Background(), space, stages[5]))
	p := append([]float64(nil), stages[5]...)
	chains.Normalize(p)
	ratio := make([]float64, len(p))
	for x := range p {
		ratio[x] = m.LogQ[x] - math.Log(p[x])
	}
	for _, e := range against(smc.NewDensity(ratio), p, 1, 100) {
		near(t, "J", e.J, 0.339549858943313511, 1e-12)
		near(t, "AIDE", e.Mean, e.J, 1e-15)
	}
	near(t, "ELBO", m.ELBO-floats.LogSumExp(stages[0]), -2.49932547102608943, 1e-13)
}

// stages is a path that goes through given distributions, one at each stage.
type stages [][]float64

func (s stages) States() int                         { return len(s[0]) }
func (s stages) Zeros() bool                         { return false }
func (s stages) Kinks() []float64                    { return nil }
func (s stages) Centred() (chains.Path, float64)     { return s, 0 }
func (s stages) String() string                      { return "stages" }
func (s stages) Slope(dst []float64, _ chains.Place) { clear(dst) }
func (s stages) at(b chains.Place) []float64         { return s[int(math.Round(b.Beta*float64(len(s)-1)))] }
func (s stages) LogF(dst []float64, b chains.Place)  { copy(dst, s.at(b)) }
func (s stages) LogRatio(dst []float64, from, to chains.Place, _ float64) {
	for x := range dst {
		dst[x] = s.at(to)[x] - s.at(from)[x]
	}
}

// TestChainOnRegression are numbers of annealing that takes one point of the data more at each
// stage, computed in many digits.
func TestChainOnRegression(t *testing.T) {
	longtest.Only(t)
	space, points := regression()
	a := longtest.Sure(chains.NewAnnealing(stages(points), schedules.Linear{}, kernels.Metropolis{Space: space}, len(points)))
	s := longtest.Sure(smc.NewChain(context.Background(), a, 0, nil))
	traces := []int{1, 10, 100}
	if !longtest.More() {
		traces = traces[:2]
	}
	for i, e := range against(s, probabilities(a), traces...) {
		near(t, "J", e.J, 3.72616764183526973, 1e-13)
		near(t, "mean", e.Mean, []float64{6.23136681775060275, 4.90322974915421383, 4.2760569343467898}[i], 1e-12)
	}
	l := longtest.Sure(smc.Solve(context.Background(), a, smc.Setting{Particles: 1, Scheme: particle.Multinomial{}, Threshold: 1}, smc.Options{}))
	near(t, "log Zhat", l.MeanLogZForward, -7.4910926058835528, 1e-13)
	if !longtest.More() {
		return
	}
	pairs := longtest.Sure(smc.NewPairs(context.Background(), a, particle.Multinomial{}, 0))
	for i, e := range against(pairs, probabilities(a), traces...) {
		near(t, "J of two", e.J, 1.14246197175512976, 1e-12)
		near(t, "mean of two", e.Mean, []float64{3.08007459161700803, 1.9990321214476463, 1.51354212367896968}[i], 1e-12)
	}
}
