package smc_test

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/particle"
	"breadboard/exact"
	"breadboard/exact/internal/exacttest"
	"breadboard/exact/smc"
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

// near fails where two numbers differ by more than so much of the second, or of one.
func near(t testing.TB, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*(1+math.Abs(want))) {
		t.Errorf("%s: %.15g, want %.15g, off by %.2g", what, got, want, got-want)
	}
}

// TestChain are numbers for AIDE of annealed importance sampling against exact draws, computed in many digits.
func TestChain(t *testing.T) {
	longtest.NotShort(t)
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

// TestChainByPaths compares the moments of the traces with sums over every path, zeros of both ends included.
func TestChainByPaths(t *testing.T) {
	longtest.NotShort(t)
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

// holdTracesToPaths holds log q/p and the moments of the traces of a side to those by walking over all paths. It reports whether the side does
// not know some of these moments, since the weights spread too far.
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

// pathsByEnd returns the law of the traces at every output, and log q/p, by walking over all paths.
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

// BenchmarkPairsOnBarrier times AIDE of two particles on 7 by 7 states at T = 100, and compares it with numbers that were computed in many digits.
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

// BenchmarkChainOnBarrier times AIDE of annealed importance sampling for five numbers of traces, which share the transforms.
func BenchmarkChainOnBarrier(b *testing.B) {
	a := exacttest.Annealing(b, "barrier", "linear", "metropolis", 100)
	for b.Loop() {
		s := longtest.Sure(smc.NewChain(context.Background(), a, 0, nil))
		against(s, probabilities(a), 1, 10, 100, 1000, 1_000_000_000)
	}
}
