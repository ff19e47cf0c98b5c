package ais_test

import (
	"context"
	"math"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/experiments/annealing/ais"
	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/study"
)

// enumerated is a case so small that every chain can be walked: the outcomes of one chain in both
// directions, equal ones merged.
type enumerated struct {
	logw [2][]float64
	last [2][]int // x_T
	p    [2][]float64
}

// enumerate walks every path of an annealing with Metropolis' kernel from a uniform start, forward,
// and backward from exact draws.
func enumerate(a *chains.Annealing) enumerated {
	n := a.States()
	T := a.Distributions()
	logf := make([][]float64, T+1)
	for t := 1; t <= T; t++ {
		logf[t] = make([]float64, n)
		a.LogF(logf[t], t)
	}
	var e enumerated
	add := func(d, last int, logw, p float64) {
		for i := range e.p[d] {
			if e.last[d][i] == last && math.Abs(e.logw[d][i]-logw) < 1e-12 {
				e.p[d][i] += p
				return
			}
		}
		e.logw[d], e.last[d], e.p[d] = append(e.logw[d], logw), append(e.last[d], last), append(e.p[d], p)
	}
	k := a.Kernel().(chains.Rower)
	var forward func(t, x int, logw, p float64)
	forward = func(t, x int, logw, p float64) {
		if t == T {
			add(0, x, logw, p)
			return
		}
		for _, m := range k.AppendRow(nil, logf[t+1], x) {
			forward(t+1, m.To, logw+logf[t+1][x]-logf[t][x], p*m.P)
		}
	}
	var reverse func(t, last, x int, logw, p float64)
	reverse = func(t, last, x int, logw, p float64) {
		if t == 1 {
			add(1, last, logw, p)
			return
		}
		for _, m := range k.AppendRow(nil, logf[t], x) {
			reverse(t-1, last, m.To, logw+logf[t][m.To]-logf[t-1][m.To], p*m.P)
		}
	}
	z := 0.0
	for _, v := range logf[T] {
		z += math.Exp(v)
	}
	for x := range n {
		forward(1, x, 0, 1/float64(n))
		reverse(T, x, x, 0, math.Exp(logf[T][x])/z)
	}
	return e
}

// moments returns the exact mean and variance of a statistic of k chains: a sum over all multisets
// of outcomes.
func (e enumerated) moments(d, k int, statistic func(counts []int) float64) (mean, variance float64) {
	first := 0.0
	second := 0.0
	counts := make([]int, len(e.p[d]))
	var choose func(i, left int, p float64)
	choose = func(i, left int, p float64) {
		if i == len(counts)-1 {
			counts[i] = left
			for j := range left {
				p *= e.p[d][i] / float64(j+1)
			}
			v := statistic(counts)
			first += p * v
			second += p * v * v
			return
		}
		for c := 0; c <= left; c++ {
			counts[i] = c
			choose(i+1, left-c, p)
			p *= e.p[d][i] / float64(c+1)
		}
	}
	all := 1.0
	for j := range k {
		all *= float64(j + 1)
	}
	choose(0, k, all)
	return first, second - first*first
}

// sample returns the log weights of counts of outcomes.
func (e enumerated) sample(d int, counts []int) []float64 {
	var out []float64
	for i, c := range counts {
		for range c {
			out = append(out, e.logw[d][i])
		}
	}
	return out
}

// TestBiasAndStandardErrorsByEnumeration compares the bias and the standard error that ais states
// with the exact ones, from a sum over all outcomes of k chains. Means have no bias and a known
// variance, to rounding. Of the others the stated numbers are those of first order in 1/k: times k,
// what is left of the difference falls like 1/k, so that it at least halves, nearly, when k
// doubles, and is small beside the bias itself.
func TestBiasAndStandardErrorsByEnumeration(t *testing.T) {
	cases := casetest.MustCases(t, casetest.Selection([]int{2}, "random:1:0:2"))
	cases[0].Algorithm = casetest.Linear(t, []float64{0.15, -0.15}, kernels.Metropolis{Space: cases[0].Toy.Space}, 2)
	e := enumerate(cases[0].Annealing())
	quantities := func(k int) map[string]ais.Quantity {
		r, err := study.Run(context.Background(), ais.Study(), cases, ais.Options{Chains: k, Seed: 1}, study.How{})
		if err != nil || r[0].Err != nil {
			t.Fatal(err, r[0].Err)
		}
		out := map[string]ais.Quantity{}
		for _, q := range r[0].Quantities {
			out[q.Name] = q
		}
		return out
	}
	target := []float64{math.Exp(0.15), math.Exp(-0.15)}
	z := target[0] + target[1]
	target[0], target[1] = target[0]/z, target[1]/z
	mean := func(d int) func([]int) float64 {
		return func(c []int) float64 { return ais.Mean(e.sample(d, c)).Value }
	}
	for _, c := range []struct {
		name      string
		direction int
		statistic func(counts []int) float64
	}{
		{"mean_log_w_forward", 0, mean(0)}, {"mean_log_w_reverse", 1, mean(1)},
		{"kl_q_p_upper", 0, mean(0)}, {"kl_p_q_upper", 1, mean(1)},
		{"log_mean_w_forward", 0, func(c []int) float64 { return ais.LogMeanExp(e.sample(0, c), 1).Value }},
		{"log_mean_w_reverse", 1, func(c []int) float64 { return -ais.LogMeanExp(e.sample(1, c), -1).Value }},
		{"J_plugin", 0, func(c []int) float64 {
			histogram := make([]int, 2)
			for i, m := range c {
				histogram[e.last[0][i]] += m
			}
			return ais.PlugInJ(histogram, target)
		}},
	} {
		var left [2]float64
		for i, k := range []int{16, 32} {
			q := quantities(k)[c.name]
			m, variance := e.moments(c.direction, k, c.statistic)
			bias := m - q.Exact
			switch c.name {
			case "kl_q_p_upper", "kl_p_q_upper":
				bias = 0 // a known constant less the mean above
			}
			t.Logf("%s, %d chains: bias %.4g, stated %.4g; standard error %.4g, stated %.4g", c.name, k,
				bias, q.Bias, math.Sqrt(variance), q.StandardError)
			linear := c.name != "J_plugin" && q.Bias == 0
			if linear &&
				!(math.Abs(bias) <= 1e-12 && math.Abs(math.Sqrt(variance)/q.StandardError-1) <= 1e-10) {
				// NaN fails too
				t.Errorf("%s, %d chains: bias %v, standard error %v, stated %v", c.name, k, bias,
					math.Sqrt(variance), q.StandardError)
			}
			if linear {
				continue
			}
			if !(math.Abs(bias/q.Bias-1) <= 0.2) {
				t.Errorf("%s, %d chains: bias %v, stated %v", c.name, k, bias, q.Bias)
			}
			if !(math.Abs(math.Sqrt(variance)/q.StandardError-1) <= 0.15) {
				t.Errorf("%s, %d chains: standard error %v, stated %v", c.name, k, math.Sqrt(variance),
					q.StandardError)
			}
			left[i] = float64(k) * math.Abs(bias-q.Bias)
		}
		if !(left[0] == 0 || left[1] <= 0.7*left[0]) {
			t.Errorf("%s: the error of the bias does not fall as that of first order does: %v and %v", c.name,
				left[0], left[1])
		}
	}
	// B is the difference of two independent means.
	q := quantities(16)
	_, f := e.moments(0, 16, mean(0))
	_, r := e.moments(1, 16, mean(1))
	if got := q["B"].StandardError; !(math.Abs(got/math.Sqrt(f+r)-1) <= 1e-10) || q["B"].Bias != 0 {
		t.Errorf("B: standard error %v, exactly %v", got, math.Sqrt(f+r))
	}
	// Bennett's estimate takes both: over both numbers of chains with the larger of the two log
	// weights that there are.
	const k = 16
	bar := func(counts [2]int) ais.Estimate {
		var samples [2][]float64
		for d, c := range counts {
			for i := range k {
				l := 0.15
				if i < c {
					l = -0.15
				}
				samples[d] = append(samples[d], l)
			}
		}
		return ais.BAR(samples[0], samples[1])
	}
	var first, second, stated float64
	for i := 0; i <= k; i++ {
		for j := 0; j <= k; j++ {
			p := 1.0
			for d, c := range []int{i, j} {
				low := 0.0
				for o, l := range e.logw[d] {
					if l < 0 {
						low += e.p[d][o]
					}
				}
				p *= math.Pow(low, float64(c)) * math.Pow(1-low, float64(k-c))
				for m := range c {
					p *= float64(k-m) / float64(m+1)
				}
			}
			b := bar([2]int{i, j})
			first += p * b.Value
			second += p * b.Value * b.Value
			stated += p * b.StandardError * b.StandardError
		}
	}
	variance := second - first*first
	t.Logf("bar, %d chains: bias %.4g; standard error %.4g, stated %.4g", k, first-q["bar"].Exact,
		math.Sqrt(variance), math.Sqrt(stated))
	if !(math.Abs(first-q["bar"].Exact) <= 0.02*math.Sqrt(variance) &&
		math.Abs(math.Sqrt(stated/variance)-1) <= 0.1) {
		t.Errorf("bar: mean %v, exactly %v; standard error %v, stated %v", first, q["bar"].Exact,
			math.Sqrt(variance), math.Sqrt(stated))
	}
}

// TestPlugInFarFromZero compares the bias and the standard error of the plug-in estimate with the
// sum over all histograms of two states where the sampler's output is far from the target: there
// the gradient of J has its part in both. The numbers stated are those of first order.
func TestPlugInFarFromZero(t *testing.T) {
	cases := casetest.MustCases(t, casetest.Selection([]int{2}, "random:1:0:2"))
	cases[0].Algorithm = casetest.Linear(
		t,
		[]float64{1, -1},
		kernels.Lazy(0.9, kernels.Metropolis{Space: cases[0].Toy.Space}),
		2,
	)
	for _, k := range []int{200, 800} {
		r, err := study.Run(context.Background(), ais.Study(), cases, ais.Options{Chains: k, Seed: 1}, study.How{})
		if err != nil || r[0].Err != nil {
			t.Fatal(err, r[0].Err)
		}
		q := r[0].Quantities[len(r[0].Quantities)-1]
		output := r[0].Exact.Output
		target := r[0].Exact.Target
		first := 0.0
		second := 0.0
		for c := 0; c <= k; c++ {
			whole, _ := math.Lgamma(float64(k) + 1)
			one, _ := math.Lgamma(float64(c) + 1)
			other, _ := math.Lgamma(float64(k-c) + 1)
			p := math.Exp(whole - one - other + float64(c)*math.Log(output[0]) + float64(k-c)*math.Log(output[1]))
			v := ais.PlugInJ([]int{c, k - c}, target)
			first += p * v
			second += p * v * v
		}
		bias := first - q.Exact
		sd := math.Sqrt(second - first*first)
		t.Logf("%d chains: bias %.5g, stated %.5g; standard error %.5g, stated %.5g", k, bias, q.Bias, sd,
			q.StandardError)
		if q.Name != "J_plugin" ||
			!(math.Abs(bias/q.Bias-1) <= 8/float64(k) && math.Abs(sd/q.StandardError-1) <= 4/float64(k)) {
			t.Errorf("%s, %d chains: bias %v, stated %v; standard error %v, stated %v", q.Name, k, bias,
				q.Bias, sd, q.StandardError)
		}
	}
}

// TestPlugInByHand holds the plug-in estimate to sums written out here: half a draw is added to
// every state, those that no draw has met with them, and a state of probability zero has no term.
func TestPlugInByHand(t *testing.T) {
	term := func(q, p float64) float64 { return (q - p) * (math.Log(q) - math.Log(p)) }
	for _, c := range []struct {
		counts []int
		p      []float64
		want   float64
	}{
		{[]int{3, 0, 1}, []float64{0.5, 0.25, 0.25},
			term(3.5/5.5, 0.5) + term(0.5/5.5, 0.25) + term(1.5/5.5, 0.25)},
		{[]int{0, 7}, []float64{0.9, 0.1}, term(0.5/8, 0.9) + term(7.5/8, 0.1)},
		{[]int{1, 1, 0}, []float64{0.5, 0.5, 0}, 2 * term(1.5/3.5, 0.5)},
		{[]int{2, 2}, []float64{0.5, 0.5}, 0},
		{[]int{0, 0, 0, 0}, []float64{0.25, 0.25, 0.25, 0.25}, 0},
		// -744.44 is the logarithm of 5e-324
		{[]int{2, 2}, []float64{5e-324, 1}, 0.5*(744.4400719213812-math.Ln2) + 0.5*math.Ln2},
	} {
		if got := ais.PlugInJ(c.counts, c.p); !(math.Abs(got-c.want) <= 1e-15*(1+c.want)) {
			t.Errorf("counts %v of %v: %v, by hand %v", c.counts, c.p, got, c.want)
		}
	}
}
