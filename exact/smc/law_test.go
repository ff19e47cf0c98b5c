package smc

import (
	"context"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/number"
	"breadboard/chains/particle"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact/internal/exacttest"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// solved returns a distribution, and fails the test where one of its identities does not hold.
func solved(t testing.TB, a *chains.Annealing, s Setting) *Law {
	t.Helper()
	l := longtest.Sure(Solve(context.Background(), a, s, Options{}))
	for _, i := range l.Identities {
		if !i.OK {
			t.Errorf("%d particles: %s: %v, want %v", s.Particles, i.Name, i.Got, i.Want)
		}
	}
	return l
}

// closeTo fails the test if a number is off by more than that many times 1 + |want|.
func closeTo(t testing.TB, what string, got, want, tolerance float64) {
	t.Helper()
	if got == want {
		return
	}
	if !(math.Abs(got-want) <= tolerance*(1+math.Abs(want))) {
		t.Errorf("%s = %.17g, want %.17g", what, got, want)
	}
}

// worseWithMore is the annealing of two states on which more particles are worse.
func worseWithMore() *chains.Annealing {
	line := grid.MustNew(2)
	path := longtest.Sure(paths.NewPiecewise("via", nil, []float64{0, 5.5}, []float64{0, -6}, 0.5))
	return longtest.Sure(chains.NewAnnealing(path, schedules.Linear{}, kernels.Metropolis{Space: line}, 3))
}

// TestWorseWithMore: J and both means of log Zhat for any number of particles on two states.
func TestWorseWithMore(t *testing.T) {
	a := worseWithMore()
	for _, c := range []struct {
		particles               int
		method                  Method
		j, forward, conditional float64
	}{
		{1, MethodAnnealing, 2.0434540106271162, -5.86325053211441581, 2.72833675850378553},
		{2, MethodPairs, 2.25266221268795626, -5.5949941141422892, 3.15227672182883836},
		{3, MethodTriples, 2.51938703799724048, -5.94600673107303726, 3.21262275480748015},
		{5, MethodCounts, 2.77516737133158164, -6.3445829828713443, 3.01367836026966533},
		{10, MethodCounts, 2.80307065454781803, -6.32285705103417054, 2.45578494499890968},
		{30, MethodCounts, 2.52524596959713338, -5.73856965523901853, 1.4575146228122959},
		{100, MethodCounts, 1.74694333472130121, -4.32110366869905964, 0.449771112995568669},
	} {
		l := solved(t, a, Setting{c.particles, particle.Multinomial{}, 1})
		if l.Method != c.method {
			t.Errorf("%d particles: method %v", c.particles, l.Method)
		}
		closeTo(t, "J", l.J, c.j, 5e-14)
		closeTo(t, "forward", l.MeanLogZForward, c.forward, 5e-14)
		closeTo(t, "conditional", l.MeanLogZConditional, c.conditional, 5e-14)
		closeTo(t, "log Z", l.LogZRatio, -0.69067149542221486, 1e-15)
	}
	_, limits, err := RelativeVariances(context.Background(), a, nil, Options{})
	longtest.NoError(t, err)
	closeTo(t, "limit of P relvar", limits.P, 243.478439472210322, 1e-14)
	closeTo(t, "limit of P^2 J", limits.P2J.Value, 36.8536937993748231, 1e-13)
}

// TestAgainstEnumeration: on small spaces every route agrees with the enumeration of all runs, for
// every scheme, with kernels that are not reversible and with sequences, and with zeros.
func TestAgainstEnumeration(t *testing.T) {
	longtest.Only(t)
	inf := math.Inf(-1)
	line := grid.MustNew(3)
	short := grid.MustNew(2)
	metropolis := kernels.Metropolis{Space: line}
	for _, c := range []struct {
		name            string
		initial, target []float64
		kernel          chains.Kernel
		T, particles    int
		many            bool
	}{
		{"three states", nil, []float64{0, 1, -0.7}, metropolis, 3, 2, false},
		{"far apart", nil, []float64{0, 12, -9}, metropolis, 3, 2, false},
		{"a state lost", nil, []float64{0, 1, inf}, metropolis, 3, 2, false},
		{"a state gained", []float64{0, 0.3, inf}, []float64{0, 1, 0.5}, kernels.HeatBathAxis{Space: line},
			3, 2, false},
		{"a state lost, drawn", nil, []float64{0, 1, inf}, kernels.HeatBathAxis{Space: line}, 3, 2, false},
		{"a sequence", nil, []float64{0, 1, -0.7}, kernels.Compose(metropolis, kernels.Barker{Space: line}),
			2, 2, false},
		{"not reversible", nil, []float64{0, 1, -0.7}, kernels.SuwaTodoAxis{Space: line}, 3, 2, false},
		{"three particles", nil, []float64{0, 1.5}, kernels.Metropolis{Space: short}, 3, 3, true},
		{"three particles, three states", nil, []float64{0, 1.5, -1}, metropolis, 2, 3, false},
		{"four particles", nil, []float64{0, 1.5}, kernels.Metropolis{Space: short}, 2, 4, false},
		{"five particles", nil, []float64{0, 2.5}, kernels.Metropolis{Space: short}, 2, 5, true},
	} {
		a := exacttest.Build(t, c.initial, c.target, schedules.Linear{}, c.kernel, c.T)
		for _, scheme := range []particle.Scheme{
			particle.Multinomial{}, particle.Stratified{}, particle.Systematic{}, particle.Residual{}} {
			s := Setting{c.particles, scheme, 1}
			_, multinomial := scheme.(particle.Multinomial)
			if multinomial && c.many || engineOf(a.States(), s) == nil {
				continue // there are too many runs
			}
			_, systematic := scheme.(particle.Systematic)
			if runs := c.many && (!systematic || c.T > 2) ||
				multinomial && c.particles > 3; runs && !longtest.More() {
				continue // there are a million
			}
			t.Run(c.name+", "+scheme.String(), func(t *testing.T) { sameAsEnumerated(t, a, s) })
		}
	}
}

// sameAsEnumerated compares a distribution with the enumeration of all runs.
func sameAsEnumerated(t *testing.T, a *chains.Annealing, s Setting) {
	t.Helper()
	got := solved(t, a, s)
	j := longtest.Sure(EnumerateSMC(context.Background(), a, s, EnumerateOptions{}))
	want := lawOf(j, got.LogZRatio)
	if got.Method == want.Method {
		t.Fatalf("method %v", got.Method)
	}
	const tolerance = 1e-13
	closeTo(t, "J", got.J, want.J, tolerance)
	closeTo(t, "KL(q||p)", got.KLQP, want.KLQP, tolerance)
	closeTo(t, "KL(p||q)", got.KLPQ, want.KLPQ, tolerance)
	closeTo(t, "forward", got.MeanLogZForward, want.MeanLogZForward, tolerance)
	closeTo(t, "conditional", got.MeanLogZConditional, want.MeanLogZConditional, tolerance)
	closeTo(t, "B", got.B, want.B, tolerance)
	closeTo(t, "extinct", got.Extinct, want.Extinct, tolerance)
	var sum number.Sum // of Zhat/Z, less than one where a state is gained
	for x := range j.Q() {
		for _, u := range j.traces[x] {
			if u.Q > 0 {
				sum.Add(u.Q * math.Exp(j.logZhat(x, u.RunXi)-j.logZ))
			}
		}
	}
	mean := sum.Value()
	closeTo(t, "relative variance", got.RelativeVariance,
		(want.RelativeVariance-(1-mean)*(1-mean))/(mean*mean), tolerance)
	for x, v := range got.LogRatio {
		if j.Target()[x] > 0 {
			closeTo(t, "log q/p", v, want.LogRatio[x], tolerance)
		}
	}
}

// TestNoRoute: work that is too much is not begun, and what is known all the same is returned.
func TestNoRoute(t *testing.T) {
	a := exacttest.Annealing(t, "easy", "linear", "metropolis", 10)
	for _, c := range []struct {
		s     Setting
		words []string
		known bool
	}{
		{Setting{10, particle.Multinomial{}, 1},
			[]string{"5.22e+10 sets of particles", "B or more", "relative variance"}, true},
		{Setting{5, particle.Systematic{}, 1}, []string{"2.82e+08 rows of particles", "B or more"}, false},
		{Setting{4, particle.Multinomial{}, 0.5}, []string{"threshold 0.5", "fewer states"}, false},
	} {
		l := solved(t, a, c.s)
		if l.Method != MethodNone || !math.IsNaN(l.J) || math.IsNaN(l.LogZRatio) ||
			math.IsNaN(l.RelativeVariance) == c.known {
			t.Errorf("%v: %+v", c.s, l)
		}
		for _, w := range c.words {
			if !strings.Contains(strings.Join(l.Notes, " "), w) {
				t.Errorf("%v: notes %q lack %q", c.s, l.Notes, w)
			}
		}
	}
	for _, s := range []Setting{{0, particle.Multinomial{}, 1}, {2, particle.Multinomial{}, 1.5},
		{2, particle.Multinomial{}, math.NaN()}} {
		if _, err := Solve(context.Background(), a, s, Options{}); err == nil {
			t.Errorf("%v is accepted", s)
		}
	}
}

// TestBinomial: the distribution of the number of successes where all failures, or all successes,
// are too unlikely for a float64.
func TestBinomial(t *testing.T) {
	for _, p := range []float64{0, 1e-5, 0.3, 0.999, 1} {
		const n = 5000
		law := make([]float64, n+1)
		binomialLaw(law, p, 1-p)
		var total, mean, square float64
		for k, v := range law {
			total += v
			mean += float64(k) * v
			square += float64(k) * float64(k) * v
		}
		closeTo(t, "total", total, 1, 1e-13)
		closeTo(t, "mean", mean, n*p, 1e-12)
		closeTo(t, "square", square, n*p*(1-p)+n*n*p*p, 1e-12)
	}
}

// TestFarApart: if log f spans so much that plain numbers do not hold the distribution, runs are
// enumerated if they are few, and else the note says so.
func TestFarApart(t *testing.T) {
	target := []float64{0, -400}
	s := Setting{2, particle.Multinomial{}, 1}
	few := exacttest.Build(t, nil, target, schedules.Linear{}, kernels.Metropolis{Space: grid.MustNew(2)}, 3)
	if l := solved(t, few, s); l.Method != MethodEnumeration || math.IsNaN(l.J) {
		t.Errorf("few stages: %+v", l)
	}
	many := exacttest.Build(t, nil, target, schedules.Linear{}, kernels.Metropolis{Space: grid.MustNew(2)}, 60)
	if l := solved(t, many, s); l.Method != MethodNone ||
		!strings.Contains(l.Notes[0], "more than 300 nats") {
		t.Errorf("many stages: %+v", l)
	}
}

// TestEnginesAgree: on two or three states two particles are pairs and counts, and three are
// multisets and counts, and the distribution is the same, whatever the magnitudes of log f; zeros,
// ties and constants are among them. The identities hold, and both means of log Zhat bound the
// divergences.
func TestEnginesAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 3).Draw(t, "states")
		size := rapid.SampledFrom([]float64{0, 1e-12, 1, 10, 60}).Draw(t, "size")
		constant := rapid.SampledFrom([]float64{0, 0, 1e12, -1e12}).Draw(t, "constant")
		target := rapid.SliceOfN(rapid.Float64Range(-size, size), n, n).Draw(t, "log f")
		lost := rapid.IntRange(-2, n-1).Draw(t, "lost")
		for x := range target {
			target[x] += constant
			if x == lost {
				target[x] = math.Inf(-1)
			}
		}
		a := exacttest.Build(t, nil, target, schedules.Linear{}, kernels.Metropolis{Space: grid.MustNew(n)},
			rapid.IntRange(2, 6).Draw(t, "T"))
		multinomial := particle.Multinomial{}
		for size, engines := range map[int][]engine{
			2: {buildPairs(n, multinomial), newCounts(n, 2)}, 3: {newMultisets(n, 3, true), newCounts(n, 3)}} {
			var laws []*Law
			for workers, e := range engines {
				l := longtest.Sure(propagate(context.Background(), a, Setting{size, multinomial, 1}, e,
					Options{Workers: 1 + 2*workers}))
				for _, i := range l.Identities {
					if !i.OK {
						t.Fatalf("%v: %s: %v, want %v", l.Method, i.Name, i.Got, i.Want)
					}
				}
				laws = append(laws, l)
			}
			want := laws[0]
			got := laws[1]
			for name, v := range map[string][2]float64{
				"J": {got.J, want.J}, "KL(q||p)": {got.KLQP, want.KLQP}, "KL(p||q)": {got.KLPQ, want.KLPQ},
				"B":                 {got.B, want.B},
				"extinct":           {got.Extinct, want.Extinct},
				"relative variance": {got.RelativeVariance, want.RelativeVariance},
			} {
				if v[0] != v[1] && !(math.Abs(v[0]-v[1]) <= 1e-12*(1+math.Abs(v[1]))) {
					t.Fatalf("%s: %v by %v, %v by %v", name, v[0], got.Method, v[1], want.Method)
				}
			}
			if got.Extinct == 0 && !(got.J <= got.B+1e-12*(1+math.Abs(got.B))) {
				t.Fatalf("J = %v is above B = %v", got.J, got.B)
			}
		}
	})
}

// TestErrorsBound: the distributions by two methods differ by no more than their bounds on rounding
// together, from nearly flat targets, on which J and B are squares of the range of log f, to ranges
// of hundreds of nats; and those of resampled particles leave digits wherever log f has a range
// that counts.
func TestErrorsBound(t *testing.T) {
	most := 6
	if longtest.Enabled() {
		most = 20
	}
	exacttest.CheckSome(t, most, func(t *rapid.T) {
		size := math.Pow(10, rapid.Float64Range(-10, 2.5).Draw(t, "digits of the range"))
		target := []float64{0, size, size * rapid.Float64Range(-1, 1).Draw(t, "third")}
		a := exacttest.Build(t, nil, target, schedules.Linear{}, kernels.Metropolis{Space: grid.MustNew(3)},
			rapid.IntRange(2, 3).Draw(t, "T"))
		s := Setting{2, particle.Multinomial{}, float64(min(1, rapid.IntRange(0, 7).Draw(t, "threshold")))}
		got, want := longtest.Sure(Solve(context.Background(), a, s, Options{})),
			longtest.Sure(solveByEnumeration(context.Background(), a, s, Options{}, ""))
		for name, v := range map[string][4]float64{
			"J": {got.J, want.J, got.ErrorJ, want.ErrorJ}, "B": {got.B, want.B, got.ErrorB, want.ErrorB},
			"KL(q||p)":    {got.KLQP, want.KLQP, got.ErrorJ, want.ErrorJ},
			"KL(p||q)":    {got.KLPQ, want.KLPQ, got.ErrorJ, want.ErrorJ},
			"forward":     {got.MeanLogZForward, want.MeanLogZForward, got.ErrorMean, want.ErrorMean},
			"conditional": {got.MeanLogZConditional, want.MeanLogZConditional, got.ErrorMean, want.ErrorMean},
			"variance": {
				got.RelativeVariance, want.RelativeVariance, got.ErrorVariance, want.ErrorVariance},
		} {
			if !math.IsNaN(got.B) && !(math.Abs(v[0]-v[1]) <= v[2]+v[3]) {
				t.Fatalf("range %g, %s: %v by %v and %v by %v, with errors up to %.2g and %.2g", size, name,
					v[0], got.Method, v[1], want.Method, v[2], v[3])
			}
		}
		if size > 0.1 && s.Threshold == 1 && !(got.ErrorB <= 1e-9*got.B && got.ErrorJ <= 1e-9*got.J) {
			t.Fatalf("range %g: J = %v with an error of %v, B = %v with one of %v", size, got.J, got.ErrorJ,
				got.B, got.ErrorB)
		}
	})
}
