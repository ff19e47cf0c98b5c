package policy_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains/number"
	"breadboard/chains/numpy"
	"breadboard/exact"
	"breadboard/exact/policies"
	"breadboard/experiments/forms"
	"breadboard/experiments/particles/policy"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
)

func model(t testing.TB, toy, selector string) policies.Model {
	t.Helper()
	return longtest.Must(policy.Parse(selector, longtest.Must(forms.All().Parse(toy))(t)))(t)
}

func solve(t testing.TB, m policies.Model) *policies.Solution {
	t.Helper()
	return longtest.Must(policies.Solve(context.Background(), m, policies.Options{Workers: 2, Visits: true}))(t)
}

// policyNear reports whether a number is another one to a relative tolerance, in which numbers
// below one count as one.
func policyNear(got, want, tolerance float64) bool {
	return got == want || math.Abs(got-want) <= tolerance*max(1, math.Abs(want))
}

// TestPolicyReference: masked and ordered policies on four targets have the numbers of a program in
// NumPy (policy/testdata/reference.py) that shares nothing with this one.
func TestPolicyReference(t *testing.T) {
	var rows []struct {
		Toy, Policy string
		KLQP        float64 `json:"kl_q_p"`
		KLPQ        float64 `json:"kl_p_q"`
		Forward     float64 `json:"path_q_p"`
		Reverse     float64 `json:"path_p_q"`
		LogZ        float64 `json:"log_z"`
	}
	longtest.NoError(
		t,
		json.Unmarshal(longtest.Must(os.ReadFile("testdata/reference.json"))(t), &rows),
	)
	for _, r := range rows {
		s := solve(t, model(t, r.Toy, r.Policy))
		got := [5]float64{s.KLQP.Value, s.KLPQ.Value, s.KLForward.Value, s.KLReverse.Value, s.LogZ}
		for i, want := range [5]float64{r.KLQP, r.KLPQ, r.Forward, r.Reverse, r.LogZ} {
			if !policyNear(got[i], want, 1e-12) {
				t.Errorf("%s, %s: number %d is %v, want %v", r.Toy, r.Policy, i, got[i], want)
			}
		}
	}
}

// TestExactPolicies: they have J = B = 0, whatever the target spans, and however many values an
// axis has.
func TestExactPolicies(t *testing.T) {
	for _, toy := range []string{"ising:3x3:0.6", "potts:3:2x2:5", "random:300:1:3x3", "easy",
		"cells:0:-inf:1/-700:3:-inf", "random:1:1:300x2"} {
		for _, name := range []string{
			"masked:exact", "order:exact", "gflownet:exact", "gflownet:exact:learned"} {
			s := solve(t, model(t, toy, name))
			if s.J.Value != 0 || s.B.Value != 0 || s.ESS.Value != 1 || s.ForwardLost+s.ReverseLost > 0 {
				t.Errorf("%s, %s: J %v, B %v, ESS %v, lost %v and %v", toy, name, s.J, s.B, s.ESS,
					s.ForwardLost, s.ReverseLost)
			}
		}
	}
}

// TestJumpsAreAnnealing: Euler's steps at the default rate are annealing by Metropolis, also where
// probabilities are below the range of float64.
func TestJumpsAreAnnealing(t *testing.T) {
	ctx := context.Background()
	for _, toy := range []string{"easy", "random:300:1:3x3"} {
		cases := longtest.Must(subject.Selection{
			Reader:        forms.Reader(),
			Toys:          []string{toy},
			Distributions: []int{21},
			Path:          "geometric",
			Schedule:      "linear",
			Kernel:        "metropolis",
		}.Cases(ctx))(t)
		want := longtest.Must(exact.Solve(ctx, cases[0].Annealing(), exact.Options{}))(t)
		if got := solve(t, model(t, toy, "ctmc:20")); !policyNear(got.J.Value, want.J, 1e-12) ||
			!policyNear(got.B.Value, want.B, 1e-12) {
			t.Errorf("%s: J %v and B %v, want %v and %v", toy, got.J, got.B, want.J, want.B)
		}
	}
}

// TestOutput: the output stands in the order of the states of the target.
func TestOutput(t *testing.T) {
	ctx := context.Background()
	names := []string{"masked:exact", "order:exact", "gflownet:exact", "ctmc:400"}
	cases := longtest.Must(policy.Selection{Reader: forms.Reader(),
		Toys: []string{"random:2:1:2x3"}, Policies: names}.Cases(ctx))(t)
	for _, r := range longtest.Must(study.Run(ctx, policy.Study(), cases, policy.Study().Standard, study.How{}))(t) {
		for x, g := range r.Toy.G {
			if p := math.Exp(g - r.LogZ); math.Abs(r.Output[x]-p) > 0.3*p ||
				r.J.Value == 0 && math.Abs(r.Output[x]-p) > 1e-13 {
				t.Errorf("%s: q(%d) is %v, and p %v", r.Policy(), x, r.Output[x], p)
			}
		}
	}
}

// TestDigitsNearZero: with noise s, J and B are s^2 times a constant as s tends to zero. A
// difference of the two sides would have no digit at s = 1e-7.
func TestDigitsNearZero(t *testing.T) {
	at := func(s string) *policies.Solution { return solve(t, model(t, "easy", "gflownet:noisy:"+s+":3")) }
	large := at("1e-4")
	small := at("1e-7")
	for name, pair := range map[string][2]number.Bounded{
		"J": {large.J, small.J}, "B": {large.B, small.B}, "KL": {large.KLPQ, small.KLPQ}} {
		if ratio := pair[0].Value / pair[1].Value; math.Abs(ratio/1e6-1) > 1e-3 || pair[1].Lost() > 1e-5 {
			t.Errorf("%s: %v and %v", name, pair[0], pair[1])
		}
	}
}

// TestDigitsOfMeans: E log w of forward paths loses the digits that its terms have in common.
func TestDigitsOfMeans(t *testing.T) {
	s := solve(t, model(t, "ising:2x2:400", "masked:independent"))
	if off := math.Abs(s.MeanLogWForward.Value - 4*math.Ln2); off > s.MeanLogWForward.Error ||
		off < s.MeanLogWForward.Error/20 {
		t.Errorf("E log w is %v, and %v off", s.MeanLogWForward, off)
	}
	if s := solve(t, model(t, "ising:2x2:400", "masked:exact")); s.MeanLogWForward.Value != s.LogZ ||
		s.MeanLogWForward.Lost() > 1e-15 {
		t.Errorf("log Z is %v, and E log w of exact policies %v", s.LogZ, s.MeanLogWForward)
	}
}

// path is a path with its log probabilities, that under the backward policy without 1/Z.
type path struct {
	end               int
	forward, backward float64
	l                 []float64 // log P_F - log P_R of the first state and of each step
	uniform           float64   // its probability if every step is as likely
}

// particlesPaths lists all paths that one of the policies makes.
func particlesPaths(m policies.Model, reverse func(x int) float64) (all []path) {
	var walk func(x int, p path)
	walk = func(x int, p path) {
		if logf, ends := m.Target(x); ends {
			p.end = x
			p.backward = p.backward + logf
			all = append(all, p)
			return
		}
		out := m.Out(nil, x)
		for _, e := range out {
			l := e.Forward - (reverse(e.State) + e.Backward - reverse(x))
			walk(e.State, path{0, p.forward + e.Forward, p.backward + e.Backward,
				append(p.l[:len(p.l):len(p.l)], l), p.uniform / float64(len(out))})
		}
	}
	for x := range m.Size() {
		if m.Layer(x) == 0 {
			q := m.Initial(x)
			walk(x, path{0, q, 0, []float64{q - reverse(x)}, math.Exp(q)})
		}
	}
	return all
}

// marginals returns the log of the marginals of backward paths by recursion.
func marginals(m policies.Model, logZ float64) func(x int) float64 {
	known := map[int]float64{}
	var of func(x int) float64
	of = func(x int) float64 {
		if v, is := known[x]; is {
			return v
		}
		v := math.Inf(-1)
		if logf, ends := m.Target(x); ends {
			v = logf - logZ
		} else {
			for _, e := range m.Out(nil, x) {
				v = number.LogPlus(v, of(e.State)+e.Backward)
			}
		}
		known[x] = v
		return v
	}
	return of
}

// kl returns a log(a/b) of two logs.
func kl(a, b float64) float64 {
	switch {
	case math.IsInf(a, -1):
		return 0
	case math.IsInf(b, -1):
		return math.Inf(1)
	}
	return math.Exp(a) * (a - b)
}

// failer is a test, also a property test.
type failer interface {
	longtest.Failer
	Errorf(format string, args ...any)
}

// checkPaths holds all numbers of a model to sums over its paths.
func checkPaths(t failer, m policies.Model, s *policies.Solution) {
	reverse := marginals(m, s.LogZ)
	all := particlesPaths(m, reverse)
	q := map[int]*number.LogSum{}
	p := map[int]*number.LogSum{}
	var forward, back, first, second number.Sum
	spread := 1.0 // the largest finite log
	for _, path := range all {
		backward := path.backward - s.LogZ
		forward.Add(kl(path.forward, backward))
		back.Add(kl(backward, path.forward))
		if path.forward > math.Inf(-1) {
			first.Add(math.Exp(backward))
			second.Add(math.Exp(2*backward - path.forward))
		}
		if q[path.end] == nil {
			q[path.end], p[path.end] = &number.LogSum{}, &number.LogSum{}
		}
		q[path.end].Add(path.forward)
		p[path.end].Add(backward)
		for _, v := range []float64{path.forward, backward} {
			spread = max(spread, number.Finite(v))
		}
	}
	var qp, pq number.Sum
	for x := range q {
		qp.Add(kl(q[x].Log(), p[x].Log()))
		pq.Add(kl(p[x].Log(), q[x].Log()))
		if want := math.Exp(q[x].Log()); !policyNear(s.Visits[x], want, 1e-11) {
			t.Errorf("q(%d) is %v, want %v", x, s.Visits[x], want)
		}
	}
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"KL(q||p)", s.KLQP.Value, qp.Value()}, {"KL(p||q)", s.KLPQ.Value, pq.Value()},
		{"J", s.J.Value, qp.Value() + pq.Value()},
		{"KL(path_fwd||path_rev)", s.KLForward.Value, forward.Value()},
		{"KL(path_rev||path_fwd)", s.KLReverse.Value, back.Value()},
		{"B", s.B.Value, forward.Value() + back.Value()},
	} {
		if !policyNear(c.got, c.want, 1e-13*spread) {
			t.Errorf("%s is %v, and over all paths %v", c.name, c.got, c.want)
		}
	}
	if want := first.Value() * first.Value() / second.Value(); !policyNear(s.ESS.Value, want, 1e-11*spread) &&
		!(math.IsNaN(want) && math.IsNaN(s.ESS.Value)) {
		t.Errorf("ESS is %v, and over all paths %v", s.ESS, want)
	}
	if s.B.Value < s.J.Value*(1-1e-12) || s.MeanLogWForward.Value > s.LogZ ||
		s.MeanLogWReverse.Value < s.LogZ {
		t.Errorf("J %v, B %v, log Z %v between %v and %v", s.J, s.B, s.LogZ, s.MeanLogWForward, s.MeanLogWReverse)
	}
}

// TestPolicyAllPaths: on 2x2 each policy has the numbers of a sum over all paths, and so have the
// losses and the bounds of two paths.
func TestPolicyAllPaths(t *testing.T) {
	for toy, names := range map[string][]string{
		"ising:2x2:0.6:0.3": {"masked:local:0.8", "order:local:1.5", "masked:independent", "gflownet:uniform",
			"gflownet:noisy:1:4",
			"gflownet:noisy:1:4:learned", "ctmc:3", "ctmc:3:leap:2"},
		"random:2:1:2x3":   {"masked:exact", "masked:independent", "gflownet:noisy:0.5:1", "ctmc:2:leap"},
		"cells:0:-inf/2:1": {"masked:independent", "gflownet:uniform", "gflownet:noisy:1:1", "ctmc:3"},
	} {
		for i, name := range names {
			if i%4 != 0 && !longtest.Enabled() {
				continue
			}
			m := model(t, toy, name)
			s := solve(t, m)
			checkPaths(t, m, s)
			checkLosses(t, toy+" "+name, m, s)
			checkBounds(t, m, s)
		}
	}
}

// checkLosses holds the losses to their definitions, path by path.
func checkLosses(t *testing.T, name string, m policies.Model, s *policies.Solution) {
	const lambda = 0.8
	all := particlesPaths(m, marginals(m, s.LogZ))
	for _, sampling := range []policies.Sampling{policies.OnPolicy, policies.Uniform} {
		got := longtest.Must(policies.LossesOf(context.Background(), m, sampling, lambda))(t)
		var db, sub, pairs, mean, square float64
		for _, path := range all {
			p := math.Exp(path.forward)
			if sampling == policies.Uniform {
				p = path.uniform
			}
			if p == 0 {
				continue
			}
			whole := 0.0
			for i, l := range path.l {
				whole += l
				if i > 0 {
					db += p * l * l
				}
			}
			mean = mean + p*whole
			square = square + p*whole*whole
			for i := 1; i < len(path.l); i++ {
				sum := 0.0
				for j := i; j < len(path.l); j++ {
					sum += path.l[j]
					weight := math.Pow(lambda, float64(j-i+1))
					sub = sub + p*weight*sum*sum
					pairs = pairs + p*weight
				}
			}
		}
		want := policies.Losses{DB: db, SubTB: sub / pairs, TB: square - mean*mean}
		for i, pair := range [][2]float64{{got.DB, want.DB}, {got.SubTB, want.SubTB}, {got.TB, want.TB}} {
			if math.IsNaN(pair[1]) || math.IsInf(pair[1], 1) {
				pair[1] = math.Inf(1)
			}
			if !policyNear(pair[0], pair[1], 1e-11) {
				t.Errorf("%s, sampling %v: loss %d is %v, and over all paths %v", name, sampling,
					i, pair[0], pair[1])
			}
		}
	}
}

// checkBounds holds the bounds of one and of two paths to sums over paths and over pairs of them.
func checkBounds(t failer, m policies.Model, s *policies.Solution) {
	w := longtest.Must(policies.WeightsOf(context.Background(), m, s))(t)
	all := particlesPaths(m, marginals(m, s.LogZ))
	steps := 0
	lowers, uppers, err := w.Bounds(context.Background(), []int{1, 2}, func(n int) { steps += n })
	longtest.NoError(t, err)
	if !w.Zero || !w.Infinite {
		_, _, ended := w.Bounds(longtest.EndsAfter(0), []int{2}, func(int) {})
		longtest.Refused(t, ended, "canceled")
		if steps == 0 {
			t.Errorf("no progress")
		}
	}
	lower, upper := lowers[0].Value, uppers[0].Value
	if !policyNear(s.LogZ+lower, s.MeanLogWForward.Value, 1e-10) ||
		!policyNear(s.LogZ+upper, s.MeanLogWReverse.Value, 1e-10) {
		t.Errorf("bounds of one path %v and %v, means %v and %v", lower, upper,
			s.MeanLogWForward.Value-s.LogZ, s.MeanLogWReverse.Value-s.LogZ)
	}
	if len(all) > 2500 {
		return
	}
	var wantLower, wantUpper float64
	for _, a := range all {
		if p, r := a.forward > math.Inf(-1), a.backward > math.Inf(-1); p && !r {
			// twice, too, with a probability that may underflow
			wantLower = math.Inf(-1)
		} else if r && !p {
			wantUpper = math.Inf(1)
		}
		for _, b := range all {
			wa, wb := a.backward-s.LogZ-a.forward, b.backward-s.LogZ-b.forward
			if p := math.Exp(a.forward + b.forward); p > 0 {
				wantLower += p * (number.LogPlus(wa, wb) - math.Ln2)
			}
			if p := math.Exp(a.backward + b.backward - 2*s.LogZ); p > 0 {
				wantUpper -= p * (number.LogPlus(-wa, -wb) - math.Ln2)
			}
		}
	}
	lower, upper = lowers[1].Value, uppers[1].Value
	if !policyNear(lower, wantLower, 1e-9) || !policyNear(upper, wantUpper, 1e-9) {
		t.Errorf("bounds of two paths %v and %v, want %v and %v", lower, upper, wantLower, wantUpper)
	}
}

// TestRandomTables: whatever the policies are, with probabilities of zero, targets with zeros and
// spans of 700 nats, all numbers are those over all paths, and an infinite one is named.
func TestRandomTables(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sizes := []int{rapid.IntRange(1, 2).Draw(t, "first")}
		for range rapid.IntRange(1, 3).Draw(t, "layers") {
			sizes = append(sizes, rapid.IntRange(1, 4).Draw(t, "size"))
		}
		first := []int{0}
		for _, n := range sizes {
			first = append(first, first[len(first)-1]+n)
		}
		size := first[len(sizes)]
		last := len(sizes) - 1
		logs := func(n int) (row []float64) {
			span := rapid.SampledFrom([]float64{0, 1, 37, 350}).Draw(t, "span")
			for range n {
				v := span * rapid.Float64Range(-1, 1).Draw(t, "log")
				if rapid.IntRange(0, 4).Draw(t, "zero") == 0 {
					v = math.Inf(-1)
				}
				row = append(row, v)
			}
			if math.IsInf(number.LogSumExp(row), -1) {
				row[0] = 0
			}
			return row
		}
		steps := func(layer int) (row []policies.Step, err error) {
			list := logs(sizes[layer])
			sum := number.LogSumExp(list)
			for i, v := range list {
				row = append(row, policies.Step{To: first[layer] + i, LogP: v - sum})
			}
			return row, nil
		}
		setup := policies.Setup{
			Layer:   make([]int, size),
			LogF:    make([]float64, size),
			Initial: map[int]float64{},
		}
		for layer := range sizes {
			for x := first[layer]; x < first[layer+1]; x++ {
				setup.Layer[x], setup.LogF[x] = layer, math.NaN()
			}
		}
		copy(setup.LogF[first[last]:], logs(sizes[last]))
		start, _ := steps(0)
		for _, e := range start {
			setup.Initial[e.To] = e.LogP
		}
		setup.Forward = func(x int) ([]policies.Step, error) { return steps(setup.Layer[x] + 1) }
		setup.Backward = func(y int) ([]policies.Step, error) { return steps(setup.Layer[y] - 1) }
		m, err := policies.NewTable(setup)
		longtest.NoError(t, err)
		s, err := policies.Solve(context.Background(), m, policies.Options{Visits: true})
		longtest.NoError(t, err)
		checkPaths(t, m, s)
		checkBounds(t, m, s)
	})
}

// TestFile: policies in arrays have the numbers of the same ones by name, and an error says
// what is wrong with a file.
func TestFile(t *testing.T) {
	toy := longtest.Must(forms.All().Parse("ising:1x2:0.5"))(t)
	half := []float64{0.5, 0.5}
	write := func(change func(all map[string][]byte)) string {
		path := filepath.Join(t.TempDir(), "layers.npz")
		all := map[string][]byte{
			"forward_1": numpy.Floats(half, 1, 2), "backward_1": numpy.Floats([]float64{1, 1}, 2, 1),
			"forward_2":  numpy.Floats([]float64{0.5, 0.5, 0, 0, 0, 0, 0.5, 0.5}, 2, 4),
			"backward_2": numpy.Floats([]float64{1, 0, 1, 0, 0, 1, 0, 1}, 4, 2),
		}
		change(all)
		var members []numpy.Member
		for _, key := range []string{"forward_1", "backward_1", "forward_2", "backward_2", "extra"} {
			if data := all[key]; data != nil {
				members = append(members, numpy.Member{Name: key, Data: data})
			}
		}
		f := longtest.Must(os.Create(path))(t)
		longtest.NoError(t, numpy.WriteArchive(f, members))
		longtest.NoError(t, f.Close())
		return "file:" + path
	}
	got := solve(t, longtest.Must(policy.Parse(write(func(map[string][]byte) {}), toy))(t))
	want := solve(t, model(t, "ising:1x2:0.5", "order:local:0"))
	if !policyNear(got.J.Value, want.J.Value, 1e-14) || !policyNear(got.B.Value, want.B.Value, 1e-14) {
		t.Errorf("J %v and B %v, want %v and %v", got.J, got.B, want.J, want.B)
	}
	for say, change := range map[string]func(all map[string][]byte){
		"no array forward_1": func(all map[string][]byte) { delete(all, "forward_1") },
		"backward_2":         func(all map[string][]byte) { delete(all, "backward_2") },
		"needs (4, 2)": func(all map[string][]byte) {
			all["backward_2"] = numpy.Floats(half, 1, 2)
		},
		"sums to 0.9": func(all map[string][]byte) {
			all["forward_1"] = numpy.Floats([]float64{0.5, 0.4}, 1, 2)
		},
		"the entry -1": func(all map[string][]byte) {
			all["forward_1"] = numpy.Floats([]float64{-1, 2}, 1, 2)
		},
		"the entry NaN": func(all map[string][]byte) {
			all["forward_1"] = numpy.Floats([]float64{math.NaN(), 1}, 1, 2)
		},
		"has 2 states, and toy": func(all map[string][]byte) {
			delete(all, "forward_2")
			delete(all, "backward_2")
		},
		"has the arrays": func(all map[string][]byte) {
			all["extra"] = numpy.Floats(half, 2)
		},
		"a row for each state of a layer": func(all map[string][]byte) {
			all["forward_1"] = numpy.Floats(half, 2)
		},
	} {
		longtest.Refuses(policy.Parse(write(change), toy))(t, say)
	}
}

// TestRefused: selectors that name no policies, and targets that have none, are errors that say
// what to write.
func TestRefused(t *testing.T) {
	for text, want := range map[string]string{
		"easy masked:local:1": "product of factors", "easy masked:exact:1": "local:C, exact or independent",
		"ising:2x2:1 order:local:x":                  "the factor C",
		"graph:complete:5:random:1:1 masked:exact":   "no axes",
		"graph:complete:5:random:1:1 gflownet:exact": "no box",
		"graph:complete:5:random:1:1 ctmc:2:leap":    "on a graph",
		"curie-weiss:9:1 masked:exact":               "classes", "easy gflownet:noisy:-1:2": "from 0 to",
		"easy gflownet:best":    "uniform, exact or noisy",
		"easy ctmc:10:euler:30": "more steps or a rate",
		"easy ctmc:2:leap:0":    "above 0", "ising:4x5:1 masked:exact": "partial states",
		"easy ctmc:1e6": "fewer steps",
	} {
		toy, name, _ := strings.Cut(text, " ")
		longtest.Refuses(policy.Parse(name, longtest.Must(forms.All().Parse(toy))(t)))(t, want, text)
	}
}

// TestBest: golden sections find the optima that a fine grid has, and the bound's is not that of J.
func TestBest(t *testing.T) {
	ctx := context.Background()
	cases := longtest.Must(
		policy.Selection{Reader: forms.Reader(),
			Toys: []string{"ising:2x2:0.9"}, Policies: []string{"masked:local:c"}}.Cases(ctx),
	)(t)
	o := policy.BestStudy().Standard
	o.By = policy.Objectives()
	rows := longtest.Must(study.Run(ctx, policy.BestStudy(), cases, o, study.How{}))(t)
	best := map[string]policy.BestRow{}
	for _, r := range rows {
		best[r.By] = r
	}
	least := map[string]float64{"J": math.Inf(1), "B": math.Inf(1), "db": math.Inf(1)}
	step := 50
	if longtest.Enabled() {
		step = 1
	}
	for i := 0; i <= 2000; i += step {
		m := model(t, "ising:2x2:0.9", fmt.Sprint("masked:local:", float64(i)/1000))
		s := solve(t, m)
		l := longtest.Must(policies.LossesOf(ctx, m, policies.OnPolicy, 0.9))(t)
		for by, v := range map[string]float64{"J": s.J.Value, "B": s.B.Value, "db": l.DB} {
			least[by] = min(least[by], v)
		}
	}
	for by, v := range least {
		if r := best[by]; r.Value > v+1e-12 || longtest.Enabled() && r.Value < v-1e-6 {
			t.Errorf("%s: %v at %v, and on a grid %v", by, r.Value, r.At, v)
		}
	}
	if b, j := best["B"], best["J"]; j.Excess().Value != 0 || b.Excess().Value < 0.01 || b.Value > j.B.Value {
		t.Errorf("by B: %v at %v; by J: %v at %v", b.J, b.At, j.J, j.At)
	}
}

// Example_policyStudy: who trains by the bound stops at 1.2; J is smaller at 1.5.
func Example_policyStudy() {
	ctx := context.Background()
	cases, err := policy.Selection{
		Reader:   forms.Reader(),
		Toys:     []string{"ising:3x3:0.6"},
		Policies: []string{"masked:local:1.2", "masked:local:1.5", "masked:exact"},
	}.Cases(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	rows, err := study.Run(ctx, policy.Study(), cases, policy.Study().Standard, study.How{})
	if err != nil {
		fmt.Println(err)
	}
	for _, r := range rows {
		fmt.Printf("%s: J = %.4f, B = %.4f\n", r.Policy(), r.J.Value, r.B.Value)
	}
	// Output:
	// masked:local:1.2: J = 0.5516, B = 0.9219
	// masked:local:1.5: J = 0.4122, B = 1.0231
	// masked:exact: J = 0.0000, B = 0.0000
}

// TestSteepPolicies: a divergence that rounding hides says so, and is not zero.
func TestSteepPolicies(t *testing.T) {
	for _, c := range []string{"1e20", "1e100", "1e300"} {
		s := solve(t, model(t, "ising:2x2:0.6", "masked:local:"+c))
		if !(s.KLQP.Error > s.KLQP.Value) {
			t.Errorf("%s: KL(q || p) is %v", c, s.KLQP)
		}
	}
	if s := solve(t, model(t, "ising:2x2:0.6", "masked:local:1e15")); !(s.J.Value > 1e13 && s.J.Error < s.J.Value/10) {
		t.Errorf("J is %v", s.J)
	}
}

// TestBestOfInfinite: where J is infinite at all values, the least J is infinite too.
func TestBestOfInfinite(t *testing.T) {
	ctx := context.Background()
	cases := longtest.Must(policy.Selection{
		Reader:   forms.Reader(),
		Toys:     []string{"cells:0:-inf:1:0"},
		Policies: []string{"ctmc:3:leap:r"},
	}.Cases(ctx))(t)
	o := policy.BestStudy().Standard
	o.Over = "r=0.5:2"
	for _, r := range longtest.Must(study.Run(ctx, policy.BestStudy(), cases, o, study.How{}))(t) {
		if r.By == "J" && !(math.IsInf(r.BestJ.Value, 1) && math.IsNaN(r.At)) {
			t.Errorf("the least J is %v, at %v", r.BestJ, r.At)
		}
	}
}

// TestSubsets: on variables of two values a flow network builds a set by adding one element at a
// time: its layers are those of the number of elements, and a path to a set of k elements is one of
// k! with the same weight under the uniform backward policy. A learned one leaves J alone and makes
// B no larger.
func TestSubsets(t *testing.T) {
	m := model(t, "random:1:1:2x2x2", "gflownet:uniform")
	if s := solve(t, m); m.Layers() != 5 || s.States != 16 {
		t.Errorf("%d layers and %d states", m.Layers(), s.States)
	}
	logf := longtest.Must(forms.All().Parse("random:1:1:2x2x2"))(t).G
	ends := longtest.Must(policies.EndsOf(context.Background(), m))(t)
	full := len(ends) - 1 // three elements, after steps with 4, 3 and 2 choices and one forced end
	if want := logf[full] - math.Log(6) + math.Log(24); len(ends[full]) != 1 ||
		!policyNear(ends[full][0].LogW, want, 1e-12) ||
		!policyNear(ends[full][0].LogP, math.Log(6.0/24), 1e-12) {
		t.Errorf("log w of the full set is %v, want %v", ends[full], want)
	}
	plain := solve(t, model(t, "random:1:1:2x2x2", "gflownet:noisy:1:3"))
	learned := solve(t, model(t, "random:1:1:2x2x2", "gflownet:noisy:1:3:learned"))
	if !policyNear(learned.J.Value, plain.J.Value, 1e-12) ||
		!policyNear(learned.B.Value, learned.J.Value, 1e-12) || plain.B.Value < learned.B.Value+1e-3 {
		t.Errorf("J %v and %v, B %v and %v", plain.J, learned.J, plain.B, learned.B)
	}
}
