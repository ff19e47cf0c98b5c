package draws

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"breadboard/chains/number"
	"breadboard/experiments/draws/codes"
	"breadboard/experiments/forms"
	"breadboard/grid/longtest"
)

// lawOf returns a distribution of numbered states.
func lawOf(p []float64) *Law {
	var labels []string
	for x := range p {
		labels = append(labels, fmt.Sprint(x))
	}
	return &Law{"p", p, codes.OfLabels(labels)}
}

// tilted returns a distribution of n states with a span of log probabilities.
func tilted(n int, span float64) []float64 {
	p := make([]float64, n)
	for x := range p {
		p[x] = math.Exp(-span * float64(x*7919%n) / float64(max(1, n-1)))
	}
	return normal(p)
}

// drawer draws from a distribution by the inverse of its distribution function at a number from 0
// to 1.
func drawer(p []float64) func(u float64) int {
	below := make([]float64, len(p))
	total := 0.0
	for x, v := range p {
		total += v
		below[x] = total
	}
	return func(u float64) int {
		x, found := slices.BinarySearch(below, u)
		if found {
			x++
		}
		for x = min(x, len(p)-1); p[x] == 0; {
			x--
		}
		return x
	}
}

// independent returns draws of a distribution.
func independent(p []float64, n int, rng *rand.Rand) []int {
	draw := drawer(p)
	states := make([]int, n)
	for i := range states {
		states[i] = draw(rng.Float64())
	}
	return states
}

// checked checks states against a distribution.
func checked(t *testing.T, l *Law, states []int) *Outcome {
	t.Helper()
	var b strings.Builder
	b.WriteString("state\n")
	for _, x := range states {
		fmt.Fprintln(&b, x)
	}
	r := longtest.Must(l.Codes.Stream(t.Context(), "draws", strings.NewReader(b.String())))(t)
	return longtest.Must(Check(t.Context(), l, []*codes.Reader{r}, Options{Alpha: 1e-6}))(t)
}

// TestPlanted: known mistakes are found within 20,000 draws, and named.
func TestPlanted(t *testing.T) {
	const n = 20_000
	p := tilted(9, 3)
	l := lawOf(p)
	mixed := func(change func(q []float64)) []float64 {
		q := slices.Clone(p)
		change(q)
		return normal(q)
	}
	likeliest := slices.Index(p, slices.Max(p))
	rare := tilted(400, 24)
	slices.SortFunc(rare, func(a, b float64) int { return -int(math.Copysign(1, a-b)) })
	coarse := drawer(rare)
	for i, c := range []struct {
		name  string
		law   *Law
		q     []float64 // the wrong distribution; nil if it is no distribution of single draws
		draws func(rng *rand.Rand) []int
		named string
	}{
		{"one state 10% too likely", l, mixed(func(q []float64) { q[likeliest] *= 1.1 }),
			nil, "state " + fmt.Sprint(likeliest)},
		{"two labels exchanged", l, mixed(func(q []float64) { q[0], q[5] = q[5], q[0] }),
			nil, "state 0 and state 5 were exchanged"},
		{"base off by one", l, mixed(func(q []float64) { copy(q, slices.Concat(p[8:], p[:8])) }),
			nil, "each state was written as the next one, and the last as the first"},
		{"last state never drawn", l, mixed(func(q []float64) { q[8] = 0 }), nil, "state 8 is never drawn"},
		{"uniform", l, l.powerLaw(0), nil, "all states were drawn uniformly"},
		{"half the inverse temperature", l, l.powerLaw(0.5),
			nil, "raised to the power 0.504 (from 0.484 to 0.524)"},
		{"every 20th row twice", l, nil, func(rng *rand.Rand) (s []int) {
			for i, x := range independent(p, n, rng) {
				s = append(s, x)
				if i%20 == 0 {
					s = append(s, x)
				}
			}
			return s
		}, "have the state of the row 1 before"},
		{"a chain that was thinned too little", l, nil, func(rng *rand.Rand) []int {
			s := independent(p, n, rng)
			for i := 1; i < n; i++ {
				if rng.Float64() < 0.05 {
					s[i] = s[i-1]
				}
			}
			return s
		}, "have the state of the row 1 before"},
		{"sorted", l, nil, func(rng *rand.Rand) []int {
			s := independent(p, n, rng)
			slices.Sort(s)
			return s
		}, "the rows are sorted"},
		{"a file of 5,000 four times", l, nil, func(rng *rand.Rand) []int {
			return slices.Repeat(independent(p, 5000, rng), 4)
		}, "with a period of 5000"},
		{"without replacement", l, nil, func(rng *rand.Rand) (s []int) {
			for x, v := range p {
				s = append(s, slices.Repeat([]int{x}, int(math.Round(n*v)))...)
			}
			rng.Shuffle(len(s), func(i, j int) { s[i], s[j] = s[j], s[i] })
			return s
		}, "without replacement"},
		{"uniforms of 8 bits", lawOf(rare), nil, func(rng *rand.Rand) []int {
			s := make([]int, n)
			for i := range s {
				s[i] = coarse(float64(rng.IntN(256)) / 256)
			}
			return s
		}, "only 8 bits"},
		{"uniforms of 16 bits", lawOf(heavy()), nil, func(rng *rand.Rand) []int {
			s := make([]int, n)
			draw := drawer(heavy())
			for i := range s {
				s[i] = draw(float64(rng.IntN(1<<16)) / (1 << 16))
			}
			return s
		}, "only 16 bits"},
	} {
		if (len(c.law.P) > 1000 || i%3 != 0) && !longtest.Enabled() {
			continue
		}
		rng := rand.New(rand.NewPCG(54, 1))
		var states []int
		if c.draws != nil {
			states = c.draws(rng)
		} else {
			states = independent(c.q, n, rng)
		}
		out := checked(t, c.law, states)
		if !strings.Contains(out.Fault, c.named) || out.Fault == "" {
			t.Errorf("%s: %q", c.name, out.Fault)
			for _, f := range out.Findings {
				t.Logf("   %s: %.3g %s", f.Name, f.Value, f.Where)
			}
		}
		if chained := strings.Contains(c.named, "have the state of the row"); out.Depend != chained {
			t.Errorf("%s: draws depend on those before: %v", c.name, out.Depend)
		}
	}
}

// heavy returns a distribution of which a tenth is in states that are rarer than 2^-16, behind
// which numbers of 16 bits hit one state of several.
func heavy() []float64 {
	p := []float64{0.9}
	for range 40_000 {
		p = append(p, 0.1/40_000)
	}
	return p
}

// TestImpossible: a state of probability zero is a fault at once, and the e-value infinite.
func TestImpossible(t *testing.T) {
	out := checked(t, lawOf([]float64{0.5, 0, 0.5}), []int{0, 2, 1, 2})
	if !math.IsInf(out.Findings[0].Value, 1) ||
		out.Fault != "state 1 has probability zero, but is drawn in row 3" {
		t.Errorf("%+v", out)
	}
}

// TestFew: too few draws are no pass.
func TestFew(t *testing.T) {
	if out := checked(t, lawOf([]float64{0.5, 0.5}), []int{0, 1, 1}); out.Fault != "" ||
		out.Findings[0].Verdict != "open" {
		t.Errorf("%+v", out)
	}
}

// sequences calls visit with all sequences of that many states, and their probabilities.
func sequences(p []float64, n int, visit func(states []int, v float64)) {
	states := make([]int, n)
	var from func(i int, v float64)
	from = func(i int, v float64) {
		if i == n {
			visit(states, v)
			return
		}
		for x := range p {
			if q := v * p[x]; q > 0 {
				states[i] = x
				from(i+1, q)
			}
		}
	}
	from(0, 1)
}

// TestFewStatesAreNamed: after a state the report names states, not groups, if there are few.
func TestFewStatesAreNamed(t *testing.T) {
	tally := newTally(lawOf([]float64{0.3, 0.3, 0.4}), true)
	for i := range 600 {
		tally.addState(i/20%3, 1)
	}
	for _, v := range tally.testValues() {
		if v.Name == testFollowers && !strings.HasPrefix(
			v.Says,
			"draws depend on the previous draw: after state 2, state 2: 190 of 199 draws",
		) {
			t.Error(v.Says)
		}
	}
}

// TestMeanOne: the e-value of every test has the mean one over all sequences of draws of the
// distribution, or less; also where a state is impossible, or its probability subnormal.
func TestMeanOne(t *testing.T) {
	for _, p := range [][]float64{
		{0.5, 0.5}, {0.2, 0.8}, {0.1, 0.3, 0.6}, {0.6, 0, 0.4}, {1, math.SmallestNonzeroFloat64}} {
		if len(p) > 2 && p[1] > 0 && !longtest.Enabled() {
			continue
		}
		const n = 8
		means := map[string]float64{}
		sequences(p, n, func(states []int, v float64) {
			tally := newTally(lawOf(p), true)
			tally.blocks.length = 2 // so that blocks do come again
			tally.blocks.power = 1
			for range 2 {
				tally.blocks.power *= odd
			}
			for _, x := range states {
				tally.addState(x, 1)
			}
			for _, of := range tally.testValues() {
				means[of.Name] += math.Exp(number.Log(v) + of.LogE)
			}
		})
		for name, mean := range means {
			if mean > 1+1e-9 ||
				mean < 0.9 && name != "known mistakes" && p[1] != math.SmallestNonzeroFloat64 {
				t.Errorf("%v, %s: the mean is %v", p, name, mean)
			}
		}
	}
}

// TestFiveErrors: counts that are off by five standard errors are no pass, and below them they are.
func TestFiveErrors(t *testing.T) {
	const n = 20_000
	for _, c := range []struct {
		p, errors float64
		begins    string
	}{
		{0.5, 4.9, "pass"}, {0.5, 5.01, "open"}, {0.5, 5.6, "open"}, {0.5, 8, "fault"},
		{0.1, 4.9, "pass"}, {0.1, 5.05, "open"}, {0.1, -5.1, "open"}, {0.001, 5.2, "pass"},
	} {
		states := make([]int, n)
		for i := range int(math.Round(n*c.p + c.errors*math.Sqrt(n*c.p*(1-c.p)))) {
			states[i] = 1
		}
		rand.New(rand.NewPCG(3, 1)).Shuffle(n, func(i, j int) { states[i], states[j] = states[j], states[i] })
		out := checked(t, lawOf([]float64{1 - c.p, c.p}), states)
		if got := out.Findings[0]; string(got.Verdict) != c.begins {
			t.Errorf("probability %v, %v standard errors: %v, want %s; %s", c.p, c.errors, got.Verdict,
				c.begins, got.Where)
		}
	}
}

// TestFiveErrorsOfMeans: draws of which a variable, the sum of all, the product of two or log p is
// off by five standard errors are no pass, though each state is drawn often enough.
func TestFiveErrorsOfMeans(t *testing.T) {
	const n = 100_000
	law := longtest.Must(OfToy(longtest.Must(forms.All().Parse("ising:1x6:0.3"))(t)))(t)
	bit := func(x, k int) float64 { return float64(x >> k & 1) }
	for name, f := range map[string]func(x int) float64{
		"x0 = ":                                func(x int) float64 { return bit(x, 5) },
		"the mean of log p is ":                func(x int) float64 { return math.Log(law.P[x]) },
		"the mean of the sum of the variables": func(x int) float64 { return float64(bits.OnesCount(uint(x))) },
		"the mean of the product of x1 and x4": func(x int) float64 { return (bit(x, 4) - 0.5) * (bit(x, 1) - 0.5) },
	} {
		for _, errors := range []float64{0, 4.5, 5.7} {
			first := 0.0
			second := 0.0
			for x, p := range law.P {
				first += p * f(x)
				second += p * f(x) * f(x)
			}
			sd := math.Sqrt(second - first*first)
			tally := newTally(law, false)
			left := 0.0
			for x, p := range law.P {
				left += n * p * (1 + errors/math.Sqrt(n)*(f(x)-first)/sd)
				tally.addState(x, int(left))
				left -= math.Floor(left)
			}
			if far := tally.farCount(); (far != "") != (errors > 5) || !strings.HasPrefix(far, name) &&
				far != "" {
				t.Errorf("%s, %v standard errors: %q", name, errors, far)
			}
		}
	}
}

// TestFiveErrorsOfOrder: draws of which too many repeat the one before, or have a sum near to its,
// by five standard errors are no pass; independent draws are, also if few draws carry a mean.
func TestFiveErrorsOfOrder(t *testing.T) {
	law := longtest.Must(OfToy(longtest.Must(forms.All().Parse("ising:2x4:0.1"))(t)))(t)
	for name, next := range map[string]func(u float64, before, x, y int) int{
		"": func(_ float64, _, x, _ int) int { return x },
		"the share of draws that equal the draw before": func(u float64, before, x, _ int) int {
			if u < 0.003 {
				return before
			}
			return x
		},
		"the product of the sum of the variables of a draw and the next": func(u float64, before, x, y int) int {
			spins := func(x int) int { return bits.OnesCount(uint(x)) - 4 }
			if u < 0.09 && spins(before)*spins(y) > spins(before)*spins(x) {
				return y
			}
			return x
		},
	} {
		tally := newTally(law, true)
		draw := drawer(law.P)
		rng := rand.New(rand.NewPCG(8, 1))
		x := 0
		for range 20_000 {
			x = next(rng.Float64(), x, draw(rng.Float64()), draw(rng.Float64()))
			tally.addState(x, 1)
		}
		if far := tally.farCount(); !strings.HasPrefix(far, name) || name == "" && far != "" {
			t.Errorf("%s: %q", name, far)
		}
	}
	for seed := range uint64(100) {
		tally := newTally(lawOf(tilted(20, 30)), true)
		for _, x := range independent(tally.P, 1+20*int(seed), rand.New(rand.NewPCG(9, seed))) {
			tally.addState(x, 1)
		}
		if far := tally.farCount(); far != "" {
			t.Errorf("seed %d: %s", seed, far)
		}
	}
}
