package policy_test

import (
	"context"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/numpy"
	"breadboard/chains/particle"
	"breadboard/exact/policies"
	"breadboard/exact/smc"
	"breadboard/experiments/forms"
	"breadboard/experiments/particles/policy"
	"breadboard/experiments/study"
	"breadboard/grid/longtest"
	"breadboard/toys/models"
)

// twisted returns the row of a twist, with options that change the standard ones.
func twisted(t testing.TB, toy, base, twist string, change func(*policy.TwistOptions)) policy.TwistRow {
	t.Helper()
	ctx := context.Background()
	cases := longtest.Must(policy.TwistSelection{
		Reader: forms.Reader(),
		Toys:   []string{toy},
		Bases:  []string{base},
		Twists: []string{twist},
	}.Cases(ctx))(t)
	o := policy.Twisted().Standard
	o.Particles = []int{1}
	if change != nil {
		change(&o)
	}
	return longtest.Must(study.Run(ctx, policy.Twisted(), cases, o, study.How{Workers: 2}))(t)[0]
}

func policyParticles(n int) func(*policy.TwistOptions) {
	return func(o *policy.TwistOptions) { o.Particles = []int{n} }
}

// never takes particles that are never resampled.
func never(n int) func(*policy.TwistOptions) {
	return func(o *policy.TwistOptions) {
		o.Particles = []int{n}
		o.Thresholds = []float64{0}
	}
}

// uniform is a base with which log Z is that of the toy less log of the number of sequences.
const uniform = "markov:0:0"

// archive writes arrays to a file, and returns its selector.
func archive(t testing.TB, arrays map[string][]byte) string {
	t.Helper()
	var members []numpy.Member
	for _, key := range slices.Sorted(maps.Keys(arrays)) {
		members = append(members, numpy.Member{Name: key, Data: arrays[key]})
	}
	f := longtest.Must(os.Create(filepath.Join(t.TempDir(), "arrays.npz")))(t)
	longtest.NoError(t, numpy.WriteArchive(f, members))
	longtest.NoError(t, f.Close())
	return "file:" + f.Name()
}

// TestTwistIsAPolicy: one particle, and several that are never resampled, are independent paths of
// the policy that reveals the axes in order. The numbers of that are of another engine.
func TestTwistIsAPolicy(t *testing.T) {
	for twist, order := range map[string]string{
		"none": "order:local:0", "local": "order:local:1", "exact": "order:exact", "ratio": "order:exact"} {
		const toy = "ising:1x4:0.7:0.3"
		m := model(t, toy, order)
		want := solve(t, m)
		shift := 4 * math.Ln2
		got := twisted(t, toy, uniform, twist, nil)
		for what, pair := range map[string][2]float64{
			"J": {got.J, want.J.Value}, "B": {got.B, want.B.Value}, "KL(q||p)": {got.KLQP, want.KLQP.Value},
			"KL(p||q)": {got.KLPQ, want.KLPQ.Value},
			"log Z":    {got.LogZRatio, want.LogZ - shift},
			"lower":    {got.Lower.Value, want.MeanLogWForward.Value - shift},
			"upper":    {got.Upper.Value, want.MeanLogWReverse.Value - shift},
		} {
			if !policyNear(pair[0], pair[1], 1e-12) {
				t.Errorf("%s: %s is %v, of the policy %v", twist, what, pair[0], pair[1])
			}
		}
		w := longtest.Must(policies.WeightsOf(context.Background(), m, want))(t)
		two := twisted(t, toy, uniform, twist, never(2))
		eight := twisted(t, toy, uniform, twist, never(8))
		bounds, _, err := w.Bounds(context.Background(), []int{2, 8}, func(int) {})
		longtest.NoError(t, err)
		for i := range bounds {
			bounds[i].Value += want.LogZ - shift
		}
		if upper := conditional(m, want) - shift; !policyNear(two.Lower.Value, bounds[0].Value, 1e-12) ||
			!policyNear(two.Upper.Value, upper, 1e-12) {
			t.Errorf("%s, 2 particles: %v and %v, of the policy %v and %v", twist, two.Lower, two.Upper,
				bounds[0], upper)
		}
		// This fails by chance in one of a million.
		if eight.Method != "simulation" || !math.IsNaN(eight.J) ||
			!policyNear(eight.Lower.Value, bounds[1].Value, 1e-12+5*eight.Lower.StandardError) {
			t.Errorf("%s, 8 particles by %s: %v, of the policy %v", twist, eight.Method, eight.Lower, bounds[1])
		}
	}
}

// conditional returns the mean of log of the mean weight of two paths in order, one of which ends
// in a draw of the target.
func conditional(m policies.Model, s *policies.Solution) (mean float64) {
	var q, logf []float64
	for x, visits := range s.Visits {
		if f, ends := m.Target(x); ends {
			q, logf = append(q, visits), append(logf, f)
		}
	}
	for x := range q {
		for y := range q {
			mean += math.Exp(logf[x]-s.LogZ) * q[y] *
				math.Log((math.Exp(logf[x])/q[x]+math.Exp(logf[y])/q[y])/2)
		}
	}
	return mean
}

// TestTwistIsAFilter: the likelihoods known so far as twists are the particle filter of a hidden
// Markov model, with the prior proposal or the optimal one.
func TestTwistIsAFilter(t *testing.T) {
	h := models.Weather()
	for proposal, of := range map[string]particle.Proposal{
		"base": particle.Prior, "twist": particle.Optimal} {
		filter := longtest.Must(particle.NewHidden(h, of))(t)
		want := longtest.Must(smc.NewFilter(context.Background(), filter, 2, 1))(t)
		got := twisted(t, "ising:1x10:0", "hmm:weather", "local", func(o *policy.TwistOptions) {
			o.Particles = []int{2}
			o.Proposals = []string{proposal}
		})
		if !policyNear(got.LogZRatio, want.LogZ, 1e-12) ||
			!policyNear(got.Lower.Value, want.MeanLogZForward, 1e-12) ||
			!policyNear(got.Upper.Value, want.MeanLogZConditional, 1e-12) {
			t.Errorf("%s: %v, %v, %v, and the filter has %v", proposal, got.Lower, got.LogZRatio, got.Upper, want)
		}
	}
}

// TestInfilling: a potential of the kind of Zhao et al. (2024), the probability that a given token
// follows the sequence. The exact twists are powers of the transition matrix, which a file has, and
// log Z and the bounds of the base chain follow from them.
func TestInfilling(t *testing.T) {
	pi := []float64{0.5, 0.3, 0.2}
	a := []float64{0.8, 0.15, 0.05, 0.3, 0.6, 0.1, 0.25, 0.25, 0.5}
	after := [][]float64{{0, 0, 1}} // of the target token k steps later
	for range 3 {
		last := after[len(after)-1]
		next := make([]float64, 3)
		for i := range next {
			for j := range last {
				next[i] += a[3*i+j] * last[j]
			}
		}
		after = append(after, next)
	}
	logs := make([]float64, 27)
	for x := range logs {
		logs[x] = math.Log(after[1][x%3])
	}
	psi := map[string][]byte{}
	for length, states := 1, 3; length < 3; length, states = length+1, 3*states {
		row := make([]float64, states)
		for y := range row {
			row[y] = math.Log(after[4-length][y%3]) + 7 // a constant for each length changes nothing
		}
		psi[fmt.Sprint("log_psi_", length)] = numpy.Floats(row, states)
	}
	phi := longtest.File(t, "phi.npy", string(numpy.Floats(logs, 3, 3, 3)))
	toy := "file:" + phi
	learned := archive(t, psi)
	base := archive(t, map[string][]byte{"pi": numpy.Floats(pi, 3), "A": numpy.Floats(a, 3, 3)})
	z := 0.0
	mean := 0.0
	reverse := 0.0
	for x := range 27 {
		p := pi[x/9] * a[x/9*3+x/3%3] * a[x/3%3*3+x%3]
		z += p * math.Exp(logs[x])
		mean += p * logs[x]
		reverse += p * math.Exp(logs[x]) * logs[x]
	}
	r := twisted(t, toy, base, "none", nil)
	if !policyNear(r.LogZRatio, math.Log(z), 1e-12) || !policyNear(r.Lower.Value, mean, 1e-12) ||
		!policyNear(r.Upper.Value, reverse/z, 1e-12) ||
		!policyNear(r.KLQP, math.Log(z)-mean, 1e-12) {
		t.Errorf("%v, %v, %v, want %v, %v, %v", r.Lower, r.LogZRatio, r.Upper, mean, math.Log(z), reverse/z)
	}
	for _, n := range []int{1, 2, 64} {
		if r := twisted(t, toy, base, learned, policyParticles(n)); !policyNear(r.B, 0, 1e-12) ||
			!policyNear(r.Lower.Value, math.Log(z), 1e-12) {
			t.Errorf("%d particles with exact twists: %v, %v, %v", n, r.Lower, r.LogZRatio, r.Upper)
		}
	}
	if one, two := twisted(t, toy, base, "ratio", nil),
		twisted(t, toy, base, "ratio", policyParticles(2)); !policyNear(one.B, 0, 1e-12) ||
		two.B < 0.01 || two.J < 0.001 {
		t.Errorf("ratio has B = %v with one particle and %v with two, with J = %v", one.B, two.B, two.J)
	}
}

// TestMoreTwistedParticles: simulated bounds are on both sides of log Z and do not depend on the
// workers, and counts of few types are exact.
func TestMoreTwistedParticles(t *testing.T) {
	ctx := context.Background()
	cases := longtest.Must(policy.TwistSelection{Reader: forms.Reader(),
		Toys: []string{"random:2:0:3x3x3"}, Bases: []string{"markov:1:0"},
		Twists: []string{"none", "noisy:1:1"}}.Cases(ctx))(t)
	o := policy.Twisted().Standard
	o.Particles = []int{30}
	o.Chains = 2000
	one := longtest.Must(study.Run(ctx, policy.Twisted(), cases, o, study.How{Workers: 1}))(t)
	for i, r := range longtest.Must(study.Run(ctx, policy.Twisted(), cases, o, study.How{Workers: 3}))(t) {
		if r.Note() != "" {
			t.Errorf("no weight is zero: %s", r.Note())
		}
		if r.Lower != one[i].Lower || r.Upper != one[i].Upper {
			t.Errorf("with three workers %v and %v, with one %v and %v", r.Lower, r.Upper, one[i].Lower,
				one[i].Upper)
		}
		if r.Lower.Value > r.LogZRatio+5*r.Lower.StandardError ||
			r.Upper.Value < r.LogZRatio-5*r.Upper.StandardError || !(r.Lower.StandardError > 0) {
			t.Errorf("%v, %v, %v", r.Lower, r.LogZRatio, r.Upper)
		}
	}
	few := twisted(t, "cells:1:0", "markov:1:0", "none", policyParticles(40))
	// log p_0 of the first token
	phi := []float64{math.E, 1}
	p := twisted(t, "cells:0:-inf", "markov:1:0", "none", nil).LogZRatio
	want := 0.0
	for k := range 41 {
		choose, _ := math.Lgamma(41)
		a, _ := math.Lgamma(float64(k + 1))
		b, _ := math.Lgamma(float64(41 - k))
		want += math.Exp(choose-a-b+float64(k)*p+float64(40-k)*math.Log(-math.Expm1(p))) *
			math.Log((float64(k)*phi[0]+float64(40-k)*phi[1])/40)
	}
	if few.Method == "simulation" || !policyNear(few.Lower.Value, want, 1e-12) {
		t.Errorf("by %s the lower bound of two tokens is %v, want %v", few.Method, few.Lower.Value, want)
	}
}

// TestWideTwists: spans beyond the range of float64 are exact for one particle, are simulated for
// more, and are an error if they leave no digit.
func TestWideTwists(t *testing.T) {
	const wide = "cells:0:1000/3000:10000" // two rows, so that two tokens have two values
	r := twisted(t, wide, uniform, "none", nil)
	if !policyNear(r.Lower.Value, 3500, 1e-12) || !policyNear(r.Upper.Value, 10000, 1e-12) ||
		!policyNear(r.KLQP, 10000-2*math.Ln2-3500, 1e-12) {
		t.Errorf("%v, %v, KL(q||p) = %v", r.Lower, r.Upper, r.KLQP)
	}
	if r := twisted(t, wide, uniform, "exact", nil); r.Lower.Value != r.LogZRatio || math.IsInf(r.J, 1) {
		// proposals underflow, and the target too
		t.Errorf("the exact twist has %v, J = %v", r.Lower, r.J)
	}
	if r := twisted(t, wide, uniform, "none", policyParticles(2)); r.Method != "simulation" ||
		r.Lower.Value > r.LogZRatio {
		t.Errorf("by %s: %v, %v", r.Method, r.Lower, r.LogZRatio)
	}
}

// TestTwistsRefused: what is no sequence, chain or twist is an error that says why.
func TestTwistsRefused(t *testing.T) {
	file := func(arrays map[string][]byte) string { return archive(t, arrays) }
	vector := func(v ...float64) []byte { return numpy.Floats(v, len(v)) }
	inf := math.Inf(1)
	ctx := context.Background()
	for i, c := range [][4]string{
		{"random:1:0:2x3", "markov:1:0", "none", "sides of random:1:0:2x3 differ"},
		{"graph:complete:5:random:1:1", "markov:1:0", "none", "not sequences"},
		{"ising:1x21:0.5", "markov:1:0", "none", "limit is 2^20"},
		{"random:1:0:2x2", "hmm:wear", "none", "3 states"},
		{"ising:1x3:0", "hmm:weather", "none", "10 observations"},
		{"cells:-inf:0", file(map[string][]byte{
			"pi": vector(1, 0), "A": numpy.Floats([]float64{1, 0, 0, 1}, 2, 2)}), "none", "Z = 0"},
		{"random:1:0:2x2", file(map[string][]byte{
			"pi": vector(0.5, 0.6), "A": numpy.Floats([]float64{1, 0, 0, 1}, 2, 2)}), "none", "sums to 1.1"},
		{"random:1:0:2x2", file(map[string][]byte{"pi": vector(0.5, 0.5)}), "none", "a chain has pi and A"},
		{"random:1:0:2x2", "markov:1e301:0", "none", "from 0 to 1e300"},
		{"random:1:0:2x2", "markov:1:0", "exact:0", "above 0"},
		{"random:1:0:2x2", "markov:1:0", "local", "product of factors"},
		{"random:1:0:2x2", "markov:1:0", "noisy:1e300:1", "span too much"},
		{"random:1:0:2x2", "markov:1:0", "nothing", "unknown twist"},
		{"random:1:0:2x2", "nothing", "none", "unknown base"},
		{"random:1:0:2x2", "markov:1:0", file(map[string][]byte{"log_psi_1": vector(0, math.NaN())}),
			"is NaN at prefix 1"},
		{"random:1:0:2x2", "markov:1:0", file(map[string][]byte{"log_psi_1": vector(inf, 0)}),
			"is +Inf at prefix 0"},
		{"random:1:0:2x2", "markov:1:0", file(map[string][]byte{"log_psi_1": vector(-inf, -inf)}),
			"zero for all prefixes"},
		{"random:1:0:2x2", "markov:1:0", file(map[string][]byte{"log_psi_1": vector(0, 1e4)}),
			"proposals underflow"},
		{"cells:0:-inf/0:-inf", "markov:1:0", file(map[string][]byte{
			"log_psi_1": vector(0, 0), "log_psi_2": vector(-inf, 0, -inf, 0)}), "no run has an output"},
		{"random:1:0:2x2", "markov:1:0", file(map[string][]byte{"log_psi_1": vector(0, 0, 0)}),
			"it needs (2,)"},
		{"random:1:0:2x2x2", "markov:1:0", file(map[string][]byte{"log_psi_1": vector(0, 0)}),
			"no array log_psi_2"},
		{"random:1:0:2x2", "markov:1:0",
			file(map[string][]byte{"log_psi_1": vector(0, 0), "extra": vector(0)}), "has the arrays"},
	} {
		if i%3 != 0 && !longtest.Enabled() {
			continue
		}
		cases, err := policy.TwistSelection{Reader: forms.Reader(),
			Toys: c[:1], Bases: c[1:2], Twists: c[2:3]}.Cases(ctx)
		if err == nil {
			_, err = study.Run(ctx, policy.Twisted(), cases, policy.Twisted().Standard, study.How{})
		}
		if err == nil || !strings.Contains(err.Error(), c[3]) || chains.IsFault(err) {
			t.Errorf("%v: %v", c, err)
		}
	}
}

// TestTwistNotes: notes say why a bound is infinite.
func TestTwistNotes(t *testing.T) {
	if r := twisted(t, "cells:0:-inf", "markov:1:0", "none",
		policyParticles(2)); !math.IsInf(r.Lower.Value, -1) || math.IsInf(r.Upper.Value, 0) ||
		!strings.Contains(r.Note(), "all weights become zero") {
		t.Errorf("%v, %v: %s", r.Lower, r.Upper, r.Note())
	}
	if r := twisted(t, "cells:0:-inf", "markov:1:0", "none", func(o *policy.TwistOptions) {
		o.Particles = []int{30}
		o.Resample = []string{"systematic"}
		o.Chains = 2000
	}); r.Method != "simulation" || !strings.Contains(r.Note(), "all weights may become zero") {
		t.Errorf("by %s: %v: %s", r.Method, r.Lower, r.Note())
	}
	zero := archive(t, map[string][]byte{"log_psi_1": numpy.Floats([]float64{0, math.Inf(-1)}, 2)})
	if r := twisted(t, "random:1:0:2x2", "markov:1:0", zero,
		policyParticles(2)); !math.IsInf(r.Upper.Value, 1) || math.IsInf(r.Lower.Value, 0) ||
		!math.IsInf(r.J, 1) || !strings.Contains(r.Note(), "no run reaches") {
		t.Errorf("%v, %v, J = %v: %s", r.Lower, r.Upper, r.J, r.Note())
	}
}
